//! Queries on the tree.

use super::data::{HUGE_PROOF, NO_PROOF};
use super::{Identity, Phase, Status, Tree};
use crate::ids::{NodeId, StepId, TacticId};
use crate::signature::{GoalKey, GoalSig};

impl Tree {
    /// The number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The number of steps.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// When two obligations share one node here.
    pub fn identity(&self) -> Identity {
        self.identity
    }

    /// Every node, in creation order.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::from_index)
    }

    /// Every step, in creation order.
    pub fn all_steps(&self) -> impl DoubleEndedIterator<Item = StepId> + use<> {
        (0..self.steps.len()).map(StepId::from_index)
    }

    /// The steps at `node`, oldest first.
    pub fn steps(&self, node: NodeId) -> impl Iterator<Item = StepId> + '_ {
        std::iter::successors(self.nodes[node.index()].first_step, |s| self.steps[s.index()].next)
    }

    /// The children of `step`, in goal order. An alias occurs more than once.
    pub fn children(&self, step: StepId) -> impl ExactSizeIterator<Item = NodeId> + '_ {
        self.children[self.steps[step.index()].slots()].iter().copied()
    }

    /// The steps that lead to `node`, youngest first; a step occurs twice if `node` is an alias in it.
    pub fn parents(&self, node: NodeId) -> impl Iterator<Item = StepId> + '_ {
        std::iter::successors(self.nodes[node.index()].first_parent, |s| self.links[s.index()].next)
            .map(|slot| self.links[slot.index()].step)
    }

    /// The step that created `node`, and that step's node; `None` for the root.
    ///
    /// Every node is younger than its creator, so following creators leads to the root, even in a graph.
    pub fn creator(&self, node: NodeId) -> Option<(StepId, NodeId)> {
        self.nodes[node.index()].creator
    }

    /// The status of a node.
    pub fn status(&self, node: NodeId) -> Status {
        self.nodes[node.index()].status
    }

    /// How far the candidates of a node have been tried.
    pub fn phase(&self, node: NodeId) -> Phase {
        self.nodes[node.index()].phase
    }

    /// Whether the node was expanded, or has steps without that.
    pub(crate) fn has_grown(&self, node: NodeId) -> bool {
        self.phase(node) != Phase::Fresh || self.nodes[node.index()].first_step.is_some()
    }

    /// The number of steps between the root and the node when it was created.
    pub fn depth(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].depth
    }

    /// The coarse signature of a node's obligation.
    pub fn coarse(&self, node: NodeId) -> GoalSig {
        self.nodes[node.index()].coarse
    }

    /// The key of a node's obligation.
    pub fn key(&self, node: NodeId) -> GoalKey {
        self.nodes[node.index()].key
    }

    /// Whether a proof of the node could contribute to a proof of the root: some chain of open steps and open nodes
    /// leads up to it. In a graph, nodes on a cycle that is disconnected from the root may still count as relevant.
    pub fn is_relevant(&self, node: NodeId) -> bool {
        self.nodes[node.index()].live_parents > 0
    }

    /// The number of steps in the smallest known proof of a proved node, where shared subproofs count each time they
    /// are used. `None` if unproved, or if the number does not fit in 32 bits.
    pub fn distance(&self, node: NodeId) -> Option<u32> {
        match self.nodes[node.index()].distance {
            NO_PROOF | HUGE_PROOF => None,
            distance => Some(distance),
        }
    }

    /// The node at which a step was applied.
    pub fn step_node(&self, step: StepId) -> NodeId {
        self.steps[step.index()].node
    }

    /// The status of a step.
    pub fn step_status(&self, step: StepId) -> Status {
        self.steps[step.index()].status
    }

    /// The tactic of a step.
    pub fn tactic(&self, step: StepId) -> TacticId {
        self.steps[step.index()].tactic
    }

    /// The log-prior of a step's tactic (natural logarithm, at most 0).
    pub fn log_prior(&self, step: StepId) -> f32 {
        self.steps[step.index()].log_prior
    }
}
