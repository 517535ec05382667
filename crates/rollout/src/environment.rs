//! What agents act in.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use andor_model::Usage;
use andor_model::request::{Message, Tool};
use async_trait::async_trait;
use serde_json::{Map, Value};

use crate::agent::Stop;
use crate::tree::VerifyResult;

/// What an agent acts in: a proof in progress, a folder of code, a puzzle.
///
/// A node of a tree owns its environment and never changes it: an expansion forks it, and acts in the fork. Two branches
/// never share one.
///
/// What an agent does wrong is feedback, in an [`Outcome`]. An [`EnvironmentError`] says that the environment itself
/// failed; it ends the search, which can be taken up again later.
#[async_trait]
pub trait Environment: Debug + Send + Sync {
    /// The tools that the agent has now. Names must differ.
    fn tools(&self) -> Vec<Tool>;

    /// Executes a call of one of its [`tools`](Self::tools). The arguments are an object that has been compared with the
    /// tool's schema.
    async fn exec(&mut self, call: Call<'_>) -> Result<Outcome, EnvironmentError>;

    /// Looks at a message of the agent, before its calls are executed. Without an answer, nothing is said.
    async fn on_message(&mut self, _message: &Message) -> Result<Option<Outcome>, EnvironmentError> {
        Ok(None)
    }

    /// Judges where the agent has got to. Only this makes a node a solution.
    async fn verify(&mut self) -> Result<VerifyResult, EnvironmentError>;

    /// An environment that is the same and from now on independent.
    async fn fork(&self) -> Result<Box<dyn Environment>, EnvironmentError>;

    /// All that is needed to [restore](Self::restore) it in another process. It must be small: it is written at every
    /// expansion.
    async fn serialize(&self) -> Result<Value, EnvironmentError>;

    /// The environment that was serialized, of the same task as this one.
    async fn restore(&self, saved: &Value) -> Result<Box<dyn Environment>, EnvironmentError>;
}

/// A call of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// Its arguments.
    pub arguments: &'a Map<String, Value>,
    /// Where random numbers begin, for tools that need some. It depends on the node, the turn and the place of the call.
    pub seed: u64,
    /// How long the call may take. `None`: as long as the tool allows itself.
    pub time: Option<Duration>,
}

impl<'a> Call<'a> {
    /// An argument that is a text; empty if it is missing or of another type.
    pub fn text(&self, name: &str) -> &'a str {
        self.arguments.get(name).and_then(Value::as_str).unwrap_or_default()
    }
}

/// What came of a call or a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What the agent is told.
    pub content: String,
    /// Whether the agent is done.
    pub stop: Option<Stop>,
    /// What it cost, if the environment asked models itself.
    pub usage: Usage,
}

impl Outcome {
    /// The agent is told this, and goes on.
    pub fn say(content: impl Into<String>) -> Self {
        Self { content: content.into(), ..Self::default() }
    }

    /// The agent is told this, and is done.
    pub fn done(content: impl Into<String>) -> Self {
        Self { stop: Some(Stop::Submitted), ..Self::say(content) }
    }
}

/// An environment failed, through no fault of the agent.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the environment failed: {message}")]
pub struct EnvironmentError {
    /// What happened.
    pub message: Arc<str>,
}

impl EnvironmentError {
    /// From whatever went wrong.
    pub fn new(error: impl std::fmt::Display) -> Self {
        Self { message: error.to_string().into() }
    }
}
