//! The embedded prover as users of the program meet it: statements and files in Lean's syntax, and proofs by hand.

use std::io::Write;
use std::process::Stdio;

use crate::support::{Folder, andor, left};
use serde_json::Value;

const SWAP: &str = "theorem and_swap (p q : Prop) : p ∧ q → q ∧ p";

/// Proves conjunctions.
const RULES: &str = r#"{"rules": [
    {"tactics": [{"tactic": "intro h", "log_prior": -0.5}, {"tactic": "constructor", "log_prior": -0.7},
                 {"tactic": "exact h.1", "log_prior": -1.0}, {"tactic": "exact h.2", "log_prior": -1.0}]}]}"#;

/// The program with a text on its standard input: exit code, standard output, standard error. Nothing else is
/// on its PATH, so that no other prover can help.
fn run(args: &[&str], input: &str) -> (i32, String, String) {
    let mut command = andor(args);
    command.env("PATH", "").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // It may have ended without reading all of it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    left(child.wait_with_output().unwrap())
}

/// The option that proposes by [`RULES`].
fn rules(folder: &Folder) -> String {
    format!("--provider=scripted={}", folder.write("rules.json", RULES))
}

#[test]
fn a_statement_of_lean_is_proved_and_its_proof_accepted() {
    let folder = Folder::new();
    let out = folder.path("RUN");
    let (code, proof, err) = run(&["prove", "--statement", SWAP, &rules(&folder), "--out", &out], "");
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("system: mini") && err.contains("--system lean4 uses an installed Lean"), "{err}");
    assert_eq!(proof, format!("{SWAP} := by\n  intro h\n  constructor\n  · exact h.2\n  · exact h.1\n"));
    let file = folder.path("RUN/theorems/and_swap/attempt-1/proof.lean");
    let (code, out, err) = run(&["check", &file, "--theorem", "and_swap"], "");
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("accepted: and_swap (level 3, rechecked; no axioms)"), "{out}");
}

#[test]
fn a_file_ends_with_a_table() {
    let folder = Folder::new();
    let text = format!(
        "-- Done already.\ntheorem done : True := trivial\n\n{SWAP} := by sorry\n\n\
         example (p : Prop) (h : p ∧ p) : p := sorry\n\ntheorem no (p : Prop) : p := by\n  sorry\n"
    );
    let file = folder.write("t.lean", &text);
    let (code, out, err) = run(&["prove", &file, &rules(&folder)], "");
    assert_eq!(code, 1, "{err}");
    assert!(out.contains(": and_swap\ntheorem and_swap") && !out.contains("done"), "{out}");
    assert!(out.contains(": _example_1\nexample (p : Prop) (h : p ∧ p) : p := by\n  exact h.1\n"), "{out}");
    let row = |name: &str| err.lines().rfind(|l| l.starts_with(name)).unwrap().to_owned();
    assert!(
        row("and_swap").contains(" proved ") && row("no ").contains(" not proved: every candidate tried "),
        "{err}"
    );
    assert!(row("2 of 3 proved, 1 not proved (").ends_with("expansions)"), "{err}");
}

#[test]
fn mistakes_are_explained_and_end_with_two() {
    let folder = Folder::new();
    let broken = folder.write("broken.lean", "theorem t : True := trivial\ntheorem u (p : := sorry\n");
    let two = folder.write("two.lean", "theorem a : True := sorry\ntheorem b : True := sorry\n");
    let unnamed =
        folder.write("rows.jsonl", r#"{"id": "a", "system": "mini", "statement": "theorem t : ("}"#);
    let cases: &[(&[&str], &str)] = &[
        (&["prove", &broken], "broken.lean:2:16: "),
        (&["prove", &two, "--theorem", "c"], "available: a, b"),
        (&["prove", &two, "--system", "rocq"], "is for the system `mini`, not `rocq`"),
        (&["prove", &unnamed], "rows.jsonl:1: "),
        (&["prove", "--statement", "theorem t (p : Prop : p"], "cannot parse the statement"),
        (&["prove", "--statement", "theorem t [Group G] : True"], "unsupported"),
        (&["check", &broken], "malformed"),
        (&["repl"], "is required"),
        (&["repl", &two], "choose one with --theorem: a, b"),
        (&["repl", "--statement", "theorem t : nonsense"], "the statement of theorem `t` is refused"),
    ];
    for (args, expected) in cases {
        let (code, out, err) = run(args, "");
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(expected), "{args:?}: {err}");
        assert!(!err.contains("panicked"), "{args:?}: {err}");
    }
    let (_, _, err) = run(&["prove", &broken], "");
    assert!(err.ends_with("\n  2 | theorem u (p : := sorry\n    |                ^\n"), "{err}");
}

#[test]
fn an_allowed_axiom_that_nothing_declares_is_an_error() {
    let folder = Folder::new();
    // Also below the theorem.
    let file = folder.write("t.lean", "theorem a : 1 = 1 := sorry\naxiom mine : 1 = 2\n");
    let done = folder.write("done.lean", "theorem a : 1 = 1 := rfl\naxiom mine : 1 = 2\n");
    for (args, file) in [("prove", &file), ("check", &done)] {
        for (name, code) in [("mine", 0), ("propext", 0), ("none", 0), ("nosuch", 2)] {
            let (found, out, err) = run(&[args, file, "--allow-axioms", name], "");
            assert_eq!(found, code, "{args} {name}: {out}{err}");
            let said = "--allow-axioms: `nosuch` is no axiom of the file";
            assert_eq!(err.contains(said), code == 2, "{args} {name}: {err}");
        }
    }
}

#[test]
fn what_is_wrong_above_several_theorems_is_told_once() {
    let folder = Folder::new();
    let text = "theorem done : 1 = 1 := rfl\ndef broken := foo\ntheorem a : 1 = 1 := sorry\ntheorem b : 2 = 2 := sorry\n";
    let file = folder.write("t.lean", text);
    let (code, _, err) = run(&["prove", &file], "");
    assert_eq!(code, 2, "{err}");
    assert_eq!(err.matches("def broken := foo").count(), 1, "{err}");
    assert!(err.contains("t.lean:2:15: [1/2, 0 proved] a: refused: "), "{err}");
    assert!(err.contains("\n  2 | def broken := foo\n    |               ^\n"), "{err}");
    assert!(err.contains("t.lean:2:15\n") && err.contains("b: refused for the same reason, at "), "{err}");
    // An unfinished theorem above is left out of what the prover reads.
    let file = folder.write("t.lean", &format!("theorem first (p : Prop) : p := sorry\n{text}"));
    let (_, _, err) = run(&["prove", &file], "");
    assert!(err.contains("t.lean:3:15: "), "{err}");
}

#[test]
fn check_rejects_what_is_not_proved() {
    let folder = Folder::new();
    let cases = [
        ("theorem a : False := sorry", "uses `sorry`"),
        ("theorem a : False := by\n  sorry", "uses `sorry`"),
        ("theorem b : False := sorry\ntheorem a : False := b", "uses `sorry`"),
        ("axiom oops : False\ntheorem a : False := oops", "--allow-axioms oops"),
        ("axiom propext : False\ntheorem a : False := propext", "refuses"),
        ("theorem a : False := trivial", "refuses"),
    ];
    for (text, expected) in cases {
        let file = folder.write("cheat.lean", text);
        let (code, out, err) = run(&["check", &file, "--theorem", "a"], "");
        assert_eq!(code, 1, "{text}: {out}{err}");
        assert!(out.contains("rejected") && out.contains(expected), "{text}: {out}");
    }
    let file = folder.write("example.lean", "theorem a : True := trivial\nexample : False := sorry");
    let (code, out, _) = run(&["check", &file], "");
    assert_eq!((code, out.contains("`_example_1` is not proved")), (1, true), "examples count: {out}");
    let file = folder.write("em.lean", "theorem a (p : Prop) : p ∨ ¬p := Classical.em p");
    let (code, out, _) = run(&["check", &file], "");
    assert_eq!((code, out.contains("axioms: Classical.em")), (0, true), "{out}");
    let file = folder.write("own.lean", "axiom mine : 1 = 2\ntheorem a : 1 = 2 := mine");
    let (code, out, _) = run(&["check", &file, "--allow-axioms", "mine"], "");
    assert_eq!((code, out.contains("axioms: mine")), (0, true), "{out}");
}

#[test]
fn doctor_finds_it_built_in() {
    let (_, out, _) = run(&["doctor"], "");
    assert!(out.contains("ok    mini: embedded prover: mini ") && out.contains(", built in"), "{out}");
}

#[test]
fn a_proof_by_hand_from_a_pipe() {
    let input = "intro h\nconstructor\nexact h.1\n-- the wrong half\ngoal 2\nexact h.1\nundo\n\
                 exact h.1\nexact h.2\nqed\n";
    let (code, out, err) = run(&["repl", "--statement", SWAP], input);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.starts_with("p q : Prop\n⊢ p ∧ q → q ∧ p\n"), "{out}");
    assert!(out.contains("error: "), "the first `exact h.1` fails: {out}");
    assert!(out.contains("case left\np q : Prop\nh : p ∧ q\n⊢ q\n\ncase right\n"), "{out}");
    let proof = format!("no goals\n{SWAP} := by\n  intro h\n  constructor\n  · exact h.2\n  · exact h.1\n");
    assert!(out.ends_with(&proof), "{out}");
    assert!(err.contains("and_swap: proved (level 3, rechecked; no axioms)"), "{err}");
    assert!(!out.contains("mini>"), "no prompt in a pipe: {out}");
}

#[test]
fn lemmas_are_looked_up_by_hand() {
    let folder = Folder::new();
    let file = folder.write(
        "t.lean",
        "def twice (n : Nat) : Nat := n + n\ntheorem twice_zero : twice 0 = 0 := by rfl\n\
         theorem t (n : Nat) (And : n = 0) : twice n = 0 := by sorry\n",
    );
    let input =
        "lookup\nlookup Iff And\nlookup nonsense +\nhelp\nsubst And\nlookup\nexact twice_zero\nlookup\nqed\n";
    let (code, out, err) = run(&["repl", &file, "--theorem", "t", "--json"], input);
    assert_eq!(code, 0, "{out}{err}");
    let replies: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let lemmas = |at: usize| replies[at]["lemmas"].as_array().unwrap().clone();
    let expected = serde_json::json!({"name": "twice_zero", "statement": "twice 0 = 0"});
    assert_eq!(lemmas(1)[0], expected, "{out}");
    assert_eq!(lemmas(1).len(), 20, "{out}");
    assert!(lemmas(2).iter().any(|lemma| lemma["name"] == "And.comm"), "{out}");
    assert_eq!(lemmas(3), [] as [Value; 0]);
    assert!(replies[4]["text"].as_str().unwrap().contains("lookup SYMBOL"));
    assert_eq!(lemmas(6)[0], expected, "{out}");
    assert_eq!(lemmas(8), [] as [Value; 0], "no goals remain");
    let (_, out, _) = run(&["repl", &file, "--theorem", "t"], "lookup twice\nlookup nonsense\n");
    assert!(out.ends_with("twice_zero: twice 0 = 0\nno lemmas\n"), "{out}");
}

#[test]
fn a_proof_by_hand_that_is_not_finished_fails() {
    let cases = [
        ("", false),
        ("intro h\n", false),
        ("intro h\nquit\nexact ⟨h.2, h.1⟩\nqed\n", false),
        ("nonsense\n", true),
        ("qed\n", true),
        ("undo\n", true),
        ("goal 7\n", true),
        ("sorry\nqed\n", true),
    ];
    for (input, has_error) in cases {
        let (code, out, err) = run(&["repl", "--statement", SWAP], input);
        assert_eq!((code, out.contains("error: ")), (1, has_error), "{input}: {out}{err}");
    }
}

#[test]
fn blocks_scripts_and_files() {
    let folder = Folder::new();
    let file = folder.write("t.lean", "def Both (p q : Prop) : Prop := p ∧ q\ntheorem a (p q : Prop) (h : p ∨ q) : q ∨ p := by sorry\ntheorem b : True := sorry\n");
    let input =
        "cases h with\n| inl hp =>\n  right\n  exact hp\n| inr hq => exact Or.inl hq\n\nscript\nqed\n";
    let (code, out, err) = run(&["repl", &file, "--theorem", "a"], input);
    assert_eq!(code, 0, "{out}{err}");
    let block = "  cases h with\n  | inl hp =>\n    right\n    exact hp\n  | inr hq => exact Or.inl hq\n";
    assert!(out.starts_with("p q : Prop\nh : p ∨ q\n⊢ q ∨ p\n") && out.contains(block), "{out}");
    // Without a statement, it is the first line; what is open is shown as `sorry`.
    let (code, out, _) = run(&["repl", "--system", "mini"], "theorem t : True ∧ True\nconstructor\nscript\n");
    assert_eq!(code, 1);
    assert!(out.ends_with("theorem t : True ∧ True := by\n  constructor\n  · sorry\n  · sorry\n"), "{out}");
}

#[test]
fn replies_as_json() {
    let input = "nonsense\nintro h\nexact ⟨h.2, h.1⟩\nqed\n";
    let (code, out, err) = run(&["repl", "--statement", SWAP, "--json"], input);
    assert_eq!(code, 0, "{out}{err}");
    let replies: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let statuses: Vec<&str> = replies.iter().map(|r| r["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["ok", "error", "ok", "ok", "accepted"], "{out}");
    assert_eq!(replies[3]["goals"], Value::Array(Vec::new()));
    assert_eq!(replies[4]["script"], format!("{SWAP} := by\n  intro h\n  exact ⟨h.2, h.1⟩\n"));
}
