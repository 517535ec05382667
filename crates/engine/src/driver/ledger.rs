//! The driver's data about the tree: the obligation of each node, the checkpoint of each step, waiting candidates,
//! and failed tactics; and the records derived from them at the end.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use andor_artifact::assembly::{Assembly, AssemblyStep, WinningStep};
use andor_artifact::graph::{Graph, GraphNode, GraphStep};
use andor_artifact::result::{Closest, PreferencePair, ProofStep};
use andor_artifact::version::{Kind, Opening};
use andor_core::goal::Goal;
use andor_core::ids::{NodeId, StepId};
use andor_core::search::{Search, Told};
use andor_core::signature::{GoalKey, Signatures};
use andor_core::tree::Status;
use andor_core::tree::extract::Proof;
use andor_core::view;
use andor_env::session::{CheckpointId, Obligation, Session};
use andor_provider::contract::{Candidate, FailedTactic};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Found;
use super::errors;
use super::expansion::{Committed, Expanded};

/// Bytes kept of the error of a failed tactic, for providers.
const LONGEST_ERROR: usize = 400;

/// Open goals that a result tells, and bytes kept of each: the recorded tree has the rest.
const TOLD_GOALS: usize = 8;
const LONGEST_GOAL: usize = 2000;

/// Data about nodes and steps that the tree itself does not hold.
pub struct Ledger {
    session: Arc<Session>,
    nodes: Vec<NodeEntry>,
    steps: Vec<StepEntry>,
    waiting: HashMap<NodeId, Vec<Candidate>>,
    /// How often providers were asked for candidates at obligations with each key.
    calls: FxHashMap<GoalKey, u32>,
    max_depth: u32,
    search: Option<Search>,
}

struct NodeEntry {
    obligation: Obligation,
    name: Arc<str>,
    goals: Arc<[Goal]>,
    signatures: Signatures,
    /// Whether the provider was asked for candidates.
    is_explored: bool,
    /// The tactics that the assistant rejected here or that exceeded their time limit, in order.
    failed: Vec<FailedTactic>,
}

impl NodeEntry {
    fn new(session: &Session, obligation: Obligation) -> Self {
        Self {
            obligation,
            name: session.scoped_name(obligation).as_str().into(),
            goals: session.goals(obligation),
            signatures: session.signatures(obligation),
            is_explored: false,
            failed: Vec::new(),
        }
    }
}

struct StepEntry {
    checkpoint: CheckpointId,
    /// Duration of its preview.
    took: Duration,
    graft: Option<u64>,
}

impl Ledger {
    pub(super) fn new(session: &Arc<Session>, root: Obligation) -> Self {
        Self {
            session: Arc::clone(session),
            nodes: vec![NodeEntry::new(session, root)],
            steps: Vec::new(),
            waiting: HashMap::new(),
            calls: FxHashMap::default(),
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

    /// The goals of a node.
    pub(super) fn goals(&self, node: NodeId) -> &[Goal] {
        &self.nodes[node.index()].goals
    }

    /// The target of a node's first goal.
    pub(super) fn goal_type(&self, node: NodeId) -> Arc<str> {
        self.nodes[node.index()].goals.first().map_or("", |g| g.target.text.as_str()).into()
    }

    pub(super) fn signatures(&self, node: NodeId) -> &Signatures {
        &self.nodes[node.index()].signatures
    }

    /// The maximum depth of a node.
    pub(super) fn max_depth(&self) -> u32 {
        self.max_depth
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

    /// Marks a node as explored: the provider is asked for candidates there.
    pub(super) fn note_explored(&mut self, node: NodeId) {
        self.nodes[node.index()].is_explored = true;
    }

    /// Counts a call of the provider at a node. Returns how many calls there were at equal obligations before.
    pub(super) fn count_call(&mut self, node: NodeId) -> u32 {
        let calls = self.calls.entry(self.nodes[node.index()].signatures.key).or_default();
        *calls += 1;
        *calls - 1
    }

    /// The tactics that failed at a node, in order.
    pub(super) fn failed(&self, node: NodeId) -> &[FailedTactic] {
        &self.nodes[node.index()].failed
    }

    /// Records the results of an expansion at `node`: failed tactics, and the nodes and steps that the search added.
    pub(super) fn grow(&mut self, search: &Search, node: NodeId, told: &Told, expanded: &Expanded) {
        let failed = &mut self.nodes[node.index()].failed;
        let mut known: FxHashSet<Arc<str>> = failed.iter().map(|failed| Arc::clone(&failed.tactic)).collect();
        for attempt in expanded.attempts.iter().filter(|a| a.has_failed) {
            // Two agents may have tried the same tactic there.
            if known.insert(Arc::clone(&attempt.tactic_norm)) {
                let error = attempt.error.as_deref().unwrap_or_default();
                let error = shortened(error, LONGEST_ERROR).into();
                failed.push(FailedTactic { tactic: Arc::clone(&attempt.tactic_norm), error });
            }
        }
        for (step, committed) in told.step_ids().zip(&expanded.steps) {
            let &Committed { checkpoint, took, graft, .. } = committed;
            self.steps.push(StepEntry { checkpoint, took, graft });
            for (node, (obligation, _)) in search.tree().children(step).zip(&committed.children) {
                if node.index() == self.nodes.len() {
                    self.nodes.push(NodeEntry::new(&self.session, *obligation));
                    self.max_depth = self.max_depth.max(search.tree().depth(node));
                }
            }
        }
    }

    /// Stores the search for the final records.
    pub(super) fn finish(&mut self, search: Search) {
        self.search = Some(search);
    }

    /// The search after its end.
    pub fn search(&self) -> &Search {
        self.search.as_ref().expect("records are made when the search has ended")
    }

    /// The number of finished iterations of each agent, by agent number.
    pub fn agent_iterations(&self) -> Vec<u64> {
        self.search().iterations_by_agent().collect()
    }

    /// The hexadecimal digest of a proof in the tree (see [`Proof::digest`]).
    pub fn proof_digest(&self, proof: &Proof) -> String {
        format!("{:016x}", proof.digest(self.search().tree(), self.search().tactics()))
    }

    /// The number of explored nodes.
    pub fn n_explored(&self) -> u64 {
        self.nodes.iter().filter(|n| n.is_explored).count() as u64
    }

    /// The status of the root.
    pub fn root_status(&self) -> Status {
        let tree = self.search().tree();
        tree.status(tree.root())
    }

    /// How close the search came to a proof.
    pub fn closest(&self) -> Closest {
        let frontier = self.search().tree().frontier();
        let goal = |node: &NodeId| shortened(&self.state(*node), LONGEST_GOAL).to_owned();
        let errors = self.nodes.iter().flat_map(|node| node.failed.iter().map(|failed| &*failed.error));
        Closest {
            goals: frontier.iter().take(TOLD_GOALS).map(goal).collect(),
            n_goals: frontier.len() as u64,
            error: errors::most_frequent(errors),
        }
    }

    /// The steps of a proof, in its order.
    pub fn proof_steps(&self, proof: &Proof) -> Vec<ProofStep> {
        self.steps_of(self.search(), proof)
    }

    /// The same, while the search goes on.
    pub(super) fn steps_of(&self, search: &Search, proof: &Proof) -> Vec<ProofStep> {
        let steps = proof.steps.iter().map(|step| ProofStep {
            state: self.state(step.node),
            tactic: search.tactics().text(search.tree().tactic(step.step)).to_owned(),
            log_prior: f64::from(search.tree().log_prior(step.step)),
            took_ms: self.took_ms(step.step),
            graft: self.steps[step.step.index()].graft,
        });
        steps.collect()
    }

    /// Pairs each tactic of a proof with the tactics that failed at the same node: those that the assistant rejected,
    /// or that exceeded their time limit.
    pub fn preference_pairs(&self, proof: &Proof) -> Vec<PreferencePair> {
        self.pairs_of(self.search(), proof)
    }

    /// The same, while the search goes on.
    pub(super) fn pairs_of(&self, search: &Search, proof: &Proof) -> Vec<PreferencePair> {
        let mut pairs = Vec::new();
        for step in &proof.steps {
            let chosen = search.tactics().text(search.tree().tactic(step.step));
            let failed = self.nodes[step.node.index()].failed.iter().map(|failed| &*failed.tactic);
            for rejected in failed.filter(|text| *text != chosen) {
                let (state, chosen) = (self.state(step.node), chosen.to_owned());
                pairs.push(PreferencePair { state, chosen, rejected: rejected.to_owned() });
            }
        }
        pairs
    }

    /// The goals of a node as text.
    fn state(&self, node: NodeId) -> String {
        view::pp(&self.nodes[node.index()].goals)
    }

    fn tactic(&self, step: StepId) -> &str {
        self.search().tactics().text(self.search().tree().tactic(step))
    }

    /// Duration of a step's preview, in milliseconds.
    fn took_ms(&self, step: StepId) -> f64 {
        self.steps[step.index()].took.as_secs_f64() * 1e3
    }

    /// The hexadecimal digest of the tree.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.search().digest())
    }

    /// The record of all nodes and steps.
    pub fn graph(&self, theorem: &str) -> Graph {
        let (search, tree) = (self.search(), self.search().tree());
        let nodes = tree.nodes().zip(&self.nodes).map(|(id, entry)| {
            let record = search.stats().node(id);
            GraphNode {
                id: id.to_string(),
                mvar_id: entry.name.to_string(),
                goals: entry.goals.iter().map(ToString::to_string).collect(),
                goal_sig: entry.signatures.coarse.to_string(),
                goal_sig_strict: entry.signatures.strict.to_string(),
                textual_sig: entry.signatures.textual,
                status: tree.status(id),
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
            tactic: self.tactic(id).to_owned(),
            log_prior: f64::from(tree.log_prior(id)),
            status: tree.step_status(id),
            children: tree.children(id).map(|c| c.to_string()).collect(),
            took_ms: Some(self.took_ms(id)),
            graft: self.steps[id.index()].graft,
        });
        Graph {
            opening: Opening::new(Kind::Graph),
            theorem: theorem.to_owned(),
            tree_digest: self.digest(),
            nodes: nodes.collect(),
            steps: steps.collect(),
        }
    }

    /// The record of the committed steps and the proof tree.
    pub fn assembly(&self, theorem: &str, found: Option<&Found>) -> Assembly {
        let tree = self.search().tree();
        let steps = tree.all_steps().map(|id| AssemblyStep {
            step: id.to_string(),
            target_mvar_id: self.name(tree.step_node(id)).to_string(),
            tactic: self.tactic(id).to_owned(),
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

/// The beginning of a text, of at most so many bytes.
fn shortened(text: &str, longest: usize) -> &str {
    let end = (0..=longest.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    &text[..end.expect("the beginning is a boundary")]
}
