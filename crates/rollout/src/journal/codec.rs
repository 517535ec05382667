//! States as JSON and back.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use andor_model::Usage;
use andor_model::request::Message;
use async_trait::async_trait;
use rpds::VectorSync;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::{AgentState, Branch, Stop};
use crate::environment::{Environment, EnvironmentError};
use crate::tree::{Key, Tree};

/// How states are written and read. A state may be written as far as it differs from its parent's.
#[async_trait]
pub trait Codec<S>: Send + Sync {
    /// A state as JSON.
    async fn encode(&self, state: &S, parent: Option<&S>) -> Result<Value, EnvironmentError>;

    /// The state that was written last in a chain: each of the others is the parent of the one after it. The first one's
    /// parent is `above`; without it, the first is the root.
    async fn decode(&self, above: Option<&S>, chain: &[Value]) -> Result<S, EnvironmentError>;
}

/// States that are plain data, written whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

#[async_trait]
impl<S: Serialize + DeserializeOwned + Sync> Codec<S> for Plain {
    async fn encode(&self, state: &S, _: Option<&S>) -> Result<Value, EnvironmentError> {
        serde_json::to_value(state).map_err(EnvironmentError::new)
    }

    async fn decode(&self, _: Option<&S>, chain: &[Value]) -> Result<S, EnvironmentError> {
        S::deserialize(last(chain)).map_err(EnvironmentError::new)
    }
}

fn last(chain: &[Value]) -> &Value {
    chain.last().expect("a chain has the state that is read")
}

/// States of agents: the messages that were added, and what the environment says of itself.
#[derive(Clone, Debug)]
pub struct Agents {
    /// An environment of the task, which restores the others.
    pub environment: Arc<dyn Environment>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Saved<'a> {
    /// The messages that it shares with its parent, from the first on.
    pub(super) shared: usize,
    pub(super) messages: Vec<Cow<'a, Message>>,
    environment: Value,
    pub(super) usage: Usage,
    elapsed_s: f64,
    pub(super) turns: u32,
    pub(super) subagents: u32,
    #[serde(default)]
    pub(super) stop: Option<Stop>,
    #[serde(default)]
    pub(super) branch: Option<Branch>,
}

#[async_trait]
impl Codec<AgentState> for Agents {
    async fn encode(
        &self,
        state: &AgentState,
        parent: Option<&AgentState>,
    ) -> Result<Value, EnvironmentError> {
        let of_parent = parent.map(|parent| parent.messages.iter());
        let pairs = of_parent.into_iter().flatten().zip(&state.messages);
        let shared = pairs.take_while(|(a, b)| Arc::ptr_eq(a, b)).count();
        let saved = Saved {
            shared,
            messages: state.messages.iter().skip(shared).map(|m| Cow::Borrowed(&**m)).collect(),
            environment: state.environment.serialize().await?,
            usage: state.usage,
            elapsed_s: state.elapsed.as_secs_f64(),
            turns: state.turns,
            subagents: state.subagents,
            stop: state.stop.clone(),
            branch: state.branch.clone(),
        };
        serde_json::to_value(saved).map_err(EnvironmentError::new)
    }

    async fn decode(
        &self,
        above: Option<&AgentState>,
        chain: &[Value],
    ) -> Result<AgentState, EnvironmentError> {
        let mut messages = above.map(|above| above.messages.clone()).unwrap_or_default();
        for saved in chain {
            messages = added(messages, saved)?;
        }
        let saved = Saved::deserialize(last(chain)).map_err(EnvironmentError::new)?;
        Ok(AgentState {
            messages,
            environment: Arc::from(self.environment.restore(&saved.environment).await?),
            usage: saved.usage,
            elapsed: Duration::try_from_secs_f64(saved.elapsed_s).unwrap_or_default(),
            turns: saved.turns,
            subagents: saved.subagents,
            stop: saved.stop,
            branch: saved.branch,
        })
    }
}

type Messages = VectorSync<Arc<Message>>;

/// The messages of a state, from those of its parent.
fn added(mut messages: Messages, saved: &Value) -> Result<Messages, EnvironmentError> {
    let saved = Saved::deserialize(saved).map_err(EnvironmentError::new)?;
    if messages.len() < saved.shared {
        return Err(EnvironmentError::new("a state shares more messages with its parent than that has"));
    }
    while messages.len() > saved.shared {
        messages.drop_last_mut();
    }
    saved.messages.into_iter().for_each(|message| messages.push_back_mut(Arc::new(message.into_owned())));
    Ok(messages)
}

/// The conversation at a node of a tree of agents that was [read](super::read) without their environments.
pub fn conversation(tree: &Tree<Value>, key: Key) -> Result<Vec<Message>, EnvironmentError> {
    let mut messages = Messages::new_sync();
    for key in tree.path(key) {
        let state = tree.node(key).state().expect("what is read is in memory");
        messages = added(messages, state)?;
    }
    Ok(messages.iter().map(|message| Message::clone(message)).collect())
}
