//! What both fakes use of the embedded prover: environments, texts with errors in them, unfinished proofs.

use std::sync::Arc;

use andor_mini::budget::Exceeded;
use andor_mini::prover::{State, TacticError, Theory, theorems};
use andor_mini::syntax::parse;
use andor_mini::syntax::token::{Token, tokens};

/// The version that the fakes say they are built for.
pub const LEAN_VERSION: &str = "4.33.0";

/// The modules that can be imported; all of them are the prelude of `mini`.
pub const MODULES: &[&str] = &["Init", "Lean", "Std", "Mathlib", "Aesop"];

/// Lean's default for `maxHeartbeats`.
const MAX_HEARTBEATS: u64 = 200_000;

/// How many steps of `mini` stand for a heartbeat.
const STEPS_PER_HEARTBEAT: u64 = 5;

/// The words that begin a command.
const COMMANDS: &[&str] = &[
    "import",
    "theorem",
    "lemma",
    "example",
    "def",
    "abbrev",
    "axiom",
    "inductive",
    "structure",
    "attribute",
    "open",
    "namespace",
    "section",
    "end",
    "variable",
    "universe",
    "set_option",
    "noncomputable",
    "@[simp]",
    "#eval",
    "#print",
    "#check",
];

/// The state between two commands.
#[derive(Clone)]
pub struct Environment {
    theory: Theory,
    max_heartbeats: u64,
    /// The texts that led here, so that a pickle can be read back.
    texts: Arc<Vec<String>>,
}

/// A message about a text.
#[derive(Clone, Debug)]
pub struct Message {
    /// `info`, `warning` or `error`.
    pub severity: &'static str,
    /// The text.
    pub text: String,
    /// The byte where it begins.
    pub at: usize,
    /// The byte where it ends.
    pub end: usize,
}

/// An unfinished proof of a text.
pub struct Unfinished {
    /// The proof.
    pub proof: Proof,
    /// The bytes of its `sorry`.
    pub sorry: std::ops::Range<usize>,
    /// Whether it has a name.
    pub is_named: bool,
}

/// What reading a text gives.
pub struct Read {
    /// The environment after it.
    pub environment: Environment,
    /// What there is to say.
    pub messages: Vec<Message>,
    /// The proofs that are just `sorry`.
    pub unfinished: Vec<Unfinished>,
    /// The bytes of each command.
    pub commands: Vec<std::ops::Range<usize>>,
}

/// A proof in progress: the goals, and the tactics that led to them.
#[derive(Clone)]
pub struct Proof {
    /// The goals.
    pub state: State,
    environment: Environment,
    statement: Arc<str>,
    script: Vec<String>,
    /// Whether it is the proof of a part, whose root stays open.
    is_part: bool,
}

/// Why a tactic does not apply.
pub enum Refusal {
    /// It does not parse.
    Syntax(String),
    /// It fails.
    Failed(String),
    /// It takes too many steps.
    OverTime,
    /// It takes too much memory.
    OverMemory,
}

/// What there is to say about a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// Goals are open.
    Open,
    /// Something in it is undetermined.
    Metavariables,
    /// It contains `sorry`.
    Sorry,
    /// It is complete.
    Completed,
    /// It is refused.
    Wrong(String),
}

impl Default for Environment {
    fn default() -> Self {
        Self { theory: Theory::prelude().clone(), max_heartbeats: MAX_HEARTBEATS, texts: Arc::default() }
    }
}

impl Environment {
    /// The texts that led here.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Reads a text. After an error the next command is read as Lean would.
    pub fn read(&self, text: &str) -> Read {
        let mut environment = self.clone();
        environment.texts = Arc::new(self.texts.iter().cloned().chain([text.to_owned()]).collect());
        let mut read =
            Read { environment, messages: Vec::new(), unfinished: Vec::new(), commands: Vec::new() };
        for range in commands(text) {
            read.command(self, &text[range.clone()], range.start);
            read.commands.push(range);
        }
        read
    }

    /// The steps that a tactic may take.
    pub fn steps(&self) -> u64 {
        if self.max_heartbeats == 0 { u64::MAX } else { self.max_heartbeats * STEPS_PER_HEARTBEAT }
    }
}

impl Read {
    fn say(&mut self, severity: &'static str, text: impl Into<String>, range: std::ops::Range<usize>) {
        self.messages.push(Message { severity, text: text.into(), at: range.start, end: range.end });
    }

    fn command(&mut self, before: &Environment, text: &str, start: usize) {
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or_default();
        let head = start..start + first.len();
        match first {
            "" => {}
            "import" if !before.texts.is_empty() => {
                self.say(
                    "error",
                    "invalid 'import' command, it must be used in the beginning of the file",
                    head,
                );
            }
            "import" => {
                for module in words.filter(|module| !MODULES.contains(module)) {
                    self.say("error", unknown_module(module), head.clone());
                }
            }
            "open" | "section" | "end" | "universe" => {}
            "set_option" => {
                if let (Some("maxHeartbeats"), Some(Ok(number))) =
                    (words.next(), words.next().map(str::parse))
                {
                    self.environment.max_heartbeats = number;
                }
            }
            "namespace" | "variable" | "structure" | "noncomputable" => {
                self.say("error", format!("`{first}` is not in this fake"), head);
            }
            "#eval" if words.next() == Some("Lean.versionString") => {
                self.say("info", format!("\"{LEAN_VERSION}\""), head);
            }
            "#print" if words.next() == Some("axioms") => {
                let name = words.next().unwrap_or_default();
                let (severity, text) = match self.environment.theory.axioms(name) {
                    None => ("error", format!("Unknown constant `{name}`")),
                    Some(none) if none.is_empty() => {
                        ("info", format!("'{name}' does not depend on any axioms"))
                    }
                    Some(some) => ("info", format!("'{name}' depends on axioms: [{}]", some.join(", "))),
                };
                self.say(severity, text, head);
            }
            word if word.starts_with('#') => self.say("error", format!("`{word}` is not in this fake"), head),
            _ => self.declaration(before, text, start),
        }
    }

    fn declaration(&mut self, before: &Environment, text: &str, start: usize) {
        match self.environment.theory.extended(text) {
            Ok(theory) => self.environment.theory = theory,
            Err(error) => {
                let line: usize = text.split_inclusive('\n').take(error.line - 1).map(str::len).sum();
                let column: usize = text[line..].chars().take(error.column - 1).map(char::len_utf8).sum();
                let at = start + line + column;
                self.say("error", error.what, at..at + 1);
                return;
            }
        }
        for stated in theorems(text).unwrap_or_default() {
            let whole = &text[stated.command.clone()];
            if !stated.is_open {
                if gives_up(whole) {
                    self.say("warning", "declaration uses `sorry`", start..start + 7);
                }
                continue;
            }
            let name = stated.name.clone().unwrap_or_else(|| "example".to_owned());
            let found = text[stated.statement.start..].find(&name).unwrap_or(0);
            let at = start + stated.statement.start + found;
            self.say("warning", "declaration uses `sorry`", at..at + name.len());
            let sorry = start + stated.command.end - "sorry".len()..start + stated.command.end;
            let statement: Arc<str> = text[stated.statement].into();
            // Its tactics see what was there before the whole text.
            match before.theory.open(&statement) {
                Ok(state) => {
                    let environment = before.with_limit_of(&self.environment);
                    let proof = Proof { state, environment, statement, script: Vec::new(), is_part: false };
                    self.unfinished.push(Unfinished { proof, sorry, is_named: stated.name.is_some() });
                }
                Err(error) => self.say("error", error.what, at..at + name.len()),
            }
        }
    }
}

impl Environment {
    fn with_limit_of(&self, other: &Self) -> Self {
        Self { max_heartbeats: other.max_heartbeats, ..self.clone() }
    }
}

/// The bytes of the commands of a text. Each begins in the first column.
fn commands(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let word = line.split_whitespace().next().unwrap_or_default();
        let begins = !line.starts_with(char::is_whitespace) && COMMANDS.contains(&word);
        if begins || starts.is_empty() && !line.trim().is_empty() {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let trimmed = |(start, end): (&usize, usize)| *start..start + text[*start..end].trim_end().len();
    starts.iter().zip(ends).map(trimmed).collect()
}

/// What Lean says about a module that does not exist.
pub fn unknown_module(module: &str) -> String {
    format!(
        "unknown module prefix '{module}'\n\nNo directory '{module}' or file '{module}.olean' in the search path entries:"
    )
}

/// Whether a text gives up a goal.
pub fn gives_up(text: &str) -> bool {
    tokens(text).is_ok_and(|all| {
        all.iter().any(|located| match &located.token {
            Token::Ident(name) => matches!(&**name, "sorry" | "admit"),
            Token::Keyword(word) => matches!(*word, "sorry" | "admit"),
            _ => false,
        })
    })
}

impl Proof {
    /// The environment that its tactics see.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Its statement and the tactics so far.
    pub fn text(&self) -> (&str, &[String]) {
        (&self.statement, &self.script)
    }

    /// The proof that a statement and tactics lead to.
    pub fn replayed(environment: &Environment, statement: &str, script: &[String]) -> Option<Self> {
        let state = environment.theory.open(statement).ok()?;
        let (environment, statement) = (environment.clone(), statement.into());
        let mut proof = Self { state, environment, statement, script: Vec::new(), is_part: false };
        for tactic in script {
            proof = proof.apply(tactic, u64::MAX).ok()?;
        }
        Some(proof)
    }

    /// The proof of a goal alone, which is a part of this one.
    pub fn part(&self, goal: usize) -> Self {
        Self { state: self.state.with_goals(&[goal]), is_part: true, ..self.clone() }
    }

    /// The same with only these goals, in this order.
    pub fn with_goals(&self, goals: &[usize]) -> Self {
        Self { state: self.state.with_goals(goals), ..self.clone() }
    }

    /// Applies tactics. `sleep 1000` waits, and `IO.Process.exit` ends this process, as they do in Lean.
    pub fn apply(&self, text: &str, steps: u64) -> Result<Self, Refusal> {
        if text.contains("IO.Process.exit") {
            std::process::exit(1);
        }
        let text = awake(text);
        parse::tactics(&text).map_err(|error| Refusal::Syntax(error.what))?;
        let state = self.state.apply(&text, steps).map_err(|error| match error {
            TacticError::Failed(message) => Refusal::Failed(message),
            TacticError::Exceeded(Exceeded::Memory) => Refusal::OverMemory,
            TacticError::Exceeded(_) => Refusal::OverTime,
        })?;
        let mut next = Self { state, ..self.clone() };
        next.script.push(text);
        Ok(next)
    }

    /// What there is to say about the proof as a whole.
    pub fn status(&self) -> Status {
        if self.state.n_goals() > 0 {
            return Status::Open;
        }
        if self.is_part {
            return Status::Metavariables;
        }
        const NAME: &str = "whole";
        let statement = match self.statement.split_once(char::is_whitespace) {
            Some(("example", rest)) => format!("theorem {NAME} {rest}"),
            _ => self.statement.to_string(),
        };
        let name = statement.split_whitespace().nth(1).unwrap_or(NAME).to_owned();
        let script = self.script.join("\n").replace('\n', "\n  ");
        match self.environment.theory.extended(&format!("{statement} := by\n  {script}\n")) {
            Ok(theory) => match theory.axioms(&name) {
                Some(axioms) if axioms.iter().any(|axiom| axiom == "sorryAx") => Status::Sorry,
                _ => Status::Completed,
            },
            Err(error) if error.what.contains("synthesize") || error.what.contains("metavariable") => {
                Status::Metavariables
            }
            Err(error) => Status::Wrong(error.what),
        }
    }
}

/// The text after its `sleep`s, which `mini` does not have.
fn awake(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let (blanks, rest) = line.split_at(line.len() - line.trim_start().len());
        let mut words = rest.split_whitespace();
        match (words.next(), words.next().map(str::parse), words.next()) {
            (Some("sleep"), Some(Ok(milliseconds)), None) => {
                std::thread::sleep(std::time::Duration::from_millis(milliseconds));
                format!("{blanks}skip")
            }
            _ => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The line, from 1, and the column, in characters from 0, of a byte.
pub fn line_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at.min(text.len())];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before[line..].chars().count())
}
