//! The judge of Lean proofs, on a real Lean.

use andor_env::checker::{Checker, Claim, Level, Reason, Verdict};
use andor_env::lean::toolchain::{Toolchain, Version};
use andor_env::lean::{LeanConfig, checker};
use andor_testkit::lean;

/// A checker with the test kit's Lean.
fn judge(allowed: &[&str]) -> impl Checker {
    let toolchain = Toolchain {
        lean: lean::program(),
        sysroot: lean::sysroot(),
        version: Version { minor: 35, patch: 0 },
        search_path: Vec::new(),
        project: None,
    };
    checker(LeanConfig {
        toolchain: Some(toolchain),
        allowed_axioms: allowed.iter().map(|&axiom| axiom.to_owned()).collect(),
        ..LeanConfig::default()
    })
}

fn claim(challenge: &str, submission: &str) -> Claim {
    Claim {
        submission: submission.to_owned(),
        challenge: challenge.to_owned(),
        theorems: vec!["goal".to_owned()],
    }
}

/// The reason for which a claim is rejected at level 2, or `None` if it is accepted.
async fn rejected(judge: &dyn Checker, challenge: &str, submission: &str) -> Option<(Reason, String)> {
    match judge.check(&claim(challenge, submission), Level::Audited).await {
        Verdict::Accepted { level: Level::Audited, .. } => None,
        Verdict::Rejected { reason, message, .. } => Some((reason, message)),
        other => panic!("{submission}\n{other:?}"),
    }
}

const STATED: &str = "theorem goal (n : Nat) : n + 0 = n := by\n  sorry\n";

#[tokio::test(flavor = "multi_thread")]
async fn honest_proofs_are_accepted() {
    let judge = judge(&[]);
    for (challenge, submission) in [
        (STATED, "theorem goal (n : Nat) : n + 0 = n := rfl\n"),
        (STATED, "theorem goal : ∀ m : Nat, m + 0 = m := fun _ => rfl\n"),
        (STATED, "theorem goal {k : Nat} : k + 0 = k := rfl"),
        (STATED, "theorem mine (n : Nat) : n + 0 = n := rfl\ntheorem goal (n : Nat) : n + 0 = n := mine n\n"),
        (STATED, "namespace A\ntheorem _root_.goal (n : Nat) : n + 0 = n := rfl\nend A"),
        (
            STATED,
            "open Classical in\ntheorem goal (n : Nat) : n + 0 = n := by\n  by_cases h : n = 0\n  · rfl\n  · rfl\n",
        ),
    ] {
        assert_eq!(rejected(&judge, challenge, submission).await, None, "{submission}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_statements_are_rejected() {
    let judge = judge(&[]);
    for submission in [
        "theorem goal (n : Nat) : 0 + 0 = 0 := rfl\n",
        "theorem goal : True := trivial\n",
        "theorem goal (n : Nat) (h : False) : n + 0 = n := rfl\n",
        "notation a \" + \" b => a\ntheorem goal (n : Nat) : n + 0 = n := rfl\n",
    ] {
        let found = rejected(&judge, STATED, submission).await;
        assert!(matches!(found, Some((Reason::Statement, _))), "{submission}: {found:?}");
    }
}
