//! A deterministic provider that proposes tactics by the shape of the goal, without a model.

use std::sync::Arc;

use andor_core::language::HeuristicRequest;
use andor_core::theorem::{ExtraImport, System, Theorem};
use async_trait::async_trait;

use crate::contract::{Candidate, Provider, ProviderError, Request, Suggestions};

/// Proposes tactics by the shape of the goal, as the [heuristic](andor_core::language::Heuristic) of the language does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heuristic;

#[async_trait]
impl Provider for Heuristic {
    fn id(&self) -> &str {
        "heuristic"
    }

    fn draws(&self) -> bool {
        false
    }

    fn speaks(&self, system: System) -> bool {
        system.language().heuristic.is_some()
    }

    fn imports(&self, theorem: &Theorem) -> Vec<ExtraImport> {
        let heuristic = theorem.system.language().heuristic.as_ref();
        heuristic.map(|heuristic| (heuristic.imports)(theorem)).unwrap_or_default()
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        let Request { theorem, goals, failed, notes, .. } = request;
        let Some(heuristic) = &theorem.system.language().heuristic else { return Ok(Suggestions::default()) };
        let proposed = (heuristic.suggest)(HeuristicRequest { theorem, goals, failed, notes });
        let provider: Arc<str> = self.id().into();
        let candidates = proposed.tactics.into_iter().map(|(tactic, log_prior)| Candidate {
            tactic,
            log_prior,
            tokens: None,
            provider: Arc::clone(&provider),
        });
        Ok(Suggestions { candidates: candidates.collect(), notes: proposed.notes, ..Suggestions::default() })
    }
}
