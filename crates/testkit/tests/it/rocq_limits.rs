//! Real Rocq workers that compute without end, are killed, are stopped, or grow; within walls and without.

use andor_system_rocq::ROCQ;
use std::sync::Arc;
use std::time::Duration;

use andor_core::theorem::Theorem;
use andor_env::session::{Attempted, Limits, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_process::limits::TimeLimit;
use andor_process::{CpuAccount, program_within};
use andor_system_rocq::{Rocq, RocqConfig};
use andor_testkit::{block_on, theorem};
use rustix::process::{Pid, Signal, kill_process};

/// A computation that takes years.
const ENDLESS: &str = "vm_compute; reflexivity";

/// Longer than any of these tests.
const AGES: Duration = Duration::from_secs(600);

/// Whether workers run within a sandbox.
const WALLED: [bool; 2] = [true, false];

async fn open(sandbox: bool, limits: Limits) -> Arc<Session> {
    let header = "Fixpoint slow (n : nat) : nat := match n with 0 => 0 | S m => slow m + slow m end.\n";
    let statement = "Theorem t : slow 60 = 0.";
    let theorem = Theorem { header: header.to_owned(), ..theorem(ROCQ, "t", statement) };
    let rocq = Rocq::new(RocqConfig { sandbox, ..RocqConfig::default() });
    let session =
        Session::open(Workers::new(Arc::new(rocq), Grouping::Coupled), theorem, limits).await.unwrap();
    assert_eq!(program_within(session.process_ids()[0]).is_some(), sandbox, "walls stand where they should");
    session
}

/// The prover itself, which is not the process that was started when there are walls.
fn prover(session: &Session) -> u32 {
    let started = session.process_ids()[0];
    program_within(started).unwrap_or(started)
}

async fn attempt(session: &Arc<Session>, tactic: &str) -> Arc<Attempted> {
    Arc::clone(&session.lease(session.root()).preview(tactic).await.unwrap().attempted)
}

/// Runs the computation without end, and sends its worker a signal once that is at work on it.
async fn attempt_and_signal(session: &Arc<Session>, signal: Signal) -> Arc<Attempted> {
    let worker = prover(session);
    let strike = async {
        let mut account = CpuAccount::new(worker);
        let before = account.total();
        while account.total() < before + Duration::from_millis(200) {
            tokio::task::yield_now().await;
        }
        kill_process(Pid::from_raw(worker.try_into().unwrap()).unwrap(), signal).unwrap();
    };
    tokio::join!(attempt(session, ENDLESS), strike).0
}

async fn assert_goes_on(session: &Arc<Session>) {
    let attempted = attempt(session, "idtac").await;
    assert!(matches!(*attempted, Attempted::Applied { .. }), "{attempted:?}");
}

#[test]
fn a_computation_over_its_processor_time_is_interrupted_and_the_worker_kept() {
    for walled in WALLED {
        block_on(async {
            let limit = Duration::from_millis(300);
            let session =
                open(walled, Limits { tactic: AGES, tactic_cpu: Some(limit), ..Limits::default() }).await;
            let attempted = attempt(&session, ENDLESS).await;
            assert!(
                matches!(*attempted, Attempted::OverTime { limit: TimeLimit::Cpu(l) } if l == limit),
                "{attempted:?}"
            );
            assert_goes_on(&session).await;
            let counters = session.counters();
            assert_eq!((counters.over_time, counters.over_cpu), (1, 1));
            assert_eq!((counters.workers_started, counters.workers_lost), (1, 0));
        });
    }
}

#[test]
fn a_computation_over_its_wall_time_is_interrupted_and_the_worker_kept() {
    for walled in WALLED {
        block_on(async {
            // A limit of whole seconds is Rocq's own affair, a finer one ours. Equal limits: the wall decides.
            for limit in [Duration::from_millis(400), Duration::from_secs(1)] {
                let session =
                    open(walled, Limits { tactic: limit, tactic_cpu: Some(limit), ..Limits::default() })
                        .await;
                let attempted = attempt(&session, ENDLESS).await;
                assert!(
                    matches!(*attempted, Attempted::OverTime { limit: TimeLimit::Wall(l) } if l == limit),
                    "{attempted:?}"
                );
                assert_goes_on(&session).await;
                let counters = session.counters();
                assert_eq!((counters.over_time, counters.over_cpu), (1, 0));
                assert_eq!((counters.workers_started, counters.workers_lost), (1, 0));
            }
        });
    }
}

#[test]
fn a_worker_that_is_killed_at_work_is_replaced_and_the_tactic_tried_again() {
    for walled in WALLED {
        block_on(async {
            let limits =
                Limits { tactic: AGES, tactic_cpu: Some(Duration::from_secs(1)), ..Limits::default() };
            let session = open(walled, limits).await;
            let attempted = attempt_and_signal(&session, Signal::KILL).await;
            assert!(
                matches!(*attempted, Attempted::OverTime { limit: TimeLimit::Cpu(_) }),
                "the second worker is left in peace: {attempted:?}"
            );
            assert_goes_on(&session).await;
            assert_eq!((session.counters().workers_started, session.counters().workers_lost), (2, 1));
        });
    }
}

#[test]
fn a_worker_that_is_stopped_does_not_answer_the_interrupt_and_is_killed() {
    for walled in WALLED {
        block_on(async {
            let session = open(walled, Limits { tactic: Duration::from_secs(2), ..Limits::default() }).await;
            let worker = prover(&session);
            let attempted = attempt_and_signal(&session, Signal::STOP).await;
            assert!(matches!(*attempted, Attempted::OverTime { limit: TimeLimit::Wall(_) }), "{attempted:?}");
            assert!(!std::path::Path::new(&format!("/proc/{worker}")).exists(), "it is gone");
            assert_goes_on(&session).await;
            assert_eq!((session.counters().workers_started, session.counters().workers_lost), (2, 1));
        });
    }
}

#[test]
fn a_worker_that_was_stopped_while_idle_is_replaced_and_no_tactic_is_blamed() {
    for walled in WALLED {
        block_on(async {
            let idle = open(walled, Limits::default()).await;
            let worker = prover(&idle);
            // Another is at work for longer than workers are trusted without a sign.
            let busy = open(walled, Limits { tactic: Duration::from_secs(2), ..Limits::default() }).await;
            let attempted = attempt(&busy, ENDLESS).await;
            assert!(matches!(*attempted, Attempted::OverTime { .. }), "{attempted:?}");
            kill_process(Pid::from_raw(worker.try_into().unwrap()).unwrap(), Signal::STOP).unwrap();
            assert_goes_on(&idle).await;
            assert!(!std::path::Path::new(&format!("/proc/{worker}")).exists(), "it is gone");
            let counters = idle.counters();
            assert_eq!((counters.workers_started, counters.workers_lost, counters.over_time), (2, 1, 0));
        });
    }
}

#[test]
fn a_worker_over_its_memory_is_replaced_between_tactics() {
    for walled in WALLED {
        block_on(async {
            let session = open(walled, Limits { max_memory_bytes: Some(1), ..Limits::default() }).await;
            let first = session.process_ids();
            for n in 0..65 {
                let attempted = attempt(&session, &format!("pose (x := {n})")).await;
                assert!(matches!(*attempted, Attempted::Applied { .. }), "{attempted:?}");
            }
            assert_ne!(session.process_ids(), first);
            let counters = session.counters();
            assert_eq!(
                (counters.workers_recycled, counters.workers_started, counters.workers_lost),
                (1, 2, 0)
            );
        });
    }
}
