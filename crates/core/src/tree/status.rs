//! Incremental updates of statuses, distances and relevance, without recursion, and only where something changes.
//! [`super::recompute`] defines the expected results.

use super::data::HUGE_PROOF;
use super::{Phase, Status, Tree};
use crate::ids::{NodeId, SlotId, StepId};

impl Tree {
    /// Records the expansion of `node`, and settles it if no candidate or step is left.
    pub(crate) fn set_phase(&mut self, node: NodeId, phase: Phase) {
        debug_assert!(phase != Phase::Fresh, "a node never becomes fresh again");
        self.nodes[node.index()].phase = phase;
        self.exhaust_if_hopeless(node);
        self.propagate();
    }

    /// Retracts a step of a claimed proof that the checker rejected. The step counts as exhausted from now on, and
    /// all statuses are recomputed.
    pub fn refute(&mut self, step: StepId) {
        self.steps[step.index()].refuted = true;
        self.recompute();
    }

    /// Settles the step that was just added at the end of its node's list. `status` is what follows from its children.
    pub(super) fn settle_new(&mut self, id: StepId, status: Status) {
        match status {
            Status::Exhausted => self.exhaust_step(id),
            Status::Proved => self.prove_step(id),
            Status::Open => {
                let node = &self.nodes[self.step_node(id).index()];
                if node.status == Status::Open && node.live_parents > 0 {
                    self.enliven(id);
                }
            }
        }
        self.propagate();
    }

    /// Propagates settled nodes and shorter proofs to parents until nothing changes.
    fn propagate(&mut self) {
        while let Some(node) = self.agenda.pop_front() {
            let mut next = self.nodes[node.index()].first_parent;
            while let Some(slot) = next {
                next = self.links[slot.index()].next;
                self.tell_parent(slot);
            }
        }
    }

    fn tell_parent(&mut self, slot: SlotId) {
        let (child, id) = (self.children[slot.index()], self.links[slot.index()].step);
        match self.nodes[child.index()].status {
            Status::Open => unreachable!("only settled nodes are on the agenda"),
            Status::Exhausted => {
                if self.steps[id.index()].status == Status::Open {
                    self.exhaust_step(id);
                }
            }
            Status::Proved => match self.steps[id.index()].status {
                Status::Exhausted => {}
                // A child has a shorter proof.
                Status::Proved => self.shorten(id),
                Status::Open => {
                    if self.children(id).all(|c| self.status(c) == Status::Proved) {
                        self.prove_step(id);
                    }
                }
            },
        }
    }

    fn prove_step(&mut self, id: StepId) {
        self.steps[id.index()].status = Status::Proved;
        self.cut(id);
        let node = self.steps[id.index()].node;
        if self.nodes[node.index()].status == Status::Open {
            self.nodes[node.index()].status = Status::Proved;
            self.cut_all(node);
        }
        self.shorten(id);
    }

    /// Updates a node's distance if the proof by step `id` is its shortest so far.
    fn shorten(&mut self, id: StepId) {
        let distance = self.step_distance(id);
        let node = self.steps[id.index()].node;
        if distance < self.nodes[node.index()].distance {
            self.nodes[node.index()].distance = distance;
            self.agenda.push_back(node);
        }
    }

    /// 1 + the distances of the children of a proved step.
    pub(super) fn step_distance(&self, id: StepId) -> u32 {
        let children = self.children(id).map(|c| self.nodes[c.index()].distance);
        children.fold(1, |sum: u32, d| sum.saturating_add(d)).min(HUGE_PROOF)
    }

    fn exhaust_step(&mut self, id: StepId) {
        self.steps[id.index()].status = Status::Exhausted;
        self.cut(id);
        let node = self.steps[id.index()].node;
        self.nodes[node.index()].n_live_steps -= 1;
        self.exhaust_if_hopeless(node);
    }

    fn exhaust_if_hopeless(&mut self, id: NodeId) {
        let node = &mut self.nodes[id.index()];
        if node.status == Status::Open && node.phase == Phase::Complete && node.n_live_steps == 0 {
            node.status = Status::Exhausted;
            self.agenda.push_back(id);
        }
    }

    /// Marks all steps at `node` as no longer live.
    fn cut_all(&mut self, node: NodeId) {
        let mut next = self.nodes[node.index()].first_step;
        while let Some(step) = next {
            next = self.steps[step.index()].next;
            self.cut(step);
        }
    }

    /// Marks step `id` as no longer live. Children without another live parent become irrelevant, and so on
    /// downwards.
    fn cut(&mut self, id: StepId) {
        let mut next = Some(id);
        while let Some(id) = next {
            let step = &mut self.steps[id.index()];
            if std::mem::replace(&mut step.live, false) {
                for child in &self.children[step.slots()] {
                    let child = &mut self.nodes[child.index()];
                    child.live_parents -= 1;
                    if child.live_parents == 0 {
                        let steps = std::iter::successors(child.first_step, |s| self.steps[s.index()].next);
                        self.cuts.extend(steps);
                    }
                }
            }
            next = self.cuts.pop();
        }
    }

    /// Marks step `id` as live. Children that had no other live parent become relevant, and so on downwards.
    pub(super) fn enliven(&mut self, id: StepId) {
        let mut next = Some(id);
        while let Some(id) = next {
            let step = &mut self.steps[id.index()];
            if step.status == Status::Open && !std::mem::replace(&mut step.live, true) {
                for &id in &self.children[step.slots()] {
                    let child = &mut self.nodes[id.index()];
                    child.live_parents += 1;
                    if child.live_parents == 1 && child.status == Status::Open {
                        let steps = std::iter::successors(child.first_step, |s| self.steps[s.index()].next);
                        self.cuts.extend(steps);
                        self.awakened.push(id);
                    }
                }
            }
            next = self.cuts.pop();
        }
    }
}
