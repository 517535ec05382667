//! Whole searches: equal ones are equal, and a server that dies in mid-search changes nothing.

use andor_system_mini::MINI;
use std::sync::Arc;

use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_config::{BudgetConfig, Config};
use andor_engine::attempt;
use andor_engine::event::Event;
use andor_engine::registry;
use andor_env::environment::Environment;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::heuristic::Heuristic;
use andor_system_mini::{Mini, MiniConfig};
use andor_testkit::mortal::Mortal;
use andor_testkit::{block_on, theorem};
use tokio_util::sync::CancellationToken;

use super::prover::{ALL, Behind};

/// Needs a case analysis, and several steps in each case.
const STATEMENT: &str = "theorem t (p q r s : Prop) : (p ∧ q) ∧ (r ∨ s) → (q ∧ p ∧ r) ∨ (q ∧ p ∧ s)";

/// Searches for a proof, and returns the result with the trace.
fn search(environment: impl Environment + 'static) -> (AttemptResult, String) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let request = attempt::AttemptRequest {
        theorem: theorem(MINI, "t", STATEMENT),
        attempt: 1,
        role: Role::Configured,
        config: Config {
            budget: BudgetConfig { max_candidates: Some(300), ..BudgetConfig::default() },
            ..Config::default()
        },
        directory: Some(folder.path().to_owned()),
    };
    let means = attempt::Means {
        workers: Workers::new(Arc::new(environment), Grouping::Coupled),
        provider: Arc::new(Heuristic),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(&request.config).expect("constants need no file"),
        cancel: CancellationToken::new(),
    };
    let result =
        block_on(attempt::run(&request, &means, &mut |_: &str, _: &Event| {})).expect("files can be written");
    let trace = fs_err::read_to_string(folder.path().join("trace.jsonl")).expect("the trace is written");
    (result, trace)
}

#[test]
fn searches_find_what_the_embedded_prover_finds() {
    let (alone, _) = search(Mini::new(MiniConfig::default()));
    assert_eq!(alone.outcome, Outcome::Accepted);
    for kind in ALL {
        let (result, _) = search(Behind::new(kind, &[]));
        assert_eq!(result.outcome, Outcome::Accepted, "{kind:?}: {:?}", result.infrastructure_error);
    }
}

#[test]
fn killing_the_server_again_and_again_changes_nothing() {
    for kind in ALL {
        let (undisturbed, trace) = search(Behind::new(kind, &[]));
        let (result, disturbed) = search(Mortal::new(Arc::new(Behind::new(kind, &[])), 12));
        assert_eq!(result.outcome, Outcome::Accepted, "{kind:?}: {:?}", result.infrastructure_error);
        assert_eq!(result.source, undisturbed.source);
        assert!(result.spent.workers_lost >= 1, "{kind:?}: {:?}", result.spent);
        assert!(result.spent.replayed_tactics >= 1, "{kind:?}: {:?}", result.spent);
        assert_eq!(disturbed, trace, "{kind:?}");
    }
}
