//! Options of language models that replace values of the model's own, as rows of the table.

use super::DefaultValue::Explained;
use super::notation::Notation::{Duration, Number, Whole};
use super::row::*;
use super::{ConfigOption, Section, Setting};

pub(super) const N: ConfigOption = option!(
    "--n-sampling-search", llm.n, Models, Whole(COUNT), "N", "Answers to each request, in place of the model's own (16)",
    default: Explained);
pub(super) const SAMPLING_TEMPERATURE: ConfigOption = option!(
    "--sampling-temperature", llm.temperature, Models, Number(TEMPERATURE), "T",
    "Sampling temperature, in place of the model's own (0.7)", default: Explained);
pub(super) const SAMPLING_TOP_P: ConfigOption = option!(
    "--sampling-top-p", llm.top_p, Models, Number(ABOVE_0), "P",
    "Sample from the most probable tokens with this total probability, in place of the model's own (1)", default: Explained);
pub(super) const MAX_TOKENS: ConfigOption = option!(
    "--max-tokens", llm.max_tokens, Models, Whole(COUNT), "N",
    "Tokens of an answer, in place of the model's own (2048, or 16384 if it is seen to reason); fewer where its context has no room for them", default: Explained);
pub(super) const TIMEOUT: ConfigOption = option!(
    "--model-timeout", llm.timeout_s, Models, Duration, "DURATION", "Time for an answer, in place of the model's own (60s, and in proportion for more than 2048 tokens)",
    default: Explained);
pub(super) const WAIT: ConfigOption = option!(
    "--model-wait", llm.wait_s, Models, Duration, "DURATION",
    "How long to wait at the start for a server that cannot be reached, hangs or refuses, in place of the model's own (10s); \
     one that says it is loading has 600s",
    default: Explained);
