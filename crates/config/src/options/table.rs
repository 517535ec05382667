//! The table of all options, in the order in which they are listed.

use super::DefaultValue::{Explained, Is};
use super::notation::Notation::{
    self, Duration, DurationOrNone, Integer, Number, NumberOrNone, OneOf, Switch, Text, Whole,
};
use super::notation::Range;
use super::row::*;
use super::{ConfigOption, Need, Section, Setting, models, plans, verify};
use crate::{
    Backup, Binding, Clock, CycleRule, Expansion, Form, Grouping, Identity, LeanBackend, Level, MctsMode,
    ObstacleVisits, Preset, RankerConfig, Selection, ShareProgress, VerifyConfig,
};

/// All configuration options.
pub const OPTIONS: &[ConfigOption] = &[
    option!("--time", budget.time_s, Budget, DurationOrNone, "DURATION",
        "Time limit of the search, from when the theorem is open, for example `30s`, `2m`, `500ms`, or `none`", alias: Some("--timeout-per-theorem")),
    option!(
        "--virtual-time",
        budget.virtual_time_s,
        Budget,
        Duration,
        "DURATION",
        "Time limit on the virtual clock"
    ),
    option!(
        "--max-iterations",
        budget.max_iterations,
        Budget,
        Whole(ANY),
        "N",
        "Maximum number of iterations (selection, expansion and backup)"
    ),
    option!(
        "--max-expansions",
        budget.max_expansions,
        Budget,
        Whole(ANY),
        "N",
        "Maximum number of iterations that add a step"
    ),
    option!("--max-nodes", budget.max_nodes, Budget, Whole(ANY), "N", "Maximum number of nodes in the tree"),
    option!(
        "--max-candidates",
        budget.max_candidates,
        Budget,
        Whole(ANY),
        "N",
        "Maximum number of candidates tried"
    ),
    option!(
        "--max-tokens-total",
        budget.max_tokens_total,
        Budget,
        Whole(ANY),
        "N",
        "Tokens sent to and received from language models"
    ),
    option!(
        "--max-cost",
        budget.max_cost,
        Budget,
        Number(MONEY),
        "MONEY",
        "Money for language models, in the currency of the prices in their configuration"
    ),
    option!("--seed", seed, Search, Whole(ANY), "N", "The seed of all random choices"),
    option!(
        "--preset",
        search.preset,
        Search,
        OneOf(Preset::names),
        "PRESET",
        "A named combination of search options; options given as well, here or in --config, override it"
    ),
    option!(
        "--obligation",
        search.obligation,
        Search,
        OneOf(Grouping::names),
        "OBLIGATION",
        "What a node represents: one goal, or all open goals of a proof state"
    ),
    option!(
        "--policy",
        search.policy,
        Search,
        OneOf(Selection::names),
        "POLICY",
        "How to select the next node"
    ),
    option!("--exploration", search.exploration, Search, Number(WEIGHT), "C",
        "Weight of exploration; √2 for ucb1 and 0.5 for puct unless given", default: Explained),
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
        OneOf(Backup::names),
        "BACKPROP",
        "How values are backed up the tree"
    ),
    option!(
        "--expand",
        search.expand,
        Search,
        OneOf(Expansion::names),
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
        OneOf(Identity::names),
        "IDENTITY",
        "When two goals share a node"
    ),
    option!(
        "--cycle-rule",
        search.cycle_rule,
        Search,
        OneOf(CycleRule::names),
        "RULE",
        "What to do with a tactic that leads back to a goal on its path"
    ),
    option!(
        "--max-depth",
        search.max_depth,
        Search,
        Whole(ANY_32),
        "N",
        "Reject tactics that lead to nodes deeper than this"
    ),
    option!(
        "--default-value",
        search.default_value,
        Search,
        Number(INSIDE),
        "P",
        "Value estimate of nodes for which no provider gives one, between 0 and 1"
    ),
    option!(
        "--step-discount",
        search.step_discount,
        Search,
        Number(ABOVE_0),
        "X",
        "product: factor per step, so that longer proofs are worth less"
    ),
    option!(
        "--mcts-mode",
        distributed_mcts.mode,
        Agents,
        OneOf(MctsMode::names),
        "MODE",
        "One agent, or several that share the tree. All other options that begin with --mcts need `distributed`"
    ),
    option!("--mcts-agents", distributed_mcts.agents, Agents, Whole(COUNT), "N",
        "Number of agents; required in distributed mode", needs: &[Need::Distributed, Need::RequiredInDistributed]),
    option!("--mcts-inflight", distributed_mcts.inflight, Agents, Whole(COUNT), "N",
        "Maximum number of nodes reserved at once by all agents together; required in distributed mode",
        needs: &[Need::Distributed, Need::RequiredInDistributed]),
    option!("--mcts-virtual-loss", distributed_mcts.virtual_loss, Agents, Number(WEIGHT), "X",
        "Penalty of a node for each reservation in flight at or below it; with 0, agents may collide",
        needs: DISTRIBUTED, default: Is("1")),
    option!("--mcts-depth-bias", distributed_mcts.depth_bias, Agents, Number(WEIGHT), "X",
        "Added to the score of a node for each level of depth", needs: DISTRIBUTED, default: Is("0")),
    option!("--mcts-path-bias", distributed_mcts.path_bias, Agents, Number(WEIGHT), "X",
        "Added to the score of a node on the agent's previous path", needs: DISTRIBUTED, default: Is("0")),
    option!("--mcts-history-cache", distributed_mcts.history_cache, Agents, Switch(true), "",
        "Each agent remembers, for each goal, the proposed and the failed tactics", needs: DISTRIBUTED),
    option!("--mcts-goal-cache", distributed_mcts.goal_cache, Agents, Switch(true), "",
        "All agents share one memory of the proposed and the failed tactics, instead of having one each",
        needs: DISTRIBUTED),
    option!("--mcts-block-fraction", distributed_mcts.block_fraction, Interventions, Number(INSIDE), "SHARE",
        "Block this share of the nodes, strictly between 0 and 1; decided when an agent first reaches a node. Needs \
         --mcts-block-duration and --mcts-block-seed", needs: DISTRIBUTED),
    option!("--mcts-block-duration", distributed_mcts.block_duration, Interventions, Integer(None), "N",
        "Duration of a block; a negative number means permanent", needs: REQUIRED_OF_BLOCKS),
    option!("--mcts-block-seed", distributed_mcts.block_seed, Interventions, Whole(ANY), "N", "Seed of blocks",
        needs: REQUIRED_OF_BLOCKS),
    option!("--mcts-block-immovable-fraction", distributed_mcts.block_immovable_fraction, Interventions, Number(SHARE),
        "SHARE", "Share of blocks that never end and cannot be lifted, from 0 to 1", needs: OF_BLOCKS, default: Is("0")),
    option!("--mcts-unfreeze-after", distributed_mcts.unfreeze_after, Interventions, Whole(AT_LEAST_ONE), "N",
        "From its N-th return to a blocked node on, an agent can lift the block; 1 if only --mcts-unfreeze-prob \
         is given", needs: OF_BLOCKS),
    option!("--mcts-unfreeze-prob", distributed_mcts.unfreeze_prob, Interventions, Number(ABOVE_0), "P",
        "Probability that such a return lifts the block, above 0; 1 if only --mcts-unfreeze-after is given", needs: OF_BLOCKS),
    option!("--mcts-reroute-blocked", distributed_mcts.reroute_blocked, Interventions, Switch(true), "",
        "An agent that reaches a blocked or delayed node tries other nodes; needs --mcts-reroute-max", needs: DISTRIBUTED),
    option!("--mcts-reroute-max", distributed_mcts.reroute_max, Interventions, Whole(Range { most: u32::MAX as f64, ..AT_LEAST_ONE }),
    "N", "Maximum number of other nodes to try", needs: &[
        Need::Distributed,
        Need::With("--mcts-reroute-blocked", "needs --mcts-reroute-blocked"),
        Need::RequiredWith(&["--mcts-reroute-blocked"], "is required with --mcts-reroute-blocked"),
    ]),
    option!("--mcts-obstacle-visits", distributed_mcts.obstacle_visits, Interventions,
        OneOf(ObstacleVisits::names), "WHICH",
        "Which blocks and delays count as failed visits on their path: none; the last one, where the iteration ended; \
         or all, including those that the agent went around [default: last]", needs: DISTRIBUTED),
    option!("--mcts-delay-prob", distributed_mcts.delay_prob, Interventions, Number(INSIDE), "P",
    "Delay selected nodes with this probability, strictly between 0 and 1; needs --mcts-delay-duration and \
     --mcts-delay-seed",
    needs: &[
        Need::Distributed,
        Need::RequiredWith(&["--mcts-delay-duration", "--mcts-delay-seed"], "is required with the other delay options"),
    ]),
    option!("--mcts-delay-duration", distributed_mcts.delay_duration, Interventions,
        Integer(Some(Range { least: 1.0, most: i64::MAX as f64, is_open: (false, false), rule: "must be at least 1" })),
        "N", "Duration of a delay", needs: REQUIRED_OF_DELAYS),
    option!("--mcts-delay-seed", distributed_mcts.delay_seed, Interventions,
        Integer(Some(Range { least: 0.0, most: i64::MAX as f64, is_open: (false, false), rule: "must be at least 0" })),
        "N", "Seed of delays", needs: REQUIRED_OF_DELAYS),
    list!(
        "--provider",
        providers,
        Providers,
        Notation::Provider,
        Providers,
        "NAME[=VALUE]",
        "Source of tactics: `heuristic`; `llm=MODEL`, a language model by its name in --config, its URL or URL#NAME; \
         `replay=RUN`, the answers recorded in a run; `exec=COMMAND`, a program of yours; `learned=FILE`, a model of `andor learn`; \
         `scripted=FILE`; `synthetic`; `synthetic+critic`; repeatable, proposals are merged [default: heuristic]"
    ),
    option!(
        "--provider-timeout",
        provider_timeout_s,
        Providers,
        Duration,
        "DURATION",
        "Time limit for one answer of the program of an `exec` provider; 60s unless given"
    ),
    option!(
        "--proposal-temperature",
        search.proposal_temperature,
        Providers,
        Number(TEMPERATURE),
        "T",
        "Draw the order of proposals from their priors to the power of 1/T, anew for each seed; 0 keeps it"
    ),
    option!(
        "--ranker",
        ranker,
        Providers,
        OneOf(RankerConfig::names),
        "RANKER",
        "How to reorder proposals: shorter tactics first, or one tactic of each provider in turn"
    ),
    list!(
        "--model",
        providers,
        Models,
        Notation::Model,
        Providers,
        "NAME|URL",
        "Ask this language model for tactics: short for --provider llm=MODEL; repeatable"
    ),
    option!("--prompt", llm.prompt, Models, Text, "NAME|FILE",
        "Prompt template: bfs-prover, reprover, internlm-step, chat-lean4, chat-rocq, chat-mini, whole-proof, or a file; \
         bfs-prover for completions and chat-SYSTEM for other interfaces unless given", default: Explained),
    option!("--answer", llm.answer, Models, OneOf(Form::names), "FORM",
        "How to read answers: one tactic, a list of alternatives, or a whole proof; as the prompt asks unless given",
        default: Explained),
    models::N,
    models::SAMPLING_TEMPERATURE,
    models::SAMPLING_TOP_P,
    models::MAX_TOKENS,
    models::TIMEOUT,
    models::WAIT,
    plans::PLANNER,
    plans::PROMPT,
    plans::RETRIES,
    plans::REPLANS,
    plans::SUBGOAL_REPLANS,
    option!(
        "--lemmas",
        llm.lemmas,
        Models,
        Whole(ANY_32),
        "N",
        "Lemmas about the goal's symbols in each prompt; looked up by one more worker"
    ),
    option!(
        "--record",
        llm.record,
        Models,
        Switch(true),
        "",
        "Record every request and answer in --out, for replay=RUN"
    ),
    option!(
        "--replay-else-ask",
        llm.replay_else_ask,
        Models,
        Switch(true),
        "",
        "With replay=RUN, ask the recorded model where the record has no answer, instead of failing"
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
    plans::FILE,
    plans::SCHEDULE,
    plans::SUBGOAL_CANDIDATES,
    plans::SUBGOAL_TIME,
    option!(
        "--share-progress",
        plan.share_progress,
        Search,
        OneOf(ShareProgress::names),
        "WHICH",
        "Who knows which steps of a plan are proved: each attempt its own (off), or all attempts of a run, which are then not \
         independent (run)"
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
    list!(
        "--block-tactics",
        tactics.block,
        Tactics,
        Notation::Words,
        Words,
        "FAMILY,…",
        "Block families of tactics, or tactics that begin with a word, from every provider"
    ),
    option!(
        "--easy-gate",
        tactics.easy_gate,
        Tactics,
        Switch(true),
        "",
        "Block easy tactics, to make the search harder: simp, simp_all, omega, decide, native_decide, rfl, and their \
         counterparts in Rocq"
    ),
    option!("--allow-easy", tactics.allow_easy, Tactics, Switch(true), "",
        "Allow easy tactics in spite of --easy-gate",
        needs: &[Need::With("--easy-gate", "needs --easy-gate")]),
    ConfigOption {
        flag: "--easy-tactics",
        key: "tactics.easy",
        section: Section::Tactics,
        value_name: "NAME,…",
        needs: &[Need::With("--easy-gate", "needs --easy-gate")],
        help: "Tactics that count as easy, instead of the default list of each system",
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
        "Turn off hygiene: also try placeholders such as sorry and admit, and malformed tactics, which the built-in rules \
         and those of --config refuse"
    ),
    option!(
        "--basin-seeds",
        basin.seeds,
        Basins,
        Whole(COUNT),
        "N",
        "Repeat each theorem under N seeds, starting at --seed, and compare the proofs; needs a single --provider"
    ),
    option!("--basin-blind", basin.blind, Basins, Switch(true), "",
        "Also run a blind search under each seed; needs --basin-seeds and centralized mode",
        needs: &[Need::With("--basin-seeds", "needs --basin-seeds")]),
    option!("--basin-same-damage", basin.same_damage, Basins, Switch(true), "",
        "Block and delay the same nodes under every seed. By default the seeds of blocks and delays increase with --seed, \
         also over the attempts of --pass-k. Needs --basin-seeds, and blocks or delays",
        needs: &[Need::With("--basin-seeds", "needs --basin-seeds")]),
    list!(
        "--allow-axioms",
        allowed_axioms,
        Soundness,
        Notation::Words,
        Words,
        "NAME,…",
        "Axioms that proofs may use: names or, for Rocq, the sets reals, classical, funext, propext, proof-irrelevance, \
         choice, eq-rect-eq, primitives (machine numbers, arrays and strings); `none` allows only those named. By default, in \
         Rocq those of libraries that the statement depends on; in Lean propext, Classical.choice and Quot.sound; in mini \
         propext, funext and Classical.em"
    ),
    list!(
        "--trust",
        trusted_bugs,
        Soundness,
        Notation::Words,
        Words,
        "BUG,…",
        "Known bugs of Rocq's kernel to tolerate, such as rocq#20455. By default, level 2 and above reject a proof that \
         could trigger one. docs/reference/known-bugs.md lists them"
    ),
    ConfigOption {
        flag: "--verify",
        key: "verify.level",
        sets_also: Some("verify.demanded"),
        section: Section::Soundness,
        notation: Notation::Level,
        value_name: "LEVEL",
        help: "Verify proofs to this level or fail: 1 `compiled`, 2 `audited`, 3 `rechecked`, 4 `judged`. `best` is the \
               highest level available on this machine. Unless given: 3, or the highest below it that is available",
        default: Explained,
        get: |config| match config.verify {
            VerifyConfig { level, demanded: true, .. } => level.into(),
            VerifyConfig { level: Level::Judged, .. } => Setting::Name("best".to_owned()),
            _ => Setting::Absent,
        },
        set: |config, setting| {
            let demanded = setting != Setting::Name("best".to_owned());
            let level = if demanded { setting.into() } else { Level::Judged };
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
        "In Rocq, also recheck at level 3 the libraries that a proof loads, once per set of libraries; one that `coqchk` \
         refuses rejects the proof. The result is cached in $XDG_CACHE_HOME/andor or ~/.cache/andor"
    ),
    verify::UNIVERSES,
    verify::SECOND_JUDGE,
    option!(
        "--max-file-size",
        verify.max_file_mb,
        Soundness,
        Whole(MEGABYTES),
        "MB",
        "Judge no proof, and no file that states its theorem, that is larger than this"
    ),
    option!(
        "--check-timeout",
        workers.check_timeout_s,
        Soundness,
        Duration,
        "DURATION",
        "Time limit for checking one proof; in Rocq, for each program that the check runs"
    ),
    option!(
        "--no-sandbox",
        workers.sandbox,
        Soundness,
        Switch(false),
        "",
        "Run proof assistants without a sandbox. By default each runs in one, in searches and checks, if bubblewrap is \
         installed; level 4 requires it"
    ),
    option!(
        "--workers",
        workers.workers,
        Workers,
        Whole(COUNT),
        "N",
        "Proof-assistant processes per theorem"
    ),
    option!(
        "--inflight",
        workers.inflight,
        Workers,
        Whole(COUNT),
        "N",
        "Nodes worked on at a time in a centralized search; more than workers keep a language model busy, too; as many \
         as workers unless given"
    ),
    option!(
        "--fresh-workers",
        workers.reuse,
        Workers,
        Switch(false),
        "",
        "Start new workers for every theorem. By default idle workers are kept for theorems with the same header or an \
         extension of it"
    ),
    option!(
        "--tactic-timeout",
        workers.tactic_timeout_s,
        Workers,
        Duration,
        "DURATION",
        "Time limit for one tactic. If only --tactic-cpu-timeout is given: 1.5 times that, at least 5 s"
    ),
    option!(
        "--tactic-cpu-timeout",
        workers.tactic_cpu_timeout_s,
        Workers,
        Duration,
        "DURATION",
        "Limit of processor time for one tactic, over all processes of its worker; same as --tactic-timeout by default"
    ),
    option!(
        "--max-memory",
        workers.max_memory_mb,
        Workers,
        Whole(MEGABYTES),
        "MB",
        "Replace a worker that uses more memory than this"
    ),
    option!(
        "--max-restarts",
        workers.max_restarts,
        Workers,
        Whole(ANY_32),
        "N",
        "Give up an attempt after this many worker failures in a row"
    ),
    load_path!(
        Binding::Q,
        "-Q",
        "Map a folder to a logical path, like coqc's option: modules are required by full name, or after `From`; \
         repeatable. -Q and -R replace the bindings of a project file"
    ),
    load_path!(
        Binding::R,
        "-R",
        "Like -Q, but modules may also be required by the last part of their names; repeatable"
    ),
    option!(
        "--project",
        project,
        LeanProject,
        Notation::File,
        "DIR",
        "The folder of a Lean project. Without it, the Lean of LEAN_SYSROOT, of PATH or of elan is used"
    ),
    option!(
        "--lean-backend",
        lean_backend,
        LeanProject,
        OneOf(LeanBackend::names),
        "BACKEND",
        "What runs tactics: Lean's own server, Pantograph, the REPL; `auto` is Pantograph where it works, else the server"
    ),
    option!("--clock", clock, Clock, OneOf(Clock::names), "CLOCK",
        "Real time, or simulated time, under which equal runs write equal traces. By default `virtual` with one worker in \
         centralized mode, otherwise `wall`, since on the virtual clock several workers wait for each other", default: Explained),
    option!(
        "--provider-latency",
        latencies.provider,
        Clock,
        Notation::Latency,
        "SPEC",
        "Virtual clock: latency of a provider: `5ms`, `lognormal:MEDIAN:SIGMA` such as `lognormal:200ms:0.5`, or \
         `recorded:FILE`"
    ),
    option!(
        "--tactic-latency",
        latencies.tactic,
        Clock,
        Notation::Latency,
        "SPEC",
        "Virtual clock: latency of a tactic, in the same notation"
    ),
];
