//! What a server says when it gives no answer.

use std::time::Duration;

use serde_json::Value;

use crate::error::ModelError;

/// The error that a status and a body mean.
pub(crate) fn failure(status: u16, retry_after: Option<Duration>, body: &[u8]) -> ModelError {
    let said = Said::read(body);
    if let Some(error) = said.too_long() {
        return error;
    }
    let message = said.message;
    match status {
        401 | 403 => ModelError::Unauthorized { status, message },
        404 => ModelError::NotFound { message },
        408 | 409 | 429 | 502..=504 | 529 => ModelError::Overloaded { status, retry_after, message },
        501 => ModelError::NotSupported { message },
        400..500 => ModelError::BadRequest { status, message },
        500.. => ModelError::ServerError { status, message },
        300..400 => {
            ModelError::NotFound { message: "the server sends us elsewhere; check the address".to_owned() }
        }
        _ => ModelError::Malformed { message: format!("unexpected status {status}: {message}") },
    }
}

/// The error within an answer that began well: some servers say so in the body, with a status of their own.
pub(crate) fn failure_in_body(json: &Value) -> Option<ModelError> {
    let error = json.get("error").filter(|error| !error.is_null())?;
    let code = error["code"].as_u64().and_then(|code| u16::try_from(code).ok());
    let status = code.filter(|code| (400..600).contains(code)).unwrap_or(500);
    Some(failure(status, None, json.to_string().as_bytes()))
}

/// The body of an error.
struct Said {
    message: String,
    /// The fields `type` and `code`, in whatever form.
    classes: Vec<String>,
    prompt: Option<u64>,
    limit: Option<u64>,
}

impl Said {
    fn read(body: &[u8]) -> Self {
        const CHARS: usize = 500;
        let Ok(json) = serde_json::from_slice::<Value>(body) else {
            let text = String::from_utf8_lossy(body);
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let message =
                if words.is_empty() { "no message".to_owned() } else { words.chars().take(CHARS).collect() };
            return Self { message, classes: Vec::new(), prompt: None, limit: None };
        };
        // OpenAI and llama.cpp: `error`; older vLLM: the top level; FastAPI: `detail`.
        let error = json.get("error").filter(|e| !e.is_null()).unwrap_or(&json);
        let message = match (error, error.get("message"), error.get("detail")) {
            (Value::String(text), _, _)
            | (_, Some(Value::String(text)), _)
            | (_, _, Some(Value::String(text))) => text.clone(),
            (other, ..) => other.to_string(),
        };
        let classes =
            ["type", "code"].iter().filter_map(|field| error.get(*field)?.as_str().map(str::to_owned));
        Self {
            message: message.chars().take(CHARS).collect(),
            classes: classes.collect(),
            prompt: error["n_prompt_tokens"].as_u64(),
            limit: error["n_ctx"].as_u64(),
        }
    }

    /// vLLM has no class for it: only its words say so.
    fn too_long(&self) -> Option<ModelError> {
        const CLASSES: [&str; 3] =
            ["exceed_context_size_error", "context_length_exceeded", "string_above_max_length"];
        const WORDS: [&str; 4] = [
            "maximum context length",
            "longer than the maximum model length",
            "exceeds the available context size",
            "exceed context window",
        ];
        let classed = self.classes.iter().any(|class| CLASSES.contains(&class.as_str()));
        let worded = || WORDS.iter().any(|words| self.message.contains(words));
        (classed || worded()).then(|| ModelError::ContextTooLong {
            prompt: self.prompt,
            limit: self.limit,
            message: self.message.clone(),
        })
    }
}

/// The time that a header `Retry-After` asks for: seconds, or a date.
pub(crate) fn retry_after(header: &str) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = jiff::fmt::rfc2822::parse(header).ok()?.timestamp();
    Some(Duration::try_from(date.duration_since(jiff::Timestamp::now())).unwrap_or_default())
}
