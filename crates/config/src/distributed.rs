//! Many agents on one tree: what may be asked for, and what it means to the search.

use andor_core::control::Control;
use andor_core::schedule::{Block, Delay, Interventions, ObstacleVisits, Reroute, Span, Unfreeze};
use serde::{Deserialize, Serialize};

use super::rules::broken;
use super::{Config, ConfigError, IdentityConfig};

choice!(
    /// Who controls the search.
    #[derive(Default)]
    MctsMode {
        /// One agent.
        #[default]
        Centralized = "centralized",
        /// Several agents that share the tree.
        Distributed = "distributed",
    }
);

choice!(
    /// Which obstacles count as visits without success.
    ObstacleVisitsConfig {
        /// None.
        None = "none",
        /// The one at which an iteration ended.
        Last = "last",
        /// That one, and those that an agent went round.
        All = "all",
    }
);

/// Many agents on one tree, and what is done to them on purpose (`distributed-mcts-guide`, "CLI Contract").
///
/// The fields are the options, so that a wrong combination can be written down; [`Config::validate`] refuses it.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DistributedMcts {
    /// Who controls the search.
    pub mode: MctsMode,
    /// Agents that share the tree.
    pub agents: Option<u32>,
    /// Reservations that all agents together may hold at once.
    pub inflight: Option<u32>,
    /// The weight of work in flight; 1 unless given. 0 lets agents collide.
    pub virtual_loss: Option<f64>,
    /// Added to a node's score for each step of its depth.
    pub depth_bias: Option<f64>,
    /// Added to the score of a node on the agent's previous path.
    pub path_bias: Option<f64>,
    /// Whether each agent remembers what it was given and what failed, goal by goal.
    pub history_cache: bool,
    /// The share of nodes that are blocked when an agent first comes to them.
    pub block_fraction: Option<f64>,
    /// For how many iterations; below 0 for good.
    pub block_duration: Option<i64>,
    /// The seed of the choice.
    pub block_seed: Option<u64>,
    /// The share of blocks that are never lifted.
    pub block_immovable_fraction: Option<f64>,
    /// Agents that come back to a blocked node may lift the block from this time on.
    pub unfreeze_after: Option<u64>,
    /// The chance of each such time to lift it.
    pub unfreeze_prob: Option<f64>,
    /// Whether an agent that runs into a blocked or delayed node tries others.
    pub reroute_blocked: bool,
    /// How many others.
    pub reroute_max: Option<u32>,
    /// Which obstacles count as visits without success; `last` unless given.
    pub obstacle_visits: Option<ObstacleVisitsConfig>,
    /// The chance that a selected node is delayed.
    pub delay_prob: Option<f64>,
    /// For how many iterations.
    pub delay_duration: Option<i64>,
    /// The seed of delays.
    pub delay_seed: Option<i64>,
}

/// The agents of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agents {
    /// How many.
    pub count: u32,
    /// Reservations that they may hold together.
    pub inflight: u32,
    /// Whether each remembers what it was given and what failed.
    pub history_cache: bool,
}

impl DistributedMcts {
    /// The agents of a valid configuration; a centralized search has one, which keeps all workers busy.
    pub(super) fn agents(&self, config: &Config) -> Agents {
        let workers = u32::try_from(config.workers.workers).unwrap_or(u32::MAX);
        match self.mode {
            MctsMode::Centralized => Agents { count: 1, inflight: workers, history_cache: false },
            MctsMode::Distributed => Agents {
                count: self.agents.expect(VALID),
                inflight: self.inflight.expect(VALID),
                history_cache: self.history_cache,
            },
        }
    }

    /// What the agents of a valid configuration do to the search.
    pub(super) fn control(&self) -> Control {
        let virtual_loss = self.virtual_loss.unwrap_or(1.0);
        Control {
            collisions: self.mode == MctsMode::Distributed && virtual_loss == 0.0,
            virtual_loss,
            depth_bias: self.depth_bias.unwrap_or(0.0),
            path_bias: self.path_bias.unwrap_or(0.0),
            interventions: Interventions {
                block: self.block_fraction.map(|fraction| self.block(fraction)),
                delay: self.delay_prob.map(|prob| self.delay(prob)),
                reroute: self.reroute_max.map(|max_attempts| Reroute { max_attempts }),
                visits: match self.obstacle_visits {
                    Some(ObstacleVisitsConfig::None) => ObstacleVisits::None,
                    Some(ObstacleVisitsConfig::Last) | None => ObstacleVisits::Last,
                    Some(ObstacleVisitsConfig::All) => ObstacleVisits::All,
                },
            },
        }
    }

    /// The first rule that is broken, beside those in the table of options.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        if self.block_duration == Some(0) {
            return broken("--mcts-block-duration", "must not be 0; below 0 means for good");
        }
        if self.block_immovable_fraction.is_some() && self.block_duration.is_some_and(|duration| duration < 0)
        {
            return broken("--mcts-block-immovable-fraction", "needs a positive --mcts-block-duration");
        }
        match self.obstacle_visits {
            Some(_) if !self.has_obstacles() => {
                broken("--mcts-obstacle-visits", "needs --mcts-block-fraction or --mcts-delay-prob")
            }
            Some(ObstacleVisitsConfig::All) if !self.reroute_blocked => {
                broken("--mcts-obstacle-visits", "all needs --mcts-reroute-blocked")
            }
            _ => Ok(()),
        }
    }

    /// What is asked for and has no effect on this search, one sentence each.
    pub fn without_effect(&self, config: &Config) -> Vec<&'static str> {
        let in_a_tree = config.search.identity == IdentityConfig::Checkpoint;
        let sentences = [
            (
                in_a_tree && self.depth_bias.is_some_and(|bias| bias > 0.0),
                "--mcts-depth-bias has no effect without --identity strict: in a tree all nodes of a choice stand equally deep",
            ),
            (
                self.reroute_blocked && !self.has_obstacles(),
                "--mcts-reroute-blocked has no effect without --mcts-block-fraction or --mcts-delay-prob: nothing is in the way",
            ),
        ];
        sentences.into_iter().filter(|(is_so, _)| *is_so).map(|(_, sentence)| sentence).collect()
    }

    /// Whether anything is ever in an agent's way.
    pub(crate) fn has_obstacles(&self) -> bool {
        self.block_fraction.is_some() || self.delay_prob.is_some()
    }

    fn block(&self, fraction: f64) -> Block {
        let duration = self.block_duration.expect(VALID);
        let unfreezes = self.unfreeze_after.is_some() || self.unfreeze_prob.is_some();
        Block {
            fraction,
            span: u64::try_from(duration).map_or(Span::Forever, Span::Iterations),
            seed: self.block_seed.expect(VALID),
            immovable_fraction: self.block_immovable_fraction.unwrap_or(0.0),
            unfreeze: unfreezes.then(|| Unfreeze {
                after: self.unfreeze_after.unwrap_or(1),
                prob: self.unfreeze_prob.unwrap_or(1.0),
            }),
        }
    }

    fn delay(&self, prob: f64) -> Delay {
        let whole = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok()).expect(VALID);
        Delay { prob, duration: whole(self.delay_duration), seed: whole(self.delay_seed) }
    }
}

/// What [`Config::validate`] ensures.
const VALID: &str = "the configuration is valid";
