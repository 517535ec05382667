//! Servers that misbehave.

use andor_system_mini::MINI;
use std::sync::Arc;
use std::time::Duration;

use andor_env::session::{Attempted, Limits, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_testkit::{block_on, theorem};

use super::prover::{Behind, Kind};

/// How a preview ends that meets a fault, and how many workers it costs.
enum Ends {
    Applied(u64),
    OverTime,
}

/// The request that is the first tactic, in every protocol: after the version, the header and the statement with its goal; or after
/// options, the statement and options.
const FIRST_TACTIC: [(Kind, u64); 3] = [(Kind::Repl, 5), (Kind::Pantograph, 4), (Kind::OldPantograph, 4)];

async fn meets(fault: &str, ends: Ends) {
    for (kind, number) in FIRST_TACTIC {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let once = format!("--once={}", folder.path().join("done").display());
        let environment = Behind::new(kind, &[&format!("--fault={fault}@{number}"), &once]);
        let patience = match ends {
            Ends::Applied(_) => Duration::from_secs(60),
            Ends::OverTime => Duration::from_millis(200),
        };
        let limits = Limits { tactic: patience, ..Limits::default() };
        let theorem = theorem(MINI, "t", "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q");
        let workers = Workers::new(Arc::new(environment), Grouping::Coupled);
        let session = Session::open(workers, theorem, limits).await.expect("it opens");
        let mut lease = session.lease(session.root());
        let first = lease.preview("constructor").await.expect("the session goes on");
        assert!(folder.path().join("done").exists(), "{kind:?}: {fault} happens");
        drop(lease);
        let mut preview = match ends {
            Ends::Applied(_) => first,
            Ends::OverTime => {
                assert!(matches!(*first.attempted, Attempted::OverTime { .. }), "{kind:?}: {fault}");
                session.lease(session.root()).preview("apply And.intro").await.expect("the session goes on")
            }
        };
        assert!(matches!(*preview.attempted, Attempted::Applied { .. }), "{kind:?}: {fault}: {preview:?}");
        let committed = session.commit(&mut preview);
        for (obligation, tactic) in committed.obligations.into_iter().zip(["exact hp", "exact hq"]) {
            let closed = session.lease(obligation).preview(tactic).await.expect("the session goes on");
            assert!(matches!(&*closed.attempted, Attempted::Applied { children, .. } if children.is_empty()));
        }
        let lost = match ends {
            Ends::Applied(lost) => lost,
            Ends::OverTime => 1,
        };
        assert_eq!(session.counters().workers_lost, lost, "{kind:?}: {fault}");
    }
}

#[test]
fn a_death_costs_a_worker() {
    block_on(meets("die", Ends::Applied(1)));
}

#[test]
fn a_death_in_a_reply_costs_a_worker() {
    block_on(meets("die-in-reply", Ends::Applied(1)));
}

#[test]
fn a_reply_without_an_end_takes_too_long() {
    block_on(meets("no-end", Ends::OverTime));
}

#[test]
fn noise_before_a_reply_costs_a_worker() {
    block_on(meets("noise", Ends::Applied(1)));
}

#[test]
fn a_reply_that_nobody_asked_for_costs_a_worker() {
    block_on(meets("echo", Ends::Applied(1)));
}

#[test]
fn the_number_of_an_earlier_state_costs_a_worker() {
    block_on(meets("old-number", Ends::Applied(1)));
}

#[test]
fn a_reply_without_bounds_costs_a_worker() {
    block_on(meets("flood", Ends::Applied(1)));
}

#[test]
fn a_long_reply_with_unknown_keys_is_read() {
    block_on(meets("long", Ends::Applied(0)));
}

#[test]
fn a_flood_on_standard_error_disturbs_nothing() {
    block_on(meets("stderr", Ends::Applied(0)));
}
