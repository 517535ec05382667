//! Extracts the smallest known proof from a proved root.

use std::collections::HashMap;

use xxhash_rust::xxh3::Xxh3;

use super::{Status, Tree};
use crate::ids::{NodeId, StepId};
use crate::tactic::Tactics;

/// A step in a proof. Children are in goal order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtractedStep {
    /// The node that the step proves.
    pub node: NodeId,
    /// The step.
    pub step: StepId,
    /// The proofs of its children, as indices into [`Proof::steps`].
    pub children: Vec<usize>,
}

/// A proof, listed from the root down. Every node occurs once; repeated subproofs are shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The steps; the first proves the root, or the node whose proof it is.
    pub steps: Vec<ExtractedStep>,
}

impl Proof {
    /// The youngest step, which completed the proof.
    pub fn youngest(&self) -> StepId {
        self.steps.iter().map(|s| s.step).max().expect("a proof has at least one step")
    }
}

impl Proof {
    /// A digest of the proof's tactics and structure. Proofs of the same structure have the same digest, whatever
    /// else their searches tried.
    pub fn digest(&self, tree: &Tree, tactics: &Tactics) -> u64 {
        // Children first: they are proved in fewer steps than their parents.
        let mut order: Vec<usize> = (0..self.steps.len()).collect();
        order.sort_by_key(|&at| tree.distance(self.steps[at].node));
        let mut digests = vec![0; self.steps.len()];
        for at in order {
            let ExtractedStep { step, children, .. } = &self.steps[at];
            let mut hasher = Xxh3::new();
            hasher.update(tactics.text(tree.tactic(*step)).as_bytes());
            children.iter().for_each(|&child| hasher.update(&u64::to_le_bytes(digests[child])));
            digests[at] = hasher.digest();
        }
        digests[0]
    }
}

impl Tree {
    /// The smallest known proof of the root. Each node contributes the step with the least distance, the oldest among
    /// equals. `None` if the root is not proved, or if its proof is too large to count (see [`Tree::distance`]).
    pub fn extract(&self) -> Option<Proof> {
        self.extract_at(self.root())
    }

    /// The same for any node.
    pub fn extract_at(&self, node: NodeId) -> Option<Proof> {
        self.distance(node)?;
        let mut steps = Vec::new();
        let mut place: HashMap<NodeId, usize> = HashMap::new();
        let mut queue = vec![node];
        // Terminates, since the distance decreases strictly from a node to the children of its best step.
        while let Some(node) = queue.pop() {
            if place.contains_key(&node) {
                continue;
            }
            place.insert(node, steps.len());
            let step = self.best_step(node).expect("a node with a distance has a proved step");
            steps.push(ExtractedStep { node, step, children: Vec::new() });
            let first = queue.len();
            queue.extend(self.children(step));
            queue[first..].reverse();
        }
        for step in &mut steps {
            step.children = self.children(step.step).map(|c| place[&c]).collect();
        }
        Some(Proof { steps })
    }

    fn best_step(&self, node: NodeId) -> Option<StepId> {
        let proved = self.steps(node).filter(|&s| self.step_status(s) == Status::Proved);
        proved.min_by_key(|&s| (self.step_distance(s), s))
    }
}
