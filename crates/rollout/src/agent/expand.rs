//! Agents as expanders.

use std::sync::Arc;

use andor_model::Model;
use async_trait::async_trait;

use super::{Agent, AgentState, Run};
use crate::search::{Expand, ExpandError, Expansion};
use crate::tree::Child;

/// An expander that lets an agent take `n` turns in each of so many branches. Every branch acts in a fork of the node's
/// environment, also the first, and differs from the others by its seed.
pub fn turns(agent: Agent, n: u32, branches: u32) -> Turns {
    Turns { agent, n, branches, vary: Vary::default() }
}

/// An agent as an expander.
#[derive(Clone, Debug)]
pub struct Turns {
    agent: Agent,
    n: u32,
    branches: u32,
    vary: Vary,
}

/// By what branches differ, beside their seeds. The branch at a place takes the element at that place, from the beginning
/// again after the last.
#[derive(Clone, Debug, Default)]
pub struct Vary {
    /// Temperatures. Empty: the agent's own.
    pub temperatures: Vec<f64>,
    /// Models. Empty: the agent's own.
    pub models: Vec<Arc<dyn Model>>,
}

impl Turns {
    /// The same expander, whose branches differ by more than their seeds.
    #[must_use]
    pub fn varying(self, vary: Vary) -> Self {
        Self { vary, ..self }
    }

    fn run(&self, branch: &Expansion<AgentState>) -> Run {
        let place = branch.place as usize;
        let mut run = self.agent.run(branch.seed);
        let Vary { temperatures, models } = &self.vary;
        if let Some(temperature) = temperatures.get(place % temperatures.len().max(1)) {
            run.branch.temperature = *temperature;
        }
        if let Some(model) = models.get(place % models.len().max(1)) {
            run.branch.model = model.name().to_owned();
            run.model = Arc::clone(model);
        }
        run
    }
}

#[async_trait]
impl Expand<AgentState> for Turns {
    fn branches(&self) -> u32 {
        self.branches
    }

    async fn expand(&self, branch: &Expansion<AgentState>) -> Result<Vec<Child<AgentState>>, ExpandError> {
        let run = self.run(branch);
        let child = self.agent.go(&branch.state, branch.feedback.as_deref(), self.n, &run).await?;
        Ok(vec![child])
    }
}
