//! Judging proofs made by anyone: `andor check`.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use crate::support::{Folder, andor, left};
use andor_testkit::lean;
use serde_json::{Value, json};

/// Exit code, standard output, standard error.
fn run(args: &[&str]) -> (i32, String, String) {
    left(andor(args).output().unwrap())
}

/// The verdict as JSON, with the exit code.
fn verdict(args: &[&str]) -> (i32, Value) {
    let (code, out, err) = run(&[&["check", "--json"], args].concat());
    (code, serde_json::from_str(&out).unwrap_or_else(|e| panic!("{args:?}: {e}: {out}{err}")))
}

/// A file that states a theorem, one that proves it, and one that proves less, for a system.
struct Files {
    task: &'static str,
    proof: &'static str,
    weaker: &'static str,
    ending: &'static str,
}

const ROCQ: Files = Files {
    task: "Theorem a : 1 + 1 = 2.\nProof. Admitted.\n",
    proof: "Lemma helper : 1 = 1. Proof. reflexivity. Qed.\nTheorem a : 1 + 1 = 2.\nProof. reflexivity. Qed.\n",
    weaker: "Theorem a : 1 = 1.\nProof. reflexivity. Qed.\n",
    ending: "v",
};

const MINI: Files = Files {
    task: "theorem a : 1 + 1 = 2 := sorry\n",
    proof: "theorem helper : 1 = 1 := rfl\ntheorem a : 1 + 1 = 2 := rfl\n",
    weaker: "theorem a : 1 = 1 := rfl\n",
    ending: "lean",
};

#[test]
fn a_proof_is_judged_against_the_file_that_states_it() {
    for files in [ROCQ, MINI] {
        let folder = Folder::new();
        let name = |name: &str| format!("{name}.{}", files.ending);
        let task = folder.write(&name("task"), files.task);
        let proof = folder.write(&name("proof"), files.proof);
        let weaker = folder.write(&name("weaker"), files.weaker);
        let (code, out, err) = run(&["check", &proof, "--statement-from", &task]);
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.contains("accepted: a (level 3, rechecked; no axioms)\n"), "{out}");
        assert!(out.contains(&format!("  statement: as in {task}\n")), "{out}");
        let (code, record) = verdict(&[&proof, "--theorem", "a", "--statement-from", &task]);
        assert_eq!((code, &record["verdict"], &record["level"]), (0, &json!("accepted"), &json!(3)));
        assert_eq!((&record["theorems"], &record["statement_from"]), (&json!(["a"]), &json!(task)));
        assert_eq!((&record["demanded"], &record["shortfall"]), (&Value::Null, &Value::Null));
        let (code, record) = verdict(&[&weaker, "--statement-from", &task]);
        assert_eq!((code, &record["verdict"], &record["level"]), (1, &json!("rejected"), &json!(2)));
        assert_eq!(record["reason"], "statement", "{record}");
        // What is proved beside it does not matter, unless it is asked for.
        let (code, record) = verdict(&[&proof]);
        assert_eq!((code, &record["theorems"]), (0, &json!(["helper", "a"])));
    }
}

#[test]
fn a_file_that_states_its_own_theorems_is_told_so() {
    for files in [ROCQ, MINI] {
        let folder = Folder::new();
        let proof = folder.write(&format!("proof.{}", files.ending), files.proof);
        let (code, out, _) = run(&["check", &proof, "--verify", "compiled"]);
        assert_eq!(code, 0, "{out}");
        assert!(
            out.contains("accepted: 2 theorems (level 1, compiled; no axioms)\n  helper\n  a\n"),
            "{out}"
        );
        assert!(
            out.contains("  statement: taken from this file, header included; take it from a trusted file with --statement-from"),
            "{out}"
        );
        let (_, record) = verdict(&[&proof, "--verify", "1"]);
        assert_eq!((&record["level"], &record["demanded"]), (&json!(1), &json!(1)));
        assert_eq!(record["statement_from"], Value::Null);
    }
}

#[test]
fn what_people_and_models_send_is_taken() {
    let folder = Folder::new();
    let task = folder.write(
        "Task.v",
        "Definition two := 2.\nTheorem a : two = 2.\nAdmitted.\nTheorem b : two = 3.\nAdmitted.\n",
    );
    let rows = folder.write(
        "rows.jsonl",
        "{\"name\": \"a\", \"formal_statement\": \"theorem a : 1 + 1 = 2 := by sorry\"}\n{\"id\": \"b\", \"statement\": \"theorem b (p : Prop) : p → p\"}\n",
    );
    let alone = folder.write("alone.v", "Proof.\n  reflexivity.\nQed.\n");
    let tactic =
        folder.write("tactic.md", "I would try\n```coq\nauto.\n```\nor\n```coq\nreflexivity.\n```\n");
    let imports = folder
        .write("imports.v", "From My Require Import Task.\nTheorem a : two = 2.\nProof. reflexivity. Qed.\n");
    let block = folder.write("answer.md", "Here:\n```lean\ntheorem a : 1 + 1 = 2 := by\n  rfl\n```\n");
    let by = folder.write("by.txt", "by\n  intro h\n  exact h\n");
    for (file, from, theorem, more) in [
        (&alone, &task, "a", None),
        (&tactic, &task, "a", Some("only the block of code at line ")),
        (
            &imports,
            &task,
            "a",
            Some("it imports `My.Task`, the module that states the theorem, so its proof was judged in"),
        ),
        (&block, &rows, "a", Some("only the block of code at line ")),
        (&by, &rows, "b", None),
    ] {
        let args = ["check", file, "--statement-from", from, "--theorem", theorem, "--verify", "audited"];
        let system: &[&str] = if from == &rows { &["--system", "mini"] } else { &[] };
        let (code, out, err) = run(&[&args, system].concat());
        assert_eq!(code, 0, "{file}: {out}{err}");
        assert!(out.contains(&format!("accepted: {theorem} (level 2")), "{out}");
        assert!(more.is_none_or(|more| out.contains(more)), "{out}");
    }
    let (code, out, _) = run(&["check", &alone, "--statement-from", &task, "--theorem", "b"]);
    assert!(code == 1 && out.contains("rejected at level 1"), "{out}");
    let (code, out, _) = run(&["check", &imports, "--statement-from", &task, "--theorem", "b"]);
    assert!(
        code == 1 && out.contains("it imports `My.Task`; if that is the module that states the theorem"),
        "{out}"
    );
    // A file of that name need not be the one that states the theorem.
    let task = folder
        .write("List.v", "Require Import Coq.Lists.List.\nTheorem a : length (1 :: nil) = 1.\nAdmitted.\n");
    let proof = "Require Import Coq.Lists.List.\nLemma helper : length (1 :: nil) = 1. Proof. reflexivity. Qed.\n\
                 Theorem a : length (1 :: nil) = 1.\nProof. exact helper. Qed.\n";
    let proof = folder.write("proof.v", proof);
    let (code, out, _) = run(&["check", &proof, "--statement-from", &task, "--verify", "audited"]);
    assert!(code == 0 && !out.contains("note:"), "{out}");
    let (code, _, err) = run(&["check", &block, "--statement-from", &rows, "--system", "mini"]);
    assert!(code == 2 && err.contains("states 2 theorems; say with --theorem NAME"), "{err}");
    // Standard input.
    let mut child = andor(&["check", "-", "--statement-from", &task, "--theorem", "a"]);
    let out = left(child.stdin(fs_err::File::open(&alone).unwrap().into_parts().0).output().unwrap());
    assert!(out.0 == 0 && out.1.starts_with("-: accepted: a "), "{out:?}");
}

#[test]
fn each_of_several_files_and_theorems_has_a_line() {
    let folder = Folder::new();
    let good = folder.write("good.lean", MINI.proof);
    let mixed = folder.write("mixed.lean", "theorem a : 1 = 1 := rfl\ntheorem b : 1 = 2 := sorry\n");
    let missing = folder.path("missing.lean");
    let (code, out, err) = run(&["check", &good, &mixed, &missing, &good]);
    assert_eq!(code, 2, "{out}{err}");
    assert_eq!(out.matches("good.lean: accepted: 2 theorems").count(), 2, "{out}");
    assert!(
        out.contains("mixed.lean: rejected at level") && out.contains("\n  a: accepted (level 3"),
        "{out}"
    );
    assert!(out.contains("\n  b: rejected at level"), "{out}");
    assert!(err.contains("missing.lean"), "{err}");
    let (code, out, _) = run(&["check", &good, &missing, "--json"]);
    let verdicts: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (code, &verdicts[0]["verdict"], &verdicts[1]["verdict"]),
        (2, &json!("accepted"), &json!("unusable"))
    );
}

#[test]
fn everything_that_a_file_states_is_judged_or_named() {
    let folder = Folder::new();
    let both =
        folder.write("both.v", "Theorem a (n : nat) : n = n\nwith b (n : nat) : n = 2.\nProof.\nAdmitted.\n");
    let one = folder.write("one.v", "Theorem a (n : nat) : n = n.\nProof. reflexivity. Qed.\n");
    let (code, out, err) = run(&["check", &one, "--statement-from", &both]);
    assert!(code == 1 && out.contains("b: rejected") && out.contains("a: accepted"), "{out}{err}");
    let open = "Section S.\nLet x : 1 = 2.\nProof. Admitted.\nTheorem a : 1 = 1.\nProof. reflexivity. Qed.\nEnd S.\n";
    let (code, out, err) = run(&["check", &folder.write("open.v", open)]);
    assert!(
        code == 0 && out.contains("note: not judged, though the file leaves it open: line 2: `Let x"),
        "{out}{err}"
    );
}

#[test]
fn what_does_not_hold_is_rejected_with_a_reason() {
    let folder = Folder::new();
    let cases = [
        ("cheat.v", "Axiom no : False.\nTheorem a : False. Proof. exact no. Qed.", "axiom"),
        ("wrong.v", "Theorem a : False. Proof. exact I. Qed.", "refused"),
        ("cheat.lean", "axiom no : False\ntheorem a : False := no\n", "axiom"),
        ("sorry.lean", "theorem a : False := sorry\n", "unproved"),
        ("wrong.lean", "theorem a : False := trivial\n", "refused"),
        ("other.lean", "theorem b : True := trivial\n", "missing"),
    ];
    let task = [("v", "Theorem a : False. Admitted."), ("lean", "theorem a : False := sorry\n")]
        .map(|(ending, text)| folder.write(&format!("task.{ending}"), text));
    for (name, text, reason) in cases {
        let file = folder.write(name, text);
        let task = &task[usize::from(name.ends_with("lean"))];
        // A file that does not state it is compared with one that does.
        let trusted: &[&str] = if reason == "missing" { &["--statement-from", task] } else { &[] };
        let args = [&[&*file, "--theorem", "a"], trusted].concat();
        let (code, record) = verdict(&args);
        assert_eq!((code, &record["verdict"], &record["reason"]), (1, &json!("rejected"), &json!(reason)));
        assert!(record["message"].as_str().is_some_and(|m| !m.is_empty()), "{record}");
        let (code, out, _) = run(&[&["check"], &args[..]].concat());
        assert_eq!((code, out.contains("rejected at level ")), (1, true), "{out}");
    }
    // One that is not there at all is rejected, too.
    let file = folder.write("other.v", "Theorem b : True. Proof. exact I. Qed.");
    let (code, record) = verdict(&[&file, "--statement-from", &task[0]]);
    assert_eq!((code, &record["verdict"]), (1, &json!("rejected")), "{record}");
}

#[test]
fn a_proof_with_imports_for_a_statement_without_is_told_of_lean4() {
    let folder = Folder::new();
    let task = folder.write("task.lean", MINI.task);
    let proof = folder.write("proof.lean", &format!("import Init\n{}", MINI.proof));
    let (code, out, err) = run(&["check", &proof, "--statement-from", &task]);
    let told = format!("`mini` was asked because {task} has none: --system lean4 asks Lean 4");
    assert!(code == 1 && out.contains(&told), "{code}: {out}{err}");
    let mut check = andor(&["check", &proof, "--statement-from", &task, "--system", "lean4"]);
    let (code, out, err) = left(check.env("LEAN_SYSROOT", lean::sysroot()).output().unwrap());
    assert_eq!(code, 0, "{out}{err}");
}

/// The difference comes first; then what Rocq says, in words that its reader knows.
#[test]
fn another_statement_is_told_without_names_of_ours() {
    let folder = Folder::new();
    let types = "Inductive t := a | b.\nDefinition f (x : t) := match x with a => b | b => a end.\n";
    let theorem = "Theorem g : forall x : t, f (f x) = x.";
    let proof = "Proof. destruct x; reflexivity. Qed.\n";
    let challenge = folder.write("challenge.v", &format!("{types}{theorem} Admitted.\n"));
    let as_stated = format!("{types}{theorem} {proof}");
    for (submission, said) in [
        (as_stated.replace("= x.", "= f (f x)."), "`g` has a different statement in the submission\n"),
        (
            as_stated.replace("a => b | b => a", "a => a | b => b"),
            "`f` has a different value in the submission\n",
        ),
        (as_stated.replace("destruct x", "destruct y"), "submission.v:3:"),
    ] {
        let submission = folder.write("submission.v", &submission);
        let (code, out, err) = run(&["check", &submission, "--statement-from", &challenge]);
        assert!(code == 1 && out.contains(said) && !out.contains("andor_"), "{out}{err}");
    }
}

#[test]
fn what_cannot_be_judged_is_explained_and_ends_with_two() {
    let folder = Folder::new();
    let write = |name: &str, text: &str| folder.write(name, text);
    let proof = write("proof.v", ROCQ.proof);
    let lean = write("proof.lean", MINI.proof);
    let task = write("task.v", ROCQ.task);
    let empty = write("empty.v", " \n");
    let none = write("none.v", "Definition x := 1.\n");
    let large = write("large.v", &format!("(* {} *) {}", "large ".repeat(200_000), ROCQ.proof));
    let too_large = "large.v: the file is larger than 1 MB; --max-file-size allows more";
    let broken = write("broken.v", "Theorem a : True. (* never closed");
    let notes = write("notes.txt", "hello");
    let latin = folder.path("latin.v");
    fs_err::write(&latin, b"(* caf\xe9 *)").unwrap();
    fs_err::create_dir(folder.path("folder.v")).unwrap();
    let (folder_v, missing) = (folder.path("folder.v"), folder.path("missing.v"));
    let cases: &[(&[&str], &str)] = &[
        (&[&missing], "missing.v"),
        (&[&folder_v], "this is a folder"),
        (&[&latin], "UTF-8"),
        (&[&empty], "the file is empty"),
        (&[&none], "no theorem was found"),
        (&[&large, "--max-file-size", "1"], too_large),
        (&[&proof, "--statement-from", &large, "--max-file-size", "1"], too_large),
        (&[&broken], "malformed"),
        (&[&notes], "the name ends in none of `.lean`, `.v`; name its system"),
        (&[&proof, "--statement-from", &missing], "missing.v"),
        (&[&proof, "--statement-from", &empty], "empty.v: the file is empty"),
        (&[&proof, "--statement-from", &broken], "broken.v:1:19: malformed file"),
        (&[&proof, "--statement-from", &lean], "proof.lean: a mini file cannot state the theorems of"),
        (&[&proof, "--statement-from", &task, "--theorem", "b"], "has no theorem `b`; it has: a"),
        (&[&lean, "--statement-from", &lean, "--theorem", "b"], "it has: a, helper"),
        (&[&proof, "--theorem", "hepler"], "has no theorem `hepler`; it has: helper, a"),
        (&[&lean, "--theorem", "hepler"], "has no theorem `hepler`; it has: helper, a"),
        (&[&proof, "--statement-from", &task, "--verify", "1"], "compared only at level 2"),
    ];
    for (args, expected) in cases {
        let (code, out, err) = run(&[&["check"], *args].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(expected), "{args:?}: {err}");
        // A program that asked is answered where it reads.
        let (code, record) = verdict(args);
        assert_eq!((code, &record["verdict"]), (2, &json!("unusable")), "{args:?}: {record}");
        assert!(record["message"].as_str().unwrap().contains(expected), "{args:?}: {record}");
    }
}

#[test]
fn a_theorem_that_is_given_by_a_term_is_judged_like_others() {
    let folder = Folder::new();
    let text = "Theorem a : 1 = 1. Proof. reflexivity. Qed.\nExample b : 1 + 1 = 2 := eq_refl.\n";
    let (code, record) = verdict(&[&folder.write("proof.v", text)]);
    assert_eq!((code, &record["theorems"]), (0, &json!(["a", "b"])), "{record}");
    let cheat = "Axiom no : False.\nExample b : 1 + 1 = 3 := match no with end.\n";
    let (code, record) = verdict(&[&folder.write("cheat.v", cheat)]);
    assert_eq!((code, &record["reason"]), (1, &json!("axiom")), "{record}");
}

#[test]
fn a_file_that_keeps_a_level_from_finishing_is_not_accepted_below_it() {
    let folder = Folder::new();
    // `coqc` computes this in a virtual machine, `coqchk` does not.
    let slow = "Fixpoint ack (m : nat) : nat -> nat := match m with 0 => S | S m => fix go n := \
                match n with 0 => ack m 1 | S n => ack m (go n) end end.\n\
                Lemma slow : Nat.eqb (ack 3 10) (ack 3 10) = true. Proof. vm_compute. reflexivity. Qed.\n";
    let task = folder.write("task.v", ROCQ.task);
    let proof = folder.write("proof.v", &format!("{slow}{}", ROCQ.proof));
    let args = [&*proof, "--statement-from", &task];
    let (code, out, err) = run(&[&["check", "--check-timeout", "20s"], &args[..]].concat());
    assert_eq!((code, out.contains("accepted: ")), (2, false), "{out}{err}");
    assert!(out.contains("could not be judged at level ") && out.contains("--check-timeout"), "{out}");
    let (code, record) = verdict(&[&args[..], &["--verify", "audited"]].concat());
    assert_eq!((code, &record["verdict"]), (0, &json!("accepted")), "{record}");
}

#[test]
fn what_the_second_judge_says_is_told_and_can_be_demanded() {
    let folder = Folder::new();
    let file = folder.write("proof.lean", MINI.proof);
    let failing = PathBuf::from(folder.path("failing"));
    fs_err::create_dir_all(failing.join("bin")).unwrap();
    let program = folder.write("failing/bin/lean", "#!/bin/sh\nexit 1\n");
    fs_err::set_permissions(program, PermissionsExt::from_mode(0o755)).unwrap();
    for (sysroot, expected, accepted) in
        [(None, "absent", false), (Some(lean::sysroot()), "accepted", true), (Some(failing), "silent", false)]
    {
        let judged = |required: &[&str]| {
            let mut command = andor(&[&["check", "--json", &file], required].concat());
            command.env("PATH", "").env("HOME", folder.path("")).env_remove("LEAN_SYSROOT");
            command.envs(sysroot.as_ref().map(|sysroot| ("LEAN_SYSROOT", sysroot)));
            let (code, out, err) = left(command.output().unwrap());
            (code, serde_json::from_str::<Value>(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}")))
        };
        let (code, record) = judged(&[]);
        assert_eq!(
            (code, &record["level"], &record["second_judge"]),
            (0, &json!(3), &json!(expected)),
            "{record}"
        );
        assert_eq!(record["second_judge_silence"].is_string(), expected == "silent", "{record}");
        let (code, record) = judged(&["--second-judge", "required"]);
        assert_eq!(
            (code, record["verdict"] == "accepted"),
            (if accepted { 0 } else { 2 }, accepted),
            "{record}"
        );
    }
}

#[test]
fn a_level_that_cannot_be_had_is_no_acceptance() {
    let folder = Folder::new();
    let file = folder.write("proof.lean", MINI.proof);
    let (code, out, err) = run(&["check", &file, "--verify", "judged"]);
    assert_eq!(code, 2, "{out}{err}");
    assert!(
        out.contains("could not be judged at level 4 (judged): accepted only at level 3 (rechecked): "),
        "{out}"
    );
    let (code, record) = verdict(&[&file, "--verify", "4"]);
    assert_eq!((code, &record["verdict"], &record["level"]), (2, &json!("infrastructure"), &json!(4)));
    assert!(record["message"].as_str().unwrap().starts_with("accepted only at level 3 (rechecked): "));
    // What is wrong is wrong at any level.
    let file = folder.write("wrong.lean", "theorem a : False := sorry\n");
    assert_eq!(verdict(&[&file, "--verify", "4"]).0, 1);
    // As far as possible is another matter.
    let file = folder.write("proof.lean", MINI.proof);
    let (code, out, _) = run(&["check", &file, "--verify", "best"]);
    assert_eq!((code, out.contains("  no further: ")), (0, true), "{out}");
}

#[test]
fn a_byte_order_mark_is_nothing() {
    let folder = Folder::new();
    for files in [ROCQ, MINI] {
        let name = |name: &str| format!("{name}.{}", files.ending);
        let proof = folder.write(&name("proof"), &format!("\u{feff}{}", files.proof));
        let (code, out, err) = run(&["check", &proof]);
        assert_eq!(code, 0, "{out}{err}");
    }
}
