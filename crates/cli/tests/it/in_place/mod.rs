//! Proofs written into the files that state their theorems, by `prove --write` and `--diff`.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::{Command, Stdio};

use crate::support::{Folder, andor, left};

mod holes;
mod projects;
mod same_file;
mod watch;

fn prove(args: &[&str]) -> (i32, String, String) {
    left(andor(&[&["prove"], args].concat()).output().unwrap())
}

fn read(path: &str) -> String {
    fs_err::read_to_string(path).unwrap()
}

const ROCQ: &str = "\
(* Admitted. stays in this comment. *)
Require Import List.
Lemma swap : forall p q : Prop, p /\\ q -> q /\\ (p \\/ q).
Proof.
  (* taken apart *)
  intros p q [a b]. split.
  - exact b.
  - admit. (* here *)
Admitted.

\tTheorem two : 1 + 1 = 2.
\tProof.
\tAdmitted.

Theorem three : 1 + 2 = 3.
Admitted.
Lemma closed : True /\\ True.
Proof. split. exact I. admit. Qed.
Lemma wrong : 1 = 2.
Proof. Admitted.
Definition after := swap.
";

#[test]
fn holes_of_a_rocq_file_are_filled_where_they_are() {
    let folder = Folder::new();
    let file = folder.write("t.v", ROCQ);
    folder.write("t.vo", "");
    let (code, out, err) = prove(&[&file, "--write", "--backup", "--max-candidates", "200", "--time", "20s"]);
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert!(err.contains("t.vo is older than its source now"), "{err}");
    let now = read(&file);
    for kept in [
        "(* Admitted. stays in this comment. *)\nRequire Import List.\n",
        "  (* taken apart *)\n  intros p q [a b]. split.\n  - exact b.\n  - ",
        " (* here *)\nQed.\n\n\tTheorem two : 1 + 1 = 2.\n\tProof.\n\t  ",
        "\n\tQed.\n\nTheorem three : 1 + 2 = 3.\nProof.\n  ",
        "\nQed.\nLemma closed : True /\\ True.\nProof. split. exact I. ",
        " Qed.\nLemma wrong : 1 = 2.\nProof. Admitted.\nDefinition after := swap.\n",
    ] {
        assert!(now.contains(kept), "{kept:?} is not in\n{now}");
    }
    assert!(!now.contains("admit."), "{now}");
    assert_eq!(read(&format!("{file}.orig")), ROCQ);
    let (code, out, err) = left(andor(&["check", &file, "--theorem", "swap"]).output().unwrap());
    assert!(code == 0 && out.contains("accepted"), "{out}{err}");
}

#[test]
fn imports_go_to_the_top_of_the_file() {
    let folder = Folder::new();
    let file = folder.write(
        "t.v",
        "(* Above. *)\nFrom Coq Require Import List.\n\nSection S.\n  Lemma a n m : n < m -> n + 1 <= m.\n  Admitted.\nEnd S.\n\
         Lemma b n m : n * 2 < m * 2 -> n < m.\nAdmitted.\n",
    );
    let (code, _, err) = prove(&[&file, "--write", "--time", "30s"]);
    assert_eq!(code, 0, "{err}");
    let now = read(&file);
    // Later releases call the library `Stdlib`.
    let lines = ["Coq", "Stdlib"].map(|library| format!("From {library} Require Import Lia."));
    let line = lines.iter().find(|line| err.contains(&format!("; for it, the file begins with {line}")));
    let line = line.unwrap_or_else(|| panic!("{err}"));
    assert_eq!(now.matches("Require Import Lia.").count(), 1, "{now}");
    let top = format!("(* Above. *)\nFrom Coq Require Import List.\n{line}\n\nSection S.\n");
    assert!(now.starts_with(&top), "{now}");
}

#[test]
fn an_import_that_changes_the_rest_of_a_file_is_not_written() {
    let folder = Folder::new();
    // What `lia` means decides the value of `x`.
    let text = "Ltac lia := fail.\nLemma a : forall n m : nat, n < m -> n + 3 < m + 5 + n.\nProof. Admitted.\n\
                Definition x : nat. Proof. first [ assert (1 = 1) by lia; exact 0 | exact 1 ]. Defined.\n";
    let file = folder.write("t.v", text);
    let (code, out, err) = prove(&[&file, "--write", "--time", "30s"]);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("its proof is not put in: "), "{err}");
    assert!(err.contains("the import that it needs would change something else in the file"), "{err}");
    assert!(out.contains("lia.") && read(&file) == text, "{out}");
}

#[test]
fn what_stands_around_the_holes_of_a_rocq_file_stays() {
    let folder = Folder::new();
    let text = "\
Section S.
  Variable k : nat.
  Lemma a : True. (* see *)
  Proof.
    (* why *)
    admit. (* left *)
  Admitted.
  Lemma b : k = k.
  Proof using Type.
  Admitted.
  Lemma c : True /\\ True. Proof. split. - admit. - admit. Admitted.
  Lemma d : True. Admitted.
End S.
Definition chosen : bool. Admitted.
Lemma e : True. Abort.
Lemma f : exists p : Prop, p. Proof. exists True. admit. Unshelve. all: admit. Admitted.
";
    let file = folder.write("t.v", text);
    let rules = r#"{"rules": [{"tactics": [{"tactic": "constructor", "log_prior": -0.1}]}]}"#;
    let provider = format!("scripted={}", folder.write("rules.json", rules));
    let (code, out, err) = prove(&[&file, "--write", "--provider", &provider]);
    let expected = text
        .replace("admit.", "constructor.")
        .replace("Admitted. (*", "Qed. (*")
        .replace("left *)\n  Admitted.", "left *)\n  Qed.")
        .replace("Type.\n  Admitted.", "Type.\n    constructor.\n  Qed.")
        .replace("constructor. Admitted.", "constructor. Qed.")
        .replace("True. Admitted.", "True.\n  Proof.\n    constructor.\n  Qed.")
        .replace("True. Abort.", "True.\nProof.\n  constructor.\nQed.")
        .replace(
            " Proof. exists True. constructor. Unshelve. all: constructor. Qed.",
            "\nProof.\n  exists True.\n  constructor.\nQed.",
        );
    assert_eq!(read(&file), expected, "{err}");
    // A proof that is not put in is not lost.
    assert!(
        code == 1 && out.contains("t.v:14: chosen *)\nDefinition chosen : bool.\nProof.\n  constructor."),
        "{out}"
    );
    assert!(
        err.contains("t.v:14: chosen is proved, but its proof is not put in: it states no proposition"),
        "{err}"
    );
}

const MINI: &str = "\
theorem swap (p q : Prop) (h : p ∨ q) : q ∨ p := by
  cases h with
  | inl a => sorry
  | inr b =>
    left
    exact b -- sorry, not me
theorem two : 1 + 1 = 2 := sorry
example (p : Prop) (hp : p) : p ∧ p := by sorry
theorem s (p : Prop) (hp : p) : p ∧ p ∧ p := by
  have h : p ∧ p := by
    sorry
  constructor
  · exact hp
  · exact h
/- sorry -/ theorem done : True := trivial
";

#[test]
fn holes_of_a_lean_file_are_filled_where_they_are() {
    let folder = Folder::new();
    let file = folder.write("t.lean", MINI);
    let (code, out, err) = prove(&[&file, "--write"]);
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    let now = read(&file);
    for kept in [
        "  cases h with\n  | inl a => ",
        "\n  | inr b =>\n    left\n    exact b -- sorry, not me\ntheorem two : 1 + 1 = 2 := by ",
        "\nexample (p : Prop) (hp : p) : p ∧ p := by\n  constructor\n  · ",
        "  have h : p ∧ p := by\n    constructor\n    · ",
        "\n  constructor\n  · exact hp\n  · exact h\n/- sorry -/ theorem done : True := trivial\n",
    ] {
        assert!(now.contains(kept), "{kept:?} is not in\n{now}");
    }
    let (code, _, err) = prove(&[&file, "--write"]);
    assert!(code == 0 && err.contains("nothing to prove") && read(&file) == now, "{code} {err}");
    // The last theorem, by its line and by its name.
    for part in ["9", "10:3"] {
        let again = folder.write("again.lean", MINI);
        let (code, out, err) = prove(&[&format!("{again}:{part}")]);
        assert!(
            code == 0 && out.contains("again.lean:9: s\ntheorem s") && !out.contains("swap"),
            "{out}{err}"
        );
    }
    let again = folder.write("again.lean", MINI);
    let (code, _, err) = prove(&[&format!("{again}#s"), &file, "--write"]);
    assert!(code == 0 && read(&again).matches("sorry").count() == MINI.matches("sorry").count() - 1, "{err}");
    let (code, _, err) = prove(&[&format!("{file}:15")]);
    assert!(code == 0 && err.contains("nothing to prove"), "{code} {err}");
    let (code, _, err) = prove(&[&format!("{again}:15")]);
    assert!(
        code == 2 && err.contains("no unfinished theorem stands at line 15; there is one at: 1, 7, 8"),
        "{err}"
    );
}

#[test]
fn bytes_and_links_and_permissions_stay() {
    let folder = Folder::new();
    let text = "\u{feff}theorem a : 1 = 1 := sorry\r\n\r\ntheorem b (p : Prop) (h : p) : p ∧ p := by\r\n  sorry\r\n \r\n";
    let file = folder.write("t.lean", text);
    fs_err::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path("link.lean");
    symlink(&file, &link).unwrap();
    let (code, _, err) = prove(&[&link, "--write"]);
    assert_eq!(code, 0, "{err}");
    let now = read(&file);
    assert!(now.starts_with("\u{feff}theorem a : 1 = 1 := by ") && now.ends_with("\r\n \r\n"), "{now:?}");
    assert!(!now.replace("\r\n", "").contains('\n') && !now.contains("sorry"), "{now:?}");
    assert!(fs_err::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs_err::metadata(&file).unwrap().mode() & 0o777, 0o640);
}

#[test]
fn a_diff_makes_the_file_that_would_be_written() {
    let folder = Folder::new();
    for name in ["a.lean", "b.lean"] {
        folder.write(name, MINI);
    }
    let (code, diff, err) =
        left(andor(&["prove", "a.lean", "--diff"]).current_dir(folder.path("")).output().unwrap());
    assert!(code == 0 && diff.starts_with("--- a/a.lean\n+++ b/a.lean\n@@ "), "{diff}{err}");
    assert_eq!(read(&folder.path("a.lean")), MINI);
    folder.write("change.diff", &diff);
    #[expect(clippy::disallowed_methods, reason = "another program reads the diff")]
    let applied =
        Command::new("git").args(["apply", "change.diff"]).current_dir(folder.path("")).output().unwrap();
    assert!(applied.status.success(), "{applied:?}");
    assert_eq!(prove(&[&folder.path("b.lean"), "--write"]).0, 0);
    assert_eq!(read(&folder.path("a.lean")), read(&folder.path("b.lean")));
}

#[test]
fn what_cannot_be_written_is_told_before_the_search_and_left_alone() {
    let folder = Folder::new();
    let rows = folder
        .write("rows.jsonl", "{\"id\": \"a\", \"system\": \"mini\", \"statement\": \"theorem a : 1 = 1\"}\n");
    for option in ["--write", "--diff"] {
        let (code, out, err) = prove(&[&rows, option]);
        assert!(code == 2 && err.contains("rows of data sets are not changed"), "{out}{err}");
    }
    let file = folder.write("t.lean", "theorem a : 1 = 1 := sorry\n");
    fs_err::set_permissions(&file, std::fs::Permissions::from_mode(0o444)).unwrap();
    let (code, out, err) = prove(&[&file, "--write"]);
    assert!(code == 2 && out.is_empty() && err.contains("t.lean: ") && !err.contains("proved"), "{err}");
    assert_eq!(read(&file), "theorem a : 1 = 1 := sorry\n");
}

/// Proves the theorems of a file, which somebody else changes as soon as the first is searched.
fn changed_meanwhile(text: &str, changed: &str) -> (i32, String, String, String) {
    let folder = Folder::new();
    let file = folder.write("t.lean", text);
    let (changed, marker) = (folder.write("changed", changed), folder.path("marker"));
    // Each request is answered by the same tactic, the first one behind the change.
    let program = format!(
        r#"read greeting
           echo '{{"version": 1, "name": "one"}}'
           while read request; do
             [ -e {marker} ] || {{ cp {changed} {file}; touch {marker}; }}
             id=$(echo "$request" | sed 's/{{"id":\([0-9]*\).*/\1/')
             echo "{{\"id\": $id, \"candidates\": [{{\"tactic\": \"rfl\"}}]}}"
           done
        "#
    );
    let provider = format!("exec=sh {}", folder.write("program.sh", &program));
    let (code, out, err) = prove(&[&file, "--write", "--no-cache", "--provider", &provider]);
    (code, out, err, read(&file))
}

#[test]
fn proofs_follow_their_theorems_when_somebody_else_changes_the_file() {
    let text = "theorem a : 1 = 1 := sorry\ntheorem b : 2 = 2 := by\n  sorry\n";
    // Lines are added above and between, and a byte order mark.
    let changed = "\u{feff}-- mine\n\ntheorem a : 1 = 1 := sorry\ndef x := 1\n\ntheorem b : 2 = 2 := by\n  sorry\n-- end";
    let (code, out, err, now) = changed_meanwhile(text, changed);
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    let expected = changed.replace(":= sorry", ":= by rfl").replace("  sorry", "  rfl");
    assert_eq!(now, expected);
    // One of the theorems is another one now.
    let changed = text.replace("1 = 1", "1 = 2");
    let (code, out, err, now) = changed_meanwhile(text, &changed);
    assert!(
        code == 1 && err.contains("t.lean has changed since it was read, and the theorem with it"),
        "{err}"
    );
    assert!(out.contains("theorem a : 1 = 1 := by\n  rfl"), "the proof is not lost: {out}");
    assert_eq!(now, changed.replace("  sorry", "  rfl"));
    // The file does not compile at the moment.
    let changed = format!("{text}def y : Nat := True\n");
    let (code, out, err, now) = changed_meanwhile(text, &changed);
    assert!(code == 1 && out.contains("theorem b") && now == changed, "{out}{err}");
}

#[test]
fn a_hard_link_stays_one() {
    let folder = Folder::new();
    let file =
        folder.write("t.lean", "theorem a : 1 = 1 := sorry\n-- a comment that is longer than the proof\n");
    let other = folder.path("other.lean");
    fs_err::hard_link(&file, &other).unwrap();
    let (code, _, err) = prove(&[&file, "--write"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(read(&other), "theorem a : 1 = 1 := by rfl\n-- a comment that is longer than the proof\n");
    assert_eq!(fs_err::metadata(&file).unwrap().ino(), fs_err::metadata(&other).unwrap().ino());
}

#[test]
fn a_file_of_many_lines_is_written() {
    let folder = Folder::new();
    let proved: String = (0..5_000).map(|n| format!("-- {n}\ntheorem t{n} : {n} = {n} := rfl\n")).collect();
    let text = format!("{proved}theorem last (p : Prop) (h : p) : p := sorry\n");
    let file = folder.write("t.lean", &text);
    let (code, _, err) = prove(&[&file, "--write"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(read(&file), text.replace("sorry", "by exact h"));
}

#[test]
fn a_program_that_is_killed_leaves_the_file_as_it_was_or_with_whole_proofs() {
    const MOMENTS: usize = 20;
    let folder = Folder::new();
    let with = |proved: usize| -> String {
        let proof = |n: usize| if n < proved { "by rfl" } else { "sorry" };
        (0..=MOMENTS).map(|n| format!("theorem t{n} : {n} = {n} := {}\n", proof(n))).collect()
    };
    let file = folder.write("t.lean", &with(0));
    for moment in 0..MOMENTS {
        let before = read(&file);
        let mut program = andor(&["prove", &file, "--write", "--no-cache"]);
        let mut program = program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Every second time after the first proof, else while it is looked for or written.
        while moment % 2 == 0 && read(&file) == before && program.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        for _ in 0..moment * 50 {
            std::thread::yield_now();
        }
        program.kill().unwrap();
        program.wait().unwrap();
        let now = read(&file);
        assert!((0..=MOMENTS + 1).any(|proved| now == with(proved)), "{now}");
    }
    let (code, _, err) = prove(&[&file, "--write"]);
    assert!(code == 0 && read(&file) == with(MOMENTS + 1), "{err}");
}

#[test]
fn the_files_of_each_project_have_its_own_options() {
    let folder = Folder::new();
    for (project, option) in [("one", "-arg \"-set 'Asymmetric Patterns'\"\n"), ("two", "")] {
        fs_err::create_dir(folder.path(project)).unwrap();
        folder.write(&format!("{project}/_CoqProject"), &format!("-Q . {project}\n{option}"));
    }
    // Without the option the pattern lacks its type; with it, it has one too many.
    let text = |pattern: &str| {
        format!(
            "Inductive box (A : Type) := mk (a : A).\n\
             Lemma t (n : nat) : match mk nat n with {pattern} => a end = n.\nProof. Admitted.\n"
        )
    };
    let one = folder.write("one/a.v", &text("mk a"));
    let two = folder.write("two/a.v", &text("mk _ a"));
    let (code, _, err) = prove(&[&one, &two, "--write"]);
    assert_eq!(code, 0, "{err}");
    for file in [&one, &two] {
        assert!(!read(file).contains("Admitted"), "{}", read(file));
    }
    let out = folder.path("RUN");
    let (code, _, err) = prove(&[&one, &two, "--out", &out]);
    assert!(code == 2 && err.contains("the files belong to 2 projects"), "{err}");
}

#[test]
fn a_file_that_cannot_be_read_does_not_cost_the_others() {
    let folder = Folder::new();
    fs_err::create_dir(folder.path("src")).unwrap();
    let good = folder.write("src/good.lean", "theorem a (p : Prop) : p → p := by\n  sorry\n");
    let broken = folder.write("src/broken.lean", "theorem b : True := by\n  sorry /- never closed\n");
    for paths in [vec![folder.path("src")], vec![broken.clone(), good.clone()]] {
        fs_err::write(&good, "theorem a (p : Prop) : p → p := by\n  sorry\n").unwrap();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let (code, _, err) = prove(&[&paths[..], &["--write", "--system", "mini"]].concat());
        assert_eq!(code, 1, "{err}");
        assert!(read(&good).ends_with("  intro h\n  exact h\n"), "{}", read(&good));
        assert!(err.contains("1 row was refused:\n") && err.contains("broken.lean"), "{err}");
    }
    let (code, _, err) = prove(&[&broken]);
    assert!(code == 2 && err.contains("broken.lean"), "{err}");
}

#[test]
fn a_hypothesis_that_a_step_needs_has_a_name_of_its_own() {
    let folder = Folder::new();
    let text = "Lemma a : forall P Q : Prop, P \\/ Q -> Q \\/ P.\nProof. Admitted.\n\
                Lemma b : forall n : nat, n = n.\nProof. Admitted.\n";
    let file = folder.write("t.v", text);
    let tactics = ["intros", "destruct H; auto", "congruence"];
    let tactics =
        tactics.map(|tactic| format!("{{\"tactic\": \"{tactic}\", \"log_prior\": -1.0}}")).join(", ");
    let rules = folder.write("rules.json", &format!("{{\"rules\": [{{\"tactics\": [{tactics}]}}]}}"));
    let (code, _, err) = prove(&[&file, "--write", "--provider", &format!("scripted={rules}")]);
    assert_eq!(code, 0, "{err}");
    let expected = text.replacen("Proof. Admitted.", "Proof.\n  intros P Q H.\n  destruct H; auto.\nQed.", 1);
    let expected = expected.replace("Proof. Admitted.", "Proof.\n  intros.\n  congruence.\nQed.");
    assert_eq!(read(&file), expected);
}
