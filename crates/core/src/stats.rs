//! Statistics of nodes and steps: visits, successes, values, work in flight. Tables beside the tree, indexed by the
//! same ids.

use rustc_hash::FxHashMap;

use crate::ids::{NodeId, StepId};
use crate::tree::Tree;

/// The statistics of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeStats {
    /// Number of finished iterations whose path contains the node.
    pub visits: u32,
    /// The sum of their rewards, each in [0, 1].
    pub success: f32,
}

impl NodeStats {
    /// The mean reward; `None` before the first visit.
    pub fn mean(&self) -> Option<f32> {
        (self.visits > 0).then(|| self.success / self.visits as f32)
    }
}

/// The statistics of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepStats {
    /// Number of finished iterations whose path contains the step.
    pub visits: u32,
    /// The sum of their rewards.
    pub success: f32,
    /// The step's value in the scale of the backup rule.
    pub value: f32,
}

/// The statistics of a tree.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    pub(crate) nodes: Vec<NodeStats>,
    /// The value of each node in the scale of the backup rule (see [`crate::policy::Backup`]); empty under `uniform`,
    /// where it is the mean reward.
    pub(crate) values: Vec<f32>,
    /// Empty if no rule uses step statistics.
    pub(crate) steps: Vec<StepStats>,
    /// Number of reservations whose path contains a node. Only nodes with at least one are listed, so that an idle
    /// search has no overhead.
    pub(crate) in_flight: FxHashMap<NodeId, u32>,
    pub(crate) steps_in_flight: FxHashMap<StepId, u32>,
}

impl Stats {
    /// The statistics of `node`.
    pub fn node(&self, node: NodeId) -> &NodeStats {
        &self.nodes[node.index()]
    }

    /// The statistics of `step`; `None` if neither selection nor backup uses step statistics.
    pub fn step(&self, step: StepId) -> Option<&StepStats> {
        self.steps.get(step.index())
    }

    /// The number of reservations whose path contains `node`.
    pub fn in_flight(&self, node: NodeId) -> u32 {
        if self.in_flight.is_empty() { 0 } else { self.in_flight.get(&node).copied().unwrap_or(0) }
    }

    /// The number of reservations whose path contains `step`.
    pub fn step_in_flight(&self, step: StepId) -> u32 {
        if self.steps_in_flight.is_empty() {
            0
        } else {
            self.steps_in_flight.get(&step).copied().unwrap_or(0)
        }
    }

    /// Adds a reservation's path to the counts. The nodes of a path are distinct.
    pub(crate) fn depart(&mut self, path: &Path) {
        for &node in &path.nodes {
            *self.in_flight.entry(node).or_default() += 1;
        }
        for &step in &path.steps {
            *self.steps_in_flight.entry(step).or_default() += 1;
        }
    }

    /// Removes a reservation's path from the counts.
    pub(crate) fn arrive(&mut self, path: &Path) {
        for node in &path.nodes {
            take_one(&mut self.in_flight, node);
        }
        for step in &path.steps {
            take_one(&mut self.steps_in_flight, step);
        }
    }
}

/// Decrements a count, and removes it at 0.
pub(crate) fn take_one<K: std::hash::Hash + Eq>(counts: &mut FxHashMap<K, u32>, key: &K) {
    let count = counts.get_mut(key).expect("a path that arrives has departed");
    *count -= 1;
    if *count == 0 {
        counts.remove(key);
    }
}

/// A path from the root to a node: `nodes[i + 1]` is a child of `steps[i]`, which belongs to `nodes[i]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// The nodes, root first; never empty once filled.
    pub nodes: Vec<NodeId>,
    /// The steps between them.
    pub steps: Vec<StepId>,
    /// A small Bloom filter of the nodes on the path (and of some that were): one bit for each index modulo 64, so
    /// that most other nodes are rejected quickly.
    marks: u64,
}

impl Path {
    /// The node at the end.
    pub fn end(&self) -> NodeId {
        *self.nodes.last().expect("a path has at least one node")
    }

    pub(crate) fn start(&mut self, root: NodeId) {
        self.nodes.clear();
        self.steps.clear();
        self.nodes.push(root);
        self.marks = mark(root);
    }

    /// Sets this to the path on which `node` was created.
    pub(crate) fn follow_creators(&mut self, tree: &Tree, node: NodeId) {
        let length = tree.depth(node) as usize;
        self.start(node);
        self.nodes.resize(length + 1, node);
        self.steps.resize(length, StepId::from_index(0));
        let mut at = node;
        for index in (0..length).rev() {
            let (step, parent) = tree.creator(at).expect("only the root has depth 0");
            (self.steps[index], self.nodes[index]) = (step, parent);
            self.marks |= mark(parent);
            at = parent;
        }
    }

    pub(crate) fn reverse(&mut self) {
        self.nodes.reverse();
        self.steps.reverse();
    }

    pub(crate) fn go(&mut self, step: StepId, child: NodeId) {
        self.steps.push(step);
        self.nodes.push(child);
        self.marks |= mark(child);
    }

    /// Whether the path contains `node`.
    pub(crate) fn contains(&self, node: NodeId) -> bool {
        self.marks & mark(node) != 0 && self.nodes.contains(&node)
    }

    pub(crate) fn back(&mut self) {
        self.nodes.pop();
        self.steps.pop();
    }
}

fn mark(node: NodeId) -> u64 {
    1 << (node.index() % 64)
}
