//! What the heuristics propose at real goals.

use std::sync::Arc;

use andor_core::theorem::{System, Theorem};
use andor_env::rocq::screen::tactic_body;
use andor_env::rocq::{Rocq, RocqConfig};
use andor_env::session::{Limits, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::contract::{Provider, Request, tidy};
use andor_provider::heuristic::Heuristic;
use andor_testkit::{block_on, theorem};

/// The tactics proposed after some tactics, best first.
async fn proposals(header: &str, statement: &str, before: &[&str]) -> Vec<String> {
    let theorem = Theorem {
        header: header.to_owned(),
        ..theorem(System::Rocq, "t", &format!("Theorem t : {statement}."))
    };
    let rocq = Arc::new(Rocq::new(RocqConfig::default()));
    let session = Session::open(Workers::new(rocq, Grouping::Coupled), theorem, Limits::default())
        .await
        .expect("it opens");
    let mut at = session.root();
    for tactic in before {
        let mut preview = session.lease(at).preview(tactic).await.expect("an answer");
        at = session.commit(&mut preview).obligations[0];
    }
    let goals = session.goals(at);
    let request = Request::new(session.theorem(), &goals);
    let suggest = async || tidy("heuristic", Heuristic.suggest(request).await.expect("no error"));
    let suggestions = suggest().await.expect("the numbers are in order");
    assert_eq!(suggestions, suggest().await.expect("again"), "equal goals get equal proposals");
    let tactics: Vec<String> = suggestions.candidates.into_iter().map(|c| c.tactic).collect();
    for tactic in &tactics {
        assert!(tactic_body(tactic).is_ok(), "`{tactic}` is one tactic");
    }
    tactics
}

#[test]
fn what_helps_comes_early() {
    // Header, statement, tactics before, what is expected, among how many.
    let cases: &[(&str, &str, &[&str], &str, usize)] = &[
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
    block_on(async {
        for (header, statement, before, expected, within) in cases {
            let tactics = proposals(header, statement, before).await;
            let place = tactics.iter().position(|t| t == expected);
            assert!(
                place.is_some_and(|p| p < *within),
                "{statement}: `{expected}` at {place:?} of {tactics:?}"
            );
        }
    });
}

#[test]
fn imports_follow_the_theorem() {
    let lines = |header: &str, statement: &str| {
        let theorem = Theorem { header: header.to_owned(), ..theorem(System::Rocq, "t", statement) };
        Heuristic.imports(&theorem).into_iter().map(|i| i.line).collect::<Vec<_>>()
    };
    assert_eq!(lines("", "Theorem t : 1 = 1."), ["From Coq Require Import Lia."]);
    assert_eq!(lines("", "Theorem t n : n mod 2 < 2."), ["From Coq Require Import Lia ZifyNat."]);
    assert!(
        lines("Require Import Reals.", "Theorem t : True.")
            .contains(&"From Coq Require Import Lra.".to_owned())
    );
}
