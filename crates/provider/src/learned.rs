//! A provider that asks a learned model (see [`andor_learn`]).

use std::sync::Arc;

use andor_core::goal::Goal;
use andor_core::theorem::{System, Theorem};
use andor_core::view;
use andor_learn::{Model, State};
use async_trait::async_trait;

use crate::contract::{Candidate, Provider, ProviderError, Request, Suggestions};

/// The most tactics in an answer.
const MOST: usize = 64;

/// Proposes the tactics that a model finds likeliest, and, if the model was trained to, estimates whether obligations can be
/// proved. The first attempt at a theorem takes the model's order; further ones draw theirs from the model, each by its seed.
pub struct Learned {
    model: Model,
}

impl Learned {
    /// A provider for a model.
    pub fn new(model: Model) -> Self {
        Self { model }
    }

    /// The probability that all goals are proved, taken as independent.
    fn value(&self, goals: &[Goal]) -> Option<f64> {
        goals.iter().map(|goal| self.model.value(&state(std::slice::from_ref(goal)))).product()
    }
}

fn state(goals: &[Goal]) -> State {
    State::read(&view::pp1(goals))
}

#[async_trait]
impl Provider for Learned {
    fn id(&self) -> &str {
        "learned"
    }

    fn speaks(&self, system: System) -> bool {
        system == self.model.system()
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        let state = state(request.goals);
        let found = match request.call.attempt {
            0 | 1 => self.model.predict(&state, MOST),
            _ => self.model.sample(&state, MOST, request.call.sampling_seed()),
        };
        let provider: Arc<str> = self.id().into();
        let candidates = found.into_iter().map(|found| Candidate {
            tactic: found.tactic,
            log_prior: found.log_prior,
            tokens: None,
            provider: Arc::clone(&provider),
        });
        let value = self.value(request.goals);
        Ok(Suggestions { candidates: candidates.collect(), value, ..Suggestions::default() })
    }

    async fn evaluate(
        &self,
        _theorem: &Theorem,
        obligations: &[&[Goal]],
    ) -> Result<Option<Vec<f64>>, ProviderError> {
        Ok(obligations.iter().map(|goals| self.value(goals)).collect())
    }
}

#[cfg(test)]
mod tests {
    use andor_core::goal::{Hypothesis, Term};

    use super::*;
    use crate::contract::{Call, ask};
    use andor_system_mini::MINI;
    use andor_system_rocq::ROCQ;

    fn goal() -> Goal {
        let ty = Term::textual("p");
        let hypotheses = vec![Hypothesis { names: vec!["h".to_owned()], ty, body: None }];
        Goal { hypotheses, target: Term::textual("p ∨ q"), ..Goal::default() }
    }

    fn theorem() -> Theorem {
        let text = String::new;
        Theorem {
            id: text(),
            name: text(),
            system: MINI,
            header: text(),
            statement: text(),
            footer: text(),
            extra_imports: Vec::new(),
        }
    }

    async fn asked(attempt: u32) -> Vec<String> {
        let learned = Learned::new(Model::zero(MINI, &[]));
        let (theorem, goals) = (theorem(), [goal()]);
        let call = Call { seed: 7, attempt, ..Call::default() };
        let request = Request { call, ..Request::new(&theorem, &goals) };
        let answer = ask(&learned, request).await.unwrap();
        assert_eq!(answer.value, None, "zero weights have no opinion");
        answer.candidates.into_iter().map(|c| c.tactic).collect()
    }

    #[tokio::test]
    async fn the_first_attempt_follows_the_model_and_further_ones_draw() {
        let first = asked(1).await;
        assert_eq!(first, asked(0).await);
        assert!(first.len() > 20 && first.contains(&"exact h".to_owned()), "{first:?}");
        assert_eq!(asked(2).await, asked(2).await);
        assert_ne!(asked(2).await, first);
    }

    #[test]
    fn a_model_speaks_for_its_own_system() {
        let learned = Learned::new(Model::zero(ROCQ, &[]));
        assert!(learned.speaks(ROCQ) && !learned.speaks(MINI));
    }
}
