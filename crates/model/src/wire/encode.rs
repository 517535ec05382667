//! Requests to JSON.

use serde_json::{Map, Value, json};

use crate::capabilities::Server;
use crate::config::Kind;
use crate::error::ModelError;
use crate::request::{Grammar, Input, Message, Request, Role, Sampling, Tool};
use crate::seed::wire_seed;

/// The most texts that stop an answer which OpenAI's interface takes.
const OPENAI_STOPS: usize = 4;

/// The body of a request. Everything that the answer depends on is stated, because servers differ in their defaults; the
/// seed is sent as 31 bits.
pub(crate) fn encode(
    kind: Kind,
    server: Server,
    model: &str,
    request: &Request,
) -> Result<Value, ModelError> {
    let mut body = Map::new();
    body.insert("model".to_owned(), model.into());
    match kind {
        Kind::Completions => completions(&mut body, request)?,
        Kind::Chat => chat(&mut body, server, request)?,
        Kind::Responses => responses(&mut body, request)?,
    }
    let Sampling { temperature, top_p, .. } = request.sampling;
    body.insert("temperature".to_owned(), temperature.into());
    body.insert("top_p".to_owned(), top_p.into());
    body.insert("stream".to_owned(), request.stream.into());
    if kind != Kind::Responses {
        body.insert("n".to_owned(), request.sampling.n.into());
        if let Some(seed) = request.sampling.seed {
            body.insert("seed".to_owned(), wire_seed(seed).into());
        }
        let stops = stops_to_send(kind, server, &request.sampling.stop);
        if !stops.is_empty() {
            body.insert("stop".to_owned(), stops.into());
        }
        if request.stream {
            body.insert("stream_options".to_owned(), json!({ "include_usage": true }));
        }
        extras(&mut body, server, &request.sampling);
    }
    if let Some(grammar) = &request.grammar {
        constrain(&mut body, kind, server, grammar)?;
    }
    Ok(Value::Object(body))
}

/// The stops that the server is told; answers are cut at the others when they are read.
pub(crate) fn stops_to_send(kind: Kind, server: Server, stops: &[String]) -> &[String] {
    match (kind, server) {
        (Kind::Responses, _) => &[],
        (_, Server::OpenAi | Server::Unknown) => &stops[..stops.len().min(OPENAI_STOPS)],
        _ => stops,
    }
}

fn completions(body: &mut Map<String, Value>, request: &Request) -> Result<(), ModelError> {
    let prompt = match &request.input {
        Input::Prompt(text) => text.as_str().into(),
        Input::Prompts(texts) => texts.clone().into(),
        Input::Messages(_) => {
            return Err(unsupported("completions take a text, not a conversation; use `chat`"));
        }
    };
    if !request.tools.is_empty() {
        return Err(unsupported("completions have no tools; use `chat` or `responses`"));
    }
    body.insert("prompt".to_owned(), prompt);
    body.insert("max_tokens".to_owned(), request.sampling.most_tokens(false).into());
    if let Some(top) = request.log_probs {
        // llama.cpp answers 0 with none at all.
        body.insert("logprobs".to_owned(), top.max(1).into());
    }
    Ok(())
}

fn chat(body: &mut Map<String, Value>, server: Server, request: &Request) -> Result<(), ModelError> {
    let messages: Vec<Value> = conversation(&request.input)?.iter().map(chat_message).collect();
    body.insert("messages".to_owned(), messages.into());
    // OpenAI's newer models refuse the old name, other servers need it.
    let most = if server == Server::OpenAi { "max_completion_tokens" } else { "max_tokens" };
    body.insert(most.to_owned(), request.sampling.most_tokens(false).into());
    if let Some(top) = request.log_probs {
        body.insert("logprobs".to_owned(), true.into());
        body.insert("top_logprobs".to_owned(), top.max(1).into());
    }
    if !request.tools.is_empty() {
        let tool = |t: &Tool| {
            json!({ "type": "function", "function":
                { "name": t.name, "description": t.description, "parameters": t.parameters } })
        };
        body.insert("tools".to_owned(), request.tools.iter().map(tool).collect());
    }
    Ok(())
}

fn responses(body: &mut Map<String, Value>, request: &Request) -> Result<(), ModelError> {
    let items: Vec<Value> = conversation(&request.input)?.iter().flat_map(response_items).collect();
    body.insert("input".to_owned(), items.into());
    body.insert("max_output_tokens".to_owned(), request.sampling.most_tokens(false).into());
    // Nothing is to be kept at the server.
    body.insert("store".to_owned(), false.into());
    if let Some(top) = request.log_probs {
        body.insert("include".to_owned(), json!(["message.output_text.logprobs"]));
        if top > 0 {
            body.insert("top_logprobs".to_owned(), top.into());
        }
    }
    if !request.tools.is_empty() {
        let tool = |t: &Tool| {
            json!({ "type": "function", "name": t.name, "description": t.description,
                "parameters": t.parameters, "strict": false })
        };
        body.insert("tools".to_owned(), request.tools.iter().map(tool).collect());
    }
    Ok(())
}

fn conversation(input: &Input) -> Result<Vec<Message>, ModelError> {
    match input {
        Input::Prompt(text) => Ok(vec![Message::user(text.as_str())]),
        Input::Messages(messages) => Ok(messages.clone()),
        Input::Prompts(_) => Err(unsupported("a conversation takes one prompt a request")),
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    }
}

fn chat_message(message: &Message) -> Value {
    let mut json = json!({ "role": role(message.role), "content": message.content });
    if !message.tool_calls.is_empty() {
        let call = |c: &crate::request::ToolCall| json!({ "id": c.id, "type": "function", "function": { "name": c.name, "arguments": c.arguments } });
        json["tool_calls"] = message.tool_calls.iter().map(call).collect();
    }
    if let Some(id) = &message.tool_call_id {
        json["tool_call_id"] = id.as_str().into();
    }
    json
}

fn response_items(message: &Message) -> Vec<Value> {
    if message.role == Role::Tool {
        return vec![json!({ "type": "function_call_output", "call_id": message.tool_call_id,
            "output": message.content })];
    }
    let mut items = Vec::new();
    if !message.content.is_empty() {
        items.push(json!({ "role": role(message.role), "content": message.content }));
    }
    items.extend(message.tool_calls.iter().map(
        |c| json!({ "type": "function_call", "call_id": c.id, "name": c.name, "arguments": c.arguments }),
    ));
    items
}

/// What is no part of OpenAI's interface. Servers that are known have it, with defaults that are not neutral; others get
/// it only if it was configured.
fn extras(body: &mut Map<String, Value>, server: Server, sampling: &Sampling) {
    let all = match server {
        Server::Vllm | Server::Sglang => Some((json!(-1), "repetition_penalty")),
        Server::LlamaCpp | Server::LlamaCppPython => Some((json!(0), "repeat_penalty")),
        Server::OpenAi | Server::Unknown => None,
    };
    let mut put = |name: &str, value: Option<Value>, neutral: Option<Value>| {
        if let Some(value) = value.or(neutral) {
            body.insert(name.to_owned(), value);
        }
    };
    let penalty = all.as_ref().map_or("repetition_penalty", |(_, name)| name);
    put("top_k", sampling.top_k.map(Value::from), all.as_ref().map(|(k, _)| k.clone()));
    put("min_p", sampling.min_p.map(Value::from), all.as_ref().map(|_| json!(0.0)));
    put(penalty, sampling.repetition_penalty.map(Value::from), all.as_ref().map(|_| json!(1.0)));
}

fn constrain(
    body: &mut Map<String, Value>,
    kind: Kind,
    server: Server,
    grammar: &Grammar,
) -> Result<(), ModelError> {
    let (field, value) = match (server, grammar) {
        (_, Grammar::JsonSchema(schema)) if kind == Kind::Responses => {
            let format = json!({ "type": "json_schema", "name": "answer", "schema": schema, "strict": true });
            ("text", json!({ "format": format }))
        }
        (_, _) if kind == Kind::Responses => {
            return Err(unsupported("`responses` takes no grammar but a JSON schema"));
        }
        (Server::Vllm, Grammar::Gbnf(text)) => ("structured_outputs", json!({ "grammar": text })),
        (Server::Vllm, Grammar::Regex(text)) => ("structured_outputs", json!({ "regex": text })),
        (Server::Vllm, Grammar::JsonSchema(schema)) => ("structured_outputs", json!({ "json": schema })),
        (Server::Vllm, Grammar::Choice(texts)) => ("structured_outputs", json!({ "choice": texts })),
        (Server::LlamaCpp | Server::LlamaCppPython, Grammar::Gbnf(text)) => ("grammar", text.as_str().into()),
        (Server::LlamaCpp | Server::LlamaCppPython, Grammar::Choice(texts)) => {
            ("grammar", alternatives(texts).into())
        }
        (Server::LlamaCpp, Grammar::JsonSchema(schema)) => ("json_schema", schema.clone()),
        (Server::Sglang, Grammar::Gbnf(text)) => ("ebnf", text.as_str().into()),
        (Server::Sglang, Grammar::Regex(text)) => ("regex", text.as_str().into()),
        (Server::Sglang, Grammar::JsonSchema(schema)) => ("json_schema", schema.to_string().into()),
        (Server::Sglang, Grammar::Choice(texts)) => ("ebnf", alternatives(texts).into()),
        (Server::OpenAi | Server::Unknown | Server::LlamaCppPython, Grammar::JsonSchema(schema))
            if kind == Kind::Chat =>
        {
            let format = json!({ "name": "answer", "schema": schema, "strict": true });
            ("response_format", json!({ "type": "json_schema", "json_schema": format }))
        }
        (server, grammar) => {
            let form = match grammar {
                Grammar::Gbnf(_) => "a GBNF grammar",
                Grammar::Regex(_) => "a regular expression",
                Grammar::JsonSchema(_) => "a JSON schema",
                Grammar::Choice(_) => "a choice of texts",
            };
            // Unknown fields are ignored by many servers: the answer would look right and not be.
            let message =
                format!("no way is known to hold this server ({server}) to {form} with {}", kind.name());
            return Err(unsupported(&message));
        }
    };
    body.insert(field.to_owned(), value);
    Ok(())
}

/// A GBNF grammar of some texts.
fn alternatives(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| Value::from(text.as_str()).to_string()).collect();
    format!("root ::= {}", quoted.join(" | "))
}

fn unsupported(message: &str) -> ModelError {
    ModelError::NotSupported { message: message.to_owned() }
}
