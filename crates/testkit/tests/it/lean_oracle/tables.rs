//! The tables of goals and of refused tactics, and the proofs of the examples.

use super::lean::answers;

const GOALS: &str = include_str!("../../../../mini/tests/data/goals.txt");
const REFUSED: &str = include_str!("../../../../mini/tests/data/refused.txt");
pub(crate) const PROOFS: &[(&str, &str)] = &[
    ("equality", include_str!("../../../../mini/tests/proofs/equality.lean")),
    ("hard", include_str!("../../../../mini/tests/proofs/hard.lean")),
    ("lists", include_str!("../../../../mini/tests/proofs/lists.lean")),
    ("logic", include_str!("../../../../mini/tests/proofs/logic.lean")),
    ("nat", include_str!("../../../../mini/tests/proofs/nat.lean")),
    ("quantifiers", include_str!("../../../../mini/tests/proofs/quantifiers.lean")),
    ("sets_as_predicates", include_str!("../../../../mini/tests/proofs/sets_as_predicates.lean")),
];

/// Entries of the tables on which both differ, by their statement and tactics, and why.
const DIFFERENT: &[(&str, &str)] = &[
    ("example (n m : Nat) (h : n ≤ m) : n ≤ m + 1 := by\n  cases h", LE),
    ("example (n m : Nat) (h : n ≤ m) : n ≤ m + 1 := by\n  induction h", LE),
    (
        "example (p : Prop) (h : ¬¬p) : p := by\n  by_contra hn",
        "`by_contra` is a tactic of Mathlib, not of Lean's core",
    ),
];
const LE: &str = "for `mini`, `n ≤ m` is `Nat.le n m` and nothing else; Lean prints the latter as `n.le m`";

/// An entry of a table: a statement with tactics, and what they leave.
struct Entry {
    text: String,
    expected: String,
}

fn entries(table: &str) -> Vec<Entry> {
    let entry = |block: &str| {
        let mut lines = block.lines().filter(|line| !line.starts_with('#'));
        // A statement may have a proof that is left out.
        let statement = lines.next()?;
        let mut text = format!("{} := by", statement.strip_suffix(" := by sorry").unwrap_or(statement));
        let mut expected = Vec::new();
        for line in lines {
            match line.strip_prefix("> ").or_else(|| line.strip_prefix(". ")) {
                Some(tactic) => text.push_str(&format!("\n  {tactic}")),
                None => expected.push(line),
            }
        }
        Some(Entry { text, expected: expected.join("\n") })
    };
    table.split("\n\n").filter_map(entry).collect()
}

fn texts(entries: &[Entry]) -> Vec<String> {
    entries.iter().map(|entry| entry.text.clone()).collect()
}

fn is_listed(text: &str) -> bool {
    DIFFERENT.iter().any(|(listed, _)| *listed == text)
}

#[test]
fn lean_leaves_the_same_goals() {
    let entries = entries(GOALS);
    let mut wrong = Vec::new();
    for (entry, answer) in entries.iter().zip(answers("", &texts(&entries))) {
        const LEFT: &str = "unsolved goals\n";
        let left = match answer.errors.as_slice() {
            [] => "no goals".to_owned(),
            [error] if error.starts_with(LEFT) => error[LEFT.len()..].replace("\n\n", "\n---\n"),
            errors => format!("error: {}", errors.join("; ")),
        };
        if (left == entry.expected) == is_listed(&entry.text) {
            wrong.push(format!("{}\nmini leaves\n{}\nLean leaves\n{left}", entry.text, entry.expected));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n\n{}", wrong.len(), entries.len(), wrong.join("\n\n"));
}

#[test]
fn lean_refuses_what_mini_refuses() {
    let entries = entries(REFUSED);
    let answers = answers("", &texts(&entries));
    let accepted =
        entries.iter().zip(answers).filter(|(entry, answer)| answer.is_accepted() != is_listed(&entry.text));
    let accepted: Vec<&str> = accepted.map(|(entry, _)| entry.text.as_str()).collect();
    assert!(accepted.is_empty(), "{} are accepted:\n\n{}", accepted.len(), accepted.join("\n\n"));
}

#[test]
fn lean_accepts_the_proofs_of_the_examples() {
    let mut wrong = Vec::new();
    for (name, text) in PROOFS {
        let text = format!("namespace Examples\n{text}\nend Examples");
        let answers = answers("import Admit\n", &[text]);
        wrong.extend(answers.iter().flat_map(|a| &a.errors).map(|error| format!("{name}: {error}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
