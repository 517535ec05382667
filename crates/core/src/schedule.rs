//! Interventions: nodes are blocked or delayed on purpose, to study how a search degrades and recovers
//! (`distributed-mcts-guide`, "Intervention Schedules").
//!
//! An agent *encounters* a node when its walk ends there, before it reserves it. Time is counted in global iterations.
//! The root is spared, since behind it there is nothing to see.
//!
//! What happens to a node hangs on the seed, on the node's place and on how often it was encountered, and on nothing that is
//! done elsewhere. So two searches of one problem that are hurt under the same seed are hurt alike, whatever else differs
//! between them. In a tree, the place of a node is the way to it from the root; where equal obligations share a node,
//! which may have many ways, it is the obligation.

use rand::RngExt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ids::NodeId;
use crate::rng::{Purpose, stream_at};

/// What is done to a search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Interventions {
    /// Nodes that cannot be reserved.
    pub block: Option<Block>,
    /// Nodes that cannot be reserved for a while.
    pub delay: Option<Delay>,
    /// What an agent does that runs into one; `None`: its iteration ends.
    pub reroute: Option<Reroute>,
    /// Which obstacles count as visits.
    pub visits: ObstacleVisits,
}

/// Which obstacles count as visits without success to all nodes on the way there, so that agents turn elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ObstacleVisits {
    /// None: an obstacle leaves no mark.
    None,
    /// The one at which an iteration ended.
    #[default]
    Last,
    /// That one, and those that an agent went round. The latter count when the iteration is finished.
    All,
}

/// Blocks nodes. The block begins when an agent first encounters the node.
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

/// What an agent finds that comes to a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Encounter {
    /// What is in its way.
    pub(crate) obstacle: Option<Obstacle>,
    /// Whether it lifted a block.
    pub(crate) lifted: bool,
}

/// What is known of the nodes encountered.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    interventions: Interventions,
    met: FxHashMap<NodeId, Met>,
    /// Nodes found blocked for good. No agent comes to them again.
    lost: FxHashSet<NodeId>,
}

/// A node that was encountered.
#[derive(Clone, Copy, Debug)]
struct Met {
    /// Where the node stands, whatever its id: all chances at it hang on this and on `encounters`.
    place: u64,
    encounters: u64,
    /// Whether it was blocked at the first encounter.
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

    /// Whether anything is ever in the way.
    pub(crate) fn is_idle(&self) -> bool {
        self.interventions.block.is_none() && self.interventions.delay.is_none()
    }

    /// How many other nodes an agent tries that runs into an obstacle.
    pub(crate) fn max_reroutes(&self) -> usize {
        self.interventions.reroute.map_or(0, |r| r.max_attempts as usize)
    }

    /// Whether the node was blocked when an agent first encountered it; `None` if none has.
    pub(crate) fn was_blocked(&self, node: NodeId) -> Option<bool> {
        self.met.get(&node).map(|met| met.was_blocked)
    }

    /// An agent comes to a node when `iteration` iterations are finished. `place` says where the node stands; it is asked
    /// at the first encounter.
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

    /// Whether an agent found the node blocked, and it always will be.
    pub(crate) fn is_lost(&self, node: NodeId) -> bool {
        self.has_lost() && self.lost.contains(&node)
    }

    /// Whether any node was found blocked for good.
    pub(crate) fn has_lost(&self) -> bool {
        !self.lost.is_empty()
    }
}

impl Met {
    /// A node that is encountered for the first time.
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
            // The way is free when the delay is over; the next encounter may begin another.
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
