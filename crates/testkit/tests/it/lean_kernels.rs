//! Kernels beside Lean's, as small programs that behave like them. No real one can be had for the tests.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::Duration;

use andor_core::verdict::Reason;
use andor_env::checker::{self, Demand, Level, Verdict};
use andor_env::error::EnvError;
use andor_system_lean::LeanConfig;
use andor_system_lean::toolchain::Toolchain;
use andor_testkit::{block_on, lean};

use crate::lean_judge::{PROVED, STATED, claim};

/// A kernel that reads its last argument, refuses what it must, and does something about the theorem `goal`.
fn kernel(about_goal: &str) -> String {
    format!(
        "#!/bin/sh\nfor file; do :; done\n\
         [ \"$(head -c 8 \"$file\")\" = '{{\"meta\":' ] || {{ echo no export; exit 9; }}\n\
         if grep -q '\"andor_false\"' \"$file\"; then echo 'type mismatch' >&2; exit 1; fi\n\
         if grep -q '\"goal\"' \"$file\"; then {about_goal}; fi\nexit 0\n"
    )
}

/// The real toolchain, with further programs beside its `lean`.
fn toolchain(folder: &Path, programs: &[(&str, &str)]) -> Toolchain {
    std::fs::create_dir_all(folder.join("bin")).unwrap();
    for name in ["lib", "bin/lean", "bin/leanchecker"] {
        symlink(lean::sysroot().join(name), folder.join(name)).unwrap();
    }
    for (name, script) in programs {
        let path = folder.join("bin").join(name);
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    Toolchain { sysroot: folder.to_owned(), ..lean::toolchain() }
}

/// The verdict on an honest proof where these programs are installed.
fn verdict(programs: &[(&str, &str)], is_required: bool) -> Verdict {
    let folder = tempfile::tempdir().unwrap();
    let toolchain = toolchain(folder.path(), programs);
    // What lies beside a stand-in is out of the sandbox's sight.
    let config = LeanConfig { toolchain: Some(toolchain), sandbox: false, ..LeanConfig::default() };
    judged(config, is_required)
}

fn judged(config: LeanConfig, is_required: bool) -> Verdict {
    let demand = Demand { second_judge: is_required, ..Demand::from(Level::Rechecked) };
    let judge = andor_system_lean::checker(config);
    block_on(checker::judge(&judge, &claim(STATED, PROVED), demand))
}

/// Who accepts the proof, and who is silent and why, in a verdict of acceptance.
fn said(verdict: Verdict) -> (&'static str, Vec<String>, String) {
    match verdict {
        Verdict::Accepted { level: Level::Rechecked, trust, .. } => {
            let second = trust.second_judge;
            (second.name(), second.kernels(), second.silence().unwrap_or_default().to_owned())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn kernels_that_accept_a_proof_are_named() {
    // One of them reads a configuration that names the export, and the axioms in it.
    let configured = format!(
        "#!/bin/sh\ngrep -q '\"export_file_path\":\"export.ndjson\"' \"$1\" || exit 3\n\
         grep -q '\"permitted_axioms\":\\[.*\\]' \"$1\" && grep -q '\"unpermitted_axiom_hard_error\":true' \"$1\" || exit 4\n\
         grep -q '\"axiom\":' export.ndjson && ! grep -q propext \"$1\" && exit 5\n\
         set -- export.ndjson\n{}",
        kernel("exit 0").trim_start_matches("#!/bin/sh\n")
    );
    let taking = |words: &str| {
        format!("#!/bin/sh\n[ \"$1 $2\" = '{words} export.ndjson' ] || exit 7\n{}", kernel(":"))
    };
    let programs: &[(&str, &str)] =
        &[("nanoda_bin", &configured), ("lean4lean", &taking("--import")), ("con-ron", &kernel(":"))];
    let expected = ["lean4lean", "nanoda", "con-ron"].map(str::to_owned).to_vec();
    for is_required in [false, true] {
        assert_eq!(said(verdict(programs, is_required)), ("accepted", expected.clone(), String::new()));
    }
}

#[test]
fn without_other_kernels_the_verdict_is_as_before() {
    assert_eq!(said(verdict(&[], false)), ("absent", Vec::new(), String::new()));
    match verdict(&[], true) {
        Verdict::Infrastructure { error: EnvError::NoSecondJudge { why }, .. } => {
            assert!(why.contains("nanoda_bin") && why.contains("lean4lean"), "{why}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_kernel_that_refuses_a_proof_rejects_it() {
    let refuses = kernel("echo 'declaration type mismatch'; exit 1");
    match verdict(&[("con-leche", &refuses), ("lean4lean", &kernel(":"))], false) {
        Verdict::Rejected { level: Level::Rechecked, reason: Reason::SecondJudge, message, .. } => {
            assert!(message.contains("`con-leche`") && message.contains("type mismatch"), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_kernel_that_does_not_answer_is_silent_and_does_not_silence_another() {
    let accepts = kernel(":");
    for (program, why) in [
        (kernel("kill -SEGV $$"), "signal: 11"),
        // Of another version, or not a kernel: it answers wrongly about what is known.
        ("#!/bin/sh\nhead -c 300 /bin/sh\nexit 1\n".to_owned(), "refuses a theorem of Lean's core, too"),
        ("#!/bin/sh\necho usage: con-ron FILE\n".to_owned(), "accepts a false theorem, too"),
        ("no program\n".to_owned(), "con-ron"),
    ] {
        let programs: &[(&str, &str)] = &[("con-ron", &program), ("lean4lean", &accepts)];
        let (name, kernels, silence) = said(verdict(programs, false));
        assert_eq!((name, kernels), ("silent", vec!["lean4lean".to_owned()]), "{silence}");
        assert!(silence.starts_with("con-ron: ") && silence.contains(why), "{silence}");
        assert!(matches!(
            verdict(programs, true),
            Verdict::Infrastructure { error: EnvError::NoSecondJudge { .. }, .. }
        ));
    }
}

#[test]
fn a_kernel_that_hangs_ends_with_the_check() {
    let folder = tempfile::tempdir().unwrap();
    let hangs = kernel("sleep 600 & wait");
    let toolchain = toolchain(folder.path(), &[("con-ron", &hangs), ("lean4lean", &kernel(":"))]);
    let config = LeanConfig {
        toolchain: Some(toolchain),
        sandbox: false,
        check_limit: Duration::from_secs(20),
        ..LeanConfig::default()
    };
    let (name, kernels, silence) = said(judged(config, false));
    assert_eq!((name, kernels), ("silent", vec!["lean4lean".to_owned()]));
    assert!(silence.contains("con-ron") && silence.contains("20"), "{silence}");
}
