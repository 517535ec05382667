//! The language of Rocq.

use andor_core::language::{
    Family, Foreign, Heuristic, LANGUAGES, Language, Lexis, Plan, Prompts, StandardRule, Statements, Strings,
    Tactics, family,
};
use linkme::distributed_slice;

use crate::heuristic;

#[distributed_slice(LANGUAGES)]
static REGISTERED: &Language = &LANGUAGE;

/// The language of Rocq.
pub(crate) static LANGUAGE: Language = Language {
    system: "rocq",
    title: "Rocq",
    extension: "v",
    fences: &["coq", "rocq", "v", "gallina"],
    lexis: Lexis {
        block_comment: Some(["(*", "*)"]),
        line_comment: None,
        strings: Some(Strings::Doubled),
        has_characters: false,
        marks: &[],
        has_fields: false,
        has_paths: true,
    },
    statements: Statements {
        theorem: "Theorem",
        period: ".",
        not: "~",
        for_all: "forall",
        bare: str::trim_end,
        is_name,
        assumptions: ASSUMPTIONS,
    },
    tactics: Tactics {
        families: FAMILIES,
        easy: EASY,
        hygiene: HYGIENE,
        foreign: FOREIGN,
        shapes: include_str!("shapes.txt"),
        placeholder: "admit.",
        rewrite: |lemma, backwards| format!("rewrite {}{lemma}", if backwards { "<- " } else { "" }),
        specialize: |hypothesis, value| format!("specialize ({hypothesis} {value})"),
        rename,
        from_answer: |text| first_sentence(text).trim().to_owned(),
        is_other: |_| false,
    },
    plan: Plan {
        form: "assert (name : statement)",
        keywords: &["assert", "have"],
        ends: &[" by ", ". ", ".\n"],
        step: |name, statement| format!("assert ({name} : {statement})"),
        left_open: |tactic| format!("{tactic}.\n{{ admit. }}\n"),
    },
    prompts: Prompts {
        prover: "Rocq (Coq)",
        tactic: "a tactic of Ltac, without the period at its end",
        chat: Some(include_str!("chat.j2")),
    },
    heuristic: Some(Heuristic { imports: heuristic::imports, suggest: heuristic::suggest }),
};

const FAMILIES: &[Family] = &[
    family("introduction", &["intro", "intros", "extensionality"]),
    family("context", &["clear", "clearbody", "rename", "revert", "move", "generalize"]),
    family(
        "assertion",
        &[
            "assert",
            "eassert",
            "enough",
            "eenough",
            "cut",
            "have",
            "suff",
            "wlog",
            "pose",
            "epose",
            "set",
            "eset",
            "remember",
            "eremember",
            "specialize",
            "especialize",
            "evar",
            "instantiate",
        ],
    ),
    family("application", &["exact", "eexact", "apply", "eapply", "lapply", "rapply", "refine"]),
    family("assumption", &["assumption", "eassumption"]),
    family("witness", &["exists", "eexists"]),
    family(
        "construction",
        &["constructor", "econstructor", "split", "esplit", "left", "eleft", "right", "eright"],
    ),
    family(
        "case-analysis",
        &[
            "destruct",
            "edestruct",
            "destruction",
            "case",
            "ecase",
            "case_eq",
            "inversion",
            "einversion",
            "inversion_clear",
            "inversion_sigma",
            "decompose",
            "decide",
        ],
    ),
    family("induction", &["induction", "einduction", "elim", "eelim", "fix", "cofix", "functional"]),
    family(
        "contradiction",
        &["contradiction", "exfalso", "absurd", "contradict", "discriminate", "ediscriminate"],
    ),
    family("reflexivity", &["reflexivity"]),
    family("relations", &["symmetry", "transitivity", "etransitivity", "stepl", "stepr"]),
    family(
        "congruence",
        &["congruence", "f_equal", "f_equiv", "injection", "einjection", "simplify_eq", "esimplify_eq"],
    ),
    family(
        "rewriting",
        &["rewrite", "erewrite", "setoid_rewrite", "rewrite_strat", "replace", "setoid_replace", "subst"],
    ),
    family("simplification", &["simpl", "cbn", "autorewrite"]),
    family("conversion", &["unfold", "autounfold", "fold", "change", "pattern", "red"]),
    family(
        "computation",
        &[
            "compute",
            "vm_compute",
            "native_compute",
            "cbv",
            "lazy",
            "hnf",
            "vm_cast_no_check",
            "native_cast_no_check",
        ],
    ),
    family(
        "arithmetic",
        &[
            "lia",
            "nia",
            "lra",
            "nra",
            "psatz",
            "nsatz",
            "ring",
            "ring_simplify",
            "field",
            "field_simplify",
            "field_simplify_eq",
            "zify",
            "Z.div_mod_to_equations",
            "Z.quot_rem_to_equations",
            "Z.to_euclidean_division_equations",
            "discrR",
        ],
    ),
    family(
        "automation",
        &[
            "trivial",
            "auto",
            "eauto",
            "info_auto",
            "info_eauto",
            "easy",
            "now",
            "done",
            "tauto",
            "rtauto",
            "btauto",
            "intuition",
            "dintuition",
            "firstorder",
            "sauto",
            "hauto",
            "qauto",
            "hammer",
        ],
    ),
    family(
        "structure",
        &[
            "idtac",
            "fail",
            "first",
            "try",
            "tryif",
            "repeat",
            "match",
            "do",
            "solve",
            "progress",
            "once",
            "exactly_once",
            "timeout",
            "time",
            "abstract",
            "cycle",
            "swap",
            "revgoals",
            "shelve",
            "unshelve",
        ],
    ),
];

/// They correspond to those of Lean: for `simp` and `simp_all`, the provers of logic and equality; for `omega`, those of
/// linear arithmetic, and `nia` and `nra`, which include it; for `rfl`, `reflexivity`, which also completes what
/// `decide` does by computation. `ring` is in neither list.
const EASY: &[&str] = &[
    "trivial",
    "auto",
    "eauto",
    "easy",
    "now",
    "done",
    "tauto",
    "rtauto",
    "intuition",
    "dintuition",
    "firstorder",
    "congruence",
    "lia",
    "nia",
    "lra",
    "nra",
    "reflexivity",
];

const HYGIENE: &[StandardRule] = &[
    StandardRule {
        name: "admit",
        pattern: r"\badmit\b",
        why: "a placeholder for a proof",
        refused: &["admit", "split; admit", "first [lia | admit]"],
        passed: &["apply admit_lemma", "apply admitted"],
    },
    StandardRule {
        name: "admitted",
        pattern: r"\bAdmitted\b",
        why: "ends the proof without one",
        refused: &["Admitted", "lia. Admitted"],
        passed: &["apply Admitted_lemma"],
    },
    StandardRule {
        name: "abort",
        pattern: r"\bAbort\b",
        why: "gives up the whole proof",
        refused: &["Abort", "Abort All"],
        passed: &["apply Aborted", "idtac \"Abort\""],
    },
    StandardRule {
        name: "give-up",
        pattern: r"\bgive_up\b",
        why: "a placeholder for a proof",
        refused: &["give_up", "split; [lia | give_up]"],
        passed: &["apply never_give_up", "lia (* or give_up *)"],
    },
];

const FOREIGN: &[Foreign] = &[
    Foreign { pattern: r"^rw\s*\[", hint: "`rw [h]` is Lean; in Rocq write `rewrite h`" },
    Foreign {
        pattern: r"^(simp|norm_num|linarith|nlinarith|omega|aesop|decide|positivity)\b(\s*\[|$)",
        hint: "`simp`, `norm_num`, `linarith`, `omega` and `decide` are Lean; Rocq has `simpl`, `lia`, `nia`, `lra`, `auto`",
    },
    Foreign { pattern: r"^rfl\b", hint: "`rfl` is Lean; in Rocq write `reflexivity`" },
    Foreign {
        pattern: r"^(obtain|rcases|rintro|by_contra|by_cases|push_neg|constructor\s*<;>|use)\b",
        hint: "`obtain`, `rcases`, `rintro` and `use` are Lean; Rocq has `destruct … as […]`, `intros […]` and `exists`",
    },
    Foreign {
        pattern: r"[⟨⟩·]|<;>|:=\s*by\b",
        hint: "`⟨…⟩`, `·`, `<;>` and `:= by` are Lean; Rocq has `conj`, bullets `-` and `;`",
    },
    Foreign {
        pattern: r"^cases\s+\S+\s+with\b",
        hint: "`cases h with` is Lean; in Rocq write `destruct h as […]`",
    },
];

const ASSUMPTIONS: &[&str] = &[
    "Variable",
    "Variables",
    "Hypothesis",
    "Hypotheses",
    "Context",
    "Axiom",
    "Axioms",
    "Parameter",
    "Parameters",
    "Conjecture",
    "Conjectures",
    "Admitted",
    "Declare",
];

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '\''))
        && name != "_"
}

/// All at once, so that names can change places.
fn rename(names: &[&str], wanted: &[&str]) -> Option<String> {
    let changes = names.iter().zip(wanted).filter(|(name, wanted)| name != wanted);
    let changes: Vec<String> = changes.map(|(name, wanted)| format!("{name} into {wanted}")).collect();
    Some(if changes.is_empty() { String::new() } else { format!("  rename {}.\n", changes.join(", ")) })
}

/// The first sentence of a Rocq text, without its period.
fn first_sentence(text: &str) -> &str {
    let bytes = text.as_bytes();
    let (mut comments, mut in_string) = (0_u32, false);
    for (at, &byte) in bytes.iter().enumerate() {
        let next = bytes.get(at + 1);
        match byte {
            b'"' => in_string = !in_string,
            b'(' if !in_string && next == Some(&b'*') => comments += 1,
            b')' if !in_string && at > 0 && bytes[at - 1] == b'*' => comments = comments.saturating_sub(1),
            b'.' if !in_string
                && comments == 0
                && next.is_none_or(u8::is_ascii_whitespace)
                // `...` is a tactic's own ending.
                && (at == 0 || bytes[at - 1] != b'.') =>
            {
                return &text[..at];
            }
            _ => {}
        }
    }
    text
}
