//! What the session makes of workers that are lost, by a scripted environment.

use andor_system_mini::MINI;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use andor_env::error::EnvError;
use andor_env::session::{Attempted, Limits, Obligation, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_process::limits::TimeLimit;
use andor_testkit::scripted::ScriptedEnvironment;
use andor_testkit::{block_on, theorem};

/// Three ways to the same goal, at which tactics misbehave.
const WAYS: &str = "root: one -> a | two -> a | three -> a\n\
                    a: crash -> %crash | die -> %crash | hang -> %hang | busy -> %cpu | spin -> %spin | done -> .";

async fn open(environment: &ScriptedEnvironment, limits: Limits) -> Arc<Session> {
    let theorem = theorem(MINI, "t", WAYS);
    Session::open(Workers::new(Arc::new(environment.clone()), Grouping::Coupled), theorem, limits)
        .await
        .unwrap()
}

async fn attempt(session: &Arc<Session>, at: Obligation, tactic: &str) -> Arc<Attempted> {
    Arc::clone(&session.lease(at).preview(tactic).await.unwrap().attempted)
}

/// The nodes that hold the goal `a`.
async fn nodes(session: &Arc<Session>) -> Vec<Obligation> {
    let mut nodes = Vec::new();
    for way in ["one", "two", "three"] {
        let mut preview = session.lease(session.root()).preview(way).await.unwrap();
        nodes.extend(session.commit(&mut preview).obligations);
    }
    nodes
}

#[test]
fn a_tactic_that_killed_two_workers_is_tried_nowhere_again() {
    block_on(async {
        let environment = ScriptedEnvironment::default();
        let session = open(&environment, Limits::default()).await;
        let nodes = nodes(&session).await;
        assert!(matches!(*attempt(&session, nodes[0], "crash").await, Attempted::Crashed { .. }));
        let tried = environment.n_applied.load(Ordering::Relaxed);
        for &node in &nodes {
            assert!(matches!(*attempt(&session, node, "crash").await, Attempted::Crashed { .. }));
        }
        assert_eq!(environment.n_applied.load(Ordering::Relaxed), tried, "not tried a third time");
        assert_eq!(session.counters().workers_lost, 2);
        assert!(matches!(*attempt(&session, nodes[2], "done").await, Attempted::Applied { .. }));
    });
}

#[test]
fn a_tactic_that_hangs_is_tried_at_most_twice() {
    block_on(async {
        let session = open(&ScriptedEnvironment::default(), Limits::default()).await;
        let wall = Limits::default().tactic;
        for node in nodes(&session).await {
            let attempted = attempt(&session, node, "hang").await;
            assert!(
                matches!(*attempted, Attempted::OverTime { limit: TimeLimit::Wall(limit) } if limit == wall),
                "{attempted:?}"
            );
        }
        assert_eq!(session.counters().workers_lost, 2);
    });
}

#[test]
fn three_restarts_in_a_row_are_allowed_and_a_success_starts_the_count_anew() {
    block_on(async {
        let session = open(&ScriptedEnvironment::default(), Limits::default()).await;
        let nodes = nodes(&session).await;
        assert!(matches!(*attempt(&session, nodes[0], "crash").await, Attempted::Crashed { .. }));
        assert!(matches!(*attempt(&session, nodes[0], "done").await, Attempted::Applied { .. }));
        assert!(matches!(*attempt(&session, nodes[0], "die").await, Attempted::Crashed { .. }));
        // Two in a row up to here; the third and no more.
        assert!(matches!(*attempt(&session, nodes[0], "hang").await, Attempted::OverTime { .. }));
        let error = session.lease(nodes[1]).preview("hang").await.unwrap_err();
        assert!(matches!(error, EnvError::RestartsExhausted { restarts: 3, .. }), "{error}");
    });
}

#[test]
fn the_same_preview_twice_at_once_is_one_preview() {
    block_on(async {
        let environment = ScriptedEnvironment::default();
        let session = open(&environment, Limits { workers: 2, ..Limits::default() }).await;
        let before = environment.n_applied.load(Ordering::Relaxed);
        let (one, two) =
            tokio::join!(attempt(&session, session.root(), "one"), attempt(&session, session.root(), "one"));
        assert!(Arc::ptr_eq(&one, &two));
        assert_eq!(environment.n_applied.load(Ordering::Relaxed), before + 1);
    });
}

#[test]
fn the_limit_on_processor_time_is_told_from_the_other() {
    block_on(async {
        let limits = Limits { tactic_cpu: Some(Duration::from_secs(2)), ..Limits::default() };
        let session = open(&ScriptedEnvironment::default(), limits).await;
        let node = nodes(&session).await[0];
        for (tactic, lost) in [("busy", 0), ("spin", 1)] {
            let attempted = attempt(&session, node, tactic).await;
            let Attempted::OverTime { limit } = *attempted else { panic!("{attempted:?}") };
            assert_eq!(limit.to_string(), "2 s of processor time");
            assert_eq!(session.counters().workers_lost, lost, "`{tactic}`");
        }
        assert_eq!((session.counters().over_time, session.counters().over_cpu), (2, 2));
    });
}

#[test]
fn a_parked_lease_leaves_its_worker_to_others() {
    block_on(async {
        let session = open(&ScriptedEnvironment::default(), Limits::default()).await;
        let (mut first, mut second) = (session.lease(session.root()), session.lease(session.root()));
        let mut before = first.preview("one").await.unwrap();
        first.park();
        second.preview("two").await.unwrap();
        second.park();
        // What it tried before still holds, and it goes on.
        let node = session.commit(&mut before).obligations[0];
        assert!(matches!(*attempt(&session, node, "done").await, Attempted::Applied { .. }));
        assert!(matches!(*first.preview("three").await.unwrap().attempted, Attempted::Applied { .. }));
        assert_eq!(session.counters().workers_started, 1);
    });
}
