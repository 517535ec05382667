//! A fake of the community's REPL.

use std::io::{self, BufRead};

use serde_json::{Map, Value, json};

use super::explicit;
use super::prover::{Environment, Message, Proof, Read, Refusal, Status, gives_up, line_column};

/// Requests that end the real program, too.
#[derive(Debug, thiserror::Error)]
pub enum Fatal {
    /// It is not JSON.
    #[error("uncaught exception: Could not parse JSON:\n{0}")]
    NoJson(String),
    /// It is no request.
    #[error("uncaught exception: Could not parse as a valid JSON command:\n{0}")]
    NoRequest(Value),
    /// A pickle cannot be written or read.
    #[error("uncaught exception: {0}")]
    Pickle(String),
}

/// What the program knows: environments and proof states, which only ever grow.
#[derive(Default)]
pub struct Repl {
    environments: Vec<Environment>,
    states: Vec<Proof>,
}

/// The tactics that report an error and go on, with the goal given up.
const RECOVERING: &[&str] = &["exact", "refine", "·", ".", "case", "next", "{", "simpa"];

/// What `mini` does not have, and the REPL answers with a trace.
const TRACE: &str = "set_option pp.all true in trace_state";

/// Reads a request: lines up to one that is empty, without their line breaks.
pub fn read_request(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut request = String::new();
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        if line.trim().is_empty() {
            return Ok(Some(request));
        }
        request += line.trim_end();
        line.clear();
    }
    Ok(Some(request).filter(|request| !request.is_empty()))
}

impl Repl {
    /// Answers a request; a comment has no answer.
    pub fn answer(&mut self, request: &str) -> Result<Option<Value>, Fatal> {
        if request.starts_with('#') || request.starts_with("--") {
            return Ok(None);
        }
        let request: Value = serde_json::from_str(request).map_err(|_| Fatal::NoJson(request.to_owned()))?;
        let text = |key: &str| request.get(key).and_then(Value::as_str);
        let number = |key: &str| match request.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => value.as_u64().map(Some).ok_or(Fatal::NoRequest(request.clone())),
        };
        let (environment, state) = (number("env")?, number("proofState")?);
        let answer = match (state, environment) {
            (Some(state), _) if text("tactic").is_some() => {
                self.step(state, text("tactic").unwrap_or_default())
            }
            (_, Some(environment)) if text("pickleTo").is_some() => {
                self.pickle_environment(environment, text("pickleTo").unwrap_or_default())?
            }
            (Some(state), _) if text("pickleTo").is_some() => {
                self.pickle_state(state, text("pickleTo").unwrap_or_default())?
            }
            _ => match (text("unpickleEnvFrom"), text("unpickleProofStateFrom"), text("cmd"), text("path")) {
                (Some(path), ..) => self.unpickle(path, false)?,
                (_, Some(path), ..) => self.unpickle(path, true)?,
                (_, _, Some(command), _) => self.command(command, environment),
                (_, _, _, Some(path)) => match std::fs::read_to_string(path) {
                    Ok(text) => self.command(&text, environment),
                    Err(error) => json!({"message": error.to_string()}),
                },
                _ => return Err(Fatal::NoRequest(request)),
            },
        };
        Ok(Some(answer))
    }

    fn command(&mut self, text: &str, environment: Option<u64>) -> Value {
        let fresh = Environment::default();
        let base = match environment {
            None => &fresh,
            Some(number) => match usize::try_from(number).ok().and_then(|at| self.environments.get(at)) {
                Some(base) => base,
                None => return json!({"message": "Unknown environment."}),
            },
        };
        let Read { environment, messages, unfinished, .. } = base.read(text);
        let position = |at| {
            let (line, column) = line_column(text, at);
            json!({"line": line, "column": column})
        };
        let mut answer = Map::new();
        let mut sorries = Vec::new();
        for unfinished in unfinished {
            let goal = unfinished.proof.state.goals().first().map(ToString::to_string).unwrap_or_default();
            sorries.push(json!({
                "proofState": self.keep(unfinished.proof),
                "pos": position(unfinished.sorry.start),
                "goal": goal,
                "endPos": position(unfinished.sorry.end),
            }));
        }
        let said = |message: &Message| {
            json!({
                "severity": message.severity,
                "pos": position(message.at),
                "endPos": position(message.end),
                "data": message.text.trim(),
            })
        };
        put(&mut answer, "sorries", sorries);
        put(&mut answer, "messages", messages.iter().map(said).collect());
        self.environments.push(environment);
        answer.insert("env".into(), json!(self.environments.len() - 1));
        Value::Object(answer)
    }

    fn keep(&mut self, proof: Proof) -> usize {
        self.states.push(proof);
        self.states.len() - 1
    }

    fn step(&mut self, state: u64, text: &str) -> Value {
        let Some(from) = usize::try_from(state).ok().and_then(|at| self.states.get(at)).cloned() else {
            return json!({"message": "Unknown proof state."});
        };
        let traced = text.contains(TRACE);
        let text = &*text.replace(TRACE, "skip");
        let lean_error = |text: String| json!({"message": format!("Lean error:\n{text}")});
        let applied = from.apply(text, from.environment().steps());
        let (next, errors) = match applied {
            Ok(next) => (next, Vec::new()),
            Err(Refusal::Syntax(message)) => return lean_error(format!("<input>:1:1: {message}")),
            Err(Refusal::OverTime) => {
                return lean_error(
                    "(deterministic) timeout at `elaborator`, maximum number of heartbeats (200000) has been reached\n\
                     \nNote: Use `set_option maxHeartbeats <num>` to set the limit."
                        .to_owned(),
                );
            }
            Err(Refusal::OverMemory) => {
                return lean_error("maximum recursion depth has been reached".to_owned());
            }
            Err(Refusal::Failed(message)) => {
                let first = text.trim_start_matches(['(', '\n', ' ']).split_whitespace().next();
                match from.apply("sorry", u64::MAX) {
                    Ok(recovered) if first.is_some_and(|word| RECOVERING.contains(&word)) => {
                        (recovered, vec![message])
                    }
                    _ => return lean_error(message),
                }
            }
        };
        let mut answer = Map::new();
        let mut sorries = Vec::new();
        if errors.is_empty() && gives_up(text) {
            let left: Vec<String> = next.state.goals().into_iter().map(|goal| goal.name).collect();
            for (at, goal) in from.state.goals().iter().enumerate() {
                if !left.contains(&goal.name) {
                    let part = self.keep(from.part(at));
                    sorries.push(json!({"proofState": part, "goal": goal.to_string()}));
                }
            }
        }
        let said = |text: &String| {
            let nowhere = json!({"line": 0, "column": 0});
            json!({"severity": "error", "pos": nowhere, "endPos": nowhere, "data": text})
        };
        put(&mut answer, "sorries", sorries);
        put(&mut answer, "messages", errors.iter().map(said).collect());
        if traced {
            let goals = explicit::with_everything(&next.state.goals());
            put(&mut answer, "traces", vec![json!(goals.join("\n\n"))]);
        }
        self.state_of(next, answer)
    }

    /// The answer with a new proof state.
    fn state_of(&mut self, proof: Proof, mut answer: Map<String, Value>) -> Value {
        let goals = explicit::pretty(&proof.state.goals());
        let status = match proof.status() {
            Status::Open => "Incomplete: open goals remain".to_owned(),
            Status::Metavariables => "Incomplete: contains metavariable(s)".to_owned(),
            Status::Sorry => "Incomplete: contains sorry".to_owned(),
            Status::Completed => "Completed".to_owned(),
            Status::Wrong(why) => format!("Error: kernel type check failed: {why}"),
        };
        answer.insert("proofStatus".into(), json!(status));
        answer.insert("goals".into(), json!(goals));
        answer.insert("proofState".into(), json!(self.keep(proof)));
        Value::Object(answer)
    }

    fn pickle_environment(&mut self, number: u64, path: &str) -> Result<Value, Fatal> {
        let Some(environment) = usize::try_from(number).ok().and_then(|at| self.environments.get(at)) else {
            return Ok(json!({"message": "Unknown environment."}));
        };
        write(path, &json!({"texts": environment.texts()}))?;
        Ok(json!({"env": number}))
    }

    fn pickle_state(&mut self, number: u64, path: &str) -> Result<Value, Fatal> {
        let Some(proof) = usize::try_from(number).ok().and_then(|at| self.states.get(at)).cloned() else {
            return Ok(json!({"message": "Unknown proof State."}));
        };
        let (statement, script) = proof.text();
        let texts = proof.environment().texts();
        write(path, &json!({"texts": texts, "statement": statement, "script": script}))?;
        Ok(self.state_of(proof, Map::new()))
    }

    fn unpickle(&mut self, path: &str, is_state: bool) -> Result<Value, Fatal> {
        let unreadable = |error: &dyn std::fmt::Display| Fatal::Pickle(format!("{path}: {error}"));
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(&error))?;
        let pickle: Value = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
        let list = |key: &str| -> Vec<String> {
            let items = pickle[key].as_array().into_iter().flatten();
            items.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let read = |environment: Environment, text: &String| environment.read(text).environment;
        let environment = list("texts").iter().fold(Environment::default(), read);
        if is_state {
            let statement = pickle["statement"].as_str().unwrap_or_default();
            let proof = Proof::replayed(&environment, statement, &list("script"));
            let proof = proof.ok_or_else(|| unreadable(&"it holds no proof state"))?;
            return Ok(self.state_of(proof, Map::new()));
        }
        self.environments.push(environment);
        Ok(json!({"env": self.environments.len() - 1}))
    }
}

fn write(path: &str, pickle: &Value) -> Result<(), Fatal> {
    std::fs::write(path, pickle.to_string()).map_err(|error| Fatal::Pickle(format!("{path}: {error}")))
}

/// Adds a list unless it is empty.
fn put(answer: &mut Map<String, Value>, key: &str, items: Vec<Value>) {
    if !items.is_empty() {
        answer.insert(key.to_owned(), Value::Array(items));
    }
}
