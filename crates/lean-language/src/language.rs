//! The language of Lean 4, as far as two systems share it.

use andor_core::language::{
    Family, Foreign, Lexis, Plan, Prompts, StandardRule, Statements, Strings, Tactics, family,
};

use crate::script::bare;

/// Words, comments and strings.
pub const LEXIS: Lexis = Lexis {
    block_comment: Some(["/-", "-/"]),
    line_comment: Some("--"),
    strings: Some(Strings::Escaped),
    has_characters: true,
    marks: &['?', '!'],
    has_fields: true,
    has_paths: false,
};

/// How statements are written.
pub const STATEMENTS: Statements = Statements {
    theorem: "theorem",
    period: "",
    not: "¬",
    for_all: "∀",
    bare,
    is_name,
    assumptions: &["variable", "variables", "axiom", "axioms", "constant", "constants", "sorry"],
};

/// What its tactics are, without the shapes of a learned model.
pub const TACTICS: Tactics = Tactics {
    families: FAMILIES,
    easy: &["simp", "simp_all", "omega", "decide", "native_decide", "rfl"],
    hygiene: HYGIENE,
    foreign: FOREIGN,
    shapes: "",
    placeholder: "sorry",
    rewrite: |lemma, backwards| if backwards { format!("rw [← {lemma}]") } else { format!("rw [{lemma}]") },
    specialize: |hypothesis, value| format!("specialize {hypothesis} {value}"),
    rename,
    from_answer,
    is_other: |_| false,
};

/// How a proof is planned, with `have` as the embedded prover has it, and Lean with Mathlib.
pub const PLAN: Plan = Plan {
    form: "have name : statement",
    keywords: &["have"],
    ends: &[":="],
    step: |name, statement| format!("have {name} : {statement}"),
    left_open: |tactic| format!("{tactic}\n· sorry\n"),
};

/// How models are asked, without a chat.
pub const PROMPTS: Prompts = Prompts { prover: "Lean 4", tactic: "a tactic of Lean 4", chat: None };

/// The families of tactics, which `mini` supports in part.
const FAMILIES: &[Family] = &[
    family("introduction", &["intro", "intros", "rintro", "ext", "ext1", "funext"]),
    family("context", &["clear", "clear_value", "rename", "rename_i", "revert", "generalize"]),
    family("assertion", &["have", "let", "set", "suffices", "replace", "specialize"]),
    family("application", &["exact", "exacts", "apply", "eapply", "refine", "refine'", "convert"]),
    family("assumption", &["assumption", "assumption'"]),
    family("witness", &["exists", "existsi", "use"]),
    family("construction", &["constructor", "econstructor", "fconstructor", "and_intros", "left", "right"]),
    family(
        "case-analysis",
        &["cases", "cases'", "rcases", "obtain", "by_cases", "split", "split_ifs", "match", "fun_cases"],
    ),
    family("induction", &["induction", "induction'", "fun_induction"]),
    family(
        "contradiction",
        &[
            "contradiction",
            "exfalso",
            "absurd",
            "by_contra",
            "false_or_by_contra",
            "contrapose",
            "nofun",
            "nomatch",
        ],
    ),
    family("reflexivity", &["rfl", "rfl'", "eq_refl"]),
    family("relations", &["symm", "trans", "calc"]),
    family("congruence", &["congr", "gcongr", "cc", "injection", "injections"]),
    family(
        "rewriting",
        &["rw", "rewrite", "rwa", "erw", "nth_rw", "nth_rewrite", "conv", "subst", "subst_vars"],
    ),
    family(
        "simplification",
        &["simp", "simp_all", "simpa", "simp_arith", "simp_rw", "dsimp", "norm_cast", "push_cast"],
    ),
    family("conversion", &["unfold", "delta", "change", "show", "beta_reduce"]),
    family("computation", &["decide", "native_decide", "bv_decide"]),
    family(
        "arithmetic",
        &[
            "omega",
            "ring",
            "ring_nf",
            "linarith",
            "nlinarith",
            "linear_combination",
            "norm_num",
            "positivity",
            "field_simp",
            "interval_cases",
            "abel",
        ],
    ),
    family(
        "automation",
        &[
            "trivial",
            "exact?",
            "apply?",
            "rw?",
            "solve_by_elim",
            "apply_rules",
            "tauto",
            "itauto",
            "aesop",
            "grind",
            "hint",
        ],
    ),
    family(
        "structure",
        &[
            "skip",
            "done",
            "case",
            "case'",
            "next",
            "focus",
            "all_goals",
            "any_goals",
            "first",
            "try",
            "repeat",
            "repeat'",
            "iterate",
            "solve",
            "rotate_left",
            "rotate_right",
            "swap",
        ],
    ),
];

const HYGIENE: &[StandardRule] = &[
    StandardRule {
        name: "sorry",
        pattern: r"\bsorry(Ax)?\b",
        why: "a placeholder for a proof",
        refused: &["sorry", "exact sorry", "constructor <;> sorry", "have h : p := by sorry"],
        passed: &["exact not_sorry", "simp -- sorry", "exact f \"sorry\""],
    },
    StandardRule {
        name: "admit",
        pattern: r"\badmit\b",
        why: "a placeholder for a proof",
        refused: &["admit", "split; admit", "first [lia | admit]"],
        passed: &["apply admit_lemma", "apply admitted"],
    },
    StandardRule {
        name: "native-decide",
        pattern: r"\bnative_decide\b",
        why: "may not terminate or may crash the prover, and trusts the compiler",
        refused: &["native_decide", "exact (by native_decide)"],
        passed: &["decide"],
    },
    StandardRule {
        name: "case-placeholder",
        pattern: r"\b(rcases\b|cases')[^;]*?\?_",
        why: "a case pattern takes names; `?_` is an error in it",
        refused: &["rcases h with ⟨?_, ?_⟩", "rcases h with ⟨?_, h2⟩", "cases' h with ?_ h2"],
        passed: &["rcases h with ⟨h1, h2⟩", "refine ⟨?_, h⟩", "rcases h with ⟨a, b⟩ <;> refine ⟨?_, a⟩"],
    },
    StandardRule {
        name: "simpa-placeholder",
        pattern: r"\bsimpa\b[^;]*?([\s,]_\b|\b_[\s,])",
        why: "the arguments of `simpa` are unfinished",
        refused: &["simpa using _, h", "simpa [h1, _]", "simpa [h1,_]"],
        passed: &["simpa [h1, h2] using h3", "simpa using _h", "exact ⟨_, by simpa using h⟩"],
    },
];

const FOREIGN: &[Foreign] = &[
    Foreign {
        pattern: r"^(intros?|reflexivity|destruct|rewrite\s+[^\[]|inversion|unfold\s+\S+\s+in|lia|lra|simpl|discriminate|congruence|eauto|auto|tauto\.|f_equal)\b.*\.$",
        hint: "a tactic that ends in a period is Rocq; Lean has none at the end",
    },
    Foreign {
        pattern: r"^(reflexivity|destruct|inversion|lia|lra|simpl|discriminate|eauto|eapply|f_equal|now|assert)\b",
        hint: "`reflexivity`, `destruct`, `inversion`, `lia` and `simpl` are Rocq; Lean has `rfl`, `obtain`, `cases`, `omega` and `simp`",
    },
    Foreign {
        pattern: r"^rw\s+[^\[\s]|^(begin|end)\b|λ[^↦]*,\s|,$",
        hint: "`rw h`, `begin … end`, `λ x, e` and commas after tactics are Lean 3; Lean 4 has `rw [h]`, `by`, `fun x => e` and no commas",
    },
];

fn is_name(name: &str) -> bool {
    name.split('.').all(|part| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_') && part.chars().all(is_part) && part != "_"
    })
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'' | '!' | '?') || ('₀'..='₉').contains(&c)
}

/// From the first one that differs on, the names go back into the goal, and are introduced again. What is hidden gets a name first.
fn rename(names: &[&str], wanted: &[&str]) -> Option<String> {
    let pairs = || names.iter().copied().zip(wanted.iter().copied());
    let Some(first) = pairs().position(|(name, wanted)| name != wanted && !is_hidden(wanted)) else {
        return Some(String::new());
    };
    let is_hidden_later = |(at, name): (usize, &&str)| is_hidden(name).then_some(at >= first);
    let hidden: Vec<bool> = names.iter().enumerate().filter_map(is_hidden_later).collect();
    let n_hidden = hidden.into_iter().filter(|is_later| *is_later).count();
    let taken = |name: &str| pairs().any(|(a, b)| a == name || b == name);
    let mut free = (1..).map(|n| format!("x_{n}")).filter(|name| !taken(name));
    let fresh: Vec<String> = free.by_ref().take(n_hidden).collect();
    let mut unnamed = fresh.iter();
    let reverted: Vec<String> = names[first..]
        .iter()
        .map(|name| match is_hidden(name) {
            true => unnamed.next().expect("there is a name for each").clone(),
            false => (*name).to_owned(),
        })
        .collect();
    let introduced: Vec<&str> =
        wanted[first..].iter().map(|name| if is_hidden(name) { "_" } else { *name }).collect();
    let mut script = String::new();
    if !fresh.is_empty() {
        script += &format!("  rename_i {}\n", fresh.join(" "));
    }
    script += &format!("  revert {}\n  intro {}\n", reverted.join(" "), introduced.join(" "));
    Some(script)
}

/// Whether a script cannot refer to this name, as Lean gives them to hidden variables.
fn is_hidden(name: &str) -> bool {
    name.contains('✝')
}

/// A Lean tactic without the `by` that begins a proof. Further lines move to the left as far as their margin.
fn from_answer(text: &str) -> String {
    let Some(rest) = text.strip_prefix("by").filter(|rest| rest.starts_with(char::is_whitespace)) else {
        return text.to_owned();
    };
    match rest.trim_start_matches(' ').strip_prefix('\n') {
        None => rest.trim().to_owned(),
        Some(block) => {
            let lines = || block.lines().filter(|line| !line.trim().is_empty());
            let margin = lines().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
            let moved = lines().map(|line| line.get(margin..).unwrap_or(line));
            moved.collect::<Vec<_>>().join("\n").trim().to_owned()
        }
    }
}
