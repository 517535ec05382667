//! The language of the embedded prover.

use andor_core::language::{Heuristic, LANGUAGES, Language, Prompts, Proposed, Tactics};
use andor_lean_language::heuristic;
use andor_lean_language::language::{LEXIS, PLAN, PROMPTS, STATEMENTS, TACTICS};
use linkme::distributed_slice;

#[distributed_slice(LANGUAGES)]
static REGISTERED: &Language = &LANGUAGE;

/// The language of the embedded prover.
pub(crate) static LANGUAGE: Language = Language {
    system: "mini",
    title: "Lean 4",
    extension: "lean",
    fences: &["lean", "lean4"],
    lexis: LEXIS,
    statements: STATEMENTS,
    tactics: Tactics { shapes: include_str!("shapes.txt"), ..TACTICS },
    plan: PLAN,
    prompts: Prompts {
        prover: "mini, a small prover whose language is a part of Lean 4's",
        chat: Some(include_str!("chat.j2")),
        ..PROMPTS
    },
    heuristic: Some(Heuristic {
        imports: |_| Vec::new(),
        suggest: |request| Proposed { tactics: heuristic::suggest(request), ..Proposed::default() },
    }),
};
