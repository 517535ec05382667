//! What a provider is, and what counts as a candidate.

use std::collections::HashMap;
use std::sync::Arc;

use andor_core::goal::Goal;
use andor_core::theorem::{ExtraImport, System, Theorem};
use async_trait::async_trait;

/// What a provider is asked about: an obligation. Its tactics act on the first goal.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The theorem that the obligation belongs to.
    pub theorem: &'a Theorem,
    /// The goals, in order; at least one.
    pub goals: &'a [Goal],
}

/// A tactic text with its log-prior and the provider that proposed it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The tactic, in the system's language, without a final period.
    pub tactic: String,
    /// The natural logarithm of the estimated chance that this is the right tactic: finite, at most 0.
    pub log_prior: f64,
    /// Who proposed it.
    pub provider: Arc<str>,
}

/// The answer to a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suggestions {
    /// The candidates, in any order.
    pub candidates: Vec<Candidate>,
    /// An estimate in [0, 1] of the chance that the obligation can be proved, if the provider has one.
    pub value: Option<f64>,
}

/// Proposes tactics.
#[async_trait]
pub trait Provider: Send + Sync {
    /// A short name, for traces.
    fn id(&self) -> &str;

    /// Whether it can propose tactics in the language of `system`.
    fn speaks(&self, system: System) -> bool;

    /// Imports that its tactics for this theorem need (see [`Theorem::extra_imports`]).
    fn imports(&self, theorem: &Theorem) -> Vec<ExtraImport> {
        let _ = theorem;
        Vec::new()
    }

    /// Proposes tactics for an obligation.
    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError>;

    /// Estimates in [0, 1] of the chance to prove each of some obligations, given by their goals; `None`
    /// where the provider has no opinion.
    async fn evaluate(
        &self,
        theorem: &Theorem,
        obligations: &[&[Goal]],
    ) -> Result<Option<Vec<f64>>, ProviderError> {
        let _ = (theorem, obligations);
        Ok(None)
    }
}

/// Why a provider gave no answer, or an unusable one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderError {
    /// A log-prior that is positive or not finite.
    #[error(
        "provider `{provider}` gave `{tactic}` the log-prior {log_prior}; it must be finite and at most 0"
    )]
    BadLogPrior {
        /// Who.
        provider: String,
        /// The tactic.
        tactic: String,
        /// The number.
        log_prior: f64,
    },
    /// A value outside [0, 1].
    #[error("provider `{provider}` gave the value {value}; it must be in [0, 1]")]
    BadValue {
        /// Who.
        provider: String,
        /// The number.
        value: f64,
    },
    /// Not one value per obligation.
    #[error("provider `{provider}` gave {found} values for {expected} obligations")]
    WrongCount {
        /// Who.
        provider: String,
        /// The values given.
        found: usize,
        /// The values asked for.
        expected: usize,
    },
    /// A ranker did more than reorder.
    #[error("ranker `{ranker}` must only reorder: {what}")]
    RankerViolation {
        /// Who.
        ranker: String,
        /// What it did.
        what: String,
    },
    /// A script file is wrong.
    #[error("{path}: {what}")]
    BadScript {
        /// The file.
        path: String,
        /// What is wrong with it.
        what: String,
    },
}

/// Makes an evaluation fit for use: checks that there is one value for each of `expected` obligations, in
/// [0, 1].
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

fn check_values(provider: &str, values: &[f64]) -> Result<(), ProviderError> {
    match values.iter().find(|v| !(0.0..=1.0).contains(*v)) {
        Some(&value) => Err(ProviderError::BadValue { provider: provider.to_owned(), value }),
        None => Ok(()),
    }
}

/// Makes suggestions fit for use: checks the numbers, drops empty tactics, keeps the best log-prior of
/// equal tactics, and sorts by log-prior, the earlier candidate first among equals.
pub fn tidy(provider: &str, suggestions: Suggestions) -> Result<Suggestions, ProviderError> {
    check_values(provider, suggestions.value.as_slice())?;
    let mut candidates: Vec<Candidate> = Vec::with_capacity(suggestions.candidates.len());
    let mut place: HashMap<String, usize> = HashMap::new();
    for mut candidate in suggestions.candidates {
        if !candidate.log_prior.is_finite() || candidate.log_prior > 0.0 {
            let Candidate { tactic, log_prior, .. } = candidate;
            return Err(ProviderError::BadLogPrior { provider: provider.to_owned(), tactic, log_prior });
        }
        candidate.tactic = candidate.tactic.trim().to_owned();
        if candidate.tactic.is_empty() {
            continue;
        }
        match place.get(&candidate.tactic) {
            Some(&known) if candidates[known].log_prior >= candidate.log_prior => {}
            Some(&known) => candidates[known] = candidate,
            None => {
                place.insert(candidate.tactic.clone(), candidates.len());
                candidates.push(candidate);
            }
        }
    }
    candidates.sort_by(|a, b| b.log_prior.total_cmp(&a.log_prior));
    Ok(Suggestions { candidates, value: suggestions.value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(tactic: &str, log_prior: f64) -> Candidate {
        Candidate { tactic: tactic.into(), log_prior, provider: "p".into() }
    }

    #[test]
    fn suggestions_are_sorted_and_each_tactic_kept_once_with_its_best_prior() {
        let given =
            vec![candidate("b", -2.0), candidate(" a ", -1.0), candidate("b", -0.5), candidate(" ", -0.1)];
        let tidied = tidy("p", Suggestions { candidates: given, value: None }).unwrap();
        assert_eq!(tidied.candidates, [candidate("b", -0.5), candidate("a", -1.0)]);
    }

    #[test]
    fn bad_numbers_are_errors() {
        for log_prior in [0.1, f64::NAN, f64::NEG_INFINITY] {
            let given = Suggestions { candidates: vec![candidate("a", log_prior)], value: None };
            assert!(matches!(tidy("p", given), Err(ProviderError::BadLogPrior { .. })));
        }
        let given = Suggestions { candidates: Vec::new(), value: Some(1.5) };
        assert!(matches!(tidy("p", given), Err(ProviderError::BadValue { .. })));
        let values = |values: &[f64]| tidy_values("p", Some(values.to_vec()), 2);
        assert!(matches!(values(&[0.5, f64::NAN]), Err(ProviderError::BadValue { .. })));
        assert!(matches!(values(&[0.5]), Err(ProviderError::WrongCount { found: 1, expected: 2, .. })));
        assert!(values(&[0.0, 1.0]).is_ok());
    }
}
