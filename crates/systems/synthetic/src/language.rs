//! The language of the synthetic environment: tactics are `t0`, `t1` and so on, and nothing is written in files.

use andor_core::language::{LANGUAGES, Language, Lexis, Plan, Prompts, Statements, Tactics};
use linkme::distributed_slice;

#[distributed_slice(LANGUAGES)]
static REGISTERED: &Language = &LANGUAGE;

/// The language of the synthetic environment.
pub(crate) static LANGUAGE: Language = Language {
    system: "synthetic",
    title: "tactic",
    extension: "txt",
    fences: &[],
    lexis: Lexis {
        block_comment: None,
        line_comment: None,
        strings: None,
        has_characters: false,
        marks: &[],
        has_fields: false,
        has_paths: false,
    },
    statements: Statements {
        theorem: "theorem",
        period: "",
        not: "¬",
        for_all: "∀",
        bare: str::trim,
        is_name: |_| true,
        assumptions: &[],
    },
    tactics: Tactics {
        families: &[],
        easy: &[],
        hygiene: &[],
        foreign: &[],
        shapes: "",
        placeholder: "sorry",
        rewrite: |lemma, _| lemma.to_owned(),
        specialize: |hypothesis, _| hypothesis.to_owned(),
        rename: |_, _| None,
        from_answer: str::to_owned,
        is_other: |name| {
            let number = name.strip_prefix('t').unwrap_or_default();
            !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
        },
    },
    plan: Plan {
        form: "have name : statement",
        keywords: &["have"],
        ends: &[":="],
        step: |name, statement| format!("have {name} : {statement}"),
        left_open: |tactic| format!("{tactic}\n· sorry\n"),
    },
    prompts: Prompts { prover: "a synthetic prover", tactic: "a name of a tactic", chat: None },
    heuristic: None,
};
