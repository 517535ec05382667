//! The driver's side of the tree: which obligation each node stands for, which checkpoint each step made,
//! which candidates wait; and the records made from it.

use std::collections::HashMap;
use std::sync::Arc;

use andor_artifact::assembly::{Assembly, AssemblyStep, WinningStep};
use andor_artifact::graph::{Graph, GraphNode, GraphStatus, GraphStep};
use andor_artifact::trace::{
    Abort, Iteration, IterationReason, ScoredTactic, TraceAttempt, TraceNode, TraceTree,
};
use andor_artifact::version::{Kind, Opening};
use andor_core::goal::Goal;
use andor_core::ids::{NodeId, StepId};
use andor_core::policy::StopReason;
use andor_core::search::{Job, Search, Told};
use andor_core::signature::Signatures;
use andor_core::tree::Status;
use andor_env::session::{CheckpointId, Obligation, Session};
use andor_provider::contract::Candidate;
use tokio::time::Instant;

use super::Found;
use super::expand::Expanded;

/// What is known of nodes and steps beside the tree.
pub struct Ledger {
    session: Arc<Session>,
    nodes: Vec<NodeEntry>,
    steps: Vec<StepEntry>,
    waiting: HashMap<NodeId, Vec<Candidate>>,
    max_depth: u32,
    search: Option<Search>,
}

struct NodeEntry {
    obligation: Obligation,
    name: Arc<str>,
    goals: Arc<[Goal]>,
    signatures: Signatures,
}

impl NodeEntry {
    fn new(session: &Session, obligation: Obligation) -> Self {
        Self {
            obligation,
            name: session.scoped_name(obligation).as_str().into(),
            goals: session.goals(obligation),
            signatures: session.signatures(obligation),
        }
    }
}

struct StepEntry {
    checkpoint: CheckpointId,
}

/// How attempts get their timestamps.
pub(super) enum Stamps<'a> {
    Virtual { next_ms: &'a mut u64, tactic_ms: u64 },
    Wall { began: Instant },
}

impl Stamps<'_> {
    fn stamp(&mut self, finished: Instant) -> u64 {
        match self {
            Self::Virtual { next_ms, tactic_ms } => {
                **next_ms += *tactic_ms;
                **next_ms
            }
            Self::Wall { began } => {
                u64::try_from(finished.duration_since(*began).as_millis()).unwrap_or(u64::MAX)
            }
        }
    }
}

impl Ledger {
    pub(super) fn new(session: &Arc<Session>) -> Self {
        Self {
            session: Arc::clone(session),
            nodes: vec![NodeEntry::new(session, session.root())],
            steps: Vec::new(),
            waiting: HashMap::new(),
            max_depth: 0,
            search: None,
        }
    }

    pub(super) fn obligation(&self, node: NodeId) -> Obligation {
        self.nodes[node.index()].obligation
    }

    pub(super) fn name(&self, node: NodeId) -> &Arc<str> {
        &self.nodes[node.index()].name
    }

    pub(super) fn checkpoint(&self, step: StepId) -> CheckpointId {
        self.steps[step.index()].checkpoint
    }

    pub(super) fn take_waiting(&mut self, node: NodeId) -> Option<Vec<Candidate>> {
        self.waiting.remove(&node)
    }

    pub(super) fn put_waiting(&mut self, node: NodeId, candidates: Vec<Candidate>) {
        if !candidates.is_empty() {
            self.waiting.insert(node, candidates);
        }
    }

    /// Takes in the nodes and steps that the search added.
    pub(super) fn grow(&mut self, search: &Search, told: &Told, expanded: &Expanded) {
        for (step, committed) in told.step_ids().zip(&expanded.steps) {
            self.steps.push(StepEntry { checkpoint: committed.checkpoint });
            for (node, (obligation, _)) in search.tree().children(step).zip(&committed.children) {
                if node.index() == self.nodes.len() {
                    self.nodes.push(NodeEntry::new(&self.session, *obligation));
                    self.max_depth = self.max_depth.max(search.tree().depth(node));
                }
            }
        }
    }

    /// The trace record of an iteration that the search was just told.
    pub(super) fn iteration(
        &self,
        search: &Search,
        job: &Job,
        path: &[NodeId],
        expanded: &Expanded,
        in_flight: u64,
        mut stamps: Stamps<'_>,
    ) -> Iteration {
        let entry = &self.nodes[job.node.index()];
        let goal_type: Arc<str> = entry.goals.first().map_or("", |g| g.target.text.as_str()).into();
        let goal_sig: Arc<str> = entry.signatures.coarse.to_string().into();
        let goal_sig_strict: Arc<str> = entry.signatures.strict.to_string().into();
        let first_step = search.tree().n_steps() - expanded.steps.len();
        let attempts = expanded.attempts.iter().map(|a| {
            let children = a.step.map(|s| search.tree().children(StepId::from_index(first_step + s)));
            TraceAttempt {
                tactic: a.candidate.tactic.as_str().into(),
                outcome: a.outcome,
                child_mvar_ids: children.into_iter().flatten().map(|n| Arc::clone(self.name(n))).collect(),
                timestamp_ms: stamps.stamp(a.finished),
                tactic_norm: Arc::clone(&a.tactic_norm),
                goal_sig: goal_sig.clone(),
                goal_sig_strict: goal_sig_strict.clone(),
                goal_type: goal_type.clone(),
                block_reason: None,
                provider_id: Arc::clone(&a.candidate.provider),
                error: a.error.clone(),
            }
        });
        let attempts: Vec<TraceAttempt> = attempts.collect();
        let record = search.stats().node(job.node);
        let status = search.tree().status(job.node);
        let is_terminal = status == Status::Proved && search.tree().distance(job.node) == Some(1);
        let has_steps = !expanded.steps.is_empty();
        let reason = match (has_steps, &expanded.attempts[..]) {
            (true, _) => IterationReason::Expanded,
            (false, []) if expanded.asked_provider => IterationReason::NoExpansion,
            (false, []) => IterationReason::NoGoal,
            (false, _) => IterationReason::NoExpansion,
        };
        Iteration {
            iteration: search.spent().iterations,
            reason,
            agent_id: job.agent.0,
            selected_path: path.iter().map(|&n| Arc::clone(self.name(n))).collect(),
            node: TraceNode {
                mvar_id: Arc::clone(&entry.name),
                goal_type,
                goal_sig,
                goal_sig_strict,
                visit_count: record.visits,
                success_count: f64::from(record.success),
                is_terminal,
                is_dead: status == Status::Exhausted,
                depth: search.tree().depth(job.node),
            },
            tactics: attempts
                .iter()
                .zip(&expanded.attempts)
                .map(|(a, tried)| ScoredTactic {
                    tactic: Arc::clone(&a.tactic),
                    score: tried.candidate.log_prior,
                })
                .collect(),
            attempts,
            expanded: has_steps,
            terminal_reached: is_terminal,
            backprop_success: has_steps,
            tree: self.tree(search, false, in_flight),
            timestamp_ms: 0,
            collision: job.collides,
            new_nodes: Vec::new(),
            next_score: None,
            value: None,
            block: None,
            delay: None,
            reroute: Vec::new(),
        }
    }

    /// The record of a search that ended without a proof.
    pub(super) fn abort(&self, search: &Search, stop: StopReason) -> Abort {
        Abort {
            iteration: search.spent().iterations,
            reason: stop.name().to_owned(),
            tree: self.tree(search, true, search.n_in_flight() as u64),
            tree_digest: format!("{:016x}", search.digest()),
        }
    }

    fn tree(&self, search: &Search, aborted: bool, inflight: u64) -> TraceTree {
        let tree = search.tree();
        TraceTree {
            nodes: tree.n_nodes() as u64,
            expansions: search.spent().expansions,
            max_depth: self.max_depth,
            solved: tree.status(tree.root()) == Status::Proved,
            aborted,
            inflight,
        }
    }

    /// Keeps the search for the records made at the end.
    pub(super) fn finish(&mut self, search: Search) {
        self.search = Some(search);
    }

    fn search(&self) -> &Search {
        self.search.as_ref().expect("records are made when the search has ended")
    }

    /// The tree's digest, in hexadecimal.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.search().digest())
    }

    /// The record of all nodes and steps.
    pub fn graph(&self, theorem: &str) -> Graph {
        let (search, tree) = (self.search(), self.search().tree());
        let status = |status| match status {
            Status::Open => GraphStatus::Open,
            Status::Proved => GraphStatus::Proved,
            Status::Exhausted => GraphStatus::Exhausted,
        };
        let nodes = tree.nodes().zip(&self.nodes).map(|(id, entry)| {
            let record = search.stats().node(id);
            GraphNode {
                id: id.to_string(),
                mvar_id: entry.name.to_string(),
                goals: entry.goals.iter().map(ToString::to_string).collect(),
                goal_sig: entry.signatures.coarse.to_string(),
                goal_sig_strict: entry.signatures.strict.to_string(),
                textual_sig: entry.signatures.textual,
                status: status(tree.status(id)),
                depth: tree.depth(id),
                visit_count: record.visits,
                success_count: f64::from(record.success),
                value: f64::from(search.value(id)),
                distance: tree.distance(id),
            }
        });
        let steps = tree.all_steps().map(|id| GraphStep {
            id: id.to_string(),
            node: tree.step_node(id).to_string(),
            tactic: search.tactics().text(tree.tactic(id)).to_owned(),
            log_prior: f64::from(tree.log_prior(id)),
            status: status(tree.step_status(id)),
            children: tree.children(id).map(|c| c.to_string()).collect(),
        });
        Graph {
            opening: Opening::new(Kind::Graph),
            theorem: theorem.to_owned(),
            tree_digest: self.digest(),
            nodes: nodes.collect(),
            steps: steps.collect(),
        }
    }

    /// The record of the committed steps and the winning tree.
    pub fn assembly(&self, theorem: &str, found: Option<&Found>) -> Assembly {
        let (search, tree) = (self.search(), self.search().tree());
        let steps = tree.all_steps().map(|id| AssemblyStep {
            step: id.to_string(),
            target_mvar_id: self.name(tree.step_node(id)).to_string(),
            tactic: search.tactics().text(tree.tactic(id)).to_owned(),
            child_mvar_ids: tree.children(id).map(|c| self.name(c).to_string()).collect(),
        });
        let winning = found.map(|found| {
            let steps = found.proof.steps.iter().zip(&found.script.steps);
            let steps = steps.map(|(proof, script)| WinningStep {
                step: proof.step.to_string(),
                script: script.text.clone(),
                children: script.children.clone(),
            });
            steps.collect()
        });
        Assembly {
            opening: Opening::new(Kind::Assembly),
            theorem: theorem.to_owned(),
            steps: steps.collect(),
            winning,
        }
    }
}
