//! Whole searches with the real Rocq: equal runs are equal, and a prover that dies in mid-search changes nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_config::{BudgetConfig, Config};
use andor_core::signature::Commutative;
use andor_core::theorem::{ExtraImport, System, Theorem};
use andor_engine::attempt::{self, Means};
use andor_engine::event::Event;
use andor_engine::registry;
use andor_env::checker::{Checker, Claim};
use andor_env::environment::{Environment, Finding, Script};
use andor_env::error::EnvError;
use andor_env::rocq::{Rocq, RocqConfig};
use andor_env::screen::Refusal;
use andor_env::worker::{Grouping, Health, Opened, StateId, TacticLimits, TacticOutcome, Worker};
use andor_env::workers::Workers;
use andor_provider::heuristic::Heuristic;
use andor_testkit::contract::kill;
use andor_testkit::{block_on, theorem};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

/// Rocq, but its process is killed just before every tactic whose number is a multiple of `every`.
struct Mortal {
    rocq: Rocq,
    every: u64,
    applied: Arc<AtomicU64>,
}

impl Mortal {
    fn new(every: u64) -> Self {
        Self { rocq: Rocq::new(RocqConfig::default()), every, applied: Arc::default() }
    }
}

#[async_trait]
impl Environment for Mortal {
    fn system(&self) -> System {
        self.rocq.system()
    }

    fn commutative(&self) -> &'static Commutative {
        self.rocq.commutative()
    }

    fn new_worker(&self, grouping: Grouping) -> Box<dyn Worker> {
        let applied = Arc::clone(&self.applied);
        Box::new(MortalWorker { inner: self.rocq.new_worker(grouping), every: self.every, applied })
    }

    fn screen(&self, tactic: &str) -> Result<(), Refusal> {
        self.rocq.screen(tactic)
    }

    fn checker(&self) -> &dyn Checker {
        self.rocq.checker()
    }

    fn assemble(&self, theorem: &Theorem, imports: &[ExtraImport], script: &Script) -> Claim {
        self.rocq.assemble(theorem, imports, script)
    }

    async fn probe(&self) -> Vec<Finding> {
        self.rocq.probe().await
    }
}

struct MortalWorker {
    inner: Box<dyn Worker>,
    every: u64,
    applied: Arc<AtomicU64>,
}

#[async_trait]
impl Worker for MortalWorker {
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError> {
        self.inner.open(theorem).await
    }

    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError> {
        let number = self.applied.fetch_add(1, Ordering::Relaxed) + 1;
        if number.is_multiple_of(self.every) {
            kill(self.inner.process_id().expect("the theorem is open"));
        }
        self.inner.apply(state, group, tactic, limits).await
    }

    fn release(&mut self, state: StateId) {
        self.inner.release(state);
    }

    fn health(&self) -> Health {
        self.inner.health()
    }

    fn process_id(&self) -> Option<u32> {
        self.inner.process_id()
    }
}

/// Needs an induction, and several steps in each of its cases.
const STATEMENT: &str =
    "Theorem t : forall (A : Type) (l m : list A), length (l ++ m) = length m + length l.";

/// Searches for a proof, and returns the result with the trace.
fn search(environment: impl Environment + 'static) -> (AttemptResult, String) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let header = "Require Import List.\n".to_owned();
    let request = attempt::AttemptRequest {
        theorem: Theorem { header, ..theorem(System::Rocq, "t", STATEMENT) },
        attempt: 1,
        role: Role::Configured,
        config: Config {
            budget: BudgetConfig { max_candidates: Some(400), ..BudgetConfig::default() },
            ..Config::default()
        },
        directory: Some(folder.path().to_owned()),
    };
    let means = Means {
        workers: Workers::new(Arc::new(environment), Grouping::Coupled),
        provider: Arc::new(Heuristic),
        models: Vec::new(),
        planner: None,
        ranker: None,
        latencies: registry::latencies(&request.config).expect("constants need no file"),
        cancel: CancellationToken::new(),
    };
    let result =
        block_on(attempt::run(&request, &means, &mut |_: &str, _: &Event| {})).expect("files can be written");
    let trace = fs_err::read_to_string(folder.path().join("trace.jsonl")).expect("the trace is written");
    (result, trace)
}

#[test]
fn equal_searches_write_equal_traces() {
    let rocq = || Rocq::new(RocqConfig::default());
    let (result, trace) = search(rocq());
    assert_eq!(result.outcome, Outcome::Accepted, "{:?}", result.infrastructure_error);
    assert_eq!(trace, search(rocq()).1);
}

#[test]
fn killing_the_prover_again_and_again_changes_nothing() {
    let (undisturbed, trace) = search(Rocq::new(RocqConfig::default()));
    let (result, disturbed) = search(Mortal::new(20));
    assert_eq!(result.outcome, Outcome::Accepted, "{:?}", result.infrastructure_error);
    assert_eq!(result.source, undisturbed.source);
    assert!(result.spent.workers_lost >= 2, "{:?}", result.spent);
    assert!(result.spent.replayed_tactics >= 1, "{:?}", result.spent);
    assert_eq!(disturbed, trace);
}
