//! Whole searches with real provers: equal runs are equal, and a prover that dies in mid-search changes nothing.

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
use andor_testkit::{block_on, lean, theorem};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

/// A prover, but its process is killed just before every tactic whose number is a multiple of `every`.
struct Mortal {
    prover: Arc<dyn Environment>,
    every: u64,
    applied: Arc<AtomicU64>,
}

impl Mortal {
    fn new(prover: Arc<dyn Environment>, every: u64) -> Self {
        Self { prover, every, applied: Arc::default() }
    }
}

#[async_trait]
impl Environment for Mortal {
    fn system(&self) -> System {
        self.prover.system()
    }

    fn commutative(&self) -> &'static Commutative {
        self.prover.commutative()
    }

    fn new_worker(&self, grouping: Grouping) -> Box<dyn Worker> {
        let applied = Arc::clone(&self.applied);
        Box::new(MortalWorker { inner: self.prover.new_worker(grouping), every: self.every, applied })
    }

    fn screen(&self, tactic: &str) -> Result<(), Refusal> {
        self.prover.screen(tactic)
    }

    fn checker(&self) -> &dyn Checker {
        self.prover.checker()
    }

    fn assemble(&self, theorem: &Theorem, imports: &[ExtraImport], script: &Script) -> Claim {
        self.prover.assemble(theorem, imports, script)
    }

    async fn probe(&self) -> Vec<Finding> {
        self.prover.probe().await
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

/// A theorem whose proof takes many tactics, and its prover.
fn subjects() -> [(Theorem, Arc<dyn Environment>); 2] {
    // An induction, and several steps in each of its cases.
    let rocq = "Theorem t : forall (A : Type) (l m : list A), length (l ++ m) = length m + length l.";
    let header = "Require Import List.\n".to_owned();
    let lean = "theorem t (p q r s : Prop) : (p ∧ q) ∧ (r ∨ s) → (q ∧ p) ∧ (s ∨ r) ∧ ∃ n : Nat, n = 0 + n";
    [
        (Theorem { header, ..theorem(System::Rocq, "t", rocq) }, Arc::new(Rocq::new(RocqConfig::default()))),
        (theorem(System::Lean4, "t", lean), Arc::new(lean::environment())),
    ]
}

/// Searches for a proof, and returns the result with the trace.
fn search(theorem: Theorem, environment: Arc<dyn Environment>) -> (AttemptResult, String) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let request = attempt::AttemptRequest {
        theorem,
        attempt: 1,
        role: Role::Configured,
        config: Config {
            budget: BudgetConfig { max_candidates: Some(400), ..BudgetConfig::default() },
            ..Config::default()
        },
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
        let (undisturbed, trace) = search(theorem.clone(), Arc::clone(&prover));
        assert_eq!(undisturbed.outcome, Outcome::Accepted, "{:?}", undisturbed.infrastructure_error);
        assert_eq!(search(theorem.clone(), Arc::clone(&prover)).1, trace);
        let (result, disturbed) = search(theorem, Arc::new(Mortal::new(prover, 20)));
        assert_eq!(result.outcome, Outcome::Accepted, "{:?}", result.infrastructure_error);
        assert_eq!(result.source, undisturbed.source);
        assert!(result.spent.workers_lost >= 2, "{:?}", result.spent);
        assert!(result.spent.replayed_tactics >= 1, "{:?}", result.spent);
        assert_eq!(disturbed, trace);
    }
}
