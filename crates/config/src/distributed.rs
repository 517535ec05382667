//! Options of searches with several agents, and their meaning for the search.

use andor_core::choice;
use andor_core::control::Control;
use andor_core::schedule::{Block, Delay, Interventions, ObstacleVisits, Reroute, Span, Unfreeze};
use serde::{Deserialize, Serialize};

use super::rules::broken;
use super::{Config, ConfigError, Identity};

choice!(
    /// The control mode of the search.
    #[derive(Default)]
    MctsMode {
        /// One agent.
        #[default]
        Centralized = "centralized",
        /// Several agents that share the tree.
        Distributed = "distributed",
    }
);

/// Several agents that share one tree, and the interventions applied to them.
///
/// The fields mirror the options, so invalid combinations can be represented; [`Config::validate`] rejects them.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DistributedMcts {
    /// The control mode of the search.
    pub mode: MctsMode,
    /// Number of agents that share the tree.
    pub agents: Option<u32>,
    /// Maximum number of reservations held by all agents together.
    pub inflight: Option<u32>,
    /// The weight of the virtual loss; 1 by default. With 0 agents may collide.
    pub virtual_loss: Option<f64>,
    /// Bonus per level of depth, added to a node's score.
    pub depth_bias: Option<f64>,
    /// Bonus for nodes on the agent's previous path, added to a node's score.
    pub path_bias: Option<f64>,
    /// Whether each agent caches proposals and failures by goal.
    pub history_cache: bool,
    /// Whether all agents share one such cache.
    pub goal_cache: bool,
    /// The share of nodes that are blocked at an agent's first visit.
    pub block_fraction: Option<f64>,
    /// The duration of a block in iterations; a negative number means forever.
    pub block_duration: Option<i64>,
    /// The seed that selects blocked nodes.
    pub block_seed: Option<u64>,
    /// The share of blocks that are permanent.
    pub block_immovable_fraction: Option<f64>,
    /// The number of the first visit to a blocked node that may lift the block.
    pub unfreeze_after: Option<u64>,
    /// The probability that such a visit lifts it.
    pub unfreeze_prob: Option<f64>,
    /// Whether an agent that meets a blocked or delayed node tries other nodes.
    pub reroute_blocked: bool,
    /// The maximum number of other nodes.
    pub reroute_max: Option<u32>,
    /// Which obstacles count as unsuccessful visits; `last` by default.
    pub obstacle_visits: Option<ObstacleVisits>,
    /// The probability that a selected node is delayed.
    pub delay_prob: Option<f64>,
    /// The duration of a delay in iterations.
    pub delay_duration: Option<i64>,
    /// The seed of delays.
    pub delay_seed: Option<i64>,
}

/// Who remembers what was proposed at a goal, and what failed there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryOf {
    /// Nobody remembers.
    Nobody,
    /// Each agent for itself.
    EachAgent,
    /// All agents together.
    AllAgents,
}

/// The agents of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agents {
    /// Number of agents.
    pub count: u32,
    /// Maximum number of reservations they hold together.
    pub inflight: u32,
    /// What they remember.
    pub memory: MemoryOf,
}

impl DistributedMcts {
    /// The agents of a valid configuration. A centralized search has one agent, which keeps all workers busy.
    pub(super) fn agents(&self, config: &Config) -> Agents {
        let workers = u32::try_from(config.workers.workers).unwrap_or(u32::MAX);
        match self.mode {
            MctsMode::Centralized => {
                let inflight = config.workers.inflight.unwrap_or(workers);
                Agents { count: 1, inflight, memory: MemoryOf::Nobody }
            }
            MctsMode::Distributed => Agents {
                count: self.agents.expect(VALID),
                inflight: self.inflight.expect(VALID),
                memory: match (self.goal_cache, self.history_cache) {
                    (true, _) => MemoryOf::AllAgents,
                    (false, true) => MemoryOf::EachAgent,
                    (false, false) => MemoryOf::Nobody,
                },
            },
        }
    }

    /// The search's control settings for the agents of a valid configuration.
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
                visits: self.obstacle_visits.unwrap_or_default(),
            },
        }
    }

    /// Writes down what holds where nothing is given, so that a record says it.
    pub(super) fn resolve(&mut self) {
        if self.mode == MctsMode::Centralized {
            return;
        }
        let Control { virtual_loss, depth_bias, path_bias, interventions, .. } = self.control();
        self.virtual_loss = Some(virtual_loss);
        self.depth_bias = Some(depth_bias);
        self.path_bias = Some(path_bias);
        if self.has_obstacles() {
            self.obstacle_visits = Some(interventions.visits);
        }
        if let Some(Unfreeze { after, prob }) = interventions.block.and_then(|block| block.unfreeze) {
            (self.unfreeze_after, self.unfreeze_prob) = (Some(after), Some(prob));
        }
    }

    /// The first violated rule, apart from those in the table of options.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        if self.block_duration == Some(0) {
            return broken("--mcts-block-duration", "must not be 0; a negative number means permanently");
        }
        if self.block_immovable_fraction.is_some() && self.block_duration.is_some_and(|duration| duration < 0)
        {
            return broken("--mcts-block-immovable-fraction", "needs a positive --mcts-block-duration");
        }
        if self.goal_cache && self.history_cache {
            return broken(
                "--mcts-goal-cache",
                "cannot be combined with --mcts-history-cache: the shared cache takes the place of the agents' own",
            );
        }
        match self.obstacle_visits {
            Some(_) if !self.has_obstacles() => {
                broken("--mcts-obstacle-visits", "needs --mcts-block-fraction or --mcts-delay-prob")
            }
            Some(ObstacleVisits::All) if !self.reroute_blocked => {
                broken("--mcts-obstacle-visits", "all needs --mcts-reroute-blocked")
            }
            _ => Ok(()),
        }
    }

    /// Options that were given but have no effect on this search, one sentence each.
    pub(super) fn without_effect(&self, config: &Config) -> Vec<&'static str> {
        let in_a_tree = config.search.identity == Identity::Checkpoint;
        let sentences = [
            (
                in_a_tree && self.depth_bias.is_some_and(|bias| bias > 0.0),
                "--mcts-depth-bias has no effect without --identity strict: in a tree, all nodes to choose from have equal depth",
            ),
            (
                !in_a_tree && self.goal_cache,
                "--mcts-goal-cache has no effect with --identity strict: equal goals are one node",
            ),
            (
                !in_a_tree && self.history_cache,
                "--mcts-history-cache has no effect with --identity strict: equal goals are one node",
            ),
            (
                self.reroute_blocked && !self.has_obstacles(),
                "--mcts-reroute-blocked has no effect without --mcts-block-fraction or --mcts-delay-prob",
            ),
        ];
        sentences.into_iter().filter(|(is_so, _)| *is_so).map(|(_, sentence)| sentence).collect()
    }

    /// The same agents without blocks, delays, and what agents do about them.
    pub fn without_damage(&self) -> Self {
        Self {
            mode: self.mode,
            agents: self.agents,
            inflight: self.inflight,
            virtual_loss: self.virtual_loss,
            depth_bias: self.depth_bias,
            path_bias: self.path_bias,
            history_cache: self.history_cache,
            goal_cache: self.goal_cache,
            ..Self::default()
        }
    }

    /// Whether agents can meet obstacles at all.
    pub fn has_obstacles(&self) -> bool {
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

/// Ensured by [`Config::validate`].
const VALID: &str = "the configuration is valid";
