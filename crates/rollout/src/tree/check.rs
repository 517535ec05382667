//! The laws of trees, recomputed from scratch.

use std::collections::HashSet;

use super::{Key, Tree};

impl<S> Tree<S> {
    /// What breaks the laws of trees, if anything does: ids are unique and found again, parents come before children,
    /// places count up, the frontier is the open nodes without children, and below a pruned node none is open.
    /// It costs O(n · depth), and is meant for tests.
    pub fn objection(&self) -> Option<String> {
        let mut ids = HashSet::new();
        for (key, node) in self.nodes() {
            let id = self.id(key);
            if self.find(&id) != Ok(key) {
                return Some(format!("{id} is not found again"));
            }
            if !ids.insert(id.clone()) {
                return Some(format!("two nodes have the id {id}"));
            }
            if let Some(parent) = node.parent() {
                let above = self.node(parent);
                if parent >= key || above.depth() + 1 != node.depth() {
                    return Some(format!("{id} is before its parent, or not just below it"));
                }
                if !above.is_open() && node.is_open() {
                    return Some(format!("{id} is open, and what is above it is not"));
                }
                if node.visits() > above.visits() {
                    return Some(format!("{id} was visited more often than its parent"));
                }
            } else if key != Key::ROOT {
                return Some(format!("{id} has no parent"));
            }
            let places: Vec<u32> = self.children(key).map(|(_, child)| child.place()).collect();
            if !places.iter().copied().eq(0..node.n_children()) {
                return Some(format!("the children of {id} have the places {places:?}"));
            }
        }
        let frontier = self.nodes().filter(|(_, node)| node.is_open() && node.n_children() == 0);
        if !self.frontier().map(|(key, _)| key).eq(frontier.map(|(key, _)| key)) {
            return Some("the frontier is not the open nodes without children".to_owned());
        }
        let solutions = self.nodes().filter(|(_, node)| node.is_solution());
        if !self.solutions().map(|(key, _)| key).eq(solutions.map(|(key, _)| key)) {
            return Some("the solutions kept are not those of the tree".to_owned());
        }
        None
    }
}
