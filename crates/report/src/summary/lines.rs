//! The lines of `andor results --json`.

use andor_artifact::result::AttemptResult;
use serde::Serialize;

use super::{TheoremSummary, Totals};

/// A line of `andor results --json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ResultsLine<'a> {
    /// A theorem.
    Theorem(TheoremLine<'a>),
    /// All theorems.
    Summary(&'a Totals),
}

/// A theorem with, where it was asked for alone, all its results.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TheoremLine<'a> {
    /// The theorem.
    #[serde(flatten)]
    pub theorem: &'a TheoremSummary<'a>,
    /// All results of the configured search, by number of the attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<&'a [&'a AttemptResult]>,
    /// All results of blind search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blind_results: Option<&'a [&'a AttemptResult]>,
}

impl<'a> TheoremLine<'a> {
    /// Without its results.
    pub fn short(theorem: &'a TheoremSummary<'a>) -> Self {
        Self { theorem, results: None, blind_results: None }
    }

    /// With its results.
    pub fn full(theorem: &'a TheoremSummary<'a>) -> Self {
        let blind_results = theorem.blind.is_some().then_some(&theorem.blind_results[..]);
        Self { theorem, results: Some(&theorem.results), blind_results }
    }
}
