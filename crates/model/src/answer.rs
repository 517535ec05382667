//! What a model answers.

use serde::{Deserialize, Serialize};

use crate::request::ToolCall;
use crate::usage::Usage;

/// The answer to one request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The texts drawn: those for the first prompt first. Duplicates are left in, because their number is information.
    pub choices: Vec<Choice>,
    /// What it cost.
    pub usage: Usage,
    /// The model's name, as the server states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The most tokens that each text could have. `None` if no server was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
}

impl Answer {
    /// Whether the model is seen to reason before it answers.
    pub fn reasons(&self) -> bool {
        self.choices.iter().any(Choice::reasons)
    }

    /// An answer of these texts, which ended by themselves, with unknown log-probabilities.
    pub fn of_texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        let choices = texts.into_iter().map(Choice::of_text).collect();
        Self { choices, ..Self::default() }
    }
}

/// One text drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// The prompt that it continues, counted from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub prompt: usize,
    /// The text, without reasoning and without the text that stopped it.
    pub text: String,
    /// What the model wrote before the answer, where the server tells the two apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// The tools that the model calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// The log-probabilities of the text's tokens. `None` if unknown. A final token that contributes nothing to the
    /// text (the end-of-text token, or the text that stopped it) is not among them: some servers list it, some do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_probs: Option<Vec<TokenLogProb>>,
    /// The log-probability of the final tokens that contribute nothing to the text, where the server states them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_log_prob: Option<f64>,
    /// Why it ended.
    pub finish: Finish,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Choice {
    /// A text that ended by itself, with unknown log-probabilities.
    pub fn of_text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A text of one token that has this log-probability (natural logarithm).
    pub fn of_token(text: impl Into<String>, log_prob: f64) -> Self {
        let text = text.into();
        let token = TokenLogProb { token: text.clone(), log_prob: Some(log_prob), top: Vec::new() };
        Self { log_probs: Some(vec![token]), ..Self::of_text(text) }
    }

    /// Whether there is reasoning before the answer, apart from it or in its text.
    pub fn reasons(&self) -> bool {
        let begins = ["<think", "<reasoning>"].iter().any(|mark| self.text.trim_start().starts_with(mark));
        // Some servers leave out the mark at the beginning.
        begins || self.reasoning.is_some() || self.text.contains("</think")
    }

    /// The log-probability of the whole text: the sum over its tokens. `None` if that of any token is unknown, or if
    /// there are no tokens.
    pub fn log_prob(&self) -> Option<f64> {
        let tokens = self.log_probs.as_ref().filter(|tokens| !tokens.is_empty())?;
        tokens.iter().map(|t| t.log_prob).sum()
    }

    /// The log-probability of the whole text divided by the number of its tokens.
    pub fn mean_log_prob(&self) -> Option<f64> {
        let tokens = self.log_probs.as_ref()?.len();
        Some(self.log_prob()? / tokens as f64)
    }
}

/// One token of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TokenLogProb {
    /// Its text.
    pub token: String,
    /// The natural logarithm of its probability. `None` if the server states none.
    pub log_prob: Option<f64>,
    /// The most probable tokens at this place with their log-probabilities, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub top: Vec<(String, f64)>,
}

/// Why an answer ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// By itself, or by one of the texts that stop it.
    #[default]
    Stop,
    /// It reached `max_tokens`, or the end of the model's context.
    Length,
    /// To call tools.
    ToolCalls,
    /// A filter of the server's cut it off.
    Filtered,
    /// We cut it off: enough had been read.
    Cut,
    /// Another reason, in the server's words.
    Other(String),
}
