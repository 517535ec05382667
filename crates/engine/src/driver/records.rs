//! The trace records of each iteration, and of the beginning and the end.

use std::sync::Arc;

use andor_artifact::trace::{
    Abort, GivenUp, Iteration, IterationReason, NewNode, Proved, ScoredTactic, Start, TraceAttempt,
    TraceNode, TraceTree,
};
use andor_core::ids::{AgentId, NodeId, StepId};
use andor_core::policy::StopReason;
use andor_core::search::{Approach, Job, Pass, Told};
use andor_core::tree::Status;
use tokio::time::Instant;

use super::Driver;
use super::expansion::Expanded;
use crate::approach::{Written, obstructed, written};
use crate::event::Event;

/// How an agent reached a node. Known only while the job is reserved.
pub(super) struct Way {
    pub(super) path: Vec<NodeId>,
    approach: Approach,
}

impl Driver<'_> {
    pub(super) fn way(&self, job: &Job) -> Way {
        Way { path: self.search.path(job.id).to_vec(), approach: self.search.approach(job.id).clone() }
    }

    /// The data needed to rebuild the tree.
    pub(super) fn start_record(&self) -> Start {
        let theorem = self.tools.session.theorem();
        Start {
            theorem: theorem.id.clone(),
            system: theorem.system.name().to_owned(),
            statement_digest: theorem.digest(),
            config: serde_json::to_value(self.config).expect("a configuration is JSON"),
            root: self.new_node(self.search.tree().root(), None),
        }
    }

    fn new_node(&self, node: NodeId, value: Option<f32>) -> NewNode {
        let tree = self.search.tree();
        NewNode {
            mvar_id: Arc::clone(self.ledger.name(node)),
            goal_type: self.ledger.goal_type(node),
            goal_coarse: format!("{:016x}", tree.coarse(node).0).into(),
            goal_key: format!("{:016x}", tree.key(node).0).into(),
            value: value.map(f64::from),
        }
    }

    /// The record of an expansion that was just reported to the search.
    pub(super) fn expansion_record(
        &self,
        job: &Job,
        way: Way,
        expanded: &Expanded,
        told: &Told,
    ) -> Iteration {
        let has_steps = !expanded.steps.is_empty();
        let reason = match (has_steps, &expanded.attempts[..]) {
            (true, _) => IterationReason::Expanded,
            (false, []) if !expanded.is_first => IterationReason::NoGoal,
            (false, _) => IterationReason::NoExpansion,
        };
        let record = self.record(job.agent, job.node, reason, &way);
        Iteration {
            collision: job.collides,
            attempts: self.attempts(&record.node, expanded),
            tactics: expanded.attempts.iter().map(|a| scored(&a.candidate)).collect(),
            expanded: has_steps,
            backprop_success: has_steps,
            new_nodes: self.new_nodes(expanded, told),
            next_score: expanded.waiting.first().map(|c| c.log_prior),
            value: expanded.value.map(f64::from),
            ..record
        }
    }

    /// The nodes that a report created, each with its initial value.
    pub(super) fn new_nodes(&self, expanded: &Expanded, told: &Told) -> Vec<NewNode> {
        let mut records: Vec<NewNode> = Vec::with_capacity(told.nodes.len());
        for (step, committed) in told.step_ids().zip(&expanded.steps) {
            for (node, (_, child)) in self.search.tree().children(step).zip(&committed.children) {
                if node.index() == told.nodes.start + records.len() {
                    records.push(self.new_node(node, child.value));
                }
            }
        }
        records
    }

    fn attempts(&self, node: &TraceNode, expanded: &Expanded) -> Vec<TraceAttempt> {
        let tree = self.search.tree();
        let first_step = tree.n_steps() - expanded.steps.len();
        let record = |a: &super::expansion::Attempt| {
            let children = a.step.map(|s| tree.children(StepId::from_index(first_step + s)));
            let names = children.into_iter().flatten().map(|n| Arc::clone(self.ledger.name(n)));
            TraceAttempt {
                tactic: a.candidate.tactic.as_str().into(),
                outcome: a.outcome,
                child_mvar_ids: names.collect(),
                timestamp_ms: a.timestamp_ms,
                tactic_norm: Arc::clone(&a.tactic_norm),
                goal_sig: Arc::clone(&node.goal_sig),
                goal_sig_strict: Arc::clone(&node.goal_sig_strict),
                goal_type: Arc::clone(&node.goal_type),
                block_reason: a.block_reason.clone(),
                provider_id: Arc::clone(&a.candidate.provider),
                error: a.error.clone(),
            }
        };
        expanded.attempts.iter().map(record).collect()
    }

    /// The record of a skipped iteration.
    pub(super) fn skip_record(&self, job: &Job, way: Way) -> Iteration {
        let reason = match self.search.tree().status(job.node) {
            Status::Proved => IterationReason::TerminalNode,
            Status::Open | Status::Exhausted => IterationReason::DeadNode,
        };
        Iteration { collision: job.collides, ..self.record(job.agent, job.node, reason, &way) }
    }

    /// The record of an iteration that met an obstacle.
    pub(super) fn pass_record(&self, pass: &Pass) -> Iteration {
        let approach = self.search.approach_before_pass().clone();
        let interventions = &self.search.config().control.interventions;
        let (reason, block, delay) = obstructed(pass.obstacle, approach.after, interventions);
        let way = Way { path: self.search.path_to(pass.node), approach };
        Iteration { block, delay, ..self.record(pass.agent, pass.node, reason, &way) }
    }

    /// The fields common to all iterations.
    fn record(&self, agent: AgentId, node: NodeId, reason: IterationReason, way: &Way) -> Iteration {
        let (search, tree) = (&self.search, self.search.tree());
        let record = search.stats().node(node);
        let status = tree.status(node);
        let is_terminal = status == Status::Proved && tree.distance(node) == Some(1);
        let signatures = self.ledger.signatures(node);
        let Written { reservation, reroute, lifted } = self.written(&way.approach);
        Iteration {
            iteration: search.spent().iterations,
            reason,
            agent_id: agent.0,
            timestamp_ms: self.pace.stamp(Instant::now()),
            collision: false,
            selected_path: self.names(&way.path),
            node: TraceNode {
                mvar_id: Arc::clone(self.ledger.name(node)),
                goal_type: self.ledger.goal_type(node),
                goal_sig: signatures.coarse.to_string().into(),
                goal_sig_strict: signatures.strict.to_string().into(),
                visit_count: record.visits,
                success_count: f64::from(record.success),
                is_terminal,
                is_dead: status == Status::Exhausted,
                depth: tree.depth(node),
            },
            tactics: Vec::new(),
            attempts: Vec::new(),
            expanded: false,
            terminal_reached: is_terminal,
            backprop_success: false,
            tree: self.tree_record(false),
            new_nodes: Vec::new(),
            next_score: None,
            value: None,
            block: None,
            delay: None,
            reroute,
            lifted,
            reservation: Some(reservation),
        }
    }

    fn written(&self, approach: &Approach) -> Written {
        written(approach, &self.search.config().control.interventions, |node| {
            Arc::clone(self.ledger.name(node))
        })
    }

    /// The reservations cancelled at the end of the search, by number.
    fn given_up(&self) -> Vec<GivenUp> {
        let mut given_up: Vec<GivenUp> = self
            .search
            .jobs()
            .map(|(job, agent)| GivenUp {
                agent_id: agent.0,
                selected_path: self.names(self.search.path(job)),
                reservation: self.written(self.search.approach(job)).reservation,
            })
            .collect();
        given_up.sort_by_key(|g| g.reservation.number);
        given_up
    }

    /// The names of the obligations that a step leaves.
    pub(super) fn names_of_children(&self, step: StepId) -> Vec<Arc<str>> {
        self.names(&self.search.tree().children(step).collect::<Vec<_>>())
    }

    fn names(&self, nodes: &[NodeId]) -> Vec<Arc<str>> {
        nodes.iter().map(|&n| Arc::clone(self.ledger.name(n))).collect()
    }

    /// The record of the end of the search.
    pub(super) fn end_record(&self, stop: StopReason) -> Event {
        let (iteration, tree_digest) =
            (self.search.spent().iterations, format!("{:016x}", self.search.digest()));
        let given_up = self.given_up();
        match stop {
            StopReason::Proved => {
                Event::Proved(Proved { iteration, tree: self.tree_record(false), tree_digest, given_up })
            }
            stop => {
                let (reason, tree) = (stop.name().to_owned(), self.tree_record(true));
                Event::Abort(Abort { iteration, reason, tree, tree_digest, given_up })
            }
        }
    }

    pub(super) fn tree_record(&self, aborted: bool) -> TraceTree {
        let tree = self.search.tree();
        TraceTree {
            nodes: tree.n_nodes() as u64,
            expansions: self.search.spent().expansions,
            max_depth: self.ledger.max_depth(),
            solved: tree.status(tree.root()) == Status::Proved,
            aborted,
            inflight: self.search.n_in_flight() as u64,
        }
    }
}

fn scored(candidate: &andor_provider::contract::Candidate) -> ScoredTactic {
    ScoredTactic { tactic: candidate.tactic.as_str().into(), score: candidate.log_prior }
}
