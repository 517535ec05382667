//! Interventions: nodes are blocked or delayed on purpose, to study how a search degrades and recovers
//! (`distributed-mcts-guide`, "Intervention Schedules").
//!
//! An agent *encounters* a node when its walk ends there, before it reserves it. Time is counted in global iterations.
//! The root is spared, since behind it there is nothing to see.

use rand::RngExt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ids::NodeId;
use crate::rng::{Purpose, Rng, stream};

/// What is done to a search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Interventions {
    /// Nodes that cannot be reserved.
    pub block: Option<Block>,
    /// Nodes that cannot be reserved for a while.
    pub delay: Option<Delay>,
    /// What an agent does that runs into one; `None`: its iteration ends.
    pub reroute: Option<Reroute>,
}

/// Blocks nodes. Whether a node is blocked is decided once, when an agent first encounters it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Block {
    /// The chance of a node to be blocked, in (0, 1).
    pub fraction: f64,
    /// How long.
    pub span: Span,
    /// The root of its randomness.
    pub seed: u64,
    /// The share of blocks that are immovable: they neither end nor are lifted.
    pub immovable_fraction: f64,
    /// Whether encounters lift blocks.
    pub unfreeze: Option<Unfreeze>,
}

/// How long a block lasts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    /// That many global iterations after the encounter; at least 1.
    Iterations(u64),
    /// It does not end by itself.
    Forever,
}

/// From the `after`-th time on that an agent comes back to a blocked node, each time lifts the block with a chance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unfreeze {
    /// At least 1.
    pub after: u64,
    /// In (0, 1].
    pub prob: f64,
}

/// Delays nodes. Each encounter outside a delay may begin one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Delay {
    /// The chance, in (0, 1).
    pub prob: f64,
    /// How many global iterations it lasts; at least 1.
    pub duration: u64,
    /// The root of its randomness.
    pub seed: u64,
}

/// An agent that runs into an obstacle tries other nodes in the same iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reroute {
    /// At most this many; at least 1.
    pub max_attempts: u32,
}

/// Why a node cannot be reserved now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// It is blocked.
    Blocked {
        /// The iteration from which on it no longer is; `None`: for good, unless it is lifted.
        until: Option<u64>,
        /// Neither ends nor is lifted.
        immovable: bool,
    },
    /// It is delayed.
    Delayed {
        /// The iteration from which on it no longer is.
        until: u64,
    },
}

/// What is known of the nodes encountered.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    interventions: Interventions,
    blocks: FxHashMap<NodeId, BlockState>,
    /// Nodes found blocked for good. No agent comes to them again.
    lost: FxHashSet<NodeId>,
    /// For each node delayed, until when.
    delays: FxHashMap<NodeId, u64>,
    block_rng: Rng,
    delay_rng: Rng,
}

#[derive(Clone, Copy, Debug)]
enum BlockState {
    /// Never blocked, or no longer.
    Free,
    Blocked {
        until: Option<u64>,
        immovable: bool,
        /// How often an agent has come back to it.
        returns: u64,
    },
}

impl Schedule {
    pub(crate) fn new(interventions: Interventions) -> Self {
        let seed = |seed: Option<u64>| seed.unwrap_or_default();
        Self {
            interventions,
            blocks: FxHashMap::default(),
            lost: FxHashSet::default(),
            delays: FxHashMap::default(),
            block_rng: stream(seed(interventions.block.map(|b| b.seed)), Purpose::Blocks),
            delay_rng: stream(seed(interventions.delay.map(|d| d.seed)), Purpose::Delays),
        }
    }

    /// Whether anything is ever in the way.
    pub(crate) fn is_idle(&self) -> bool {
        self.interventions.block.is_none() && self.interventions.delay.is_none()
    }

    /// How many other nodes an agent tries that runs into an obstacle.
    pub(crate) fn max_reroutes(&self) -> usize {
        self.interventions.reroute.map_or(0, |r| r.max_attempts as usize)
    }

    /// An agent comes to a node when `iteration` iterations are finished. Gives what is in its way.
    pub(crate) fn encounter(&mut self, node: NodeId, iteration: u64) -> Option<Obstacle> {
        self.meet_block(node, iteration).or_else(|| self.meet_delay(node, iteration))
    }

    /// Whether an agent found the node blocked, and it always will be.
    pub(crate) fn is_lost(&self, node: NodeId) -> bool {
        self.has_lost() && self.lost.contains(&node)
    }

    /// Whether any node was found blocked for good.
    pub(crate) fn has_lost(&self) -> bool {
        !self.lost.is_empty()
    }

    fn meet_block(&mut self, node: NodeId, iteration: u64) -> Option<Obstacle> {
        let block = self.interventions.block?;
        let is_known = self.blocks.contains_key(&node);
        let rng = &mut self.block_rng;
        let state = self.blocks.entry(node).or_insert_with(|| {
            if !rng.random_bool(block.fraction) {
                return BlockState::Free;
            }
            let immovable = rng.random_bool(block.immovable_fraction);
            let until = match block.span {
                Span::Iterations(n) if !immovable => Some(iteration.saturating_add(n)),
                Span::Iterations(_) | Span::Forever => None,
            };
            BlockState::Blocked { until, immovable, returns: 0 }
        });
        let BlockState::Blocked { until, immovable, returns } = state else { return None };
        *returns += u64::from(is_known);
        let lifted = match block.unfreeze {
            Some(unfreeze) if !*immovable => *returns >= unfreeze.after && rng.random_bool(unfreeze.prob),
            Some(_) | None => false,
        };
        if lifted || until.is_some_and(|until| iteration >= until) {
            *state = BlockState::Free;
            return None;
        }
        if until.is_none() && (*immovable || block.unfreeze.is_none()) {
            self.lost.insert(node);
        }
        Some(Obstacle::Blocked { until: *until, immovable: *immovable })
    }

    fn meet_delay(&mut self, node: NodeId, iteration: u64) -> Option<Obstacle> {
        let delay = self.interventions.delay?;
        match self.delays.get(&node) {
            Some(&until) if iteration < until => return Some(Obstacle::Delayed { until }),
            // The way is free when the delay is over; the next encounter may begin another.
            Some(_) => {
                self.delays.remove(&node);
                return None;
            }
            None => {}
        }
        if !self.delay_rng.random_bool(delay.prob) {
            return None;
        }
        let until = iteration.saturating_add(delay.duration);
        self.delays.insert(node, until);
        Some(Obstacle::Delayed { until })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_immovable_block_neither_ends_nor_is_lifted() {
        let block = Block {
            fraction: 0.999,
            span: Span::Iterations(3),
            seed: 1,
            immovable_fraction: 1.0,
            unfreeze: Some(Unfreeze { after: 1, prob: 1.0 }),
        };
        let mut schedule = Schedule::new(Interventions { block: Some(block), ..Interventions::default() });
        let node = NodeId::from_index(7);
        for iteration in [0, 1, 3, 1000] {
            let obstacle = Some(Obstacle::Blocked { until: None, immovable: true });
            assert_eq!(schedule.encounter(node, iteration), obstacle);
            assert!(schedule.is_lost(node));
        }
    }

    #[test]
    fn a_delay_lasts_as_long_as_it_should_and_lets_the_first_after_it_pass() {
        let delay = Delay { prob: 0.999, duration: 3, seed: 1 };
        let mut schedule = Schedule::new(Interventions { delay: Some(delay), ..Interventions::default() });
        let node = NodeId::from_index(7);
        let delayed = |until| Some(Obstacle::Delayed { until });
        let met: Vec<_> = [5, 6, 7, 8, 8].map(|iteration| schedule.encounter(node, iteration)).to_vec();
        assert_eq!(met, [delayed(8), delayed(8), delayed(8), None, delayed(11)]);
    }
}
