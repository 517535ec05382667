//! The policy and critic of the synthetic environment, as a provider.

use std::sync::Arc;

use andor_core::theorem::{System, Theorem};
use andor_provider::contract::{Candidate, Provider, ProviderError, Request, Suggestions};
use async_trait::async_trait;

use crate::{SYNTHETIC, World, WorldGoal, read_statement};

/// A provider that proposes tactics according to the policy of the synthetic environment.
#[derive(Clone, Copy, Debug)]
pub struct SyntheticPolicy {
    /// Whether it also gives the critic's values.
    pub critic: bool,
}

fn world(theorem: &Theorem) -> World {
    read_statement(&theorem.statement).expect("a session has opened the theorem")
}

fn goal(goal: &andor_core::goal::Goal) -> WorldGoal {
    WorldGoal(u64::from_str_radix(&goal.target.text, 16).expect("a synthetic goal is a hexadecimal number"))
}

#[async_trait]
impl Provider for SyntheticPolicy {
    fn id(&self) -> &str {
        if self.critic { "synthetic+critic" } else { "synthetic" }
    }

    fn draws(&self) -> bool {
        false
    }

    fn speaks(&self, system: System) -> bool {
        system == SYNTHETIC
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        let world = world(request.theorem);
        let provider: Arc<str> = self.id().into();
        let candidates = world.policy(goal(&request.goals[0])).into_iter().map(|(tactic, cost)| Candidate {
            tactic: format!("t{tactic}"),
            log_prior: -(cost as f64) / 1024.0,
            tokens: None,
            provider: Arc::clone(&provider),
        });
        Ok(Suggestions { candidates: candidates.collect(), ..Suggestions::default() })
    }

    async fn evaluate(
        &self,
        theorem: &Theorem,
        obligations: &[&[andor_core::goal::Goal]],
    ) -> Result<Option<Vec<f64>>, ProviderError> {
        if !self.critic {
            return Ok(None);
        }
        let world = world(theorem);
        let value =
            |goals: &&[andor_core::goal::Goal]| (-(world.value_cost(goal(&goals[0])) as f64) / 1024.0).exp();
        Ok(Some(obligations.iter().map(value).collect()))
    }
}
