//! Settings of the search.

use andor_core::policy::{Backup, CycleRule, Expansion, Selection};
use andor_core::tree::Identity;
use andor_env::worker::Grouping;
use serde::{Deserialize, Serialize};

use super::{Preset, or_none};

/// The settings of the search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchConfig {
    /// The preset that supplies settings which were not given. It has no effect once they are set.
    pub preset: Preset,
    /// What a node represents.
    pub obligation: Grouping,
    /// The selection policy.
    pub policy: Selection,
    /// The exploration constant of `ucb1` and `puct`; in a file it defaults to [`Selection::default_exploration`].
    pub exploration: f64,
    /// The exponent of the depth reward of `best-first`.
    pub depth_reward: f64,
    /// How values are backed up.
    pub backprop: Backup,
    /// How many candidates of a node become steps.
    pub expand: Expansion,
    /// The exponent of progressive widening under `first-novel`; with `None` the next candidate is tried only when
    /// all steps are exhausted.
    #[serde(with = "or_none")]
    pub widening: Option<f64>,
    /// When two obligations share a node.
    pub identity: Identity,
    /// The treatment of cyclic previews.
    pub cycle_rule: CycleRule,
    /// The maximum depth of a node.
    pub max_depth: Option<u32>,
    /// The initial value of nodes for which no provider gives one.
    pub default_value: f64,
    /// Under `product`: the factor applied to the value of every step.
    pub step_discount: f64,
    /// The temperature at which the order of proposals is drawn; 0 keeps it.
    pub proposal_temperature: f64,
    /// The name of a priority supplied by the program that uses the library, in the place of that of `best-first`; only
    /// that program can repeat the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
}

impl Default for SearchConfig {
    fn default() -> Self {
        Self {
            preset: Preset::Mcts,
            obligation: Grouping::Coupled,
            policy: Selection::Puct,
            exploration: Selection::Puct.default_exploration(),
            depth_reward: 0.0,
            backprop: Backup::Product,
            expand: Expansion::FirstNovel,
            widening: Some(0.5),
            identity: Identity::Checkpoint,
            cycle_rule: CycleRule::Reject,
            max_depth: None,
            default_value: 0.5,
            step_discount: 0.9,
            proposal_temperature: 0.0,
            priority: None,
        }
    }
}

impl SearchConfig {
    /// Options that were given but have no effect on this search, one sentence each. What the preset sets counts as not given.
    pub fn without_effect(&self) -> Vec<&'static str> {
        let preset = self.preset.config().search;
        let explores = matches!(self.policy, Selection::Ucb1 | Selection::Puct);
        let sentences = [
            (
                !explores && self.exploration != self.policy.default_exploration(),
                "--exploration has no effect without --policy ucb1 or puct",
            ),
            (
                (self.policy != Selection::BestFirst || self.priority.is_some())
                    && self.depth_reward != preset.depth_reward,
                "--depth-reward has no effect without the priority of --policy best-first",
            ),
            (
                self.expand != Expansion::FirstNovel && self.widening != preset.widening,
                "--widening has no effect without --expand first-novel",
            ),
            (
                self.backprop != Backup::Product && self.step_discount != preset.step_discount,
                "--step-discount has no effect without --backprop product",
            ),
        ];
        sentences.into_iter().filter(|(is_so, _)| *is_so).map(|(_, sentence)| sentence).collect()
    }
}
