//! Why a provider gave no answer.

use crate::contract::{Failure, Usage};

/// Why a provider gave no usable answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderError {
    /// It could not be reached or was overloaded; the same request may succeed later. [`ask`](crate::contract::ask) repeats it.
    #[error("provider `{provider}` gave no answer: {reason}")]
    Unavailable {
        /// The provider.
        provider: String,
        /// Why.
        reason: String,
        /// What the attempts to get one cost.
        usage: Usage,
    },
    /// It cannot answer this request, though it may answer others.
    #[error("provider `{provider}` cannot answer: {reason}")]
    NoAnswer {
        /// The provider.
        provider: String,
        /// Why.
        reason: String,
        /// What the attempt cost.
        usage: Usage,
    },
    /// It answered, and there is no tactic in the answer.
    #[error("provider `{provider}` wrote no tactic: {reason}")]
    NoTactic {
        /// The provider.
        provider: String,
        /// Why.
        reason: String,
        /// What the answer cost.
        usage: Usage,
    },
    /// It can answer no request at all, as with a wrong key.
    #[error("provider `{provider}` cannot be used: {reason}")]
    Unusable {
        /// The provider.
        provider: String,
        /// Why, and what to do.
        reason: String,
    },
    /// A log-prior that is positive or not finite.
    #[error(
        "provider `{provider}` returned the log-prior {log_prior} for `{tactic}`; it must be finite and at most 0"
    )]
    BadLogPrior {
        /// The provider.
        provider: String,
        /// The tactic.
        tactic: String,
        /// The number.
        log_prior: f64,
    },
    /// A log-prior summed over no tokens.
    #[error(
        "provider `{provider}` returned a token count of 0 for `{tactic}`; omit the count if it is unknown"
    )]
    NoTokens {
        /// The provider.
        provider: String,
        /// The tactic.
        tactic: String,
    },
    /// A value outside [0, 1].
    #[error("provider `{provider}` returned the value {value}; it must be between 0 and 1")]
    BadValue {
        /// The provider.
        provider: String,
        /// The number.
        value: f64,
    },
    /// The number of values differs from the number of obligations.
    #[error("provider `{provider}` returned {found} values for {expected} obligations")]
    WrongCount {
        /// The provider.
        provider: String,
        /// The number of values given.
        found: usize,
        /// The number of values requested.
        expected: usize,
    },
    /// A ranker did more than reorder.
    #[error("ranker `{ranker}` must only reorder: {what}")]
    RankerViolation {
        /// The ranker.
        ranker: String,
        /// The violation.
        what: String,
    },
    /// A prompt template is malformed.
    #[error("{path}{}: {what}", line.map_or_else(String::new, |line| format!(":{line}")))]
    BadTemplate {
        /// The file.
        path: String,
        /// The line, from 1, if it is known.
        line: Option<usize>,
        /// What is wrong with it.
        what: String,
    },
    /// A script file is malformed.
    #[error("{path}: {what}")]
    BadScript {
        /// The file.
        path: String,
        /// What is wrong with it.
        what: String,
    },
}

impl ProviderError {
    /// The failure to answer this request and what it cost, if others may be answered.
    pub(crate) fn into_failure(self) -> Result<(Failure, Usage), Self> {
        let has_answered = matches!(self, Self::NoTactic { .. });
        match self {
            Self::Unavailable { provider, reason, usage }
            | Self::NoAnswer { provider, reason, usage }
            | Self::NoTactic { provider, reason, usage } => {
                Ok((Failure { provider: provider.into(), reason, has_answered }, usage))
            }
            error => Err(error),
        }
    }
}
