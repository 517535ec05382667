//! The interface of providers, and the rules for candidates.

use std::collections::HashSet;
use std::ops::AddAssign;
use std::sync::Arc;
use std::time::Duration;

use andor_core::goal::Goal;
pub use andor_core::language::FailedTactic;
use andor_core::lemma::Lemma;
use andor_core::rng::{Purpose, seed_at};
use andor_core::signature::GoalKey;
use andor_core::theorem::{ExtraImport, System, Theorem};
use andor_core::view;
use async_trait::async_trait;
use linkme::distributed_slice;

pub use crate::error::ProviderError;

/// A request for tactics at an obligation. The tactics apply to its first goal.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The theorem that the obligation belongs to.
    pub theorem: &'a Theorem,
    /// The goals, in order; at least one.
    pub goals: &'a [Goal],
    /// Which call of the attempt this is.
    pub call: Call,
    /// The tactics that failed at this obligation so far, in order.
    pub failed: &'a [FailedTactic],
    /// Lemmas about symbols of the goals; at most [`Provider::n_lemmas`].
    pub lemmas: &'a [Lemma],
    /// What providers noted about earlier answers of this attempt, in order, each note once.
    pub notes: &'a [Arc<str>],
}

/// Which call of an attempt a request is. Random choices of a provider derive from it, so that attempts differ and each
/// can be repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Call {
    /// The root seed of the attempt.
    pub seed: u64,
    /// The number of the attempt, from 1; 0 outside attempts.
    pub attempt: u32,
    /// The key of the obligation.
    pub goal: GoalKey,
    /// The number of the call at obligations with that key, from 0.
    pub number: u32,
}

impl Call {
    /// The seed for sampling in this call.
    pub fn sampling_seed(self) -> u64 {
        seed_at(self.seed, Purpose::Sampling, self.goal.0, u64::from(self.number))
    }
}

impl<'a> Request<'a> {
    /// The first request at an obligation, outside an attempt.
    pub fn new(theorem: &'a Theorem, goals: &'a [Goal]) -> Self {
        Self { theorem, goals, call: Call::default(), failed: &[], lemmas: &[], notes: &[] }
    }

    /// The text of all goals: [`view::pp`].
    pub fn pp(&self) -> String {
        view::pp(self.goals)
    }

    /// The text of the first goal, simplified: [`view::pp1`].
    pub fn pp1(&self) -> String {
        view::pp1(self.goals)
    }
}

/// A tactic text with its log-prior and the provider that proposed it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The tactic, in the system's language, without a final period.
    pub tactic: String,
    /// The natural logarithm of the estimated probability that this is the right tactic: finite, at most 0.
    pub log_prior: f64,
    /// The number of language-model tokens that `log_prior` is summed over, at least 1; `None` if it is not such a
    /// sum. [`tidy`] converts the sum to the average per token.
    pub tokens: Option<u32>,
    /// The provider that proposed it.
    pub provider: Arc<str>,
}

/// The answer to a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suggestions {
    /// The candidates, in any order.
    pub candidates: Vec<Candidate>,
    /// The provider's estimate in [0, 1] of the probability that the obligation is provable, if it has one.
    pub value: Option<f64>,
    /// The number of candidates dropped as duplicates, counted by [`tidy`].
    pub duplicates: u64,
    /// What the answer cost.
    pub usage: Usage,
    /// Hints about mistakes in the answer, for later requests of the attempt.
    pub notes: Vec<Arc<str>>,
    /// Providers that gave no answer, with the reasons. The candidates are those of the others.
    pub failures: Vec<Failure>,
}

/// What answers of language models cost. Zero for other providers.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Usage {
    /// Questions that were asked, however many requests each took.
    pub questions: u64,
    /// Requests that were sent for them, repetitions included.
    pub requests: u64,
    /// Those of them that were sent because another had failed.
    pub retries: u64,
    /// Tokens sent.
    pub prompt_tokens: u64,
    /// Tokens received.
    pub completion_tokens: u64,
    /// Time from request to answer, summed over requests.
    pub waited: Duration,
    /// Money, in millionths of the currency of the configured prices.
    pub cost_micros: u64,
}

impl Usage {
    /// The tokens sent and received.
    pub fn tokens(&self) -> u64 {
        self.prompt_tokens.saturating_add(self.completion_tokens)
    }
}

impl AddAssign for Usage {
    /// Adds up to the largest number that there is: providers may state any.
    fn add_assign(&mut self, other: Self) {
        for (sum, more) in [
            (&mut self.questions, other.questions),
            (&mut self.requests, other.requests),
            (&mut self.retries, other.retries),
            (&mut self.prompt_tokens, other.prompt_tokens),
            (&mut self.completion_tokens, other.completion_tokens),
            (&mut self.cost_micros, other.cost_micros),
        ] {
            *sum = sum.saturating_add(more);
        }
        self.waited = self.waited.saturating_add(other.waited);
    }
}

/// A provider that gave no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The provider.
    pub provider: Arc<str>,
    /// The reason.
    pub reason: String,
    /// Whether it answered, but with nothing that could be a tactic.
    pub has_answered: bool,
}

/// A whole proof of an obligation, as far as a provider can write one.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The script: tactics, or a whole theorem with its proof. It is applied as far as it holds.
    pub script: String,
    /// The log-prior of each of its steps: finite, at most 0.
    pub log_prior: f64,
    /// The provider that wrote it.
    pub provider: Arc<str>,
    /// What it cost.
    pub usage: Usage,
}

/// The answer to a request for a draft.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drafted {
    /// The draft, if there is one.
    pub draft: Option<Draft>,
    /// What failed requests for it cost.
    pub usage: Usage,
    /// Why there is none, if the provider gave no answer.
    pub failure: Option<Failure>,
}

/// What became of the drafts at an obligation so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DraftHistory {
    /// How many drafts were requested there before.
    pub number: u64,
    /// The last one, if it did not close the obligation; or one for an obligation above, of which a tactic was cut off here.
    pub last: Option<FailedDraft>,
}

/// A draft that did not close its obligation.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedDraft {
    /// Its script.
    pub script: String,
    /// Whether it was written for an obligation above.
    pub is_above: bool,
    /// Goals that it left open on purpose, or without a word.
    pub holes: u64,
    /// What was cut off, in the order of the script; of a draft for an obligation above, what was cut off here. What stands
    /// elsewhere holds.
    pub cuts: Vec<DraftCut>,
}

/// A tactic of a draft that was cut off, with what follows it in its block.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftCut {
    /// Its line in the script, from 1.
    pub line: usize,
    /// Its column, from 1, in characters.
    pub column: usize,
    /// The tactic; `None` if the script is at fault: it cannot be read there, or asks for a goal that does not exist.
    pub tactic: Option<String>,
    /// Why: the assistant's message, or what is wrong with the script.
    pub error: String,
}

/// The policies of systems that are linked into a program.
#[distributed_slice]
pub static POLICIES: [Policy];

/// What proposes tactics for a system in the place of the heuristics.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// The system.
    pub system: System,
    /// Makes the provider, which also gives values if it is asked to be a critic.
    pub provider: fn(critic: bool) -> Arc<dyn Provider>,
}

impl Policy {
    /// That of a system, if it has one.
    pub fn of(system: System) -> Option<&'static Self> {
        POLICIES.iter().find(|policy| policy.system == system)
    }
}

/// Proposes tactics.
#[async_trait]
pub trait Provider: Send + Sync {
    /// A short name, for traces.
    fn id(&self) -> &str;

    /// Whether it supports `system`.
    fn speaks(&self, system: System) -> bool;

    /// Whether its answers may differ between attempts: it draws them, or nobody knows how it makes them. An attempt that asked
    /// only providers that draw nothing, and drew nothing itself, counts as a copy of every other such attempt.
    fn draws(&self) -> bool {
        true
    }

    /// Imports that its tactics for this theorem need (see [`Theorem::extra_imports`]).
    fn imports(&self, theorem: &Theorem) -> Vec<ExtraImport> {
        let _ = theorem;
        Vec::new()
    }

    /// How many lemmas it wants with each request.
    fn n_lemmas(&self) -> usize {
        0
    }

    /// Proposes tactics for an obligation.
    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError>;

    /// Whether it writes drafts.
    fn writes_drafts(&self) -> bool {
        false
    }

    /// Writes a whole proof of an obligation; called only if [`Provider::writes_drafts`]. `None` if the provider has no draft, or no further one; then it is not
    /// asked for one at this obligation again.
    async fn draft(
        &self,
        request: Request<'_>,
        history: &DraftHistory,
    ) -> Result<Option<Draft>, ProviderError> {
        let _ = (request, history);
        Ok(None)
    }

    /// For each obligation, given by its goals, an estimate in [0, 1] of the probability that it is provable; `None`
    /// if the provider has none.
    async fn evaluate(
        &self,
        theorem: &Theorem,
        obligations: &[&[Goal]],
    ) -> Result<Option<Vec<f64>>, ProviderError> {
        let _ = (theorem, obligations);
        Ok(None)
    }
}

/// How often [`ask`] makes a request in all.
const ASKS: u32 = 3;

/// Asks a provider, and validates its answer ([`tidy`]). A request that fails for now is repeated at once, twice at most:
/// providers that need time to recover wait on their own. A provider that gives no answer after that yields no candidates,
/// and is listed among the failures.
///
/// # Errors
///
/// The provider cannot be used, or its answer is invalid.
pub async fn ask(provider: &dyn Provider, request: Request<'_>) -> Result<Suggestions, ProviderError> {
    let mut spent = Usage::default();
    for asked in 1.. {
        let error = match provider.suggest(request).await {
            Ok(mut suggestions) => {
                suggestions.usage += spent;
                return tidy(provider.id(), suggestions);
            }
            Err(error) => error,
        };
        let may_answer = matches!(error, ProviderError::Unavailable { .. });
        let (failure, usage) = error.into_failure()?;
        spent += usage;
        if !may_answer || asked == ASKS {
            let failures = vec![failure];
            return Ok(Suggestions { usage: spent, failures, ..Suggestions::default() });
        }
    }
    unreachable!("a range without end")
}

/// Asks a provider for a draft, as [`ask`] asks for tactics.
///
/// # Errors
///
/// The provider cannot be used, or its answer is invalid.
pub async fn ask_draft(
    provider: &dyn Provider,
    request: Request<'_>,
    history: &DraftHistory,
) -> Result<Drafted, ProviderError> {
    let mut drafted = Drafted::default();
    for asked in 1.. {
        let error = match provider.draft(request, history).await {
            Ok(draft) => return Ok(Drafted { draft: tidy_draft(provider.id(), draft)?, ..drafted }),
            Err(error) => error,
        };
        let may_answer = matches!(error, ProviderError::Unavailable { .. });
        let (failure, usage) = error.into_failure()?;
        drafted.usage += usage;
        if !may_answer || asked == ASKS {
            return Ok(Drafted { failure: Some(failure), ..drafted });
        }
    }
    unreachable!("a range without end")
}

/// Validates an evaluation: one value in [0, 1] for each of `expected` obligations.
pub fn tidy_values(
    provider: &str,
    values: Option<Vec<f64>>,
    expected: usize,
) -> Result<Option<Vec<f64>>, ProviderError> {
    if let Some(values) = &values {
        if values.len() != expected {
            let (provider, found) = (provider.to_owned(), values.len());
            return Err(ProviderError::WrongCount { provider, found, expected });
        }
        check_values(provider, values)?;
    }
    Ok(values)
}

/// Validates a draft; one without text counts as none.
pub fn tidy_draft(provider: &str, draft: Option<Draft>) -> Result<Option<Draft>, ProviderError> {
    let Some(draft) = draft.filter(|draft| !draft.script.trim().is_empty()) else { return Ok(None) };
    if draft.log_prior.is_finite() && draft.log_prior <= 0.0 {
        return Ok(Some(draft));
    }
    let (provider, tactic) = (provider.to_owned(), "a draft".to_owned());
    Err(ProviderError::BadLogPrior { provider, tactic, log_prior: draft.log_prior })
}

fn check_values(provider: &str, values: &[f64]) -> Result<(), ProviderError> {
    match values.iter().find(|v| !(0.0..=1.0).contains(*v)) {
        Some(&value) => Err(ProviderError::BadValue { provider: provider.to_owned(), value }),
        None => Ok(()),
    }
}

/// Validates and normalises suggestions: checks the numbers, averages log-priors over tokens, trims the tactics and
/// drops empty ones, sorts by log-prior (stable), and keeps the first occurrence of each text.
///
/// A log-prior that is a sum over tokens is divided by their number, so that long tactics are not penalised for their
/// length alone. An averaged candidate has no number of tokens, so that sums and averages cannot be confused.
///
/// Of equal tactics the one with the best log-prior is kept, so that the result does not depend on the order of
/// several providers.
pub fn tidy(provider: &str, suggestions: Suggestions) -> Result<Suggestions, ProviderError> {
    let Suggestions { mut candidates, value, mut duplicates, usage, notes, failures } = suggestions;
    check_values(provider, value.as_slice())?;
    for candidate in &mut candidates {
        if !candidate.log_prior.is_finite() || candidate.log_prior > 0.0 {
            let Candidate { tactic, log_prior, .. } = candidate.clone();
            return Err(ProviderError::BadLogPrior { provider: provider.to_owned(), tactic, log_prior });
        }
        candidate.tactic = candidate.tactic.trim().to_owned();
        if let Some(tokens) = candidate.tokens.take() {
            if tokens == 0 {
                let (provider, tactic) = (provider.to_owned(), candidate.tactic.clone());
                return Err(ProviderError::NoTokens { provider, tactic });
            }
            candidate.log_prior /= f64::from(tokens);
        }
    }
    candidates.retain(|candidate| !candidate.tactic.is_empty());
    candidates.sort_by(|a, b| b.log_prior.total_cmp(&a.log_prior));
    let mut known = HashSet::new();
    candidates.retain(|candidate| {
        let is_new = known.insert(candidate.tactic.clone());
        duplicates += u64::from(!is_new);
        is_new
    });
    Ok(Suggestions { candidates, value, duplicates, usage, notes, failures })
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor_system_lean::LEAN4;

    fn candidate(tactic: &str, log_prior: f64) -> Candidate {
        Candidate { tactic: tactic.into(), log_prior, tokens: None, provider: "p".into() }
    }

    #[test]
    fn sums_over_tokens_become_averages_once() {
        let long = Candidate { tokens: Some(8), ..candidate("rewrite plus_comm", -4.0) };
        let short = Candidate { tokens: Some(1), ..candidate("auto", -1.0) };
        let given = vec![candidate("lia", -0.75), short, long];
        let suggestions = Suggestions { candidates: given, ..Suggestions::default() };
        let once = tidy("p", suggestions).unwrap();
        let averages =
            [candidate("rewrite plus_comm", -0.5), candidate("lia", -0.75), candidate("auto", -1.0)];
        assert_eq!(once.candidates, averages);
        assert_eq!(tidy("p", once.clone()).unwrap(), once);
    }

    #[test]
    fn a_log_prior_over_no_tokens_is_an_error() {
        let given = vec![Candidate { tokens: Some(0), ..candidate("auto", -1.0) }];
        let error = tidy("p", Suggestions { candidates: given, ..Suggestions::default() }).unwrap_err();
        assert!(error.to_string().contains("a token count of 0 for `auto`"), "{error}");
    }

    #[test]
    fn suggestions_are_sorted_and_each_tactic_kept_once_with_its_best_prior() {
        let given =
            vec![candidate("b", -2.0), candidate(" a ", -1.0), candidate("b", -0.5), candidate(" ", -0.1)];
        let tidied = tidy("p", Suggestions { candidates: given, ..Suggestions::default() }).unwrap();
        assert_eq!(tidied.candidates, [candidate("b", -0.5), candidate("a", -1.0)]);
        assert_eq!(tidied.duplicates, 1);
    }

    #[test]
    fn the_first_of_equally_likely_duplicates_stays_where_it_is() {
        let given =
            vec![candidate("b", -2.0), candidate("a", -0.5), candidate("b ", -0.5), candidate("a", -0.5)];
        let tidied =
            tidy("p", Suggestions { candidates: given, duplicates: 3, ..Suggestions::default() }).unwrap();
        assert_eq!(tidied.candidates, [candidate("a", -0.5), candidate("b", -0.5)]);
        assert_eq!(tidied.duplicates, 5);
    }

    #[test]
    fn a_request_offers_views_of_its_goals() {
        let goal = |case: &str| Goal { case: Some(case.to_owned()), ..Goal::default() };
        let theorem = Theorem {
            id: String::new(),
            name: String::new(),
            system: LEAN4,
            header: String::new(),
            statement: String::new(),
            footer: String::new(),
            extra_imports: Vec::new(),
        };
        let goals = [goal("inl"), goal("inr")];
        let request = Request::new(&theorem, &goals);
        assert_eq!(request.pp(), "case inl\n⊢ \n\ncase inr\n⊢ ");
        assert_eq!(request.pp1(), "⊢");
    }

    #[test]
    fn bad_numbers_are_errors() {
        for log_prior in [0.1, f64::NAN, f64::NEG_INFINITY] {
            let given = Suggestions { candidates: vec![candidate("a", log_prior)], ..Suggestions::default() };
            assert!(matches!(tidy("p", given), Err(ProviderError::BadLogPrior { .. })));
        }
        let given = Suggestions { value: Some(1.5), ..Suggestions::default() };
        assert!(matches!(tidy("p", given), Err(ProviderError::BadValue { .. })));
        let values = |values: &[f64]| tidy_values("p", Some(values.to_vec()), 2);
        assert!(matches!(values(&[0.5, f64::NAN]), Err(ProviderError::BadValue { .. })));
        assert!(matches!(values(&[0.5]), Err(ProviderError::WrongCount { found: 1, expected: 2, .. })));
        assert!(values(&[0.0, 1.0]).is_ok());
    }
}
