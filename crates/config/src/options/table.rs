//! The table of all options, in the order in which they are listed.

use super::notation::{Notation, Range};
use super::{ConfigOption, DefaultValue, Need, Section, Setting};
use crate::{
    Backprop, Binding, Clock, CycleRuleConfig, Expand, IdentityConfig, MctsMode, ObligationConfig,
    ObstacleVisitsConfig, Policy, Preset, RankerConfig, VerifyConfig, VerifyLevel,
};

/// Any whole number of 64 bits.
const ANY: Range = Range { least: 0.0, most: u64::MAX as f64, is_open: (false, false), rule: "" };
/// Any whole number of 32 bits.
const ANY_32: Range =
    Range { least: 0.0, most: u32::MAX as f64, is_open: (false, false), rule: "must be at most 4294967295" };
/// A number of agents, reservations, workers or seeds. The bound is far above useful values and keeps sums and
/// products finite.
const COUNT: Range =
    Range { least: 1.0, most: 1e6, is_open: (false, false), rule: "must be at least 1 and at most 1000000" };
const AT_LEAST_ONE: Range = Range { least: 1.0, rule: "must be at least 1", ..ANY };
const MEGABYTES: Range = Range {
    least: 1.0,
    most: (1_u64 << 40) as f64,
    is_open: (false, false),
    rule: "must be at least 1 and at most 1099511627776 megabytes",
};
/// A weight; 0 disables it.
const WEIGHT: Range =
    Range { least: 0.0, most: 1e6, is_open: (false, false), rule: "must be at least 0 and at most 1000000" };
const SHARE: Range =
    Range { least: 0.0, most: 1.0, is_open: (false, false), rule: "must be between 0 and 1" };
const INSIDE: Range = Range { is_open: (true, true), rule: "must lie strictly between 0 and 1", ..SHARE };
const BELOW_1: Range = Range { is_open: (false, true), rule: "must be at least 0 and below 1", ..SHARE };
const ABOVE_0: Range = Range { is_open: (true, false), rule: "must be above 0 and at most 1", ..SHARE };

const DISTRIBUTED: &[Need] = &[Need::Distributed];
const OF_BLOCKS: &[Need] =
    &[Need::Distributed, Need::With("--mcts-block-fraction", "needs --mcts-block-fraction")];
const REQUIRED_OF_BLOCKS: &[Need] = &[
    Need::Distributed,
    Need::With("--mcts-block-fraction", "needs --mcts-block-fraction"),
    Need::RequiredWith(&["--mcts-block-fraction"], "is required with --mcts-block-fraction"),
];
const REQUIRED_OF_DELAYS: &[Need] =
    &[Need::Distributed, Need::RequiredWith(&["--mcts-delay-prob"], "is required with --mcts-delay-prob")];

/// Values shared by most options.
const USUAL: ConfigOption = ConfigOption {
    flag: "",
    alias: None,
    key: "",
    section: Section::Search,
    notation: Notation::Words,
    value_name: "",
    needs: &[],
    help: "",
    default: DefaultValue::OfConfig,
    get: |_| Setting::Absent,
    set: |_, _| {},
};

macro_rules! key {
    ($table:ident $(.$field:ident)*) => {
        concat!(stringify!($table) $(, ".", stringify!($field))*)
    };
}

/// Declares an option: flag, field, section, notation, placeholder, help.
macro_rules! option {
    ($flag:literal, $table:ident $(.$field:ident)*, $section:ident, $notation:expr, $value:literal, $help:expr
        $(, $more:ident: $is:expr)* $(,)?) => {
        ConfigOption {
            flag: $flag,
            key: key!($table $(.$field)*),
            section: Section::$section,
            notation: $notation,
            value_name: $value,
            help: $help,
            get: |config| Setting::from(config.$table$(.$field)*.to_owned()),
            set: |config, setting| config.$table$(.$field)* = setting.into(),
            $($more: $is,)*
            ..USUAL
        }
    };
}

/// Declares an option whose values form a list.
macro_rules! list {
    ($flag:literal, $table:ident $(.$field:ident)*, $section:ident, $notation:expr, $kind:ident, $value:literal, $help:expr) => {
        ConfigOption {
            flag: $flag,
            key: key!($table $(.$field)*),
            section: Section::$section,
            notation: $notation,
            value_name: $value,
            help: $help,
            get: |config| match config.$table$(.$field)*.is_empty() {
                true => Setting::Absent,
                false => Setting::$kind(config.$table$(.$field)*.clone()),
            },
            set: |config, setting| match setting {
                Setting::$kind(items) => config.$table$(.$field)*.extend(items),
                _ => config.$table$(.$field)*.clear(),
            },
            ..USUAL
        }
    };
}

/// Declares an option that binds folders of compiled modules.
macro_rules! load_path {
    ($binding:expr, $flag:literal, $help:expr) => {
        ConfigOption {
            flag: $flag,
            key: "load_path",
            section: Section::RocqProject,
            notation: Notation::LoadPath($binding),
            value_name: "DIR NAME",
            help: $help,
            get: |config| {
                let bound = config.load_path.iter().filter(|bound| bound.binding == $binding);
                let bound: Vec<_> = bound.cloned().collect();
                if bound.is_empty() { Setting::Absent } else { Setting::LoadPath(bound) }
            },
            set: |config, setting| match setting {
                Setting::LoadPath(bound) => config.load_path.extend(bound),
                _ => config.load_path.clear(),
            },
            ..USUAL
        }
    };
}

use DefaultValue::{Explained, Is};
use Notation::{Duration, DurationOrNone, Integer, Number, NumberOrNone, OneOf, Switch, Whole};

/// All configuration options.
pub const OPTIONS: &[ConfigOption] = &[
    option!("--time", budget.time_s, Budget, DurationOrNone, "DURATION",
        "Wall time, for example `30s`, `2m`, `500ms`, or `none`", alias: Some("--timeout-per-theorem")),
    option!(
        "--virtual-time",
        budget.virtual_time_s,
        Budget,
        Duration,
        "DURATION",
        "Time on the virtual clock"
    ),
    option!(
        "--max-iterations",
        budget.max_iterations,
        Budget,
        Whole(ANY),
        "N",
        "Rounds of selection, expansion and back-up"
    ),
    option!("--max-expansions", budget.max_expansions, Budget, Whole(ANY), "N", "Iterations that add a step"),
    option!("--max-nodes", budget.max_nodes, Budget, Whole(ANY), "N", "Nodes of the tree"),
    option!("--max-candidates", budget.max_candidates, Budget, Whole(ANY), "N", "Candidates tried"),
    option!("--seed", seed, Search, Whole(ANY), "N", "The root of all randomness"),
    option!(
        "--preset",
        search.preset,
        Search,
        OneOf(Preset::names),
        "PRESET",
        "A combination of parts by name; parts given beside it, here or in --config, take its place"
    ),
    option!(
        "--obligation",
        search.obligation,
        Search,
        OneOf(ObligationConfig::names),
        "OBLIGATION",
        "What a node stands for: one goal, or all open goals of a proof state"
    ),
    option!("--policy", search.policy, Search, OneOf(Policy::names), "POLICY", "Where to work"),
    option!("--exploration", search.exploration, Search, Number(WEIGHT), "C",
        "The weight of exploration; √2 for ucb1 and 0.5 for puct unless given", default: Explained),
    option!(
        "--depth-reward",
        search.depth_reward,
        Search,
        Number(WEIGHT),
        "ALPHA",
        "best-first: divide priorities by depth to this power"
    ),
    option!(
        "--backprop",
        search.backprop,
        Search,
        OneOf(Backprop::names),
        "BACKPROP",
        "How values follow from results"
    ),
    option!(
        "--expand",
        search.expand,
        Search,
        OneOf(Expand::names),
        "EXPAND",
        "How many candidates of a node become steps"
    ),
    option!(
        "--widening",
        search.widening,
        Search,
        NumberOrNone(SHARE),
        "EXPONENT",
        "first-novel: a node visited v times may have v^EXPONENT live steps; `none` waits until all are exhausted"
    ),
    option!(
        "--identity",
        search.identity,
        Search,
        OneOf(IdentityConfig::names),
        "IDENTITY",
        "When two obligations share a node"
    ),
    option!(
        "--cycle-rule",
        search.cycle_rule,
        Search,
        OneOf(CycleRuleConfig::names),
        "RULE",
        "What happens to a tactic that leads back to an obligation on the path"
    ),
    option!(
        "--max-depth",
        search.max_depth,
        Search,
        Whole(ANY_32),
        "N",
        "Reject tactics that lead below this depth"
    ),
    option!(
        "--default-value",
        search.default_value,
        Search,
        Number(INSIDE),
        "P",
        "The estimate for nodes of which no provider gives one, between 0 and 1"
    ),
    option!(
        "--step-discount",
        search.step_discount,
        Search,
        Number(ABOVE_0),
        "X",
        "product: multiply the value of every step, so that long ways are worth less"
    ),
    option!(
        "--mcts-mode",
        distributed_mcts.mode,
        Agents,
        OneOf(MctsMode::names),
        "MODE",
        "Who controls the search: one agent, or several that share the tree. All options below that begin with --mcts \
         need `distributed`"
    ),
    option!("--mcts-agents", distributed_mcts.agents, Agents, Whole(COUNT), "N",
        "Agents; required in distributed mode", needs: &[Need::Distributed, Need::RequiredInDistributed]),
    option!("--mcts-inflight", distributed_mcts.inflight, Agents, Whole(COUNT), "N",
        "Nodes that all agents together may have reserved at once; required in distributed mode",
        needs: &[Need::Distributed, Need::RequiredInDistributed]),
    option!("--mcts-virtual-loss", distributed_mcts.virtual_loss, Agents, Number(WEIGHT), "X",
        "How much work in flight counts against the nodes on its path; 0 lets agents collide",
        needs: DISTRIBUTED, default: Is("1")),
    option!("--mcts-depth-bias", distributed_mcts.depth_bias, Agents, Number(WEIGHT), "X",
        "Added to the score of a node for each step of its depth", needs: DISTRIBUTED, default: Is("0")),
    option!("--mcts-path-bias", distributed_mcts.path_bias, Agents, Number(WEIGHT), "X",
        "Added to the score of a node on the agent's previous path", needs: DISTRIBUTED, default: Is("0")),
    option!("--mcts-history-cache", distributed_mcts.history_cache, Agents, Switch(true), "",
        "Each agent remembers, goal by goal, what it was proposed and what failed", needs: DISTRIBUTED),
    option!("--mcts-block-fraction", distributed_mcts.block_fraction, Interventions, Number(INSIDE), "SHARE",
        "Block this share of the nodes, strictly between 0 and 1; each is decided when an agent first comes to it. Needs \
         --mcts-block-duration and --mcts-block-seed", needs: DISTRIBUTED),
    option!("--mcts-block-duration", distributed_mcts.block_duration, Interventions, Integer(None), "N",
        "How long a block lasts; below 0 for good", needs: REQUIRED_OF_BLOCKS),
    option!("--mcts-block-seed", distributed_mcts.block_seed, Interventions, Whole(ANY), "N", "The seed of blocks",
        needs: REQUIRED_OF_BLOCKS),
    option!("--mcts-block-immovable-fraction", distributed_mcts.block_immovable_fraction, Interventions, Number(SHARE),
        "SHARE", "The share of blocks that neither end nor are lifted, from 0 to 1", needs: OF_BLOCKS, default: Is("0")),
    option!("--mcts-unfreeze-after", distributed_mcts.unfreeze_after, Interventions, Whole(AT_LEAST_ONE), "N",
        "Agents that come back to a blocked node lift the block from the N-th time on; 1 unless given, if \
         --mcts-unfreeze-prob is", needs: OF_BLOCKS),
    option!("--mcts-unfreeze-prob", distributed_mcts.unfreeze_prob, Interventions, Number(ABOVE_0), "P",
        "The chance of each such time to lift it, above 0; 1 unless given, if --mcts-unfreeze-after is", needs: OF_BLOCKS),
    option!("--mcts-reroute-blocked", distributed_mcts.reroute_blocked, Interventions, Switch(true), "",
        "An agent that runs into a blocked or delayed node tries others; needs --mcts-reroute-max", needs: DISTRIBUTED),
    option!("--mcts-reroute-max", distributed_mcts.reroute_max, Interventions, Whole(Range { most: u32::MAX as f64, ..AT_LEAST_ONE }),
    "N", "How many others", needs: &[
        Need::Distributed,
        Need::With("--mcts-reroute-blocked", "needs --mcts-reroute-blocked"),
        Need::RequiredWith(&["--mcts-reroute-blocked"], "is required with --mcts-reroute-blocked"),
    ]),
    option!("--mcts-obstacle-visits", distributed_mcts.obstacle_visits, Interventions,
        OneOf(ObstacleVisitsConfig::names), "WHICH",
        "Which obstacles count as visits without success on the way there: none, the last one of an iteration that ended at \
         it, or all, those that were gone round too; `last` unless given", needs: DISTRIBUTED),
    option!("--mcts-delay-prob", distributed_mcts.delay_prob, Interventions, Number(INSIDE), "P",
    "Delay selected nodes with this chance, strictly between 0 and 1; needs --mcts-delay-duration and --mcts-delay-seed",
    needs: &[
        Need::Distributed,
        Need::RequiredWith(&["--mcts-delay-duration", "--mcts-delay-seed"], "is required with the other delay options"),
    ]),
    option!("--mcts-delay-duration", distributed_mcts.delay_duration, Interventions,
        Integer(Some(Range { least: 1.0, most: i64::MAX as f64, is_open: (false, false), rule: "must be at least 1" })),
        "N", "How long a delay lasts", needs: REQUIRED_OF_DELAYS),
    option!("--mcts-delay-seed", distributed_mcts.delay_seed, Interventions,
        Integer(Some(Range { least: 0.0, most: i64::MAX as f64, is_open: (false, false), rule: "must be at least 0" })),
        "N", "The seed of delays", needs: REQUIRED_OF_DELAYS),
    list!(
        "--provider",
        providers,
        Providers,
        Notation::Provider,
        Providers,
        "NAME[=FILE]",
        "Who proposes tactics: `heuristic`, `scripted=FILE`, `synthetic`, `synthetic+critic`; repeatable, the proposals \
         are merged [default: heuristic]"
    ),
    option!(
        "--draft-share",
        drafts.share,
        Providers,
        Number(BELOW_1),
        "SHARE",
        "Of the requests to providers, the share that asks for whole proofs instead of single tactics: at 0.5, a draft for \
         every expansion. What holds of a draft is kept"
    ),
    option!(
        "--draft",
        drafts.file,
        Search,
        Notation::File,
        "FILE",
        "Begin with the proof in this file, as far as it holds; takes one theorem. The search fills what is left, and tries other \
         ways too"
    ),
    option!(
        "--ignore-partial-proof",
        drafts.ignore_partial,
        Search,
        Switch(true),
        "",
        "Search from scratch, even if the theorem has an unfinished proof in its file. Otherwise that proof is kept as far as it \
         holds, and only what it leaves open is searched"
    ),
    option!("--ranker", ranker, Providers, OneOf(RankerConfig::names), "RANKER", "Who reorders them"),
    list!(
        "--block-tactics",
        tactics.block,
        Tactics,
        Notation::Words,
        Words,
        "FAMILY,…",
        "Block families of tactics, and tactics by their first word, whoever proposes them"
    ),
    option!(
        "--easy-gate",
        tactics.easy_gate,
        Tactics,
        Switch(true),
        "",
        "Block easy tactics, so that the search has to work: simp, simp_all, omega, decide, native_decide, rfl, and Rocq's \
         like. Off unless given"
    ),
    option!("--allow-easy", tactics.allow_easy, Tactics, Switch(true), "",
        "Let easy tactics pass the gate of --easy-gate; off unless given",
        needs: &[Need::With("--easy-gate", "needs --easy-gate")]),
    ConfigOption {
        flag: "--easy-tactics",
        key: "tactics.easy",
        section: Section::Tactics,
        value_name: "NAME,…",
        needs: &[Need::With("--easy-gate", "needs --easy-gate")],
        help: "The tactics that count as easy, instead of those that each system has by default",
        get: |config| config.tactics.easy.clone().map_or(Setting::Absent, Setting::Words),
        set: |config, setting| match setting {
            Setting::Words(words) => config.tactics.easy.get_or_insert_default().extend(words),
            _ => config.tactics.easy = None,
        },
        ..USUAL
    },
    option!(
        "--no-hygiene",
        tactics.no_hygiene,
        Tactics,
        Switch(true),
        "",
        "Try what hygiene refuses, too: placeholders such as sorry and admit, and malformed tactics, by the standard rules \
         and by those of --config"
    ),
    option!(
        "--basin-seeds",
        basin.seeds,
        Basins,
        Whole(COUNT),
        "N",
        "Repeat each theorem under N seeds, counted up from --seed, and compare the proofs; with one --provider"
    ),
    option!("--basin-blind", basin.blind, Basins, Switch(true), "",
        "Run a blind search under each seed too; needs --basin-seeds, and centralized mode",
        needs: &[Need::With("--basin-seeds", "needs --basin-seeds")]),
    option!("--basin-same-damage", basin.same_damage, Basins, Switch(true), "",
        "Block and delay the same nodes under every seed; otherwise the seeds of blocks and delays are counted up with \
         --seed, also over the attempts of --pass-k. Needs --basin-seeds, and blocks or delays",
        needs: &[Need::With("--basin-seeds", "needs --basin-seeds")]),
    list!(
        "--allow-axioms",
        allowed_axioms,
        Soundness,
        Notation::Words,
        Words,
        "NAME,…",
        "Axioms that proofs may rest on: names or, for Rocq, the sets reals, classical, funext, propext, \
         proof-irrelevance, choice, eq-rect-eq, primitives (machine numbers, arrays and strings). None unless given, but mini's \
         propext, funext and Classical.em"
    ),
    list!(
        "--trust",
        trusted_bugs,
        Soundness,
        Notation::Words,
        Words,
        "BUG,…",
        "Known bugs of Rocq's kernel that a proof may come near, such as rocq#20455; from level 2 on, a proof that does \
         what one of them needs is refused otherwise. docs/reference/known-bugs.md lists them"
    ),
    ConfigOption {
        flag: "--verify",
        key: "verify.level",
        section: Section::Soundness,
        notation: Notation::Level,
        value_name: "LEVEL",
        help: "Verify proofs to this level or fail: 1 `compiled`, 2 `audited`, 3 `rechecked`, 4 `judged`. `best` goes as \
               far up as this machine can. Unless given, up to 3, or as far as this machine can",
        default: Explained,
        get: |config| match config.verify {
            VerifyConfig { level, demanded: true, .. } => level.into(),
            VerifyConfig { level: VerifyLevel::Judged, .. } => Setting::Name("best".to_owned()),
            _ => Setting::Absent,
        },
        set: |config, setting| {
            let demanded = setting != Setting::Name("best".to_owned());
            let level = if demanded { setting.into() } else { VerifyLevel::Judged };
            config.verify = VerifyConfig { level, demanded, ..config.verify };
        },
        ..USUAL
    },
    option!(
        "--recheck-deps",
        verify.recheck_deps,
        Soundness,
        Switch(true),
        "",
        "At level 3, run the independent kernel over the libraries too, once per set of libraries; what was found is \
         remembered in $XDG_CACHE_HOME/andor or ~/.cache/andor"
    ),
    option!(
        "--check-timeout",
        workers.check_timeout_s,
        Soundness,
        Duration,
        "DURATION",
        "Time for checking one proof; in Rocq, for each program that is run for it"
    ),
    option!(
        "--no-sandbox",
        workers.sandbox,
        Soundness,
        Switch(false),
        "",
        "Run proof assistants without a sandbox. Otherwise each runs in one where bubblewrap can build it, in searches and \
         in checks; level 4 asks for it"
    ),
    option!(
        "--workers",
        workers.workers,
        Workers,
        Whole(COUNT),
        "N",
        "Proof assistants at work on one theorem"
    ),
    option!(
        "--fresh-workers",
        workers.reuse,
        Workers,
        Switch(false),
        "",
        "Start new workers for every theorem. Otherwise idle ones are kept for theorems whose headers begin with what they \
         have read already, as many as work at once"
    ),
    option!(
        "--tactic-timeout",
        workers.tactic_timeout_s,
        Workers,
        Duration,
        "DURATION",
        "Time for one tactic; with --tactic-cpu-timeout alone 1.5 times as much as that, and at least 5 s"
    ),
    option!(
        "--tactic-cpu-timeout",
        workers.tactic_cpu_timeout_s,
        Workers,
        Duration,
        "DURATION",
        "Processor time for one tactic, over all processes of its worker; that of --tactic-timeout unless given"
    ),
    option!(
        "--max-memory",
        workers.max_memory_mb,
        Workers,
        Whole(MEGABYTES),
        "MB",
        "Replace a worker that holds more megabytes"
    ),
    option!(
        "--max-restarts",
        workers.max_restarts,
        Workers,
        Whole(ANY_32),
        "N",
        "Give an attempt up after losing this many workers in a row"
    ),
    load_path!(
        Binding::Q,
        "-Q",
        "Bind a folder to a logical path, as the option of Rocq's compiler: its modules are required by their full names, or \
         after `From`; repeatable. -Q and -R take the place of what a project file binds"
    ),
    load_path!(
        Binding::R,
        "-R",
        "The same, and its modules may be required by the last part of their names alone; repeatable"
    ),
    option!("--clock", clock, Clock, OneOf(Clock::names), "CLOCK",
        "What agents and workers live by: measured time, or modelled time, with which equal runs write equal traces. Unless \
         given, `virtual` with one worker in centralized mode, and `wall` otherwise, since on the virtual clock several \
         workers wait for each other", default: Explained),
    option!(
        "--provider-latency",
        latencies.provider,
        Clock,
        Notation::Latency,
        "SPEC",
        "Virtual clock: how long a provider takes; `5ms`, `lognormal:MEDIAN:SIGMA` as in `lognormal:200ms:0.5`, or \
         `recorded:FILE`"
    ),
    option!(
        "--tactic-latency",
        latencies.tactic,
        Clock,
        Notation::Latency,
        "SPEC",
        "Virtual clock: how long a tactic takes, in the same notation"
    ),
];
