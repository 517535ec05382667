//! An expansion in progress, and its results.

use std::sync::Arc;
use std::time::Duration;

use andor_artifact::trace::AttemptOutcome;
use andor_core::search::{Admission, Guard, Job, Report};
use andor_core::signature::GoalKey;
use andor_core::tactic::Tactics;
use andor_core::tree::Child;
use andor_env::session::{self, Attempted, Lease, Obligation, Session};
use andor_provider::contract::Candidate;
use tracing::Span;

use super::operation::{Tried, child};

/// An expansion in progress.
pub(super) struct Expansion {
    pub(super) job: Job,
    /// The span for log events at its node.
    pub(super) span: Span,
    pub(super) obligation: Obligation,
    /// The obligation's key.
    pub(super) key: GoalKey,
    pub(super) guard: Arc<Guard>,
    /// The remaining candidates, in order.
    pub(super) candidates: std::vec::IntoIter<Candidate>,
    /// The candidate being tried.
    pub(super) current: Option<Candidate>,
    /// The candidate that gives way to its suggestions, while they are tried.
    pub(super) standby: Option<Standby>,
    /// The right to run tactics; `None` before the first candidate, and while one is running.
    pub(super) lease: Option<Lease>,
    /// Whether it occupies a worker.
    pub(super) has_worker: bool,
    pub(super) expanded: Expanded,
}

/// A candidate that succeeded and suggested other tactics in its place.
pub(super) struct Standby {
    pub(super) candidate: Candidate,
    pub(super) tried: Tried,
    /// The number of its suggestions that are still to be tried, which are the next candidates.
    pub(super) pending: usize,
}

impl Expansion {
    /// Puts what a candidate suggests before all others, except what was tried before or `is_known` otherwise. Returns how many
    /// these are.
    pub(super) fn put_suggestions(
        &mut self,
        candidate: &Candidate,
        suggestions: &[String],
        is_known: impl Fn(&str) -> bool,
    ) -> usize {
        let tried = |text: &str| self.expanded.attempts.iter().any(|a| a.candidate.tactic == text);
        let new = suggestions.iter().filter(|text| !tried(text) && !is_known(text));
        let mut all: Vec<Candidate> =
            new.map(|text| Candidate { tactic: text.clone(), tokens: None, ..candidate.clone() }).collect();
        let count = all.len();
        if count > 0 {
            let rest = std::mem::take(&mut self.candidates);
            all.extend(rest.filter(|other| !suggestions.contains(&other.tactic)));
            self.candidates = all.into_iter();
        }
        count
    }
}

/// The results of an expansion.
#[derive(Default)]
pub(super) struct Expanded {
    /// The candidates tried or blocked, in order.
    pub(super) attempts: Vec<Attempt>,
    /// The committed steps, in order.
    pub(super) steps: Vec<Committed>,
    /// Candidates kept for a later expansion of the node.
    pub(super) waiting: Vec<Candidate>,
    /// The provider's value for the obligation.
    pub(super) value: Option<f32>,
    /// Whether the candidates were proposed for this expansion, rather than left from an earlier one.
    pub(super) is_first: bool,
}

/// A candidate that was tried or blocked.
pub(super) struct Attempt {
    pub(super) candidate: Candidate,
    pub(super) tactic_norm: Arc<str>,
    pub(super) outcome: AttemptOutcome,
    /// The step it became, as an index into [`Expanded::steps`].
    pub(super) step: Option<usize>,
    pub(super) block_reason: Option<String>,
    pub(super) error: Option<String>,
    /// In milliseconds on the trace's clock.
    pub(super) timestamp_ms: u64,
    /// Whether the assistant rejected it, or it exceeded its time limit.
    pub(super) has_failed: bool,
}

/// A committed step.
pub(super) struct Committed {
    pub(super) tactic: String,
    pub(super) log_prior: f32,
    pub(super) checkpoint: session::CheckpointId,
    /// Duration of its preview.
    pub(super) took: Duration,
    /// The graft that it belongs to, if it does.
    pub(super) graft: Option<u64>,
    /// The obligations that became children, with their data for the tree.
    pub(super) children: Vec<(Obligation, Child)>,
}

/// A log-prior as the tree keeps it: finite, also if the provider's is not in single precision.
fn in_single_precision(log_prior: f64) -> f32 {
    (log_prior as f32).max(f32::MIN)
}

impl Expanded {
    /// The report to the search.
    pub(super) fn report(&self, tactics: &mut Tactics) -> Report {
        let mut report = Report::default();
        let tried = self.attempts.iter().filter(|a| a.outcome != AttemptOutcome::Blocked).count();
        report.candidates = u32::try_from(tried).expect("fewer than 2^32 candidates");
        report.next_log_prior = self.waiting.first().map(|c| in_single_precision(c.log_prior));
        report.value = self.value;
        for step in &self.steps {
            let children: Vec<Child> = step.children.iter().map(|(_, child)| *child).collect();
            report.push_step(tactics.intern(&step.tactic), step.log_prior, &children);
        }
        report
    }

    /// Records a blocked candidate.
    pub(super) fn note_blocked(&mut self, candidate: Candidate, reason: String, timestamp_ms: u64) {
        self.attempts.push(Attempt {
            tactic_norm: candidate.tactic.as_str().into(),
            candidate,
            outcome: AttemptOutcome::Blocked,
            step: None,
            block_reason: Some(reason),
            error: None,
            timestamp_ms,
            has_failed: false,
        });
    }

    /// Records a tried candidate, and commits it if it is novel. Returns the number of children of the new step.
    pub(super) fn note_tried(
        &mut self,
        session: &Session,
        candidate: Candidate,
        mut tried: Tried,
        timestamp_ms: u64,
    ) -> Option<usize> {
        let attempted = Arc::clone(&tried.preview.attempted);
        let (outcome, error) = match &*attempted {
            Attempted::Applied { children, .. } => {
                let admission = tried.admission.take().expect("what succeeds is judged");
                self.admit(session, &candidate, children, &mut tried, admission)
            }
            Attempted::Screened { refusal } => (AttemptOutcome::Failure, Some(refusal.to_string())),
            Attempted::Rejected { message, .. } | Attempted::Crashed { message } => {
                (AttemptOutcome::Failure, Some(message.clone()))
            }
            Attempted::OverTime { limit } => {
                (AttemptOutcome::Timeout, Some(format!("stopped after {limit}")))
            }
        };
        let committed = outcome == AttemptOutcome::Success;
        self.attempts.push(Attempt {
            candidate,
            tactic_norm: Arc::clone(&tried.preview.tactic),
            outcome,
            step: committed.then(|| self.steps.len() - 1),
            block_reason: None,
            error,
            timestamp_ms,
            has_failed: attempted.has_failed(),
        });
        committed.then(|| self.steps.last().map_or(0, |step| step.children.len()))
    }

    fn admit(
        &mut self,
        session: &Session,
        candidate: &Candidate,
        children: &[session::ChildObligation],
        tried: &mut Tried,
        admission: Admission,
    ) -> (AttemptOutcome, Option<String>) {
        let dropped = match admission {
            Admission::Novel => Vec::new(),
            Admission::Without(dropped) => dropped,
            Admission::Cyclic => return (AttemptOutcome::Cyclic, None),
            Admission::TooDeep => {
                return (AttemptOutcome::Failure, Some("below the depth limit".to_owned()));
            }
        };
        let session::Committed { checkpoint, obligations } = session.commit(&mut tried.preview);
        let kept = obligations.into_iter().zip(children).enumerate().filter(|(i, _)| !dropped.contains(i));
        let children = kept.map(|(index, (obligation, data))| {
            let value = tried.values.as_ref().map(|v| v[index] as f32);
            (obligation, child(&data.signatures, value))
        });
        self.steps.push(Committed {
            tactic: candidate.tactic.clone(),
            log_prior: in_single_precision(candidate.log_prior),
            checkpoint,
            took: tried.preview.took,
            graft: None,
            children: children.collect(),
        });
        (AttemptOutcome::Success, None)
    }
}
