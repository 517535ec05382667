//! The interface of the prover: theories, theorems, proof states.

use std::sync::{Arc, LazyLock};

use andor_core::goal::Goal;

use crate::budget::{self, Exceeded, Limits};
use crate::elab::command;
use crate::elab::context::{Failure, MetaContext};
pub use crate::elab::theory::Theory;
use crate::kernel::env::Body;
use crate::syntax::ast::{Expr, ExprKind, Span};
use crate::syntax::parse;
use crate::syntax::tactic::{CommandKind, TacticKind};
use crate::syntax::token::SyntaxError;

pub use crate::tactic::state::State;

/// The prelude's files, in order.
const PRELUDE: &[(&str, &str)] = &[
    ("logic", include_str!("prelude/logic.lean")),
    ("nat", include_str!("prelude/nat.lean")),
    ("order", include_str!("prelude/order.lean")),
    ("linear", include_str!("prelude/linear.lean")),
    ("data", include_str!("prelude/data.lean")),
    ("list", include_str!("prelude/list.lean")),
];

/// Limits for a statement or a command of a file.
const COMMAND: Limits = Limits { steps: 20_000_000, bytes: 512 << 20 };

/// Memory limit of a tactic, in bytes. Its result counts.
pub const MAX_TACTIC_BYTES: u64 = 256 << 20;

/// Limits for reading a file, in addition to what was read before.
const FILE: Limits = Limits { steps: u64::MAX, bytes: 2 << 30 };

/// Limits for converting a state to text. A node of a goal takes about 300 bytes, ten of which are text.
const SHOWN: Limits = Limits { steps: u64::MAX, bytes: 32 << 20 };

/// Why a file or a statement is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {what}")]
pub struct FileError {
    /// What is wrong.
    pub what: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl FileError {
    fn syntax(error: &SyntaxError, text: &str) -> Self {
        let (line, column) = error.line_column(text);
        Self { what: error.what.clone(), line, column }
    }

    /// Runs work for a command. An error without a position of its own gets that of the command.
    fn at<R>(command: Span, text: &str, work: impl FnOnce() -> Result<R, Failure>) -> Result<R, Self> {
        let done = budget::within(COMMAND, work);
        let failure = match done {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(failure)) => failure,
            Err(exceeded) => Failure::new(exceeded.to_string()),
        };
        let span = failure.span.unwrap_or(command);
        Err(Self::syntax(&SyntaxError { what: failure.what, span }, text))
    }
}

/// Why a tactic failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TacticError {
    /// It cannot be parsed, is not implemented, or does not apply, as the message says.
    #[error("{0}")]
    Failed(String),
    /// It exceeded its limits.
    #[error("{0}")]
    Exceeded(Exceeded),
}

/// A theorem in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// Its name; `None` for an `example`.
    pub name: Option<String>,
    /// The byte range of the statement, from `theorem` up to `:=`.
    pub statement: std::ops::Range<usize>,
    /// The byte range of the whole command, including its proof.
    pub command: std::ops::Range<usize>,
    /// Whether its proof is just `sorry`.
    pub is_open: bool,
}

impl Theory {
    /// The theory of the prelude alone, which is read and checked at the first call.
    pub fn prelude() -> &'static Self {
        static PRELUDE: LazyLock<Theory> = LazyLock::new(|| budget::apart(read_prelude));
        &PRELUDE
    }

    /// The theory extended by the commands of a text; every proof in it is checked.
    pub fn extended(&self, text: &str) -> Result<Self, FileError> {
        let extended = budget::within(FILE, || {
            let mut theory = self.clone();
            theory.add(text).map(|()| theory)
        });
        extended.unwrap_or_else(|exceeded| Err(FileError { what: exceeded.to_string(), line: 1, column: 1 }))
    }

    fn add(&mut self, text: &str) -> Result<(), FileError> {
        let commands = parse::commands(text).map_err(|error| FileError::syntax(&error, text))?;
        for command in &commands {
            FileError::at(command.span, text, || command::run(self, command))?;
        }
        Ok(())
    }

    /// Begins the proof of a statement: `theorem NAME binders : type`, with or without `:= by`, or `example …`.
    pub fn open(&self, statement: &str) -> Result<State, FileError> {
        let parsed = parse::statement(statement).map_err(|error| FileError::syntax(&error, statement))?;
        FileError::at(parsed.span, statement, || {
            let mut ctx = MetaContext::new(self, 0);
            ctx.within = parsed.name.clone();
            let stated = command::state(&mut ctx, &parsed)?;
            ctx.is_statement = false;
            Ok(State::new(self, ctx, stated.goal))
        })
    }

    /// The axioms that a theorem depends on, including `sorryAx` if something is not proved. `None` if there is no
    /// theorem with this name.
    pub fn axioms(&self, theorem: &str) -> Option<Vec<String>> {
        let declaration = self.env.get(theorem)?;
        let Body::Theorem(proof) = &declaration.body else { return None };
        let mut axioms = self.env.axioms(proof);
        axioms.extend(self.env.axioms(&declaration.ty));
        Some(axioms.into_iter().map(|name| name.to_string()).collect())
    }
}

/// The prelude, read and checked again.
pub(crate) fn read_prelude() -> Theory {
    let mut theory = Theory::default();
    for (name, text) in PRELUDE {
        if let Err(error) = theory.add(text) {
            panic!("the prelude is checked by the tests: {name}:{error}");
        }
    }
    theory.base = Some(Arc::new(theory.env.clone()));
    theory
}

impl State {
    /// The state with only one of its groups; the others are assumed to be proved elsewhere.
    pub fn focused(&self, group: usize) -> Self {
        let groups = self.groups();
        match groups.get(group) {
            Some(_) if groups.len() == 1 => self.clone(),
            Some(places) => self.with_goals(places),
            None => self.with_goals(&[]),
        }
    }

    /// Applies tactics, limited to `steps` and [`MAX_TACTIC_BYTES`].
    pub fn apply(&self, tactics: &str, steps: u64) -> Result<Self, TacticError> {
        let applied = budget::within(Limits { steps, bytes: MAX_TACTIC_BYTES }, || {
            let block = parse::tactics(tactics).map_err(|error| TacticError::Failed(error.what))?;
            self.run(&block).map_err(|failure| TacticError::Failed(failure.what))
        });
        applied.map_err(TacticError::Exceeded).flatten()
    }

    /// The goals, and the indices of those that share metavariables, unless they are too large to read.
    pub fn shown(&self) -> Result<(Vec<Goal>, Vec<Vec<usize>>), TacticError> {
        budget::within(SHOWN, || (self.goals(), self.groups())).map_err(|exceeded| match exceeded {
            Exceeded::Memory => {
                TacticError::Failed("the goals that it leaves are too large to be shown".to_owned())
            }
            other => TacticError::Exceeded(other),
        })
    }
}

/// The theorems and examples of a text, in order. Only the syntax is checked.
pub fn theorems(text: &str) -> Result<Vec<Stated>, FileError> {
    let commands = parse::commands(text).map_err(|error| FileError::syntax(&error, text))?;
    let theorems = commands.into_iter().filter_map(|command| {
        let CommandKind::Theorem { statement, proof, .. } = command.kind else { return None };
        Some(Stated {
            name: statement.name.map(|name| name.to_string()),
            statement: statement.span.start..statement.span.end,
            command: command.span.start..command.span.end,
            is_open: is_open(&proof),
        })
    });
    Ok(theorems.collect())
}

/// Whether a proof is just `sorry`.
fn is_open(proof: &Expr) -> bool {
    let ExprKind::By(block) = proof.kind() else { return false };
    matches!(&block[..], [only] if only.kind == TacticKind::Sorry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theorems_of_a_text_are_found_where_they_stand() {
        let text = "-- α\n@[simp] theorem a.b (p : Prop) : p := by\n  sorry\nexample : 1 = 1 := sorry\n\
                    def f := 1\nlemma c : p := by admit\nlemma d : p := by\n  skip\n  sorry\nlemma e : p := f sorry";
        let found: Vec<_> = theorems(text)
            .unwrap()
            .into_iter()
            .map(|t| (t.name, &text[t.statement], &text[t.command], t.is_open))
            .collect();
        let name = |name: &str| Some(name.to_owned());
        assert_eq!(
            found,
            [
                (
                    name("a.b"),
                    "theorem a.b (p : Prop) : p",
                    "@[simp] theorem a.b (p : Prop) : p := by\n  sorry",
                    true
                ),
                (None, "example : 1 = 1", "example : 1 = 1 := sorry", true),
                (name("c"), "lemma c : p", "lemma c : p := by admit", true),
                (name("d"), "lemma d : p", "lemma d : p := by\n  skip\n  sorry", false),
                (name("e"), "lemma e : p", "lemma e : p := f sorry", false),
            ]
        );
        let error = theorems("theorem t : p := h\n  #eval 1").unwrap_err();
        assert_eq!(error.to_string(), "2:3: unsupported: `#eval`");
    }
}
