//! Files of Rocq projects: what the project binds is bound, and their modules are those that a real compiler made.

use std::path::Path;
use std::process::Command;

use crate::support::{Folder, andor, left};
use andor_testkit::lean;
use serde_json::Value;

const SIBLING: &str = "Definition two := 2.\nLemma two_is : two = 1 + 1. Proof. reflexivity. Qed.\n";
const TASK: &str = "Require Import Sibling.\nTheorem t : two = 2.\nProof. Admitted.\n";
const PROOF: &str = "Require Import Sibling.\nTheorem t : two = 2.\nProof. exact two_is. Qed.\n";

/// Compiles a file as a build would, in the folder of the project.
#[expect(clippy::disallowed_methods, reason = "a build runs the compiler, too")]
fn compile(folder: &Folder, bound: &str, file: &str) {
    let mut coqc = Command::new("coqc");
    let done = coqc.args(["-R", bound, "Proj", file]).current_dir(folder.path("")).status().unwrap();
    assert!(done.success(), "{file}");
}

/// A project whose `theories` hold a module and a file that requires it by its short name.
fn project(file: &str, text: &str) -> (Folder, String, String) {
    let folder = Folder::new();
    fs_err::create_dir_all(folder.path("theories/sub")).unwrap();
    folder.write(file, text);
    folder.write("theories/Sibling.v", SIBLING);
    let task = folder.write("theories/sub/Task.v", TASK);
    let proof = folder.write("theories/sub/Proof.v", PROOF);
    (folder, task, proof)
}

#[test]
fn files_that_require_a_sibling_open() {
    let (folder, task, proof) = project("_CoqProject", "-R theories Proj # the whole\n-arg -w -arg all\n");
    compile(&folder, "theories", "theories/Sibling.v");
    let out = folder.path("out");
    let (code, stdout, stderr) = left(andor(&["prove", &task, "--out", &out]).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("Theorem t : two = 2."), "{stdout}");
    let bound = folder.0.path().canonicalize().unwrap().join("theories");
    let said = format!("/_CoqProject: -R {} Proj\n", bound.display());
    assert_eq!(stderr.matches(&said).count(), 1, "{stderr}");
    // The record has it, so that the same run goes on; and a run that binds something else is another one.
    let record: Value =
        serde_json::from_str(&fs_err::read_to_string(Path::new(&out).join("run.json")).unwrap()).unwrap();
    assert_eq!(record["config"]["load_path"][0]["binding"], "R");
    assert_eq!(record["config"]["load_path"][0]["name"], "Proj");
    let (code, _, stderr) = left(andor(&["prove", &task, "--out", &out, "--resume"]).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    let bound = folder.path("theories");
    let other = ["prove", &task, "--out", &out, "--resume", "-Q", &bound, "Proj"];
    let (code, _, stderr) = left(andor(&other).output().unwrap());
    assert!(code == 2 && stderr.contains("load_path"), "{code}: {stderr}");
    // `check` applies the project of the file that states the theorem, and of no other.
    let (code, _, stderr) = left(andor(&["check", &proof, "--statement-from", &task]).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    let elsewhere = Folder::new();
    let copied = elsewhere.write("Proof.v", PROOF);
    let (code, _, stderr) = left(andor(&["check", &copied, "--statement-from", &task]).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
    let (code, _, stderr) = left(andor(&["check", &copied]).output().unwrap());
    assert!(code != 0 && !stderr.contains("_CoqProject"), "{stderr}");
    let bound = ["check", &copied, "-R", &bound, "Proj"];
    assert_eq!(left(andor(&bound).output().unwrap()).0, 0);
}

#[test]
fn compiled_files_beside_a_submission_are_not_loaded() {
    let (trusted, theirs) = (Folder::new(), Folder::new());
    let judged = |args: &[&str]| {
        let mut check = andor(&[&["check", "--json"], args].concat());
        check.current_dir(theirs.path("")).env("LEAN_SYSROOT", lean::sysroot()).env_remove("LEAN_PATH");
        let (code, out, err) = left(check.output().unwrap());
        let record: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}"));
        (code, record["level"].as_u64().unwrap(), record["reason"].as_str().unwrap_or_default().to_owned())
    };
    let refused = |level, reason: &str| (1, level, reason.to_owned());
    let task = trusted.write("Task.v", "Theorem t : 1 = 2.\nProof. Admitted.\n");
    let bad = "Unset Guard Checking.\nFixpoint bad (n : nat) : False := bad n.\n\
               Lemma wrong : False. Proof. exact (bad 0). Qed.\n";
    theirs.write("Bad.v", bad);
    compile(&theirs, ".", "Bad.v");
    theirs.write("_CoqProject", "-R . Proj\n");
    let proof = "Require Import Bad.\nTheorem t : 1 = 2.\nProof. destruct wrong. Qed.\n";
    let proof = theirs.write("Proof.v", proof);
    assert_eq!(judged(&[&proof, "--statement-from", &task]), refused(1, "refused"));
    // Whoever judges may bind the folder, and is then told what the module does.
    let bound = ["-R", ".", "Proj", &proof, "--statement-from", &task];
    assert_eq!(judged(&bound), refused(2, "unchecked"));
    // What has the name of the compiled submission is neither read nor written.
    let task = trusted.write("Task.v", "Theorem t : 1 = 1.\nProof. Admitted.\n");
    let proof = theirs.write("Honest.v", "Theorem t : 1 = 1.\nProof. reflexivity. Qed.\n");
    for beside in ["Honest.vo", "Honest.glob", "Honest.vos"] {
        theirs.write(beside, "no compiled file");
    }
    assert_eq!(judged(&[&proof, "--statement-from", &task]), (0, 3, String::new()));
    assert_eq!(fs_err::read_to_string(theirs.path("Honest.vo")).unwrap(), "no compiled file");
    // The same in Lean.
    let task = trusted.write("Task.lean", "theorem t : 1 = 2 := sorry\n");
    lean::compile(theirs.0.path(), "Bad", "axiom wrong : False\n");
    let proof = theirs.write("Proof.lean", "import Bad\ntheorem t : 1 = 2 := wrong.elim\n");
    let proof = [&*proof, "--system", "lean4", "--statement-from", &task];
    assert_eq!(judged(&proof), refused(1, "refused"));
}

#[test]
fn options_of_the_compiler_stand_before_each_file() {
    let options = "-R theories Proj\n-arg -w -arg +all\n-arg \"-set 'Asymmetric Patterns'\"\n-arg -rifrom -arg Coq -arg Lia\n";
    let (folder, ..) = project("_CoqProject", options);
    compile(&folder, "theories", "theories/Sibling.v");
    // Without the option the pattern lacks its type, and without the library there is no such tactic.
    let stated = "Require Import Sibling.\nInductive box (A : Type) := mk (a : A).\n\
                  Theorem t (n : nat) : match mk nat n with mk a => a + two = two + a end.\nProof. ";
    let task = folder.write("theories/Box.v", &format!("{stated}Admitted.\n"));
    let proof = folder.write("theories/Done.v", &format!("{stated}unfold two. simpl. lia. Qed.\n"));
    let (code, stdout, stderr) = left(andor(&["prove", &task]).output().unwrap());
    assert_eq!(code, 0, "{stdout}{stderr}");
    let said = "add to each file: Set Asymmetric Patterns. From Coq Require Import Lia.";
    assert!(stderr.contains(said), "{stderr}");
    for stating in [&[][..], &["--statement-from", &task]] {
        let (code, stdout, stderr) = left(andor(&[&["check", &proof], stating].concat()).output().unwrap());
        assert_eq!(code, 0, "{stdout}{stderr}");
    }
    // Lines keep their numbers.
    let broken = folder.write("theories/Broken.v", &format!("{stated}simpl.\nnonsense. Qed.\n"));
    let (code, stdout, stderr) = left(andor(&["check", &broken]).output().unwrap());
    assert!(code == 1 && stdout.contains("Broken.v:5:1: rejected"), "{stdout}{stderr}");
    folder.write("_CoqProject", "-R theories Proj\n-arg -load-vernac-source -arg evil.v\n");
    let (code, _, stderr) = left(andor(&["check", &proof]).output().unwrap());
    assert!(code == 2 && stderr.contains("is compiled with `-load-vernac-source`"), "{code}: {stderr}");
}

#[test]
fn theories_that_dune_built_are_found() {
    let (folder, task, proof) = project("dune-project", "(lang dune 3.8)\n(using coq 0.8)\n");
    folder.write("theories/dune", "(include_subdirs qualified)\n(coq.theory (name Proj))\n");
    let (code, stdout, stderr) = left(andor(&["check", &proof]).output().unwrap());
    assert_eq!(code, 1, "{stdout}{stderr}");
    let is_missing =
        ["Cannot find a physical path bound to logical path Sibling", "Unable to locate library Sibling"];
    assert!(is_missing.iter().any(|said| stdout.contains(said)), "{stdout}");
    assert!(stderr.contains("build the project first: `dune build`"), "{stderr}");
    fs_err::create_dir_all(folder.path("_build/default/theories")).unwrap();
    folder.write("_build/default/theories/Sibling.v", SIBLING);
    compile(&folder, "_build/default/theories", "_build/default/theories/Sibling.v");
    for file in [&task, &folder.path("theories/sub")] {
        let (code, _, stderr) = left(andor(&["prove", file]).output().unwrap());
        assert_eq!(code, 0, "{stderr}");
    }
    let (code, _, stderr) = left(andor(&["check", &proof]).output().unwrap());
    assert_eq!(code, 0, "{stderr}");
}
