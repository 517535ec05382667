//! The state of an agent.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Duration;

use andor_model::Usage;
use andor_model::request::{Message, Role};
use rpds::VectorSync;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::environment::Environment;

/// Where an agent has got to. It is data: a turn makes a new one. States of one branch share their messages.
#[derive(Clone, Debug)]
pub struct AgentState {
    /// The conversation, oldest message first. Calls of tools and their results have the form of the model client, also
    /// where they were written as text.
    pub messages: VectorSync<Arc<Message>>,
    /// What the agent acts in. It is never changed; see [`Environment::fork`].
    pub environment: Arc<dyn Environment>,
    /// What the conversation cost, subagents included. Its time is in `elapsed`.
    pub usage: Usage,
    /// How long the turns took.
    pub elapsed: Duration,
    /// The turns so far.
    pub turns: u32,
    /// The subagents so far.
    pub subagents: u32,
    /// Why the agent stopped, if it has.
    pub stop: Option<Stop>,
    /// By what the last expansion of this branch differs from its siblings. `None` at the root.
    pub branch: Option<Branch>,
}

impl AgentState {
    /// An agent at the beginning, that is told this.
    pub fn new(messages: impl IntoIterator<Item = Message>, environment: Arc<dyn Environment>) -> Self {
        Self {
            messages: messages.into_iter().map(Arc::new).collect(),
            environment,
            usage: Usage::default(),
            elapsed: Duration::ZERO,
            turns: 0,
            subagents: 0,
            stop: None,
            branch: None,
        }
    }

    /// A number that depends on the messages from this one on. Ids of calls, which some servers draw at random, do not count.
    pub(super) fn digest(&self, from: usize) -> NonZeroU64 {
        digest((from..self.messages.len()).filter_map(|i| self.messages.get(i)).map(|message| &**message))
    }

    pub(super) fn say(&mut self, message: Message) {
        self.messages.push_back_mut(Arc::new(message));
    }

    pub(super) fn spend(&mut self, usage: Usage) {
        self.usage += Usage { waited_s: 0.0, ..usage };
    }

    /// What the agent said last; empty if it has said nothing.
    pub fn last_words(&self) -> &str {
        let said = (0..self.messages.len()).rev().filter_map(|i| self.messages.get(i));
        let mut said = said.filter(|m| m.role == Role::Assistant);
        said.next().map_or("", |message| &message.content)
    }
}

/// A number that depends on what these messages say, and on the calls in them but for their ids.
pub(crate) fn digest<'a>(messages: impl Iterator<Item = &'a Message>) -> NonZeroU64 {
    let said = messages.flat_map(|message| {
        let calls = message.tool_calls.iter().flat_map(|call| [&call.name, &call.arguments]);
        calls.chain([&message.content])
    });
    let mut hasher = Xxh3::new();
    said.for_each(|text| {
        hasher.update(&text.len().to_le_bytes());
        hasher.update(text.as_bytes());
    });
    NonZeroU64::new(hasher.digest()).unwrap_or(NonZeroU64::MIN)
}

/// By what a branch differs from its siblings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Branch {
    /// Where the random numbers of the branch begin.
    pub seed: u64,
    /// The temperature of its answers.
    pub temperature: f64,
    /// The model that it asked.
    pub model: String,
}

/// Why an agent stopped. None of these says that it solved anything; that is the verdict's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It handed in its work, by a tool that takes it.
    Submitted,
    /// It answered without calling a tool.
    Answered,
    /// It gave up.
    GaveUp,
    /// It had no turn left.
    Turns,
    /// It had no token left.
    Tokens,
    /// It had no time left.
    Time,
    /// Its conversation exceeds the context of the model.
    Context,
    /// The model, or its server, refused to answer.
    Refused,
}
