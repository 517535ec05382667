//! Writes full traces of searches on the synthetic environment, to measure the cost of tracing.

use std::path::Path;
use std::sync::Arc;

use andor_artifact::background::BackgroundWriter;
use andor_artifact::files::FileError;
use andor_artifact::trace::{
    Abort, AttemptOutcome, Iteration, IterationReason, NewNode, Proved, ScoredTactic, Start, TraceAttempt,
    TraceEvent, TraceNode, TraceTree,
};
use andor_artifact::version::Kind;
use andor_config::Config;
use andor_core::ids::{NodeId, TacticId};
use andor_core::search::{Job, Told};
use andor_core::tree::Status;

use super::engine::Engine;
use crate::simulate::problem::SimulatedCandidate;

/// Writes the trace of a search.
pub struct Tracer {
    writer: BackgroundWriter<TraceEvent>,
    /// The names and targets of nodes, which every search keeps.
    nodes: Vec<(Arc<str>, Arc<str>)>,
    /// The names of tactics.
    tactics: Vec<Arc<str>>,
    provider: Arc<str>,
    max_depth: u32,
}

impl Tracer {
    /// Begins the trace of a search with this configuration.
    pub fn create(path: &Path, engine: &Engine, config: &Config) -> Result<Self, FileError> {
        let mut tracer = Self {
            writer: BackgroundWriter::create(path, Kind::Trace)?,
            nodes: Vec::new(),
            tactics: Vec::new(),
            provider: "synthetic".into(),
            max_depth: 0,
        };
        let root = tracer.new_node(engine, engine.search().tree().root());
        tracer.writer.write(TraceEvent::Start(Box::new(Start {
            theorem: "synthetic".to_owned(),
            system: "synthetic".to_owned(),
            statement_digest: root.goal_key.to_string(),
            config: serde_json::to_value(config).expect("a configuration is JSON"),
            root,
        })));
        Ok(tracer)
    }

    /// Completes the trace.
    pub fn finish(mut self, engine: &Engine) -> Result<(), FileError> {
        let search = engine.search();
        let iteration = search.spent().iterations;
        let tree_digest = format!("{:016x}", search.digest());
        let status = search.tree().status(search.tree().root());
        let tree = TraceTree { aborted: status != Status::Proved, ..self.tree(engine) };
        let abort = |reason: &str| {
            let (reason, tree, tree_digest) = (reason.to_owned(), tree.clone(), tree_digest.clone());
            TraceEvent::Abort(Abort { iteration, reason, tree, tree_digest, given_up: Vec::new() })
        };
        self.writer.write(match status {
            Status::Open => abort("attempts"),
            Status::Exhausted => abort("exhausted"),
            Status::Proved => {
                TraceEvent::Proved(Proved { iteration, tree, tree_digest, given_up: Vec::new() })
            }
        });
        self.writer.finish()
    }

    /// Writes an iteration.
    pub fn write(&mut self, engine: &Engine, job: &Job, told: &Told) {
        let nodes = told.nodes.clone().map(NodeId::from_index);
        let new_nodes = nodes.map(|node| self.new_node(engine, node)).collect();
        for index in self.tactics.len()..engine.search().tactics().len() {
            self.tactics.push(engine.search().tactics().text(TacticId::from_index(index)).into());
        }
        let record = self.record(engine, job, told, new_nodes);
        self.writer.write(TraceEvent::Iteration(Box::new(record)));
    }

    /// Names a new node.
    fn new_node(&mut self, engine: &Engine, node: NodeId) -> NewNode {
        let tree = engine.search().tree();
        let goal_key: Arc<str> = format!("{:016x}", tree.key(node).0).into();
        let mvar_id: Arc<str> = format!("cp{}:{goal_key}", node.index()).into();
        self.nodes.push((Arc::clone(&mvar_id), Arc::clone(&goal_key)));
        self.max_depth = self.max_depth.max(tree.depth(node));
        NewNode {
            mvar_id,
            goal_type: Arc::clone(&goal_key),
            goal_coarse: Arc::clone(&goal_key),
            goal_key,
            value: engine.child(node).value.map(f64::from),
        }
    }

    fn name(&self, node: NodeId) -> Arc<str> {
        Arc::clone(&self.nodes[node.index()].0)
    }

    fn tree(&self, engine: &Engine) -> TraceTree {
        let (search, tree) = (engine.search(), engine.search().tree());
        TraceTree {
            nodes: tree.n_nodes() as u64,
            expansions: search.spent().expansions,
            max_depth: self.max_depth,
            solved: tree.status(tree.root()) == Status::Proved,
            aborted: false,
            inflight: search.n_in_flight() as u64,
        }
    }

    fn record(&self, engine: &Engine, job: &Job, told: &Told, new_nodes: Vec<NewNode>) -> Iteration {
        let (search, tree) = (engine.search(), engine.search().tree());
        let goal_type = Arc::clone(&self.nodes[job.node.index()].1);
        let sig: Arc<str> = tree.coarse(job.node).to_string().into();
        let step_of = |tactic: TacticId| told.step_ids().find(|&s| tree.tactic(s) == tactic);
        let text = |tactic: TacticId| &self.tactics[tactic.index()];
        let attempts = engine.candidates().iter().map(|&SimulatedCandidate { tactic, .. }| {
            let step = step_of(tactic);
            TraceAttempt {
                tactic: Arc::clone(text(tactic)),
                outcome: if step.is_some() { AttemptOutcome::Success } else { AttemptOutcome::Failure },
                child_mvar_ids: step
                    .into_iter()
                    .flat_map(|s| tree.children(s))
                    .map(|n| self.name(n))
                    .collect(),
                timestamp_ms: search.spent().candidates,
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
        let is_terminal = status == Status::Proved && tree.distance(job.node) == Some(1);
        let expanded = !told.steps.is_empty();
        Iteration {
            iteration: search.spent().iterations,
            reason: if expanded { IterationReason::Expanded } else { IterationReason::NoExpansion },
            agent_id: job.agent.0,
            timestamp_ms: search.spent().candidates,
            collision: job.collides,
            selected_path: engine.path().iter().map(|&n| self.name(n)).collect(),
            node: TraceNode {
                mvar_id: self.name(job.node),
                goal_type: Arc::clone(&goal_type),
                goal_sig: Arc::clone(&sig),
                goal_sig_strict: Arc::clone(&sig),
                visit_count: record.visits,
                success_count: f64::from(record.success),
                is_terminal,
                is_dead: status == Status::Exhausted,
                depth: tree.depth(job.node),
            },
            attempts: attempts.collect(),
            tactics: tactics.collect(),
            expanded,
            terminal_reached: is_terminal,
            backprop_success: expanded,
            tree: self.tree(engine),
            new_nodes,
            next_score: engine.report().next_log_prior.map(f64::from),
            value: engine.report().value.map(f64::from),
            block: None,
            delay: None,
            reroute: Vec::new(),
            lifted: Vec::new(),
            reservation: None,
        }
    }
}
