//! Which nodes are expanded next.
//!
//! A score that is not known is not 0. Where one is needed, the [estimate](Tree::estimate) stands in for it: the score of
//! the nearest node above that has one. Nodes without any estimate come after all others. Of equal nodes the older one
//! comes first.

use std::cmp::Ordering;

use super::Select;
use crate::tree::{Key, Node, Tree, rank};

/// All nodes of the frontier.
pub fn all_frontier<S>() -> Select<S> {
    Box::new(|tree| tree.frontier().map(|(key, _)| key).collect())
}

/// The node of the frontier with the highest estimate.
pub fn best<S>() -> Select<S> {
    top_k(1)
}

/// The nodes of the frontier with the highest estimates, at most so many, best first.
pub fn top_k<S>(k: usize) -> Select<S> {
    Box::new(move |tree| {
        let mut frontier = valued(tree);
        if k < frontier.len() {
            frontier.select_nth_unstable_by(k, better);
            frontier.truncate(k);
        }
        sorted(frontier)
    })
}

/// The frontier, best first.
pub(super) fn ranked<S>(tree: &Tree<S>) -> Vec<Key> {
    sorted(valued(tree))
}

fn valued<S>(tree: &Tree<S>) -> Vec<(Key, f64)> {
    tree.frontier().map(|(key, _)| (key, rank(tree.estimate(key)))).collect()
}

fn sorted(mut nodes: Vec<(Key, f64)>) -> Vec<Key> {
    nodes.sort_unstable_by(better);
    nodes.into_iter().map(|(key, _)| key).collect()
}

/// Higher estimates first, then older nodes.
fn better((a, of_a): &(Key, f64), (b, of_b): &(Key, f64)) -> Ordering {
    of_b.total_cmp(of_a).then(a.cmp(b))
}

/// How many children a node may have, by its visits: `first · visits^growth`, rounded up. A node that has fewer is
/// expanded; one that has as many is passed through.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Widening {
    /// The number of children of a node that was visited once.
    pub first: f64,
    /// 0 for a fixed number of children, 1 for one more at each visit.
    pub growth: f64,
}

impl Widening {
    /// Always so many children.
    pub fn fixed(children: u32) -> Self {
        Self { first: f64::from(children), growth: 0.0 }
    }

    fn admits<S>(&self, node: &Node<S>) -> bool {
        let visits = f64::from(node.visits().max(1));
        f64::from(node.n_children()) < (self.first * visits.powf(self.growth)).ceil().max(1.0)
    }
}

impl Default for Widening {
    /// Two children at the first visit, and as many again after 16 times as many visits. Much faster growth makes trees flat.
    fn default() -> Self {
        Self { first: 2.0, growth: 0.25 }
    }
}

/// One node by UCB1: from the root, as long as a node has all the [children](Widening) it may have, to the child with the
/// highest `mean + c · sqrt(ln(visits of the node) / visits of the child)`. Counts are those of the tree. A mean that is
/// not known is that of the node above.
pub fn ucb<S>(c: f64, widening: Widening) -> Select<S> {
    descend(widening, move |parent, child| {
        let (n, visits) = (f64::from(parent.visits().max(1)), f64::from(child.visits().max(1)));
        c * (n.ln() / visits).sqrt()
    })
}

/// One node by PUCT: as [`ucb`], with the bonus `c · prior · sqrt(visits of the node) / (1 + visits of the child)`. The prior
/// is a function of the child; those of siblings need not add up to 1.
pub fn puct<S: 'static>(
    c: f64,
    widening: Widening,
    prior: impl Fn(&Node<S>) -> f64 + Send + Sync + 'static,
) -> Select<S> {
    descend(widening, move |parent, child| {
        c * prior(child) * f64::from(parent.visits()).sqrt() / (1.0 + f64::from(child.visits()))
    })
}

fn descend<S>(
    widening: Widening,
    bonus: impl Fn(&Node<S>, &Node<S>) -> f64 + Send + Sync + 'static,
) -> Select<S> {
    Box::new(move |tree| {
        let mut at = Key::ROOT;
        if !tree.node(at).is_open() {
            return Vec::new();
        }
        loop {
            let node = tree.node(at);
            if widening.admits(node) {
                return vec![at];
            }
            let mut best: Option<(Key, f64)> = None;
            for (key, child) in tree.children(at).filter(|(_, child)| child.is_open()) {
                // An unknown mean is that of the node above; where that is unknown too, no sibling's is known.
                let mean = child.mean().or(node.mean()).unwrap_or(0.0);
                let value = mean + bonus(node, child);
                if best.is_none_or(|(_, most)| value > most) {
                    best = Some((key, value));
                }
            }
            match best {
                Some((key, _)) => at = key,
                // Nothing can be expanded below: the node gets one child more than it should have.
                None => return vec![at],
            }
        }
    })
}
