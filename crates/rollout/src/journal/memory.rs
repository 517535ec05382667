//! Which states are in memory.

use std::collections::BTreeMap;

use crate::tree::{Key, Tree, rank};

/// The states in memory, with the bytes that they take when written.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) limit: Option<u64>,
    held: BTreeMap<Key, u64>,
    total: u64,
    pub(super) evicted: u64,
    pub(super) recalled: u64,
}

impl Memory {
    pub(super) fn hold(&mut self, key: Key, bytes: usize) {
        let before = self.held.insert(key, bytes as u64);
        self.total = self.total + bytes as u64 - before.unwrap_or(0);
    }

    pub(super) fn forget(&mut self) {
        self.held.clear();
        self.total = 0;
    }

    /// Evicts states until a quarter of the limit is free, if the limit is exceeded: first those of nodes that cannot be
    /// expanded, then those that have children, then the least promising; the younger of equal ones.
    pub(super) fn evict<S>(&mut self, mut tree: Tree<S>) -> Tree<S> {
        let Some(limit) = self.limit.filter(|limit| self.total > *limit) else { return tree };
        let worth = |key: Key| {
            let node = tree.node(key);
            (node.is_open(), node.n_children() == 0, rank(tree.estimate(key)))
        };
        let mut order: Vec<(Key, (bool, bool, f64))> =
            self.held.keys().rev().map(|key| (*key, worth(*key))).collect();
        order.sort_by(|(_, a), (_, b)| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        for (key, _) in order {
            if self.total <= limit - limit / 4 {
                break;
            }
            self.total -= self.held.remove(&key).unwrap_or(0);
            self.evicted += 1;
            tree = tree.evict(key);
        }
        tree
    }
}
