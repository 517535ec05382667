//! Grafts: scripts that are applied below a node, tactic by tactic, as far as they hold.
//!
//! Each tactic is screened, filtered and judged by the guard like a candidate, and becomes a step at once, so that
//! nothing is lost if the search ends in between. No agent is asked for them, and they are no iterations. A script
//! comes from the user, and is applied to the root before the search begins; or it is a draft that a provider wrote
//! for the node of a job, and is applied before that node is expanded.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use andor_artifact::graft::{GraftCut, GraftOrigin, GraftRecord, GraftSkip};
use andor_artifact::trace::{AttemptOutcome, GraftStep};
use andor_core::clock::{Station, Work};
use andor_core::ids::{JobId, NodeId, StepId};
use andor_core::search::{Job, Scion, Told};
use andor_core::tree::{Child, Status};
use andor_env::outline::{Outline, Place, Skipped};
use andor_env::session::{Attempted, Lease, Obligation};
use andor_provider::contract::{Candidate, Draft, DraftCut, Drafted, FailedDraft, Usage};
use tokio::time::Instant;
use tracing::{Instrument, Span};

use super::Driver;
use super::expansion::Expanded;
use super::operation::{Failure, Tried};
use super::pace::Done;
use super::plan::Skeleton;
use crate::event::Event;
use crate::graft::{Cut, Given, Grafted, Grafter, Hole, Trial, left};
use crate::log;

/// The least number of a graft that the search waits for, since it belongs to no job. It is far above those of jobs, which
/// count from 0.
const FIRST: JobId = JobId(1 << 63);

/// A graft in progress.
pub(super) struct Grafting {
    number: u64,
    origin: GraftOrigin,
    provider: Option<Arc<str>>,
    log_prior: f64,
    /// The node below which it is applied.
    top: NodeId,
    script: String,
    grafter: Grafter,
    /// The nodes of the obligations that it came by.
    nodes: HashMap<Obligation, NodeId>,
    /// The tactic being tried.
    trial: Option<Trial>,
    has_worker: bool,
    steps: u64,
    known: u64,
    /// The job at whose node it is applied.
    job: Option<Job>,
    /// What it states, if it is a plan.
    skeleton: Option<Skeleton>,
    span: Span,
}

impl Driver<'_> {
    /// Begins with a given script.
    pub(super) fn begin_given(&mut self, given: &Given) {
        let root = self.search.tree().root();
        let outline = self.tools.session.outline(&given.script);
        let skeleton = (!given.plan.is_empty()).then(|| Skeleton::new(given.plan.clone(), true));
        self.begin_own(root, given.origin, outline, given.start, skeleton);
    }

    /// Applies what a plan states below a node.
    pub(super) fn graft_plan(&mut self, top: NodeId, script: &str, skeleton: Skeleton) {
        let outline = self.tools.session.outline(script);
        self.begin_own(top, GraftOrigin::Plan, outline, Place::START, Some(skeleton));
    }

    /// Applies a script that belongs to no job. The search waits for it.
    pub(super) fn begin_own(
        &mut self,
        top: NodeId,
        origin: GraftOrigin,
        outline: Outline,
        start: Place,
        skeleton: Option<Skeleton>,
    ) {
        let id = JobId(FIRST.0 + self.n_grafts);
        let draft = Draft {
            script: String::new(),
            log_prior: 0.0,
            provider: origin_name(origin).into(),
            usage: Usage::default(),
        };
        let grafting = Grafting { skeleton, ..self.grafting_of(top, origin, draft, outline, start, None) };
        self.grafts.insert(id, grafting);
        self.go_on_grafting(id);
    }

    /// Whether the search waits for a script that belongs to no job.
    pub(super) fn is_preparing(&self) -> bool {
        self.grafts.keys().any(|id| *id >= FIRST)
    }

    /// Whether a draft is due before the node is expanded: whether drafts have at most their share of the requests
    /// after it and the expansion.
    pub(super) fn wants_draft(&self, node: NodeId) -> bool {
        let share = self.config.drafts.share;
        let (drafts, others) = (self.requests.drafts + 1, self.requests.suggestions + 1);
        share > 0.0
            && self.operator.provider.writes_drafts()
            && !self.requests.no_draft_at.contains(&node)
            && drafts as f64 <= share * (drafts + others) as f64
    }

    /// Requests a draft for the node of a job.
    pub(super) fn begin_draft(&mut self, job: Job) {
        let id = job.id;
        self.requests.drafts += 1;
        self.requests.drafting.insert(id, job);
        if self.pace.enter(Station::Model, id) {
            self.ask_draft(id, job);
        }
    }

    pub(super) fn ask_draft(&mut self, id: JobId, job: Job) {
        let operator = Arc::clone(&self.operator);
        self.tally.drew |= operator.draws();
        let obligation = self.ledger.obligation(job.node);
        let history = self.requests.history.entry(job.node).or_default().clone();
        let (call, notes) = (self.call(job.node), self.notes.clone());
        let drafting = async move {
            let began = Instant::now();
            let draft = operator.draft(obligation, call, &notes, &history).await;
            Done::Drafted(draft.map(Box::new), began.elapsed())
        };
        let span = log::node(self.ledger.name(job.node));
        self.pace.start(Work::Provider, id, drafting.instrument(span));
    }

    /// Processes a draft. An error ends the attempt.
    pub(super) fn drafted(
        &mut self,
        id: JobId,
        drafted: Result<Box<Drafted>, Failure>,
        took: Duration,
    ) -> Result<(), String> {
        self.pace.leave(Station::Model);
        self.providing += took;
        self.note_latency(Work::Provider, took);
        let job = self.requests.drafting.remove(&id).expect("a draft was requested");
        self.requests.history.entry(job.node).or_default().number += 1;
        let Drafted { draft, usage, failure } = match drafted {
            Ok(drafted) => *drafted,
            Err(Failure::Fatal(message) | Failure::Diverged(message)) => return Err(message),
        };
        self.tally.usage += usage;
        match failure {
            Some(failure) => {
                tracing::warn!("`{}` wrote no draft: {}", failure.provider, failure.reason);
                *self.tally.unanswered.entry(Arc::clone(&failure.provider)).or_default() += 1;
                if failure.has_answered {
                    self.tally.nodes_without_tactic += 1;
                    self.tally.last_failure = Some(failure);
                }
            }
            None => self.tally.answers += 1,
        }
        match draft {
            Some(draft) => {
                self.tally.usage += draft.usage;
                let outline = self.tools.session.outline(&draft.script);
                let (origin, start) = (GraftOrigin::Draft, Place::START);
                let grafting = self.grafting_of(job.node, origin, draft, outline, start, Some(job));
                self.grafts.insert(id, grafting);
                self.go_on_grafting(id);
            }
            None => {
                self.requests.no_draft_at.insert(job.node);
                self.resume(job);
            }
        }
        Ok(())
    }

    /// Goes on with a job after a draft: with another draft, the expansion, or nothing if the draft has settled the
    /// node.
    fn resume(&mut self, job: Job) {
        if self.search.is_open(job.node) { self.begin(job) } else { self.skip(&job) }
    }

    /// A graft that has not begun.
    fn grafting_of(
        &mut self,
        top: NodeId,
        origin: GraftOrigin,
        draft: Draft,
        outline: Outline,
        start: Place,
        job: Option<Job>,
    ) -> Grafting {
        let obligation = self.ledger.obligation(top);
        let number = self.n_grafts;
        self.n_grafts += 1;
        Grafting {
            number,
            origin,
            provider: job.is_some().then(|| Arc::clone(&draft.provider)),
            log_prior: draft.log_prior,
            top,
            script: draft.script,
            grafter: Grafter::new(&self.tools.session, obligation, outline, start),
            nodes: HashMap::from([(obligation, top)]),
            trial: None,
            has_worker: false,
            steps: 0,
            known: 0,
            job,
            skeleton: None,
            span: log::node(self.ledger.name(top)),
        }
    }

    /// Goes on to the next tactic that must be tried, or ends the graft.
    fn go_on_grafting(&mut self, id: JobId) {
        loop {
            let grafting = self.grafts.get_mut(&id).expect("a id belongs to a graft");
            let Some(trial) = grafting.grafter.next() else { return self.end_graft(id) };
            let node = grafting.nodes[&trial.at];
            if let Some(step) = self.known_step(node, &trial.tactic) {
                self.follow_step(id, step);
            } else if let Some(reason) = self.filter.block_reason(&trial.tactic) {
                self.grafting(id).grafter.failed(format!("it is blocked: {reason}"));
            } else {
                let grafting = self.grafting(id);
                grafting.trial = Some(trial);
                if grafting.has_worker || self.pace.enter(Station::Workers, id) {
                    self.try_graft(id);
                }
                return;
            }
        }
    }

    /// The step at a node by this tactic, if there is one with all its children.
    fn known_step(&self, node: NodeId, tactic: &str) -> Option<StepId> {
        let (tree, tactics) = (self.search.tree(), self.search.tactics());
        let step = tree.steps(node).find(|&step| tactics.text(tree.tactic(step)) == tactic)?;
        let (_, groups) = self.tools.session.script_of(self.ledger.checkpoint(step));
        (groups.len() == tree.children(step).len()).then_some(step)
    }

    /// Follows a tactic of the script along a step that the tree has already.
    fn follow_step(&mut self, id: JobId, step: StepId) {
        let checkpoint = self.ledger.checkpoint(step);
        let goals = left(&self.tools.session, checkpoint, |_| true);
        let children: Vec<NodeId> = self.search.tree().children(step).collect();
        let grafting = self.grafting(id);
        grafting.known += 1;
        if let Some(skeleton) = &mut grafting.skeleton {
            skeleton.state(step);
        }
        for (group, child) in children.into_iter().enumerate() {
            grafting.nodes.insert(Obligation { checkpoint, group }, child);
        }
        grafting.grafter.held(goals);
    }

    /// Tries the tactic at hand.
    pub(super) fn try_graft(&mut self, id: JobId) {
        let (operator, session) = (Arc::clone(&self.operator), &self.tools.session);
        let grafting = self.grafts.get_mut(&id).expect("a id belongs to a graft");
        grafting.has_worker = true;
        let trial = grafting.trial.as_ref().expect("a graft with a worker has a tactic to try");
        let guard = self.search.guard_of_grafts(grafting.nodes[&trial.at]);
        let (mut lease, tactic) = (session.lease(trial.at), trial.tactic.clone());
        let filter = Arc::clone(&self.filter);
        let trying = async move {
            let tried = operator.attempt_as_suggested(&mut lease, &tactic, &guard, &filter).await;
            Done::Tried(lease, tried.map(Box::new))
        };
        self.pace.start(Work::Tactic, id, trying.instrument(grafting.span.clone()));
    }

    /// Processes the result of a tactic. An error ends the attempt.
    pub(super) fn tried_graft(
        &mut self,
        id: JobId,
        lease: Lease,
        tried: Result<Box<Tried>, Failure>,
    ) -> Result<(), String> {
        drop(lease);
        let trial = self.grafting(id).trial.take().expect("what was tried was at hand");
        match tried {
            Ok(tried) => {
                let node = self.grafting(id).nodes[&trial.at];
                // One that was suggested may be a step already.
                match self.known_step(node, &tried.preview.tactic) {
                    Some(step) => self.follow_step(id, step),
                    None => self.add_grafted(id, &trial, *tried),
                }
            }
            Err(Failure::Fatal(message)) => return Err(message),
            Err(Failure::Diverged(message)) => {
                self.tally.replays_diverged += 1;
                self.grafting(id).grafter.failed(message);
            }
        }
        self.go_on_grafting(id);
        Ok(())
    }

    /// Adds a tactic that holds as a step.
    fn add_grafted(&mut self, id: JobId, trial: &Trial, tried: Tried) {
        if !tried.preview.took.is_zero() {
            self.note_latency(Work::Tactic, tried.preview.took);
        }
        self.note_valuing(&tried);
        self.tally.grafted_candidates += 1;
        let (now, took) = (self.pace.stamp(tried.finished), tried.preview.took);
        let grafting = self.grafts.get_mut(&id).expect("a id belongs to a graft");
        let node = grafting.nodes[&trial.at];
        if self.search.tree().status(node) == Status::Exhausted {
            return grafting.grafter.failed("the search has given this goal up".to_owned());
        }
        if let Attempted::Applied { children, .. } = &*tried.preview.attempted
            && let [only] = &children[..]
            && only.signatures.key == self.search.tree().key(node)
        {
            grafting.known += 1;
            return grafting.grafter.changed_nothing();
        }
        let candidate = Candidate {
            tactic: tried.preview.tactic.to_string(),
            log_prior: grafting.log_prior,
            tokens: None,
            provider: grafting.provider.clone().unwrap_or_else(|| origin_name(grafting.origin).into()),
        };
        let mut expanded = Expanded::default();
        expanded.note_tried(&self.tools.session, candidate, tried, now);
        let attempt = expanded.attempts.first().expect("it was just noted");
        log::tactic_executed(&grafting.span, &attempt.candidate.tactic, attempt.outcome, took);
        let Some(step) = expanded.steps.first_mut() else {
            let error = attempt.error.clone().unwrap_or_else(|| without_error(attempt.outcome).to_owned());
            let end = self.search.tree().n_steps();
            let nothing = Told { steps: end..end, nodes: 0..0, node: Status::Open, root: Status::Open };
            self.ledger.grow(&self.search, node, &nothing, &expanded);
            return grafting.grafter.failed(error);
        };
        step.graft = Some(grafting.number);
        let children: Vec<Child> = step.children.iter().map(|(_, child)| *child).collect();
        let scion = Scion {
            tactic: self.search.tactics_mut().intern(&step.tactic),
            log_prior: step.log_prior,
            children: &children,
            is_only: grafting.origin == GraftOrigin::File,
        };
        let (reservations, checkpoint) = (self.search.n_approaches(), step.checkpoint);
        let told = self.search.graft(node, &scion);
        self.ledger.grow(&self.search, node, &told, &expanded);
        let id = told.step_ids().next().expect("a graft is a step");
        for (child, (obligation, _)) in self.search.tree().children(id).zip(&expanded.steps[0].children) {
            grafting.nodes.insert(*obligation, child);
        }
        grafting.steps += 1;
        if let Some(skeleton) = &mut grafting.skeleton {
            skeleton.state(id);
        }
        let nodes = &grafting.nodes;
        let goals = left(&self.tools.session, checkpoint, |at| nodes.contains_key(&at));
        grafting.grafter.held(goals);
        let (graft, origin, provider_id) = (grafting.number, grafting.origin, grafting.provider.clone());
        let record = GraftStep {
            graft,
            origin,
            provider_id,
            line: trial.place.line as u64,
            iteration: self.search.spent().iterations,
            reservations,
            timestamp_ms: now,
            mvar_id: Arc::clone(self.ledger.name(node)),
            depth: self.search.tree().depth(node),
            tactic: expanded.steps[0].tactic.as_str().into(),
            score: f64::from(scion.log_prior),
            is_only: scion.is_only,
            child_mvar_ids: self.names_of_children(id),
            new_nodes: self.new_nodes(&expanded, &told),
            tree: self.tree_record(false),
        };
        self.emit(&Event::GraftStep(Box::new(record)));
    }

    /// Ends a graft, and goes on with the job for which it was made.
    fn end_graft(&mut self, id: JobId) {
        let mut grafting = self.grafts.remove(&id).expect("a id belongs to a graft");
        let skeleton = grafting.skeleton.take();
        if grafting.has_worker {
            self.pace.leave(Station::Workers);
        }
        let (job, top) = (grafting.job, grafting.top);
        let (script, grafter, nodes) = (grafting.script.clone(), &grafting.grafter, &grafting.nodes);
        let failed_at = grafter.cuts().iter().filter_map(|cut| Some((cut, *nodes.get(&cut.at?)?)));
        let failed_at: Vec<(DraftCut, NodeId)> =
            failed_at.map(|(cut, node)| (draft_cut(cut), node)).filter(|(_, node)| *node != top).collect();
        let cuts: Vec<DraftCut> = grafter.cuts().iter().map(draft_cut).collect();
        let (origin, plan) = (grafting.origin, grafting.nodes.values().copied().collect());
        let record = self.record_graft(grafting);
        if let Some(skeleton) = skeleton {
            self.plan_grafted(top, &skeleton);
            self.watch_plan(plan);
        }
        if origin == GraftOrigin::Shared {
            self.note_shared(top);
        }
        let Some(job) = job else { return };
        let is_proved = self.search.tree().status(top) == Status::Proved;
        let failed =
            |is_above, cuts| FailedDraft { script: script.clone(), is_above, holes: record.holes, cuts };
        let history = &mut self.requests.history;
        history.entry(top).or_default().last = (!is_proved).then(|| failed(false, cuts));
        for (cut, node) in failed_at {
            history.entry(node).or_default().last = Some(failed(true, vec![cut]));
        }
        self.resume(job);
    }

    /// Records the grafts that are under way when the search ends.
    pub(super) fn end_grafts(&mut self) {
        let mut grafts: Vec<Grafting> = self.grafts.drain().map(|(_, grafting)| grafting).collect();
        grafts.sort_by_key(|grafting| grafting.number);
        for grafting in grafts {
            self.record_graft(grafting);
        }
    }

    fn record_graft(&mut self, grafting: Grafting) -> GraftRecord {
        let Grafting { number, origin, provider, top, grafter, nodes, steps, known, .. } = grafting;
        let Grafted { holes, skipped, cuts } = grafter.finish();
        if origin == GraftOrigin::File && cuts.is_empty() {
            let node = |hole: Hole| Some((hole.gap, *nodes.get(&hole.at?)?));
            self.holes = holes.iter().copied().map(node).collect();
        }
        let skip = |Skipped { place, text }: Skipped| GraftSkip {
            line: place.line as u64,
            column: place.column as u64,
            text,
        };
        let cut = |Cut { place, tactic, error, at }: Cut| GraftCut {
            line: place.line as u64,
            column: place.column as u64,
            tactic,
            error,
            mvar_id: at.and_then(|at| nodes.get(&at)).map(|&node| self.ledger.name(node).to_string()),
        };
        let record = GraftRecord {
            number,
            origin,
            provider_id: provider.map(|provider| provider.to_string()),
            mvar_id: self.ledger.name(top).to_string(),
            steps,
            known,
            holes: holes.len() as u64,
            skipped: skipped.into_iter().map(skip).collect(),
            cuts: cuts.into_iter().map(cut).collect(),
        };
        self.emit(&Event::Graft(record.clone()));
        self.grafted.push(record.clone());
        record
    }

    fn grafting(&mut self, id: JobId) -> &mut Grafting {
        self.grafts.get_mut(&id).expect("a id belongs to a graft")
    }
}

fn draft_cut(cut: &Cut) -> DraftCut {
    let Place { line, column } = cut.place;
    DraftCut { line, column, tactic: cut.tactic.clone(), error: cut.error.clone() }
}

/// The name of what a script comes from, in the place of a provider's.
fn origin_name(origin: GraftOrigin) -> &'static str {
    match origin {
        GraftOrigin::File => "file",
        GraftOrigin::Draft => "draft",
        GraftOrigin::Plan => "plan",
        GraftOrigin::Shared => "shared",
        GraftOrigin::Cache => "cache",
    }
}

/// Why a tactic was not admitted, where nothing more is to be said about it.
fn without_error(outcome: AttemptOutcome) -> &'static str {
    match outcome {
        AttemptOutcome::Cyclic => "it leads back to its own goal",
        AttemptOutcome::Success
        | AttemptOutcome::Failure
        | AttemptOutcome::Blocked
        | AttemptOutcome::Timeout => "it does not hold",
    }
}
