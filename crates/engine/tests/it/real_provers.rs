//! Whole searches with real provers: equal runs are equal, and a prover that dies in mid-search changes nothing, with one
//! agent or with many.

use andor_system_lean::LEAN4;
use andor_system_rocq::ROCQ;
use std::sync::Arc;

use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_config::{BudgetConfig, Clock, Config, DistributedMcts, MctsMode, WorkerConfig};
use andor_core::theorem::Theorem;
use andor_engine::attempt::{self, Means};
use andor_engine::event::Event;
use andor_engine::registry;
use andor_env::environment::Environment;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::heuristic::Heuristic;
use andor_system_rocq::{Rocq, RocqConfig};
use andor_testkit::mortal::Mortal;
use andor_testkit::{block_on, lean, theorem};
use tokio_util::sync::CancellationToken;

/// A theorem whose proof takes many tactics, and its prover.
fn subjects() -> [(Theorem, Arc<dyn Environment>); 2] {
    // An induction, and several steps in each of its cases.
    let rocq = "Theorem t : forall (A : Type) (l m : list A), length (l ++ m) = length m + length l.";
    let header = "Require Import List.\n".to_owned();
    let lean = "theorem t (p q r s : Prop) : (p ∧ q) ∧ (r ∨ s) → (q ∧ p) ∧ (s ∨ r) ∧ ∃ n : Nat, n = 0 + n";
    [
        (Theorem { header, ..theorem(ROCQ, "t", rocq) }, Arc::new(Rocq::new(RocqConfig::default()))),
        (theorem(LEAN4, "t", lean), Arc::new(lean::environment())),
    ]
}

/// What a search is given here.
fn config() -> Config {
    Config {
        budget: BudgetConfig { max_candidates: Some(400), ..BudgetConfig::default() },
        // A busy machine is no reason for another trace.
        workers: WorkerConfig { tactic_timeout_s: 60.0, ..WorkerConfig::default() },
        ..Config::default()
    }
}

/// Searches for a proof, and returns the result with the trace.
fn search(theorem: Theorem, environment: Arc<dyn Environment>, config: Config) -> (AttemptResult, String) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let request = attempt::AttemptRequest {
        theorem,
        attempt: 1,
        role: Role::Configured,
        config,
        directory: Some(folder.path().to_owned()),
    };
    let means = Means {
        workers: Workers::new(environment, Grouping::Coupled),
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
fn equal_searches_write_equal_traces_even_if_the_prover_is_killed_again_and_again() {
    for (theorem, prover) in subjects() {
        let (undisturbed, trace) = search(theorem.clone(), Arc::clone(&prover), config());
        assert_eq!(undisturbed.outcome, Outcome::Accepted, "{:?}", undisturbed.infrastructure_error);
        assert_eq!(search(theorem.clone(), Arc::clone(&prover), config()).1, trace);
        let (result, disturbed) = search(theorem, Arc::new(Mortal::new(prover, 20)), config());
        assert_eq!(result.outcome, Outcome::Accepted, "{:?}", result.infrastructure_error);
        assert_eq!(result.source, undisturbed.source);
        assert!(result.spent.workers_lost >= 2, "{:?}", result.spent);
        assert!(result.spent.replayed_tactics >= 1, "{:?}", result.spent);
        assert_eq!(disturbed, trace);
    }
}

#[test]
fn eight_agents_share_four_workers_even_if_these_are_killed_again_and_again() {
    for (theorem, prover) in subjects() {
        let mut config = config();
        config.distributed_mcts = DistributedMcts {
            mode: MctsMode::Distributed,
            agents: Some(8),
            inflight: Some(8),
            ..DistributedMcts::default()
        };
        config.workers.workers = 4;
        config.validate().expect("the options fit together");
        let run = |clock, every| {
            let mortal = Arc::new(Mortal::new(Arc::clone(&prover), every));
            let (result, trace) = search(theorem.clone(), mortal, Config { clock, ..config.clone() });
            let spent = &result.spent;
            assert_eq!(result.outcome, Outcome::Accepted, "{:?}", result.infrastructure_error);
            assert!((2..=4).contains(&(spent.workers_started - spent.workers_lost)), "{spent:?}");
            assert_eq!(spent.workers_lost == 0, every == u64::MAX, "{spent:?}");
            trace
        };
        assert_eq!(run(Clock::Virtual, 20), run(Clock::Virtual, u64::MAX));
        run(Clock::Wall, 20);
    }
}
