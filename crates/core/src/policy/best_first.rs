//! The priority queue of `best-first`.

use std::fmt;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::heap::Heap;
use crate::ids::NodeId;

/// A program's own priority of waiting nodes, in the place of that of [`super::Selection::BestFirst`].
pub trait Priority: fmt::Debug + Send + Sync {
    /// The node with the greatest priority is expanded next; ties are broken as in best-first search. The result may
    /// depend on nothing but the argument. What is not a number counts as the least priority.
    fn priority(&self, node: &Waiting) -> f64;
}

/// What a [`Priority`] knows of a waiting node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Waiting {
    /// The sum of the log-priors on the best known path from the root, with that of the node's next untried candidate if
    /// some were tried.
    pub cumulative: f64,
    /// The length of that path, in steps.
    pub depth: u32,
    /// The log-prior of the next untried candidate; 0 if none was tried.
    pub next: f32,
    /// The provider's estimate of the probability that the node is provable.
    pub value: Option<f32>,
}

/// What decides which node comes first.
#[derive(Clone, Debug)]
pub(crate) enum Rank {
    /// `cumulative log-prior / depth^alpha`; for the root, its log-prior.
    DepthReward(f64),
    /// A program's own.
    Own(Arc<dyn Priority>),
}

/// Nodes by priority. Entries whose priority no longer equals that of their node are stale, and skipped.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    rank: Rank,
    /// Breaks ties.
    seed: u64,
    heap: Heap<Entry>,
    /// What is known of each node.
    known: Vec<Known>,
    /// The provider's estimate of each node; kept for a program's own priority only.
    values: Vec<Option<f32>>,
}

/// The best known path from the root to a node, and what comes next there.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The sum of the path's log-priors, in 64 bits so that equal averages of equal log-priors are equal.
    cumulative: f64,
    /// The path's length in steps.
    depth: u32,
    /// The log-prior of the node's next untried candidate; 0 for unexpanded nodes.
    next: f32,
}

/// A waiting node.
#[derive(Clone, Copy, Debug)]
struct Entry {
    priority: OrderedPriority,
    /// The length of the path that it was queued for.
    depth: u32,
    node: NodeId,
}

impl Entry {
    /// The highest priority comes first; among equals the shallowest, so that the search is breadth-first if all tactics
    /// are equally likely; then the greatest of random lots, and last the oldest node. Lots are drawn only where they
    /// decide.
    fn comes_before(&self, other: &Self, seed: u64) -> bool {
        if self.priority != other.priority {
            return self.priority > other.priority;
        }
        let lot = |node: NodeId| xxh3_64_with_seed(&(node.index() as u64).to_le_bytes(), seed) as u32;
        let order = other.depth.cmp(&self.depth).then_with(|| lot(self.node).cmp(&lot(other.node)));
        order.then(other.node.cmp(&self.node)).is_gt()
    }
}

/// A priority as an integer with the same order ([`f64::total_cmp`]), which is faster to compare in a large heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct OrderedPriority(i64);

impl From<f64> for OrderedPriority {
    fn from(priority: f64) -> Self {
        Self(flip(priority.to_bits().cast_signed()))
    }
}

impl From<OrderedPriority> for f64 {
    fn from(priority: OrderedPriority) -> Self {
        Self::from_bits(flip(priority.0).cast_unsigned())
    }
}

/// Reverses the order of negative numbers; its own inverse.
fn flip(bits: i64) -> i64 {
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

impl Queue {
    /// An empty queue. `seed` determines the order of nodes with equal priority.
    pub(crate) fn new(rank: Rank, seed: u64) -> Self {
        Self { rank, seed, heap: Heap::new(), known: Vec::new(), values: Vec::new() }
    }

    /// Records the provider's estimate of the next new node, before its path.
    pub(crate) fn record_value(&mut self, value: Option<f32>) {
        if matches!(self.rank, Rank::Own(_)) {
            self.values.push(value);
        }
    }

    /// Records a path to `node` (through `parent` by a tactic with the given log-prior; `None` for the root). Returns
    /// whether it is the best path so far.
    pub(crate) fn record_path(&mut self, node: NodeId, path: Option<(NodeId, f32)>) -> bool {
        let path = path.map_or(Known { cumulative: 0.0, depth: 0, next: 0.0 }, |(parent, log_prior)| {
            let Known { cumulative, depth, .. } = self.known[parent.index()];
            Known { cumulative: cumulative + f64::from(log_prior), depth: depth + 1, next: 0.0 }
        });
        let Some(&known) = self.known.get(node.index()) else {
            debug_assert_eq!(node.index(), self.known.len(), "nodes come in order");
            self.known.push(path);
            return true;
        };
        let is_better = self.rank_of(node, Known { next: 0.0, ..known }) < self.rank_of(node, path);
        if is_better {
            self.known[node.index()] = Known { next: known.next, ..path };
        }
        is_better
    }

    /// Records the log-prior of the node's next untried candidate.
    pub(crate) fn record_next(&mut self, node: NodeId, log_prior: f32) {
        self.known[node.index()].next = log_prior;
    }

    pub(crate) fn push(&mut self, node: NodeId) {
        let known = self.known[node.index()];
        let entry = Entry { priority: self.rank_of(node, known).into(), depth: known.depth, node };
        self.heap.push(entry, |a, b| a.comes_before(b, self.seed));
    }

    /// Removes the best node that satisfies `eligible`, and returns it with its priority; stale entries and
    /// ineligible nodes are dropped. A dropped node must be pushed again when it becomes eligible.
    pub(crate) fn pop(&mut self, mut eligible: impl FnMut(NodeId) -> bool) -> Option<(NodeId, f64)> {
        while let Some(Entry { priority, node, .. }) = self.heap.pop(|a, b| a.comes_before(b, self.seed)) {
            if priority == self.priority(node) && eligible(node) {
                return Some((node, priority.into()));
            }
        }
        None
    }

    /// Whether the next node in the queue has the same priority and depth as `node`, the last best one, so that the
    /// tie-breaker decided.
    pub(crate) fn ties_with(&self, node: NodeId) -> bool {
        let known = self.known[node.index()];
        self.heap.peek().is_some_and(|next| {
            next.depth == known.depth && next.priority == self.rank_of(node, known).into()
        })
    }

    /// The nodes that are waiting, in no order; some more than once.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.heap.iter().map(|entry| entry.node)
    }

    /// Removes all nodes; what is known of them stays.
    pub(crate) fn clear(&mut self) {
        self.heap.clear();
    }

    /// The priority of a partially expanded node: that of its next candidate, at the node's own depth.
    pub(crate) fn priority_of(&self, node: NodeId) -> f64 {
        self.rank_of(node, self.known[node.index()])
    }

    fn rank_of(&self, node: NodeId, known: Known) -> f64 {
        let Known { cumulative, depth, next } = known;
        let cumulative = cumulative + f64::from(next);
        match &self.rank {
            Rank::DepthReward(alpha) if depth == 0 || *alpha == 0.0 => cumulative,
            Rank::DepthReward(alpha) => cumulative / f64::from(depth).powf(*alpha),
            Rank::Own(own) => {
                let value = self.values.get(node.index()).copied().flatten();
                let priority = own.priority(&Waiting { cumulative, depth, next, value });
                if priority.is_nan() { f64::NEG_INFINITY } else { priority }
            }
        }
    }

    fn priority(&self, node: NodeId) -> OrderedPriority {
        self.priority_of(node).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(i: usize) -> NodeId {
        NodeId::from_index(i)
    }

    #[test]
    fn ordered_priorities_compare_as_floats() {
        let numbers = [f64::NEG_INFINITY, -7.5, -1e-300, -0.0, 0.0, 1e-300, 7.5, f64::INFINITY];
        assert!(numbers.map(OrderedPriority::from).is_sorted());
        assert_eq!(numbers.map(|n| f64::from(OrderedPriority::from(n))), numbers);
    }

    #[test]
    fn higher_priority_first_and_equals_by_the_seed() {
        let order = |seed: u64| {
            let mut queue = Queue::new(Rank::DepthReward(0.0), seed);
            queue.record_path(n(0), None);
            for (node, log_prior) in [(1, -2.0), (2, -1.0), (3, -1.0)] {
                queue.record_path(n(node), Some((n(0), log_prior)));
                queue.push(n(node));
            }
            let order: Vec<_> = std::iter::from_fn(|| queue.pop(|_| true)).collect();
            assert_eq!(order[2], (n(1), -2.0), "the worst comes last");
            order[0].0
        };
        assert_eq!(order(7), order(7));
        let olders = (0..1000).filter(|&seed| order(seed) == n(2)).count();
        assert!((400..600).contains(&olders), "{olders} of 1000");
    }

    #[test]
    fn a_depth_reward_favours_deep_nodes() {
        // -3 at depth 3 against -1.5 at depth 1.
        for (alpha, first) in [(0.0, 1), (1.0, 4)] {
            let mut queue = Queue::new(Rank::DepthReward(alpha), 0);
            queue.record_path(n(0), None);
            for (node, parent, log_prior) in [(1, 0, -1.5), (2, 0, -1.0), (3, 2, -1.0), (4, 3, -1.0)] {
                queue.record_path(n(node), Some((n(parent), log_prior)));
            }
            queue.push(n(1));
            queue.push(n(4));
            assert_eq!(queue.pop(|_| true).map(|(node, _)| node), Some(n(first)), "alpha {alpha}");
        }
    }

    #[test]
    fn a_better_way_makes_the_old_entry_stale() {
        let mut queue = Queue::new(Rank::DepthReward(0.0), 0);
        queue.record_path(n(0), None);
        queue.record_path(n(1), Some((n(0), -5.0)));
        queue.push(n(1));
        assert!(!queue.record_path(n(1), Some((n(0), -6.0))));
        assert!(queue.record_path(n(1), Some((n(0), -1.0))));
        queue.push(n(1));
        assert_eq!(queue.pop(|_| true), Some((n(1), -1.0)));
        assert_eq!(queue.pop(|_| true), None);
    }

    #[test]
    fn of_two_ways_the_one_with_the_higher_priority_counts() {
        // To node 2: -2 in one step, or -3 in two.
        for (alpha, priority) in [(0.0, -2.0), (1.0, -1.5)] {
            let mut queue = Queue::new(Rank::DepthReward(alpha), 0);
            queue.record_path(n(0), None);
            queue.record_path(n(1), Some((n(0), -1.0)));
            queue.record_path(n(2), Some((n(0), -2.0)));
            assert_eq!(queue.record_path(n(2), Some((n(1), -2.0))), alpha > 0.0);
            assert_eq!(queue.priority(n(2)), OrderedPriority::from(priority), "alpha {alpha}");
        }
    }

    #[test]
    fn averages_of_equal_log_priors_are_equal() {
        let mut queue = Queue::new(Rank::DepthReward(1.0), 0);
        queue.record_path(n(0), None);
        for node in 1..1000 {
            queue.record_path(n(node), Some((n(node - 1), -0.1)));
        }
        assert_eq!(queue.priority(n(999)), queue.priority(n(1)));
    }
}
