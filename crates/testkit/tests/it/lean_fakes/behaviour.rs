//! The contract, and the traps of the protocols.

use andor_system_mini::MINI;
use std::sync::Arc;
use std::time::Duration;

use andor_core::theorem::Theorem;
use andor_env::error::EnvError;
use andor_env::session::{Attempted, Limits, Session};
use andor_env::worker::{Grouping, StateId, TacticLimits, TacticOutcome, Worker};
use andor_env::workers::Workers;
use andor_process::limits::TimeLimit;
use andor_testkit::contract::{Fixture, run_all};
use andor_testkit::in_mini::in_mini;
use andor_testkit::{block_on, theorem};

use super::prover::{ALL, Behind, CRASH, Kind, SLEEP, launch, worker};

const LIMITS: TacticLimits = TacticLimits { wall: Duration::from_secs(30), cpu: None };

fn fulfils_the_contract(kind: Kind) {
    let fixture = in_mini(Arc::new(Behind::new(kind, &[])));
    block_on(run_all(&Fixture { crash: Some(CRASH.into()), ..fixture }));
}

#[test]
fn the_repl_fulfils_the_contract() {
    fulfils_the_contract(Kind::Repl);
}

#[test]
fn pantograph_fulfils_the_contract() {
    fulfils_the_contract(Kind::Pantograph);
}

#[test]
fn an_older_pantograph_fulfils_the_contract() {
    fulfils_the_contract(Kind::OldPantograph);
}

fn in_header(header: &str, statement: &str) -> Theorem {
    Theorem { header: header.to_owned(), ..theorem(MINI, "t", &format!("theorem t {statement}")) }
}

/// A worker on which a theorem is open.
async fn opened(kind: Kind, header: &str, statement: &str) -> (Box<dyn Worker>, StateId) {
    let mut worker = worker(kind, launch(kind, &[]), Grouping::Coupled);
    let opened = worker.open(&in_header(header, statement)).await.expect("the theorem opens");
    (worker, opened.state)
}

async fn message(worker: &mut dyn Worker, state: StateId, tactic: &str) -> String {
    match worker.apply(state, 0, tactic, LIMITS).await.expect("the worker answers") {
        TacticOutcome::Rejected { message, .. } => message,
        other => panic!("`{tactic}`: {other:?}"),
    }
}

async fn applied(
    worker: &mut dyn Worker,
    state: StateId,
    group: usize,
    tactic: &str,
) -> (StateId, Vec<Vec<usize>>) {
    match worker.apply(state, group, tactic, LIMITS).await.expect("the worker answers") {
        TacticOutcome::Applied { state, proof_state, .. } => (state, proof_state.groups.clone()),
        other => panic!("`{tactic}`: {other:?}"),
    }
}

#[test]
fn what_only_looks_like_a_success_is_a_failure() {
    block_on(async {
        for kind in ALL {
            let (mut worker, root) = opened(kind, "", "(p q : Prop) (hp : p) : p ∧ (q ∨ p)").await;
            let worker = &mut *worker;
            for tactic in [
                "exact nonsense",
                "sorry",
                "admit",
                "constructor\nsorry",
                "refine ⟨hp, ?_⟩\nexact nonsense",
                "constructor\n· exact nonsense\n· right; exact hp",
                "have h : q := by sorry\nexact ⟨hp, Or.inl h⟩",
                "intro",
                "(",
                "nonsense",
                "all_goals",
                "have h : q := by",
                "case _ =>",
            ] {
                let message = message(worker, root, tactic).await;
                assert!(!message.is_empty(), "{kind:?}: {tactic}");
            }
            let (split, groups) = applied(worker, root, 0, "constructor").await;
            assert_eq!(groups, [[0], [1]], "{kind:?}");
            assert!(applied(worker, split, 1, "right\nexact hp").await.1.is_empty());
            assert!(applied(worker, split, 0, "exact hp").await.1.is_empty());
        }
    });
}

#[test]
fn siblings_are_out_of_reach() {
    block_on(async {
        for kind in ALL {
            let (mut worker, root) = opened(kind, "", "(p q r : Prop) (h : p) : (p ∧ p) ∧ (p ∧ p)").await;
            let worker = &mut *worker;
            let (split, groups) = applied(worker, root, 0, "constructor").await;
            assert_eq!(groups.len(), 2, "{kind:?}");
            for group in [1, 0, 1] {
                let (_, left) = applied(worker, split, group, "all_goals constructor").await;
                assert_eq!(left.len(), 2, "{kind:?}");
                assert!(
                    applied(worker, split, group, "all_goals (constructor <;> exact h)").await.1.is_empty()
                );
            }
        }
    });
}

#[test]
fn goals_that_share_metavariables_are_worked_on_together() {
    block_on(async {
        for kind in ALL {
            let statement = "(a b c : Nat) (f : a ≤ b) (g : b ≤ c) (p : Prop) (h : p) : (a ≤ c) ∧ p";
            let (mut worker, root) = opened(kind, "", statement).await;
            let worker = &mut *worker;
            let (split, groups) = applied(worker, root, 0, "refine ⟨?_, ?_⟩\napply Nat.le_trans").await;
            assert_eq!(groups[..], [vec![0, 1, 2], vec![3]], "{kind:?}");
            let (next, left) = applied(worker, split, 0, "exact f").await;
            assert!(!left.is_empty(), "{kind:?}");
            assert!(applied(worker, next, 0, "exact g").await.1.is_empty(), "{kind:?}");
        }
    });
}

#[test]
fn what_is_wrong_with_a_theorem_is_told() {
    block_on(async {
        for kind in ALL {
            for (header, statement, part, says) in [
                ("import Nowhere\n", ": True", "the header", "Nowhere"),
                ("def f : Nat := nonsense\n", ": True", "the header", "nonsense"),
                ("", ": nonsense", "the statement", "nonsense"),
                ("", ": True := trivial", "the statement", "unexpected"),
            ] {
                let mut worker = worker(kind, launch(kind, &[]), Grouping::Coupled);
                let error = worker.open(&in_header(header, statement)).await.unwrap_err();
                let EnvError::TheoremRefused { part: found, message, .. } = &error else {
                    panic!("{kind:?}: {header}{statement}: {error}")
                };
                assert_eq!((*found, message.contains(says)), (part, true), "{kind:?}: {error}");
            }
        }
    });
}

#[test]
fn a_header_is_read_once_for_several_theorems() {
    block_on(async {
        for kind in ALL {
            let header = "import Init\nopen Nat\ntheorem two (p : Prop) (h : p) : p ∧ p := ⟨h, h⟩\n";
            let mut worker = worker(kind, launch(kind, &[]), Grouping::Coupled);
            let first = worker.open(&in_header(header, "(p : Prop) (h : p) : p ∧ p")).await.unwrap();
            assert!(applied(&mut *worker, first.state, 0, "exact two p h").await.1.is_empty());
            let process = worker.process_id();
            assert!(
                worker.forget_theorem() && worker.shares(header).is_some() && worker.shares("").is_none()
            );
            let second = worker.open(&in_header(header, "(q : Prop) (h : q) : q ∧ q")).await.unwrap();
            assert_eq!(second.importing, Duration::ZERO);
            assert_eq!(worker.process_id(), process);
            // The first theorem is not there.
            assert!(!message(&mut *worker, second.state, "exact t q h").await.is_empty());
            assert!(applied(&mut *worker, second.state, 0, "exact two q h").await.1.is_empty());
            worker.wake().await.unwrap();
        }
    });
}

#[test]
fn limits_of_lean_and_of_the_clock_stop_a_tactic() {
    block_on(async {
        for kind in ALL {
            let (mut worker, root) = opened(kind, "", ": True").await;
            let outcome = worker.apply(root, 0, "repeat skip", LIMITS).await.unwrap();
            let limit = TimeLimit::Wall(LIMITS.wall);
            assert_eq!(outcome, TacticOutcome::OverTime { limit }, "{kind:?}: heartbeats");
            let process = worker.process_id();
            assert!(applied(&mut *worker, root, 0, "trivial").await.1.is_empty());
            assert_eq!(worker.process_id(), process, "{kind:?}: it goes on");
            let environment = Arc::new(Behind::new(kind, &[]));
            let limits = Limits { tactic: Duration::from_millis(200), ..Limits::default() };
            let theorem = in_header("set_option maxHeartbeats 0\n", ": True");
            let workers = Workers::new(environment, Grouping::Coupled);
            let session = Session::open(workers, theorem, limits).await.unwrap();
            let mut lease = session.lease(session.root());
            for (tactic, lost) in [(SLEEP, 1), ("trivial", 1)] {
                let preview = lease.preview(tactic).await.unwrap();
                let is_over = matches!(*preview.attempted, Attempted::OverTime { .. });
                assert_eq!(is_over, tactic == SLEEP, "{kind:?}: {:?}", preview.attempted);
                assert_eq!(session.counters().workers_lost, lost, "{kind:?}");
            }
        }
    });
}

#[test]
fn all_goals_of_a_state_can_be_one_obligation() {
    block_on(async {
        for kind in ALL {
            let mut worker = worker(kind, launch(kind, &[]), Grouping::Whole);
            let theorem = in_header("", "(p q : Prop) (hp : p) (hq : q) : p ∧ q ∧ p");
            let root = worker.open(&theorem).await.unwrap().state;
            let (split, groups) = applied(&mut *worker, root, 0, "refine ⟨hp, ?_⟩\nconstructor").await;
            assert_eq!(groups, [[0, 1]], "{kind:?}");
            let (one, groups) = applied(&mut *worker, split, 0, "exact hq").await;
            assert_eq!(groups, [[0]], "{kind:?}");
            assert!(applied(&mut *worker, one, 0, "exact hp").await.1.is_empty(), "{kind:?}");
            assert!(applied(&mut *worker, split, 0, "all_goals assumption").await.1.is_empty(), "{kind:?}");
        }
    });
}
