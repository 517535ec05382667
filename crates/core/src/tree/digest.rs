//! The tree's digest: equal digests mean equal nodes, steps, tactics and statuses in the same order.

use xxhash_rust::xxh3::Xxh3;

use super::{Identity, Tree};
use crate::ids::NodeId;
use crate::tactic::Tactics;

impl Tree {
    /// A digest of the whole tree, including the texts of its tactics. It is the same on every machine.
    pub fn digest(&self, tactics: &Tactics) -> u64 {
        let mut hasher = Xxh3::new();
        let mut number = |n: u64| hasher.update(&n.to_le_bytes());
        for node in self.nodes() {
            let data = &self.nodes[node.index()];
            number(data.coarse.0);
            number(data.key.0);
            number(u64::from(data.depth));
            number(u64::from(data.distance));
            number(data.status as u64);
            number(data.phase as u64);
        }
        for step in self.all_steps() {
            let data = &self.steps[step.index()];
            number(data.node.index() as u64);
            number(u64::from(data.log_prior.to_bits()));
            number(data.status as u64);
            number(u64::from(data.n_children));
            self.children(step).for_each(|c| number(c.index() as u64));
        }
        for step in self.all_steps() {
            hasher.update(tactics.text(self.tactic(step)).as_bytes());
            hasher.update(&[0]);
        }
        hasher.digest()
    }

    /// A digest that identifies a node independently of its id. In a tree it covers the path from the root: the
    /// tactics, and the index of each child. In a graph, where many paths lead to a node, it is the node's key.
    pub(crate) fn place(&self, node: NodeId, tactics: &Tactics) -> u64 {
        if self.identity() == Identity::Strict {
            return self.key(node).0;
        }
        let mut hasher = Xxh3::new();
        let mut at = node;
        while let Some((step, parent)) = self.creator(at) {
            let child =
                self.children(step).position(|c| c == at).expect("a step has the children it created");
            hasher.update(&(child as u64).to_le_bytes());
            hasher.update(tactics.text(self.tactic(step)).as_bytes());
            hasher.update(&[0]);
            at = parent;
        }
        hasher.digest()
    }
}
