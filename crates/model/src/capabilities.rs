//! What a server can do.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a server can do with a model, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capabilities {
    /// The program that serves.
    pub server: Server,
    /// The names of the models that it serves.
    pub models: Vec<String>,
    /// How many answers it gives to one request.
    pub choices: Choices,
    /// The form in which it states log-probabilities. `None`: it states none.
    pub log_probs: Option<LogProbShape>,
    /// Whether a request may have a seed.
    pub takes_seed: bool,
    /// Whether equal seeds give equal answers. `None`: not known.
    pub seed: Option<bool>,
    /// The number of tokens that a prompt and an answer may have together.
    pub context: Option<u64>,
    /// Whether it can be made to answer by a grammar. `None`: not known.
    pub grammar: Option<bool>,
    /// Whether a request may have several prompts.
    pub prompt_lists: bool,
    /// Whether it states how many tokens an answer has. `None`: not known.
    pub usage: Option<bool>,
    /// Whether its answers were seen to begin with reasoning.
    pub reasons: bool,
}

impl Default for Capabilities {
    /// What is assumed of a server that was not asked: that it can do everything. What it cannot do shows in its first
    /// answers.
    fn default() -> Self {
        Self {
            server: Server::Unknown,
            models: Vec::new(),
            choices: Choices::UpTo(None),
            log_probs: Some(LogProbShape::Classic),
            takes_seed: true,
            seed: None,
            context: None,
            grammar: None,
            prompt_lists: true,
            usage: None,
            reasons: false,
        }
    }
}

impl Capabilities {
    /// What the server lacks and what is done about it: one sentence each.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        match self.choices {
            Choices::One => notes.push(
                "It gives one answer a request: several answers are asked for by as many requests at a time."
                    .to_owned(),
            ),
            Choices::UpTo(Some(most)) => notes.push(format!(
                "It gives at most {most} answers a request: more are asked for by several requests at a time."
            )),
            Choices::UpTo(None) => {}
        }
        if self.log_probs.is_none() {
            notes.push(
                "It states no log-probabilities: answers are weighed by their order and by how often they occur."
                    .to_owned(),
            );
        }
        if !self.takes_seed {
            notes.push(
                "It refuses requests with a seed: an attempt can be repeated from its record only, not by asking again."
                    .to_owned(),
            );
        } else if self.seed == Some(false) {
            notes.push(
                "It ignores seeds: an attempt can be repeated from its record only, not by asking again."
                    .to_owned(),
            );
        }
        if self.grammar == Some(false) {
            notes.push("It cannot be held to a grammar: requests that have one are refused.".to_owned());
        }
        if !self.prompt_lists {
            notes.push(
                "It takes one prompt a request: several are sent by as many requests at a time.".to_owned(),
            );
        }
        if self.usage == Some(false) {
            notes.push(
                "It does not state how many tokens an answer has: limits on tokens and cost cannot be kept."
                    .to_owned(),
            );
        }
        if self.context.is_none() {
            notes.push(
                "It does not state its context: prompts that are too long show only when they fail."
                    .to_owned(),
            );
        }
        notes
    }
}

/// How many answers a server gives to one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choices {
    /// As many as are asked for, up to this number if there is one.
    UpTo(Option<u32>),
    /// One, however many are asked for.
    One,
}

impl Choices {
    /// The most that one request can ask for.
    pub fn most(self) -> u32 {
        match self {
            Self::UpTo(most) => most.unwrap_or(u32::MAX).max(1),
            Self::One => 1,
        }
    }
}

/// How a server states log-probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogProbShape {
    /// Lists side by side: `tokens`, `token_logprobs`, `text_offset`, `top_logprobs`.
    Classic,
    /// A list `content` of objects. llama.cpp does so for completions, too.
    Content,
}

/// A program that serves models, as far as it matters: programs differ in the names and values of their options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Server {
    /// vLLM.
    Vllm,
    /// llama.cpp's `llama-server`.
    LlamaCpp,
    /// The server of the Python package `llama-cpp-python`.
    LlamaCppPython,
    /// SGLang.
    Sglang,
    /// OpenAI.
    OpenAi,
    /// Another: it is sent what OpenAI's interface has, and what was configured.
    #[default]
    Unknown,
}

impl Server {
    /// By the field `owned_by` of the server's models.
    pub fn by_owner(owner: &str) -> Self {
        match owner {
            "vllm" => Self::Vllm,
            "llamacpp" => Self::LlamaCpp,
            "me" => Self::LlamaCppPython,
            "sglang" => Self::Sglang,
            "system" | "openai" | "openai-internal" => Self::OpenAi,
            _ => Self::Unknown,
        }
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Vllm => "vLLM",
            Self::LlamaCpp => "llama.cpp",
            Self::LlamaCppPython => "llama-cpp-python",
            Self::Sglang => "SGLang",
            Self::OpenAi => "OpenAI",
            Self::Unknown => "unknown",
        })
    }
}
