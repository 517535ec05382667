//! The slow operations of an expansion: asking the provider, and trying a tactic. Each runs as a task that owns all
//! its data.

use std::sync::Arc;
use std::time::Duration;

use andor_core::goal::Goal;
use andor_core::rng::{Purpose, stream};
use andor_core::search::{Admission, CandidateOrder, Guard};
use andor_core::signature::Signatures;
use andor_core::tree::Child;
use andor_env::error::EnvError;
use andor_env::session::{self, Attempted, Lease, Obligation, Preview, Session};
use andor_provider::contract::{
    self, Call, Candidate, DraftHistory, Drafted, FailedTactic, Provider, ProviderError, Request,
    Suggestions, Usage, ask, ask_draft, tidy_values,
};
use andor_provider::filters::TacticFilter;
use andor_provider::ranker::{self, Ranker};
use andor_provider::temperature;
use rand::seq::SliceRandom;
use tokio::time::Instant;

/// Performs the operations.
pub(super) struct Operator {
    pub(super) session: Arc<Session>,
    pub(super) provider: Arc<dyn Provider>,
    pub(super) ranker: Option<Arc<dyn Ranker>>,
    /// At which the order of proposals is drawn.
    pub(super) temperature: f64,
}

/// Why an expansion failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The attempt cannot continue.
    Fatal(String),
    /// The obligation's state could not be rebuilt by replay.
    Diverged(String),
}

impl From<EnvError> for Failure {
    fn from(error: EnvError) -> Self {
        match error {
            EnvError::ReplayDiverged { .. } => Self::Diverged(error.to_string()),
            error => Self::Fatal(error.to_string()),
        }
    }
}

impl From<ProviderError> for Failure {
    fn from(error: ProviderError) -> Self {
        Self::Fatal(error.to_string())
    }
}

/// A provider's proposals for an obligation.
#[derive(Clone)]
pub(super) struct Proposal {
    /// In the order in which they are tried.
    pub(super) candidates: Vec<Candidate>,
    /// Its value for the obligation.
    pub(super) value: Option<f32>,
    /// The number of candidates dropped as duplicates.
    pub(super) duplicates: u64,
    /// What it cost.
    pub(super) usage: Usage,
    /// Hints for later requests.
    pub(super) notes: Vec<Arc<str>>,
    /// The providers that gave no answer.
    pub(super) failures: Vec<contract::Failure>,
}

/// A tried candidate.
pub(super) struct Tried {
    pub(super) preview: Preview,
    /// Whether it may be committed; `None` if the tactic failed.
    pub(super) admission: Option<Admission>,
    /// The provider's values for the resulting obligations, if it gave any.
    pub(super) values: Option<Vec<f64>>,
    /// The provider, if it was asked for values and gave no answer.
    pub(super) unvalued: Option<Arc<str>>,
    /// Time spent waiting for these values.
    pub(super) valuing: Duration,
    pub(super) finished: Instant,
}

impl Operator {
    /// Whether what it proposes may differ between attempts.
    pub(super) fn draws(&self) -> bool {
        self.temperature > 0.0 || self.provider.draws() || self.ranker.as_ref().is_some_and(|r| r.draws())
    }

    /// Asks the provider for candidates, and applies the ranker.
    pub(super) async fn suggest(
        &self,
        obligation: Obligation,
        order: CandidateOrder,
        call: Call,
        failed: &[FailedTactic],
        notes: &[Arc<str>],
    ) -> Result<Proposal, Failure> {
        let goals = self.session.goals(obligation);
        let lemmas = self.session.lemmas_at(obligation, self.provider.n_lemmas()).await;
        let request =
            Request { call, failed, lemmas: &lemmas, notes, ..Request::new(self.session.theorem(), &goals) };
        let Suggestions { mut candidates, value, duplicates, usage, notes, mut failures } =
            ask(self.provider.as_ref(), request).await?;
        temperature::draw(&mut candidates, self.temperature, call.seed, call.goal.0);
        if let Some(ranker) = &self.ranker {
            match ranker::apply(ranker.as_ref(), request, candidates.clone()).await {
                Ok(ranked) => candidates = ranked,
                Err(ProviderError::Unavailable { reason, .. } | ProviderError::NoAnswer { reason, .. }) => {
                    let (provider, has_answered) = (ranker.id().into(), false);
                    failures.push(contract::Failure { provider, reason, has_answered });
                }
                Err(error) => return Err(error.into()),
            }
        }
        if let CandidateOrder::Shuffled(seed) = order {
            candidates.shuffle(&mut stream(seed, Purpose::Candidates));
        }
        Ok(Proposal { candidates, value: value.map(|v| v as f32), duplicates, usage, notes, failures })
    }

    /// Asks the provider for a draft.
    pub(super) async fn draft(
        &self,
        obligation: Obligation,
        call: Call,
        notes: &[Arc<str>],
        history: &DraftHistory,
    ) -> Result<Drafted, Failure> {
        let goals = self.session.goals(obligation);
        let request = Request { call, notes, ..Request::new(self.session.theorem(), &goals) };
        Ok(ask_draft(self.provider.as_ref(), request, history).await?)
    }

    /// Tries a tactic. If the result is novel, asks the provider for its values.
    pub(super) async fn attempt(
        &self,
        lease: &mut Lease,
        tactic: &str,
        guard: &Guard,
    ) -> Result<Tried, Failure> {
        let preview = lease.preview(tactic).await?;
        self.judge(preview, guard).await
    }

    /// The same for a tactic of a script, which gives way to the first tactic that it suggests and that may be used.
    pub(super) async fn attempt_as_suggested(
        &self,
        lease: &mut Lease,
        tactic: &str,
        guard: &Guard,
        filter: &TacticFilter,
    ) -> Result<Tried, Failure> {
        let is_free = |text: &str| filter.block_reason(text).is_none();
        let preview = lease.preview_as_suggested(tactic, is_free).await?;
        self.judge(preview, guard).await
    }

    async fn judge(&self, preview: Preview, guard: &Guard) -> Result<Tried, Failure> {
        let finished = Instant::now();
        let attempted = Arc::clone(&preview.attempted);
        let Attempted::Applied { children, .. } = &*attempted else {
            let (values, unvalued, valuing) = (None, None, Duration::ZERO);
            return Ok(Tried { preview, admission: None, values, unvalued, valuing, finished });
        };
        let plain: Vec<Child> = children.iter().map(|c| child(&c.signatures, None)).collect();
        let admission = guard.admit(&plain);
        let novel = matches!(admission, Admission::Novel | Admission::Without(_));
        let (values, unvalued) =
            if novel && !children.is_empty() { self.evaluate(children).await? } else { (None, None) };
        let valuing = finished.elapsed();
        Ok(Tried { preview, admission: Some(admission), values, unvalued, valuing, finished })
    }

    /// The provider's values, if it gives any; or the provider, if it gives no answer.
    async fn evaluate(
        &self,
        children: &[session::ChildObligation],
    ) -> Result<(Option<Vec<f64>>, Option<Arc<str>>), Failure> {
        let goals: Vec<&[Goal]> = children.iter().map(|c| &*c.goals).collect();
        match self.provider.evaluate(self.session.theorem(), &goals).await {
            Ok(values) => Ok((tidy_values(self.provider.id(), values, goals.len())?, None)),
            Err(error @ (ProviderError::Unavailable { .. } | ProviderError::NoAnswer { .. })) => {
                tracing::warn!("obligations are left without a value: {error}");
                Ok((None, Some(self.provider.id().into())))
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The data of an obligation for the tree.
pub(super) fn child(signatures: &Signatures, value: Option<f32>) -> Child {
    Child { coarse: signatures.coarse, key: signatures.key, value }
}
