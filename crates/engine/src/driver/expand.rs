//! The life cycle of an expansion: begin, ask the provider, try candidates, report to the search.

use std::sync::Arc;
use std::time::Duration;

use andor_artifact::latency::MeasuredLatency;
use andor_core::clock::{Station, Work};
use andor_core::ids::{JobId, NodeId};
use andor_core::search::{Job, Pass, Told};
use andor_env::session::{Attempted, Lease};
use andor_provider::contract::{Call, Candidate};
use tokio::time::Instant;
use tracing::{Instrument, Span};

use super::Driver;
use super::expansion::{Expanded, Expansion, Standby};
use super::memory::{Chance, Question};
use super::operation::{Failure, Proposal, Tried};
use super::pace::Done;
use crate::event::Event;
use crate::log;

/// Why a candidate is blocked that failed before at an equal goal.
const HISTORY: &str = "history";

impl Driver<'_> {
    /// Begins to expand a node, with the candidates left from an earlier expansion or with new ones; before that,
    /// drafts may be due.
    pub(super) fn begin(&mut self, job: Job) {
        if self.wants_draft(job.node) {
            return self.begin_draft(job);
        }
        let id = job.id;
        let waiting = self.ledger.take_waiting(job.node);
        let is_first = waiting.is_none();
        if is_first {
            self.ledger.note_explored(job.node);
        }
        let span = log::node(self.ledger.name(job.node));
        log::team_move(&span, job.agent, "expand");
        if let Some(priority) = self.search.priority(job.node) {
            log::queue_move(&span, "pop", priority);
        }
        let expansion = Expansion {
            job,
            span,
            obligation: self.ledger.obligation(job.node),
            key: self.search.tree().key(job.node),
            guard: Arc::new(self.search.guard(&job)),
            candidates: waiting.unwrap_or_default().into_iter(),
            current: None,
            standby: None,
            lease: None,
            has_worker: false,
            expanded: Expanded { is_first, ..Expanded::default() },
        };
        self.expansions.insert(id, expansion);
        if is_first { self.propose(id) } else { self.go_on(id) }
    }

    /// Uses the remembered proposals, waits for those that another job has asked for, or asks the provider.
    fn propose(&mut self, id: JobId) {
        let Expansion { key, job, .. } = *self.expansion(id);
        match self.memories.of(job.agent).map_or(Question::Asks, |memory| memory.ask(key, id)) {
            Question::Known(proposal) => self.take(id, proposal),
            Question::Waits => {}
            Question::Asks => {
                if self.pace.enter(Station::Model, id) {
                    self.suggest(id);
                }
            }
        }
    }

    /// Asks the provider.
    pub(super) fn suggest(&mut self, id: JobId) {
        self.requests.suggestions += 1;
        let operator = Arc::clone(&self.operator);
        self.tally.drew |= operator.draws();
        let Expansion { obligation, job, ref span, .. } = *self.expansion(id);
        let span = span.clone();
        let call = self.call(job.node);
        let (failed, notes) = (self.ledger.failed(job.node).to_vec(), self.notes.clone());
        let suggesting = async move {
            let began = Instant::now();
            let proposal = operator.suggest(obligation, job.order, call, &failed, &notes).await;
            Done::Suggested(proposal.map(Box::new), began.elapsed())
        };
        self.pace.start(Work::Provider, id, suggesting.instrument(span));
    }

    /// The next call of a provider at a node.
    pub(super) fn call(&mut self, node: NodeId) -> Call {
        Call {
            seed: self.config.seed,
            attempt: self.tools.attempt,
            goal: self.search.tree().key(node),
            number: self.ledger.count_call(node),
        }
    }

    /// Processes the provider's proposals. An error ends the attempt.
    pub(super) fn suggested(
        &mut self,
        id: JobId,
        proposal: Result<Box<Proposal>, Failure>,
        took: Duration,
    ) -> Result<(), String> {
        self.pace.leave(Station::Model);
        self.providing += took;
        self.note_latency(Work::Provider, took);
        let Expansion { key, job, .. } = *self.expansion(id);
        // A part of an answer is not kept: the next to come asks again.
        let whole = proposal.as_deref().ok().filter(|proposal| proposal.failures.is_empty());
        let waiting =
            self.memories.of(job.agent).map(|memory| memory.answered(key, whole)).unwrap_or_default();
        self.take_answer(id, proposal)?;
        for other in waiting {
            self.propose(other);
        }
        Ok(())
    }

    fn take_answer(&mut self, id: JobId, proposal: Result<Box<Proposal>, Failure>) -> Result<(), String> {
        match proposal {
            Ok(proposal) => {
                let proposal = *proposal;
                self.tally.duplicates += proposal.duplicates;
                self.tally.usage += proposal.usage;
                let span = &self.expansion(id).span;
                log::tactics_generated(span, &proposal.candidates);
                for failure in &proposal.failures {
                    span.in_scope(|| {
                        tracing::warn!("`{}` gave no answer: {}", failure.provider, failure.reason)
                    });
                }
                for note in &proposal.notes {
                    if !self.notes.contains(note) {
                        self.notes.push(Arc::clone(note));
                    }
                }
                for failure in &proposal.failures {
                    *self.tally.unanswered.entry(Arc::clone(&failure.provider)).or_default() += 1;
                }
                if proposal.failures.is_empty() || !proposal.candidates.is_empty() {
                    self.tally.answers += 1;
                }
                if !proposal.failures.is_empty() && proposal.candidates.is_empty() {
                    match proposal.failures.iter().all(|failure| failure.has_answered) {
                        true => self.tally.nodes_without_tactic += 1,
                        false => self.tally.nodes_unanswered += 1,
                    }
                    self.tally.last_failure = proposal.failures.last().cloned();
                }
                self.take(id, proposal);
                Ok(())
            }
            Err(failure) => self.fail(id, failure),
        }
    }

    fn take(&mut self, id: JobId, proposal: Proposal) {
        let expansion = self.expansion(id);
        expansion.candidates = proposal.candidates.into_iter();
        expansion.expanded.value = proposal.value;
        self.go_on(id);
    }

    /// Continues with the next admissible candidate, or finishes the expansion when none is left.
    fn go_on(&mut self, id: JobId) {
        loop {
            let expansion = self.expansion(id);
            if let Some(Standby { candidate, tried, .. }) = expansion.standby.take_if(|s| s.pending == 0) {
                // None of its suggestions succeeded.
                return self.note(id, candidate, tried);
            }
            let Some(candidate) = expansion.candidates.next() else { break };
            if let Some(standby) = &mut expansion.standby {
                standby.pending -= 1;
            }
            if let Some(reason) = self.block_reason(id, &candidate) {
                let now = self.pace.stamp(Instant::now());
                self.expansion(id).expanded.note_blocked(candidate, reason, now);
                continue;
            }
            let expansion = self.expansion(id);
            expansion.current = Some(candidate);
            if expansion.has_worker || self.pace.enter(Station::Workers, id) {
                self.attempt(id);
            }
            return;
        }
        self.finish(id);
    }

    /// Why the candidate is blocked, if it is.
    fn block_reason(&mut self, id: JobId, candidate: &Candidate) -> Option<String> {
        if let Some(reason) = self.filter.block_reason(&candidate.tactic) {
            return Some(reason.to_string());
        }
        let Expansion { key, job, .. } = *self.expansion(id);
        if self.is_grafted(job.node, &candidate.tactic) {
            return Some("grafted".to_owned());
        }
        let failed = self.memories.of(job.agent).is_some_and(|m| m.has_failed(key, &candidate.tactic));
        failed.then(|| HISTORY.to_owned())
    }

    /// Whether a script gave the node a step by this tactic.
    fn is_grafted(&self, node: NodeId, tactic: &str) -> bool {
        let (tree, tactics) = (self.search.tree(), self.search.tactics());
        let is_it = |step| self.search.is_grafted(step) && tactics.text(tree.tactic(step)) == tactic;
        self.search.n_grafted() > 0 && tree.steps(node).any(is_it)
    }

    /// Tries the current candidate, unless it failed at an equal goal while the job waited for a worker, or another job is
    /// trying it there.
    pub(super) fn attempt(&mut self, id: JobId) {
        let expansion = self.expansions.get_mut(&id).expect("a job in progress has an expansion");
        expansion.has_worker = true;
        let candidate = expansion.current.as_ref().expect("who tries has a candidate");
        let (key, agent) = (expansion.key, expansion.job.agent);
        let memory = self.memories.of(agent);
        match memory.map_or(Chance::Tries, |memory| memory.begin(key, &candidate.tactic, id)) {
            Chance::Tries => {}
            Chance::Waits => return,
            Chance::Failed => {
                let candidate = expansion.current.take().expect("who tries has a candidate");
                let now = self.pace.stamp(Instant::now());
                expansion.expanded.note_blocked(candidate, HISTORY.to_owned(), now);
                return self.go_on(id);
            }
        }
        let (operator, session) = (Arc::clone(&self.operator), &self.tools.session);
        let mut lease = expansion.lease.take().unwrap_or_else(|| session.lease(expansion.obligation));
        let tactic = expansion.current.as_ref().expect("who tries has a candidate").tactic.clone();
        let (guard, span) = (Arc::clone(&expansion.guard), expansion.span.clone());
        let trying = async move {
            let tried = operator.attempt(&mut lease, &tactic, &guard).await;
            Done::Tried(lease, tried.map(Box::new))
        };
        self.pace.start(Work::Tactic, id, trying.instrument(span));
    }

    /// Processes the result of a candidate. An error ends the attempt.
    pub(super) fn tried(
        &mut self,
        id: JobId,
        lease: Lease,
        tried: Result<Box<Tried>, Failure>,
    ) -> Result<(), String> {
        self.expansion(id).lease = Some(lease);
        let waiting = self.remember(id, &tried);
        match tried {
            Ok(tried) => self.take_outcome(id, *tried),
            Err(failure) => self.fail(id, failure)?,
        }
        for other in waiting {
            self.attempt(other);
        }
        Ok(())
    }

    /// Remembers whether the current candidate failed, and returns the jobs that wait to know. Only what the assistant or
    /// the screen says counts: a tactic that ran out of time or lost its worker may hold another time.
    fn remember(&mut self, id: JobId, tried: &Result<Box<Tried>, Failure>) -> Vec<JobId> {
        let expansion = self.expansions.get(&id).expect("a job in progress has an expansion");
        let candidate = expansion.current.as_ref().expect("who has tried had a candidate");
        let memory = self.memories.of(expansion.job.agent);
        let has_failed = tried.as_ref().is_ok_and(|tried| {
            matches!(&*tried.preview.attempted, Attempted::Rejected { .. } | Attempted::Screened { .. })
        });
        memory.map(|memory| memory.tried(expansion.key, &candidate.tactic, has_failed)).unwrap_or_default()
    }

    fn take_outcome(&mut self, id: JobId, tried: Tried) {
        if !tried.preview.took.is_zero() {
            self.note_latency(Work::Tactic, tried.preview.took);
        }
        self.note_valuing(&tried);
        let expansion = self.expansions.get_mut(&id).expect("a job in progress has an expansion");
        let candidate = expansion.current.take().expect("who has tried had a candidate");
        let attempted = Arc::clone(&tried.preview.attempted);
        let is_suggestion = expansion.standby.is_some();
        match (&*attempted, is_suggestion) {
            (Attempted::Applied { .. }, true) => expansion.standby = None,
            (_, true) => {}
            (_, false) => {
                let (tree, tactics) = (self.search.tree(), self.search.tactics());
                let node = expansion.job.node;
                let is_known =
                    |text: &str| tree.steps(node).any(|step| tactics.text(tree.tactic(step)) == text);
                let pending = expansion.put_suggestions(&candidate, attempted.suggestions(), is_known);
                if pending > 0 && tried.admission.is_some() {
                    expansion.standby = Some(Standby { candidate, tried, pending });
                    return self.go_on(id);
                }
            }
        }
        self.note(id, candidate, tried);
    }

    /// Counts what was spent on values, and whether there was no answer.
    pub(super) fn note_valuing(&mut self, tried: &Tried) {
        self.providing += tried.valuing;
        if let Some(provider) = &tried.unvalued {
            *self.tally.unanswered.entry(Arc::clone(provider)).or_default() += 1;
        }
    }

    /// Records the result of a candidate, and goes on or ends the expansion.
    fn note(&mut self, id: JobId, candidate: Candidate, tried: Tried) {
        let (now, took) = (self.pace.stamp(tried.finished), tried.preview.took);
        let expansion = self.expansions.get_mut(&id).expect("a job in progress has an expansion");
        let expanded = &mut expansion.expanded;
        let committed = expanded.note_tried(&self.tools.session, candidate, tried, now);
        let noted = expanded.attempts.last().expect("it was just noted");
        log::tactic_executed(&expansion.span, &noted.candidate.tactic, noted.outcome, took);
        let rule = self.search.config().expansion;
        if committed.is_none_or(|n_children| rule.goes_on_after(n_children)) {
            self.go_on(id);
        } else {
            self.finish(id);
        }
    }

    /// Ends a failed expansion, or the whole attempt.
    fn fail(&mut self, id: JobId, failure: Failure) -> Result<(), String> {
        match failure {
            Failure::Fatal(message) => Err(message),
            Failure::Diverged(message) => {
                let span = &self.expansion(id).span;
                span.in_scope(|| tracing::warn!("gave up on a goal: {message}"));
                self.tally.replays_diverged += 1;
                self.expansion(id).candidates = Vec::new().into_iter();
                self.finish(id);
                Ok(())
            }
        }
    }

    /// Reports the expansion to the search.
    fn finish(&mut self, id: JobId) {
        let mut expansion = self.expansions.remove(&id).expect("a job in progress has an expansion");
        // Release the worker before anyone else asks for it.
        drop(expansion.lease.take());
        if expansion.has_worker {
            self.pace.leave(Station::Workers);
        }
        let Expansion { job, span, mut expanded, candidates, .. } = expansion;
        expanded.waiting = candidates.collect();
        let way = self.way(&job);
        let report = expanded.report(self.search.tactics_mut());
        self.charge_plan(&way.path, report.candidates);
        let told = self.search.tell(job.id, &report);
        self.ledger.grow(&self.search, job.node, &told, &expanded);
        let record = self.expansion_record(&job, way, &expanded, &told);
        log::node_expanded(&span, &record);
        self.log_queued(&span, job.node, &told);
        self.ledger.put_waiting(job.node, std::mem::take(&mut expanded.waiting));
        for reason in expanded.attempts.iter().filter_map(|a| a.block_reason.as_ref()) {
            *self.tally.refusals.entry(reason.clone()).or_default() += 1;
        }
        self.tally.collisions += u64::from(job.collides);
        self.team.finished(&job);
        self.emit(&Event::Iteration(Box::new(record)));
    }

    /// Logs which nodes the expansion queued: the new ones, and its own while candidates are left.
    fn log_queued(&self, span: &Span, node: NodeId, told: &Told) {
        if !log::shows_frequent() {
            return;
        }
        let made = told.nodes.clone().map(NodeId::from_index);
        for queued in made.chain([node]).filter(|&queued| self.search.is_open(queued)) {
            let Some(priority) = self.search.priority(queued) else { return };
            let own = (queued != node).then(|| log::node(self.ledger.name(queued)));
            log::queue_move(own.as_ref().unwrap_or(span), "push", priority);
        }
    }

    /// Ends an iteration whose node another agent, or a draft, has settled in the meantime.
    pub(super) fn skip(&mut self, job: &Job) {
        let way = self.way(job);
        self.charge_plan(&way.path, 0);
        self.search.skip(job.id);
        let record = self.skip_record(job, way);
        log::team_move(&log::node(&record.node.mvar_id), job.agent, "skip");
        self.tally.collisions += u64::from(job.collides);
        self.team.finished(job);
        self.emit(&Event::Iteration(Box::new(record)));
    }

    /// Ends an iteration that met an obstacle, and lets its agent rest.
    pub(super) fn pass(&mut self, pass: &Pass) {
        self.tally.passes += 1;
        self.charge_plan(&self.search.path_to(pass.node), 0);
        let record = self.pass_record(pass);
        log::team_move(&log::node(&record.node.mvar_id), pass.agent, "rest");
        self.pace.rest(pass.agent);
        self.emit(&Event::Iteration(Box::new(record)));
    }

    fn expansion(&mut self, id: JobId) -> &mut Expansion {
        self.expansions.get_mut(&id).expect("a job in progress has an expansion")
    }

    pub(super) fn note_latency(&mut self, what: Work, took: Duration) {
        self.emit(&Event::Latency(MeasuredLatency { what, ms: took.as_secs_f64() * 1e3 }));
    }
}
