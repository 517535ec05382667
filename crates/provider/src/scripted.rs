//! A provider that proposes tactics from a file.

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use andor_core::theorem::System;
use async_trait::async_trait;
use serde::Deserialize;

use crate::contract::{Candidate, Draft, DraftHistory, Provider, ProviderError, Request, Suggestions, Usage};

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
///
/// `drafts` holds whole proofs, in the order in which they are given out at an obligation:
///
/// ```json
/// {"drafts": [
///   {"script": "intros n. lia."},
///   {"after_error": "Cannot find witness", "script": "induction n; simpl; lia."}
/// ]}
/// ```
///
/// A draft with `when` is for obligations as a rule is; one with `after_error` is given out only if that text occurs in an error of
/// the last draft there.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Scripted {
    #[serde(default)]
    rules: Vec<Rule>,
    #[serde(default)]
    drafts: Vec<ScriptedDraft>,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct ScriptedDraft {
    when: Option<String>,
    after_error: Option<String>,
    script: String,
    #[serde(default)]
    log_prior: f64,
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
        Self { rules: vec![Rule { when: None, tactics }], drafts: Vec::new() }
    }
}

#[async_trait]
impl Provider for Scripted {
    fn id(&self) -> &str {
        "scripted"
    }

    fn draws(&self) -> bool {
        false
    }

    fn speaks(&self, _system: System) -> bool {
        true
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        let provider: Arc<str> = self.id().into();
        let tactics = self.rules.iter().filter(|rule| applies(rule.when.as_deref(), request));
        let tactics = tactics.flat_map(|rule| &rule.tactics);
        let candidates = tactics.map(|t| Candidate {
            tactic: t.tactic.clone(),
            log_prior: t.log_prior,
            tokens: t.tokens.map(NonZeroU32::get),
            provider: Arc::clone(&provider),
        });
        Ok(Suggestions { candidates: candidates.collect(), ..Suggestions::default() })
    }

    fn writes_drafts(&self) -> bool {
        !self.drafts.is_empty()
    }

    async fn draft(
        &self,
        request: Request<'_>,
        history: &DraftHistory,
    ) -> Result<Option<Draft>, ProviderError> {
        let fits = |draft: &&ScriptedDraft| {
            let errors = history.last.iter().flat_map(|last| &last.cuts).map(|cut| cut.error.as_str());
            let follows = |text: &String| errors.clone().any(|error| error.contains(text.as_str()));
            draft.after_error.as_ref().is_none_or(follows)
        };
        let drafts = self.drafts.iter().filter(|draft| applies(draft.when.as_deref(), request));
        let next = usize::try_from(history.number).ok().and_then(|number| drafts.skip(number).find(fits));
        Ok(next.map(|draft| Draft {
            usage: Usage::default(),
            script: draft.script.clone(),
            log_prior: draft.log_prior,
            provider: self.id().into(),
        }))
    }
}

/// Whether the target of a request's first goal contains the text.
fn applies(when: Option<&str>, request: Request<'_>) -> bool {
    let target = request.goals.first().map_or("", |g| g.target.text.as_str());
    when.is_none_or(|text| target.contains(text))
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
