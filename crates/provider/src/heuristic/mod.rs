//! Deterministic providers that propose tactics by the shape of the goal, without a model.

mod lean;
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

    fn draws(&self) -> bool {
        false
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
        let (weighted, notes) = match request.theorem.system {
            System::Rocq => (rocq::suggest(request), Vec::new()),
            System::Lean4 => lean::suggest(request),
            System::Mini => (mini::suggest(request), Vec::new()),
            System::Synthetic => Default::default(),
        };
        let candidates = weighted.into_iter().map(|(tactic, log_prior)| Candidate {
            tactic,
            log_prior,
            tokens: None,
            provider: Arc::clone(&provider),
        });
        Ok(Suggestions { candidates: candidates.collect(), notes, ..Suggestions::default() })
    }
}
