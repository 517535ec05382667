//! Training data as users of the program get it.

use std::io::Read;
use std::process::Stdio;

use crate::support::{Folder, andor, left};
use serde_json::Value;

const SWAP: &str = "theorem and_swap (p q : Prop) : p ∧ q → q ∧ p";

/// Proves conjunctions, and fails on the way.
const RULES: &str = r#"{"rules": [
    {"tactics": [{"tactic": "rfl", "log_prior": -0.4}, {"tactic": "intro h", "log_prior": -0.5},
                 {"tactic": "constructor", "log_prior": -0.7},
                 {"tactic": "exact h.1", "log_prior": -1.0}, {"tactic": "exact h.2", "log_prior": -1.0}]}]}"#;

fn export(args: &[&str]) -> (i32, String, String) {
    left(andor(&[&["export"], args].concat()).output().unwrap())
}

/// A folder with a run in it.
fn run(statement: &str) -> (Folder, String) {
    let folder = Folder::new();
    let provider = format!("--provider=scripted={}", folder.write("rules.json", RULES));
    let out = folder.path("RUN");
    left(andor(&["prove", "--statement", statement, &provider, "--out", &out]).output().unwrap());
    (folder, out)
}

#[test]
fn rows_go_to_standard_output_or_into_a_file() {
    let (folder, run) = run(SWAP);
    let (code, out, err) = export(&[&run, "--format", "sft"]);
    assert_eq!(code, 0, "{err}");
    let first = out.lines().next().unwrap();
    let prompt = "{\"prompt\":\"p q : Prop\\n⊢ p ∧ q → q ∧ p:::\",\"completion\":\"intro h\",\"theorem\":";
    assert!(first.starts_with(prompt), "{first}");
    assert!(err.contains("1 attempts: 4 recorded tactics replayed\n4 sft rows of 1 theorems"), "{err}");
    let file = folder.path("new/dpo.jsonl");
    let (code, out, err) =
        export(&[&run, "--format", "dpo", "--view", "pp1", "--separator", " =>", "--out", &file, "--json"]);
    assert_eq!(code, 0, "{err}");
    let summary: Value = serde_json::from_str(&out).unwrap();
    let text = fs_err::read_to_string(&file).unwrap();
    assert_eq!(summary["rows"], text.lines().count());
    assert!(text.contains("h : p ∧ q\\n⊢ q =>\",\"chosen\":\"exact h.2\",\"rejected\":\"rfl\""), "{text}");
    let parquet = folder.path("sft.parquet");
    let (code, _, err) = export(&[&run, "--format", "sft", "--chat", "--parquet", "--out", &parquet, "-q"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let bytes = fs_err::read(&parquet).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}

#[test]
fn a_pipe_that_is_read_no_further_is_no_error() {
    let (_folder, run) = run(SWAP);
    let mut command = andor(&["export", &run, "--format", "steps"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}

#[test]
fn pairs_are_completed_when_asked() {
    let (_folder, run) = run(SWAP);
    let (_, plain, _) = export(&[&run, "--format", "dpo"]);
    let (code, out, err) = export(&[&run, "--format", "dpo", "--complete-pairs"]);
    assert_eq!(code, 0, "{err}");
    assert!(plain.lines().all(|row| out.contains(row)), "{out}");
    // Closed by the tactic before, so that the search never tried this one there.
    let row = "h : p ∧ q\\n⊢ p:::\",\"chosen\":\"exact h.1\",\"rejected\":\"exact h.2\"";
    assert!(out.contains(row) && !plain.contains(row), "{out}");
    assert!(err.contains(" tactics completed that the search had not tried"), "{err}");
}

#[test]
fn nothing_to_export_leaves_no_file() {
    let (folder, run) = run("theorem no (p : Prop) : p");
    let file = folder.path("sft.jsonl");
    let (code, _, err) = export(&[&run, "--format", "sft", "--out", &file]);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("nothing to export: the run has no accepted proof"), "{err}");
    assert!(!fs_err::exists(&file).unwrap());
}

#[test]
fn wrong_usage_says_what_is_wrong() {
    let (folder, run) = run(SWAP);
    for (args, message) in [
        (&["--format", "steps", "--chat"][..], "--chat does not apply to steps"),
        (&["--format", "sft", "--complete-pairs"], "--complete-pairs does not apply to sft"),
        (&["--format", "sft", "--parquet"], "--out <FILE>"),
        (&["--format", "sft", "--json"], "--json needs --out or --dataset"),
        (&["--format", "all"], "possible values: sft, dpo, stepwise, steps"),
        (&["--format", "sft", "--theorem", "x"], "the run has no theorem `x`; it has: and_swap"),
    ] {
        let (code, _, err) = export(&[&[run.as_str()], args].concat());
        assert_eq!(code, 2, "{args:?}: {err}");
        assert!(err.contains(message), "{args:?}: {err}");
    }
    let (code, _, err) = export(&[&run, "--format", "sft", "--out", &run]);
    assert_eq!(code, 2);
    assert!(err.contains("not a regular file"), "{err}");
    let (code, _, err) = export(&[&folder.path("nowhere"), "--format", "sft"]);
    assert_eq!(code, 2);
    assert!(err.contains("is not a run folder"), "{err}");
}

#[test]
fn proofs_become_terms_for_lean() {
    let (folder, run) = run(SWAP);
    let (code, out, err) = export(&[&run, "--format", "lean-term"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("\ntheorem Mini.and_swap : (∀ (p : Prop), ") && out.ends_with("end\n"), "{out}");
    let terms = folder.path("TERMS");
    let (code, none, err) =
        export(&[&run, "--format", "lean-term", "--theorem", "and_swap", "--out", &terms]);
    assert_eq!((code, none.as_str()), (0, ""), "{err}");
    assert_eq!(fs_err::read_to_string(folder.path("TERMS/and_swap.lean")).unwrap(), out);
    for option in [&["--chat"][..], &["--jobs", "2"], &["--view", "pp"], &["--json", "--out", "f"]] {
        let (code, _, err) = export(&[&[&run, "--format", "lean-term"], option].concat());
        assert_eq!(code, 2, "{err}");
        assert!(err.contains("does not apply to lean-term"), "{err}");
    }
}
