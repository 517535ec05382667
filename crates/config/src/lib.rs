//! The configuration of a run: every setting that affects its outcome, as plain values that are written to
//! `run.json`. Configurations may come from the command line, a file or a program; [`Config::validate`] checks them
//! all.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use andor_core::choice;
use andor_core::policy::{Budget, Widening};
use andor_env::session::Limits;
use serde::{Deserialize, Serialize};
use serde_json::Value;

mod agent;
mod assemble;
mod difference;
mod distributed;
mod file;
mod latency;
mod llm;
mod options;
mod or_none;
mod preset;
mod rules;
mod search;
mod tactics;
mod verify;

pub use agent::{AgentConfig, AgentPreset, ToolCalls};
pub use andor_core::load_path::{Binding, LoadPath};
pub use difference::{Difference, differences};
pub use distributed::{Agents, DistributedMcts, MctsMode, MemoryOf};
pub use file::{ConfigFile, ConfigFileError};
pub use latency::{LatencyConfig, LatencySpec};
pub use llm::LlmConfig;
pub use options::{
    ConfigOption, FILE_KEYS, Need, Notation, OPTIONS, Section, Setting, overlay, positive_seconds, reference,
    seconds, whole,
};
pub use preset::Preset;
pub use search::SearchConfig;
pub use tactics::TacticConfig;
pub use verify::{SecondJudgeConfig, VerifyConfig};

pub use andor_core::plan::PlanSchedule;
pub use andor_core::policy::{Backup, CycleRule, Expansion, Selection};
pub use andor_core::schedule::ObstacleVisits;
pub use andor_core::systems::{LeanBackend, Universes};
pub use andor_core::tree::Identity;
pub use andor_env::checker::Level;
pub use andor_env::worker::Grouping;
pub use andor_model::ModelConfig;
pub use andor_provider::llm::answer::Form;

/// The configuration of a run. Values missing from a file default to those of [`Config::default`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The seed from which all randomness is derived.
    pub seed: u64,
    /// The parts of the search.
    pub search: SearchConfig,
    /// The limits of an attempt.
    pub budget: BudgetConfig,
    /// The limits of workers.
    pub workers: WorkerConfig,
    /// The providers, in order; their proposals are merged.
    pub providers: Vec<ProviderConfig>,
    /// Time limit for one answer of a [program](ProviderConfig::Exec), in seconds; by default
    /// [`PROVIDER_TIMEOUT_S`](Self::PROVIDER_TIMEOUT_S).
    pub provider_timeout_s: Option<f64>,
    /// The ranker, if any.
    pub ranker: Option<RankerConfig>,
    /// The name of a ranker supplied by the program that uses the library, in its place; only that program can repeat the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_ranker: Option<String>,
    /// The level to which proofs are verified.
    pub verify: VerifyConfig,
    /// The axioms that a proof may depend on.
    pub allowed_axioms: Vec<String>,
    /// Known kernel bugs whose affected features a proof may use.
    pub trusted_bugs: Vec<String>,
    /// Folders of compiled Rocq modules, besides Rocq's own library.
    pub load_path: Vec<LoadPath>,
    /// The folder of the Lean project whose Lean and modules are used.
    pub project: Option<PathBuf>,
    /// What runs Lean's tactics.
    pub lean_backend: LeanBackend,
    /// The clock of agents and workers.
    pub clock: Clock,
    /// Latencies on the virtual clock.
    pub latencies: LatencyConfig,
    /// The agents, and the interventions applied to them.
    pub distributed_mcts: DistributedMcts,
    /// Which tactics are blocked.
    pub tactics: TacticConfig,
    /// Proofs to begin with.
    pub drafts: DraftConfig,
    /// Intermediate statements.
    pub plan: PlanConfig,
    /// Repetition of each theorem under several seeds.
    pub basin: BasinConfig,
    /// How language models are asked.
    pub llm: LlmConfig,
    /// Language models by name.
    pub models: BTreeMap<String, ModelConfig>,
    /// The agent that proves the theorems, if it is one that does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentConfig>,
}

/// Proofs to begin with: unfinished ones, and drafts.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DraftConfig {
    /// A file with a draft of the proof. It takes the place of the theorem's own unfinished proof.
    pub file: Option<PathBuf>,
    /// Whether theorems' own unfinished proofs are ignored.
    pub ignore_partial: bool,
    /// The share of drafts among the requests to providers, in [0, 1); the others are for single tactics.
    pub share: f64,
}

/// Plans: intermediate statements to begin with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlanConfig {
    /// A file of plans.
    pub file: Option<PathBuf>,
    /// The language model that is asked for plans: a name of `models`, or a URL.
    pub planner: Option<String>,
    /// A file with the planner's prompt template.
    pub prompt: Option<PathBuf>,
    /// How often it is asked again if its plan is wrong.
    pub retries: u32,
    /// How often it is asked to mend a plan with a statement that could not be proved.
    pub replans: u32,
    /// How often for the same statement.
    pub subgoal_replans: u32,
    /// How the search divides its work among the statements.
    pub schedule: PlanSchedule,
    /// Candidates for one statement; less if its share of what is left is less.
    pub subgoal_candidates: u64,
    /// Time for one statement in seconds, on the search's clock.
    pub subgoal_time_s: Option<f64>,
    /// Which attempts share what is proved of plans.
    pub share_progress: ShareProgress,
}

choice!(
    /// Which attempts at a theorem share what is proved of its plans.
    ShareProgress {
        /// None, so that attempts are independent.
        Off = "off",
        /// Those of a run, and of its continuations.
        Run = "run",
    }
);

impl PlanConfig {
    /// Whether the search begins with a plan.
    pub(crate) fn has_plan(&self) -> bool {
        self.file.is_some() || self.planner.is_some()
    }
}

impl Default for PlanConfig {
    fn default() -> Self {
        Self {
            file: None,
            planner: None,
            prompt: None,
            retries: 2,
            replans: 3,
            subgoal_replans: 2,
            schedule: PlanSchedule::default(),
            subgoal_candidates: 1500,
            subgoal_time_s: None,
            share_progress: ShareProgress::Off,
        }
    }
}

/// Repetition of each theorem under several seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BasinConfig {
    /// The number of seeds, counted up from the root seed.
    pub seeds: Option<u32>,
    /// Whether a blind search is run under each seed, for comparison.
    pub blind: bool,
    /// Whether all attempts use the same seeds for blocks and delays. Otherwise these seeds are counted up together
    /// with the seed of the search.
    pub same_damage: bool,
}

choice!(
    /// The clock of agents and workers.
    Clock {
        /// Simulated time, under which equal runs produce equal traces.
        Virtual = "virtual",
        /// Work time.
        Wall = "wall",
    }
);

/// The limits of an attempt; `None` means unlimited.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BudgetConfig {
    /// Wall time in seconds; in a file it defaults to [`BudgetConfig::TIME_S`].
    #[serde(with = "or_none", default = "default_time_s")]
    pub time_s: Option<f64>,
    /// Virtual time in seconds.
    pub virtual_time_s: Option<f64>,
    /// Iterations: selection, expansion and backup.
    pub max_iterations: Option<u64>,
    /// Iterations that add a step.
    pub max_expansions: Option<u64>,
    /// Nodes of the tree.
    pub max_nodes: Option<u64>,
    /// Candidates tried.
    pub max_candidates: Option<u64>,
    /// Tokens sent to and received from language models.
    pub max_tokens_total: Option<u64>,
    /// Money for language models, in the currency of their prices.
    pub max_cost: Option<f64>,
}

impl BudgetConfig {
    /// The default time limit of an attempt, in seconds.
    pub const TIME_S: f64 = 60.0;
}

fn default_time_s() -> Option<f64> {
    Some(BudgetConfig::TIME_S)
}

/// The limits of workers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WorkerConfig {
    /// Workers per theorem.
    pub workers: usize,
    /// Nodes that a centralized search works on at a time; as many as workers unless given.
    pub inflight: Option<u32>,
    /// Whether idle workers are kept for theorems with the same header prefix.
    pub reuse: bool,
    /// Whether workers and checkers run in a sandbox, if one is available. Has no effect in `mini` and the synthetic
    /// environment, which start no processes.
    pub sandbox: bool,
    /// Wall-time limit of a tactic, in seconds.
    pub tactic_timeout_s: f64,
    /// Processor-time limit of a tactic, in seconds, over the worker's whole process tree; defaults to the wall-time
    /// limit. Has no effect in `mini` and the synthetic environment, which start no processes.
    pub tactic_cpu_timeout_s: Option<f64>,
    /// Consecutive losses of workers before an attempt is given up.
    pub max_restarts: u32,
    /// Memory limit of a worker; a worker above it is replaced.
    pub max_memory_mb: u64,
    /// Time limit for verifying one proof, in seconds; in Rocq, for each program that takes part.
    pub check_timeout_s: f64,
}

/// A provider.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ProviderConfig {
    /// Proposes tactics by heuristics on the goal's shape.
    Heuristic,
    /// Proposes the tactics listed in a file.
    Scripted {
        /// The file.
        path: PathBuf,
    },
    /// Proposes what a learned model finds likely.
    Learned {
        /// The model's file.
        path: PathBuf,
    },
    /// Asks a language model.
    Llm {
        /// A name of [`Config::models`], or the URL of a server, alone or as `URL#MODEL`.
        model: String,
    },
    /// Answers from the record of an earlier run, in place of the models that the run asked.
    Replay {
        /// The run's folder.
        run: PathBuf,
    },
    /// Proposes what a program of the user's answers.
    Exec {
        /// The program with its arguments, as in a shell (see [`andor_provider::exec::words`]).
        command: String,
    },
    /// The policy of the synthetic environment.
    Synthetic {
        /// Whether its critic supplies values.
        critic: bool,
    },
    /// A provider supplied by the program that uses the library; only that program can repeat the search.
    Program {
        /// Its [id](andor_provider::contract::Provider::id).
        name: String,
    },
}

choice!(
    /// A ranker.
    RankerConfig {
        /// Shorter tactics first.
        ShortestFirst = "shortest-first",
        /// One candidate of each provider in turn.
        RoundRobin = "round-robin",
    }
);

impl Default for WorkerConfig {
    fn default() -> Self {
        Self {
            workers: 1,
            inflight: None,
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
            provider_timeout_s: None,
            ranker: None,
            own_ranker: None,
            verify: VerifyConfig::default(),
            allowed_axioms: Vec::new(),
            trusted_bugs: Vec::new(),
            load_path: Vec::new(),
            project: None,
            lean_backend: LeanBackend::default(),
            clock: Clock::Virtual,
            latencies: LatencyConfig::default(),
            distributed_mcts: DistributedMcts::default(),
            tactics: TacticConfig::default(),
            drafts: DraftConfig::default(),
            plan: PlanConfig::default(),
            basin: BasinConfig::default(),
            llm: LlmConfig::default(),
            models: BTreeMap::new(),
            agent: None,
        }
    }
}

impl Config {
    /// Whether language models are asked, rather than records of them.
    pub fn asks_models(&self) -> bool {
        let is_asked = |provider: &ProviderConfig| matches!(provider, ProviderConfig::Llm { .. });
        let is_replayed = |provider: &ProviderConfig| matches!(provider, ProviderConfig::Replay { .. });
        self.providers.iter().any(is_asked)
            || self.agent.as_ref().is_some_and(|agent| agent.replayed().is_none())
            || (self.plan.planner.is_some() && !self.providers.iter().any(is_replayed))
    }

    /// The default time limit for one answer of a program, in seconds.
    pub const PROVIDER_TIMEOUT_S: f64 = 60.0;

    /// The configuration of the search engine.
    pub fn search(&self) -> andor_core::search::Config {
        let s = &self.search;
        andor_core::search::Config {
            identity: s.identity,
            selection: s.policy,
            exploration: s.exploration,
            depth_reward: s.depth_reward,
            expansion: s.expand,
            widening: s.widening.map(|exponent| Widening { scale: 1.0, exponent }),
            backup: s.backprop,
            step_discount: s.step_discount as f32,
            cycle_rule: s.cycle_rule,
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

    /// The limits of an attempt.
    pub fn budget(&self) -> Budget {
        Budget {
            iterations: self.budget.max_iterations,
            expansions: self.budget.max_expansions,
            nodes: self.budget.max_nodes,
            candidates: self.budget.max_candidates,
            tokens: self.budget.max_tokens_total,
            cost_micros: self.budget.max_cost.map(|cost| (cost * 1e6).round() as u64),
            time: self.budget.time_s.map(Duration::from_secs_f64),
            virtual_time: self.budget.virtual_time_s.map(Duration::from_secs_f64),
        }
    }

    /// The limits of one attempt's workers.
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

    /// Checks all rules, and reports the first that is violated. Every configuration must pass, wherever it comes
    /// from.
    ///
    /// # Errors
    ///
    /// The option and its rule.
    pub fn validate(&self) -> Result<(), ConfigError> {
        rules::check(self)
    }

    /// Options that were given but have no effect on this search, one sentence each.
    pub fn without_effect(&self) -> Vec<&'static str> {
        let mut sentences = self.search.without_effect();
        sentences.extend(self.distributed_mcts.without_effect(self));
        sentences
    }

    /// The default wall-time limit of a tactic, in seconds. A processor-time limit needs a larger wall-time limit, or
    /// it would never be reached; 50 % is added for the machine's other load.
    pub fn default_tactic_timeout_s(&self) -> f64 {
        let cpu_s = self.workers.tactic_cpu_timeout_s.unwrap_or(0.0);
        (1.5 * cpu_s).min(options::LONGEST_S).max(WorkerConfig::default().tactic_timeout_s)
    }

    /// The default clock. On the virtual clock several agents or workers wait for each other, so it is the default
    /// only for one of each.
    pub fn default_clock(&self) -> Clock {
        let alone = self.workers.workers == 1
            && self.workers.inflight.is_none_or(|inflight| inflight == 1)
            && self.distributed_mcts.mode == MctsMode::Centralized;
        if alone { Clock::Virtual } else { Clock::Wall }
    }

    /// The hexadecimal digest of the configuration: the first 16 digits of BLAKE3 over its JSON with sorted keys and
    /// no spaces. Equal digests mean equal configurations.
    pub fn digest(&self) -> String {
        digest(&serde_json::to_value(self).expect("a configuration is JSON"))
    }
}

/// [`Config::digest`] for a configuration in JSON.
pub fn digest(config: &Value) -> String {
    blake3::hash(config.to_string().as_bytes()).to_hex()[..16].to_owned()
}

/// A violated rule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{option}: {rule}")]
pub struct ConfigError {
    /// The option's name on the command line.
    pub option: &'static str,
    /// The rule.
    pub rule: Cow<'static, str>,
}
