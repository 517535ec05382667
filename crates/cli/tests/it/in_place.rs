//! Proofs written into the files that state their theorems, by `prove --write` and `--diff`.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;

use crate::support::{Folder, andor, left};

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
        .replace("True. Abort.", "True.\nProof.\n  constructor.\nQed.");
    assert_eq!(read(&file), expected, "{err}");
    // A proof that is not put in is not lost.
    assert!(
        code == 1 && out.contains("t.v:14: chosen *)\nDefinition chosen : bool.\nProof.\n  constructor."),
        "{out}"
    );
    assert!(
        err.contains("t.v:14: chosen is proved, but its proof is not put in: it is a definition"),
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
    let text = "\u{feff}theorem a : 1 = 1 := sorry\r\n\r\ntheorem b (p : Prop) (h : p) : p ∧ p := by\r\n  sorry\r\n\t\r\n";
    let file = folder.write("t.lean", text);
    fs_err::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path("link.lean");
    symlink(&file, &link).unwrap();
    let (code, _, err) = prove(&[&link, "--write"]);
    assert_eq!(code, 0, "{err}");
    let now = read(&file);
    assert!(now.starts_with("\u{feff}theorem a : 1 = 1 := by ") && now.ends_with("\r\n\t\r\n"), "{now:?}");
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
    // Somebody else changes the file while its theorem is searched.
    let file = folder.write("t.lean", "theorem a : 1 = 1 := sorry\n");
    let changed = "-- mine\ntheorem a : 1 = 1 := sorry\n";
    let program = format!(
        "read greeting\necho '{{\"version\": 1, \"name\": \"one\"}}'\nread request\ncp {} {file}\n\
         echo '{{\"id\": 1, \"candidates\": [{{\"tactic\": \"rfl\"}}]}}'\n",
        folder.write("mine", changed)
    );
    let provider = format!("exec=sh {}", folder.write("program.sh", &program));
    let (code, _, err) = prove(&[&file, "--write", "--provider", &provider]);
    assert!(code == 1 && err.contains("has changed since it was read"), "{code} {err}");
    assert_eq!(read(&file), changed);
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
