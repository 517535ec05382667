//! The parts of the search.

use andor_env::worker::Grouping;
use serde::{Deserialize, Serialize};

use super::{Preset, or_none};

/// The parts of the search (design, section 2).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchConfig {
    /// Where the parts come from that were not given. It decides nothing once they are set.
    pub preset: Preset,
    /// What a node stands for.
    pub obligation: ObligationConfig,
    /// Where to work.
    pub policy: Policy,
    /// The weight of exploration of `ucb1` and `puct`; in a file, [`Policy::default_exploration`] unless given.
    pub exploration: f64,
    /// The exponent of `best-first`'s reward for depth.
    pub depth_reward: f64,
    /// How values follow from results.
    pub backprop: Backprop,
    /// How many candidates of a node become steps.
    pub expand: Expand,
    /// Under `first-novel`: the exponent of progressive widening; `None` tries the next candidate only when
    /// all steps are exhausted.
    #[serde(with = "or_none")]
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
    /// What a node stands for.
    ObligationConfig {
        /// One goal, or several that share metavariables (AND/OR search).
        Goal = "goal",
        /// All open goals of a proof state.
        State = "state",
    }
);

impl From<ObligationConfig> for Grouping {
    fn from(obligation: ObligationConfig) -> Self {
        match obligation {
            ObligationConfig::Goal => Self::Coupled,
            ObligationConfig::State => Self::Whole,
        }
    }
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

impl Default for SearchConfig {
    fn default() -> Self {
        Self {
            preset: Preset::Mcts,
            obligation: ObligationConfig::Goal,
            policy: Policy::Puct,
            exploration: Policy::Puct.default_exploration(),
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

impl Policy {
    /// The weight of exploration that a search has unless another is given: √2 for `ucb1` (Auer, Cesa-Bianchi and
    /// Fischer 2002), 0.5 otherwise.
    pub fn default_exploration(self) -> f64 {
        match self {
            Self::Ucb1 => std::f64::consts::SQRT_2,
            Self::Puct | Self::BlindUniform | Self::BestFirst => 0.5,
        }
    }
}
