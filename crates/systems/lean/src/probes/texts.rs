//! The texts of the probes, and what the compiler should say about each.

use serde_json::Value;

use crate::dialect::{says_over_limit, suggestions, warns_of_sorry};
use crate::goal::{PrintedGoal, proof_state, read_goals};
use crate::shorten;

/// What needs that a probe finds what it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// Verification.
    Judging,
    /// Reading goals.
    Goals,
    /// Running tactics.
    Tactics,
    /// Taking up what tactics suggest.
    Suggestions,
}

impl Need {
    /// What it means if the probe found something else.
    pub(super) fn consequence(self) -> &'static str {
        match self {
            Self::Judging => "finished proofs cannot be judged with this Lean: correct ones may be rejected",
            Self::Goals => "searches with this Lean misread goals, and find less",
            Self::Tactics => "searches with this Lean take some steps for failures, and find less",
            Self::Suggestions => "searches with this Lean do not use what tactics such as `exact?` suggest",
        }
    }
}

/// A text, and a check of what was said.
pub(super) struct TextProbe {
    /// The name.
    pub(super) name: &'static str,
    /// What should be the case.
    pub(super) shows: &'static str,
    /// What needs it.
    pub(super) need: Need,
    /// The text.
    pub(super) text: &'static str,
    /// What should hold; the error says what was found.
    pub(super) expected: fn(&Compiled) -> Result<(), String>,
}

/// What the compiler said about a text.
#[derive(Debug)]
pub(super) struct Compiled {
    /// The exit code.
    pub(super) code: Option<i32>,
    /// The messages, one a line.
    pub(super) messages: Vec<Value>,
}

impl Compiled {
    fn holds(&self, holds: bool) -> Result<(), String> {
        if holds { Ok(()) } else { Err(self.shown()) }
    }

    /// What was said, as people read it.
    pub(super) fn shown(&self) -> String {
        let code = self.code.map_or("a signal".to_owned(), |code| code.to_string());
        let place = |at: usize| match self.position(at) {
            Some((line, column)) => format!(" at {line}:{column}"),
            None => String::new(),
        };
        let said = self.messages.iter().enumerate().take(3).map(|(at, message)| {
            let text = message["data"].as_str().unwrap_or("a message without a text");
            let severity = message["severity"].as_str().unwrap_or("message");
            format!(
                "{severity}{}: {}",
                place(at),
                shorten(&text.split_whitespace().collect::<Vec<_>>().join(" "))
            )
        });
        let said: Vec<String> = said.collect();
        match (said.is_empty(), self.messages.len() - said.len()) {
            (true, _) => format!("Lean exited with {code} and said nothing"),
            (false, 0) => format!("Lean exited with {code} and said: {}", said.join("; ")),
            (false, more) => {
                format!("Lean exited with {code} and said: {}; and {more} more", said.join("; "))
            }
        }
    }

    /// The texts of the messages of a severity.
    fn said(&self, severity: &str) -> Vec<&str> {
        let of_severity = self.messages.iter().filter(|message| message["severity"] == severity);
        of_severity.filter_map(|message| message["data"].as_str()).collect()
    }

    fn position(&self, at: usize) -> Option<(u64, u64)> {
        let position = &self.messages.get(at)?["pos"];
        Some((position["line"].as_u64()?, position["column"].as_u64()?))
    }

    /// The goals that the first error lists as unsolved.
    fn unsolved(&self) -> Vec<PrintedGoal> {
        let text = self.said("error").first().and_then(|text| text.strip_prefix("unsolved goals\n"));
        text.and_then(|text| read_goals(text).ok()).unwrap_or_default()
    }

    fn cases(&self) -> Vec<Option<String>> {
        self.unsolved().into_iter().map(|goal| goal.case).collect()
    }

    /// The goals that were traced by default and with everything shown.
    fn traced(&self) -> Option<(Vec<PrintedGoal>, Vec<PrintedGoal>)> {
        let [pretty, explicit] = self.said("information")[..] else { return None };
        Some((read_goals(pretty).ok()?, read_goals(explicit).ok()?))
    }
}

pub(super) const TEXTS: &[TextProbe] = &[
    TextProbe {
        name: "silent-success",
        shows: "Lean says nothing about a correct proof, and exits with 0",
        need: Need::Judging,
        text: "theorem t (p : Prop) (h : p) : p := h\n",
        expected: |c| c.holds(c.code == Some(0) && c.messages.is_empty()),
    },
    TextProbe {
        name: "exit-code-of-an-error",
        shows: "Lean exits with 1 after an error",
        need: Need::Judging,
        text: "theorem t (p : Prop) : p := nonsense\n",
        expected: |c| c.holds(c.code == Some(1)),
    },
    TextProbe {
        name: "message-form",
        shows: "a message has its severity, text, kind and place",
        need: Need::Judging,
        text: "theorem t (p : Prop) : p := nonsense\n",
        expected: |c| {
            let has = |key: &str| c.messages.iter().all(|message| message.get(key).is_some());
            let keys = ["severity", "data", "pos", "endPos", "kind", "fileName"];
            c.holds(c.messages.len() == 1 && keys.into_iter().all(has))
        },
    },
    TextProbe {
        name: "positions",
        shows: "places count lines from 1 and characters from 0",
        need: Need::Tactics,
        text: "\ntheorem t (α : Prop) : α := nonsense\n",
        expected: |c| c.holds(c.position(0) == Some((2, 28))),
    },
    TextProbe {
        name: "unknown-identifier",
        shows: "the error about an unknown name has the name",
        need: Need::Tactics,
        text: "theorem t (p : Prop) : p := nonsense\n",
        expected: |c| c.holds(matches!(c.said("error")[..], [text] if text.contains("nonsense"))),
    },
    TextProbe {
        name: "syntax-error",
        shows: "a syntax error is one error",
        need: Need::Tactics,
        text: "theorem t (p : Prop) : p := by\n  apply\n",
        expected: |c| c.holds(c.code == Some(1) && c.said("error").len() == 1),
    },
    TextProbe {
        name: "next-command-after-an-error",
        shows: "Lean goes on with the next command after an error",
        need: Need::Judging,
        text: "theorem t (p : Prop) : p := one\ntheorem u (p : Prop) : p := two\n",
        expected: |c| c.holds(c.said("error").len() == 2),
    },
    TextProbe {
        name: "all-errors-reported",
        shows: "Lean reports more than 100 errors where it is asked to",
        need: Need::Judging,
        text: MANY_ERRORS,
        expected: |c| c.holds(c.said("error").len() == 120),
    },
    TextProbe {
        name: "sorry-warning",
        shows: "a proof by `sorry` has a warning of the kind `hasSorry`",
        need: Need::Judging,
        text: "theorem t (p : Prop) : p := by sorry\n",
        expected: |c| c.holds(c.code == Some(0) && is_sorry(c)),
    },
    TextProbe {
        name: "sorry-within",
        shows: "`sorry` in a term has the same warning",
        need: Need::Judging,
        text: "theorem t (p : Prop) : p := by\n  exact id sorry\n",
        expected: |c| c.holds(is_sorry(c)),
    },
    TextProbe {
        name: "admit",
        shows: "`admit` has the warning of `sorry`",
        need: Need::Judging,
        text: "theorem t (p : Prop) : p := by admit\n",
        expected: |c| c.holds(is_sorry(c)),
    },
    TextProbe {
        name: "no-axioms",
        shows: "`#print axioms` says that there are none",
        need: Need::Judging,
        text: "theorem t (p : Prop) (h : p) : p := h\n#print axioms t\n",
        expected: |c| c.holds(c.said("information") == ["'t' does not depend on any axioms"]),
    },
    TextProbe {
        name: "axioms",
        shows: "`#print axioms` names an axiom",
        need: Need::Judging,
        text: "axiom a : False\ntheorem t : False := a\n#print axioms t\n",
        expected: |c| c.holds(c.said("information") == ["'t' depends on axioms: [a]"]),
    },
    TextProbe {
        name: "axiom-of-sorry",
        shows: "`#print axioms` names `sorryAx`",
        need: Need::Judging,
        text: "theorem t : False := sorry\n#print axioms t\n",
        expected: |c| c.holds(c.said("information") == ["'t' depends on axioms: [sorryAx]"]),
    },
    TextProbe {
        name: "unsolved-goals",
        shows: "goals that are left are listed with their cases",
        need: Need::Goals,
        text: "theorem t (a b : Prop) (h : a) : a ∧ b := by\n  constructor\n",
        expected: |c| {
            let cases = [Some("left".to_owned()), Some("right".to_owned())];
            c.holds(c.said("error").len() == 1 && c.cases() == cases)
        },
    },
    TextProbe {
        name: "joined-hypotheses",
        shows: "hypotheses of the same type are listed together",
        need: Need::Goals,
        text: "theorem t (a b : Prop) (h : a) : b := by\n  skip\n",
        expected: |c| {
            let names: Vec<Vec<String>> =
                c.unsolved().into_iter().flat_map(|goal| goal.hypotheses).map(|h| h.names).collect();
            c.holds(names == [vec!["a", "b"], vec!["h"]])
        },
    },
    TextProbe {
        name: "inaccessible-names",
        shows: "names that cannot be written have a dagger",
        need: Need::Goals,
        text: "theorem t (p q : Prop) : p → q := by\n  intro\n",
        expected: |c| {
            let goals = c.unsolved();
            let last = goals.first().and_then(|goal| goal.hypotheses.last()).map(|h| h.names.clone());
            c.holds(last.as_deref() == Some(&["a✝".to_owned()]))
        },
    },
    TextProbe {
        name: "local-definitions",
        shows: "a local definition is listed with its value",
        need: Need::Goals,
        text: "theorem t (p : Prop) : p := by\n  let x := True\n",
        expected: |c| {
            let goals = c.unsolved();
            let last = goals.first().and_then(|goal| goal.hypotheses.last());
            c.holds(last.is_some_and(|h| h.ty == "Prop" && h.body.as_deref() == Some("True")))
        },
    },
    TextProbe {
        name: "named-metavariables",
        shows: "goals that share a metavariable show its name",
        need: Need::Goals,
        text: "theorem t : ∃ p : Prop, p := by\n  refine Exists.intro ?w ?h\n",
        expected: |c| {
            let state = proof_state(c.unsolved(), None);
            c.holds(state.goals.len() == 2 && state.groups == [[0, 1]])
        },
    },
    TextProbe {
        name: "goals-with-everything-shown",
        shows: "goals can be printed with everything shown, and read back",
        need: Need::Goals,
        text: "theorem t (p q : Prop) (h : p) : p ∧ q := by\n  trace_state\n  set_option pp.all true in trace_state\n  sorry\n",
        expected: |c| {
            let Some((pretty, explicit)) = c.traced() else { return c.holds(false) };
            let state = proof_state(pretty, Some(&explicit));
            let read = |goal: &andor_core::goal::Goal| {
                let terms = goal.hypotheses.iter().map(|h| &h.ty).chain([&goal.target]);
                terms.into_iter().all(|term| term.expr.is_some())
            };
            c.holds(state.goals.len() == 1 && state.goals.iter().all(read))
        },
    },
    TextProbe {
        name: "several-tactics-as-one",
        shows: "tactics in parentheses are one tactic",
        need: Need::Tactics,
        text: "theorem t (p q : Prop) (h : p) (k : q) : p ∧ q := by\n  (\n  constructor\n  exact h\n  )\n  exact k\n",
        expected: |c| c.holds(c.code == Some(0)),
    },
    TextProbe {
        name: "rotating-and-giving-up",
        shows: "goals can be rotated, and one be given up for a moment",
        need: Need::Tactics,
        text: "theorem t (p q : Prop) (h : p) : p ∧ q := by\n  constructor\n  (\n  rotate_left\n  sorry\n  )\n  all_goals skip\n  exact h\n",
        expected: |c| c.holds(c.code == Some(0) && is_sorry(c)),
    },
    TextProbe {
        name: "bullets-isolate",
        shows: "a bullet hides the other goals",
        need: Need::Tactics,
        text: "theorem t (p q : Prop) (h : p) (k : q) : p ∧ q := by\n  constructor\n  · all_goals exact h\n  · all_goals exact k\n",
        expected: |c| c.holds(c.code == Some(0)),
    },
    TextProbe {
        name: "no-goals-left",
        shows: "a tactic after the last goal is an error",
        need: Need::Tactics,
        text: "theorem t (p : Prop) (h : p) : p := by\n  exact h\n  exact h\n",
        expected: |c| c.holds(c.code == Some(1) && c.said("error").len() == 1),
    },
    TextProbe {
        name: "heartbeats",
        shows: "a proof over its limit of heartbeats is recognised",
        need: Need::Tactics,
        text: "set_option maxHeartbeats 1 in\ntheorem t (p q r s : Prop) : (p ∧ q ∧ r ∧ s) ↔ (s ∧ r ∧ q ∧ p) := by\n  constructor <;> intro h <;> simp_all\n",
        expected: |c| c.holds(c.said("error").into_iter().any(says_over_limit)),
    },
    TextProbe {
        name: "suggestions",
        shows: "the suggestion of `exact?` is read",
        need: Need::Suggestions,
        text: "theorem t (p q : Prop) (h : p) : p ∨ q := by\n  exact?\n",
        expected: |c| {
            let found: Vec<String> = c.said("information").into_iter().flat_map(suggestions).collect();
            c.holds(found == ["exact Or.inl h"])
        },
    },
];

macro_rules! ten {
    ($text:expr) => {
        concat!($text, $text, $text, $text, $text, $text, $text, $text, $text, $text)
    };
}

/// More errors than Lean reports by default.
const MANY_ERRORS: &str = concat!(
    ten!(ten!("example : True := nonsense\n")),
    ten!("example : True := nonsense\n"),
    ten!("example : True := nonsense\n")
);

/// Whether the only thing said is that something is not proved.
fn is_sorry(c: &Compiled) -> bool {
    let kinds: Vec<&Value> = c.messages.iter().map(|message| &message["kind"]).collect();
    matches!(c.said("warning")[..], [text] if warns_of_sorry(text)) && kinds == ["hasSorry"]
}
