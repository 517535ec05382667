//! The configuration of a run: everything that decides what happens, in plain values that are written to
//! `run.json`. Whether it comes from the command line, from a file or from a program, [`Config::validate`] holds its
//! rules.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

use andor_core::policy::{Backup, Budget, CycleRule, Expansion, Selection, Widening};
use andor_core::tree::Identity;
use andor_env::checker::Level;
use andor_env::session::Limits;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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

            /// The names of all choices.
            pub fn names() -> Vec<&'static str> {
                Self::ALL.iter().map(|choice| choice.name()).collect()
            }
        }

        impl From<$name> for $crate::Setting {
            fn from(choice: $name) -> Self {
                Self::Name(choice.name().to_owned())
            }
        }

        impl From<$crate::Setting> for $name {
            fn from(setting: $crate::Setting) -> Self {
                let known = |name: &String| Self::ALL.iter().copied().find(|choice| choice.name() == name);
                match &setting {
                    $crate::Setting::Name(name) => known(name).expect("only listed names are read"),
                    other => unreachable!("a choice is read from its name, and not from {other:?}"),
                }
            }
        }
    };
}

mod difference;
mod distributed;
mod file;
mod latency;
mod load_path;
mod options;
mod or_none;
mod preset;
mod rules;
mod search;
mod tactics;

pub use difference::{Difference, differences};
pub use distributed::{Agents, DistributedMcts, MctsMode, ObstacleVisitsConfig};
pub use file::{ConfigFile, ConfigFileError};
pub use latency::{LatencyConfig, LatencySpec};
pub use load_path::{Binding, LoadPath};
pub use options::{
    ConfigOption, FILE_KEYS, Need, Notation, OPTIONS, SECOND_KEYS, Section, Setting, overlay,
    positive_seconds, reference, seconds, whole,
};
pub use preset::Preset;
pub use search::{Backprop, CycleRuleConfig, Expand, IdentityConfig, ObligationConfig, Policy, SearchConfig};
pub use tactics::TacticConfig;

/// The configuration of a run. In a file, what is left out is as in [`Config::default`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
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
    /// Known bugs of the prover's kernel that a proof may come near.
    pub trusted_bugs: Vec<String>,
    /// Folders of compiled Rocq modules, besides Rocq's own library.
    pub load_path: Vec<LoadPath>,
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
    /// Whether blocks and delays have the same seeds in all attempts, instead of seeds that are counted up like that of
    /// the search.
    pub same_damage: bool,
}

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
    /// Seconds of wall time; in a file, [`BudgetConfig::TIME_S`] unless given.
    #[serde(with = "or_none", default = "default_time_s")]
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
    pub max_candidates: Option<u64>,
}

impl BudgetConfig {
    /// The seconds that an attempt has unless the configuration says otherwise.
    pub const TIME_S: f64 = 60.0;
}

fn default_time_s() -> Option<f64> {
    Some(BudgetConfig::TIME_S)
}

/// Bounds on workers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WorkerConfig {
    /// Workers per theorem.
    pub workers: usize,
    /// Whether idle workers are kept for further theorems whose headers begin alike.
    pub reuse: bool,
    /// Whether workers, and the programs that check proofs, run within a sandbox where there is one. Has no meaning in
    /// `mini` and the synthetic environment, which start no process.
    pub sandbox: bool,
    /// Seconds of wall time for one tactic.
    pub tactic_timeout_s: f64,
    /// Seconds of processor time for one tactic, over the worker's whole process tree; those of wall time unless
    /// given. In `mini` and the synthetic environment, which have no processes, it has no meaning.
    pub tactic_cpu_timeout_s: Option<f64>,
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
    /// One that a program brings itself; only that program can make the search again.
    Program {
        /// Its [id](andor_provider::contract::Provider::id).
        name: String,
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
#[serde(deny_unknown_fields, default)]
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

impl Default for WorkerConfig {
    fn default() -> Self {
        Self {
            workers: 1,
            reuse: true,
            sandbox: true,
            tactic_timeout_s: 5.0,
            tactic_cpu_timeout_s: None,
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
            budget: BudgetConfig { time_s: default_time_s(), ..BudgetConfig::default() },
            workers: WorkerConfig::default(),
            providers: vec![ProviderConfig::Heuristic],
            ranker: None,
            verify: VerifyConfig::default(),
            allowed_axioms: Vec::new(),
            trusted_bugs: Vec::new(),
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
    /// Whether something hangs on chance beside the choices of the search: how long things take, where that decides in which
    /// order they are taken in, or what is done to the search on purpose.
    pub fn has_other_chance(&self) -> bool {
        let LatencyConfig { provider, tactic } = &self.latencies;
        let varies = |latency: &LatencySpec| !matches!(latency, LatencySpec::Constant(_));
        self.clock == Clock::Wall
            || self.distributed_mcts.has_obstacles()
            || (self.agents().inflight > 1 && (varies(provider) || varies(tactic)))
    }

    /// The search's own configuration.
    pub fn search(&self) -> andor_core::search::Config {
        let s = &self.search;
        andor_core::search::Config {
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
            control: self.distributed_mcts.control(),
            default_value: s.default_value as f32,
            seed: self.seed,
        }
    }

    /// The agents of each search.
    pub fn agents(&self) -> Agents {
        self.distributed_mcts.agents(self)
    }

    /// What an attempt may spend.
    pub fn budget(&self) -> Budget {
        Budget {
            iterations: self.budget.max_iterations,
            expansions: self.budget.max_expansions,
            nodes: self.budget.max_nodes,
            candidates: self.budget.max_candidates,
            time: self.budget.time_s.map(Duration::from_secs_f64),
            virtual_time: self.budget.virtual_time_s.map(Duration::from_secs_f64),
        }
    }

    /// Bounds on the workers of one attempt.
    pub fn limits(&self) -> Limits {
        let tactic_s = self.workers.tactic_timeout_s;
        let tactic_cpu_s = self.workers.tactic_cpu_timeout_s.unwrap_or(tactic_s);
        Limits {
            workers: self.workers.workers,
            tactic: Duration::from_secs_f64(tactic_s),
            tactic_cpu: Some(Duration::from_secs_f64(tactic_cpu_s)),
            max_restarts: self.workers.max_restarts,
            max_memory_bytes: Some(self.workers.max_memory_mb << 20),
            ..Limits::default()
        }
    }

    /// The first rule that the configuration breaks. Every configuration has to pass here, wherever it comes from.
    ///
    /// # Errors
    /// The option and its rule.
    pub fn validate(&self) -> Result<(), ConfigError> {
        rules::check(self)
    }

    /// The limit on a tactic's wall time where none was given, in seconds. One on its processor time needs more wall time than
    /// that, or it would never be reached: half as much again, for what else the machine does.
    pub fn default_tactic_timeout_s(&self) -> f64 {
        let cpu_s = self.workers.tactic_cpu_timeout_s.unwrap_or(0.0);
        (1.5 * cpu_s).min(options::LONGEST_S).max(WorkerConfig::default().tactic_timeout_s)
    }

    /// The clock of a configuration that does not choose one: with several agents or workers the virtual clock makes
    /// them wait for each other, so it is the default only where there is one of each.
    pub fn default_clock(&self) -> Clock {
        let alone = self.workers.workers == 1 && self.distributed_mcts.mode == MctsMode::Centralized;
        if alone { Clock::Virtual } else { Clock::Wall }
    }

    /// A digest of the configuration, in hexadecimal: the first 16 digits of BLAKE3 of its JSON with sorted keys
    /// and without spaces. Equal digests mean equal configurations.
    pub fn digest(&self) -> String {
        digest(&serde_json::to_value(self).expect("a configuration is JSON"))
    }
}

/// [`Config::digest`] of a configuration that is JSON already.
pub fn digest(config: &Value) -> String {
    blake3::hash(config.to_string().as_bytes()).to_hex()[..16].to_owned()
}

/// A rule that a configuration breaks.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{option}: {rule}")]
pub struct ConfigError {
    /// The option, as on the command line.
    pub option: &'static str,
    /// The rule.
    pub rule: Cow<'static, str>,
}
