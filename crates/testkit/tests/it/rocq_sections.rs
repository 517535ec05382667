//! Theorems in sections: which section variables a submission's proof may use.

use andor_core::verdict::Reason;

use crate::rocq_judge::{accepts, rejects};

#[test]
fn theorems_in_sections_may_depend_on_any_of_the_variables() {
    let section = |proof: &str| {
        format!(
            "Require Import PeanoNat.\nSection S.\nVariables (unused k : nat).\n\
             Hypothesis positive : 0 < k.\nHypothesis idle : k < unused.\nTheorem t : 0 < k * k /\\ 1 = 1.\n{proof}\nEnd S.\n"
        )
    };
    let challenge = section("Proof.\nAdmitted.");
    for proof in [
        "Proof. split; [apply Nat.mul_pos_pos; exact positive | reflexivity]. Qed.",
        "Proof using All. pose idle. split; [apply Nat.mul_pos_pos; exact positive | reflexivity]. Qed.",
        "Proof using positive k. split; [apply Nat.mul_pos_pos; assumption | reflexivity]. Qed.",
    ] {
        accepts(&challenge, &section(proof), &[]);
    }
    let more = section("Hypothesis false : False. Proof. destruct false. Qed.");
    rejects(&challenge, &more, &[], Reason::Refused);
    let direct = "Proof. split; [apply Nat.mul_pos_pos; exact positive | reflexivity]. Qed.";
    let more = section(direct).replace("Hypothesis idle", "Hypothesis negative : k < 0.\nHypothesis idle");
    accepts(&challenge, &more, &[]);
    let more = more.replace(direct, "Proof. destruct (Nat.lt_asymm _ _ positive negative). Qed.");
    rejects(&challenge, &more, &[], Reason::Statement);
    // A challenge with a proof has chosen.
    let challenge =
        more.replace("destruct (Nat.lt_asymm _ _ positive negative)", &direct[7..direct.len() - 6]);
    assert!(challenge.contains(direct));
    let message = rejects(&challenge, &more, &[], Reason::Statement);
    assert!(message.contains("negative") || message.contains("k < 0"), "{message}");
    accepts(&challenge, &challenge.replace("exact positive", "assumption"), &[]);
    // Fewer variables are a stronger theorem.
    accepts(&more, &challenge, &[]);
}

/// A section with two hypotheses about its variables, and what stands in front of the theorem, says it and proves it.
fn section(before: &str, theorem: &str, proof: &str) -> String {
    format!(
        "Section S.\nVariables k j : nat.\nHypothesis Hk : k = 0.\nHypothesis Hj : j = 1.\n{before}\n\
         {theorem} : k + j = 1.\n{proof}\nEnd S.\n"
    )
}

const TACTICS: &str = "rewrite Hk, Hj. reflexivity.";

#[test]
fn variables_are_found_however_the_submission_chooses_them() {
    let challenge = section("", "Theorem t", "Admitted.");
    let proof = |start: &str, end: &str| format!("{start} {TACTICS} {end}");
    for submission in [
        section("", "Theorem t", &proof("Proof.", "Qed.")),
        section("", "Theorem t", &proof("Proof.", "Defined.")),
        section("", "#[using=\"Hk Hj\"] Theorem t", &proof("Proof.", "Qed.")),
        section("Collection both := Hk Hj.", "Theorem t", &proof("Proof using both.", "Qed.")),
        section("Set Default Proof Using \"All\".", "Theorem t", &proof("Proof.", "Qed.")),
        section(
            "Let l : k = 0. Proof. exact Hk. Qed.",
            "Theorem t",
            "Proof. rewrite l, Hj. reflexivity. Qed.",
        ),
        section("", "Definition t", "exact (eq_trans (f_equal (fun n => n + j) Hk) Hj). Defined."),
        section("", "Theorem t", "Proof (eq_trans (f_equal (fun n => n + j) Hk) Hj)."),
    ] {
        accepts(&challenge, &submission, &[]);
    }
}

#[test]
fn a_default_for_variables_is_that_of_each_proof() {
    let challenge = |proof: &str| {
        format!(
            "Set Default Proof Using \"All\".\nSection S.\nVariable k : nat.\nHypothesis Hk : k = 3.\n\
             Theorem t : 3 = 3.\n{proof}\nEnd S.\n"
        )
    };
    // A proof that is a term ignores the default.
    accepts(&challenge("Proof eq_refl."), &challenge("Proof eq_refl."), &[]);
    accepts(&challenge("Proof eq_refl."), &challenge("Proof (eq_refl 3)."), &[]);
    accepts(&challenge("Proof. Admitted."), &challenge("Proof (eq_refl 3)."), &[]);
    accepts(&challenge("Proof. Admitted."), &challenge("Proof. reflexivity. Qed."), &[]);
    accepts(&challenge("Proof. auto. Qed."), &challenge("Proof. reflexivity. Qed."), &[]);
    let message =
        rejects(&challenge("Proof eq_refl."), &challenge("Proof. reflexivity. Qed."), &[], Reason::Statement);
    assert!(message.contains("the proof of `t` uses the section variable `k`"), "{message}");
}

#[test]
fn variables_beyond_those_of_the_challenge_are_told() {
    let challenge = section("", "Theorem t", "Proof using Hk. Admitted.");
    let submission = section("", "Theorem t", &format!("Proof. {TACTICS} Qed."));
    let message = rejects(&challenge, &submission, &[], Reason::Statement);
    assert!(message.contains("the proof of `t` uses the section variable `Hj`"), "{message}");
    // A variable of the submission's own.
    let challenge = section("", "Theorem t", "Admitted.");
    let own = section("Hypothesis no : False.", "Theorem t", "Proof. destruct no. Qed.");
    let message = rejects(&challenge, &own, &[], Reason::Statement);
    assert!(message.contains("uses the section variable `"), "{message}");
}

#[test]
fn bound_variables_of_a_statement_are_no_section_variables() {
    let all = |statement: &str, proof: &str| {
        section("", "Theorem t", proof).replace("k + j = 1", &format!("forall {statement}"))
    };
    let challenge = all("n, k + j + n = 1 + n", "Admitted.");
    accepts(&challenge, &all("n, k + j + n = 1 + n", &format!("Proof. intros n. {TACTICS} Qed.")), &[]);
    let challenge = all("n, k + n = k + n", "Admitted.");
    accepts(&challenge, &all("m, k + m = k + m", "Proof. reflexivity. Qed."), &[]);
    let message = rejects(
        &challenge,
        &all("(Hk : False) m, k + m = k + m", "Proof. contradiction. Qed."),
        &[],
        Reason::Statement,
    );
    assert!(message.contains("different statement"), "{message}");
}
