//! Full traces of searches on the synthetic environment, to measure what tracing costs.

use std::path::Path;
use std::sync::Arc;

use andor_artifact::background::BackgroundWriter;
use andor_artifact::files::FileError;
use andor_artifact::trace::{
    AttemptOutcome, Iteration, IterationReason, ScoredTactic, TraceAttempt, TraceEvent, TraceNode, TraceTree,
};
use andor_artifact::version::Kind;
use andor_core::ids::{NodeId, TacticId};
use andor_core::search::{Job, Told};
use andor_core::tree::Status;

use super::engine::Engine;
use crate::simulate::problem::Candidate;

/// Writes the trace of a search.
pub(super) struct Tracer {
    writer: BackgroundWriter<TraceEvent>,
    /// The names of nodes, as every search keeps them.
    nodes: Vec<Arc<str>>,
    /// The names of tactics.
    tactics: Vec<Arc<str>>,
    provider: Arc<str>,
    max_depth: u32,
}

impl Tracer {
    pub(super) fn create(path: &Path) -> Result<Self, FileError> {
        Ok(Self {
            writer: BackgroundWriter::create(path, Kind::Trace)?,
            nodes: Vec::new(),
            tactics: Vec::new(),
            provider: "synthetic".into(),
            max_depth: 0,
        })
    }

    pub(super) fn finish(self) -> Result<(), FileError> {
        self.writer.finish()
    }

    pub(super) fn write(&mut self, engine: &Engine, job: &Job, told: &Told) {
        let tree = engine.search().tree();
        for index in self.nodes.len()..tree.n_nodes() {
            let node = NodeId::from_index(index);
            self.nodes.push(format!("cp{index}:{:016x}", tree.key(node).0).into());
            self.max_depth = self.max_depth.max(tree.depth(node));
        }
        for index in self.tactics.len()..engine.search().tactics().len() {
            self.tactics.push(engine.search().tactics().text(TacticId::from_index(index)).into());
        }
        let record = self.record(engine, job, told);
        self.writer.write(TraceEvent::Iteration(Box::new(record)));
    }

    fn name(&self, node: NodeId) -> Arc<str> {
        Arc::clone(&self.nodes[node.index()])
    }

    fn record(&self, engine: &Engine, job: &Job, told: &Told) -> Iteration {
        let (search, tree) = (engine.search(), engine.search().tree());
        let goal_type: Arc<str> = format!("{:016x}", tree.key(job.node).0).into();
        let sig: Arc<str> = tree.coarse(job.node).to_string().into();
        let mut path = vec![job.node];
        while let Some((_, parent)) = tree.creator(path[path.len() - 1]) {
            path.push(parent);
        }
        let step_of = |tactic: TacticId| told.step_ids().find(|&s| tree.tactic(s) == tactic);
        let text = |tactic: TacticId| &self.tactics[tactic.index()];
        let attempts = engine.candidates().iter().map(|&Candidate { tactic, .. }| {
            let step = step_of(tactic);
            TraceAttempt {
                tactic: Arc::clone(text(tactic)),
                outcome: if step.is_some() { AttemptOutcome::Success } else { AttemptOutcome::Failure },
                child_mvar_ids: step
                    .into_iter()
                    .flat_map(|s| tree.children(s))
                    .map(|n| self.name(n))
                    .collect(),
                timestamp_ms: search.spent().attempts,
                tactic_norm: Arc::clone(text(tactic)),
                goal_sig: Arc::clone(&sig),
                goal_sig_strict: Arc::clone(&sig),
                goal_type: Arc::clone(&goal_type),
                block_reason: None,
                provider_id: Arc::clone(&self.provider),
                error: None,
            }
        });
        let tactics = engine
            .candidates()
            .iter()
            .map(|c| ScoredTactic { tactic: Arc::clone(text(c.tactic)), score: f64::from(c.log_prior) });
        let record = search.stats().node(job.node);
        let status = tree.status(job.node);
        let expanded = !told.steps.is_empty();
        Iteration {
            iteration: search.spent().iterations,
            reason: if expanded { IterationReason::Expanded } else { IterationReason::NoExpansion },
            agent_id: job.agent.0,
            selected_path: path.iter().rev().map(|&n| self.name(n)).collect(),
            node: TraceNode {
                mvar_id: self.name(job.node),
                goal_type: Arc::clone(&goal_type),
                goal_sig: Arc::clone(&sig),
                goal_sig_strict: Arc::clone(&sig),
                visit_count: record.visits,
                success_count: f64::from(record.success),
                is_terminal: status == Status::Proved && tree.distance(job.node) == Some(1),
                is_dead: status == Status::Exhausted,
                depth: tree.depth(job.node),
            },
            attempts: attempts.collect(),
            tactics: tactics.collect(),
            expanded,
            terminal_reached: status == Status::Proved && tree.distance(job.node) == Some(1),
            backprop_success: expanded,
            tree: TraceTree {
                nodes: tree.n_nodes() as u64,
                expansions: search.spent().expansions,
                max_depth: self.max_depth,
                solved: told.root == Status::Proved,
                aborted: false,
                inflight: 0,
            },
            timestamp_ms: search.spent().attempts,
            collision: job.collides,
            new_nodes: Vec::new(),
            next_score: None,
            value: None,
            block: None,
            delay: None,
            reroute: Vec::new(),
        }
    }
}
