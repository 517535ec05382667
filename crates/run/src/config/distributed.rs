//! Many agents on one tree: what may be asked for, and what it means to the search.

use andor_core::control::Control;
use andor_core::schedule::{Block, Delay, Interventions, ObstacleVisits, Reroute, Span, Unfreeze};
use serde::{Deserialize, Serialize};

use super::rules::{broken, count, weight};
use super::{Config, ConfigError, IdentityConfig, Policy};

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
/// The fields are the options, so that a wrong combination can be written down; [`DistributedMcts::agents`] and
/// [`DistributedMcts::control`] are the only ways from here to a search, and refuse it.
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
    /// The agents; a centralized search has one, which keeps all workers busy.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn agents(&self, config: &Config) -> Result<Agents, ConfigError> {
        self.check_mode(config)?;
        if self.mode == MctsMode::Centralized {
            let inflight = u32::try_from(config.workers.workers).unwrap_or(u32::MAX);
            return Ok(Agents { count: 1, inflight, history_cache: false });
        }
        let count = required("--mcts-agents", self.agents)?;
        let inflight = required("--mcts-inflight", self.inflight)?;
        Ok(Agents { count, inflight, history_cache: self.history_cache })
    }

    /// What the agents do to the search.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn control(&self, config: &Config) -> Result<Control, ConfigError> {
        self.check_mode(config)?;
        let virtual_loss = optional_weight("--mcts-virtual-loss", self.virtual_loss)?.unwrap_or(1.0);
        Ok(Control {
            collisions: self.mode == MctsMode::Distributed && virtual_loss == 0.0,
            virtual_loss,
            depth_bias: optional_weight("--mcts-depth-bias", self.depth_bias)?.unwrap_or(0.0),
            path_bias: optional_weight("--mcts-path-bias", self.path_bias)?.unwrap_or(0.0),
            interventions: Interventions {
                block: self.block()?,
                delay: self.delay()?,
                reroute: self.reroute()?,
                visits: self.obstacle_visits()?,
            },
        })
    }

    fn check_mode(&self, config: &Config) -> Result<(), ConfigError> {
        match self.mode {
            MctsMode::Centralized => match self.first_given() {
                Some(option) => broken(option, "needs --mcts-mode distributed"),
                None => Ok(()),
            },
            MctsMode::Distributed => match config.search.policy {
                Policy::Ucb1 | Policy::Puct => Ok(()),
                Policy::BlindUniform | Policy::BestFirst => broken(
                    "--policy",
                    "distributed mode needs a policy that walks down the tree: ucb1 or puct",
                ),
            },
        }
    }

    /// The first option given that belongs to distributed mode.
    fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--mcts-agents", self.agents.is_some()),
            ("--mcts-inflight", self.inflight.is_some()),
            ("--mcts-virtual-loss", self.virtual_loss.is_some()),
            ("--mcts-depth-bias", self.depth_bias.is_some()),
            ("--mcts-path-bias", self.path_bias.is_some()),
            ("--mcts-history-cache", self.history_cache),
            ("--mcts-block-fraction", self.block_fraction.is_some()),
            ("--mcts-block-duration", self.block_duration.is_some()),
            ("--mcts-block-seed", self.block_seed.is_some()),
            ("--mcts-block-immovable-fraction", self.block_immovable_fraction.is_some()),
            ("--mcts-unfreeze-after", self.unfreeze_after.is_some()),
            ("--mcts-unfreeze-prob", self.unfreeze_prob.is_some()),
            ("--mcts-reroute-blocked", self.reroute_blocked),
            ("--mcts-reroute-max", self.reroute_max.is_some()),
            ("--mcts-obstacle-visits", self.obstacle_visits.is_some()),
            ("--mcts-delay-prob", self.delay_prob.is_some()),
            ("--mcts-delay-duration", self.delay_duration.is_some()),
            ("--mcts-delay-seed", self.delay_seed.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }

    fn block(&self) -> Result<Option<Block>, ConfigError> {
        let Some(fraction) = self.block_fraction else {
            let dependent = [
                ("--mcts-block-duration", self.block_duration.is_some()),
                ("--mcts-block-seed", self.block_seed.is_some()),
                ("--mcts-block-immovable-fraction", self.block_immovable_fraction.is_some()),
                ("--mcts-unfreeze-after", self.unfreeze_after.is_some()),
                ("--mcts-unfreeze-prob", self.unfreeze_prob.is_some()),
            ];
            return match dependent.into_iter().find(|(_, given)| *given) {
                Some((option, _)) => broken(option, "needs --mcts-block-fraction"),
                None => Ok(None),
            };
        };
        if !is_inside(fraction) {
            return broken("--mcts-block-fraction", "must lie strictly between 0 and 1");
        }
        let span = match self.block_duration {
            None => return broken("--mcts-block-duration", "is required with --mcts-block-fraction"),
            Some(0) => return broken("--mcts-block-duration", "must not be 0; below 0 means for good"),
            Some(duration) => u64::try_from(duration).map_or(Span::Forever, Span::Iterations),
        };
        let Some(seed) = self.block_seed else {
            return broken("--mcts-block-seed", "is required with --mcts-block-fraction");
        };
        if let Some(immovable) = self.block_immovable_fraction {
            if !(0.0..=1.0).contains(&immovable) {
                return broken("--mcts-block-immovable-fraction", "must be between 0 and 1");
            }
            if span == Span::Forever {
                return broken("--mcts-block-immovable-fraction", "needs a positive --mcts-block-duration");
            }
        }
        if self.unfreeze_after == Some(0) {
            return broken("--mcts-unfreeze-after", "must be at least 1");
        }
        if self.unfreeze_prob.is_some_and(|p| !(p > 0.0 && p <= 1.0)) {
            return broken("--mcts-unfreeze-prob", "must be above 0 and at most 1");
        }
        let unfreezes = self.unfreeze_after.is_some() || self.unfreeze_prob.is_some();
        Ok(Some(Block {
            fraction,
            span,
            seed,
            immovable_fraction: self.block_immovable_fraction.unwrap_or(0.0),
            unfreeze: unfreezes.then(|| Unfreeze {
                after: self.unfreeze_after.unwrap_or(1),
                prob: self.unfreeze_prob.unwrap_or(1.0),
            }),
        }))
    }

    fn delay(&self) -> Result<Option<Delay>, ConfigError> {
        let (prob, duration, seed) = match (self.delay_prob, self.delay_duration, self.delay_seed) {
            (None, None, None) => return Ok(None),
            (Some(prob), Some(duration), Some(seed)) => (prob, duration, seed),
            (None, ..) => return broken("--mcts-delay-prob", "is required with the other delay options"),
            (_, None, _) => return broken("--mcts-delay-duration", "is required with --mcts-delay-prob"),
            (.., None) => return broken("--mcts-delay-seed", "is required with --mcts-delay-prob"),
        };
        if !is_inside(prob) {
            return broken("--mcts-delay-prob", "must lie strictly between 0 and 1");
        }
        let Some(duration) = u64::try_from(duration).ok().filter(|d| *d >= 1) else {
            return broken("--mcts-delay-duration", "must be at least 1");
        };
        match u64::try_from(seed) {
            Ok(seed) => Ok(Some(Delay { prob, duration, seed })),
            Err(_) => broken("--mcts-delay-seed", "must be at least 0"),
        }
    }

    fn reroute(&self) -> Result<Option<Reroute>, ConfigError> {
        match (self.reroute_blocked, self.reroute_max) {
            (false, None) => Ok(None),
            (false, Some(_)) => broken("--mcts-reroute-max", "needs --mcts-reroute-blocked"),
            (true, None) => broken("--mcts-reroute-max", "is required with --mcts-reroute-blocked"),
            (true, Some(0)) => broken("--mcts-reroute-max", "must be at least 1"),
            (true, Some(max_attempts)) => Ok(Some(Reroute { max_attempts })),
        }
    }

    fn obstacle_visits(&self) -> Result<ObstacleVisits, ConfigError> {
        Ok(match self.obstacle_visits {
            Some(_) if !self.has_obstacles() => {
                return broken("--mcts-obstacle-visits", "needs --mcts-block-fraction or --mcts-delay-prob");
            }
            Some(ObstacleVisitsConfig::All) if !self.reroute_blocked => {
                return broken("--mcts-obstacle-visits", "all needs --mcts-reroute-blocked");
            }
            Some(ObstacleVisitsConfig::None) => ObstacleVisits::None,
            Some(ObstacleVisitsConfig::Last) | None => ObstacleVisits::Last,
            Some(ObstacleVisitsConfig::All) => ObstacleVisits::All,
        })
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
}

fn required(option: &'static str, number: Option<u32>) -> Result<u32, ConfigError> {
    let Some(number) = number else { return broken(option, "is required in distributed mode") };
    count(option, number as usize)?;
    Ok(number)
}

fn optional_weight(option: &'static str, number: Option<f64>) -> Result<Option<f64>, ConfigError> {
    number.map_or(Ok(()), |number| weight(option, number))?;
    Ok(number)
}

fn is_inside(probability: f64) -> bool {
    probability > 0.0 && probability < 1.0
}
