//! What a model is asked.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One request. How it is delivered ([`Request::timeout`], [`Request::stream`]) does not belong to its
/// [digest](crate::Digest).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The text that the model continues, or the conversation that it answers.
    pub input: Input,
    /// How answers are drawn.
    #[serde(default)]
    pub sampling: Sampling,
    /// Whether the answer should contain the log-probabilities of its tokens: `None` for no, `Some(0)` for those of
    /// the tokens chosen, `Some(k)` for the `k` most probable tokens at each place as well.
    #[serde(default = "chosen_only")]
    pub log_probs: Option<u32>,
    /// Tools that the model may call. Only conversations can have them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
    /// What the answer must look like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grammar: Option<Grammar>,
    /// How long everything may take, retries included. Without it, the limit of the model's configuration applies to
    /// each try.
    #[serde(skip)]
    pub timeout: Option<Duration>,
    /// Whether the answer is sent in pieces, so that the connection can be dropped once enough has been read.
    #[serde(skip)]
    pub stream: bool,
}

fn chosen_only() -> Option<u32> {
    Some(0)
}

impl Request {
    /// A request to continue a text, with default sampling.
    pub fn prompt(text: impl Into<String>) -> Self {
        Self::of(Input::Prompt(text.into()))
    }

    /// A request to continue several texts. Answers to the first text come first.
    pub fn prompts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::of(Input::Prompts(texts.into_iter().map(Into::into).collect()))
    }

    /// A request to answer a conversation, with default sampling.
    pub fn messages(messages: Vec<Message>) -> Self {
        Self::of(Input::Messages(messages))
    }

    fn of(input: Input) -> Self {
        Self {
            input,
            sampling: Sampling::default(),
            log_probs: chosen_only(),
            tools: Vec::new(),
            grammar: None,
            timeout: None,
            stream: false,
        }
    }

    /// The same request with this sampling.
    #[must_use]
    pub fn with_sampling(self, sampling: Sampling) -> Self {
        Self { sampling, ..self }
    }

    /// The number of answers that the request asks for: `n` for each of its texts.
    pub fn wanted(&self) -> usize {
        self.sampling.n as usize * self.input.count()
    }
}

/// What is to be continued or answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// A text, sent as it is. For a chat interface it becomes a message of the user.
    Prompt(String),
    /// Several texts, each continued by itself.
    Prompts(Vec<String>),
    /// A conversation. For a completions interface, which has none, it is an error.
    Messages(Vec<Message>),
}

impl Input {
    /// The number of texts to be continued; 1 for a conversation.
    pub fn count(&self) -> usize {
        match self {
            Self::Prompts(texts) => texts.len(),
            Self::Prompt(_) | Self::Messages(_) => 1,
        }
    }

    /// The number of bytes of all texts, for estimates of tokens.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Prompt(text) => text.len(),
            Self::Prompts(texts) => texts.iter().map(String::len).sum(),
            Self::Messages(messages) => messages.iter().map(|m| m.content.len()).sum(),
        }
    }

    pub(crate) fn bytes_of_longest(&self) -> usize {
        match self {
            Self::Prompts(texts) => texts.iter().map(String::len).max().unwrap_or_default(),
            _ => self.bytes(),
        }
    }

    /// The end of the last text, on one line, to name a request in an error: prompts differ at their ends.
    pub(crate) fn excerpt(&self) -> String {
        const CHARS: usize = 60;
        let text = match self {
            Self::Prompt(text) => text.as_str(),
            Self::Prompts(texts) => texts.last().map_or("", String::as_str),
            Self::Messages(messages) => messages.last().map_or("", |m| m.content.as_str()),
        };
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let count = words.chars().count();
        if count <= CHARS {
            words
        } else {
            format!("…{}", words.chars().skip(count - CHARS).collect::<String>())
        }
    }
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    #[serde(default)]
    pub content: String,
    /// The calls of tools that the assistant made in this message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// In a message of [`Role::Tool`], the [id](ToolCall::id) of the call that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
}

impl Message {
    /// A message without tools.
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self { role, content: content.into(), tool_calls: Vec::new(), tool_call_id: None }
    }

    /// Instructions to the model.
    pub fn system(content: impl Into<String>) -> Self {
        Self::new(Role::System, content)
    }

    /// A question of the user.
    pub fn user(content: impl Into<String>) -> Self {
        Self::new(Role::User, content)
    }

    /// An answer of the model.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self::new(Role::Assistant, content)
    }

    /// What a tool answered to a call.
    pub fn tool(call: &ToolCall, content: impl Into<String>) -> Self {
        Self { tool_call_id: Some(call.id.clone()), ..Self::new(Role::Tool, content) }
    }
}

/// Who speaks in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Whoever instructs the model.
    System,
    /// Whoever asks.
    User,
    /// The model.
    Assistant,
    /// A tool that the model called.
    Tool,
}

/// A tool that a model may call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// A JSON schema of its arguments.
    pub parameters: Value,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// What the answer to the call refers to.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// Its arguments, as the model wrote them: JSON, if the model kept to the rules.
    pub arguments: String,
}

/// What the text of an answer must look like. Servers differ in what they can enforce; a server that cannot is told
/// apart by [`ModelError::NotSupported`](crate::ModelError::NotSupported).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grammar {
    /// A grammar in the notation of llama.cpp (GBNF).
    Gbnf(String),
    /// A regular expression.
    Regex(String),
    /// A JSON schema.
    JsonSchema(Value),
    /// One of these texts.
    Choice(Vec<String>),
}

/// The most tokens of an answer, where nothing else is asked for.
pub const MAX_TOKENS: u32 = 2048;
/// The same for a model that reasons before it answers.
pub const MAX_TOKENS_REASONING: u32 = 16_384;

/// How answers are drawn. The defaults are those of BFS-Prover-V2's guide.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sampling {
    /// The number of answers.
    pub n: u32,
    /// 0 draws the most probable token each time, 1 draws by the model's probabilities.
    pub temperature: f64,
    /// Draw from the most probable tokens that together have this probability. 1 draws from all.
    pub top_p: f64,
    /// Draw from this many most probable tokens. `None` draws from all, also where a server would by default not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_k: Option<u32>,
    /// Draw from tokens that have at least this share of the most probable token's probability. `None` draws from
    /// all, also where a server would by default not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_p: Option<f64>,
    /// By how much tokens that occurred already are made less probable. `None` is 1: not at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repetition_penalty: Option<f64>,
    /// The most tokens of one answer. `None` is [`MAX_TOKENS`], or [`MAX_TOKENS_REASONING`] for a model that is seen to reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Where random numbers begin. Servers take 31 bits; see [`wire_seed`](crate::seed::wire_seed).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Texts that end an answer. They are no part of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
}

impl Default for Sampling {
    fn default() -> Self {
        Self {
            n: 16,
            temperature: 0.7,
            top_p: 1.0,
            top_k: None,
            min_p: None,
            repetition_penalty: None,
            max_tokens: None,
            seed: None,
            stop: Vec::new(),
        }
    }
}

impl Sampling {
    /// The most tokens of one answer, of a model that is seen to reason or not.
    pub fn most_tokens(&self, reasons: bool) -> u32 {
        self.max_tokens.unwrap_or(if reasons { MAX_TOKENS_REASONING } else { MAX_TOKENS })
    }

    /// What is wrong with these values, if anything, beginning with the name of the value.
    pub fn objection(&self) -> Option<String> {
        let Self { n, temperature, top_p, min_p, repetition_penalty, max_tokens, stop, .. } = self;
        if *n == 0 {
            Some("n: at least one answer must be asked for".to_owned())
        } else if !(0.0..=100.0).contains(temperature) {
            Some(format!("temperature: {temperature} is not between 0 and 100"))
        } else if !(*top_p > 0.0 && *top_p <= 1.0) {
            Some(format!("top_p: {top_p} is not above 0 and at most 1"))
        } else if min_p.is_some_and(|p| !(0.0..=1.0).contains(&p)) {
            Some("min_p: it must be between 0 and 1".to_owned())
        } else if repetition_penalty.is_some_and(|p| !(p > 0.0 && p <= 10.0)) {
            Some("repetition_penalty: it must be above 0 and at most 10".to_owned())
        } else if *max_tokens == Some(0) {
            Some("max_tokens: an answer needs at least one token".to_owned())
        } else if stop.iter().any(String::is_empty) {
            Some("stop: an empty text would end every answer before it begins".to_owned())
        } else {
            None
        }
    }
}
