//! Requests and replies of Pantograph, as JSON.

use serde_json::{Value, json};

use crate::dialect::{PantographError, Unknown};

/// A request: a command with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The command.
    pub command: &'static str,
    /// Its arguments.
    pub payload: Value,
}

impl Request {
    /// The request as Pantograph reads it.
    pub fn encode(&self) -> Value {
        json!({"cmd": self.command, "payload": self.payload})
    }

    /// Sets how goals are printed, and that tactics act on one goal.
    pub fn options(timeout_ms: u64) -> Self {
        let payload = json!({
            "printExprAST": true,
            "printDependentMVars": true,
            "automaticMode": false,
            "timeout": timeout_ms,
        });
        Self { command: "options.set", payload }
    }

    /// Reads commands. `inherits` keeps what they declare, and their scope, for what follows; `opens` makes proof states of
    /// unfinished proofs, where the version can.
    ///
    /// Keys that a version does not know are ignored, and those that it knows must be there.
    pub fn process(text: &str, inherits: bool, opens: bool) -> Self {
        let payload = json!({
            "file": text,
            "readHeader": false,
            "inheritEnv": inherits,
            "newConstants": false,
            "sorrys": opens,
            "typeErrorsAsGoals": false,
        });
        Self { command: "frontend.process", payload }
    }

    /// Makes proof states of the unfinished proofs in a text.
    pub fn distil(text: &str) -> Self {
        Self { command: "frontend.distil", payload: json!({"file": text, "ignoreValues": false}) }
    }

    /// Runs a tactic on a goal of a state. With `resume`, the others stay visible.
    pub fn tactic(state: u64, goal: usize, resume: bool, tactic: &str) -> Self {
        let payload = json!({"stateId": state, "goalId": goal, "autoResume": resume, "tactic": tactic});
        Self { command: "goal.tactic", payload }
    }

    /// Makes a state of some goals of a state.
    pub fn only(state: u64, goals: &[&str]) -> Self {
        Self { command: "goal.continue", payload: json!({"target": state, "goals": goals}) }
    }

    /// Deletes states.
    pub fn delete(states: &[u64]) -> Self {
        Self { command: "goal.delete", payload: json!({"stateIds": states}) }
    }

    /// Asks for the number of states.
    pub fn count() -> Self {
        Self { command: "stat", payload: json!({}) }
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

/// A reply that reports an error instead of what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// What it means.
    pub error: PantographError,
    /// Its description.
    pub text: String,
}

/// Tells an error from any other reply.
pub fn error_of(reply: &Value) -> Result<Option<Failed>, Unreadable> {
    let Some(kind) = reply.get("error") else { return Ok(None) };
    let kind = kind.as_str().ok_or(Unreadable::Key("error"))?;
    let text = reply.get("desc").and_then(Value::as_str).ok_or(Unreadable::Key("desc"))?;
    Ok(Some(Failed { error: PantographError::read(kind, text)?, text: text.to_owned() }))
}

/// The result of a tactic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// It did not parse, or failed.
    Failed(String),
    /// It succeeded.
    Made(State),
}

/// A proof state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Its number.
    pub number: u64,
    /// Its visible goals.
    pub goals: Vec<Goal>,
    /// Whether the step that made it used `sorry`, or something unsafe.
    pub unsound: bool,
}

/// A goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The name of its metavariable, unique along a line of states.
    pub name: String,
    /// The case tag.
    pub case: Option<String>,
    /// Whether it takes tactics; otherwise it is in conversion or calculation mode.
    pub takes_tactics: bool,
    /// The hypotheses, in order.
    pub variables: Vec<Variable>,
    /// The statement to prove.
    pub target: Expression,
}

/// A hypothesis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in expressions.
    pub name: String,
    /// Its name for people.
    pub user_name: String,
    /// Its type.
    pub ty: Expression,
    /// Its value, if it has one.
    pub value: Option<Expression>,
}

/// A term, in the forms that were asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expression {
    /// As Lean prints it.
    pub pretty: String,
    /// As a tree.
    pub sexp: Option<String>,
    /// The metavariables in it.
    pub metavariables: Vec<String>,
}

impl Step {
    /// Reads the reply to a tactic that is no error.
    pub fn read(reply: &Value) -> Result<Self, Unreadable> {
        if let Some(error) = reply.get("parseError") {
            return Ok(Self::Failed(text(error, "parseError")?));
        }
        let errors = errors(reply)?;
        let flag = |key| reply.get(key).and_then(Value::as_bool).unwrap_or(false);
        match reply.get("nextStateId").filter(|id| !id.is_null()) {
            Some(_) if errors.is_empty() => {
                let unsound = flag("hasSorry") || flag("hasUnsafe");
                Ok(Self::Made(State { unsound, ..State::read(reply, "nextStateId")? }))
            }
            _ => Ok(Self::Failed(errors.join("\n"))),
        }
    }
}

impl State {
    /// Reads a state whose number has this key.
    pub fn read(reply: &Value, key: &'static str) -> Result<Self, Unreadable> {
        let number = reply.get(key).and_then(Value::as_u64).ok_or(Unreadable::Key(key))?;
        Ok(Self { number, goals: list(reply, "goals", Goal::read)?, unsound: false })
    }
}

/// The states that a text's unfinished proofs became, or the errors in the text.
pub fn opened(reply: &Value) -> Result<Result<Vec<State>, Vec<String>>, Unreadable> {
    if reply.get("targets").is_some() {
        return Ok(Ok(list(reply, "targets", |target| State::read(target, "stateId"))?));
    }
    let found = list(reply, "units", errors)?.concat();
    if !found.is_empty() {
        return Ok(Err(found));
    }
    let of_unit = |unit: &Value| match unit.get("goalStateId").filter(|id| !id.is_null()) {
        Some(_) => State::read(unit, "goalStateId").map(Some),
        None => Ok(None),
    };
    Ok(Ok(list(reply, "units", of_unit)?.into_iter().flatten().collect()))
}

/// The texts of the messages of a step.
pub fn said(reply: &Value) -> impl Iterator<Item = &str> {
    let messages = reply.get("messages").and_then(Value::as_array).into_iter().flatten();
    messages.filter_map(|message| message.get("data")?.as_str())
}

/// The errors among the messages of a step or a unit.
fn errors(reply: &Value) -> Result<Vec<String>, Unreadable> {
    let errors = list(reply, "messages", |message| match message.get("severity").and_then(Value::as_str) {
        Some("error") => message.get("data").map(|data| text(data, "data")).transpose(),
        Some("information" | "warning") => Ok(None),
        _ => Err(Unreadable::Key("severity")),
    })?;
    Ok(errors.into_iter().flatten().collect())
}

impl Goal {
    fn read(goal: &Value) -> Result<Self, Unreadable> {
        let name = goal.get("name").ok_or(Unreadable::Key("name"))?;
        let case = goal.get("userName").filter(|name| !name.is_null());
        let fragment = goal.get("fragment").ok_or(Unreadable::Key("fragment"))?;
        Ok(Self {
            name: text(name, "name")?,
            case: case.map(|case| text(case, "userName")).transpose()?,
            takes_tactics: text(fragment, "fragment")? == "tactic",
            variables: list(goal, "vars", Variable::read)?,
            target: Expression::read(goal.get("target").ok_or(Unreadable::Key("target"))?)?,
        })
    }
}

impl Variable {
    fn read(variable: &Value) -> Result<Self, Unreadable> {
        let name = |key| text(variable.get(key).ok_or(Unreadable::Key(key))?, key);
        let term = |key: &str| variable.get(key).filter(|term| !term.is_null()).map(Expression::read);
        Ok(Self {
            name: name("name")?,
            user_name: name("userName")?,
            ty: term("type").transpose()?.unwrap_or_default(),
            value: term("value").transpose()?,
        })
    }
}

impl Expression {
    fn read(expression: &Value) -> Result<Self, Unreadable> {
        let form = |key| match expression.get(key).filter(|form| !form.is_null()) {
            Some(form) => text(form, key).map(Some),
            None => Ok(None),
        };
        Ok(Self {
            pretty: form("pp")?.ok_or(Unreadable::Key("pp"))?,
            sexp: form("sexp")?,
            metavariables: list(expression, "dependentMVars", |name| text(name, "dependentMVars"))?,
        })
    }
}

/// A list, which may be left out.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_state_is_refused() {
        for (reply, key) in [
            (r#"{"nextStateId": "1", "goals": []}"#, "nextStateId"),
            (r#"{"nextStateId": 1, "goals": {}}"#, "goals"),
            (r#"{"nextStateId": 1, "goals": [{"fragment": "tactic", "target": {"pp": "p"}}]}"#, "name"),
            (
                r#"{"nextStateId": 1, "goals": [{"name": "_uniq.1", "fragment": "tactic", "target": {}}]}"#,
                "pp",
            ),
            (r#"{"messages": ["a text"]}"#, "severity"),
        ] {
            let value = serde_json::from_str(reply).unwrap();
            assert_eq!(Step::read(&value), Err(Unreadable::Key(key)), "{reply}");
        }
    }

    #[test]
    fn a_state_with_an_error_is_none() {
        let reply = json!({"nextStateId": 1, "goals": [], "messages": [{"severity": "error", "data": "no"}]});
        assert_eq!(Step::read(&reply), Ok(Step::Failed("no".into())));
    }
}
