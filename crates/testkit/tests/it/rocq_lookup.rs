//! Lemmas that a real Rocq finds.

use andor_system_rocq::ROCQ;
use std::sync::Arc;

use crate::lookup::{found_by, names};
use andor_core::lemma::Lemma;
use andor_core::theorem::{ExtraImport, Theorem};
use andor_env::session::{Limits, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_process::program_within;
use andor_system_rocq::{Rocq, RocqConfig};
use andor_testkit::contract::kill;
use andor_testkit::{block_on, theorem};

async fn opened(header: &str, statement: &str) -> Arc<Session> {
    opened_with(Theorem { header: header.to_owned(), ..theorem(ROCQ, "t", statement) }).await
}

async fn opened_with(theorem: Theorem) -> Arc<Session> {
    let workers = Workers::new(Arc::new(Rocq::new(RocqConfig::default())), Grouping::Coupled);
    Session::open(workers, theorem, Limits::default()).await.unwrap()
}

/// What is found for the goal of a statement.
async fn found(header: &str, statement: &str, most: usize) -> Vec<Lemma> {
    found_by(&opened(header, statement).await, most).await
}

#[test]
fn lemmas_about_the_goal_come_first() {
    block_on(async {
        let header = "Require Import List Arith.";
        let statement = "Theorem t (A : Type) (k l : list A) : rev (k ++ l) = rev l ++ rev k.";
        let lemmas = found(header, statement, 8).await;
        assert_eq!(lemmas.len(), 8);
        let expected = Lemma {
            name: "rev_app_distr".to_owned(),
            statement: "forall (A : Type) (x y : list A), rev (x ++ y) = rev y ++ rev x".to_owned(),
        };
        assert_eq!(lemmas[0], expected, "{lemmas:?}");
        let sums = found(header, "Theorem t (a b : nat) : a * b + 0 = b * a.", 20).await;
        for expected in ["Nat.mul_comm", "Nat.add_0_r"] {
            assert!(names(&sums).contains(&expected), "{expected}: {:?}", names(&sums));
        }
    });
}

#[test]
fn lemmas_of_the_header_are_found_and_neither_hypotheses_nor_definitions() {
    block_on(async {
        let header = "Definition twice (n : nat) := n + n.\n\
            Fixpoint again (n : nat) : nat := twice n.\n\
            Lemma twice_0 : twice 0 = 0.\nProof. reflexivity. Qed.\n\
            Inductive small : nat -> Prop := small_0 : small (twice 0).\n";
        let lemmas = found(header, "Theorem t (n : nat) (H : twice n = 0) : twice n = n.", 99).await;
        // `Search` of later releases leaves principles of induction out.
        let first = names(&lemmas).into_iter().filter(|name| *name != "small_ind").take(2);
        assert_eq!(first.collect::<Vec<_>>(), ["twice_0", "small_0"], "{lemmas:?}");
        for other in ["t", "H", "twice", "again", "small", "Nat.add"] {
            assert!(!names(&lemmas).contains(&other), "{other}: {lemmas:?}");
        }
        assert_eq!(lemmas[0].statement, "twice 0 = 0");
    });
}

#[test]
fn what_only_an_extra_import_provides_is_not_found() {
    block_on(async {
        let import = ExtraImport {
            line: "From Coq Require Import List.".to_owned(),
            provides: vec!["x".to_owned()],
            extends: Vec::new(),
        };
        let statement = "Theorem t (k l : list nat) : app k l = app k l.";
        let with = Theorem { extra_imports: vec![import], ..theorem(ROCQ, "t", statement) };
        let session = opened_with(with).await;
        let lemmas = found_by(&session, 99).await;
        assert!(!names(&lemmas).iter().any(|name| name.contains("app_nil")), "{lemmas:?}");
        assert!(names(&found("From Coq Require Import List.", statement, 99).await).contains(&"app_nil_r"));
    });
}

#[test]
fn a_goal_of_connectives_only_has_lemmas_too() {
    block_on(async {
        let lemmas = found("", "Theorem t (p q : Prop) : p /\\ q <-> q /\\ p.", 3).await;
        assert_eq!(names(&lemmas)[0], "and_comm", "{lemmas:?}");
    });
}

#[test]
fn only_names_are_sought() {
    block_on(async {
        let session = opened("", "Theorem t : 1 + 1 = 2.").await;
        let given = ["Nat.add. Axiom a : False. Search Nat.add", "_ + _", "\"+\"", "", "nat)", "no_such"];
        for bad in given {
            assert_eq!(*session.lookup(&[bad.to_owned()], 9).await, [], "{bad}");
        }
        assert!(!session.lookup(&["Nat.add".to_owned(), "no_such".to_owned()], 9).await.is_empty());
    });
}

#[test]
fn a_lookup_survives_the_death_of_its_worker() {
    block_on(async {
        let session = opened("", "Theorem t : 1 + 1 = 2.").await;
        let symbols = ["Nat.add".to_owned()];
        let before = session.process_ids();
        let first = session.lookup(&symbols, 5).await;
        let own: Vec<u32> = session.process_ids().into_iter().filter(|pid| !before.contains(pid)).collect();
        assert_eq!(own.len(), 1, "lookups have a worker of their own");
        kill(program_within(own[0]).unwrap_or(own[0]));
        // Another number, since the first answer is remembered.
        assert_eq!(session.lookup(&symbols, 4).await[..], first[..4]);
        assert_eq!(session.counters().workers_lost, 0);
    });
}

#[test]
fn equal_lookups_of_equal_theorems_are_equal() {
    block_on(async {
        let header = "Require Import List Arith Lia.";
        let statement = "Theorem t (a b : nat) (l : list nat) : length l + a <= b + length (rev l).";
        let first = found(header, statement, 64).await;
        assert_eq!(first.len(), 64);
        assert_eq!(found(header, statement, 64).await, first);
    });
}
