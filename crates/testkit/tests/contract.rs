//! Every environment passes the contract suite.

use std::sync::Arc;

use andor_core::theorem::{System, Theorem};
use andor_env::mini::{Mini, MiniConfig};
use andor_env::rocq::{Rocq, RocqConfig};
use andor_env::synthetic::Synthetic;
use andor_testkit::contract::{Fixture, run_all};
use andor_testkit::scripted::Scripted;
use andor_testkit::{block_on, theorem};

#[test]
fn scripted() {
    let table = "root: split -> a b | endless -> %time | crash -> %crash\na: close -> .\nb: close -> .\n";
    let coupled = "root: open -> x* y*\nx: solve -> .\ny: solve -> .\n";
    block_on(run_all(&Fixture {
        environment: Arc::new(Scripted::default()),
        theorem: theorem(System::Mini, "t", table),
        split: "split".into(),
        close: ["close".into(), "close".into()],
        fail: "nonsense".into(),
        coupled: Some((
            theorem(System::Mini, "c", coupled),
            ["open", "solve", "solve"].map(str::to_owned).to_vec(),
        )),
        endless: Some("endless".into()),
        crash: Some("crash".into()),
    }));
}

#[test]
fn synthetic() {
    // On this instance t6 leaves two goals, which t2 and t3 close.
    block_on(run_all(&Fixture {
        environment: Arc::new(Synthetic),
        theorem: theorem(System::Synthetic, "s", "easy 111"),
        split: "t6".into(),
        close: ["t2".into(), "t3".into()],
        fail: "t99".into(),
        coupled: None,
        endless: None,
        crash: None,
    }));
}

#[test]
fn mini() {
    let in_mini = |name: &str, statement: &str| theorem(System::Mini, name, statement);
    block_on(run_all(&Fixture {
        environment: Arc::new(Mini::new(MiniConfig::default())),
        theorem: in_mini("t", "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q"),
        split: "constructor".into(),
        close: ["exact hp".into(), "exact hq".into()],
        fail: "exact nonsense".into(),
        coupled: Some((
            in_mini("c", "theorem c : ∃ x y : Nat, x = 3 ∧ y = x"),
            ["refine ⟨?_, ?_, ?_⟩", "exact 3", "exact 3", "exact ⟨rfl, rfl⟩"].map(str::to_owned).to_vec(),
        )),
        endless: Some("repeat skip".into()),
        crash: None,
    }));
}

#[test]
fn rocq() {
    let header = "Require Import Lia.\n";
    let with_header = |name: &str, statement: &str| Theorem {
        header: header.into(),
        ..theorem(System::Rocq, name, statement)
    };
    block_on(run_all(&Fixture {
        environment: Arc::new(Rocq::new(RocqConfig::default())),
        theorem: with_header("t", "Theorem t : forall n m : nat, n + m = m + n /\\ n <= n + m."),
        split: "intros n m; split".into(),
        close: ["lia".into(), "auto with arith".into()],
        fail: "discriminate".into(),
        coupled: Some((
            with_header("c", "Theorem c : exists x y : nat, x = 3 /\\ x <= y."),
            ["do 2 eexists; split", "reflexivity", "apply le_n"].map(str::to_owned).to_vec(),
        )),
        endless: Some("repeat (pose proof 0)".into()),
        crash: None,
    }));
}
