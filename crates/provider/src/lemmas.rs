//! A provider that proposes to use given lemmas.

use std::sync::Arc;

use andor_core::theorem::System;
use async_trait::async_trait;

use crate::contract::{Candidate, Provider, ProviderError, Request, Suggestions};

/// Proposes to conclude by each of some lemmas, to apply it, and to rewrite with it. Whether that makes sense at a goal,
/// the assistant says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemmas {
    names: Vec<String>,
}

impl Lemmas {
    /// Proposes these lemmas, by the names that they have where the theorem stands.
    pub fn new(names: Vec<String>) -> Self {
        Self { names }
    }

    fn tactics(name: &str, system: System) -> [(String, f64); 4] {
        let rewrite = system.language().tactics.rewrite;
        [
            (format!("exact {name}"), -1.0),
            (format!("apply {name}"), -1.2),
            (rewrite(name, false), -1.5),
            (rewrite(name, true), -2.5),
        ]
    }
}

#[async_trait]
impl Provider for Lemmas {
    fn id(&self) -> &str {
        "lemmas"
    }

    fn draws(&self) -> bool {
        false
    }

    fn speaks(&self, system: System) -> bool {
        system.language().is_written()
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        let provider: Arc<str> = self.id().into();
        let tactics = self.names.iter().flat_map(|name| Self::tactics(name, request.theorem.system));
        let candidates = tactics.map(|(tactic, log_prior)| Candidate {
            tactic,
            log_prior,
            tokens: None,
            provider: Arc::clone(&provider),
        });
        Ok(Suggestions { candidates: candidates.collect(), ..Suggestions::default() })
    }
}
