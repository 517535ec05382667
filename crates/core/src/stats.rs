//! What the search keeps about nodes and steps: visits, successes, values, work in flight. Tables beside
//! the tree, indexed by the same ids.

use rustc_hash::FxHashMap;

use crate::ids::{NodeId, StepId};
use crate::tree::Tree;

/// The record of one node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeStats {
    /// Finished iterations whose path ran through the node.
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

/// The record of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepStats {
    /// Finished iterations whose path ran through the step.
    pub visits: u32,
    /// The sum of their rewards.
    pub success: f32,
    /// The step's value in the scale of the back-up rule.
    pub value: f32,
}

/// The tables.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    pub(crate) nodes: Vec<NodeStats>,
    /// The value of each node in the scale of the back-up rule (see [`crate::policy::Backup`]); empty under
    /// `uniform`, where it is the mean reward.
    pub(crate) values: Vec<f32>,
    /// Empty where no rule looks at steps.
    pub(crate) steps: Vec<StepStats>,
    /// Reservations whose path runs through a node. Only nodes with at least one are listed, so that an
    /// idle search pays nothing for it.
    pub(crate) in_flight: FxHashMap<NodeId, u32>,
    pub(crate) steps_in_flight: FxHashMap<StepId, u32>,
}

impl Stats {
    /// The record of `node`.
    pub fn node(&self, node: NodeId) -> &NodeStats {
        &self.nodes[node.index()]
    }

    /// The record of `step`; `None` where neither selection nor back-up looks at steps.
    pub fn step(&self, step: StepId) -> Option<&StepStats> {
        self.steps.get(step.index())
    }

    /// The number of reservations whose path runs through `node`.
    pub fn in_flight(&self, node: NodeId) -> u32 {
        if self.in_flight.is_empty() { 0 } else { self.in_flight.get(&node).copied().unwrap_or(0) }
    }

    /// The number of reservations whose path runs through `step`.
    pub fn step_in_flight(&self, step: StepId) -> u32 {
        if self.steps_in_flight.is_empty() {
            0
        } else {
            self.steps_in_flight.get(&step).copied().unwrap_or(0)
        }
    }

    /// Counts a reservation's path in. The nodes of a path differ from each other.
    pub(crate) fn depart(&mut self, path: &Path) {
        for &node in &path.nodes {
            *self.in_flight.entry(node).or_default() += 1;
        }
        for &step in &path.steps {
            *self.steps_in_flight.entry(step).or_default() += 1;
        }
    }

    /// Counts a reservation's path out again.
    pub(crate) fn arrive(&mut self, path: &Path) {
        for node in &path.nodes {
            take_one(&mut self.in_flight, node);
        }
        for step in &path.steps {
            take_one(&mut self.steps_in_flight, step);
        }
    }
}

/// Lowers a count, and forgets it at 0.
pub(crate) fn take_one<K: std::hash::Hash + Eq>(counts: &mut FxHashMap<K, u32>, key: &K) {
    let count = counts.get_mut(key).expect("a path that arrives has departed");
    *count -= 1;
    if *count == 0 {
        counts.remove(key);
    }
}

/// A way from the root to a node: `nodes[i + 1]` is a child of `steps[i]`, which stands at `nodes[i]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// The nodes, root first; never empty once filled.
    pub nodes: Vec<NodeId>,
    /// The steps between them.
    pub steps: Vec<StepId>,
    /// One bit for each remainder by 64 of a node on the path (and of some that were), so that most nodes
    /// off the path are told apart at once.
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

    /// Makes this the path that `node` was created on.
    pub(crate) fn follow_creators(&mut self, tree: &Tree, node: NodeId) {
        self.start(node);
        let mut at = node;
        while let Some((step, parent)) = tree.creator(at) {
            self.go(step, parent);
            at = parent;
        }
        self.reverse();
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

    /// Whether the path runs through `node`.
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
