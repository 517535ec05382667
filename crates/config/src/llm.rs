//! Language models as providers.

use andor_provider::llm::answer::Form;
use serde::{Deserialize, Serialize};

use crate::ProviderConfig;

/// How language models are asked. Values that are given take the place of the model's own (`[models.NAME]`).
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LlmConfig {
    /// The prompt: the name of a built-in template, or a file.
    pub prompt: Option<String>,
    /// How answers are read; by default as the template says.
    pub answer: Option<Form>,
    /// Answers to each request.
    pub n: Option<u32>,
    /// The sampling temperature.
    pub temperature: Option<f64>,
    /// Answers are drawn from the most probable tokens that together have this probability.
    pub top_p: Option<f64>,
    /// Tokens of an answer.
    pub max_tokens: Option<u32>,
    /// Time for an answer, in seconds.
    pub timeout_s: Option<f64>,
    /// How long a model's server that cannot be reached is waited for before the first request, in seconds.
    pub wait_s: Option<f64>,
    /// Lemmas in each prompt.
    pub lemmas: u32,
    /// Whether requests and answers are recorded.
    pub record: bool,
    /// Whether a replay asks the model where the record has no answer.
    pub replay_else_ask: bool,
}

impl ProviderConfig {
    /// Whether it asks a language model, or replays one.
    pub fn is_llm(&self) -> bool {
        matches!(self, Self::Llm { .. } | Self::Replay { .. })
    }
}
