//! What stands around a hole stays, however the hole is written.

use andor_testkit::lean;

use super::{prove, read};
use crate::support::{Folder, andor, left};

/// A provider that always offers these tactics, the first ones first.
fn offering(folder: &Folder, tactics: &[&str]) -> String {
    let tactics = tactics.iter().enumerate().map(|(n, tactic)| {
        serde_json::json!({"tactic": tactic, "log_prior": -0.1 - 0.1 * f64::from(u32::try_from(n).unwrap())})
    });
    let rules = serde_json::json!({"rules": [{"tactics": tactics.collect::<Vec<_>>()}]});
    format!("scripted={}", folder.write("rules.json", &rules.to_string()))
}

#[test]
fn holes_of_rocq_are_filled_however_they_are_written() {
    let folder = Folder::new();
    let provider = offering(&folder, &["exact I", "reflexivity"]);
    let cases = [
        ("1 = 1", "idtac. admit . Admitted.", "idtac. reflexivity . Qed."),
        ("1 = 1", "idtac. admit\n. Admitted.", "idtac. reflexivity\n. Qed."),
        ("1 = 1", "admit(**). Admitted.", "reflexivity(**). Qed."),
        ("1 = 1", "(* a *) admit. (* b *) Admitted.", "(* a *) reflexivity. (* b *) Qed."),
        ("1 = 1", "idtac; admit (* b *). (* c *) Admitted.", "idtac; reflexivity (* b *). (* c *) Qed."),
        ("1 = 1", "give_up (* b *). Admitted.", "reflexivity (* b *). Qed."),
        ("1 = 1", "- admit (* b *). Admitted.", "- reflexivity (* b *). Qed."),
        ("1 = 1", "{ admit (* b *). } (* c *) Admitted.", "{ reflexivity (* b *). } (* c *) Qed."),
        (
            "True",
            "assert (1 = 1) by admit (* b *). exact I. Admitted.",
            "assert (1 = 1) by reflexivity (* b *). exact I. Qed.",
        ),
        (
            "True",
            "assert (1 = 1) as H by (admit; auto). exact I. Admitted.",
            "assert (1 = 1) as H by (reflexivity; auto). exact I. Qed.",
        ),
        (
            "True",
            "assert (1 = 1) by first [ fail | admit ]. exact I. Admitted.",
            "assert (1 = 1) by first [ fail | reflexivity ]. exact I. Qed.",
        ),
        ("1 = 1", "idtac. Admitted .", "idtac.\n  reflexivity.\nQed ."),
        ("1 = 1", "Admitted (* k *) .", "\n  reflexivity.\nQed (* k *) ."),
        ("1 = 1", "1: admit. Admitted\n.", "1: reflexivity. Qed\n."),
        ("1 = 1", "(admit). Admitted.", "(reflexivity). Qed."),
        ("1 = 1", "now admit. Admitted.", "now reflexivity. Qed."),
        ("1 = 1 /\\ 2 = 2", "split; (* c *) admit. Admitted.", "split; (* c *) reflexivity. Qed."),
        ("True /\\ 1 = 1", "split; admit. Admitted.", "split; solve [ exact I | reflexivity ]. Qed."),
        (
            "True /\\ 1 = 1 /\\ 2 = 2",
            "split. 1: exact I. split. all: (* c *) admit. Admitted.",
            "split. 1: exact I. split. all: (* c *) reflexivity. Qed.",
        ),
        (
            "True /\\ 1 = 1",
            "split; [> admit | .. ]. (* k *) { (* l *) admit. } Admitted.",
            "split; [> exact I | .. ]. (* k *) { (* l *) reflexivity. } Qed.",
        ),
        (
            "True /\\ 1 = 1",
            "split. 2: { (* l *) reflexivity. } try (admit). Admitted.",
            "split. 2: { (* l *) reflexivity. } try (exact I). Qed.",
        ),
        (
            "True /\\ 1 = 1",
            "split. (* two *) Admitted.",
            "split. (* two *)\n  - exact I.\n  - reflexivity.\nQed.",
        ),
        // Rocq itself does not take it, so it is the last.
        ("1 = 1", "exact ltac:(admit). Admitted.", "exact ltac:(reflexivity). Qed."),
    ];
    let file_of = |proofs: &[&str]| -> String {
        let one = |(n, proof): (usize, &&str)| format!("Lemma c{n} : {}. Proof. {proof}\n", cases[n].0);
        proofs.iter().enumerate().map(one).collect()
    };
    let text = file_of(&cases.map(|(_, open, _)| open));
    let expected = file_of(&cases.map(|(_, _, filled)| filled)).replace("Proof. \n", "Proof.\n");
    let file = folder.write("t.v", &text);
    let (code, _, err) = prove(&[&file, "--write", "--no-cache", "--provider", &provider]);
    assert_eq!(read(&file), expected, "{err}");
    assert!(code == 0 && !err.contains("as a whole"), "{err}");
}

#[test]
fn what_cannot_be_filled_in_its_place_is_told() {
    let folder = Folder::new();
    let provider = offering(&folder, &["exact I"]);
    let file = folder
        .write("t.v", "Lemma a : True. Proof. (* mine *) first [ idtac; exact 0 | admit ]. Admitted.\n");
    let (code, _, err) = prove(&[&file, "--write", "--no-cache", "--provider", &provider]);
    let told =
        "; your unfinished proof, whose holes cannot be filled where they are, is replaced as a whole\n";
    assert!(code == 0 && err.contains(told), "{err}");
    let file = folder.write("u.v", "Lemma a : True. Admitted.\n");
    let (code, _, err) = prove(&[&file, "--write", "--no-cache", "--provider", &provider]);
    assert!(code == 0 && !err.contains("as a whole") && read(&file).ends_with("\nQed.\n"), "{err}");
}

#[test]
fn no_value_is_chosen_in_a_file() {
    let folder = Folder::new();
    let provider = offering(&folder, &["exact 0", "exact I", "reflexivity"]);
    let values = "\
Fixpoint a (n : nat) : nat. Proof. Admitted.
Fixpoint b (n : nat) : nat. Proof. destruct n. admit. exact 7. Admitted.
Lemma c : nat. Proof. Admitted.
Class Inh (A : Type) := { pt : A }.
#[global] Instance d : Inh nat. Proof. constructor. admit. Admitted.
Definition e (n : nat) : nat. Proof. Admitted.
Theorem f : { n : nat | n = 0 }. Proof. exists 0. admit. Admitted.
";
    let propositions = "\
Section S.
Variable k : nat.
Lemma g : k = k. Proof. Admitted.
End S.
Fixpoint h (n : nat) : n = n. Proof. Admitted.
Class P : Prop := { proof : True }.
Instance i : P. Proof. constructor. admit. Admitted.
Module M.
Definition j : 1 = 1. Proof. Admitted.
End M.
";
    let file = folder.write("t.v", &format!("{values}{propositions}"));
    let (code, _, err) = prove(&[&file, "--write", "--no-cache", "--provider", &provider]);
    let now = read(&file);
    assert!(code == 1 && now.starts_with(values), "{now}{err}");
    assert!(!now[values.len()..].contains("Admitted"), "{now}{err}");
    assert_eq!(err.matches("but its proof is not put in: it states no proposition").count(), 6, "{err}");
}

#[test]
fn holes_of_lean_are_filled_however_they_are_written() {
    let folder = Folder::new();
    let provider = offering(&folder, &["assumption", "rfl"]);
    let text = "\
import Init
theorem a (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  -- mine
  constructor -- c
  · exact hp
  · (sorry) -- d
theorem b (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor <;> /- x -/ sorry
theorem c (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor
  all_goals /- x -/ sorry -- y
theorem d (p : Prop) (h : p) : p := by
  try sorry
theorem e (p : Prop) (h : p) : p := by exact (show p by sorry)
theorem f (p : Prop) (h : p) : p := /- a -/ by /- k -/ admit /- z -/
theorem g (p : Prop) (h : p) : p := by {
  sorry
}
theorem h (p : Prop) (h : p) : p := by
  sorry -- a
  done
theorem i (p : Prop) (h : p) : p := by
  exact /- a -/ sorry
theorem j (p : Prop) (h : p) : p ∧ 1 = 1 := by
  constructor <;> sorry
theorem k (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  refine ⟨?a, sorry⟩ -- m
  next => sorry
theorem l (p : Prop) (h : p) : p :=
  /- a -/ (sorry)
";
    let file = folder.write("t.lean", text);
    let mut command = andor(&["prove", &file, "--write", "--no-cache", "--provider", &provider]);
    command.env("LEAN_SYSROOT", lean::sysroot()).env_remove("LEAN_PATH");
    let (code, _, err) = left(command.output().unwrap());
    let expected = text
        .replace("/- a -/ (sorry)", "/- a -/ (by assumption)")
        .replace("⟨?a, sorry⟩", "⟨?a, by assumption⟩")
        .replace("exact /- a -/ sorry", "exact /- a -/ (by assumption)")
        .replace(
            "1 = 1 := by\n  constructor <;> sorry",
            "1 = 1 := by\n  constructor <;> (first | assumption | rfl)",
        )
        .replace("admit", "assumption")
        .replace("sorry", "assumption");
    assert_eq!(read(&file), expected, "{err}");
    assert!(code == 0 && !err.contains("as a whole"), "{err}");
}
