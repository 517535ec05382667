//! The messages of Lean's server: JSON-RPC in frames that begin with their length.

use serde_json::{Value, json};
use tokio::process::ChildStdout;

use andor_process::{FrameError, FrameReader};

/// Size limit of a message.
const MAX_MESSAGE_BYTES: usize = 64 << 20;

/// The end of a frame's header.
const END_OF_HEADER: &[u8] = b"\r\n\r\n";

/// A message to the server.
#[derive(Clone, Debug)]
pub(super) enum Outgoing {
    /// A request that is not answered: the first message to a worker.
    Greeting(&'static str, Value),
    /// It gets no answer.
    Notification(&'static str, Value),
    /// It gets an answer.
    Request(&'static str, Value),
}

impl Outgoing {
    /// The frame of this message; requests have the number `id`.
    pub(super) fn encode(&self, id: u64) -> Vec<u8> {
        let (id, method, params) = match self {
            Self::Greeting(method, params) => (Some(0), method, params),
            Self::Notification(method, params) => (None, method, params),
            Self::Request(method, params) => (Some(id), method, params),
        };
        let mut message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        if let Some(id) = id {
            message["id"] = json!(id);
        }
        let body = message.to_string();
        format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
    }
}

/// A message from the server.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Incoming {
    /// The answer to the request with this number.
    Reply(u64, Result<Value, Failure>),
    /// The diagnostics of a version of the document.
    Diagnostics { version: i64, all: Vec<Diagnostic> },
    /// Anything else.
    Other,
}

/// The error of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) code: i64,
    pub(super) message: String,
}

/// A message of Lean about a part of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Diagnostic {
    pub(super) is_error: bool,
    /// The line, from 0.
    pub(super) line: usize,
    /// The column, from 0, in UTF-16 units.
    pub(super) character: usize,
    pub(super) message: String,
}

impl Diagnostic {
    /// Whether it says that something is admitted. The server does not tell the kind of a message.
    pub(super) fn admits(&self) -> bool {
        self.message.starts_with("declaration uses") && self.message.contains("sorry")
    }
}

/// Reads messages. A read that is dropped loses nothing.
#[derive(Debug)]
pub(super) struct Messages {
    frames: FrameReader<ChildStdout>,
    /// The length of the message whose header was read.
    body: Option<usize>,
}

impl Messages {
    pub(super) fn new(output: ChildStdout) -> Self {
        Self { frames: FrameReader::new(output, END_OF_HEADER, MAX_MESSAGE_BYTES), body: None }
    }

    /// The next message; the inner error is a text that is none.
    pub(super) async fn next(&mut self) -> Result<Result<Incoming, String>, FrameError> {
        let length = match self.body {
            Some(length) => length,
            None => {
                let header = String::from_utf8_lossy(self.frames.next().await?).into_owned();
                let Some(length) = content_length(&header) else { return Ok(Err(header)) };
                *self.body.insert(length)
            }
        };
        let body = self.frames.next_bytes(length).await?;
        self.body = None;
        let message: Option<Value> = serde_json::from_slice(body).ok();
        let message = message.and_then(|message| understand(&message));
        Ok(message.ok_or_else(|| String::from_utf8_lossy(body).into_owned()))
    }
}

fn content_length(header: &str) -> Option<usize> {
    let mut fields = header.lines().filter_map(|line| line.split_once(':'));
    let (_, length) = fields.find(|(name, _)| name.eq_ignore_ascii_case("Content-Length"))?;
    length.trim().parse().ok()
}

/// `None` if it is no message of this protocol.
fn understand(message: &Value) -> Option<Incoming> {
    let method = message.get("method").and_then(Value::as_str);
    let id = message.get("id").and_then(Value::as_u64);
    match (method, id) {
        (None, Some(id)) => {
            let reply = match message.get("error") {
                Some(error) => Err(Failure {
                    code: error.get("code")?.as_i64()?,
                    message: error.get("message")?.as_str()?.to_owned(),
                }),
                None => Ok(message.get("result")?.clone()),
            };
            Some(Incoming::Reply(id, reply))
        }
        (Some("textDocument/publishDiagnostics"), _) => {
            let params = message.get("params")?;
            let all = params.get("diagnostics")?.as_array()?.iter().map(diagnostic);
            let version = params.get("version").and_then(Value::as_i64).unwrap_or_default();
            let mut all: Vec<Diagnostic> = all.collect::<Option<_>>()?;
            // Lean reports them as its threads finish. What one thread says of one place stays in its order: suggestions
            // for goals in turn, for example.
            all.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.character));
            Some(Incoming::Diagnostics { version, all })
        }
        (Some(_), _) => Some(Incoming::Other),
        (None, None) => None,
    }
}

fn diagnostic(value: &Value) -> Option<Diagnostic> {
    // The full range; the other one ends with the first line.
    let range = value.get("fullRange").or_else(|| value.get("range"))?;
    let start = |key: &str| usize::try_from(range.get("start")?.get(key)?.as_u64()?).ok();
    Some(Diagnostic {
        is_error: value.get("severity").and_then(Value::as_i64) == Some(1),
        line: start("line")?,
        character: start("character")?,
        message: value.get("message")?.as_str()?.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Option<Incoming> {
        understand(&serde_json::from_str(text).unwrap())
    }

    #[test]
    fn messages_are_understood() {
        assert_eq!(
            read_text(r#"{"jsonrpc":"2.0","id":3,"result":null}"#),
            Some(Incoming::Reply(3, Ok(Value::Null)))
        );
        let failed = r#"{"jsonrpc":"2.0","id":4,"error":{"code":-32900,"message":"reconnect"}}"#;
        let failure = Failure { code: -32900, message: "reconnect".to_owned() };
        assert_eq!(read_text(failed), Some(Incoming::Reply(4, Err(failure))));
        assert_eq!(read_text(r#"{"method":"$/lean/fileProgress","params":{}}"#), Some(Incoming::Other));
        assert_eq!(read_text(r#"{"jsonrpc":"2.0"}"#), None);
        let diagnostics = r#"{"method":"textDocument/publishDiagnostics","params":{"uri":"file:///t.lean","version":7,
            "diagnostics":[{"severity":2,"message":"declaration uses `sorry`","range":{"start":{"line":3,"character":1},
            "end":{"line":4,"character":0}}}]}}"#;
        let Some(Incoming::Diagnostics { version: 7, all }) = read_text(diagnostics) else { panic!() };
        assert!(all[0].admits() && !all[0].is_error && all[0].line == 3);
    }

    #[test]
    fn diagnostics_are_in_order_however_lean_reports_them() {
        let at = |line: u8, character: u8, message: &str| {
            let place = json!({"line": line, "character": character});
            json!({"severity": 1, "message": message, "range": {"start": place, "end": place}})
        };
        let mut order =
            [at(4, 2, "unsolved goals"), at(3, 2, "unknown tactic"), at(4, 0, "expected command")];
        let read = |all: &[Value]| {
            let params = json!({"version": 1, "diagnostics": all});
            read_text(&json!({"method": "textDocument/publishDiagnostics", "params": params}).to_string())
        };
        let Some(Incoming::Diagnostics { all, .. }) = read(&order) else { panic!() };
        let messages: Vec<&str> = all.iter().map(|d| &*d.message).collect();
        assert_eq!(messages, ["unknown tactic", "expected command", "unsolved goals"]);
        order.reverse();
        assert_eq!(read(&order), Some(Incoming::Diagnostics { version: 1, all }));
    }

    #[test]
    fn a_frame_tells_its_length_in_bytes() {
        let frame = Outgoing::Request("m", json!("∀")).encode(5);
        let text = String::from_utf8(frame).unwrap();
        let (header, body) = text.split_once("\r\n\r\n").unwrap();
        assert_eq!(header, format!("Content-Length: {}", body.len()));
        assert!(body.contains("\"id\":5"));
    }
}
