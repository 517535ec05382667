//! The words that a driver and the search exchange.

use std::ops::Range;

use crate::control::Control;
use crate::ids::{AgentId, JobId, NodeId, StepId, TacticId};
use crate::policy::{Backup, CycleRule, Expansion, Selection, StopReason};
use crate::schedule::Obstacle;
use crate::tree::{Child, Identity, Status};

/// The choice of parts that makes an algorithm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// When two obligations share a node.
    pub identity: Identity,
    /// Where to work.
    pub selection: Selection,
    /// How many candidates become steps.
    pub expansion: Expansion,
    /// How values follow from results.
    pub backup: Backup,
    /// What happens to cyclic previews.
    pub cycle_rule: CycleRule,
    /// Previews that would create nodes below this depth are rejected.
    pub max_depth: Option<u32>,
    /// How agents share the tree.
    pub control: Control,
    /// The estimate for a node for which no provider gives one, in (0, 1).
    pub default_value: f32,
    /// The root seed of the attempt.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            identity: Identity::Checkpoint,
            selection: Selection::Puct { c: 0.0 },
            expansion: Expansion::All,
            backup: Backup::Product { discount: 1.0 },
            cycle_rule: CycleRule::Reject,
            max_depth: None,
            control: Control::default(),
            default_value: 0.5,
            seed: 0,
        }
    }
}

impl Config {
    /// Whether selection or back-up keeps records of steps.
    pub(super) fn looks_at_steps(&self) -> bool {
        matches!(self.selection, Selection::Puct { .. }) || self.backup != Backup::Uniform
    }
}

/// The answer to [`super::Search::ask`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// Work: expand this node.
    Job(Job),
    /// The iteration is over: the agent ran into an obstacle. It is counted, and nothing is to be told.
    Pass(Pass),
    /// Nothing now; ask again after the next [`super::Search::tell`], because everything open is in flight.
    Wait,
    /// The search has ended ([`StopReason::Proved`], [`StopReason::Exhausted`] or [`StopReason::Blocked`]).
    Done(StopReason),
}

/// An iteration that ended at an obstacle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pass {
    /// Whose.
    pub agent: AgentId,
    /// The node; of several that were tried, the last.
    pub node: NodeId,
    /// What is in the way.
    pub obstacle: Obstacle,
}

/// A node that an agent would have reserved, and what was in the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Detour {
    /// The node.
    pub node: NodeId,
    /// What is in the way.
    pub obstacle: Obstacle,
}

/// How an agent came to the node that it reserved, or to the obstacle at which its iteration ended.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Approach {
    /// Reservations and passes are numbered together, in their order, from 0.
    pub number: u64,
    /// How many iterations were finished when the agent came. What is in its way is told as of then.
    pub after: u64,
    /// The score by which the last choice on the way was made; `None` where nothing was compared by a finite score.
    pub score: Option<f64>,
    /// The numbers of the reservations in flight when the agent came, in order.
    pub in_flight: Vec<u64>,
    /// What the agent ran into before, in order.
    pub detours: Vec<Detour>,
    /// The nodes whose block it lifted, in order.
    pub lifted: Vec<NodeId>,
}

/// A node reserved for expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// Names the reservation.
    pub id: JobId,
    /// Who reserved it.
    pub agent: AgentId,
    /// The node to expand.
    pub node: NodeId,
    /// The order in which candidates are to be tried.
    pub order: CandidateOrder,
    /// Whether the node was reserved already. Expansions of one node must not overlap: this one begins when the
    /// earlier ones have been told.
    pub collides: bool,
}

/// The order in which a node's candidates are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CandidateOrder {
    /// As the provider and the ranker left them.
    Ranked,
    /// Shuffled by a generator with this seed.
    Shuffled(u64),
}

/// What came of expanding a node. Reusable: [`Report::clear`] keeps the space.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub(super) steps: Vec<NewStep>,
    pub(super) children: Vec<Child>,
    /// Tactic applications made.
    pub candidates: u32,
    /// The log-prior of the best candidate left to try; `None` when none is left.
    pub next_log_prior: Option<f32>,
    /// The provider's estimate in [0, 1] of the chance to prove the expanded node, if it gave one.
    pub value: Option<f32>,
}

#[derive(Clone, Debug)]
pub(super) struct NewStep {
    pub(super) tactic: TacticId,
    pub(super) log_prior: f32,
    pub(super) children: Range<usize>,
}

impl Report {
    /// Adds a step: a committed tactic with its children, one per obligation, in goal order.
    pub fn push_step(&mut self, tactic: TacticId, log_prior: f32, children: &[Child]) {
        debug_assert!(log_prior <= 0.0 && log_prior.is_finite(), "a log-prior is finite and at most 0");
        let first = self.children.len();
        self.children.extend_from_slice(children);
        self.steps.push(NewStep { tactic, log_prior, children: first..self.children.len() });
    }

    /// Whether any step was added.
    pub fn has_steps(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Empties the report.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.children.clear();
        (self.candidates, self.next_log_prior, self.value) = (0, None, None);
    }
}

/// What changed by telling a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The steps added, in the order of the report.
    pub steps: Range<usize>,
    /// The nodes created.
    pub nodes: Range<usize>,
    /// The expanded node's status now.
    pub node: Status,
    /// The root's status now.
    pub root: Status,
}

impl Told {
    /// The steps added.
    pub fn step_ids(&self) -> impl Iterator<Item = StepId> + use<> {
        self.steps.clone().map(StepId::from_index)
    }
}
