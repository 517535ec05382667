//! The language of Lean 4.

use andor_core::language::{Heuristic, LANGUAGES, Language, Plan, Prompts, Tactics};
use andor_lean_language::language::{LEXIS, PLAN, PROMPTS, STATEMENTS, TACTICS};
use linkme::distributed_slice;

use crate::heuristic;

#[distributed_slice(LANGUAGES)]
static REGISTERED: &Language = &LANGUAGE;

/// The language of Lean 4.
pub(crate) static LANGUAGE: Language = Language {
    system: "lean4",
    title: "Lean 4",
    extension: "lean",
    fences: &["lean4", "lean"],
    lexis: LEXIS,
    statements: STATEMENTS,
    tactics: Tactics { shapes: include_str!("shapes.txt"), ..TACTICS },
    // Without a term, `have` is Mathlib's. The statement is the second goal then.
    plan: Plan {
        step: |name, statement| format!("have {name} : {statement} := ?_"),
        left_open: |tactic| format!("{tactic}\ncase refine_1 => sorry\n"),
        ..PLAN
    },
    prompts: Prompts { chat: Some(include_str!("chat.j2")), ..PROMPTS },
    heuristic: Some(Heuristic { imports: |_| Vec::new(), suggest: heuristic::suggest }),
};
