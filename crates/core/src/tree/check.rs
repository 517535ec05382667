//! Invariant checker: recomputes everything from scratch and compares. Tests run it after every change.
//!
//! The invariants: links agree, depths follow creation, statuses equal their recomputation, a settled node has a
//! reason, and relevance is consistent.

use super::{Identity, Status, Tree};
use crate::ids::{NodeId, SlotId, StepId};

/// A description of a violated invariant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Violation(pub String);

impl Tree {
    /// All violated invariants; empty if there are none.
    pub fn check(&self) -> Vec<Violation> {
        let mut found = Vec::new();
        self.check_links(&mut found);
        self.check_statuses(&mut found);
        self.check_relevance(&mut found);
        found
    }

    fn check_links(&self, found: &mut Vec<Violation>) {
        let mut fail = |text: String| found.push(Violation(text));
        let mut seen_steps = vec![false; self.n_steps()];
        for node in self.nodes() {
            let mut previous = None;
            for step in self.steps(node) {
                if self.step_node(step) != node {
                    fail(format!("{step} is listed at {node} but says {}", self.step_node(step)));
                }
                if previous.is_some_and(|p| p >= step) {
                    fail(format!("the steps of {node} are not in order at {step}"));
                }
                previous = Some(step);
                seen_steps[step.index()] = true;
            }
            if self.nodes[node.index()].last_step != previous {
                fail(format!("{node} has a wrong last step"));
            }
            if node != self.root() {
                self.check_creator(node, &mut fail);
            }
        }
        for step in self.all_steps().filter(|s| !seen_steps[s.index()]) {
            fail(format!("{step} is in no node's list"));
        }
        self.check_slots(&mut fail);
    }

    fn check_creator(&self, node: NodeId, fail: &mut impl FnMut(String)) {
        let Some((step, creator)) = self.creator(node) else {
            return fail(format!("{node} has no creator"));
        };
        if self.step_node(step) != creator || !self.children(step).any(|c| c == node) {
            fail(format!("{node} was not created by {step} at {creator}"));
        }
        if creator >= node {
            fail(format!("{node} is not younger than its creator {creator}"));
        }
        if self.depth(node) != self.depth(creator) + 1 {
            fail(format!("{node} has depth {}, its creator {}", self.depth(node), self.depth(creator)));
        }
        let mut parents: Vec<StepId> = self.parents(node).collect();
        parents.dedup();
        if self.identity() == Identity::Checkpoint && parents.len() > 1 {
            fail(format!("{node} has several parents in a tree: {parents:?}"));
        }
    }

    fn check_slots(&self, fail: &mut impl FnMut(String)) {
        let mut from_parents = vec![0; self.children.len()];
        for node in self.nodes() {
            let mut next = self.nodes[node.index()].first_parent;
            while let Some(slot) = next {
                from_parents[slot.index()] += 1;
                if self.children[slot.index()] != node {
                    fail(format!("{slot} is listed as a parent of {node} but leads elsewhere"));
                }
                next = self.links[slot.index()].next;
            }
        }
        let mut from_steps = vec![0; self.children.len()];
        for step in self.all_steps() {
            let data = &self.steps[step.index()];
            for slot in data.slots() {
                from_steps[slot] += 1;
                if self.links[slot].step != step {
                    let (slot, says) = (SlotId::from_index(slot), self.links[slot].step);
                    fail(format!("{slot} belongs to {step} but says {says}"));
                }
            }
        }
        for (index, counts) in from_parents.iter().zip(&from_steps).enumerate() {
            if counts != (&1, &1) {
                fail(format!("{} is linked {counts:?} times", SlotId::from_index(index)));
            }
        }
    }

    fn check_statuses(&self, found: &mut Vec<Violation>) {
        let settled = self.settle_from_scratch();
        let mut fail = |text: String| found.push(Violation(text));
        for node in self.nodes() {
            let (cached, right) = (self.status(node), settled.nodes[node.index()]);
            if cached != right {
                fail(format!("{node} is {cached:?}, should be {right:?}"));
            }
            let (cached, right) = (self.nodes[node.index()].distance, settled.distances[node.index()]);
            if cached != right {
                fail(format!("{node} has distance {cached}, should have {right}"));
            }
            let live = self.steps(node).filter(|s| settled.steps[s.index()] != Status::Exhausted).count();
            if self.nodes[node.index()].n_live_steps as usize != live {
                fail(format!(
                    "{node} counts {} live steps, has {live}",
                    self.nodes[node.index()].n_live_steps
                ));
            }
            if settled.relevant[node.index()] && !self.is_relevant(node) {
                fail(format!("{node} is connected with the root but not relevant"));
            }
        }
        for step in self.all_steps() {
            let (cached, right) = (self.step_status(step), settled.steps[step.index()]);
            if cached != right {
                fail(format!("{step} is {cached:?}, should be {right:?}"));
            }
        }
        if !self.agenda.is_empty() || !self.cuts.is_empty() {
            fail("unfinished upkeep".to_owned());
        }
    }

    fn check_relevance(&self, found: &mut Vec<Violation>) {
        let mut fail = |text: String| found.push(Violation(text));
        let mut live_parents = vec![0u32; self.n_nodes()];
        live_parents[0] = 1;
        for step in self.all_steps() {
            let node = self.step_node(step);
            let live = self.step_status(step) == Status::Open
                && self.status(node) == Status::Open
                && self.is_relevant(node);
            if self.steps[step.index()].live != live {
                fail(format!("{step} should have live = {live}"));
            }
            if live {
                self.children(step).for_each(|c| live_parents[c.index()] += 1);
            }
        }
        for node in self.nodes() {
            let cached = self.nodes[node.index()].live_parents;
            if cached != live_parents[node.index()] {
                fail(format!("{node} counts {cached} live parents, has {}", live_parents[node.index()]));
            }
        }
    }
}
