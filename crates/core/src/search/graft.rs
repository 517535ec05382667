//! Grafts: steps that are added from outside, below a node that no agent was asked to expand.
//!
//! A grafted step is a step like any other: it counts for statuses, values and proofs. But it is no iteration and no
//! expansion: nothing is counted as visited, and the node's own candidates are still to be asked for, unless the step
//! is to be the only one.

use super::{Guard, NewStep, Search, Told};
use crate::ids::{NodeId, StepId, TacticId};
use crate::policy::{CycleRule, revalue};
use crate::stats::Path;
use crate::tree::{Child, Phase, Status};

/// A step to be grafted.
#[derive(Clone, Copy, Debug)]
pub struct Scion<'a> {
    /// The tactic.
    pub tactic: TacticId,
    /// Its log-prior.
    pub log_prior: f32,
    /// The obligations that it leaves, in goal order.
    pub children: &'a [Child],
    /// Whether the node's own candidates are out of the question.
    pub is_only: bool,
}

impl Search {
    /// Adds a step at a node.
    ///
    /// # Panics
    ///
    /// If the node is exhausted: a status is final.
    pub fn graft(&mut self, node: NodeId, scion: &Scion<'_>) -> Told {
        assert!(self.tree.status(node) != Status::Exhausted, "{node} is exhausted");
        let (first_step, first_node) = (self.tree.n_steps(), self.tree.n_nodes());
        let &Scion { tactic, log_prior, children, is_only } = scion;
        let step = NewStep { tactic, log_prior, children: 0..children.len() };
        self.grow(node, &step, children);
        self.grafts.push(StepId::from_index(first_step));
        if is_only {
            self.tree.set_phase(node, Phase::Complete);
            self.one_way.insert(node);
        }
        let mut path = Path::default();
        path.follow_creators(&self.tree, node);
        revalue(self.config.valuation(), &self.tree, &mut self.stats, &path);
        self.spent.nodes = self.tree.n_nodes() as u64;
        self.insert_open(node);
        self.insert_awakened();
        Told {
            steps: first_step..self.tree.n_steps(),
            nodes: first_node..self.tree.n_nodes(),
            node: self.tree.status(node),
            root: self.tree.status(self.tree.root()),
        }
    }

    /// Whether a step was grafted.
    pub fn is_grafted(&self, step: StepId) -> bool {
        self.grafts.binary_search(&step).is_ok()
    }

    /// The number of grafted steps.
    pub fn n_grafted(&self) -> usize {
        self.grafts.len()
    }

    /// The guard that decides which previews may be grafted at a node. A script is finite, so its steps may lead back
    /// to an obligation on the path; only a step that leads to its own node in a graph is rejected.
    pub fn guard_of_grafts(&self, node: NodeId) -> Guard {
        Guard { cycle_rule: CycleRule::Reject, ..self.guard_on(&[], node) }
    }

    /// The number of reservations and passes so far. It tells when a step was grafted.
    pub fn n_approaches(&self) -> u64 {
        self.n_approaches
    }
}
