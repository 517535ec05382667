//! Agents: models that act through tools, turn by turn.

mod expand;
mod protocol;
mod schema;
mod state;
mod subagent;
mod turn;

use std::sync::Arc;
use std::time::Duration;

use andor_config::ToolCalls;
use andor_model::request::Sampling;
use andor_model::{Model, ModelError};

use crate::environment::EnvironmentError;

pub use expand::{Turns, Vary, turns};
pub(crate) use state::digest;
pub use state::{AgentState, Branch, Stop};
pub use turn::Run;

/// What an agent is: whom it asks, how, and how much it may do. Its states are [`AgentState`]s.
#[derive(Clone, Debug)]
pub struct Agent {
    /// The model that is asked.
    pub model: Arc<dyn Model>,
    /// How answers are drawn. The number of answers is always 1, and the seed that of the turn.
    pub sampling: Sampling,
    /// How tools are called.
    pub tool_calls: ToolCalls,
    /// What the agent may use up.
    pub limits: Limits,
    /// What happens when the agent calls no tool and its environment says nothing.
    pub idle: Idle,
    /// Whether it may spawn subagents.
    pub subagents: Subagents,
}

impl Agent {
    /// An agent that calls tools by the server's interface, with default limits and without subagents.
    pub fn new(model: Arc<dyn Model>) -> Self {
        Self {
            model,
            sampling: Sampling { n: 1, ..Sampling::default() },
            tool_calls: ToolCalls::default(),
            limits: Limits::default(),
            idle: Idle::default(),
            subagents: Subagents::default(),
        }
    }
}

/// What an agent may use up over its whole branch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Turns.
    pub turns: u32,
    /// Tokens of prompts and answers. `None`: no limit.
    pub tokens: Option<u64>,
    /// Time, that of its tools included. `None`: no limit. With one, equal searches need not have equal trees.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { turns: 64, tokens: None, time: None }
    }
}

/// What happens when an agent calls no tool, and its environment says nothing about its message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Idle {
    /// It is done.
    #[default]
    Stop,
    /// It is told this, and goes on.
    Remind(String),
}

/// What subagents an agent may spawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Subagents {
    /// How deep they may be nested. 0: the agent has none.
    pub depth: u32,
    /// How many there may be in a branch, those of subagents included.
    pub number: u32,
    /// The most turns of one.
    pub turns: u32,
    /// The most tokens of one. `None`: as many as are left to the agent that spawns it.
    pub tokens: Option<u64>,
}

/// Why an agent cannot go on now. The same turn may succeed later.
#[derive(Clone, Debug, thiserror::Error)]
pub enum AgentError {
    /// The model gave no answer.
    #[error("the model `{model}` gave no answer")]
    Model {
        /// Its name.
        model: String,
        /// Why.
        source: ModelError,
    },
    /// The environment failed.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
}
