//! JSON to answers.

use serde_json::Value;

use super::log_probs::{Listed, content, listed, shape, without_end};
use super::stream::CUT;
use crate::answer::{Answer, Choice, Finish};
use crate::capabilities::LogProbShape;
use crate::config::Kind;
use crate::error::ModelError;
use crate::request::{Request, ToolCall};
use crate::usage::Usage;

/// What was read, and what it says about the server.
pub(crate) struct Decoded {
    pub(crate) answer: Answer,
    /// The form of the log-probabilities, if there are any.
    pub(crate) shape: Option<LogProbShape>,
}

/// Reads an answer. Choices are in the order of their numbers, the log-probabilities without final tokens that
/// contribute nothing, and tokens are counted from the lists where the server counts fewer.
pub(crate) fn decode(kind: Kind, request: &Request, json: &Value) -> Result<Decoded, ModelError> {
    let mut read = Read { keep_top: request.log_probs.is_some_and(|k| k > 0), listed: 0, shape: None };
    let mut choices = match kind {
        Kind::Completions | Kind::Chat => {
            let list = json["choices"].as_array().ok_or_else(|| missing("choices", json))?;
            let mut numbered = Vec::with_capacity(list.len());
            for (place, choice) in list.iter().enumerate() {
                let number = choice["index"].as_u64().unwrap_or(place as u64);
                numbered.push((number, read.choice(kind, choice)?));
            }
            numbered.sort_by_key(|(number, _)| *number);
            numbered.into_iter().map(|(_, choice)| choice).collect()
        }
        Kind::Responses => vec![read.response(json)?],
    };
    let per_prompt = choices.len().div_ceil(request.input.count().max(1)).max(1);
    for (place, choice) in choices.iter_mut().enumerate() {
        choice.prompt = place / per_prompt;
    }
    let mut usage = usage(&json["usage"]);
    usage.output_tokens = usage.output_tokens.max(read.listed);
    let model = json["model"].as_str().map(str::to_owned);
    Ok(Decoded { answer: Answer { choices, usage, model, max_tokens: None }, shape: read.shape })
}

struct Read {
    keep_top: bool,
    /// The number of tokens listed so far, those at the ends included.
    listed: u64,
    shape: Option<LogProbShape>,
}

impl Read {
    fn choice(&mut self, kind: Kind, json: &Value) -> Result<Choice, ModelError> {
        let finish = finish(&json["finish_reason"]);
        let mut choice = match kind {
            Kind::Chat => chat_message(&json["message"])?,
            Kind::Completions | Kind::Responses => {
                match json.get("text") {
                    // One of several answers may have failed.
                    Some(Value::Null) => Choice::default(),
                    text => {
                        Choice::of_text(text.and_then(Value::as_str).ok_or_else(|| missing("text", json))?)
                    }
                }
            }
        };
        self.shape = self.shape.or(shape(&json["logprobs"]));
        self.put(&mut choice, listed(&json["logprobs"]), &finish);
        choice.finish = finish;
        Ok(choice)
    }

    fn response(&mut self, json: &Value) -> Result<Choice, ModelError> {
        let items = json["output"].as_array().ok_or_else(|| missing("output", json))?;
        let mut choice = Choice::default();
        let mut tokens: Option<Vec<Listed>> = None;
        for item in items {
            match item["type"].as_str() {
                Some("message") => {
                    for part in item["content"].as_array().into_iter().flatten() {
                        choice.text.push_str(part["text"].as_str().unwrap_or_default());
                        if let Some(list) = part["logprobs"].as_array().filter(|list| !list.is_empty()) {
                            self.shape = Some(LogProbShape::Content);
                            tokens.get_or_insert_default().extend(list.iter().map(content));
                        }
                    }
                }
                Some("reasoning") => {
                    let parts = ["content", "summary"].map(|field| item[field].as_array());
                    let texts =
                        parts.into_iter().flatten().flatten().filter_map(|part| part["text"].as_str());
                    choice.reasoning.get_or_insert_default().extend(texts);
                }
                Some("function_call") => choice.tool_calls.push(ToolCall {
                    id: string(&item["call_id"]),
                    name: string(&item["name"]),
                    arguments: string(&item["arguments"]),
                }),
                _ => {}
            }
        }
        choice.reasoning = choice.reasoning.filter(|text| !text.is_empty());
        choice.finish = match (json["status"].as_str(), json["incomplete_details"]["reason"].as_str()) {
            (Some("incomplete"), Some("max_output_tokens")) => Finish::Length,
            (Some("incomplete"), Some("content_filter")) => Finish::Filtered,
            (Some("incomplete"), Some(CUT)) => Finish::Cut,
            (Some("incomplete"), reason) => Finish::Other(reason.unwrap_or("incomplete").to_owned()),
            _ if !choice.tool_calls.is_empty() => Finish::ToolCalls,
            _ => Finish::Stop,
        };
        let finish = choice.finish.clone();
        self.put(&mut choice, tokens, &finish);
        Ok(choice)
    }

    fn put(&mut self, choice: &mut Choice, tokens: Option<Vec<Listed>>, finish: &Finish) {
        let Some(mut tokens) = tokens else { return };
        self.listed += tokens.len() as u64;
        if !self.keep_top {
            tokens.iter_mut().for_each(|listed| listed.token.top.clear());
        }
        let (tokens, end) = without_end(tokens, &choice.text, *finish == Finish::Stop);
        choice.end_log_prob = end;
        choice.log_probs = Some(tokens);
    }
}

fn chat_message(json: &Value) -> Result<Choice, ModelError> {
    if !json.is_object() {
        return Err(missing("message", json));
    }
    let text = match &json["content"] {
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        other => string(other),
    };
    let reasoning = ["reasoning_content", "reasoning"].iter().find_map(|field| json[*field].as_str());
    let call = |call: &Value| ToolCall {
        id: string(&call["id"]),
        name: string(&call["function"]["name"]),
        arguments: string(&call["function"]["arguments"]),
    };
    Ok(Choice {
        text,
        reasoning: reasoning.filter(|text| !text.is_empty()).map(str::to_owned),
        tool_calls: json["tool_calls"].as_array().into_iter().flatten().map(call).collect(),
        ..Choice::default()
    })
}

fn finish(json: &Value) -> Finish {
    match json.as_str() {
        Some("stop" | "eos" | "end_turn") => Finish::Stop,
        Some("length") => Finish::Length,
        Some("tool_calls" | "function_call") => Finish::ToolCalls,
        Some("content_filter") => Finish::Filtered,
        Some(CUT) => Finish::Cut,
        Some(other) => Finish::Other(other.to_owned()),
        None => Finish::Other("unstated".to_owned()),
    }
}

/// What a server states that an answer, or a failure, cost.
pub(crate) fn usage(json: &Value) -> Usage {
    let count = |names: [&str; 2]| names.iter().find_map(|name| json[*name].as_u64()).unwrap_or_default();
    let details = ["prompt_tokens_details", "input_tokens_details"];
    let cached = details.iter().find_map(|name| json[*name]["cached_tokens"].as_u64());
    Usage {
        input_tokens: count(["prompt_tokens", "input_tokens"]),
        cached_tokens: cached.unwrap_or_default(),
        output_tokens: count(["completion_tokens", "output_tokens"]),
        ..Usage::default()
    }
}

fn string(json: &Value) -> String {
    json.as_str().unwrap_or_default().to_owned()
}

fn missing(field: &str, json: &Value) -> ModelError {
    let shown: String = json.to_string().chars().take(200).collect();
    ModelError::Malformed { message: format!("`{field}` is missing or is of another type in {shown}") }
}

/// Cuts an answer at the first of these texts, where the server was not told of them. The tokens are cut with it; if the
/// cut goes through a token, they are unknown.
pub(crate) fn cut_at_stops(choice: &mut Choice, stops: &[String]) -> bool {
    let Some(end) = stops.iter().filter_map(|stop| choice.text.find(stop.as_str())).min() else {
        return false;
    };
    choice.text.truncate(end);
    choice.finish = Finish::Stop;
    choice.end_log_prob = None;
    if let Some(tokens) = choice.log_probs.take() {
        let mut length = 0;
        let kept: Vec<_> = tokens
            .into_iter()
            .take_while(|token| {
                let fits = length < end;
                length += if fits { token.token.len() } else { 0 };
                fits
            })
            .collect();
        choice.log_probs = (length == end).then_some(kept);
    }
    true
}
