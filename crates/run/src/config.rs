//! The configuration of a run: everything that decides what happens, in plain values that are written to
//! `run.json`.

use std::path::PathBuf;
use std::time::Duration;

use andor_core::policy::{Backup, Budget, CycleRule, Expansion, Selection, Widening};
use andor_core::search;
use andor_core::tree::Identity;
use andor_env::checker::Level;
use andor_env::rocq::axioms::is_name;
use andor_env::session::Limits;
use serde::{Deserialize, Serialize};

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $text)] $variant),+
        }

        impl $name {
            /// Every choice.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Its name on the command line and in files.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }
        }
    };
}

mod distributed;
mod latency;
mod tactics;

pub use distributed::{Agents, DistributedMcts, MctsMode};
pub use latency::{LatencyConfig, LatencySpec};
pub use tactics::TacticConfig;

/// The configuration of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The root seed.
    pub seed: u64,
    /// The parts of the search.
    pub search: SearchConfig,
    /// What an attempt may spend.
    pub budget: BudgetConfig,
    /// Bounds on workers.
    pub workers: WorkerConfig,
    /// The providers, in order; their proposals are merged.
    pub providers: Vec<ProviderConfig>,
    /// The ranker, if any.
    pub ranker: Option<RankerConfig>,
    /// How far proofs are verified.
    pub verify: VerifyConfig,
    /// What a proof may rest on.
    pub allowed_axioms: Vec<String>,
    /// Physical directories and the logical paths they are bound to.
    pub load_path: Vec<(PathBuf, String)>,
    /// The clock.
    pub clock: Clock,
    /// How long providers and tactics take on the virtual clock.
    pub latencies: LatencyConfig,
    /// Who controls the search, and what is done to it on purpose.
    pub distributed_mcts: DistributedMcts,
    /// Which tactics are kept from the search.
    pub tactics: TacticConfig,
    /// Repeating each theorem under several seeds.
    pub basin: BasinConfig,
}

/// Repeating each theorem under several seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BasinConfig {
    /// How many seeds, counted up from the root seed.
    pub seeds: Option<u32>,
    /// Whether a blind search is run under each seed, for comparison.
    pub blind: bool,
}

/// The parts of the search (design, section 2).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchConfig {
    /// Where to work.
    pub policy: Policy,
    /// The weight of exploration of `ucb1` and `puct`.
    pub exploration: f64,
    /// The exponent of `best-first`'s reward for depth.
    pub depth_reward: f64,
    /// How values follow from results.
    pub backprop: Backprop,
    /// How many candidates of a node become steps.
    pub expand: Expand,
    /// Under `first-novel`: the exponent of progressive widening; `None` tries the next candidate only when
    /// all steps are exhausted.
    pub widening: Option<f64>,
    /// When two obligations share a node.
    pub identity: IdentityConfig,
    /// What happens to cyclic previews.
    pub cycle_rule: CycleRuleConfig,
    /// The depth below which no node is created.
    pub max_depth: Option<u32>,
    /// The estimate for nodes of which no provider gives one.
    pub default_value: f64,
    /// `product`: multiplies the value of every step.
    pub step_discount: f64,
}

choice!(
    /// Where to work.
    Policy {
        /// Upper confidence bounds.
        Ucb1 = "ucb1",
        /// Predictor and upper confidence bound.
        Puct = "puct",
        /// Any open leaf, candidates shuffled.
        BlindUniform = "blind-uniform",
        /// The highest cumulative log-prior.
        BestFirst = "best-first",
    }
);
choice!(
    /// How values follow from results.
    Backprop {
        /// The mean reward.
        Uniform = "uniform",
        /// The best step by its worst child.
        AndMin = "and-min",
        /// The best step by the product of its children.
        Product = "product",
    }
);
choice!(
    /// How many candidates of a node become steps.
    Expand {
        /// The first with novel children.
        FirstNovel = "first-novel",
        /// Every one that succeeds.
        All = "all",
    }
);
choice!(
    /// When two obligations share a node.
    IdentityConfig {
        /// Never: a tree.
        Checkpoint = "checkpoint",
        /// When they are equal, names included: a graph.
        Strict = "strict",
    }
);
choice!(
    /// What happens to cyclic previews.
    CycleRuleConfig {
        /// They are rejected.
        Reject = "reject",
        /// Only the repeating child is dropped, as the seeds do.
        DropChild = "drop-child",
    }
);
choice!(
    /// The clock that agents and workers live by.
    Clock {
        /// Modelled time: everything happens in its order, so that equal runs give equal traces.
        Virtual = "virtual",
        /// Measured time.
        Wall = "wall",
    }
);

/// What an attempt may spend; `None` is without limit.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BudgetConfig {
    /// Seconds of wall time.
    pub time_s: Option<f64>,
    /// Seconds on the virtual clock.
    pub virtual_time_s: Option<f64>,
    /// Rounds of selection, expansion and back-up.
    pub max_iterations: Option<u64>,
    /// Iterations that add a step.
    pub max_expansions: Option<u64>,
    /// Nodes of the tree.
    pub max_nodes: Option<u64>,
    /// Candidates tried.
    pub max_attempts: Option<u64>,
}

/// Bounds on workers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerConfig {
    /// Workers per theorem.
    pub workers: usize,
    /// Seconds for one tactic.
    pub tactic_timeout_s: f64,
    /// Losses in a row before an attempt is given up.
    pub max_restarts: u32,
    /// A worker whose memory exceeds this is replaced.
    pub max_memory_mb: u64,
    /// Seconds for checking one proof; in Rocq, for each program that is run for it.
    pub check_timeout_s: f64,
}

/// A provider.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ProviderConfig {
    /// Proposes by the shape of the goal.
    Heuristic,
    /// Proposes what a file says.
    Scripted {
        /// The file.
        path: PathBuf,
    },
    /// The policy of the synthetic environment.
    Synthetic {
        /// Whether its critic gives values.
        critic: bool,
    },
}

choice!(
    /// A level of verification; [`Level`] says what each means.
    VerifyLevel {
        /// 1.
        Compiled = "compiled",
        /// 2.
        Audited = "audited",
        /// 3.
        Rechecked = "rechecked",
        /// 4.
        Judged = "judged",
    }
);

impl From<VerifyLevel> for Level {
    fn from(level: VerifyLevel) -> Self {
        match level {
            VerifyLevel::Compiled => Self::Compiled,
            VerifyLevel::Audited => Self::Audited,
            VerifyLevel::Rechecked => Self::Rechecked,
            VerifyLevel::Judged => Self::Judged,
        }
    }
}

/// How far proofs are verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerifyConfig {
    /// The level to climb to.
    pub level: VerifyLevel,
    /// Whether a lower one will not do. Otherwise a proof is verified as far as this machine can.
    pub demanded: bool,
    /// Whether level 3 runs over the libraries too.
    pub recheck_deps: bool,
}

impl VerifyConfig {
    /// The level to climb to.
    pub fn wanted(self) -> Level {
        self.level.into()
    }

    /// The lowest level that will do.
    pub fn least(self) -> Level {
        if self.demanded { self.wanted() } else { Level::Compiled }
    }
}

impl Default for VerifyConfig {
    fn default() -> Self {
        Self { level: VerifyLevel::Rechecked, demanded: false, recheck_deps: false }
    }
}

choice!(
    /// A ranker.
    RankerConfig {
        /// Shorter tactics first.
        ShortestFirst = "shortest-first",
    }
);

/// Keeps the numbers of attempts, at most two for each seed, within 32 bits.
const MAX_SEEDS: u32 = 1_000_000;

impl BasinConfig {
    fn check(self, config: &Config) -> Result<(), ConfigError> {
        let broken = |option, rule| Err(ConfigError { option, rule });
        match self.seeds {
            None if self.blind => broken("--basin-blind", "needs --basin-seeds"),
            None => Ok(()),
            Some(seeds) if !(1..=MAX_SEEDS).contains(&seeds) => {
                broken("--basin-seeds", "must be at least 1 and at most 1000000")
            }
            Some(_) if config.providers.len() > 1 => broken("--basin-seeds", "needs a single --provider"),
            Some(_) if self.blind && config.distributed_mcts.mode == MctsMode::Distributed => {
                broken("--basin-blind", "needs --mcts-mode centralized")
            }
            Some(_) => Ok(()),
        }
    }
}

impl Default for SearchConfig {
    fn default() -> Self {
        Self {
            policy: Policy::Puct,
            exploration: 0.5,
            depth_reward: 0.0,
            backprop: Backprop::Product,
            expand: Expand::FirstNovel,
            widening: Some(0.5),
            identity: IdentityConfig::Checkpoint,
            cycle_rule: CycleRuleConfig::Reject,
            max_depth: None,
            default_value: 0.5,
            step_discount: 0.9,
        }
    }
}

impl Default for WorkerConfig {
    fn default() -> Self {
        Self {
            workers: 1,
            tactic_timeout_s: 5.0,
            max_restarts: 3,
            max_memory_mb: 2048,
            check_timeout_s: 120.0,
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            seed: 0,
            search: SearchConfig::default(),
            budget: BudgetConfig { time_s: Some(60.0), ..BudgetConfig::default() },
            workers: WorkerConfig::default(),
            providers: vec![ProviderConfig::Heuristic],
            ranker: None,
            verify: VerifyConfig::default(),
            allowed_axioms: Vec::new(),
            load_path: Vec::new(),
            clock: Clock::Virtual,
            latencies: LatencyConfig::default(),
            distributed_mcts: DistributedMcts::default(),
            tactics: TacticConfig::default(),
            basin: BasinConfig::default(),
        }
    }
}

impl Config {
    /// The search's own configuration.
    pub fn search(&self) -> search::Config {
        let s = &self.search;
        search::Config {
            identity: match s.identity {
                IdentityConfig::Checkpoint => Identity::Checkpoint,
                IdentityConfig::Strict => Identity::Strict,
            },
            selection: match s.policy {
                Policy::Ucb1 => Selection::Ucb1 { c: s.exploration },
                Policy::Puct => Selection::Puct { c: s.exploration },
                Policy::BlindUniform => Selection::BlindUniform,
                Policy::BestFirst => Selection::BestFirst { alpha: s.depth_reward },
            },
            expansion: match s.expand {
                Expand::FirstNovel => Expansion::FirstNovel {
                    widening: s.widening.map(|exponent| Widening { scale: 1.0, exponent }),
                },
                Expand::All => Expansion::All,
            },
            backup: match s.backprop {
                Backprop::Uniform => Backup::Uniform,
                Backprop::AndMin => Backup::AndMin,
                Backprop::Product => Backup::Product { discount: s.step_discount as f32 },
            },
            cycle_rule: match s.cycle_rule {
                CycleRuleConfig::Reject => CycleRule::Reject,
                CycleRuleConfig::DropChild => CycleRule::DropChild,
            },
            max_depth: s.max_depth,
            control: self.distributed_mcts.control(self).expect("the configuration is valid"),
            default_value: s.default_value as f32,
            seed: self.seed,
        }
    }

    /// The agents of each search.
    pub fn agents(&self) -> Agents {
        self.distributed_mcts.agents(self).expect("the configuration is valid")
    }

    /// What an attempt may spend.
    pub fn budget(&self) -> Budget {
        Budget {
            iterations: self.budget.max_iterations,
            expansions: self.budget.max_expansions,
            nodes: self.budget.max_nodes,
            attempts: self.budget.max_attempts,
            time: self.budget.time_s.map(Duration::from_secs_f64),
            virtual_time: self.budget.virtual_time_s.map(Duration::from_secs_f64),
        }
    }

    /// Bounds on the workers of one attempt.
    pub fn limits(&self) -> Limits {
        Limits {
            workers: self.workers.workers,
            tactic: Duration::from_secs_f64(self.workers.tactic_timeout_s),
            max_restarts: self.workers.max_restarts,
            max_memory_bytes: Some(self.workers.max_memory_mb << 20),
            ..Limits::default()
        }
    }

    /// The first rule that the configuration breaks.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let broken = |option: &'static str, rule: &'static str| Err(ConfigError { option, rule });
        let s = &self.search;
        if !(s.exploration.is_finite() && s.exploration >= 0.0) {
            return broken("--exploration", "must be at least 0");
        }
        if !(s.depth_reward.is_finite() && s.depth_reward >= 0.0) {
            return broken("--depth-reward", "must be at least 0");
        }
        if s.widening.is_some_and(|w| !(0.0..=1.0).contains(&w)) {
            return broken("--widening", "must be between 0 and 1");
        }
        if !(s.default_value > 0.0 && s.default_value < 1.0) {
            return broken("--default-value", "must lie between 0 and 1");
        }
        if !(s.step_discount > 0.0 && s.step_discount <= 1.0) {
            return broken("--step-discount", "must be above 0 and at most 1");
        }
        if self.budget.time_s.is_some_and(|t| !(t.is_finite() && t > 0.0)) {
            return broken("--time", "must be positive");
        }
        if self.budget.virtual_time_s.is_some_and(|t| !(t.is_finite() && t > 0.0)) {
            return broken("--virtual-time", "must be positive");
        }
        if self.budget.virtual_time_s.is_some() && self.clock != Clock::Virtual {
            return broken("--virtual-time", "needs --clock virtual");
        }
        if self.workers.workers == 0 {
            return broken("--workers", "must be at least 1");
        }
        if !(self.workers.tactic_timeout_s.is_finite() && self.workers.tactic_timeout_s > 0.0) {
            return broken("--tactic-timeout", "must be positive");
        }
        if !(self.workers.check_timeout_s.is_finite() && self.workers.check_timeout_s > 0.0) {
            return broken("--check-timeout", "must be positive");
        }
        if self.verify.recheck_deps && self.verify.wanted() < Level::Rechecked {
            return broken(
                "--recheck-deps",
                "belongs to level 3 (rechecked); a lower --verify never gets there",
            );
        }
        self.distributed_mcts.agents(self)?;
        self.distributed_mcts.control(self)?;
        self.tactics.check()?;
        self.basin.check(self)?;
        if self.providers.is_empty() {
            return broken("--provider", "needs at least one provider");
        }
        if !self.allowed_axioms.iter().all(|name| is_name(name)) {
            return broken("--allow-axioms", "takes names: identifiers, with periods between them");
        }
        Ok(())
    }

    /// A digest of the configuration, in hexadecimal: the first 16 digits of BLAKE3 of its JSON with sorted keys
    /// and without spaces. Equal digests mean equal configurations.
    pub fn digest(&self) -> String {
        let text = serde_json::to_value(self).expect("a configuration is JSON").to_string();
        blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
    }
}

/// A rule that a configuration breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{option}: {rule}")]
pub struct ConfigError {
    /// The option, as on the command line.
    pub option: &'static str,
    /// The rule.
    pub rule: &'static str,
}
