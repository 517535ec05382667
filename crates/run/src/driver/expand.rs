//! One expansion: candidates, previews, novelty, commits.

use std::sync::Arc;
use std::time::Duration;

use andor_artifact::trace::AttemptOutcome;
use andor_core::goal::Goal;
use andor_core::policy::Expansion;
use andor_core::rng::{Purpose, stream};
use andor_core::search::{Admission, CandidateOrder, Guard, Report};
use andor_core::signature::Signatures;
use andor_core::tactic::Tactics;
use andor_core::tree::Child;
use andor_env::session::{self, Attempted, Obligation, Session};
use andor_provider::contract::{Candidate, Provider, Request, tidy, tidy_values};
use andor_provider::ranker::{self, Ranker};
use rand::seq::SliceRandom;
use tokio::time::Instant;

/// What expansions work with.
pub(super) struct Expander {
    pub(super) session: Arc<Session>,
    pub(super) provider: Arc<dyn Provider>,
    pub(super) ranker: Option<Arc<dyn Ranker>>,
    pub(super) expansion: Expansion,
}

/// What came of an expansion.
#[derive(Default)]
pub(super) struct Expanded {
    /// The candidates tried, in order.
    pub(super) attempts: Vec<Attempt>,
    /// The steps committed, in order.
    pub(super) steps: Vec<Committed>,
    /// Candidates left for later.
    pub(super) waiting: Vec<Candidate>,
    /// The provider's value for the obligation.
    pub(super) value: Option<f32>,
    /// Whether the provider was asked.
    pub(super) asked_provider: bool,
    pub(super) providing: Duration,
    pub(super) failure: Option<Failure>,
}

/// Why an expansion broke off.
pub(super) enum Failure {
    /// The attempt cannot go on.
    Fatal(String),
    /// The obligation's state could not be rebuilt as it was.
    Diverged(String),
}

/// A candidate tried.
pub(super) struct Attempt {
    pub(super) candidate: Candidate,
    pub(super) tactic_norm: Arc<str>,
    pub(super) outcome: AttemptOutcome,
    /// The step it became, by position in [`Expanded::steps`].
    pub(super) step: Option<usize>,
    pub(super) error: Option<String>,
    pub(super) finished: Instant,
}

/// A step committed.
pub(super) struct Committed {
    pub(super) tactic: String,
    pub(super) log_prior: f32,
    pub(super) checkpoint: session::CheckpointId,
    /// The obligations that became children, with what the tree needs to know of them.
    pub(super) children: Vec<(Obligation, Child)>,
}

impl Expanded {
    /// What the search is told.
    pub(super) fn report(&self, tactics: &mut Tactics) -> Report {
        let mut report = Report::default();
        report.attempts = u32::try_from(self.attempts.len()).expect("fewer than 2^32 candidates");
        report.next_log_prior = self.waiting.first().map(|c| c.log_prior as f32);
        report.value = self.value;
        for step in &self.steps {
            let children: Vec<Child> = step.children.iter().map(|(_, child)| *child).collect();
            report.push_step(tactics.intern(&step.tactic), step.log_prior, &children);
        }
        report
    }
}

impl Expander {
    /// Expands an obligation: tries the candidates `waiting` from before, or those that the provider gives
    /// now.
    pub(super) async fn expand(
        &self,
        obligation: Obligation,
        waiting: Option<Vec<Candidate>>,
        guard: &Guard,
        order: CandidateOrder,
    ) -> Expanded {
        let mut expanded = Expanded::default();
        if let Err(failure) = self.try_expand(obligation, waiting, guard, order, &mut expanded).await {
            expanded.failure = Some(failure);
        }
        expanded
    }

    async fn try_expand(
        &self,
        obligation: Obligation,
        waiting: Option<Vec<Candidate>>,
        guard: &Guard,
        order: CandidateOrder,
        expanded: &mut Expanded,
    ) -> Result<(), Failure> {
        let mut candidates = match waiting {
            Some(waiting) => waiting,
            None => self.suggest(obligation, order, expanded).await?,
        }
        .into_iter();
        let mut lease = self.session.lease(obligation);
        for candidate in candidates.by_ref() {
            let mut preview = match lease.preview(&candidate.tactic).await {
                Ok(preview) => preview,
                Err(error) => {
                    expanded.waiting = candidates.collect();
                    return Err(error.into());
                }
            };
            let attempted = Arc::clone(&preview.attempted);
            let (outcome, error) = match &*attempted {
                Attempted::Applied { children, .. } => {
                    self.admit(&mut preview, children, &candidate, guard, expanded).await?
                }
                Attempted::Rejected { message } | Attempted::Crashed { message } => {
                    (AttemptOutcome::Failure, Some(message.clone()))
                }
                Attempted::OverTime { limit } => {
                    (AttemptOutcome::Timeout, Some(format!("stopped after {} s", limit.as_secs_f64())))
                }
            };
            let committed = outcome == AttemptOutcome::Success;
            expanded.attempts.push(Attempt {
                candidate,
                tactic_norm: Arc::clone(&preview.tactic),
                outcome,
                step: committed.then(|| expanded.steps.len() - 1),
                error,
                finished: Instant::now(),
            });
            let closed = committed && expanded.steps.last().is_some_and(|s| s.children.is_empty());
            if closed || (committed && matches!(self.expansion, Expansion::FirstNovel { .. })) {
                break;
            }
        }
        expanded.waiting = candidates.collect();
        Ok(())
    }

    /// The provider's candidates, ranked and ordered.
    async fn suggest(
        &self,
        obligation: Obligation,
        order: CandidateOrder,
        expanded: &mut Expanded,
    ) -> Result<Vec<Candidate>, Failure> {
        let goals = self.session.goals(obligation);
        let request = Request { theorem: self.session.theorem(), goals: &goals };
        let began = Instant::now();
        let suggestions = self.provider.suggest(request).await;
        expanded.providing += began.elapsed();
        expanded.asked_provider = true;
        let suggestions = tidy(self.provider.id(), suggestions?)?;
        expanded.value = suggestions.value.map(|v| v as f32);
        let mut candidates = match &self.ranker {
            Some(ranker) => ranker::apply(ranker.as_ref(), request, suggestions.candidates)?,
            None => suggestions.candidates,
        };
        if let CandidateOrder::Shuffled(seed) = order {
            candidates.shuffle(&mut stream(seed, Purpose::Candidates));
        }
        Ok(candidates)
    }

    /// Commits a preview if it is novel.
    async fn admit(
        &self,
        preview: &mut session::Preview,
        children: &[session::Child],
        candidate: &Candidate,
        guard: &Guard,
        expanded: &mut Expanded,
    ) -> Result<(AttemptOutcome, Option<String>), Failure> {
        let plain: Vec<Child> = children.iter().map(|c| child(&c.signatures, None)).collect();
        let dropped = match guard.admit(&plain) {
            Admission::Novel => Vec::new(),
            Admission::Without(dropped) => dropped,
            Admission::Cyclic => return Ok((AttemptOutcome::Cyclic, None)),
            Admission::TooDeep => {
                return Ok((AttemptOutcome::Failure, Some("below the depth limit".to_owned())));
            }
        };
        let goals: Vec<&[Goal]> = children.iter().map(|c| &*c.goals).collect();
        let began = Instant::now();
        let values = if goals.is_empty() {
            None
        } else {
            let values = self.provider.evaluate(self.session.theorem(), &goals).await?;
            tidy_values(self.provider.id(), values, goals.len())?
        };
        expanded.providing += began.elapsed();
        let session::Committed { checkpoint, obligations } = self.session.commit(preview);
        let kept = obligations.into_iter().zip(children).enumerate().filter(|(i, _)| !dropped.contains(i));
        let children = kept.map(|(index, (obligation, data))| {
            let value = values.as_ref().map(|v| v[index] as f32);
            (obligation, child(&data.signatures, value))
        });
        expanded.steps.push(Committed {
            tactic: candidate.tactic.clone(),
            log_prior: candidate.log_prior as f32,
            checkpoint,
            children: children.collect(),
        });
        Ok((AttemptOutcome::Success, None))
    }
}

/// What the tree needs to know of an obligation.
pub(super) fn child(signatures: &Signatures, value: Option<f32>) -> Child {
    Child { coarse: signatures.coarse, key: signatures.key, value }
}
