//! A provider that proposes tactics from a file.

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use andor_core::theorem::System;
use async_trait::async_trait;
use serde::Deserialize;

use crate::contract::{Candidate, Provider, ProviderError, Request, Suggestions};

/// Proposes tactics by rules. All rules that apply contribute.
///
/// The file is JSON:
///
/// ```json
/// {"rules": [
///   {"tactics": [{"tactic": "intros", "log_prior": -0.1}]},
///   {"when": "exists", "tactics": [{"tactic": "exists 0", "log_prior": -1.5}]}
/// ]}
/// ```
///
/// A rule with `when` applies to obligations whose first goal's target contains that text; hypotheses do not count. A tactic
/// may say over how many `tokens` its `log_prior` was summed (see [`Candidate::tokens`]).
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Scripted {
    rules: Vec<Rule>,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Rule {
    when: Option<String>,
    tactics: Vec<Tactic>,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Tactic {
    tactic: String,
    log_prior: f64,
    tokens: Option<NonZeroU32>,
}

impl Scripted {
    /// Reads rules from JSON; `path` is for error messages.
    pub fn read(text: &str, path: &Path) -> Result<Self, ProviderError> {
        let bad = |e: serde_json::Error| ProviderError::BadScript {
            path: path.display().to_string(),
            what: e.to_string(),
        };
        serde_json::from_str(text).map_err(bad)
    }

    /// One rule that always applies: these tactics, equally likely, in this order.
    pub fn always(tactics: &[&str]) -> Self {
        let log_prior = -(tactics.len().max(1) as f64).ln();
        let tactics =
            tactics.iter().map(|t| Tactic { tactic: (*t).to_owned(), log_prior, tokens: None }).collect();
        Self { rules: vec![Rule { when: None, tactics }] }
    }
}

#[async_trait]
impl Provider for Scripted {
    fn id(&self) -> &str {
        "scripted"
    }

    fn speaks(&self, _system: System) -> bool {
        true
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        let provider: Arc<str> = self.id().into();
        let target = request.goals.first().map_or("", |g| g.target.text.as_str());
        let applies = |rule: &&Rule| rule.when.as_ref().is_none_or(|text| target.contains(text.as_str()));
        let tactics = self.rules.iter().filter(applies).flat_map(|rule| &rule.tactics);
        let candidates = tactics.map(|t| Candidate {
            tactic: t.tactic.clone(),
            log_prior: t.log_prior,
            tokens: t.tokens.map(NonZeroU32::get),
            provider: Arc::clone(&provider),
        });
        Ok(Suggestions { candidates: candidates.collect(), ..Suggestions::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_in_the_file_are_explained() {
        let text = r#"{"rules": [{"tactic": []}]}"#;
        let error = Scripted::read(text, Path::new("rules.json")).unwrap_err().to_string();
        assert!(error.starts_with("rules.json: unknown field `tactic`"), "{error}");
        assert!(error.contains("line 1"), "{error}");
        let text = r#"{"rules": [{"tactics": [{"tactic": "auto", "log_prior": -1, "tokens": 0}]}]}"#;
        let error = Scripted::read(text, Path::new("rules.json")).unwrap_err().to_string();
        assert!(error.contains("expected a nonzero u32"), "{error}");
    }
}
