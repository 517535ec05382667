//! Computes statuses, distances and relevance from scratch: slow but obviously correct. The checker compares the
//! incremental updates with it, and [`Tree::refute`], which is rare, uses it directly.

use super::data::{HUGE_PROOF, NO_PROOF};
use super::{Phase, Status, Tree};
use crate::ids::{NodeId, StepId};

/// Everything about nodes and steps that follows from structure, phases and refutations.
pub(super) struct Settled {
    pub(super) nodes: Vec<Status>,
    pub(super) steps: Vec<Status>,
    pub(super) distances: Vec<u32>,
    /// Which nodes are connected with the root by open nodes and open steps.
    pub(super) relevant: Vec<bool>,
}

impl Tree {
    pub(super) fn settle_from_scratch(&self) -> Settled {
        let mut settled = Settled {
            nodes: vec![Status::Open; self.n_nodes()],
            steps: vec![Status::Open; self.n_steps()],
            distances: vec![NO_PROOF; self.n_nodes()],
            relevant: vec![false; self.n_nodes()],
        };
        // Least fixpoints by repeated sweeps. Most children are younger than their parents, so backward sweeps need
        // few rounds; in a tree, two.
        while self.sweep(&mut settled) {}
        self.reach(&mut settled);
        settled
    }

    /// One sweep over all steps, then nodes. Returns whether anything changed.
    fn sweep(&self, settled: &mut Settled) -> bool {
        let mut changed = false;
        for node in self.nodes().rev() {
            let mut best = NO_PROOF;
            let (mut any_proved, mut all_exhausted) = (false, true);
            for step in self.steps(node) {
                let status = self.step_from_children(step, settled);
                changed |= std::mem::replace(&mut settled.steps[step.index()], status) != status;
                any_proved |= status == Status::Proved;
                all_exhausted &= status == Status::Exhausted;
                if status == Status::Proved {
                    let children = self.children(step).map(|c| settled.distances[c.index()]);
                    best = best.min(children.fold(1u32, u32::saturating_add).min(HUGE_PROOF));
                }
            }
            let status = if any_proved {
                Status::Proved
            } else if all_exhausted && self.phase(node) == Phase::Complete {
                Status::Exhausted
            } else {
                Status::Open
            };
            changed |= std::mem::replace(&mut settled.nodes[node.index()], status) != status;
            changed |= std::mem::replace(&mut settled.distances[node.index()], best) != best;
        }
        changed
    }

    fn step_from_children(&self, step: StepId, settled: &Settled) -> Status {
        let children = || self.children(step).map(|c| settled.nodes[c.index()]);
        if self.steps[step.index()].refuted || children().any(|c| c == Status::Exhausted) {
            Status::Exhausted
        } else if children().all(|c| c == Status::Proved) {
            Status::Proved
        } else {
            Status::Open
        }
    }

    fn reach(&self, settled: &mut Settled) {
        let mut stack = vec![self.root()];
        settled.relevant[self.root().index()] = true;
        while let Some(node) = stack.pop() {
            if settled.nodes[node.index()] != Status::Open {
                continue;
            }
            for step in self.steps(node).filter(|s| settled.steps[s.index()] == Status::Open) {
                for child in self.children(step) {
                    if !std::mem::replace(&mut settled.relevant[child.index()], true) {
                        stack.push(child);
                    }
                }
            }
        }
    }

    /// Replaces the statuses by recomputed ones. Every open, relevant node counts as newly awakened.
    pub(super) fn recompute(&mut self) {
        let settled = self.settle_from_scratch();
        for (node, (status, distance)) in
            self.nodes.iter_mut().zip(settled.nodes.iter().zip(&settled.distances))
        {
            (node.status, node.distance) = (*status, *distance);
            (node.n_live_steps, node.live_parents) = (0, 0);
        }
        self.nodes[0].live_parents = 1;
        for id in self.all_steps() {
            let step = &mut self.steps[id.index()];
            let node = step.node;
            step.status = settled.steps[id.index()];
            step.live = step.status == Status::Open
                && settled.nodes[node.index()] == Status::Open
                && settled.relevant[node.index()];
            if step.status != Status::Exhausted {
                self.nodes[node.index()].n_live_steps += 1;
            }
            if step.live {
                for child in &self.children[step.slots()] {
                    self.nodes[child.index()].live_parents += 1;
                }
            }
        }
        let awake = |n: &NodeId| self.status(*n) == Status::Open && self.is_relevant(*n);
        self.awakened = self.nodes().filter(awake).collect();
    }
}
