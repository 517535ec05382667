//! Options of the search, of providers and of what is run.

use andor_run::config::{
    Backprop, CycleRuleConfig, Expand, IdentityConfig, ObligationConfig, Policy, Preset, RankerConfig,
};
use clap::Args;

use super::values::{OptionalNumber, names, optional_number, optional_seconds, seconds, whole};

#[derive(Debug, Args)]
#[command(next_help_heading = "Budget per theorem")]
pub(crate) struct BudgetArgs {
    /// Wall time, for example `30s`, `2m`, `500ms`, or `none` [default: 60s]
    #[arg(long, visible_alias = "timeout-per-theorem", value_name = "DURATION", value_parser = optional_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<OptionalNumber>,

    /// Time on the virtual clock
    #[arg(long, value_name = "DURATION", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) virtual_time: Option<f64>,

    /// Rounds of selection, expansion and back-up
    #[arg(long, value_name = "N")]
    pub(crate) max_iterations: Option<u64>,

    /// Iterations that add a step
    #[arg(long, value_name = "N")]
    pub(crate) max_expansions: Option<u64>,

    /// Nodes of the tree
    #[arg(long, value_name = "N")]
    pub(crate) max_nodes: Option<u64>,

    /// Candidates tried
    #[arg(long, value_name = "N")]
    pub(crate) max_candidates: Option<u64>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// The root of all randomness [default: 0]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// A combination of parts by name; parts given beside it, here or in --config, take its place [default: mcts]
    #[arg(long, value_parser = names!(Preset))]
    pub(crate) preset: Option<Preset>,

    /// What a node stands for: one goal, or all open goals of a proof state [default: goal]
    #[arg(long, value_parser = names!(ObligationConfig))]
    pub(crate) obligation: Option<ObligationConfig>,

    /// Where to work [default: puct]
    #[arg(long, value_parser = names!(Policy))]
    pub(crate) policy: Option<Policy>,

    /// The weight of exploration; √2 for ucb1 and 0.5 for puct unless given
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    pub(crate) exploration: Option<f64>,

    /// best-first: divide priorities by depth to this power [default: 0]
    #[arg(long, value_name = "ALPHA", allow_negative_numbers = true)]
    pub(crate) depth_reward: Option<f64>,

    /// How values follow from results [default: product]
    #[arg(long, value_parser = names!(Backprop))]
    pub(crate) backprop: Option<Backprop>,

    /// How many candidates of a node become steps [default: first-novel]
    #[arg(long, value_parser = names!(Expand))]
    pub(crate) expand: Option<Expand>,

    /// first-novel: a node visited v times may have v^EXPONENT live steps; `none` waits until all are exhausted
    /// [default: 0.5]
    #[arg(long, value_name = "EXPONENT", value_parser = optional_number, allow_negative_numbers = true)]
    pub(crate) widening: Option<OptionalNumber>,

    /// When two obligations share a node [default: checkpoint]
    #[arg(long, value_parser = names!(IdentityConfig))]
    pub(crate) identity: Option<IdentityConfig>,

    /// What happens to a tactic that leads back to an obligation on the path [default: reject]
    #[arg(long, value_parser = names!(CycleRuleConfig))]
    pub(crate) cycle_rule: Option<CycleRuleConfig>,

    /// Reject tactics that lead below this depth
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<u32>,

    /// The estimate for nodes of which no provider gives one, between 0 and 1 [default: 0.5]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) default_value: Option<f64>,

    /// product: multiply the value of every step, so that long ways are worth less [default: 0.9]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) step_discount: Option<f64>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Providers")]
pub(crate) struct ProviderArgs {
    /// Who proposes tactics: `heuristic`, `scripted=FILE`, `synthetic`, `synthetic+critic`; repeatable, the
    /// proposals are merged [default: heuristic]
    #[arg(long = "provider", value_name = "NAME[=FILE]")]
    pub(crate) providers: Vec<String>,

    /// Who reorders them
    #[arg(long, value_parser = names!(RankerConfig))]
    pub(crate) ranker: Option<RankerConfig>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Tactics kept from the search")]
pub(crate) struct TacticArgs {
    /// Block families of tactics, and tactics by their first word, whoever proposes them
    #[arg(long, value_name = "FAMILY,…", value_delimiter = ',')]
    pub(crate) block_tactics: Vec<String>,

    /// Block easy tactics, so that the search has to work: simp, simp_all, omega, decide, native_decide, rfl, and
    /// Rocq's like. Off unless given
    #[arg(long)]
    pub(crate) easy_gate: bool,

    /// Let easy tactics pass the gate of --easy-gate; off unless given
    #[arg(long)]
    pub(crate) allow_easy: bool,

    /// The tactics that count as easy, instead of those that each system has by default
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) easy_tactics: Option<Vec<String>>,

    /// Try what hygiene refuses, too: placeholders such as sorry and admit, and malformed tactics, by the standard rules
    /// and by those of --config
    #[arg(long)]
    pub(crate) no_hygiene: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Basins")]
pub(crate) struct BasinArgs {
    /// Repeat each theorem under N seeds, counted up from --seed, and compare the proofs; with one --provider
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) basin_seeds: Option<u32>,

    /// Run a blind search under each seed too; needs --basin-seeds, and centralized mode
    #[arg(long)]
    pub(crate) basin_blind: bool,

    /// Block and delay the same nodes under every seed; otherwise the seeds of blocks and delays are counted up with --seed,
    /// also over the attempts of --pass-k. Needs --basin-seeds, and blocks or delays
    #[arg(long)]
    pub(crate) basin_same_damage: bool,
}
