//! The program with each real release of Rocq: what its users have installed differs.

use std::path::Path;
use std::process::Command;

use andor_testkit::rocq::{Release, releases};
use serde_json::{Value, json};

use crate::support::{Folder, andor, left};

fn with(release: &Release, args: &[&str]) -> Command {
    let mut command = andor(args);
    command.env("PATH", release.path());
    command
}

fn run(release: &Release, args: &[&str]) -> (i32, String, String) {
    left(with(release, args).output().unwrap())
}

#[test]
fn doctor_tries_what_it_promises() {
    for release in releases() {
        let (code, out, err) = run(&release, &["doctor", "--system", "rocq", "--json"]);
        let records: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(code, 0, "{release:?}: {out}{err}");
        let verification = records.as_array().unwrap().last().unwrap();
        assert_eq!(
            (&verification["what"], &verification["level"]),
            (&json!("verification"), &json!(4)),
            "{out}"
        );
    }
}

#[test]
fn doctor_names_what_fails_under_the_limits_of_a_run() {
    let folder = Folder::new();
    for release in releases() {
        // A compiler that answers questions and dies on files.
        let dying = "#!/bin/sh\ncase \"$*\" in *-where*|*--print-version*) exec coqc \"$@\";; esac\necho no heap >&2\nexit 2\n";
        let programs = folder.path(&format!("{}-bin", release.version));
        fs_err::create_dir(&programs).unwrap();
        wrap(&release, Path::new(&programs), "coqc", dying);
        let path = std::env::join_paths(
            std::iter::once(programs.into()).chain(std::env::split_paths(&release.path())),
        );
        let mut doctor = with(&release, &["doctor", "--system", "rocq", "--no-sandbox"]);
        let (code, out, _) = left(doctor.env("PATH", path.unwrap()).output().unwrap());
        assert_eq!(code, 2, "{release:?}: {out}");
        assert!(
            out.contains("FAIL  rocq: proofs should be verified up to") && out.contains("no heap"),
            "{out}"
        );
    }
}

/// Writes a program for a folder in which those that it calls are replaced by the release's own; links the release's server.
fn wrap(release: &Release, folder: &Path, name: &str, script: &str) {
    let programs = programs(release);
    let script = script.replace("exec coqc", &format!("exec '{}/coqc'", programs.display()));
    fs_err::write(folder.join(name), script).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs_err::set_permissions(folder.join(name), executable).unwrap();
    let server = ["coqidetop.opt", "coqidetop"].into_iter().find(|server| programs.join(server).is_file());
    let server = server.expect("each release has a server");
    std::os::unix::fs::symlink(programs.join(server), folder.join(server)).unwrap();
}

/// The folder of a release's programs.
fn programs(release: &Release) -> std::path::PathBuf {
    let path = release.path();
    std::env::split_paths(&path).find(|folder| folder.join("coqc").is_file()).unwrap()
}

#[test]
fn reals_and_instances_with_opaque_proofs_are_judged() {
    let folder = Folder::new();
    let reals = "Require Import Reals Lra.\nOpen Scope R_scope.\nTheorem r : forall x : R, 0 <= x * x.";
    let class = "Require Import Lia.\nClass Monoid (A : Type) := { e : A; mul : A -> A -> A; e_l : forall x, mul e x = x }.\n\
                 #[export] Instance natM : Monoid nat.\n\
                 Proof. refine {| e := 0; mul := Nat.add |}; intros; lia. Defined.\n\
                 Theorem tc : forall x : nat, mul e x = x.";
    for (name, stated, proof) in [("r", reals, "intros. nra."), ("tc", class, "intros; apply e_l.")] {
        let task = folder.write(&format!("{name}.task.v"), &format!("{stated} Admitted.\n"));
        let file = folder.write(&format!("{name}.v"), &format!("{stated} Proof. {proof} Qed.\n"));
        for release in releases() {
            let args =
                ["check", &file, "--statement-from", &task, "--allow-axioms", "reals", "--theorem", name];
            let (code, out, err) = run(&release, &args);
            assert_eq!(code, 0, "{release:?}: {out}{err}");
            assert!(out.contains("(level 3, rechecked"), "{release:?}: {out}");
        }
    }
}

#[test]
fn hypotheses_have_their_names() {
    let folder = Folder::new();
    let rules = folder.write(
        "rules.json",
        &json!({"rules": [{"tactics": [
            {"tactic": "intros A H", "log_prior": -0.1},
            {"tactic": "destruct H as [H1|H2]", "log_prior": -0.2},
            {"tactic": "exact H1", "log_prior": -0.3},
            {"tactic": "exact H2", "log_prior": -0.4},
        ]}]})
        .to_string(),
    );
    for release in releases() {
        let scripted = format!("scripted={rules}");
        let args = [
            "prove",
            "--statement",
            "forall A : Prop, A \\/ A -> A",
            "--provider",
            &scripted,
            "--time",
            "none",
        ];
        let (code, out, err) = run(&release, &args);
        assert_eq!(code, 0, "{release:?}: {out}{err}");
        assert!(err.contains(", 4 nodes, ") || out.contains(", 4 nodes, "), "{release:?}: {out}{err}");
    }
}

#[test]
fn everything_between_statement_and_proof_is_kept() {
    let folder = Folder::new();
    let text = "Section S.\n  Variables (A : Prop) (a : A) (B : Prop) (b : B).\n  Lemma t2 : True.\n  Proof using a. Admitted.\n\
                End S.\nDefinition use (A : Prop) (a : A) : True := t2 A a.\n";
    let file = folder.write("using.v", text);
    for release in releases() {
        let (code, out, err) = run(&release, &["prove", &file]);
        assert_eq!(code, 0, "{release:?}: {out}{err}");
        assert!(out.contains("Lemma t2 : True.\n  Proof using a.\n") && !out.contains("Proof.\n"), "{out}");
        // Without the clause it is another theorem.
        let bare = folder.write("bare.v", &text.replace("Proof using a. Admitted.", "Proof. exact I. Qed."));
        let bare = &text_without_use(&bare, &folder);
        let (code, out, _) = run(&release, &["check", bare, "--statement-from", &file, "--theorem", "t2"]);
        assert_eq!(code, 1, "{release:?}: {out}");
    }
}

/// A copy of a file without its last line, which does not compile if the theorem is another.
fn text_without_use(file: &str, folder: &Folder) -> String {
    let text = fs_err::read_to_string(file).unwrap();
    let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with("Definition")).collect();
    folder.write("bare-alone.v", &format!("{}\n", kept.join("\n")))
}

/// Partial proofs and drafts in forms that people use; each with a part of what is told.
const FORMS: &[(&str, &str)] = &[
    ("Fixpoint g (n : nat) : n = n.\nProof. Admitted.", "g: proved"),
    (
        "Lemma b4 : exists x : nat, x = x /\\ 0 = 0.\nProof. eexists ?[w']. [w']: exact 3. split; [reflexivity|]. admit. Admitted.",
        "gives 3 steps, and leaves 1 goal open",
    ),
    (
        "Lemma q (P : Prop) (p : P) : P /\\ True /\\ P.\nProof.\n  split. exact p.\n  Show.\n  split. exact I.\n  admit.\nAdmitted.",
        "left out at line 4, column 3: `Show.` changes no goal",
    ),
    (
        "Lemma k3 : True /\\ 1 = 1.\nProof. split. exact I. Fail exact I. Check I. admit. Admitted.",
        "`Fail exact I.` changes no goal",
    ),
    (
        "Lemma a6 (P Q R : Prop) : P -> Q -> (R -> P) -> (P /\\ Q) /\\ R \\/ P.\nProof with auto.\n  intros p q r. right...\nAdmitted.",
        "gives 2 steps, and leaves 0 goals open",
    ),
    (
        "Lemma m (P Q : Prop) (p : P) (q : Q) : P /\\ Q /\\ P.\nProof. split. { exact p. } split. - exact q. - admit. Admitted.",
        "gives 4 steps, and leaves 1 goal open",
    ),
    (
        "Lemma n (P Q : Prop) (p : P) (q : Q) : P /\\ Q /\\ P.\nProof. split. 2: split. all: try exact p. !: exact q. Admitted.",
        "gives ",
    ),
    (
        "Set Default Goal Selector \"!\".\nLemma tr (R : nat -> nat -> Prop) (T : forall x y z, R x y -> R y z -> R x z) (a b c : nat) :\n  R a b -> R b c -> R a c.\nProof. intros H K. eapply T. { exact H. } admit. Admitted.",
        "gives 3 steps, and leaves 1 goal open",
    ),
];

#[test]
fn forms_of_proofs_that_people_use_are_read() {
    let folder = Folder::new();
    for release in releases() {
        for (text, told) in FORMS {
            let file = folder.write("form.v", &format!("{text}\n"));
            let (code, out, err) = run(&release, &["prove", &file, "--verify", "compiled"]);
            assert_eq!(code, 0, "{release:?}: {text}\n{out}{err}");
            assert!(err.contains(told) || out.contains(told), "{release:?}: {text}\n{out}{err}");
        }
    }
}

#[test]
fn unfinished_proofs_of_other_things_are_refused_by_line() {
    let folder = Folder::new();
    let text = "Lemma a : True. Proof. Admitted.\nLet b : True.\nProof. Admitted.\nProgram Definition c : {n : nat | n = 0} := 0.\n\
                Next Obligation. Admitted.\n";
    let file = folder.write("other.v", text);
    let release = &releases()[0];
    let (_, out, err) = run(release, &["prove", &file, "--verify", "compiled"]);
    let told = format!("{out}{err}");
    assert!(told.contains("a: proved") || told.contains("Lemma a : True."), "{told}");
    assert!(
        told.contains("line 2: `Let b` is not taken: ")
            && told.contains("line 5: `Next Obligation` is not taken: "),
        "{told}"
    );
}

#[test]
fn the_single_program_of_newer_releases_is_enough() {
    let folder = Folder::new();
    for release in releases().iter().filter(|release| programs(release).join("rocq").is_file()) {
        let few = folder.path(&format!("{}-few", release.version));
        fs_err::create_dir(&few).unwrap();
        for program in ["rocq", "rocqchk", "coqidetop"] {
            std::os::unix::fs::symlink(programs(release).join(program), Path::new(&few).join(program))
                .unwrap();
        }
        let path = format!("{few}:/usr/bin:/bin");
        // The machine's own `coqc` is of another release, and must not be taken.
        let mut doctor = andor(&["doctor", "--system", "rocq"]);
        let (code, out, err) = left(doctor.env("PATH", &path).output().unwrap());
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.contains(&format!("Rocq compiler: {few}/rocq")), "{out}");
        for library in ["Stdlib", "Coq"] {
            let text = format!(
                "From {library} Require Import Arith Lia.\nTheorem t : forall n : nat, n + 0 = n. Admitted.\n"
            );
            let file = folder.write("library.v", &text);
            let (code, out, err) = left(andor(&["prove", &file]).env("PATH", &path).output().unwrap());
            assert_eq!(code, 0, "{out}{err}");
            assert!(out.contains("level 3, rechecked") || err.contains("level 3, rechecked"), "{out}{err}");
        }
    }
}

#[test]
fn goals_in_a_form_that_is_not_known_are_an_error_that_names_it() {
    let folder = Folder::new();
    for release in releases() {
        let fake = folder.path(&format!("{}-fake", release.version));
        fs_err::create_dir(&fake).unwrap();
        let programs = programs(&release);
        let server =
            ["coqidetop.opt", "coqidetop"].into_iter().find(|server| programs.join(server).is_file());
        // The colon after names becomes another sign.
        let script = format!(
            "#!/usr/bin/env python3\nimport os, subprocess, sys\n\
             server = subprocess.Popen([{:?}] + sys.argv[1:], stdout=subprocess.PIPE)\n\
             while text := os.read(server.stdout.fileno(), 1 << 20):\n    \
             text = text.replace(b'&nbsp;:&nbsp;</string>', b'&nbsp;of&nbsp;</string>')\n    \
             os.write(1, text.replace(b'&nbsp;:</string>', b'&nbsp;of</string>'))\n",
            programs.join(server.unwrap())
        );
        fs_err::write(Path::new(&fake).join("coqidetop"), script).unwrap();
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs_err::set_permissions(Path::new(&fake).join("coqidetop"), executable).unwrap();
        for other in ["coqc", "coqchk"] {
            std::os::unix::fs::symlink(programs.join(other), Path::new(&fake).join(other)).unwrap();
        }
        let args = ["prove", "--statement", "Theorem goal (n : nat) : n = n.", "--no-sandbox"];
        let path = release.path();
        let folders = std::iter::once(fake.into()).chain(std::env::split_paths(&path));
        let path = std::env::join_paths(folders).unwrap();
        let (code, out, err) = left(andor(&args).env("PATH", path).output().unwrap());
        let told = format!("{out}{err}");
        assert!(
            code != 0 && told.contains("a hypothesis in a form that andor does not know: `n of nat`"),
            "{told}"
        );
    }
}
