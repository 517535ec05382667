//! How close a search came: what its most complete derivation leaves open.

use std::cmp::Reverse;

use super::{Status, Tree};
use crate::ids::{NodeId, StepId};

/// What a derivation leaves to prove; less is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rest {
    open: u32,
    /// The steps of the proofs in it.
    proved: Reverse<u32>,
}

impl Tree {
    /// The nodes that the most complete derivation of the root leaves unproved, in goal order. At each node the derivation takes
    /// the step below which the fewest nodes are left, among equals the one below which most is proved, and then the oldest. Only
    /// the root if nothing applies to it; empty if it is proved.
    pub fn frontier(&self) -> Vec<NodeId> {
        const LEAF: Rest = Rest { open: 1, proved: Reverse(0) };
        let mut rests = vec![Rest { open: u32::MAX, ..LEAF }; self.n_nodes()];
        let mut taken = vec![None; self.n_nodes()];
        // Children are younger than their parents, unless a step leads back to an older node. Such a step is taken last.
        for node in self.nodes().rev() {
            let step = self.usable(node).min_by_key(|&step| (self.rest(step, &rests), step));
            taken[node.index()] = step;
            rests[node.index()] = match (self.status(node), step) {
                (Status::Proved, _) => {
                    Rest { open: 0, proved: Reverse(self.distance(node).unwrap_or(u32::MAX)) }
                }
                (Status::Open | Status::Exhausted, Some(step)) => self.rest(step, &rests),
                (Status::Open | Status::Exhausted, None) => LEAF,
            };
        }
        let (mut frontier, mut seen) = (Vec::new(), vec![false; self.n_nodes()]);
        let mut queue = vec![self.root()];
        while let Some(node) = queue.pop() {
            if self.status(node) == Status::Proved || std::mem::replace(&mut seen[node.index()], true) {
                continue;
            }
            match taken[node.index()] {
                None => frontier.push(node),
                Some(step) => {
                    let first = queue.len();
                    queue.extend(self.children(step));
                    queue[first..].reverse();
                }
            }
        }
        frontier
    }

    /// The steps of a node without those that the checker rejected.
    fn usable(&self, node: NodeId) -> impl Iterator<Item = StepId> + '_ {
        self.steps(node).filter(|step| !self.steps[step.index()].refuted)
    }

    fn rest(&self, step: StepId, rests: &[Rest]) -> Rest {
        let sum = |sum: Rest, child: NodeId| {
            let Rest { open, proved } = rests[child.index()];
            Rest {
                open: sum.open.saturating_add(open),
                proved: Reverse(sum.proved.0.saturating_add(proved.0)),
            }
        };
        self.children(step).fold(Rest { open: 0, proved: Reverse(1) }, sum)
    }
}
