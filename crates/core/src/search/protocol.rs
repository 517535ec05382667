//! The messages between a driver and the search.

use std::ops::Range;

use crate::control::Control;
use crate::ids::{AgentId, JobId, NodeId, StepId, TacticId};
use crate::policy::{Backup, CycleRule, Expansion, Selection, StopReason, Valuation, Widening};
use crate::schedule::Obstacle;
use crate::tree::{Child, Identity, Status};

/// The configuration of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// When two obligations share a node.
    pub identity: Identity,
    /// The selection policy.
    pub selection: Selection,
    /// The constant `c` of `ucb1` and `puct`: the weight of exploration.
    pub exploration: f64,
    /// The exponent `alpha` of the depth reward of `best-first`; 0 ignores depth.
    pub depth_reward: f64,
    /// How many candidates become steps.
    pub expansion: Expansion,
    /// When a node with live steps tries further candidates under `first-novel`; `None` means only when all its steps are
    /// exhausted.
    pub widening: Option<Widening>,
    /// How values are backed up.
    pub backup: Backup,
    /// The factor that `product` applies to the value of every step, in (0, 1]. Below 1, longer proofs have lower values.
    pub step_discount: f32,
    /// The treatment of cyclic previews.
    pub cycle_rule: CycleRule,
    /// Previews that would create nodes below this depth are rejected.
    pub max_depth: Option<u32>,
    /// How agents share the tree.
    pub control: Control,
    /// The initial value of nodes for which no provider gives one, in (0, 1).
    pub default_value: f32,
    /// The root seed of the attempt.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            identity: Identity::Checkpoint,
            selection: Selection::Puct,
            exploration: 0.0,
            depth_reward: 0.0,
            expansion: Expansion::All,
            widening: None,
            backup: Backup::Product,
            step_discount: 1.0,
            cycle_rule: CycleRule::Reject,
            max_depth: None,
            control: Control::default(),
            default_value: 0.5,
            seed: 0,
        }
    }
}

impl Config {
    /// Whether selection or backup needs statistics of steps.
    pub(super) fn looks_at_steps(&self) -> bool {
        self.selection == Selection::Puct || self.backup != Backup::Uniform
    }

    /// How values are computed.
    pub(super) fn valuation(&self) -> Valuation {
        Valuation { rule: self.backup, discount: self.step_discount, estimate: self.default_value }
    }
}

/// The answer to [`super::Search::ask`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// Expand this node.
    Job(Job),
    /// The iteration is over, because the agent met an obstacle. It is already counted; no report follows.
    Pass(Pass),
    /// Nothing to do now, because everything open is in flight; ask again after the next [`super::Search::tell`].
    Wait,
    /// Nothing below the focus can be reserved now; elsewhere something may be. Only with a focus
    /// ([`super::Search::focus`]).
    OutOfFocus,
    /// The search has ended ([`StopReason::Proved`], [`StopReason::Exhausted`] or [`StopReason::Blocked`]).
    Done(StopReason),
}

/// An iteration that ended at an obstacle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pass {
    /// The agent.
    pub agent: AgentId,
    /// The node; after reroutes, the last one tried.
    pub node: NodeId,
    /// The obstacle.
    pub obstacle: Obstacle,
}

/// A node that an agent could not reserve, and the obstacle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Detour {
    /// The node.
    pub node: NodeId,
    /// The obstacle.
    pub obstacle: Obstacle,
}

/// How an agent reached the node that it reserved, or the obstacle at which its iteration ended.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Approach {
    /// The number of the reservation or pass; both are numbered together, from 0.
    pub number: u64,
    /// The number of iterations finished at that time, to which the obstacles refer.
    pub after: u64,
    /// The score of the last choice on the path; `None` if no finite scores were compared.
    pub score: Option<f64>,
    /// The numbers of the reservations then in flight, in order.
    pub in_flight: Vec<u64>,
    /// The obstacles that the agent met before, in order.
    pub detours: Vec<Detour>,
    /// The nodes whose blocks it lifted, in order.
    pub lifted: Vec<NodeId>,
}

/// A node reserved for expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// The id of the reservation.
    pub id: JobId,
    /// The agent that holds it.
    pub agent: AgentId,
    /// The node to expand.
    pub node: NodeId,
    /// The order in which to try the candidates.
    pub order: CandidateOrder,
    /// Whether the node was already reserved. Expansions of a node must not overlap: this one may begin only after
    /// the earlier ones have been reported.
    pub collides: bool,
}

/// The order in which a node's candidates are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CandidateOrder {
    /// As ranked by provider and ranker.
    Ranked,
    /// Shuffled with this seed.
    Shuffled(u64),
}

/// The result of an expansion. Reusable: [`Report::clear`] keeps the allocations.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub(super) steps: Vec<NewStep>,
    pub(super) children: Vec<Child>,
    /// Number of tactic applications.
    pub candidates: u32,
    /// The log-prior of the best untried candidate; `None` if none is left.
    pub next_log_prior: Option<f32>,
    /// The provider's estimate in [0, 1] of the probability that the node is provable, if it gave one.
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

    /// Clears the report.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.children.clear();
        (self.candidates, self.next_log_prior, self.value) = (0, None, None);
    }
}

/// The changes made by a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The steps added, in the order of the report.
    pub steps: Range<usize>,
    /// The nodes created.
    pub nodes: Range<usize>,
    /// The new status of the expanded node.
    pub node: Status,
    /// The new status of the root.
    pub root: Status,
}

impl Told {
    /// The steps added.
    pub fn step_ids(&self) -> impl Iterator<Item = StepId> + use<> {
        self.steps.clone().map(StepId::from_index)
    }
}
