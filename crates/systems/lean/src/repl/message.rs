//! Requests and replies of the REPL, as JSON.

use serde_json::{Value, json};

use crate::dialect::{ProofStatus, Unknown};

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request<'a> {
    /// Reads commands, after those of an environment.
    Command {
        /// The text.
        text: &'a str,
        /// The environment; without one, the text may begin with imports.
        environment: Option<u64>,
    },
    /// Runs a tactic on all goals of a proof state.
    Tactic {
        /// The text: exactly one tactic.
        text: &'a str,
        /// The proof state.
        state: u64,
    },
}

impl Request<'_> {
    /// The request as the REPL reads it.
    pub fn encode(&self) -> Value {
        match self {
            Self::Command { text, environment: None } => json!({"cmd": text}),
            Self::Command { text, environment: Some(environment) } => {
                json!({"cmd": text, "env": environment})
            }
            Self::Tactic { text, state } => json!({"tactic": text, "proofState": state}),
        }
    }
}

/// A reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// To a command, or to pickling an environment.
    Environment(Environment),
    /// To a tactic, or to pickling a proof state.
    Step(Step),
    /// A failure: the tactic's, or that of the request.
    Failed(String),
}

/// The environment after a text. It exists even if the text had errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Environment {
    /// Its number.
    pub number: u64,
    /// What Lean says about the text.
    pub messages: Vec<Message>,
    /// The unfinished proofs.
    pub sorries: Vec<Sorry>,
}

/// The proof state after a tactic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its number.
    pub number: u64,
    /// Its goals, as printed.
    pub goals: Vec<String>,
    /// What the REPL makes of the proof so far; older ones say nothing.
    pub status: Option<ProofStatus>,
    /// What Lean says about the tactic.
    pub messages: Vec<Message>,
    /// The goals that it gave up.
    pub sorries: Vec<Sorry>,
    /// What it traced, in order.
    pub traces: Vec<String>,
}

/// A message of Lean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// How serious it is.
    pub severity: Severity,
    /// Its text.
    pub text: String,
    /// Where it begins; of a tactic's messages, always 0:0.
    pub at: Position,
}

/// How serious a message is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// Something that was asked for.
    Info,
    /// A warning.
    Warning,
    /// An error. A tactic with one has failed, although the REPL reports a new state.
    Error,
}

/// A position in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Position {
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 0.
    pub column: u64,
}

/// An unfinished proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sorry {
    /// Its goal, as printed.
    pub goal: String,
    /// The proof state that has only this goal.
    pub state: u64,
    /// Where it stands; unknown for those of a tactic.
    pub at: Option<Position>,
}

impl Reply {
    /// Reads a reply. Keys that are not mentioned here are ignored.
    pub fn read(reply: &Value) -> Result<Self, Unreadable> {
        if let Some(message) = reply.get("message") {
            return Ok(Self::Failed(text(message, "message")?));
        }
        let messages = list(reply, "messages", Message::read)?;
        let sorries = list(reply, "sorries", Sorry::read)?;
        if let Some(number) = reply.get("proofState") {
            let status = reply.get("proofStatus").map(|status| text(status, "proofStatus")).transpose()?;
            return Ok(Self::Step(Step {
                number: natural(number, "proofState")?,
                goals: list(reply, "goals", |goal| text(goal, "goals"))?,
                status: status.map(|status| ProofStatus::read(&status)).transpose()?.flatten(),
                messages,
                sorries,
                traces: list(reply, "traces", |trace| text(trace, "traces"))?,
            }));
        }
        let number = reply.get("env").ok_or(Unreadable::Key("env"))?;
        Ok(Self::Environment(Environment { number: natural(number, "env")?, messages, sorries }))
    }
}

/// Why a reply cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// A key is missing, or has a value of another type.
    #[error("no proper `{0}`")]
    Key(&'static str),
    /// A value that this program does not know.
    #[error(transparent)]
    Unknown(#[from] Unknown),
}

impl Message {
    fn read(message: &Value) -> Result<Self, Unreadable> {
        let severity = match message.get("severity").and_then(Value::as_str) {
            Some("info" | "trace") => Severity::Info,
            Some("warning") => Severity::Warning,
            Some("error") => Severity::Error,
            _ => return Err(Unreadable::Key("severity")),
        };
        let at = message.get("pos").ok_or(Unreadable::Key("pos"))?;
        let data = message.get("data").ok_or(Unreadable::Key("data"))?;
        Ok(Self { severity, text: text(data, "data")?, at: Position::read(at)? })
    }
}

impl Position {
    fn read(position: &Value) -> Result<Self, Unreadable> {
        let number = |key| natural(position.get(key).ok_or(Unreadable::Key(key))?, key);
        Ok(Self { line: number("line")?, column: number("column")? })
    }
}

impl Sorry {
    fn read(sorry: &Value) -> Result<Self, Unreadable> {
        let state = sorry.get("proofState").ok_or(Unreadable::Key("proofState"))?;
        let goal = sorry.get("goal").ok_or(Unreadable::Key("goal"))?;
        let at = sorry.get("pos").filter(|at| !at.is_null()).map(Position::read).transpose()?;
        Ok(Self { goal: text(goal, "goal")?, state: natural(state, "proofState")?, at })
    }
}

/// A list, which is left out if it is empty.
fn list<T>(
    reply: &Value,
    key: &'static str,
    read: impl Fn(&Value) -> Result<T, Unreadable>,
) -> Result<Vec<T>, Unreadable> {
    match reply.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => items.iter().map(read).collect(),
        Some(_) => Err(Unreadable::Key(key)),
    }
}

fn text(value: &Value, key: &'static str) -> Result<String, Unreadable> {
    value.as_str().map(str::to_owned).ok_or(Unreadable::Key(key))
}

fn natural(value: &Value, key: &'static str) -> Result<u64, Unreadable> {
    value.as_u64().ok_or(Unreadable::Key(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_from_a_reply_with_messages() {
        let read = |text: &str| Reply::read(&serde_json::from_str(text).unwrap());
        assert_eq!(
            read(r#"{"message": "Unknown environment."}"#),
            Ok(Reply::Failed("Unknown environment.".into()))
        );
        let reply = read(
            r#"{"env": 3, "new": [1], "messages": [{"severity": "warning", "pos": {"line": 1, "column": 2},
                "endPos": null, "data": "x"}]}"#,
        );
        let at = Position { line: 1, column: 2 };
        let messages = vec![Message { severity: Severity::Warning, text: "x".into(), at }];
        assert_eq!(reply, Ok(Reply::Environment(Environment { number: 3, messages, sorries: Vec::new() })));
    }

    #[test]
    fn what_is_not_a_reply_is_refused() {
        for (reply, key) in [
            (r#"{}"#, "env"),
            (r#"{"env": "0"}"#, "env"),
            (r#"{"env": -1}"#, "env"),
            (r#"{"env": 0, "messages": {}}"#, "messages"),
            (
                r#"{"env": 0, "messages": [{"severity": "fatal", "pos": {"line": 1, "column": 1}, "data": ""}]}"#,
                "severity",
            ),
            (r#"{"proofState": 0, "goals": [1]}"#, "goals"),
            (r#"{"proofState": 0, "sorries": [{"goal": "⊢ p"}]}"#, "proofState"),
        ] {
            let value = serde_json::from_str(reply).unwrap();
            assert_eq!(Reply::read(&value), Err(Unreadable::Key(key)), "{reply}");
        }
        let unknown = serde_json::json!({"proofState": 1, "goals": [], "proofStatus": "Maybe"});
        let error = Reply::read(&unknown).unwrap_err().to_string();
        assert!(error.contains("Maybe") && error.contains("worker-closes"), "{error}");
    }
}
