//! At goals of Rocq.

use andor_system_rocq::ROCQ;
use std::sync::Arc;

use andor_core::theorem::Theorem;
use andor_env::environment::Environment;
use andor_provider::contract::Provider;
use andor_provider::heuristic::Heuristic;
use andor_system_rocq::{Rocq, RocqConfig};
use andor_testkit::theorem;

use super::{Case, check};

#[test]
fn what_helps_comes_early() {
    let cases: &[Case<'_>] = &[
        ("", "forall n : nat, n = n", &[], "intros", 1),
        ("", "forall n m : nat, n + m = m + n", &["intros"], "induction n", 9),
        ("", "True /\\ True", &[], "split", 2),
        ("", "forall P Q : Prop, P -> P \\/ Q", &["intros"], "left", 6),
        ("", "forall P Q : Prop, P /\\ Q -> Q", &["intros"], "destruct H as [? ?]", 3),
        ("", "forall P Q : Prop, P \\/ Q -> Q \\/ P", &["intros"], "destruct H as [?|?]", 4),
        ("", "forall P : nat -> Prop, (exists n, P n) -> True", &["intros"], "destruct H as [? ?]", 4),
        ("", "forall n : nat, exists m, m = n", &["intros"], "exists n", 12),
        ("", "forall a b : nat, a = b -> b = a", &["intros"], "subst", 9),
        ("", "forall (f : nat -> nat) a b, a = b -> f a = f b", &["intros"], "congruence", 9),
        ("", "forall a b : nat, a < b -> a <> b", &["intros"], "lia", 3),
        ("", "forall P Q : Prop, P -> Q -> P", &["intros"], "assumption", 2),
        ("", "forall A B : Prop, (A -> B) -> A -> B", &["intros"], "apply H", 9),
        ("", "forall b : bool, negb (negb b) = b", &["intros"], "destruct b", 9),
        (
            "Require Import ZArith.",
            "(forall x y : Z, (x + y) * (x - y) = x * x - y * y)%Z",
            &["intros"],
            "ring",
            4,
        ),
        ("Require Import Reals. Open Scope R_scope.", "forall x : R, x < x + 1", &["intros"], "lra", 3),
        ("Require Import Reals. Open Scope R_scope.", "forall x : R, 0 <= x * x", &["intros"], "nra", 6),
        (
            "Require Import List.",
            "forall (A : Type) (l : list A), l ++ nil = l",
            &["intros"],
            "induction l",
            9,
        ),
        ("Definition twice n := n + n.", "forall n, twice n = 2 * n", &["intros"], "unfold twice", 9),
        (
            "Lemma s n : 0 + n = n. Proof. intros. now destruct n. Qed.",
            "forall n, n + 0 = n",
            &["intros"],
            "now destruct n",
            9,
        ),
        ("Ltac crush := simpl; auto.", "forall n : nat, 0 + n = n", &[], "crush", 6),
        (
            "Require Import ZArith.",
            "forall n m, Z.of_nat (n * m) = (Z.of_nat n * Z.of_nat m)%Z",
            &["intros"],
            "rewrite Nat2Z.inj_mul; auto; try lia",
            30,
        ),
        (
            "",
            "forall (f : nat -> nat) a b, f a = b -> f (f a) = f b",
            &["intros"],
            "match goal with H : _ |- _ => now rewrite H end",
            24,
        ),
    ];
    let rocq: Arc<dyn Environment> = Arc::new(Rocq::new(RocqConfig::default()));
    check(&rocq, cases);
}

#[test]
fn imports_follow_the_theorem() {
    let lines = |header: &str, statement: &str| {
        let theorem = Theorem { header: header.to_owned(), ..theorem(ROCQ, "t", statement) };
        Heuristic.imports(&theorem).into_iter().map(|i| i.line).collect::<Vec<_>>()
    };
    assert_eq!(lines("", "Theorem t : 1 = 1."), ["From Coq Require Import Lia."]);
    assert_eq!(lines("", "Theorem t n : n mod 2 < 2."), ["From Coq Require Import Lia ZifyNat."]);
    assert!(
        lines("Require Import Reals.", "Theorem t : True.")
            .contains(&"From Coq Require Import Lra.".to_owned())
    );
}
