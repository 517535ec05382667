//! Interventions: nodes are blocked or delayed on purpose, to study how a search degrades and recovers.
//!
//! An agent *encounters* a node when its descent ends there, before it reserves the node. Time is counted in global
//! iterations. The root is exempt, since without it there would be no search.
//!
//! What happens to a node depends only on the seed, the node's place, and the number of its encounters, and not on
//! events elsewhere. Two searches of the same problem with the same seed therefore receive the same damage, however
//! else they differ. In a tree, the place of a node is the path to it from the root; in a graph, where a node may
//! have many paths, it is the obligation.

use rand::RngExt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ids::NodeId;
use crate::rng::{Purpose, stream_at};

/// The interventions in a search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Interventions {
    /// Blocks nodes.
    pub block: Option<Block>,
    /// Delays nodes.
    pub delay: Option<Delay>,
    /// What an agent does when it meets an obstacle; `None` ends its iteration.
    pub reroute: Option<Reroute>,
    /// Which obstacles count as visits.
    pub visits: ObstacleVisits,
}

crate::choice!(
    /// Which obstacles count as unsuccessful visits to all nodes on the path, so that agents turn elsewhere.
    #[derive(Default)]
    ObstacleVisits {
        /// None: obstacles leave no trace in the statistics.
        None = "none",
        /// The one at which an iteration ended.
        #[default]
        Last = "last",
        /// That one, and those that an agent bypassed. The latter count when the iteration is finished.
        All = "all",
    }
);

/// Blocks nodes. A block begins when an agent first encounters the node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Block {
    /// The probability that a node is blocked, in (0, 1).
    pub fraction: f64,
    /// The duration.
    pub span: Span,
    /// The seed of its random streams.
    pub seed: u64,
    /// The share of permanent blocks, which neither end nor are lifted.
    pub immovable_fraction: f64,
    /// Whether encounters lift blocks.
    pub unfreeze: Option<Unfreeze>,
}

/// The duration of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    /// This many global iterations after the encounter; at least 1.
    Iterations(u64),
    /// Unlimited.
    Forever,
}

/// From the `after`-th return to a blocked node on, each return lifts the block with some probability.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unfreeze {
    /// At least 1.
    pub after: u64,
    /// The probability, in (0, 1].
    pub prob: f64,
}

/// Delays nodes. Each encounter outside a delay may begin one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Delay {
    /// The probability, in (0, 1).
    pub prob: f64,
    /// The duration in global iterations; at least 1.
    pub duration: u64,
    /// The seed of its random streams.
    pub seed: u64,
}

/// An agent that meets an obstacle tries other nodes in the same iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reroute {
    /// The maximum number of other nodes; at least 1.
    pub max_attempts: u32,
}

/// Why a node cannot be reserved now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// It is blocked.
    Blocked {
        /// The first iteration at which it is free; `None` means never, unless the block is lifted.
        until: Option<u64>,
        /// Whether the block neither ends nor is lifted.
        immovable: bool,
    },
    /// It is delayed.
    Delayed {
        /// The first iteration at which it is free.
        until: u64,
    },
}

/// The result of an encounter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Encounter {
    /// The obstacle, if any.
    pub(crate) obstacle: Option<Obstacle>,
    /// Whether the encounter lifted a block.
    pub(crate) lifted: bool,
}

/// The state of the encountered nodes.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    interventions: Interventions,
    met: FxHashMap<NodeId, Met>,
    /// Nodes known to be blocked forever. Agents no longer select them.
    lost: FxHashSet<NodeId>,
}

/// An encountered node.
#[derive(Clone, Copy, Debug)]
struct Met {
    /// Identifies the node independently of its id; all random decisions at it depend on this and on `encounters`.
    place: u64,
    encounters: u64,
    /// Whether the first encounter found it blocked.
    was_blocked: bool,
    block: Option<BlockState>,
    delayed_until: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
struct BlockState {
    until: Option<u64>,
    immovable: bool,
}

impl Schedule {
    pub(crate) fn new(interventions: Interventions) -> Self {
        Self { interventions, met: FxHashMap::default(), lost: FxHashSet::default() }
    }

    /// Whether there are no obstacles at all.
    pub(crate) fn is_idle(&self) -> bool {
        self.interventions.block.is_none() && self.interventions.delay.is_none()
    }

    /// Whether an obstacle was drawn, or that there is none.
    pub(crate) fn has_drawn(&self) -> bool {
        !self.met.is_empty()
    }

    /// The maximum number of other nodes that an agent tries after an obstacle.
    pub(crate) fn max_reroutes(&self) -> usize {
        self.interventions.reroute.map_or(0, |r| r.max_attempts as usize)
    }

    /// Whether the node was blocked at its first encounter; `None` if there was none.
    pub(crate) fn was_blocked(&self, node: NodeId) -> Option<bool> {
        self.met.get(&node).map(|met| met.was_blocked)
    }

    /// Handles the encounter of an agent with a node when `iteration` iterations are finished. `place` identifies the
    /// node; it is called at the first encounter.
    pub(crate) fn encounter(
        &mut self,
        node: NodeId,
        iteration: u64,
        place: impl FnOnce() -> u64,
    ) -> Encounter {
        let Interventions { block, delay, .. } = self.interventions;
        let met = self.met.entry(node).or_insert_with(|| Met::new(place(), block, iteration));
        met.encounters += 1;
        let lifted = block.is_some_and(|block| met.lifts(block));
        met.block = met.block.filter(|b| !lifted && b.until.is_none_or(|until| iteration < until));
        let obstacle = match met.block {
            Some(BlockState { until, immovable }) => {
                let lifts = block.is_some_and(|b| b.unfreeze.is_some());
                if until.is_none() && (immovable || !lifts) {
                    self.lost.insert(node);
                }
                Some(Obstacle::Blocked { until, immovable })
            }
            None => delay.and_then(|delay| met.meet_delay(delay, iteration)),
        };
        Encounter { obstacle, lifted }
    }

    /// Whether the node is known to be blocked forever.
    pub(crate) fn is_lost(&self, node: NodeId) -> bool {
        self.has_lost() && self.lost.contains(&node)
    }

    /// Whether any node is known to be blocked forever.
    pub(crate) fn has_lost(&self) -> bool {
        !self.lost.is_empty()
    }
}

impl Met {
    /// The state of a node at its first encounter.
    fn new(place: u64, block: Option<Block>, iteration: u64) -> Self {
        let block = block.and_then(|block| {
            let mut rng = stream_at(block.seed, Purpose::Blocks, place, 0);
            if !rng.random_bool(block.fraction) {
                return None;
            }
            let immovable = rng.random_bool(block.immovable_fraction);
            let until = match block.span {
                Span::Iterations(n) if !immovable => Some(iteration.saturating_add(n)),
                Span::Iterations(_) | Span::Forever => None,
            };
            Some(BlockState { until, immovable })
        });
        Self { place, encounters: 0, was_blocked: block.is_some(), block, delayed_until: None }
    }

    /// Whether this encounter lifts the block.
    fn lifts(&self, block: Block) -> bool {
        let Some(unfreeze) = block.unfreeze else { return false };
        let returns = self.encounters - 1;
        self.block.is_some_and(|state| !state.immovable)
            && returns >= unfreeze.after
            && stream_at(block.seed, Purpose::Lifts, self.place, self.encounters).random_bool(unfreeze.prob)
    }

    fn meet_delay(&mut self, delay: Delay, iteration: u64) -> Option<Obstacle> {
        match self.delayed_until {
            Some(until) if iteration < until => return Some(Obstacle::Delayed { until }),
            // The delay is over and the node is free; the next encounter may begin another delay.
            Some(_) => {
                self.delayed_until = None;
                return None;
            }
            None => {}
        }
        let mut rng = stream_at(delay.seed, Purpose::Delays, self.place, self.encounters);
        if !rng.random_bool(delay.prob) {
            return None;
        }
        let until = iteration.saturating_add(delay.duration);
        self.delayed_until = Some(until);
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
            assert_eq!(schedule.encounter(node, iteration, || 1).obstacle, obstacle);
            assert!(schedule.is_lost(node));
        }
    }

    #[test]
    fn a_delay_lasts_as_long_as_it_should_and_lets_the_first_after_it_pass() {
        let delay = Delay { prob: 0.999, duration: 3, seed: 1 };
        let mut schedule = Schedule::new(Interventions { delay: Some(delay), ..Interventions::default() });
        let node = NodeId::from_index(7);
        let delayed = |until| Some(Obstacle::Delayed { until });
        let met = [5, 6, 7, 8, 8].map(|iteration| schedule.encounter(node, iteration, || 1).obstacle);
        assert_eq!(met, [delayed(8), delayed(8), delayed(8), None, delayed(11)]);
    }

    #[test]
    fn what_happens_to_a_node_does_not_hang_on_the_others() {
        let block = Block {
            fraction: 0.5,
            span: Span::Iterations(5),
            seed: 3,
            immovable_fraction: 0.5,
            unfreeze: Some(Unfreeze { after: 1, prob: 0.5 }),
        };
        let delay = Delay { prob: 0.5, duration: 2, seed: 4 };
        let interventions =
            Interventions { block: Some(block), delay: Some(delay), ..Interventions::default() };
        // What is met at each of 40 places in 5 rounds, when their nodes are met in the given order.
        let met = |order: &[usize]| {
            let mut schedule = Schedule::new(interventions);
            let mut met = vec![Vec::new(); order.len()];
            for round in 0..5 {
                for (node, &place) in order.iter().enumerate() {
                    let node = NodeId::from_index(node);
                    met[place].push(schedule.encounter(node, round, || place as u64));
                }
            }
            met
        };
        let (forwards, backwards) = ((0..40).collect::<Vec<_>>(), (0..40).rev().collect::<Vec<_>>());
        assert_eq!(met(&forwards), met(&backwards));
        assert!(met(&forwards).iter().flatten().any(|e| e.lifted), "blocks are lifted");
        assert!(met(&forwards).iter().any(|m| m[0].obstacle.is_none()), "some are spared");
    }
}
