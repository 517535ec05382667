//! The search: a passive state machine that is *asked* for jobs and *told* results.
//!
//! It owns the tree, does no I/O, reads no clock and spawns nothing. The same reports in the same order
//! give the same tree, digest for digest. A driver around it owns processes, providers, time and
//! cancellation:
//!
//! ```
//! use andor_core::ids::AgentId;
//! use andor_core::search::{Ask, Config, Report, Search};
//! use andor_core::signature::{GoalKey, GoalSig};
//! use andor_core::tree::Child;
//!
//! let child = |id: u64| Child { coarse: GoalSig(id), key: GoalKey(id), value: None };
//! let mut search = Search::new(Config::default(), child(0));
//! let split = search.tactics_mut().intern("split");
//! let trivial = search.tactics_mut().intern("trivial");
//!
//! let mut report = Report::default();
//! while let Ask::Job(job) = search.ask(AgentId(0)) {
//!     report.clear();
//!     // The root splits into two goals, each of which `trivial` closes.
//!     if job.node == search.tree().root() {
//!         report.push_step(split, -0.5, &[child(1), child(2)]);
//!     } else {
//!         report.push_step(trivial, -0.1, &[]);
//!     }
//!     search.tell(job.id, &report);
//! }
//! assert_eq!(search.tree().extract().unwrap().steps.len(), 3);
//! ```

mod ask;
mod check;
mod focus;
mod follow;
mod graft;
mod guard;
mod protocol;

use std::sync::Arc;

use rand::RngExt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ids::{AgentId, JobId, NodeId, StepId};
use crate::policy::{
    Backup, Frontier, Priority, Queue, Rank, Selection, Spent, StepScore, back_up, node_value, scale,
    step_value, unscale,
};
use crate::rng::{Purpose, Rng, stream};
use crate::schedule::{ObstacleVisits, Schedule};
use crate::stats::{NodeStats, Path, Stats, StepStats, take_one};
use crate::tactic::Tactics;
use crate::tree::{Child, Identity, Phase, Status, Tree};

pub use graft::Scion;
pub use guard::{Admission, Guard};
pub use protocol::{Approach, Ask, CandidateOrder, Config, Detour, Job, Pass, Report, Told};

use focus::Focus;
use protocol::NewStep;

/// A search for a proof of one root obligation.
#[derive(Debug, Clone)]
pub struct Search {
    config: Config,
    tree: Tree,
    tactics: Tactics,
    stats: Stats,
    open: OpenNodes,
    ties: Rng,
    candidates: Rng,
    /// Whether the seed has influenced a choice.
    is_seeded: bool,
    reservations: Vec<Reservation>,
    /// The number of counted reservations of each node.
    reserved: FxHashMap<NodeId, u32>,
    next_job: u64,
    /// The number of reservations and passes so far.
    n_approaches: u64,
    schedule: Schedule,
    agents: Vec<Agent>,
    /// The approach of the current request, until its node is reserved.
    approach: Approach,
    spent: Spent,
    spare_path: Path,
    scores: Vec<StepScore>,
    /// The steps that were grafted, ascending.
    grafts: Vec<StepId>,
    /// Nodes that nothing but a grafted step may prove.
    one_way: FxHashSet<NodeId>,
    focus: Option<Focus>,
}

/// The state of an agent.
#[derive(Clone, Debug, Default)]
struct Agent {
    /// The number of its finished iterations.
    iterations: u64,
    /// The path of its last reservation; kept only if a bias uses it.
    previous: Path,
}

/// A reserved node, and the path to it.
#[derive(Clone, Debug)]
struct Reservation {
    job: JobId,
    agent: AgentId,
    path: Path,
    approach: Approach,
    /// Whether the path is included in the in-flight counts. Counting is deferred until another agent asks, so that a
    /// search with one agent never counts.
    counted: bool,
}

/// The data of a released reservation.
struct Released {
    agent: AgentId,
    path: Path,
    /// The obstacles that the agent met before it selected the node.
    detours: Vec<Detour>,
}

/// The data structure that a selection policy keeps about open nodes.
#[derive(Debug, Clone)]
enum OpenNodes {
    /// None: descents find them in the tree.
    InTree,
    Bag(Frontier, Rng),
    Queue(Queue),
}

impl Search {
    /// A search whose tree consists of the root.
    ///
    /// # Panics
    ///
    /// If collisions or obstacles are configured for a policy without descent.
    pub fn new(config: Config, root: Child) -> Self {
        Self::with_priority(config, root, None)
    }

    /// The same, with a priority of the program's own. Only [`Selection::BestFirst`] asks it.
    ///
    /// # Panics
    ///
    /// Like [`Self::new`].
    pub fn with_priority(config: Config, root: Child, own: Option<Arc<dyn Priority>>) -> Self {
        let open = match config.selection {
            Selection::Ucb1 | Selection::Puct => OpenNodes::InTree,
            Selection::BlindUniform => {
                OpenNodes::Bag(Frontier::default(), stream(config.seed, Purpose::Selection))
            }
            Selection::BestFirst => {
                let rank = own.map_or(Rank::DepthReward(config.depth_reward), Rank::Own);
                OpenNodes::Queue(Queue::new(rank, stream(config.seed, Purpose::Ties).random()))
            }
        };
        let schedule = Schedule::new(config.control.interventions);
        let walks = matches!(open, OpenNodes::InTree);
        assert!(
            walks || (schedule.is_idle() && !config.control.collisions),
            "only agents that walk collide and run into obstacles"
        );
        let mut search = Self {
            tree: Tree::new(config.identity, root),
            tactics: Tactics::new(),
            stats: Stats::default(),
            open,
            ties: stream(config.seed, Purpose::Ties),
            candidates: stream(config.seed, Purpose::Candidates),
            is_seeded: false,
            reservations: Vec::new(),
            reserved: FxHashMap::default(),
            next_job: 0,
            n_approaches: 0,
            schedule,
            agents: Vec::new(),
            approach: Approach::default(),
            spent: Spent { nodes: 1, ..Spent::default() },
            spare_path: Path::default(),
            scores: Vec::new(),
            grafts: Vec::new(),
            one_way: FxHashSet::default(),
            focus: None,
            config,
        };
        search.push_stats(root.value);
        if let OpenNodes::Queue(queue) = &mut search.open {
            queue.record_path(search.tree.root(), None);
        }
        search.insert_open(search.tree.root());
        search
    }

    /// How the agent reached the node that it reserved.
    ///
    /// # Panics
    ///
    /// If `job` is not reserved.
    pub fn approach(&self, job: JobId) -> &Approach {
        &self.reservation(job).approach
    }

    /// How the agent reached the node of the last [`Ask::Pass`].
    pub fn approach_before_pass(&self) -> &Approach {
        &self.approach
    }

    /// Whether the node was blocked at its first encounter; `None` if there was none, or if blocking is disabled.
    pub fn was_blocked(&self, node: NodeId) -> Option<bool> {
        self.config.control.interventions.block.and_then(|_| self.schedule.was_blocked(node))
    }

    /// The number of finished iterations by agent number, up to the last agent that finished one.
    pub fn iterations_by_agent(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        self.agents.iter().map(|a| a.iterations)
    }

    /// The guard that decides which previews of the job's node may be committed. It is self-contained, so it can be
    /// sent to the task that makes the previews.
    pub fn guard(&self, job: &Job) -> Guard {
        self.guard_on(self.path(job.id), job.node)
    }

    fn guard_on(&self, path: &[NodeId], node: NodeId) -> Guard {
        let ancestors = match self.config.identity {
            Identity::Checkpoint => {
                // An obligation that can be proved in one way only may come again below, where it can in others.
                let others = path.iter().filter(|n| !self.one_way.contains(n));
                others.map(|&n| self.tree.coarse(n)).collect()
            }
            Identity::Strict => Vec::new(),
        };
        Guard {
            identity: self.config.identity,
            cycle_rule: self.config.cycle_rule,
            at_max_depth: self.config.max_depth.is_some_and(|max| self.tree.depth(node) >= max),
            own: self.tree.key(node),
            ancestors,
        }
    }

    /// Processes the report of a job: grows the tree, settles statuses, backs up values, and releases the
    /// reservation.
    ///
    /// # Panics
    ///
    /// If `job` is not reserved (it was told or abandoned before).
    pub fn tell(&mut self, job: JobId, report: &Report) -> Told {
        let Released { agent, path, detours } = self.release(job);
        let node = path.end();
        let (first_step, first_node) = (self.tree.n_steps(), self.tree.n_nodes());
        for step in &report.steps {
            self.grow(node, step, &report.children[step.children.clone()]);
        }
        if let (Some(log_prior), OpenNodes::Queue(queue)) = (report.next_log_prior, &mut self.open) {
            queue.record_next(node, log_prior);
        }
        let phase = if report.next_log_prior.is_some() { Phase::Partial } else { Phase::Complete };
        self.tree.set_phase(node, phase);
        self.back_up(&path, report);
        self.finish_iteration(agent, &detours);
        self.spent.expansions += u64::from(report.has_steps());
        self.spent.candidates += u64::from(report.candidates);
        self.spent.nodes = self.tree.n_nodes() as u64;
        self.insert_open(node);
        self.insert_awakened();
        self.spare_path = path;
        Told {
            steps: first_step..self.tree.n_steps(),
            nodes: first_node..self.tree.n_nodes(),
            node: self.tree.status(node),
            root: self.tree.status(self.tree.root()),
        }
    }

    /// Ends an iteration without work, because another agent has settled the node.
    ///
    /// # Panics
    ///
    /// If `job` is not reserved.
    pub fn skip(&mut self, job: JobId) {
        let Released { agent, path, detours } = self.release(job);
        self.back_up(&path, &Report::default());
        self.finish_iteration(agent, &detours);
        self.insert_open(path.end());
        self.spare_path = path;
    }

    /// Releases a reservation without a result; the node can be selected again.
    ///
    /// # Panics
    ///
    /// If `job` is not reserved.
    pub fn abandon(&mut self, job: JobId) {
        let Released { path, .. } = self.release(job);
        self.insert_open(path.end());
        self.spare_path = path;
    }

    /// Releases all reservations at the end of the search.
    pub fn abandon_all(&mut self) {
        while let Some(reservation) = self.reservations.last() {
            self.abandon(reservation.job);
        }
    }

    /// Retracts the claimed proof that `step` completed, because the checker rejected it. The step counts as
    /// exhausted from now on, and the search can continue.
    pub fn refute(&mut self, step: StepId) {
        self.tree.refute(step);
        let by = self.config.valuation();
        if by.rule != Backup::Uniform {
            for node in self.tree.nodes().rev() {
                for step in self.tree.steps(node) {
                    let value = step_value(by, &self.tree, &self.stats, step);
                    self.stats.steps[step.index()].value = value;
                }
                if self.tree.has_grown(node) {
                    self.stats.values[node.index()] = node_value(by, &self.tree, &self.stats, node);
                }
            }
        }
        self.insert_awakened();
    }

    /// Whether a seed has influenced anything so far. If not, the same reports give the same tree under every seed.
    pub fn is_seeded(&self) -> bool {
        self.is_seeded || self.schedule.has_drawn()
    }

    /// The path of a reservation, root first.
    ///
    /// # Panics
    ///
    /// If `job` is not reserved.
    pub fn path(&self, job: JobId) -> &[NodeId] {
        &self.reservation(job).path.nodes
    }

    /// The path on which a node was created, root first.
    pub fn path_to(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = Path::default();
        path.follow_creators(&self.tree, node);
        path.nodes
    }

    fn reservation(&self, job: JobId) -> &Reservation {
        self.reservations.iter().find(|r| r.job == job).expect("the job is reserved")
    }

    /// The reservations, each with its agent.
    pub fn jobs(&self) -> impl Iterator<Item = (JobId, AgentId)> + '_ {
        self.reservations.iter().map(|r| (r.job, r.agent))
    }

    /// The number of reservations.
    pub fn n_in_flight(&self) -> usize {
        self.reservations.len()
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The statistics.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The search's estimate of the probability that a node is provable (see [`Backup`]).
    pub fn value(&self, node: NodeId) -> f32 {
        match self.config.backup {
            Backup::Uniform => self.stats.node(node).mean().unwrap_or(self.config.default_value),
            rule @ (Backup::AndMin | Backup::Product) => unscale(rule, self.stats.values[node.index()]),
        }
    }

    /// The priority of a node in the queue of [`crate::policy::Selection::BestFirst`], which selects the maximum;
    /// `None` under other policies.
    pub fn priority(&self, node: NodeId) -> Option<f64> {
        match &self.open {
            OpenNodes::Queue(queue) => Some(queue.priority_of(node)),
            OpenNodes::InTree | OpenNodes::Bag(..) => None,
        }
    }

    /// Whether a node has candidates left, and is neither proved nor exhausted.
    pub fn is_open(&self, node: NodeId) -> bool {
        self.tree.status(node) == Status::Open && self.tree.phase(node) != Phase::Complete
    }

    /// The table of tactics.
    pub fn tactics(&self) -> &Tactics {
        &self.tactics
    }

    /// The table of tactics, for additions.
    pub fn tactics_mut(&mut self) -> &mut Tactics {
        &mut self.tactics
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The budget spent so far.
    pub fn spent(&self) -> &Spent {
        &self.spent
    }

    /// The tree's digest (see [`Tree::digest`]).
    pub fn digest(&self) -> u64 {
        self.tree.digest(&self.tactics)
    }

    fn agent(&mut self, agent: AgentId) -> &mut Agent {
        let index = agent.0 as usize;
        if self.agents.len() <= index {
            self.agents.resize_with(index + 1, Agent::default);
        }
        &mut self.agents[index]
    }

    fn release(&mut self, job: JobId) -> Released {
        let place = self.reservations.iter().position(|r| r.job == job);
        let reservation = self.reservations.swap_remove(place.expect("a job is told or abandoned once"));
        if reservation.counted {
            self.stats.arrive(&reservation.path);
            take_one(&mut self.reserved, &reservation.path.end());
        }
        let Reservation { agent, path, approach: Approach { detours, .. }, .. } = reservation;
        Released { agent, path, detours }
    }

    fn grow(&mut self, node: NodeId, step: &NewStep, children: &[Child]) {
        let id = self.tree.add_step(node, step.tactic, step.log_prior, children);
        for (slot, child) in self.tree.steps[id.index()].slots().zip(children) {
            let child_id = self.tree.children[slot];
            if child_id.index() >= self.stats.nodes.len() {
                self.push_stats(child.value);
            }
            self.extend_focus(node, child_id);
            if let OpenNodes::Queue(queue) = &mut self.open {
                let known = child_id.index() < self.spent.nodes as usize;
                if queue.record_path(child_id, Some((node, step.log_prior))) && known {
                    // A better path to a node that may be waiting: queue it again with its new priority.
                    self.tree.awakened.push(child_id);
                }
            }
        }
        if self.config.looks_at_steps() {
            let value = match self.config.backup {
                Backup::Uniform => 0.0,
                Backup::AndMin | Backup::Product => {
                    step_value(self.config.valuation(), &self.tree, &self.stats, id)
                }
            };
            self.stats.steps.push(StepStats { visits: 0, success: 0.0, value });
        }
    }

    /// Adds the record of a new node.
    fn push_stats(&mut self, value: Option<f32>) {
        self.stats.nodes.push(NodeStats { visits: 0, success: 0.0 });
        if let OpenNodes::Queue(queue) = &mut self.open {
            queue.record_value(value);
        }
        if self.config.backup != Backup::Uniform {
            let estimate = value.unwrap_or(self.config.default_value);
            self.stats.values.push(scale(self.config.backup, estimate));
        }
    }

    /// Backs up the reward of an expansion: 1 if it proved its node, 0 if it added no step, and otherwise the
    /// provider's value for the node, or 1 if there is none.
    fn back_up(&mut self, path: &Path, report: &Report) {
        let reward = match self.tree.status(path.end()) {
            Status::Proved => 1.0,
            Status::Open | Status::Exhausted if !report.has_steps() => 0.0,
            Status::Open | Status::Exhausted => report.value.unwrap_or(1.0),
        };
        back_up(self.config.valuation(), &self.tree, &mut self.stats, path, reward);
    }

    /// Counts an iteration, and the obstacles bypassed in it.
    fn finish_iteration(&mut self, agent: AgentId, detours: &[Detour]) {
        if self.config.control.interventions.visits == ObstacleVisits::All {
            let mut path = Path::default();
            for detour in detours {
                path.follow_creators(&self.tree, detour.node);
                self.back_up_failure(&path);
            }
        }
        self.spent.iterations += 1;
        self.agent(agent).iterations += 1;
    }

    fn back_up_failure(&mut self, path: &Path) {
        back_up(self.config.valuation(), &self.tree, &mut self.stats, path, 0.0);
    }

    fn insert_awakened(&mut self) {
        if matches!(self.open, OpenNodes::InTree) {
            return self.tree.awakened.clear();
        }
        let mut awakened = std::mem::take(&mut self.tree.awakened);
        for node in awakened.drain(..) {
            self.insert_open(node);
        }
        self.tree.awakened = awakened;
    }

    fn insert_open(&mut self, node: NodeId) {
        if matches!(self.open, OpenNodes::InTree) || !self.is_open(node) || !self.is_in_focus(node) {
            return;
        }
        match &mut self.open {
            OpenNodes::InTree => {}
            OpenNodes::Bag(frontier, _) => frontier.insert(node),
            OpenNodes::Queue(queue) => queue.push(node),
        }
    }
}

#[cfg(test)]
mod tests;
