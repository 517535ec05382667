//! The frontier of `blind-uniform`: a bag with uniform random draws.

use rand::RngExt;

use crate::ids::NodeId;
use crate::rng::Rng;

/// A set of nodes with constant-time insertion, removal and uniform draws.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frontier {
    members: Vec<NodeId>,
    /// The index of each node in `members`, or `ABSENT`.
    place: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl Frontier {
    pub(crate) fn insert(&mut self, node: NodeId) {
        if self.place.len() <= node.index() {
            self.place.resize(node.index() + 1, ABSENT);
        }
        if self.place[node.index()] == ABSENT {
            self.place[node.index()] = u32::try_from(self.members.len()).expect("node ids fit in 32 bits");
            self.members.push(node);
        }
    }

    /// Draws members until one satisfies `eligible`, and removes it. The other drawn members are dropped; they are
    /// inserted again when they become eligible.
    pub(crate) fn draw(&mut self, rng: &mut Rng, mut eligible: impl FnMut(NodeId) -> bool) -> Option<NodeId> {
        while !self.members.is_empty() {
            let node = self.take(rng.random_range(0..self.members.len()));
            if eligible(node) {
                return Some(node);
            }
        }
        None
    }

    /// The members, in no order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.members.iter().copied()
    }

    /// Removes all members.
    pub(crate) fn clear(&mut self) {
        self.members.clear();
        self.place.clear();
    }

    fn take(&mut self, place: usize) -> NodeId {
        let node = self.members.swap_remove(place);
        self.place[node.index()] = ABSENT;
        if let Some(moved) = self.members.get(place) {
            self.place[moved.index()] = u32::try_from(place).expect("it was a place before");
        }
        node
    }
}
