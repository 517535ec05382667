//! Which nodes are not expanded any more.
//!
//! Pruners look at the frontier. A score that is not known is not 0: [`beam`] goes by the
//! [estimate](Tree::estimate), [`threshold`] leaves nodes without a score alone.

use std::collections::HashSet;

use super::{Prune, select};
use crate::tree::{Key, Node, PruneReason, Tree};

/// Nothing.
pub fn none<S>() -> Prune<S> {
    Box::new(|_| Vec::new())
}

/// All but the `k` nodes of the frontier with the highest estimates. Nodes without an estimate go first, then the younger of
/// equal ones.
pub fn beam<S>(k: usize) -> Prune<S> {
    Box::new(move |tree| {
        if tree.frontier_len() <= k {
            return Vec::new();
        }
        select::ranked(tree).into_iter().skip(k).map(|key| (key, PruneReason::Beam)).collect()
    })
}

/// Nodes of the frontier whose score is known and below this one.
pub fn threshold<S>(min_score: f64) -> Prune<S> {
    of_frontier(PruneReason::Threshold, move |node| node.score().is_some_and(|score| score < min_score))
}

/// Nodes of the frontier that are as deep as this, or deeper: the deepest nodes of the tree have this depth.
pub fn depth<S>(max_depth: u32) -> Prune<S> {
    of_frontier(PruneReason::Depth, move |node| node.depth() >= max_depth)
}

fn of_frontier<S>(reason: PruneReason, goes: impl Fn(&Node<S>) -> bool + Send + Sync + 'static) -> Prune<S> {
    Box::new(move |tree| {
        let gone = tree.frontier().filter(|(_, node)| goes(node));
        gone.map(|(key, _)| (key, reason.clone())).collect()
    })
}

/// Everything that is open, once the tree has so many nodes.
pub fn budget<S>(max_nodes: usize) -> Prune<S> {
    all_if(move |tree| tree.len() >= max_nodes)
}

/// Everything that is open, once all nodes together cost so much: so many tokens, where agents make them.
pub fn spent<S>(max_cost: u64) -> Prune<S> {
    all_if(move |tree| tree.cost() >= max_cost)
}

fn all_if<S>(over: impl Fn(&Tree<S>) -> bool + Send + Sync + 'static) -> Prune<S> {
    Box::new(move |tree| over(tree).then_some((Key::ROOT, PruneReason::Budget)).into_iter().collect())
}

/// Nodes of the frontier whose digest is that of an older sibling.
pub fn duplicates<S>() -> Prune<S> {
    Box::new(|tree| {
        let mut parents: Vec<Key> = tree.frontier().filter_map(|(_, node)| node.parent()).collect();
        parents.sort_unstable();
        parents.dedup();
        let mut gone = Vec::new();
        for parent in parents {
            let mut seen = HashSet::new();
            for (key, child) in tree.children(parent) {
                let again = child.digest().is_some_and(|digest| !seen.insert(digest));
                if again && child.is_open() && child.n_children() == 0 {
                    gone.push((key, PruneReason::Duplicate));
                }
            }
        }
        gone
    })
}

/// Several pruners, one after the other: each sees the tree without what those before it pruned.
pub fn compose<S: 'static>(pruners: impl IntoIterator<Item = Prune<S>>) -> Prune<S> {
    let pruners: Vec<Prune<S>> = pruners.into_iter().collect();
    Box::new(move |tree| {
        let mut left = tree.clone();
        let mut gone = Vec::new();
        for prune in &pruners {
            let now = prune(&left);
            left = apply(left, &now);
            gone.extend(now);
        }
        gone
    })
}

/// The tree without these nodes.
pub(super) fn apply<S>(tree: Tree<S>, gone: &[(Key, PruneReason)]) -> Tree<S> {
    gone.iter().fold(tree, |tree, (key, reason)| tree.prune_node(*key, reason.clone()))
}
