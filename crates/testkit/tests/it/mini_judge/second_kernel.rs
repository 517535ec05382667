//! Lean's kernel as the second judge, the real one and some that misbehave.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use andor_env::checker::Level::Rechecked;
use andor_env::checker::{Claim, Reason, Verdict, judge};
use andor_env::environment::Environment;
use andor_env::lean::toolchain::{Toolchain, Version};
use andor_env::mini::{Mini, MiniConfig};
use andor_testkit::{block_on, lean};

use super::{ALLOWED, HONEST, claim};

fn judged_by(sysroot: &Path) -> Mini {
    Mini::new(MiniConfig {
        allowed_axioms: ALLOWED.iter().map(|axiom| (*axiom).to_owned()).collect(),
        lean: Some(Toolchain {
            lean: sysroot.join("bin/lean"),
            sysroot: sysroot.to_owned(),
            version: Version { minor: 35, patch: 0 },
            search_path: Vec::new(),
            project: None,
        }),
        ..MiniConfig::default()
    })
}

/// The verdict on a proof when this script stands for Lean.
fn by_script(script: &str) -> Verdict {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("bin/lean");
    std::fs::create_dir(folder.path().join("bin")).unwrap();
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let text = "theorem t (a b : Nat) (h : a < b) : a ≠ b := by\n  omega";
    block_on(judge(judged_by(folder.path()).checker(), &claim(text, text, &["t"]), Rechecked))
}

#[test]
fn honest_proofs_are_accepted_by_leans_kernel_too() {
    let mini = judged_by(&lean::sysroot());
    let with_omega = "theorem t (a b c : Nat) (h : a < b) (k : b < c) : a + 1 < c ∧ (a + b) ^ 2 = a ^ 2 + 2 * a * b + b ^ 2 := by\n  \
                      constructor\n  · omega\n  · ring";
    for (challenge, submission) in HONEST.iter().chain(&[(with_omega, with_omega)]) {
        let claim: Claim = claim(challenge, submission, &["t"]);
        match block_on(judge(mini.checker(), &claim, Rechecked)) {
            Verdict::Accepted { level: Rechecked, trust, .. } => {
                assert_eq!(trust.kernels, ["Lean 4.35.0"], "{submission}")
            }
            other => panic!("{submission}\n{other:?}"),
        }
    }
}

#[test]
fn what_leans_kernel_rejects_is_rejected() {
    let script = "grep -q 'theorem Mini.t ' \"$2\" || exit 0\necho \"$2:7:0: error: (kernel) declaration type mismatch\"; exit 1";
    let found = by_script(script);
    let Verdict::Rejected { level: Rechecked, reason: Reason::Kernel, message, .. } = &found else {
        panic!("{found:?}")
    };
    assert_eq!(message, "the kernel of Lean 4.35.0 rejects it: (kernel) declaration type mismatch");
}

#[test]
fn a_lean_that_cannot_judge_has_no_say() {
    // It lacks constants of the core; it breaks down at the proof.
    for script in [
        "echo \"$2:7:0: error: unknown constant\"; exit 1",
        "grep -q 'theorem Mini.t ' \"$2\" && kill -9 $$; exit 0",
    ] {
        match by_script(script) {
            Verdict::Accepted { level: Rechecked, trust, .. } => {
                assert!(trust.kernels.is_empty(), "{script}")
            }
            other => panic!("{script}\n{other:?}"),
        }
    }
}
