//! The focus: a node below which all work is done for a time, as on one statement of a plan.

use super::{OpenNodes, Search};
use crate::ids::NodeId;
use crate::stats::Path;
use crate::tree::{Status, Tree};

/// What a search is restricted to.
#[derive(Clone, Debug)]
pub(super) struct Focus {
    /// The path on which the node was created.
    pub(super) way: Path,
    /// Whether each node is below it; nodes beyond the end are not. Kept for policies without descent.
    below: Option<Vec<bool>>,
}

impl Focus {
    fn new(tree: &Tree, node: NodeId, descends: bool) -> Self {
        let mut way = Path::default();
        way.follow_creators(tree, node);
        let mut focus = Self { way, below: (!descends).then(Vec::new) };
        focus.add(tree, node);
        focus
    }

    pub(super) fn node(&self) -> NodeId {
        self.way.end()
    }

    /// Whether the node is known to be below the focus.
    pub(super) fn contains(&self, node: NodeId) -> bool {
        self.below.as_ref().is_some_and(|below| below.get(node.index()).copied().unwrap_or(false))
    }

    /// Adds a node and everything below it. Returns what was not below the focus before.
    fn add(&mut self, tree: &Tree, node: NodeId) -> Vec<NodeId> {
        let Some(below) = &mut self.below else { return Vec::new() };
        let (mut added, mut agenda) = (Vec::new(), vec![node]);
        while let Some(node) = agenda.pop() {
            // In a graph, a step may lead back to the way here.
            let is_above = node != self.way.end() && self.way.contains(node);
            if is_above || below.get(node.index()) == Some(&true) {
                continue;
            }
            if below.len() <= node.index() {
                below.resize(node.index() + 1, false);
            }
            below[node.index()] = true;
            added.push(node);
            agenda.extend(tree.steps(node).flat_map(|step| tree.children(step)));
        }
        added
    }
}

impl Search {
    /// Restricts the choice of nodes to those below `node`, itself included, until the next call; `None` lifts the
    /// restriction. What is below a node can be reached from it by steps, without passing through the nodes on the
    /// path on which it was created. Statuses, values and back-ups are not affected, and neither is work in flight.
    ///
    /// Policies without descent look at each node of the tree once when the focus changes.
    pub fn focus(&mut self, node: Option<NodeId>) {
        let descends = matches!(self.open, OpenNodes::InTree);
        self.focus = node.map(|node| Focus::new(&self.tree, node, descends));
        match &mut self.open {
            OpenNodes::InTree => return,
            OpenNodes::Bag(frontier, _) => frontier.clear(),
            OpenNodes::Queue(queue) => queue.clear(),
        }
        for node in self.tree.nodes() {
            let is_free = !self.reservations.iter().any(|r| r.path.end() == node);
            if is_free && self.tree.is_relevant(node) {
                self.insert_open(node);
            }
        }
    }

    /// The node below which nodes are chosen, if the choice is restricted.
    pub fn focused(&self) -> Option<NodeId> {
        self.focus.as_ref().map(Focus::node)
    }

    /// Whether work below the focus is in flight.
    pub fn is_focus_busy(&self) -> bool {
        let Some(focus) = &self.focus else { return false };
        let is_below = |path: &Path| path.contains(focus.node()) || focus.contains(path.end());
        self.reservations.iter().any(|reservation| is_below(&reservation.path))
    }

    /// Whether there is a focus whose proof does not matter any more.
    pub(super) fn is_focus_settled(&self) -> bool {
        let matters = |node| self.tree.status(node) == Status::Open && self.tree.is_relevant(node);
        self.focus.as_ref().is_some_and(|focus| !matters(focus.node()))
    }

    /// Whether a node may be chosen, as far as the focus is concerned. For policies without descent.
    pub(super) fn is_in_focus(&self, node: NodeId) -> bool {
        self.focus.as_ref().is_none_or(|focus| focus.contains(node))
    }

    /// Extends what is below the focus by the child of a new step. Nodes that were elsewhere in the graph before are
    /// queued.
    pub(super) fn extend_focus(&mut self, node: NodeId, child: NodeId) {
        let Some(focus) = self.focus.as_mut().filter(|focus| focus.contains(node)) else { return };
        let added = focus.add(&self.tree, child);
        let n_known = self.spent.nodes as usize;
        self.tree.awakened.extend(added.into_iter().filter(|added| added.index() < n_known));
    }
}
