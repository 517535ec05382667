//! The judge of Lean proofs, on a real Lean. The corpus of cheats has many more (`crates/cli/tests/cheats.rs`).

use std::os::unix::fs::{PermissionsExt, symlink};

use andor_env::checker::{Checker, Claim, Level, Reason, Verdict};
use andor_env::lean::toolchain::Toolchain;
use andor_env::lean::{LeanConfig, checker};
use andor_testkit::{block_on, lean};

const STATED: &str = "theorem goal (n : Nat) : n + 0 = n := by\n  sorry\n";
const PROVED: &str = "theorem goal (n : Nat) : n + 0 = n := rfl\n";

/// A checker with a Lean.
fn judge(toolchain: Toolchain) -> impl Checker {
    checker(LeanConfig { toolchain: Some(toolchain), ..LeanConfig::default() })
}

fn claim(challenge: &str, submission: &str) -> Claim {
    Claim {
        submission: submission.to_owned(),
        challenge: challenge.to_owned(),
        theorems: vec!["goal".to_owned()],
    }
}

/// The reason for which a claim is rejected at level 2, or `None` if it is accepted.
fn rejected(judge: &dyn Checker, challenge: &str, submission: &str) -> Option<(Reason, String)> {
    match block_on(judge.check(&claim(challenge, submission), Level::Audited)) {
        Verdict::Accepted { level: Level::Audited, .. } => None,
        Verdict::Rejected { reason, message, .. } => Some((reason, message)),
        other => panic!("{submission}\n{other:?}"),
    }
}

#[test]
fn a_proof_may_be_written_in_many_ways() {
    let judge = judge(lean::toolchain());
    let with_match =
        "def half : Nat → Nat\n  | n + 2 => half n + 1\n  | _ => 0\n\ntheorem goal : half 4 = 2 := by\n  ";
    let lemma = "theorem before (n : Nat) : n = n := by\n  match n with\n  | 0 => rfl\n  | _ + 1 => rfl\n\n";
    let again = "def other : Nat → Nat\n  | n + 2 => other n + 1\n  | _ => 0\n\n";
    for (challenge, submission) in [
        (STATED, PROVED),
        (STATED, "theorem goal : ∀ m : Nat, m + 0 = m := fun _ => rfl\n"),
        (STATED, "theorem goal {k : Nat} : k + 0 = k := rfl"),
        (STATED, "set_option autoImplicit true in\n@[simp] theorem goal (n : Nat) : n + 0 = n := rfl"),
        (STATED, "namespace A\ntheorem _root_.goal (n : Nat) : n + 0 = n := rfl\nend A"),
        (STATED, "section\nvariable (n : Nat)\ntheorem goal : n + 0 = n := rfl\nend"),
        (
            "axiom goal (n : Nat) : n + 0 = n",
            "theorem mine (n : Nat) : n + 0 = n := rfl\ntheorem goal (n : Nat) : n + 0 = n := mine n\n",
        ),
        // Lean makes auxiliary definitions, and shares equal ones with declarations before.
        (&format!("{with_match}sorry"), &format!("{with_match}rfl")),
        (&format!("{with_match}sorry"), &format!("{lemma}{with_match}rfl")),
        (&format!("{with_match}sorry"), &format!("{again}{with_match}rfl")),
        (
            "def two : Nat := 2\ntheorem goal : two = 2 := sorry",
            "/-- An even number. -/\nabbrev two : Nat := 2\ntheorem goal : two = 2 := rfl",
        ),
        (
            "universe u\ntheorem goal (α : Type u) (a : α) : a = a := sorry",
            "theorem goal.{w} (β : Type w) (b : β) : b = b := rfl",
        ),
        (
            "class K (α : Type) where\n  k : α\ninstance : K Nat := ⟨2⟩\ntheorem goal : (K.k : Nat) = 2 := sorry",
            "class K (α : Type) where\n  k : α\ninstance named : K Nat := ⟨2⟩\ntheorem goal : (K.k : Nat) = 2 := rfl",
        ),
        (
            "private def two := 2\ntheorem goal : two = 2 := sorry",
            "theorem a : True := trivial\nprivate def two := 2\ntheorem goal : two = 2 := rfl",
        ),
    ] {
        assert_eq!(rejected(&judge, challenge, submission), None, "{challenge}\n{submission}");
    }
}

#[test]
fn statements_are_compared_as_terms() {
    let judge = judge(lean::toolchain());
    let with_literal = |n: &str| {
        format!("theorem goal : {n} = {n} := by\n  rfl\ntheorem other : \"{n}\" = \"{n}\" := rfl\n")
    };
    let large = "100000000000000000000000000000000000000000000";
    for (challenge, submission) in [
        (STATED, "theorem goal (_n : Nat) : 0 + 0 = 0 := rfl\n".to_owned()),
        (STATED, "theorem goal (n : Nat) (_h : False) : n + 0 = n := rfl\n".to_owned()),
        (STATED, "theorem goal (n : Nat) : let m := 0; n + m = n := rfl\n".to_owned()),
        (STATED, "theorem goal (n : Nat) : n + 0 = n + 0 := rfl\n".to_owned()),
        (&with_literal(large), with_literal(&large.replacen('0', "1", 3))),
        (&with_literal(large), with_literal(&format!("{large}0"))),
        ("theorem goal : \"a\" = \"a\" := sorry", "theorem goal : \"b\" = \"b\" := rfl".to_owned()),
        (
            "theorem goal (α : Type) (a : α) : a = a := sorry",
            "universe u\ntheorem goal (α : Type u) (a : α) : a = a := rfl".to_owned(),
        ),
    ] {
        let found = rejected(&judge, challenge, &submission);
        assert!(matches!(found, Some((Reason::Statement, _))), "{submission}: {found:?}");
    }
}

#[test]
fn a_challenge_must_state_the_theorem() {
    let judge = judge(lean::toolchain());
    for (challenge, said) in [
        ("theorem other : True := trivial", "it has no theorem `goal`"),
        ("theorem goal : 1 = 2 := nonsense", "nonsense"),
        ("def hole : Nat := sorry\ntheorem goal : hole = hole := sorry", "sorry"),
        (
            "noncomputable def hole : Nat := sorry\ntheorem goal : hole = hole := sorry",
            "left open by `sorry`",
        ),
        ("#eval 1\ntheorem goal : True := trivial", "#eval"),
    ] {
        match block_on(judge.check(&claim(challenge, PROVED), Level::Audited)) {
            Verdict::Infrastructure { error, .. } => assert!(error.to_string().contains(said), "{error}"),
            other => panic!("{challenge}: {other:?}"),
        }
    }
}

#[test]
fn the_third_level_is_another_run_of_the_kernel() {
    // A toolchain like the real one, with a program in place of its second kernel.
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("bin")).unwrap();
    for name in ["lib", "bin/lean"] {
        symlink(lean::sysroot().join(name), folder.path().join(name)).unwrap();
    }
    let toolchain = Toolchain { sysroot: folder.path().to_owned(), ..lean::toolchain() };
    let second_kernel = folder.path().join("bin/leanchecker");
    for (script, accepts) in [
        ("#!/bin/sh\n[ \"$1\" = andor_judged ] && [ -f \"${LEAN_PATH%%:*}/andor_judged.olean\" ]\n", true),
        ("#!/bin/sh\necho 'uncaught exception: (kernel) declaration type mismatch'\nexit 1\n", false),
    ] {
        std::fs::write(&second_kernel, script).unwrap();
        std::fs::set_permissions(&second_kernel, std::fs::Permissions::from_mode(0o755)).unwrap();
        let verdict = block_on(judge(toolchain.clone()).check(&claim(STATED, PROVED), Level::Rechecked));
        match verdict {
            Verdict::Accepted { level: Level::Rechecked, .. } if accepts => {}
            Verdict::Rejected { level: Level::Rechecked, reason: Reason::Kernel, message, .. }
                if !accepts =>
            {
                assert!(message.contains("type mismatch"), "{message}");
            }
            other => panic!("{script}: {other:?}"),
        }
    }
}

#[test]
fn another_version_reaches_level_1_and_says_why() {
    let toolchain = Toolchain { version: "4.9.0".parse().unwrap(), ..lean::toolchain() };
    let judge = judge(toolchain);
    match block_on(judge.check(&claim(STATED, PROVED), Level::Judged)) {
        Verdict::Accepted { level: Level::Compiled, axioms, shortfall: Some(why), .. } => {
            assert!(axioms.is_empty() && why.contains("4.9.0"), "{why}");
        }
        other => panic!("{other:?}"),
    }
}
