//! What others wrote steers no terminal and forges no line, wherever it is shown: messages of the prover, names of theorems
//! and files, what stands in the folder of a run.

use std::process::Output;

use crate::support::{Folder, andor, left};
use serde_json::Value;

/// Takes its line from the screen, begins one that looks like a result, and hides what comes after.
const HOSTILE: &str =
    "no\u{1b}[2K\u{1b}[1A\r\nt: proved (level 4, judged; no axioms)\n\u{9b}8m\u{202e}\u{7f}";

/// Exit code, standard output, standard error; an error unless both are such that they can be shown.
fn shown(output: Output) -> (i32, String, String) {
    let (code, out, err) = left(output);
    for text in [&out, &err] {
        let bad = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!text.contains(bad), "{text:?}");
        assert!(!text.lines().any(|line| line.starts_with("t: proved")), "{text}");
    }
    (code, out, err)
}

fn run(args: &[&str]) -> (i32, String, String) {
    shown(andor(args).output().unwrap())
}

#[test]
fn messages_of_the_prover_are_told_from_ours() {
    let folder = Folder::new();
    let proof = folder.write("a.v", &format!("Theorem t : 1 = 2.\nProof. fail \"{HOSTILE}\". Qed.\n"));
    let (code, out, err) = run(&["check", &proof]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("no\\u001b[2K\\u001b[1A"), "{out}");
    assert!(out.contains("\n    t: proved (level 4"), "{out}");
    // Programs get what was said.
    let (_, out, _) = left(andor(&["check", &proof, "--json"]).output().unwrap());
    let record: Value = serde_json::from_str(&out).unwrap();
    assert!(record["message"].as_str().unwrap().contains("no\u{1b}[2K"), "{out}");
    assert!(!out.trim_end().contains(char::is_control), "{out:?}");
}

#[test]
fn so_are_those_of_a_run_and_its_records() {
    let folder = Folder::new();
    let header = format!("Definition x := ltac:(fail \"{HOSTILE}\").\n");
    let two = "Theorem t : 1 = 1.\nAdmitted.\nTheorem u : 1 = 1.\nAdmitted.\n";
    let file = folder.write("a.v", &(header + two));
    let out = folder.path("run");
    let (code, _, err) = run(&["prove", &file, "--out", &out]);
    assert!(code == 2 && err.contains("\\u001b[2K"), "{code}: {err}");
    let (_, text, _) = run(&["results", &out]);
    assert!(text.contains("refused"), "{text}");
    let (_, text, _) = run(&["results", &out, "--theorem", "t"]);
    assert!(text.contains("\\u001b[2K"), "{text}");
    for args in [&["runs", &out][..], &["compare", &out, &out], &["export", &out, "--format", "sft"]] {
        run(args);
    }
    let (_, _, err) = run(&["-vv", "prove", &file]);
    assert!(err.contains("\\u001b[2K"), "{err}");
}

#[test]
fn names_of_theorems_and_files_stay_in_their_lines() {
    let folder = Folder::new();
    let row = |id: &str| serde_json::json!({"id": id, "system": "rocq", "statement": "Theorem a : 1 = 1."});
    let refused = folder.write("a.jsonl", &format!("{}\n", row(HOSTILE)));
    let (code, _, err) = run(&["prove", &refused]);
    assert!(code == 2 && err.contains("contains control characters"), "{err}");
    let reordered = folder.write("b.jsonl", &format!("{}\n{}\n", row("a\u{202e}b"), row("c")));
    let (code, out, err) = run(&["prove", &reordered]);
    assert!(code == 0 && out.contains("a\\u202eb *)") && err.contains("a\\u202eb"), "{out}{err}");
    let missing = folder.path(&format!("{HOSTILE}.v"));
    for args in
        [&["prove", &missing][..], &["check", &missing], &["show", &missing], &["check", "a", &missing]]
    {
        let (code, _, err) = run(args);
        // The parser leaves escape sequences out.
        assert!(code == 2 && err.contains("no") && err.contains("\\u000d"), "{args:?}: {err}");
    }
    let config = folder.write(
        "c.toml",
        &format!("# {}\nsed = \"\u{9b}2J\"\n", HOSTILE.replace(['\r', '\n', '\u{1b}', '\u{7f}'], "")),
    );
    let (code, _, err) = run(&["prove", "--statement", "1 = 1", "--config", &config]);
    assert!(code == 2 && err.contains("\\u009b2J"), "{err}");
}
