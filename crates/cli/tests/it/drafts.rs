//! Unfinished proofs and drafts on the command line.

use std::io::Write;
use std::process::Stdio;

use crate::support::{Folder, andor, left};
use serde_json::Value;

const ROCQ: &str = "\
Lemma swap : forall p q : Prop, p /\\ q -> q /\\ (p \\/ q).
Proof.
  intros p q [a b]. split.
  - exact b.
  - admit.
Admitted.

Lemma closed : True /\\ True.
Proof. split. exact I. admit. Qed.

Lemma done : True.
Proof. exact I. Qed.
";

const MINI: &str = "\
theorem swap (p q : Prop) (h : p ∨ q) : q ∨ p := by
  cases h with
  | inl a => sorry
  | inr b =>
    left
    exact b
";

fn run(args: &[&str]) -> (i32, String, String) {
    left(andor(args).output().unwrap())
}

#[test]
fn the_holes_of_proofs_in_files_are_filled() {
    let folder = Folder::new();
    let file = folder.write("t.v", ROCQ);
    let (code, out, err) = run(&["prove", &file, "--theorem", "swap", "--verify", "1"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("  intros p q [a b].\n  split.\n  - exact b.\n  - "), "{out}");
    assert!(err.contains("swap: the unfinished proof gives 3 steps, and leaves 1 goal open\n"), "{err}");
    // `admit` before `Qed` is a hole, too, and what is finished is not searched.
    let (code, out, err) = run(&["prove", &file, "--verify", "1"]);
    assert!(code == 0 && out.contains(": closed *)") && !out.contains(": done *)"), "{out}{err}");

    let file = folder.write("t.lean", MINI);
    let (code, out, err) = run(&["prove", &file, "--out", &folder.path("run")]);
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("    exact b\n") && err.contains("gives 3 steps, and leaves 1 goal open"),
        "{out}{err}"
    );
    let line = fs_err::read_to_string(folder.path("run/results.jsonl")).unwrap();
    let result: Value = serde_json::from_str(line.lines().nth(1).unwrap()).unwrap();
    let graft = &result["grafts"][0];
    assert_eq!((graft["origin"].as_str(), graft["steps"].as_u64()), (Some("file"), Some(3)), "{graft}");
    let (code, out, err) = run(&["verify", &folder.path("run/theorems/swap/attempt-1/trace.jsonl")]);
    assert!(code == 0 && out.ends_with("holds\n"), "{out}{err}");
    let (code, out, _) = run(&["export", &folder.path("run"), "--format", "sft"]);
    assert!(code == 0 && out.contains("cases h with"), "{out}");
}

#[test]
fn an_unfinished_proof_can_be_ignored() {
    let folder = Folder::new();
    let file = folder.write("t.lean", MINI);
    let (code, out, err) = run(&["prove", &file, "--ignore-partial-proof"]);
    assert!(code == 0 && !err.contains("unfinished") && !out.contains("| inl a => ?_"), "{out}{err}");
}

#[test]
fn a_draft_is_for_one_theorem_and_what_fails_in_it_is_told() {
    let folder = Folder::new();
    let (file, two) = (
        folder.write("t.lean", MINI),
        folder.write("two.lean", &format!("{MINI}theorem b : 1 = 1 := sorry\n")),
    );
    let draft = folder
        .write("draft.lean", "cases h with\n| inl a =>\n  right\n  nonsense\n| inr b => left; exact b\n");
    let (code, out, err) = run(&["prove", &file, "--draft", &draft]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(err.contains("swap: the draft gives 4 steps, and leaves 0 goals open\n"), "{err}");
    assert!(
        err.contains("swap: cut off at line 4, column 3: `nonsense`: unknown tactic `nonsense`"),
        "{err}"
    );
    let (code, _, err) = run(&["prove", &two, "--draft", &draft]);
    assert!(
        code == 2 && err.contains("--draft holds a proof of one theorem, and there are 2; choose"),
        "{err}"
    );
    let (code, _, err) = run(&["prove", &file, "--draft", &folder.path("none.lean")]);
    assert!(code == 2 && err.contains("--draft: ") && err.contains("no such file"), "{err}");
}

#[test]
fn a_scripted_provider_hands_out_drafts() {
    let folder = Folder::new();
    let drafts = r#"{"drafts": [{"script": "cases h with\n| inl a => exact Or.inr a\n| inr b => exact Or.inl nothing"},
        {"after_error": "nothing", "script": "cases h with\n| inl a => exact Or.inr a\n| inr b => exact Or.inl b"}]}"#;
    let (file, drafts) = (folder.write("t.lean", MINI), folder.write("drafts.json", drafts));
    let provider = format!("scripted={drafts}");
    let args = ["prove", &file, "--ignore-partial-proof", "--provider", &provider, "--json", "--draft-share"];
    let (code, out, err) = run(&[&args[..], &["0.7"]].concat());
    assert_eq!(code, 0, "{out}{err}");
    let result: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!(result["grafts"].as_array().unwrap().len(), 2, "{out}");
    assert_eq!(run(&[&args[..], &["0"]].concat()).0, 3, "nothing is proposed");
    let (code, _, err) = run(&["prove", &file, "--draft-share", "0.5"]);
    assert!(code == 2 && err.contains("--draft-share: provider `heuristic` writes no drafts"), "{err}");
    let (code, _, err) = run(&[&args[..], &["1"]].concat());
    assert!(code == 2 && err.contains("--draft-share: must be at least 0 and below 1"), "{err}");
}

#[test]
fn a_proof_by_hand_begins_with_an_unfinished_one() {
    let folder = Folder::new();
    let file = folder.write("t.lean", MINI);
    let draft = folder.write("draft.lean", "right\nsorry\n");
    for (args, input, expected) in [
        (vec!["repl", &file], "exact Or.inr a\nqed\n", "| inr b => ?_\n"),
        (
            vec!["repl", &file, "--draft", &draft],
            "undo\ncases h with | inl a => exact Or.inr a | inr b => exact Or.inl b\nqed\n",
            "cases h with | inl a",
        ),
        (vec!["repl", &file, "--ignore-partial-proof"], "exact h.symm\nqed\n", "exact h.symm\n"),
    ] {
        let mut command = andor(&args);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let (code, out, err) = left(child.wait_with_output().unwrap());
        assert!(code == 0 && out.contains(expected), "{args:?}: {out}{err}");
    }
}
