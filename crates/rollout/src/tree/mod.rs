//! Search trees as immutable data.
//!
//! Operations take a tree and return the changed one. A clone costs nothing: the two share everything that is not changed
//! later, and a tree of which there is no clone is changed in place. Adding a child costs O(log n).

mod check;
mod digest;
mod dot;
mod id;
mod node;
mod results;

use rpds::{RedBlackTreeSetSync, VectorSync};

pub use id::{Key, NodeId, NotAnId};
pub(crate) use node::Held;
pub use node::{Child, Node, PruneReason, VerifyResult};
pub(crate) use results::rank;

/// A tree of states.
#[derive(Debug)]
pub struct Tree<S> {
    nodes: VectorSync<Node<S>>,
    /// The open nodes without children, oldest first.
    frontier: RedBlackTreeSetSync<Key>,
    /// The solutions that are not pruned, oldest first.
    solutions: RedBlackTreeSetSync<Key>,
    cost: u64,
}

impl<S> Clone for Tree<S> {
    fn clone(&self) -> Self {
        let (frontier, solutions) = (self.frontier.clone(), self.solutions.clone());
        Self { nodes: self.nodes.clone(), frontier, solutions, cost: self.cost }
    }
}

/// Why a tree cannot be changed so.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum TreeError {
    /// There is no such node.
    #[error("the tree has no node {0}")]
    NoNode(NodeId),
    /// The node must not be expanded: it is pruned, illegal, a solution, or its agent has stopped.
    #[error("node {0} cannot be expanded: it is pruned, illegal, solved or stopped")]
    NotOpen(NodeId),
    /// The score is no number from 0 to 1.
    #[error("the score {score} of a child of node {parent} is no number from 0 to 1")]
    Score {
        /// The parent.
        parent: NodeId,
        /// The score.
        score: f64,
    },
}

/// A tree of one node, whose score is not known.
pub fn make_root<S>(state: S) -> Tree<S> {
    Tree::of_root(Child::new(state, VerifyResult::default())).expect("it has no score that could be wrong")
}

impl<S> Tree<S> {
    /// A tree of one node.
    ///
    /// # Errors
    ///
    /// If the score is no number from 0 to 1.
    pub fn of_root(root: Child<S>) -> Result<Self, TreeError> {
        Self::of_held(root.map(Held::here))
    }

    pub(crate) fn of_held(root: Child<Held<S>>) -> Result<Self, TreeError> {
        check_score(&root, NodeId::root)?;
        let root = Node::new(root, None, 0, 0);
        let mut tree = Self {
            nodes: VectorSync::new_sync(),
            frontier: RedBlackTreeSetSync::new_sync(),
            solutions: RedBlackTreeSetSync::new_sync(),
            cost: 0,
        };
        tree.push(root);
        Ok(tree)
    }

    /// Adds children to an open node, in order, after those that it has. They get the next places among its children. The
    /// node leaves the frontier, and the open ones of the children enter it.
    ///
    /// # Errors
    ///
    /// If the node is not open, or a score is no number from 0 to 1.
    pub fn add_children(
        self,
        parent: Key,
        children: impl IntoIterator<Item = Child<S>>,
    ) -> Result<Self, TreeError> {
        self.add_held(parent, children.into_iter().map(|child| child.map(Held::here)))
    }

    pub(crate) fn add_held(
        mut self,
        parent: Key,
        children: impl IntoIterator<Item = Child<Held<S>>>,
    ) -> Result<Self, TreeError> {
        if !self.node(parent).is_open() {
            return Err(TreeError::NotOpen(self.id(parent)));
        }
        for child in children {
            check_score(&child, || self.id(parent))?;
            let key = Key::of_index(self.nodes.len());
            let above = self.node_mut(parent);
            let (place, depth, before) = (above.n_children, above.depth + 1, above.last);
            above.n_children += 1;
            above.last = Some(key);
            above.first = above.first.or(Some(key));
            match before {
                Some(before) => self.node_mut(before).next = Some(key),
                None => {
                    self.frontier.remove_mut(&parent);
                }
            }
            self.push(Node::new(child, Some(parent), depth, place));
        }
        Ok(self)
    }

    fn push(&mut self, node: Node<S>) {
        let key = Key::of_index(self.nodes.len());
        if node.is_open() {
            self.frontier.insert_mut(key);
        }
        if node.is_solution() {
            self.solutions.insert_mut(key);
        }
        self.cost = self.cost.saturating_add(node.cost);
        self.nodes.push_back_mut(node);
    }

    /// Prunes a node, and the open nodes below it as [`PruneReason::Above`]. They are not expanded any more, and a node that
    /// is pruned itself is no result. What ended below it by itself, such as a solution, stays as it is. What is pruned
    /// already keeps its reason.
    #[must_use]
    pub fn prune_node(mut self, node: Key, reason: PruneReason) -> Self {
        let mut left = vec![(node, reason)];
        while let Some((key, reason)) = left.pop() {
            let below = self.children(key).filter(|(_, child)| child.is_open());
            left.extend(below.map(|(child, _)| (child, PruneReason::Above)));
            let node = self.node_mut(key);
            if node.pruned.is_none() {
                node.pruned = Some(reason);
                self.frontier.remove_mut(&key);
                self.solutions.remove_mut(&key);
            }
        }
        self
    }

    /// Counts a visit of a node and of all nodes above it. A value that is not known counts as a visit, and not as 0: it
    /// leaves their means as they are.
    #[must_use]
    pub fn back_up(mut self, node: Key, value: Option<f64>) -> Self {
        let mut at = Some(node);
        while let Some(key) = at {
            let node = self.node_mut(key);
            node.visits = node.visits.saturating_add(1);
            if let Some(value) = value {
                node.scored = node.scored.saturating_add(1);
                node.total += value;
            }
            at = node.parent;
        }
        self
    }

    /// Takes the state of a node out of memory. Whoever does so must be able to put it back.
    #[must_use]
    pub fn evict(mut self, node: Key) -> Self {
        self.node_mut(node).state = Held::Away;
        self
    }

    /// Puts the state of a node back into memory.
    #[must_use]
    pub fn recall(mut self, node: Key, state: std::sync::Arc<S>) -> Self {
        self.node_mut(node).state = Held::Here(state);
        self
    }

    fn node_mut(&mut self, key: Key) -> &mut Node<S> {
        self.nodes.get_mut(key.index()).expect("keys are those of the tree's nodes")
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: a tree has a root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// A node.
    ///
    /// # Panics
    ///
    /// If the key is that of another tree, and this one has fewer nodes.
    pub fn node(&self, key: Key) -> &Node<S> {
        self.nodes.get(key.index()).expect("keys are those of the tree's nodes")
    }

    /// A node, if there is one with this key.
    pub fn get(&self, key: Key) -> Option<&Node<S>> {
        self.nodes.get(key.index())
    }

    /// The name of a node.
    pub fn id(&self, key: Key) -> NodeId {
        let node = self.node(key);
        let mut places = vec![0; node.depth as usize];
        let mut at = node;
        while let Some(parent) = at.parent {
            places[at.depth as usize - 1] = at.place;
            at = self.node(parent);
        }
        NodeId::of_places(places)
    }

    /// The node with a name.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn find(&self, id: &NodeId) -> Result<Key, TreeError> {
        id.places().iter().try_fold(Key::ROOT, |at, place| {
            let child = self.children(at).nth(*place as usize);
            child.map(|(key, _)| key).ok_or_else(|| TreeError::NoNode(id.clone()))
        })
    }

    /// All nodes, oldest first: parents before children.
    pub fn nodes(&self) -> impl Iterator<Item = (Key, &Node<S>)> {
        self.nodes.iter().enumerate().map(|(index, node)| (Key::of_index(index), node))
    }

    /// The children of a node, oldest first.
    pub fn children(&self, key: Key) -> impl Iterator<Item = (Key, &Node<S>)> {
        let with_node = |key: Key| (key, self.node(key));
        std::iter::successors(self.node(key).first.map(with_node), move |(_, node)| node.next.map(with_node))
    }

    /// A node and those above it, up to the root.
    pub fn ancestors(&self, key: Key) -> impl Iterator<Item = (Key, &Node<S>)> {
        let with_node = |key: Key| (key, self.node(key));
        std::iter::successors(Some(with_node(key)), move |(_, node)| node.parent.map(with_node))
    }

    /// The open nodes that have no children, oldest first.
    pub fn frontier(&self) -> impl Iterator<Item = (Key, &Node<S>)> {
        self.frontier.iter().map(|key| (*key, self.node(*key)))
    }

    /// The number of open nodes that have no children.
    pub fn frontier_len(&self) -> usize {
        self.frontier.size()
    }

    /// What all nodes together cost.
    pub fn cost(&self) -> u64 {
        self.cost
    }

    /// What is known of a node's worth: its own score, or else that of the nearest node above that has one. `None` if there
    /// is none.
    pub fn estimate(&self, key: Key) -> Option<f64> {
        self.ancestors(key).find_map(|(_, node)| node.score())
    }
}

fn check_score<S>(child: &Child<S>, parent: impl FnOnce() -> NodeId) -> Result<(), TreeError> {
    match child.verdict.score {
        Some(score) if !(0.0..=1.0).contains(&score) => Err(TreeError::Score { parent: parent(), score }),
        _ => Ok(()),
    }
}
