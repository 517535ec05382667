//! Answers sent in pieces (server-sent events).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::config::Kind;

/// Splits bytes into the data of events.
#[derive(Debug, Default)]
pub(crate) struct Events {
    buffer: Vec<u8>,
    data: Vec<u8>,
}

impl Events {
    /// The data of the events that these bytes complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        self.buffer.extend_from_slice(bytes);
        let mut events = Vec::new();
        let mut begin = 0;
        while let Some(length) = self.buffer[begin..].iter().position(|b| *b == b'\n') {
            let line = self.buffer[begin..begin + length].trim_ascii_end();
            if line.is_empty() {
                if !self.data.is_empty() {
                    events.push(String::from_utf8_lossy(&std::mem::take(&mut self.data)).into_owned());
                }
            } else if let Some(data) = line.strip_prefix(b"data:") {
                if !self.data.is_empty() {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(data.trim_ascii_start());
            }
            begin += length + 1;
        }
        self.buffer.drain(..begin);
        events
    }
}

/// Puts the pieces of an answer together to the JSON that the server would have sent at once.
#[derive(Debug)]
pub(crate) struct Assembly {
    kind: Kind,
    choices: BTreeMap<u64, Value>,
    rest: Map<String, Value>,
    /// The answer of `responses`, which comes complete at the end.
    complete: Option<Value>,
}

impl Assembly {
    pub(crate) fn new(kind: Kind) -> Self {
        Self { kind, choices: BTreeMap::new(), rest: Map::new(), complete: None }
    }

    /// Adds a piece. Returns the numbers of the choices that grew.
    pub(crate) fn add(&mut self, piece: &Value) -> Vec<u64> {
        if self.kind == Kind::Responses {
            return self.add_event(piece);
        }
        for field in ["model", "usage"] {
            if let Some(value) = piece.get(field).filter(|value| !value.is_null()) {
                self.rest.insert(field.to_owned(), value.clone());
            }
        }
        let mut grown = Vec::new();
        for part in piece["choices"].as_array().into_iter().flatten() {
            let number = part["index"].as_u64().unwrap_or_default();
            let choice = self.choices.entry(number).or_insert_with(|| json!({ "index": number }));
            match self.kind {
                Kind::Chat => add_message(&mut choice["message"], &part["delta"]),
                Kind::Completions | Kind::Responses => append(&mut choice["text"], &part["text"]),
            }
            add_log_probs(&mut choice["logprobs"], &part["logprobs"]);
            if !part["finish_reason"].is_null() {
                choice["finish_reason"] = part["finish_reason"].clone();
            }
            grown.push(number);
        }
        grown
    }

    fn add_event(&mut self, event: &Value) -> Vec<u64> {
        match event["type"].as_str() {
            Some("response.output_text.delta") => {
                let text = self.choices.entry(0).or_insert_with(|| json!({ "text": "" }));
                append(&mut text["text"], &event["delta"]);
                if let Some(list) = event["logprobs"].as_array() {
                    extend(&mut text["logprobs"], list);
                }
                vec![0]
            }
            Some("response.completed" | "response.incomplete") => {
                self.complete = Some(event["response"].clone());
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// The text of a choice so far.
    pub(crate) fn text(&self, number: u64) -> &str {
        let choice = self.choices.get(&number);
        let text = match self.kind {
            Kind::Chat => choice.map(|c| &c["message"]["content"]),
            Kind::Completions | Kind::Responses => choice.map(|c| &c["text"]),
        };
        text.and_then(Value::as_str).unwrap_or_default()
    }

    /// Says of the choices without end that we cut them off.
    pub(crate) fn cut(&mut self) {
        for choice in self.choices.values_mut().filter(|choice| choice.get("finish_reason").is_none()) {
            choice["finish_reason"] = CUT.into();
        }
    }

    /// The whole answer; `None` if it did not come to its end.
    pub(crate) fn finish(self) -> Option<Value> {
        if self.kind == Kind::Responses {
            let partial = |choice: &Value| {
                let part =
                    json!({ "type": "output_text", "text": choice["text"], "logprobs": choice["logprobs"] });
                json!({ "status": "incomplete", "incomplete_details": { "reason": CUT },
                    "output": [{ "type": "message", "content": [part] }] })
            };
            let cut = self.choices.get(&0).filter(|choice| choice["finish_reason"] == CUT);
            return self.complete.or_else(|| cut.map(partial));
        }
        let whole =
            !self.choices.is_empty() && self.choices.values().all(|c| c.get("finish_reason").is_some());
        let mut json = self.rest;
        json.insert("choices".to_owned(), self.choices.into_values().collect());
        whole.then_some(Value::Object(json))
    }
}

/// The reason that we give where we cut an answer off.
pub(crate) const CUT: &str = "andor_cut";

fn append(text: &mut Value, more: &Value) {
    let more = more.as_str().unwrap_or_default();
    match text {
        Value::String(text) => text.push_str(more),
        _ => *text = more.into(),
    }
}

fn extend(list: &mut Value, more: &[Value]) {
    match list {
        Value::Array(list) => list.extend_from_slice(more),
        _ => *list = more.to_vec().into(),
    }
}

fn add_log_probs(all: &mut Value, more: &Value) {
    for (field, value) in more.as_object().into_iter().flatten() {
        if let Some(more) = value.as_array() {
            extend(&mut all[field], more);
        }
    }
}

fn add_message(message: &mut Value, delta: &Value) {
    append(&mut message["content"], &delta["content"]);
    for field in ["reasoning_content", "reasoning"] {
        if delta[field].is_string() {
            append(&mut message[field], &delta[field]);
        }
    }
    for part in delta["tool_calls"].as_array().into_iter().flatten() {
        let place = part["index"].as_u64().and_then(|i| usize::try_from(i).ok()).unwrap_or_default();
        if !message["tool_calls"].is_array() {
            message["tool_calls"] = json!([]);
        }
        let calls = message["tool_calls"].as_array_mut().expect("it was made an array above");
        // A server that skips numbers must not make us allocate.
        let place = place.min(calls.len());
        if place == calls.len() {
            calls.push(json!({ "id": "", "function": { "name": "", "arguments": "" } }));
        }
        let call = &mut calls[place];
        if let Some(id) = part["id"].as_str() {
            call["id"] = id.into();
        }
        append(&mut call["function"]["name"], &part["function"]["name"]);
        append(&mut call["function"]["arguments"], &part["function"]["arguments"]);
    }
}
