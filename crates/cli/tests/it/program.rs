//! The program as its users meet it: arguments in, output and exit codes out.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Folder, andor, left};
use serde_json::{Value, json};

/// Exit code, standard output, standard error.
fn run(args: &[&str]) -> (i32, String, String) {
    finished(&mut andor(args))
}

fn finished(command: &mut Command) -> (i32, String, String) {
    left(command.output().unwrap())
}

#[test]
fn a_statement_is_proved_and_its_proof_printed() {
    let (code, out, err) = run(&["prove", "--statement", "forall n m : nat, n + m = m + n"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("Theorem goal : forall n m : nat, n + m = m + n."), "{out}");
    assert!(out.trim_end().ends_with("Qed."), "{out}");
    assert!(err.contains("goal: proved (level 3, rechecked; no axioms)"), "{err}");
    // What is printed is accepted by itself.
    let folder = Folder::new();
    let file = folder.write("proof.v", &out);
    let (code, out, _) = run(&["check", &file]);
    assert_eq!((code, out.contains("accepted: goal (level 3, rechecked; no axioms)")), (0, true), "{out}");
}

#[test]
fn what_is_false_is_not_proved() {
    let (code, out, err) = run(&["prove", "--statement", "1 = 2", "--max-candidates", "200"]);
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert!(err.contains("goal: not proved"), "{err}");
}

#[test]
fn a_file_with_several_theorems() {
    let folder = Folder::new();
    let file = folder.write(
        "t.v",
        "Require Import Lia.\nSection S.\nVariable k : nat.\nLemma done : k = k.\nProof. reflexivity. Qed.\n\
         Lemma one : k + 0 = k.\nAdmitted.\nEnd S.\nLemma two : forall n, n <= n * n.\nProof.\nAbort.\n\
         Theorem three : False.\nProof. Admitted.\n",
    );
    let (code, out, err) = run(&["prove", &file, "--json", "--max-candidates", "300"]);
    assert_eq!(code, 1, "{err}");
    let rows: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let outcomes: BTreeSet<(&str, &str)> =
        rows.iter().map(|r| (r["theorem"].as_str().unwrap(), r["outcome"].as_str().unwrap())).collect();
    assert_eq!(outcomes, [("one", "accepted"), ("two", "accepted"), ("three", "not_proved")].into(), "{err}");
    let of_two = rows.iter().find(|row| row["theorem"] == "two").unwrap();
    let edit = &of_two["edits"][0];
    let place = ["line", "column", "end_line", "end_column"].map(|key| edit[key].as_u64().unwrap());
    assert_eq!((edit["file"].as_str(), place), (Some(file.as_str()), [9, 34, 11, 7]), "{edit}");
    assert!(edit["replacement"].as_str().unwrap().ends_with("\nQed."), "{edit}");
    let of_three = rows.iter().find(|row| row["theorem"] == "three").unwrap();
    let closest = &of_three["closest"];
    assert_eq!((&closest["goals"], &closest["n_goals"]), (&json!(["⊢ False"]), &json!(1)), "{of_three}");
    assert!(err.contains("\n  left to prove: ⊢ False\n") && err.contains("\n  try --model URL"), "{err}");
    assert!(err.contains("2 of 3 proved, 1 not proved ("), "{err}");
    let row = err.lines().find(|l| l.starts_with("three ")).unwrap();
    assert!(row.contains(" not proved: every candidate tried ") && row.contains(" s "), "{row}");
    let (code, _, err) = run(&["prove", &file, "--theorem", "one"]);
    assert_eq!(code, 0, "{err}");
    let (code, _, err) = run(&["prove", &file, "--theorem", "done"]);
    assert_eq!(code, 2);
    assert!(err.contains("no theorem `done` to prove; available: one, two, three"), "{err}");
}

#[test]
fn mistakes_are_explained_and_end_with_two() {
    let folder = Folder::new();
    let torn = folder.write("torn.jsonl", "{\"id\": \"a\", \"system\": \"rocq\",");
    let unknown = folder.write("unknown.jsonl", r#"{"id": "a", "system": "isabelle", "statement": "x"}"#);
    let unnamed = folder.write("unnamed.jsonl", r#"{"id": "a", "system": "rocq", "statement": "1 = 1."}"#);
    let comment = folder.write("open.v", "(* never closed\nLemma a : True. Admitted.");
    let finished = folder.write("finished.v", "Lemma a : True. Proof. exact I. Qed.");
    let text = folder.write("notes.md", "hello");
    let rules = folder.write("rules.json", r#"{"rules": [{"tactic": "auto"}]}"#);
    let missing = folder.path("missing.v");
    let owned = |args: &[&str]| args.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    let with = |more: &[&str]| owned(&[&["prove", "--statement", "1 = 1"], more].concat());
    let cases: Vec<(Vec<String>, &str)> = vec![
        (owned(&["prove"]), "required"),
        (owned(&["prove", &missing]), "missing.v"),
        (owned(&["prove", &torn]), "torn.jsonl:1: "),
        (owned(&["prove", &unknown]), "known: lean4, mini, rocq"),
        (owned(&["prove", &unnamed]), "names no theorem"),
        (owned(&["prove", &comment]), "open.v"),
        (owned(&["prove", &text]), "unsupported file; supported are `.v`, `.lean`"),
        (owned(&["prove", "--statement", ""]), "the statement is empty"),
        (with(&["--time", "3 weeks"]), "unknown unit"),
        (with(&["--time=-1s"]), "must be positive"),
        (with(&["--policy", "random"]), "possible values: ucb1, puct, blind-uniform, best-first"),
        (with(&["--workers", "0"]), "--workers: must be at least 1"),
        (with(&["--step-discount", "2"]), "--step-discount"),
        (with(&["--provider", "oracle"]), "choose heuristic"),
        (with(&["--provider", &format!("scripted={rules}")]), "unknown field `tactic`"),
        (with(&["--provider", "learned="]), "learned= needs the path of a file"),
        (with(&["--provider", "scripted=/nowhere/rules.json"]), "/nowhere/rules.json"),
        (with(&["--provider", "synthetic"]), "does not support the system `rocq`"),
        (with(&["-Q", "nowhere", "X"]), "-Q: `"),
        (with(&["--resume"]), "--out"),
        (with(&["extra.v"]), "cannot be used with"),
        (with(&["--project", "nowhere"]), "--project: `"),
        (owned(&["prove", &finished, "--import", "Lia"]), "cannot be used with"),
        (owned(&["show", &folder.path("")]), "is not a run folder"),
        (owned(&["check", &missing]), "missing.v"),
        (owned(&["check", &text]), "the name ends in none of"),
        (owned(&["check", &comment]), "malformed"),
        (owned(&["conjure"]), "unrecognized subcommand"),
    ];
    for (args, expected) in cases {
        let (code, out, err) = run(&args.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(expected), "{args:?}: {err}");
        assert!(!err.contains("panicked"), "{args:?}: {err}");
    }
}

#[test]
fn a_theorem_that_rocq_refuses_is_no_failure_of_the_machinery() {
    let (code, out, err) = run(&["prove", "--statement", "forall n : nut, n = n"]);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert!(err.contains("goal: refused") && err.contains("nut"), "{err}");
}

#[test]
fn a_missing_prover_is_named_with_its_remedy() {
    let empty = Folder::new();
    let statement = ["prove", "--statement", "1 = 1"];
    let (code, out, err) = finished(andor(&statement).env("PATH", empty.path("")));
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert!(err.contains("coqidetop") && err.contains("apt-get install coq"), "{err}");
    let (code, out, _) = finished(andor(&["doctor"]).env("PATH", empty.path("")));
    assert_eq!(code, 2);
    assert!(out.contains("MISS  rocq") && out.contains("apt-get install coq"), "{out}");
}

#[test]
fn doctor_finds_what_is_installed() {
    let (code, out, _) = run(&["doctor"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("ok    rocq: Rocq interactive server:"), "{out}");
    let (_, out, _) = run(&["doctor", "--json"]);
    let findings: Value = serde_json::from_str(&out).unwrap();
    assert!(findings.as_array().unwrap().iter().any(|f| f["system"] == "rocq" && f["found"].is_string()));
}

#[test]
fn check_rejects_what_is_not_proved() {
    let folder = Folder::new();
    let cases = [
        ("Lemma a : False. Proof. Admitted.", "a"),
        ("Axiom oops : False.\nLemma a : False. Proof. exact oops. Qed.", "oops"),
        ("Axiom Constant : False.\nLemma a : False. Proof. exact Constant. Qed.", "Constant"),
        ("Lemma a : True. Proof. exact 0. Qed.", "rejects"),
        ("Lemma a : 1 = 1. Proof. admit. Admitted.", "a"),
        ("Fixpoint f (n : nat) : False := f n.\nLemma a : False. Proof. exact (f 0). Qed.", "rejects"),
        (
            "Unset Guard Checking.\nFixpoint f (n : nat) : False := f n.\n\
             Lemma a : False. Proof. exact (f 0). Qed.",
            "`Unset Guard Checking` at byte 0 turns off a kernel check",
        ),
        ("Lemma a : True. Proof. fail \"Stack overflow\". Qed.", "Tactic failure: Stack overflow"),
        (
            "Hammer a.\nLemma a : True. Proof. exact I. Qed.",
            "`Hammer` at byte 0 does not begin a known command",
        ),
        ("Section S.\nVariable h : False.\nLemma a : False. Proof. exact h. Qed.", "h"),
    ];
    for (text, expected) in cases {
        let file = folder.write("cheat.v", text);
        let (code, out, err) = run(&["check", &file, "--theorem", "a"]);
        assert_eq!(code, 1, "{text}: {out}{err}");
        assert!(out.contains("rejected") && out.contains(expected), "{text}: {out}");
    }
    let file = folder.write(
        "classic.v",
        "From Coq Require Import Classical.\nLemma a (P : Prop) : P \\/ ~ P. Proof. apply classic. Qed.",
    );
    let (code, out, _) = run(&["check", &file, "--json"]);
    assert_eq!(code, 1);
    let verdict: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(verdict["reason"], "axiom", "{verdict}");
    assert_eq!(verdict["allow_axioms"], "classical", "{verdict}");
    let (code, out, _) = run(&["check", &file, "--allow-axioms", "classical"]);
    assert_eq!((code, out.contains("axioms: ")), (0, true), "{out}");
    // Axioms of the file under the names of allowed ones.
    for axiom in
        ["Axiom classic : False.", "Module Classical_Prop. Axiom classic : False. End Classical_Prop."]
    {
        let name = if axiom.starts_with("Module") { "Classical_Prop.classic" } else { "classic" };
        let text = format!(
            "From Coq Require Import Classical.\n{axiom}\nLemma a : False. Proof. exact {name}. Qed."
        );
        let file = folder.write("shadow.v", &text);
        let (code, out, _) = run(&["check", &file, "--theorem", "a", "--allow-axioms", "classical"]);
        assert_eq!((code, out.contains("rejected")), (1, true), "{text}: {out}");
    }
    // What a script prints is no answer.
    let file = folder.write(
        "spoof.v",
        "Axiom evil : False.\nLemma a : False.\nProof.\n\
         idtac \"Constant Coq.Logic.Classical_Prop.classic\".\n\
         idtac \"  (shorter name to refer to it in current context is evil)\".\n\
         idtac \"Closed under the global context\".\nexact evil.\nQed.",
    );
    let (code, out, _) = run(&["check", &file, "--theorem", "a", "--allow-axioms", "classical"]);
    assert_eq!((code, out.contains("`evil`")), (1, true), "{out}");
    let file = folder.write("own.v", "Axiom mine : 1 = 2.\nLemma a : 1 = 2. Proof. exact mine. Qed.");
    let (code, out, _) = run(&["check", &file, "--theorem", "a", "--allow-axioms", "mine"]);
    assert_eq!((code, out.contains("axioms: mine")), (0, true), "{out}");
}

#[test]
fn rows_that_are_refused_are_listed_and_the_others_are_proved() {
    let folder = Folder::new();
    let good = r#"{"id": "a", "system": "mini", "statement": "theorem a : True"}"#;
    let last = r#"{"id": "c", "system": "mini", "statement": "theorem c : 1 = 1"}"#;
    let rows = folder.write("rows.jsonl", &format!("{good}\n{{\"id\": \"b\"\n{last}\n"));
    let (code, out, err) = run(&["prove", &rows, "--json", "--limit", "0"]);
    assert_eq!((code, out.matches("\"accepted\"").count()), (1, 2), "{out}{err}");
    assert!(err.contains("note: 1 is refused and listed at the end; continuing with the other 2"), "{err}");
    let end = err.split("1 row was refused:").nth(1).unwrap();
    assert!(end.contains("line 2: not a JSON object (column"), "{err}");
    // Where one theorem is asked for, the others do not matter.
    assert_eq!(run(&["prove", &rows, "--theorem", "c"]).0, 0);
    let (code, out, err) = run(&["run", &rows, "--limit", "1", "--out", &folder.path("run")]);
    assert_eq!((code, err.contains("1 row was refused:")), (1, true), "{out}{err}");
}

#[test]
fn a_theorem_in_a_module_of_its_header_is_proved_and_located() {
    let folder = Folder::new();
    let row = r#"{"id": "m", "system": "rocq", "header": "Module M.\nSection S.\nVariable n : nat.\n", "statement": "Lemma a : n = n."}"#;
    let rows = folder.write("rows.jsonl", row);
    let place = r#"{"url": "u", "commit": "c", "file_path": "M.v", "full_name": "m"}"#;
    let places = folder.write("places.jsonl", place);
    let out = folder.path("run");
    let (code, _, err) = run(&["run", &rows, "--locations", &places, "--verify", "3", "--out", &out]);
    assert_eq!(code, 0, "{err}");
    let (_, results, _) = run(&["results", &out, "--format", "bfs-prover"]);
    let result: Value = serde_json::from_str(&results).unwrap();
    assert_eq!((&result["file_path"], &result["full_name"]), (&"M.v".into(), &"M.a".into()), "{result}");
}

/// For each set of axioms a proof that rests on one of its members.
const PROOFS_BY_SET: &[(&str, &str)] = &[
    ("reals", "Reals. Lemma a (x : R) : (x + 0)%R = x. Proof. apply Rplus_0_r. Qed."),
    ("classical", "Classical. Lemma a (P : Prop) : P \\/ ~ P. Proof. apply classic. Qed."),
    (
        "funext",
        "FunctionalExtensionality. Lemma a (f g : nat -> nat) : (forall x, f x = g x) -> f = g. \
         Proof. apply functional_extensionality. Qed.",
    ),
    (
        "propext",
        "PropExtensionality. Lemma a (P Q : Prop) : (P <-> Q) -> P = Q. \
         Proof. apply propositional_extensionality. Qed.",
    ),
    (
        "proof-irrelevance",
        "ProofIrrelevance. Lemma a (P : Prop) (x y : P) : x = y. Proof. apply proof_irrelevance. Qed.",
    ),
    (
        "choice",
        "IndefiniteDescription. Lemma a (P : nat -> Prop) : (exists x, P x) -> {x | P x}. \
         Proof. apply constructive_indefinite_description. Qed.",
    ),
    (
        "eq-rect-eq",
        "Eqdep. Lemma a (P : nat -> Type) n (x y : P n) : existT P n x = existT P n y -> x = y. \
         Proof. apply inj_pair2. Qed.",
    ),
    ("primitives", "Uint63. Lemma a : (1 + 1 = 2)%uint63. Proof. reflexivity. Qed."),
];

#[test]
fn every_set_of_axioms_is_listed_and_allows_its_members() {
    let folder = Folder::new();
    let (_, help, _) = run(&["prove", "--help"]);
    let (code, _, err) = run(&["check", "none.v", "--allow-axioms", "no-such-set"]);
    assert_eq!((code, err.contains("--allow-axioms") && err.contains("sets")), (2, true), "{err}");
    for (set, proof) in PROOFS_BY_SET {
        assert!(help.split([' ', ',', '\n']).any(|word| word == *set), "help does not list `{set}`");
        let file = folder.write("a.v", &format!("From Coq Require Import {proof}"));
        // Some of them are about what the statement already depends on.
        let (code, out, err) = run(&["check", &file, "--verify", "2", "--json", "--allow-axioms", "none"]);
        assert_eq!((code, out.contains("\"axiom\"")), (1, true), "{set}: {out}{err}");
        assert!(out.contains(&format!("\"allow_axioms\":\"{set}\"")), "{set}: {out}");
        let (code, out, err) = run(&["check", &file, "--verify", "2", "--allow-axioms", set]);
        assert_eq!(code, 0, "{set}: {out}{err}");
    }
}

#[test]
fn the_files_of_a_run_can_be_shown() {
    let folder = Folder::new();
    let out_folder = folder.path("RUN");
    let prove = ["prove", "--statement", "True /\\ 1 = 1", "--out", &out_folder];
    let (code, _, err) = run(&prove);
    assert_eq!(code, 0, "{err}");
    let (code, text, _) = run(&["show", &out_folder]);
    assert_eq!(code, 0);
    assert!(text.contains("✓") && text.contains("⊢ True /\\ 1 = 1"), "{text}");
    let (_, drawing, _) = run(&["show", &out_folder, "--dot"]);
    assert!(drawing.starts_with("digraph search {") && drawing.contains("palegreen"), "{drawing}");
    let (_, json, _) = run(&["show", &out_folder, "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["nodes"][0]["status"], "proved");
    let (_, graphml, _) = run(&["show", &out_folder, "--graphml"]);
    assert!(graphml.starts_with("<?xml") && graphml.contains("⊢ True /\\ 1 = 1"), "{graphml}");
    let (_, json, _) = run(&["show", &out_folder, "--cytoscape"]);
    let elements = &serde_json::from_str::<Value>(&json).unwrap()["elements"];
    assert_eq!(elements["nodes"][0]["data"]["status"], "proved");
    assert_eq!(elements["edges"][0]["data"]["source"], elements["nodes"][0]["data"]["id"]);
    let attempt = format!("{out_folder}/theorems/goal/attempt-1");
    assert_eq!(run(&["show", &format!("{attempt}/graph.json")]), (0, text, String::new()));
    let graph = format!("{attempt}/graph.json");
    let kept = fs_err::read(&graph).unwrap();
    fs_err::remove_file(&graph).unwrap();
    let (code, _, err) = run(&["show", &attempt]);
    assert!(code == 2 && err.contains("draw the search from") && err.contains("trace.jsonl"), "{err}");
    fs_err::write(&graph, kept).unwrap();
    let (code, _, err) = run(&["show", &attempt, "--theorem", "goal"]);
    assert_eq!((code, err.contains("--theorem applies to a run folder")), (2, true), "{err}");
    let (code, _, err) = run(&["show", &out_folder, "--theorem", "other"]);
    assert_eq!((code, err.contains("it has: goal")), (2, true), "{err}");
    let (code, _, err) = run(&prove);
    assert_eq!((code, err.contains("--resume")), (2, true), "{err}");
    let (code, again, err) = run(&[&prove[..], &["--resume"]].concat());
    assert_eq!((code, again.contains("Qed.")), (0, true), "{err}");
}

#[test]
fn a_proof_by_hand() {
    let statement = "forall n : nat, n = n /\\ n + 0 = n";
    let mut command = andor(&["repl", "--statement", statement, "--import", "Lia"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let input = "intros n.\nsplit\nnonsense\nreflexivity\nundo\nreflexivity\nscript\nlia\nqed\n";
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{out}");
    assert!(out.contains("⊢ n = n\n\n") && out.contains("error: ") && out.contains("admit."), "{out}");
    assert!(out.trim_end().ends_with("Qed."), "{out}");
}

#[test]
fn documents_for_shells_and_man() {
    for shell in ["bash", "zsh", "fish"] {
        let (code, out, _) = run(&["completions", shell]);
        assert!(code == 0 && out.contains("andor"), "{shell}");
    }
    let (code, out, _) = run(&["man"]);
    assert!(code == 0 && out.contains(".TH andor"), "{out}");
    let folder = Folder::new();
    assert_eq!(run(&["man", "--out", &folder.path("man")]).0, 0);
    assert!(Path::new(&folder.path("man/andor-prove.1")).exists());
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut command = andor(&["completions", "zsh"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}
