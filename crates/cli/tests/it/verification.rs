//! How far proofs are verified, and what happens when that cannot be had.

use std::os::unix::fs::PermissionsExt;

use crate::support::{Folder, andor, left};
use serde_json::Value;

/// Exit code, standard output, standard error.
fn run(args: &[&str]) -> (i32, String, String) {
    left(andor(args).output().unwrap())
}

const ROCQ: [&str; 3] = ["prove", "--statement", "1 + 1 = 2"];
const MINI: [&str; 3] = ["prove", "--statement", "theorem t : 1 + 1 = 2"];

#[test]
fn every_result_says_how_far_its_proof_is_verified() {
    for prove in [ROCQ, MINI] {
        let (code, out, err) = run(&[&prove[..], &["--json"]].concat());
        assert_eq!(code, 0, "{err}");
        let result: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(
            (&result["verification_level"], &result["verification_shortfall"]),
            (&3.into(), &Value::Null)
        );
        assert!(err.contains(": proved (level 3, rechecked; no axioms), "), "{err}");
        assert!(!err.contains("WARN"), "nothing is missing: {err}");
        let (code, out, err) = run(&[&prove[..], &["--json", "--verify", "compiled"]].concat());
        assert_eq!(code, 0, "{err}");
        let result: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(result["verification_level"], 1);
    }
    let synthetic = ["prove", "--system", "synthetic", "--statement", "easy 1"];
    let (code, _, err) = run(&synthetic);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("proved (level 1, compiled; no axioms)") && !err.contains("WARN"), "{err}");
}

#[test]
fn a_level_is_demanded_before_anything_is_tried() {
    for command in ["prove", "repl"] {
        let statement = [command, "--statement", "theorem t : 1 + 1 = 2", "--verify"];
        for level in ["4", "judged"] {
            let (code, out, err) = run(&[&statement[..], &[level]].concat());
            assert_eq!((code, out.as_str()), (2, ""), "{err}");
            assert!(err.contains("mini: level 4 (judged) is not available here: "), "{err}");
            assert!(err.contains("the highest is --verify rechecked (see `andor doctor`)"), "{err}");
        }
        for (level, expected) in [
            ("0", "verifies nothing"),
            ("claimed", "verifies nothing"),
            ("5", "4 or judged, or best"),
            ("", "choose 1 or compiled"),
        ] {
            let (code, out, err) = run(&[&statement[..], &[level]].concat());
            assert_eq!((code, out.as_str()), (2, ""), "{err}");
            assert!(err.contains(expected), "{level}: {err}");
        }
    }
    let (code, _, err) = run(&[&ROCQ[..], &["--recheck-deps", "--verify", "2"]].concat());
    assert_eq!((code, err.contains("--recheck-deps: applies to level 3")), (2, true), "{err}");
    // `best` demands nothing, and what a system can never have is not missed.
    let (code, _, err) = run(&[&MINI[..], &["--verify", "best"]].concat());
    assert_eq!((code, err.contains("WARN")), (0, false), "{err}");
}

#[test]
fn doctor_says_how_far_each_system_goes() {
    let (_, out, _) = run(&["doctor"]);
    for line in [
        "ok    mini: proofs are verified up to level 3 (rechecked); no higher: ",
        " rocq: proofs are verified up to level ",
        "code: sandbox for programming tasks: bubblewrap ",
    ] {
        assert!(out.contains(line), "{out}");
    }
    let (_, out, _) = run(&["doctor", "--json"]);
    let findings: Value = serde_json::from_str(&out).unwrap();
    let of = |system: &str| {
        let mut findings = findings.as_array().unwrap().iter();
        findings.find(|f| f["system"] == system && f["what"] == "verification").unwrap().clone()
    };
    assert_eq!((&of("mini")["level"], &of("synthetic")["level"]), (&3.into(), &1.into()));
    assert!(of("rocq")["level"].as_u64().unwrap() >= 3 && of("mini")["shortfall"].is_string());
}

/// A folder with a compiler that is killed the first `times` times that it is given a file, and is the real one otherwise.
/// It counts in its folder, so in the sandbox it is killed each time.
fn failing_compiler(times: u32) -> Folder {
    let folder = Folder::new();
    let path = std::env::var_os("PATH").unwrap();
    let real = std::env::split_paths(&path).map(|d| d.join("coqc")).find(|p| p.is_file()).unwrap();
    let script = format!(
        "#!/bin/sh\nreal={real}\ncase \"$*\" in *.v*) ;; *) exec $real \"$@\" ;; esac\n\
         left=$(cat {count})\nif [ $left -gt 0 ]; then echo $((left - 1)) > {count}; kill -9 $$; fi\n\
         exec $real \"$@\"\n",
        real = real.display(),
        count = folder.write("count", &times.to_string()),
    );
    let compiler = folder.write("coqc", &script);
    fs_err::set_permissions(compiler, PermissionsExt::from_mode(0o755)).unwrap();
    folder
}

/// The program with a compiler from a folder before the others on its PATH.
fn run_with(compiler: &Folder, args: &[&str]) -> (i32, String, String) {
    let mut path = compiler.0.path().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    left(andor(args).env("PATH", path).output().unwrap())
}

#[test]
fn a_compiler_that_dies_is_asked_again() {
    for level in ["compiled", "best"] {
        let compiler = failing_compiler(1);
        let (code, out, err) =
            run_with(&compiler, &[&ROCQ[..], &["--verify", level, "--json", "--no-sandbox"]].concat());
        assert_eq!(code, 0, "{err}");
        assert!(err.contains("is repeated: "), "{err}");
        let result: Value = serde_json::from_str(&out).unwrap();
        let rejected = result["rejected_claims"].as_array().unwrap();
        assert_eq!((&result["outcome"], rejected.len()), (&"accepted".into(), 0));
    }
}

#[test]
fn an_assistant_that_fails_in_the_sandbox_does_not_run_without_it() {
    let compiler = failing_compiler(1000);
    let (code, out, err) = run_with(&compiler, &ROCQ);
    assert!(code != 0 && out.is_empty(), "{out}{err}");
    assert!(
        err.contains("Rocq does not run within the sandbox") && err.contains("switch the sandbox off"),
        "{err}"
    );
    let file = Folder::new();
    let proof = file.write("proof.v", "Lemma a : 1 = 1. Proof. reflexivity. Qed.");
    let (code, out, err) = run_with(&compiler, &["check", &proof]);
    assert!(code == 2 && out.contains("does not run within the sandbox"), "{out}{err}");
    let (_, findings, _) = run_with(&compiler, &["doctor", "--system", "rocq"]);
    assert!(findings.contains("does not run within the sandbox"), "{findings}");
    let count = fs_err::read_to_string(compiler.path("count")).unwrap();
    assert_eq!(count, "1000", "it ran where it can write");
}

#[test]
fn without_temporary_files_nothing_runs() {
    let folder = Folder::new();
    let proof = folder.write("proof.v", "Lemma a : 1 = 1. Proof. reflexivity. Qed.");
    for args in [&["check", proof.as_str()][..], &ROCQ] {
        let (code, out, err) = left(andor(args).env("TMPDIR", folder.path("missing")).output().unwrap());
        assert!(code != 0 && !out.contains("accepted"), "{out}{err}");
        let said = out + &err;
        assert!(said.contains("TMPDIR") && !said.contains("runs without a sandbox"), "{said}");
    }
}

#[test]
fn what_could_not_be_judged_is_a_claim_and_tried_again() {
    let compiler = failing_compiler(1000);
    let folder = Folder::new();
    let file = folder.write("t.v", "Lemma a : 1 = 1. Admitted.\nLemma b : 2 = 2. Admitted.\n");
    let out_folder = folder.path("RUN");
    let prove = ["prove", &file, "--verify", "compiled", "--out", &out_folder, "--no-sandbox"];
    let (code, out, err) = run_with(&compiler, &prove);
    assert_eq!((code, out.as_str()), (3, ""), "{err}");
    assert!(err.contains("a: proof found, not verified: "), "{err}");
    assert!(err.contains("0 of 2 proved, 2 proof found, not verified ("), "{err}");
    let row = err.lines().find(|l| l.starts_with("a ")).unwrap();
    assert!(row.contains(" claimed ") && row.contains(" 0 claimed "), "{row}");
    let (code, out, err) = run(&[&prove[..], &["--resume", "--json"]].concat());
    assert_eq!((code, out.lines().count()), (0, 2), "{err}");
    assert!(err.contains("a: proved (level 1, compiled; no axioms)"), "{err}");
    // A file is judged no better.
    let proof = folder.write("proof.v", "Lemma a : 1 = 1. Proof. reflexivity. Qed.");
    let (code, out, err) =
        run_with(&compiler, &["check", &proof, "--verify", "compiled", "--json", "--no-sandbox"]);
    assert_eq!(code, 2, "{err}");
    let record: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&record["verdict"], &record["reason"]), (&"infrastructure".into(), &Value::Null));
}
