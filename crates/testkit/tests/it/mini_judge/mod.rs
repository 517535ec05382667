//! The judge of `mini`: cheats are rejected at the level that must see them, honest proofs are not.

mod cheats;
mod second_kernel;

use andor_system_mini::MINI;
use std::path::Path;
use std::time::Duration;

use andor_core::axioms::AllowedAxioms;
use andor_core::theorem::Theorem;
use andor_core::verdict::Reason::{Refused, Statement};
use andor_env::checker::Level::{self, Audited, Compiled, Judged, Rechecked};
use andor_env::checker::{Claim, Verdict, judge};
use andor_env::environment::Environment;
use andor_env::error::EnvError;
use andor_process::error::ProcessError;
use andor_system_mini::{Mini, MiniConfig, source};
use andor_testkit::{block_on, theorem};

/// Axioms that the tests allow beyond the standard ones.
const ALLOWED: [&str; 5] = ["c", "P", "hP", "helper", "cheat"];

fn allowed() -> AllowedAxioms {
    AllowedAxioms::named(&ALLOWED.map(str::to_owned))
}

fn mini() -> Mini {
    Mini::new(MiniConfig { allowed_axioms: allowed(), ..MiniConfig::default() })
}

fn claim(challenge: &str, submission: &str, theorems: &[&str]) -> Claim {
    Claim {
        submission: submission.to_owned(),
        challenge: challenge.to_owned(),
        theorems: theorems.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn verdict(claim: &Claim, level: Level) -> Verdict {
    block_on(judge(mini().checker(), claim, level))
}

/// A verdict at level 3 on the theorem `t`.
fn of_t(challenge: &str, submission: &str) -> Verdict {
    verdict(&claim(challenge, submission, &["t"]), Rechecked)
}

/// Honest submissions: the challenge, and what must be accepted for it.
const HONEST: &[(&str, &str)] = &[
    (
        "def f : Nat := 1\ndef A.f : Nat := 2\ntheorem A.t : f = 2 ∧ _root_.f = 1 := sorry\ntheorem t : 1 = 1 := sorry",
        "def f : Nat := 1\ndef A.f : Nat := 2\ntheorem A.t : f = 2 ∧ _root_.f = 1 := ⟨rfl, rfl⟩\n\
         theorem Nat.s (f : Nat) : _root_.f = 1 := rfl\ntheorem t : 1 = 1 := rfl",
    ),
    // Names of the same namespace, full names, and names in a proof are what they are.
    (
        "inductive A.T where | a | b\ndef A.f : A.T := A.T.a\ntheorem t : A.f = A.T.a := sorry",
        "inductive A.T where | a | b\ndef A.f : A.T := A.T.a\ntheorem s : 1 = 1 := rfl\n\
         theorem A.k : f = T.a ∧ 1 = 1 := ⟨rfl, s⟩\ntheorem A.T.k : A.f = A.T.a := rfl\ntheorem t : A.f = A.T.a := rfl",
    ),
    // What the challenge leaves open may stay open.
    (
        "theorem a : 1 = 2 := sorry\ntheorem b : 1 = 2 := a\ntheorem t : 1 = 1 := by sorry",
        "theorem a : 1 = 2 := sorry\ntheorem b : 1 = 2 := a\ntheorem t : 1 = 1 := rfl",
    ),
    ("theorem t : 1 = 1 := by sorry", "theorem t : 1 = 1 := by\n  first\n  | rfl\n  | sorry"),
    // Written otherwise.
    ("theorem t : ∀ n : Nat, n = n := by sorry", "theorem t : forall m : Nat, Eq m m := fun _ => rfl"),
    (
        "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := by sorry",
        "-- A comment.\nlemma t (a : Prop) (b : Prop) (k : And a b)\n    : b /\\ a :=\n  ⟨k.2, k.1⟩",
    ),
    ("theorem t : ∀ a b : Nat, a ≥ b → b ≤ a := sorry", "theorem t (x y : Nat) (h : x ≥ y) : y ≤ x := h"),
    ("theorem t : ¬(1 = 2) := by sorry", "theorem t : Not (1 = 2) := by decide"),
    ("theorem t (n : Nat) : n + 0 = n := by sorry", "theorem t (n : Nat) : Nat.add n 0 = n := rfl"),
    ("theorem t (p : Prop) : p → p := by sorry", "theorem t {p : Prop} : p → p := fun h => h"),
    ("theorem t {α : Type u} (a : α) : a = a := sorry", "theorem t {β : Type v} (b : β) : b = b := rfl"),
    // Proved in the challenge, or not; by the same or otherwise.
    ("theorem t : 1 = 1 := by decide", "theorem t : 1 = 1 := rfl"),
    // Whatever the statement does not need.
    (
        "def unused : Nat := 1\ntheorem open_one : 1 = 2 := by sorry\ntheorem t : True := by sorry",
        "def unused : Nat := 2\ntheorem helper_lemma : 1 + 1 = 2 := rfl\ntheorem t : True := trivial\n\
         example : 2 = 2 := rfl",
    ),
    // Definitions written otherwise, and in another order.
    (
        "def two : Nat := 2\ndef big (n : Nat) : Prop := two ≤ n\ntheorem t : big 3 := by sorry",
        "def more : Nat := 0\ndef two : Nat := 2\ndef big (m : Nat) : Prop := two ≤ m\n\
         theorem t : big 3 := by\n  show 2 ≤ 3\n  omega",
    ),
    // A proof that the statement depends on may be another.
    (
        "theorem pos : 0 < 1 := by sorry\ndef f (h : 0 < 1) : Nat := 3\ntheorem t : f pos = 3 := by sorry",
        "theorem pos : 0 < 1 := by decide\ndef f (h : 0 < 1) : Nat := 3\ntheorem t : f pos = 3 := rfl",
    ),
    // Allowed axioms that the challenge declares.
    (
        "axiom P : Prop\naxiom hP : P\ntheorem t : P := by sorry",
        "axiom P : Prop\naxiom hP : P\ntheorem t : P := hP",
    ),
    // Its own inductive type.
    (
        "inductive Colour where | red | green\ntheorem t (x : Colour) : x = Colour.red ∨ x = Colour.green := by sorry",
        "inductive Colour where\n  | red\n  | green\ntheorem t (x : Colour) : x = Colour.red ∨ x = Colour.green := by\n  \
         cases x with\n  | red => exact Or.inl rfl\n  | green => exact Or.inr rfl",
    ),
    // What is called like a word that gives up, but is none.
    (
        "theorem t (p : Prop) (h : p) : p := by sorry",
        "-- sorry, admit\ntheorem t (p : Prop) (h : p) : p := by\n  have sorrow := h\n  exact sorrow /- sorry -/",
    ),
    // The proof needs a universe above those of the statement.
    (
        "theorem t {α : Type u} (p : α → Prop) (x : α) (h : p x) : p x := by sorry",
        "theorem t {α : Type u} (p : α → Prop) (x : α) (h : p x) : p x := by\n  have e : x = x := rfl\n  exact e ▸ h",
    ),
];

#[test]
fn honest_proofs_are_accepted_at_the_highest_level() {
    for (challenge, submission) in HONEST {
        match of_t(challenge, submission) {
            Verdict::Accepted { level: Rechecked, shortfall: None, .. } => {}
            other => panic!("{submission}\n{other:?}"),
        }
    }
}

#[test]
fn every_theorem_of_a_claim_is_judged() {
    let challenge = "theorem t : 1 = 1 := by sorry\ntheorem s : 1 = 2 := by sorry";
    let swapped = "theorem s : 1 = 1 := rfl\ntheorem t : 1 = 1 := rfl";
    let both = claim(challenge, swapped, &["t", "s"]);
    let Verdict::Rejected { message, .. } = verdict(&both, Audited) else { panic!("s is another") };
    assert!(message.contains("`s` differs"), "{message}");
    let one = claim(challenge, swapped, &["t"]);
    assert!(matches!(verdict(&one, Audited), Verdict::Accepted { .. }));
}

#[test]
fn examples_are_judged_by_their_number() {
    let challenge = "example : 1 = 1 := by sorry\nexample : 2 = 3 := by sorry";
    let submission = "example : 1 = 1 := rfl\nexample : 2 = 2 := rfl";
    let judged = |name: &str| verdict(&claim(challenge, submission, &[name]), Rechecked);
    assert!(matches!(judged("_example_1"), Verdict::Accepted { level: Rechecked, .. }));
    assert!(matches!(judged("_example_2"), Verdict::Rejected { reason: Statement, .. }));
}

#[test]
fn there_is_no_level_above_the_second_run_and_the_verdict_says_so() {
    let reach = block_on(mini().checker().reach());
    assert_eq!(reach.highest, Rechecked);
    let fine = claim("theorem t : True := sorry", "theorem t : True := trivial", &["t"]);
    let Verdict::Accepted { level, shortfall, .. } = verdict(&fine, Judged) else { panic!("it holds") };
    assert_eq!((level, shortfall.is_some(), shortfall), (Rechecked, true, reach.shortfall));
}

#[test]
fn a_level_whose_time_is_up_is_no_acceptance_below() {
    let config = MiniConfig { check_limit: Duration::from_millis(300), ..MiniConfig::default() };
    // Level 1 does not read the challenge.
    let challenge = format!("/- {} -/\ntheorem t : True := sorry", "long ".repeat(10_000_000));
    let slow = claim(&challenge, "theorem t : True := trivial", &["t"]);
    let found = block_on(judge(Mini::new(config).checker(), &slow, Rechecked));
    assert!(
        matches!(
            found,
            Verdict::Infrastructure { error: EnvError::Process(ProcessError::Overdue { .. }), .. }
        ),
        "{found:?}"
    );
}

#[test]
fn a_numeral_that_takes_long_to_read_is_rejected() {
    let long = "1".repeat(5_000_000);
    let found = of_t(
        "theorem t : 1 = 1 := by sorry",
        &format!("theorem t : 1 = 1 := rfl\ntheorem s : {long} = {long} := rfl"),
    );
    let Verdict::Rejected { level: Compiled, reason: Refused, message, .. } = found else {
        panic!("{found:?}")
    };
    assert!(message.contains("5000000 digits; the maximum is 10000"), "{message}");
}

#[test]
fn axioms_are_told_at_every_level() {
    let text = "theorem t (p : Prop) : p ∨ ¬p := Classical.em p";
    let claim = claim(text, text, &["t"]);
    for level in [Compiled, Audited, Rechecked] {
        let Verdict::Accepted { axioms, level: reached, .. } = verdict(&claim, level) else {
            panic!("it holds")
        };
        assert_eq!((axioms, reached), (vec!["Classical.em".to_owned()], level));
    }
}

#[test]
fn a_challenge_at_fault_is_not_the_submissions() {
    let proof = "theorem t : True := trivial";
    for (challenge, says) in [
        ("theorem t : Treu := by sorry", "Treu"),
        ("theorem s : True := by sorry", "it has no theorem `t`"),
        ("def t : True := trivial", "it has no theorem `t`"),
        ("axiom t : True", "it has no theorem `t`"),
        ("theorem t : True :=", "unexpected end"),
        ("", "it has no theorem `t`"),
    ] {
        let claim = claim(challenge, proof, &["t"]);
        let found = block_on(mini().checker().check(&claim, Rechecked));
        let Verdict::Infrastructure { level: Audited, error } = found else { panic!("{found:?}") };
        let EnvError::TheoremRefused { part: "the challenge", message, .. } = &error else {
            panic!("{error}")
        };
        assert!(message.contains(says), "{message}");
    }
    // Nothing lower is made of it; level 1 by itself needs no challenge.
    assert!(matches!(of_t("", proof), Verdict::Infrastructure { level: Audited, .. }));
    let alone = verdict(&claim("", proof, &["t"]), Compiled);
    assert!(matches!(alone, Verdict::Accepted { level: Compiled, shortfall: None, .. }), "{alone:?}");
}

#[test]
fn theorems_that_cannot_be_stated_are_refused_before_there_is_a_proof() {
    let pinned = |theorem: &Theorem| block_on(mini().checker().pin(theorem));
    let stated = |header: &str, name: &str, statement: &str| Theorem {
        header: header.to_owned(),
        ..theorem(MINI, name, statement)
    };
    assert!(pinned(&stated("", "t", "theorem t : 1 = 1")).is_ok());
    assert!(pinned(&stated("def two : Nat := 2", "t", "theorem t : two = 2 := by sorry")).is_ok());
    assert!(pinned(&stated("example : True := trivial", "_example_2", "example : 1 = 1")).is_ok());
    for (header, name, statement) in [
        ("", "t", "theorem t : 1 = "),
        ("", "t", "theorem s : 1 = 1"),
        ("def two : Nat :=", "t", "theorem t : 1 = 1"),
        ("", "t", "theorem t : 1"),
        ("theorem t : True := trivial", "t", "theorem t : 1 = 1"),
    ] {
        let refused = pinned(&stated(header, name, statement)).unwrap_err();
        assert!(matches!(&refused, EnvError::TheoremRefused { theorem, .. } if theorem == name), "{refused}");
    }
}

#[test]
fn a_climb_ends_in_time() {
    let mini = Mini::new(MiniConfig { check_limit: Duration::ZERO, ..MiniConfig::default() });
    let claim = claim("theorem t : True := sorry", "theorem t : True := trivial", &["t"]);
    let found = block_on(mini.checker().check(&claim, Rechecked));
    assert!(
        matches!(
            found,
            Verdict::Infrastructure {
                level: Compiled,
                error: EnvError::Process(ProcessError::Overdue { .. })
            }
        ),
        "{found:?}"
    );
}

/// Statements of which each unfolding doubles the text, and none the memory.
#[test]
fn statements_too_large_to_be_written_are_compared() {
    let mut text = "def d0 (p : Prop) : Prop := p ∧ p\n".to_owned();
    for n in 1..200 {
        text += &format!("def d{n} (p : Prop) : Prop := d{} p ∧ d{} p\n", n - 1, n - 1);
    }
    let challenge = format!("{text}theorem t (p : Prop) (h : d199 p) : d199 p := by sorry");
    assert!(matches!(
        of_t(&challenge, &format!("{text}theorem t (p : Prop) (h : d199 p) : d199 p := h")),
        Verdict::Accepted { level: Rechecked, .. }
    ));
    let other = text.replacen("p ∧ p", "p ∨ p", 1);
    assert!(matches!(
        of_t(&challenge, &format!("{other}theorem t (p : Prop) (h : d199 p) : d199 p := h")),
        Verdict::Rejected { reason: Statement, .. }
    ));
    let towers = |n: usize| format!("{}0{}", "Nat.succ (".repeat(n), ")".repeat(n));
    let deep = format!("theorem t : {} = 900", towers(900));
    assert!(matches!(
        of_t(&format!("{deep} := by sorry"), &format!("{deep} := rfl")),
        Verdict::Accepted { level: Rechecked, .. }
    ));
}

#[test]
fn too_many_universes_are_refused() {
    let binders: String = (1..40).map(|n| format!(" (a{n} : Sort u{n})")).collect();
    let text = format!("theorem t{binders} : True := trivial");
    let Verdict::Rejected { message, .. } = of_t(&text, &text) else { panic!("there are too many") };
    assert!(message.contains("universe variables"), "{message}");
}

/// The proofs of the examples: each file accepted against the examples' own statements, and a theorem of it rejected
/// when the challenge states a little more.
#[test]
fn proofs_of_the_examples_are_accepted_and_their_neighbours_are_not() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut judged = 0;
    for entry in std::fs::read_dir(root.join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "lean") {
            continue;
        }
        let challenge = std::fs::read_to_string(&path).unwrap();
        let proofs = root.join("crates/mini/tests/proofs").join(path.file_name().unwrap());
        let mut submission = std::fs::read_to_string(proofs).unwrap();
        // What is left open there is no part of the submission.
        let all = source::theorems(&submission).unwrap();
        for open in all.iter().rev().filter(|t| !t.finished) {
            submission.replace_range(open.command.clone(), "");
        }
        let names: Vec<&str> = all.iter().filter(|t| t.finished).map(|t| t.name.as_str()).collect();
        judged += names.len();
        match verdict(&claim(&challenge, &submission, &names), Rechecked) {
            Verdict::Accepted { level: Rechecked, .. } => {}
            other => panic!("{}: {other:?}", path.display()),
        }
        let stated = source::theorems(&challenge).unwrap();
        // One in the file at random would do; the middle one is.
        let chosen = stated.iter().filter(|t| names.contains(&t.name.as_str())).nth(names.len() / 2).unwrap();
        let mut changed = challenge.clone();
        changed.replace_range(
            chosen.start..chosen.end,
            &format!("{} ∧ True", &challenge[chosen.start..chosen.end]),
        );
        if let Verdict::Rejected { level: Audited, reason: Statement, message, .. } =
            verdict(&claim(&changed, &submission, &names), Rechecked)
        {
            assert!(message.contains(&format!("`{}` differs", chosen.name)), "{message}");
        } else {
            panic!("{}: `{}` states something else", path.display(), chosen.name);
        }
    }
    assert!(judged > 100, "{judged}");
}
