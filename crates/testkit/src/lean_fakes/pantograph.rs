//! A fake of Pantograph.

use std::collections::BTreeMap;

use andor_core::expr::{Expr, ExprId, ExprNode};
use andor_core::goal::{Goal, Hypothesis, Term};
use serde_json::{Map, Value, json};

use super::prover::{Environment, Message, Proof, Refusal, gives_up, line_column};

/// How many steps of `mini` stand for a millisecond.
const STEPS_PER_MS: u64 = 2_000;

/// The keys of `frontend.process` that a version insists on.
const ALWAYS: &[&str] = &["readHeader", "inheritEnv", "newConstants"];
const BEFORE_2026: &[&str] = &["readHeader", "inheritEnv", "sorrys", "typeErrorsAsGoals", "newConstants"];

/// An answer: what was asked for, or the kind and the description of an error.
type Answer = Result<Value, (&'static str, String)>;

/// What the program knows.
pub struct Pantograph {
    /// Whether it is of the line of 2026; else it is version 0.3.4.
    is_new: bool,
    environment: Environment,
    states: BTreeMap<u64, Proof>,
    next: u64,
    options: Map<String, Value>,
}

impl Pantograph {
    /// A server that has loaded its imports.
    pub fn new(is_new: bool) -> Self {
        let options = json!({
            "printJsonPretty": false, "printExprPretty": true, "printExprAST": false, "printDependentMVars": false,
            "noRepeat": false, "printAuxDecls": false, "printImplementationDetailHyps": false, "automaticMode": true,
            "timeout": 0,
        });
        let Value::Object(options) = options else { unreachable!("it is an object") };
        Self { is_new, environment: Environment::default(), states: BTreeMap::new(), next: 0, options }
    }

    /// Answers a request, `{"cmd": …, "payload": …}` or `command {…}`.
    pub fn answer(&mut self, line: &str) -> Value {
        let answer = match read_request(line) {
            Some((command, payload)) => self.command(&command, &payload),
            None => Err(("command", format!("Unable to parse json: {line}"))),
        };
        answer.unwrap_or_else(|(error, desc)| json!({"error": error, "desc": desc}))
    }

    fn command(&mut self, command: &str, payload: &Value) -> Answer {
        match command {
            "options.set" => self.set_options(payload),
            "options.print" => Ok(Value::Object(self.options.clone())),
            "stat" => Ok(json!({"nGoals": self.states.len()})),
            "reset" => {
                let before = self.states.len();
                self.states.clear();
                self.next = 0;
                Ok(json!({"nGoals": before}))
            }
            "goal.start" => self.start(payload),
            "goal.tactic" => self.tactic(payload),
            "goal.continue" => self.go_on(payload),
            "goal.print" => self.print(payload),
            "goal.delete" => {
                for id in list(payload, "GoalDelete.stateIds", "stateIds")? {
                    id.as_u64().map(|id| self.states.remove(&id));
                }
                Ok(json!({}))
            }
            "frontend.process" => self.process(payload),
            "frontend.distil" if self.is_new => self.distil(payload),
            unknown => Err(("command", format!("Unknown command {unknown}"))),
        }
    }

    fn set_options(&mut self, payload: &Value) -> Answer {
        for (key, value) in payload.as_object().into_iter().flatten() {
            if let Some(option) = self.options.get_mut(key).filter(|_| !value.is_null()) {
                option.clone_from(value);
            }
        }
        Ok(json!({}))
    }

    fn is_on(&self, option: &str) -> bool {
        self.options[option].as_bool().unwrap_or(false)
    }

    fn keep(&mut self, proof: Proof) -> u64 {
        self.states.insert(self.next, proof);
        self.next += 1;
        self.next - 1
    }

    fn state(&self, payload: &Value, of: &str, key: &str) -> Result<(u64, &Proof), (&'static str, String)> {
        let id = payload[key].as_u64().ok_or_else(|| expected(of, "Natural number"))?;
        let found = self.states.get(&id).ok_or_else(|| ("index", format!("Invalid state index {id}")))?;
        Ok((id, found))
    }

    fn start(&mut self, payload: &Value) -> Answer {
        let Some(statement) = payload["expr"].as_str() else {
            return Err(("command", "exactly one of {expr, copyFrom} must be supplied".to_owned()));
        };
        let statement = format!("theorem mystery : {statement}");
        let proof = Proof::replayed(&self.environment, &statement, &[]);
        let kind = if self.is_new { "parse" } else { "parsing" };
        let proof = proof.ok_or_else(|| (kind, format!("`{statement}` is no statement")))?;
        let root = proof.state.goals().first().map(|goal| mvar(&goal.name));
        Ok(json!({"stateId": self.keep(proof), "root": root}))
    }

    fn tactic(&mut self, payload: &Value) -> Answer {
        let (_, from) = self.state(payload, "GoalTactic.stateId", "stateId")?;
        let Some(text) = payload["tactic"].as_str() else {
            return Err(("command", "this fake knows tactics only".to_owned()));
        };
        let resumes = payload["autoResume"].as_bool().unwrap_or(self.is_on("automaticMode"));
        let n_goals = from.state.n_goals();
        let goal = match &payload["goalId"] {
            Value::Null => None,
            id => Some(id.as_u64().and_then(|id| usize::try_from(id).ok()).unwrap_or(usize::MAX)),
        };
        if goal.unwrap_or(0) >= n_goals.max(1) {
            return Err(("index", format!("Invalid goal index {}", goal.unwrap_or(0))));
        }
        let from = match (goal, resumes) {
            (None, true) => from.clone(),
            (Some(goal), true) => {
                let others = (0..n_goals).filter(|other| *other != goal);
                from.with_goals(&std::iter::once(goal).chain(others).collect::<Vec<_>>())
            }
            (goal, false) => from.with_goals(&[goal.unwrap_or(0)]),
        };
        let many = andor_mini::syntax::parse::tactics(text).is_ok_and(|block| block.len() > 1);
        if !self.is_new && many {
            return Ok(json!({"parseError": "<Pantograph>:1:0: expected end of input"}));
        }
        let timeout = self.options["timeout"].as_u64().unwrap_or(0);
        let steps =
            from.environment().steps().min(if timeout == 0 { u64::MAX } else { timeout * STEPS_PER_MS });
        let started = std::time::Instant::now();
        let applied = from.apply(text, steps);
        // What never looks at the clock is told afterwards that its time was over.
        let is_late = timeout > 0 && text.contains("sleep") && started.elapsed().as_millis() > timeout.into();
        match applied {
            _ if is_late => Err(self.over_time()),
            Ok(next) => {
                let mut answer = self.state_answer(next, "nextStateId");
                answer.insert("messages".into(), json!([]));
                answer.insert("hasSorry".into(), json!(gives_up(text)));
                answer.insert("hasUnsafe".into(), json!(false));
                Ok(Value::Object(answer))
            }
            Err(Refusal::Syntax(message)) => {
                Ok(json!({"parseError": format!("<Pantograph>:1:0: {message}")}))
            }
            Err(Refusal::Failed(message)) => {
                let failure = Message { severity: "error", text: message, at: 0, end: 0 };
                let mut message = serial("<Pantograph>", &failure, None);
                message["endPos"] = Value::Null;
                Ok(json!({"messages": [message], "hasSorry": false, "hasUnsafe": false}))
            }
            Err(Refusal::OverTime) if timeout > 0 => Err(self.over_time()),
            Err(Refusal::OverTime) => {
                let kind = if self.is_new { "io" } else { "core" };
                let text = "(deterministic) timeout at `whnf`, maximum number of heartbeats (200000) has been reached";
                Err((kind, text.to_owned()))
            }
            Err(Refusal::OverMemory) => Err((
                if self.is_new { "io" } else { "core" },
                "maximum recursion depth has been reached".into(),
            )),
        }
    }

    fn over_time(&self) -> (&'static str, String) {
        (if self.is_new { "io" } else { "internal" }, "interrupt".to_owned())
    }

    /// A state with some goals of another.
    fn go_on(&mut self, payload: &Value) -> Answer {
        let (id, target) = self.state(payload, "GoalContinue.target", "target")?;
        let goals = target.state.goals();
        let mut places = Vec::new();
        for name in list(payload, "GoalContinue.goals", "goals")? {
            let place = goals.iter().position(|goal| Some(&*mvar(&goal.name)) == name.as_str());
            places.push(place.ok_or_else(|| ("structure", format!("Goal {name} is not in state {id}")))?);
        }
        let next = target.with_goals(&places);
        Ok(Value::Object(self.state_answer(next, "nextStateId")))
    }

    fn print(&mut self, payload: &Value) -> Answer {
        let (_, proof) = self.state(payload, "GoalPrint.stateId", "stateId")?;
        let wanted = payload["goals"].as_bool().unwrap_or(false);
        let goals: Vec<Value> = match wanted {
            true => proof.state.goals().iter().map(|goal| self.goal(goal)).collect(),
            false => Vec::new(),
        };
        let open = proof.state.n_goals() > 0;
        Ok(json!({
            "goals": goals, "parentExprs": [], "extraMVars": [],
            "rootHasSorry": false, "rootHasUnsafe": false, "rootHasMVar": open,
        }))
    }

    fn process(&mut self, payload: &Value) -> Answer {
        for key in if self.is_new { ALWAYS } else { BEFORE_2026 } {
            if !payload[*key].is_boolean() {
                return Err(expected(&format!("FrontendProcess.{key}"), "Bool"));
            }
        }
        let text = payload["file"].as_str().ok_or_else(|| expected("FrontendProcess.file", "String"))?;
        let read = self.environment.read(text);
        let opens = !self.is_new && payload["sorrys"] == true;
        let mut unfinished = read.unfinished;
        let mut units = Vec::new();
        for range in &read.commands {
            let of_unit = read.messages.iter().filter(|message| range.contains(&message.at));
            let said: Vec<Value> = of_unit.map(|m| serial("<anonymous>", m, Some(text))).collect();
            let mut unit = json!({"boundary": [range.start, range.end], "messages": said});
            let at = unfinished.iter().position(|u| opens && range.contains(&u.sorry.start));
            if let Some(at) = at {
                let found = unfinished.remove(at);
                unit["goalSrcBoundaries"] = json!([[found.sorry.start, found.sorry.end]]);
                for (key, value) in self.state_answer(found.proof, "goalStateId") {
                    unit[key] = value;
                }
            }
            units.push(unit);
        }
        if payload["inheritEnv"] == true {
            self.environment = read.environment;
        }
        Ok(json!({"units": units}))
    }

    fn distil(&mut self, payload: &Value) -> Answer {
        let text = payload["file"].as_str().ok_or_else(|| expected("FrontendDistil.file", "String"))?;
        let closed = payload["ignoreValues"].as_bool();
        let closed = closed.ok_or_else(|| expected("FrontendDistil.ignoreValues", "Bool"))?;
        let read = self.environment.read(text);
        if let Some(error) = read.messages.iter().find(|message| message.severity == "error") {
            let (line, column) = line_column(text, error.at);
            return Err(("io", format!("<anonymous>:{line}:{column}: error: {}", error.text)));
        }
        let mut targets = Vec::new();
        for unfinished in read.unfinished.into_iter().filter(|unfinished| unfinished.is_named) {
            let mut proof = unfinished.proof;
            let goals = proof.state.goals();
            let names: Vec<&str> = goals.iter().flat_map(Goal::locals).map(|(name, _)| name).collect();
            if closed && !names.is_empty() {
                let reverted = proof.apply(&format!("revert {}", names.join(" ")), u64::MAX);
                proof = reverted.map_err(|_| ("io", "the statement cannot be closed".to_owned()))?;
            }
            targets.push(Value::Object(self.state_answer(proof, "stateId")));
        }
        Ok(json!({"targets": targets}))
    }

    /// The answer with a new state, whose number has this key.
    fn state_answer(&mut self, proof: Proof, key: &str) -> Map<String, Value> {
        let goals: Vec<Value> = proof.state.goals().iter().map(|goal| self.goal(goal)).collect();
        let number = self.keep(proof);
        Map::from_iter([(key.to_owned(), json!(number)), ("goals".to_owned(), json!(goals))])
    }

    fn goal(&self, goal: &Goal) -> Value {
        let locals: Vec<(&str, &Hypothesis)> = goal.locals().collect();
        let names: Vec<&str> = locals.iter().map(|(name, _)| *name).collect();
        let variables = locals.iter().enumerate().map(|(at, (name, hypothesis))| {
            let mut variable = json!({
                "name": fvar(at),
                "userName": name.trim_end_matches(['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']),
                "isInaccessible": name.contains('✝'),
                "type": self.expression(&hypothesis.ty, &names),
            });
            if let Some(body) = &hypothesis.body {
                variable["value"] = self.expression(body, &names);
            }
            variable
        });
        let mut object = json!({
            "name": mvar(&goal.name),
            "fragment": "tactic",
            "target": self.expression(&goal.target, &names),
            "vars": variables.collect::<Vec<_>>(),
        });
        if let Some(case) = &goal.case {
            object["userName"] = json!(case);
        }
        object
    }

    fn expression(&self, term: &Term, names: &[&str]) -> Value {
        let mut object = json!({});
        if self.is_on("printExprPretty") {
            object["pp"] = json!(term.text);
        }
        let Some(expr) = &term.expr else { return object };
        if self.is_on("printExprAST") {
            object["sexp"] = json!(sexp(expr, expr.root(), names));
        }
        if self.is_on("printDependentMVars") {
            let metas = expr.nodes().iter().filter_map(|node| match node {
                ExprNode::Meta(name) => Some(mvar(name)),
                _ => None,
            });
            let mut metas: Vec<String> = metas.collect();
            metas.sort();
            metas.dedup();
            object["dependentMVars"] = json!(metas);
        }
        object
    }
}

fn read_request(line: &str) -> Option<(String, Value)> {
    if line.starts_with('{') {
        let request: Value = serde_json::from_str(line).ok()?;
        return Some((request["cmd"].as_str()?.to_owned(), request["payload"].clone()));
    }
    let (command, payload) = line.split_once(' ')?;
    Some((command.to_owned(), serde_json::from_str(payload).ok()?))
}

fn expected(key: &str, kind: &str) -> (&'static str, String) {
    ("command", format!("Unable to parse json: Pantograph.Protocol.{key}: {kind} expected"))
}

fn list(payload: &Value, of: &str, key: &str) -> Result<Vec<Value>, (&'static str, String)> {
    payload[key].as_array().cloned().ok_or_else(|| expected(of, "JSON array"))
}

/// A message as Lean serialises it, about a text.
fn serial(file: &str, message: &Message, text: Option<&str>) -> Value {
    let position = |at| {
        let (line, column) = text.map_or((0, 0), |text| line_column(text, at));
        json!({"line": line, "column": column})
    };
    let severity = if message.severity == "info" { "information" } else { message.severity };
    let kind = if message.text.starts_with("declaration uses") { "hasSorry" } else { "[anonymous]" };
    json!({
        "fileName": file, "pos": position(message.at), "endPos": position(message.end), "keepFullRange": false,
        "severity": severity, "isSilent": false, "caption": "", "data": message.text, "kind": kind,
    })
}

/// The name of a metavariable that `mini` calls `?7` or `?m.7`.
fn mvar(name: &str) -> String {
    format!("_uniq.{}", name.trim_start_matches(['?', 'm', '.']))
}

/// The name of the variable of a hypothesis.
fn fvar(at: usize) -> String {
    format!("_uniq.{}", 1_000_000 + at)
}

/// An expression as Pantograph writes it.
fn sexp(expr: &Expr, id: ExprId, names: &[&str]) -> String {
    let of = |id: ExprId| sexp(expr, id, names);
    match expr.node(id) {
        ExprNode::Const(name) if name.contains('«') => format!("(:c \"{name}\")"),
        ExprNode::Const(name) => format!("(:c {name})"),
        ExprNode::Local(name) => match names.iter().rposition(|known| **known == **name) {
            Some(at) => format!("(:fv {})", fvar(at)),
            None => format!("(:fv {name})"),
        },
        ExprNode::Meta(name) => format!("(:mv {})", mvar(name)),
        ExprNode::Bound(index) => index.to_string(),
        ExprNode::Sort(name) => match &**name {
            "Prop" => "(:sort 0)".to_owned(),
            "Type" => "(:sort 1)".to_owned(),
            other => match other.strip_prefix("Type ").map(str::parse::<u32>) {
                Some(Ok(n)) => format!("(:sort {})", n + 1),
                _ => format!("(:sort {})", other.replace([' ', '(', ')'], "_")),
            },
        },
        ExprNode::Literal(text) => format!("(:lit {text})"),
        ExprNode::App { head, args } => {
            let args: Vec<String> = expr.list(*args).iter().map(|arg| of(*arg)).collect();
            format!("({} {})", of(*head), args.join(" "))
        }
        ExprNode::Pi { name, ty, body } => format!("(:forall {name} {} {})", of(*ty), of(*body)),
        ExprNode::Lambda { name, ty, body } => format!("(:lambda {name} {} {})", of(*ty), of(*body)),
        ExprNode::Let { name, value, body } => format!("(:let {name} _ {} {})", of(*value), of(*body)),
        ExprNode::Other { tag, .. } => unreachable!("`mini` makes no {tag}"),
    }
}
