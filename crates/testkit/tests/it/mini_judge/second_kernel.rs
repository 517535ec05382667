//! Lean's kernel as the second judge, the real one and some that misbehave.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use andor_audit::olean::Version;
use andor_core::verdict::Reason;
use andor_env::checker::Level::Rechecked;
use andor_env::checker::{Claim, Demand, Verdict, judge};
use andor_env::environment::Environment;
use andor_env::error::EnvError;
use andor_system_lean::TermsKernel;
use andor_system_lean::toolchain::Toolchain;
use andor_system_mini::{Mini, MiniConfig};
use andor_testkit::{block_on, lean};

use super::{HONEST, allowed, claim};

fn judged_by(sysroot: &Path) -> Mini {
    Mini::new(MiniConfig {
        allowed_axioms: allowed(),
        second_kernel: Some(Arc::new(TermsKernel::new(Some(Toolchain {
            lean: sysroot.join("bin/lean"),
            sysroot: sysroot.to_owned(),
            version: Version { minor: 35, patch: 0 },
            search_path: Vec::new(),
            project: None,
        })))),
        ..MiniConfig::default()
    })
}

/// Level 3, and what Lean accepts.
const REQUIRED: Demand =
    Demand { level: Rechecked, least: Rechecked, second_judge: true, max_bytes: usize::MAX };

/// The verdict on a proof when this script stands for Lean.
fn by_script(script: &str, demand: impl Into<Demand>) -> Verdict {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("bin/lean");
    std::fs::create_dir(folder.path().join("bin")).unwrap();
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let text = "theorem t (a b : Nat) (h : a < b) : a ≠ b := by\n  omega";
    block_on(judge(judged_by(folder.path()).checker(), &claim(text, text, &["t"]), demand))
}

#[test]
fn honest_proofs_are_accepted_by_leans_kernel_too() {
    let mini = judged_by(&lean::sysroot());
    assert_eq!(block_on(mini.checker().second_judge()), Some(Ok(vec!["Lean 4.35.0".to_owned()])));
    let with_omega = "theorem t (a b c : Nat) (h : a < b) (k : b < c) : a + 1 < c ∧ (a + b) ^ 2 = a ^ 2 + 2 * a * b + b ^ 2 := by\n  \
                      constructor\n  · omega\n  · ring";
    for (challenge, submission) in HONEST.iter().chain(&[(with_omega, with_omega)]) {
        let claim: Claim = claim(challenge, submission, &["t"]);
        match block_on(judge(mini.checker(), &claim, REQUIRED)) {
            Verdict::Accepted { level: Rechecked, trust, .. } => {
                assert_eq!(trust.second_judge.kernels(), ["Lean 4.35.0"], "{submission}")
            }
            other => panic!("{submission}\n{other:?}"),
        }
    }
}

/// A script that accepts all but the proof, about which it says this.
fn says(error: &str) -> String {
    format!(
        "grep -q 'theorem Mini.t ' \"$3\" || exit 0\necho '{{\"severity\":\"error\",\"data\":\"{error}\"}}'; exit 1"
    )
}

#[test]
fn what_leans_kernel_rejects_is_rejected() {
    // A name of the submission may be that of a limit.
    for error in ["(kernel) declaration type mismatch", "type mismatch at «maximum recursion depth»"] {
        let found = by_script(&says(error), Rechecked);
        let Verdict::Rejected { level: Rechecked, reason: Reason::SecondJudge, message, .. } = &found else {
            panic!("{found:?}")
        };
        assert_eq!(*message, format!("the kernel of Lean 4.35.0 rejects it: {error}"));
    }
}

#[test]
fn a_lean_that_cannot_judge_has_no_say_but_where_it_is_required() {
    for (script, name, silence) in [
        (
            "echo '{\"severity\":\"error\",\"data\":\"unknown constant\"}'; exit 1".to_owned(),
            "absent",
            "there is none: the core library of Lean 4.35.0 is not that of mini: unknown constant",
        ),
        (
            "kill -9 $$".to_owned(),
            "silent",
            "it is silent: Lean 4.35.0 could not compare its core library with mini's: ",
        ),
        (
            "grep -q 'theorem Mini.t ' \"$3\" && kill -9 $$; exit 0".to_owned(),
            "silent",
            "it is silent: Lean 4.35.0: ",
        ),
        (says("(deterministic) timeout"), "silent", "it is silent: Lean 4.35.0: (deterministic) timeout"),
    ] {
        match by_script(&script, Rechecked) {
            Verdict::Accepted { level: Rechecked, trust, .. } => {
                assert_eq!(trust.second_judge.name(), name, "{script}");
                assert_eq!(trust.second_judge.kernels(), Vec::<String>::new(), "{script}");
            }
            other => panic!("{script}\n{other:?}"),
        }
        match by_script(&script, REQUIRED) {
            Verdict::Infrastructure { level: Rechecked, error: EnvError::NoSecondJudge { why } } => {
                assert!(why.starts_with(silence), "{why}")
            }
            other => panic!("{script}\n{other:?}"),
        }
    }
}

#[test]
fn a_proof_that_lean_cannot_be_asked_about_is_no_secret() {
    let claim_of = |text: &str| claim(text, text, &["t"]);
    let large = "theorem t : ∀ a b c : Nat, (a+b+c+1)^9 = (a+b+c+1)^8*(a+b+c+1) := by\n  intros\n  ring";
    let mini = judged_by(&lean::sysroot());
    match block_on(judge(mini.checker(), &claim_of(large), Rechecked)) {
        Verdict::Accepted { level: Rechecked, trust, .. } => assert_eq!(
            trust.second_judge.silence(),
            Some("Lean 4.35.0: its terms take more than 64 MB when they are written out")
        ),
        other => panic!("{other:?}"),
    }
    let found = block_on(judge(mini.checker(), &claim_of(large), REQUIRED));
    assert!(
        matches!(found, Verdict::Infrastructure { error: EnvError::NoSecondJudge { .. }, .. }),
        "{found:?}"
    );
}
