//! Goals: proof obligations as text and, if the system supports it, as expressions.

use std::collections::BTreeMap;
use std::fmt;

use crate::expr::{Expr, Name};

/// A term: its printed text, and its structure if that is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Term {
    /// The text on one line, for people and language models.
    pub text: String,
    /// The fully explicit structure; `None` if the system does not provide it or it could not be read.
    pub expr: Option<Expr>,
}

impl Term {
    /// A term known only by its text.
    pub fn textual(text: impl Into<String>) -> Self {
        Self { text: text.into(), expr: None }
    }
}

/// One line of a goal's context: names that share a type, or one name with a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hypothesis {
    /// The names declared, in order; at least one.
    pub names: Vec<String>,
    /// Their type.
    pub ty: Term,
    /// The value of a let-bound name.
    pub body: Option<Term>,
}

/// One proof obligation: hypotheses and a target.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Goal {
    /// The system's own name for the goal, unique only within one proof state.
    pub name: String,
    /// The case tag, if the system provides one.
    pub case: Option<String>,
    /// A name by which a script can address the goal, where that is no part of what is shown.
    pub tag: Option<String>,
    /// The context, outermost first.
    pub hypotheses: Vec<Hypothesis>,
    /// The statement to prove.
    pub target: Term,
    /// The metavariables that occur in context or target, sorted. Goals that share one are coupled.
    pub metas: Vec<String>,
    /// Canonical names of constants, by their names in expressions. A system may print one constant under several
    /// names; signatures use the canonical one. A constant without an entry has only its own name.
    pub canonical: BTreeMap<Name, Name>,
}

impl Goal {
    /// All declared names with their hypotheses, in order.
    pub fn locals(&self) -> impl Iterator<Item = (&str, &Hypothesis)> {
        self.hypotheses.iter().flat_map(|h| h.names.iter().map(move |n| (n.as_str(), h)))
    }
}

/// Lean's layout: case line, one line per hypothesis, `⊢ target`.
impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(case) = &self.case {
            writeln!(f, "case {case}")?;
        }
        for h in &self.hypotheses {
            write!(f, "{} : {}", h.names.join(" "), h.ty.text)?;
            match &h.body {
                Some(body) => writeln!(f, " := {}", body.text)?,
                None => writeln!(f)?,
            }
        }
        write!(f, "⊢ {}", self.target.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_prints_as_lean_prints_it() {
        let goal = Goal {
            case: Some("inl".into()),
            tag: None,
            hypotheses: vec![
                Hypothesis { names: vec!["a".into(), "b".into()], ty: Term::textual("Nat"), body: None },
                Hypothesis {
                    names: vec!["c".into()],
                    ty: Term::textual("Nat"),
                    body: Some(Term::textual("a + 1")),
                },
            ],
            target: Term::textual("a = b"),
            ..Goal::default()
        };
        assert_eq!(goal.to_string(), "case inl\na b : Nat\nc : Nat := a + 1\n⊢ a = b");
    }
}
