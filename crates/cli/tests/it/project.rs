//! Files of Rocq projects: what the project binds is bound, and their modules are those that a real compiler made.

use std::path::Path;
use std::process::Command;

use crate::support::{Folder, andor, left};
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
    assert!(code == 1 && stdout.contains("line 5"), "{stdout}{stderr}");
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
