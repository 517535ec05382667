//! Deterministic providers that propose tactics by the shape of the goal, without a model.

mod mini;
mod rocq;

use std::sync::Arc;

use andor_core::theorem::{ExtraImport, System, Theorem};
use async_trait::async_trait;

use crate::contract::{Candidate, Provider, ProviderError, Request, Suggestions};

/// Proposes tactics by the shape of the goal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heuristic;

#[async_trait]
impl Provider for Heuristic {
    fn id(&self) -> &str {
        "heuristic"
    }

    fn speaks(&self, system: System) -> bool {
        matches!(system, System::Lean4 | System::Rocq | System::Mini)
    }

    fn imports(&self, theorem: &Theorem) -> Vec<ExtraImport> {
        match theorem.system {
            System::Rocq => rocq::imports(theorem),
            System::Lean4 | System::Mini | System::Synthetic => Vec::new(),
        }
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        let provider: Arc<str> = self.id().into();
        let weighted = match request.theorem.system {
            System::Rocq => rocq::suggest(request),
            System::Lean4 | System::Mini => mini::suggest(request),
            System::Synthetic => Vec::new(),
        };
        let candidates = weighted.into_iter().map(|(tactic, log_prior)| Candidate {
            tactic,
            log_prior,
            tokens: None,
            provider: Arc::clone(&provider),
        });
        Ok(Suggestions { candidates: candidates.collect(), ..Suggestions::default() })
    }
}
