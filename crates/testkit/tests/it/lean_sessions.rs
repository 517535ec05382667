//! Sessions on the real Lean when something goes wrong beside them: memory that runs out, modules that change.

use andor_system_lean::LEAN4;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use andor_core::theorem::Theorem;
use andor_env::environment::Environment;
use andor_env::error::EnvError;
use andor_env::session::{Attempted, Limits, Obligation, Session};
use andor_env::worker::{Grouping, TacticLimits, TacticOutcome};
use andor_env::workers::Workers;
use andor_process::program_within;
use andor_system_lean::toolchain::Toolchain;
use andor_system_lean::{Lean, LeanConfig};
use andor_testkit::contract::kill;
use andor_testkit::{block_on, lean, theorem};

fn stated(header: &str, statement: &str) -> Theorem {
    Theorem { header: header.to_owned(), ..theorem(LEAN4, "t", statement) }
}

fn environment(search_path: Vec<PathBuf>, max_memory: Option<u64>) -> Lean {
    let toolchain = Some(Toolchain { search_path, ..lean::toolchain() });
    Lean::new(LeanConfig { toolchain, max_memory, ..LeanConfig::default() })
}

async fn open(environment: Lean, theorem: Theorem, limits: Limits) -> Arc<Session> {
    Session::open(Workers::new(Arc::new(environment), Grouping::Coupled), theorem, limits).await.unwrap()
}

async fn attempt(session: &Arc<Session>, at: Obligation, tactic: &str) -> Result<Arc<Attempted>, EnvError> {
    Ok(session.lease(at).preview(tactic).await?.attempted)
}

#[test]
fn a_lean_out_of_memory_says_so_and_lives() {
    block_on(async {
        let theorem = stated("", "theorem t : 1 = 1");
        let limits = TacticLimits::wall(Duration::from_secs(60));
        let is_out_of_memory = |outcome: &TacticOutcome| matches!(outcome, TacticOutcome::Rejected { message, .. } if message.contains("excessive memory"));
        // The least limit with which the kernel works at all; how much that is depends on the version.
        for megabytes in (60..400).step_by(10) {
            let mut worker = environment(Vec::new(), Some(megabytes << 20)).new_worker(Grouping::Coupled);
            let root = worker.open(&theorem).await.unwrap().state;
            let process = worker.process_id();
            let small = worker.apply(root, 0, "have : 2 = 2 := by decide +kernel", limits).await.unwrap();
            if is_out_of_memory(&small) {
                continue;
            }
            assert!(matches!(small, TacticOutcome::Applied { .. }), "{small:?}");
            // The kernel asks for its memory at some of its steps only: 2^24 numbers of 8 KB, each kept.
            let large = "have : (Nat.rec (motive := fun _ => Nat → Nat) id (fun _ f k => f (2 * k) + f (2 * k + 1)) 24 (2 ^ (2 ^ 16)) : Nat) ≠ 0 := by decide +kernel";
            let large = worker.apply(root, 0, large, limits).await.unwrap();
            assert!(is_out_of_memory(&large), "{megabytes} MB: {large:?}");
            assert_eq!(worker.process_id(), process);
            return;
        }
        panic!("the kernel needs more than 400 MB for `2 = 2`");
    });
}

#[test]
fn a_worker_over_its_memory_is_replaced_between_tactics() {
    block_on(async {
        let limits = Limits { max_memory_bytes: Some(1), ..Limits::default() };
        let theorem = stated("", "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q");
        let session = open(environment(Vec::new(), None), theorem, limits).await;
        let first = session.process_ids();
        let mut lease = session.lease(session.root());
        let mut split = lease.preview("refine ⟨hp, ?_⟩").await.unwrap();
        let left = session.commit(&mut split).obligations[0];
        drop(lease);
        let mut tried = 0;
        while session.counters().workers_recycled == 0 {
            assert!(tried < 200, "the worker is not replaced");
            let attempted =
                attempt(&session, left, &format!("have : {tried} = {tried} := rfl")).await.unwrap();
            assert!(matches!(*attempted, Attempted::Applied { .. }), "{attempted:?}");
            tried += 1;
        }
        let attempted = attempt(&session, left, "exact hq").await.unwrap();
        assert!(matches!(&*attempted, Attempted::Applied { children, .. } if children.is_empty()));
        assert_ne!(session.process_ids(), first);
        let counters = session.counters();
        assert_eq!((counters.workers_lost, counters.workers_recycled), (0, 1));
    });
}

/// A library with a type of one element, which has this name.
fn library(of: &str) -> String {
    format!("inductive {of} where\n  | mk\n\nabbrev Other := {of}\n\ninstance : OfNat Other 7 := ⟨{of}.mk⟩\n")
}

#[test]
fn a_module_that_changes_under_a_session_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    lean::compile(folder.path(), "Lib", &library("First"));
    block_on(async {
        let environment = environment(vec![folder.path().to_owned()], None);
        let theorem = stated("import Lib\n", "theorem t : True ∧ ∃ x, x = (7 : Other)");
        let session = open(environment, theorem, Limits::default()).await;
        let mut lease = session.lease(session.root());
        let mut split = lease.preview("refine ⟨trivial, First.mk, ?_⟩").await.unwrap();
        assert!(matches!(*split.attempted, Attempted::Applied { .. }), "{:?}", split.attempted);
        let left = session.commit(&mut split).obligations[0];
        drop(lease);
        lean::compile(folder.path(), "Lib", &library("Second"));
        // The process that runs has read the module as it was.
        let attempted = attempt(&session, left, "have : 1 = 1 := rfl").await.unwrap();
        assert!(matches!(*attempted, Attempted::Applied { .. }), "{attempted:?}");
        for pid in session.process_ids() {
            kill(program_within(pid).unwrap_or(pid));
        }
        // A new one finds other goals, which are never taken for those of the search.
        let error = attempt(&session, left, "have : 2 = 2 := rfl").await.unwrap_err();
        assert!(matches!(error, EnvError::ReplayDiverged { .. }), "{error}");
    });
}
