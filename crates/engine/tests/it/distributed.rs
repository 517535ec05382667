//! Many agents on one tree, by the real driver.

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use andor_system_synthetic::SYNTHETIC;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::counting::Counting;
use andor_artifact::files::read_lines;
use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_artifact::trace::{AttemptOutcome, Iteration, IterationReason, TraceEvent};
use andor_artifact::version::Kind;
use andor_config::{
    Backup, BudgetConfig, Clock, Config, DistributedMcts, LatencyConfig, Level, MctsMode, Selection,
    TacticConfig, VerifyConfig,
};
use andor_core::goal::Goal;
use andor_core::policy::StopReason;
use andor_core::signature::Commutative;
use andor_core::theorem::{ExtraImport, System, Theorem};
use andor_dataset as dataset;
use andor_engine::attempt::{self, Means};
use andor_engine::driver::{self, Searched, Tools};
use andor_engine::event::Event;
use andor_engine::registry::{self, OwnParts};
use andor_env::checker::{Checker, Claim};
use andor_env::environment::{Environment, Finding, Script};
use andor_env::error::EnvError;
use andor_env::screen::Refusal;
use andor_env::session::{Limits, Session};
use andor_env::worker::{Grouping, Health, Opened, StateId, TacticLimits, TacticOutcome, Worker};
use andor_env::workers::Workers;
use andor_provider::contract::{Candidate, Provider, ProviderError, Request, Suggestions};
use andor_provider::ranker::Ranker;
use andor_system_synthetic::Synthetic;
use andor_system_synthetic::SyntheticPolicy;
use andor_testkit::{block_on, theorem};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

/// Agents, each at its own reservation.
fn agents(count: u32) -> DistributedMcts {
    DistributedMcts {
        mode: MctsMode::Distributed,
        agents: Some(count),
        inflight: Some(count),
        ..DistributedMcts::default()
    }
}

fn config(distributed_mcts: DistributedMcts, workers: usize) -> Config {
    let mut config = Config { distributed_mcts, ..Config::default() };
    config.search.policy = Selection::Ucb1;
    config.search.backprop = Backup::AndMin;
    config.workers.workers = workers;
    config.budget = BudgetConfig { max_candidates: Some(600), ..BudgetConfig::default() };
    config.verify = VerifyConfig { level: Level::Compiled, ..VerifyConfig::default() };
    config
}

fn means(theorem: &Theorem, config: &Config) -> Means {
    Means {
        workers: Workers::new(registry::environment(theorem.system, config), Grouping::Coupled),
        provider: registry::provider(theorem.system, config, &OwnParts::default()).unwrap(),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(config).unwrap(),
        cancel: CancellationToken::new(),
    }
}

/// Makes an attempt; gives its result and its trace as text.
fn attempt_in(folder: &Path, theorem: &Theorem, config: &Config) -> (AttemptResult, String) {
    config.validate().unwrap();
    let request = attempt::AttemptRequest {
        theorem: theorem.clone(),
        attempt: 1,
        role: Role::Configured,
        config: config.clone(),
        directory: Some(folder.to_owned()),
    };
    let result =
        block_on(attempt::run(&request, &means(theorem, config), &mut |_: &str, _: &Event| {})).unwrap();
    (result, fs_err::read_to_string(folder.join("trace.jsonl")).unwrap())
}

fn attempt(theorem: &Theorem, config: &Config) -> (AttemptResult, String) {
    attempt_in(tempfile::tempdir().unwrap().path(), theorem, config)
}

fn iterations(folder: &Path) -> Vec<Iteration> {
    let records = read_lines::<TraceEvent>(&folder.join("trace.jsonl"), Kind::Trace).unwrap().records;
    let iteration = |event| match event {
        TraceEvent::Iteration(iteration) => Some(*iteration),
        _ => None,
    };
    records.into_iter().filter_map(iteration).collect()
}

fn synthetic(instance: &str) -> Theorem {
    theorem(SYNTHETIC, "t", instance)
}

fn from_statement(system: System, text: &str, imports: &[String]) -> Theorem {
    dataset::from_statement(system, text, imports).unwrap().theorem
}

const OF_MINI: &str = "theorem t (p q r s : Prop) : (p ∧ q) ∧ (r ∨ s) → (q ∧ p) ∧ (s ∨ r)";
const OF_ROCQ: &str = "forall (p q r s : Prop), (p /\\ q) /\\ (r \\/ s) -> (q /\\ p) /\\ (s \\/ r)";

/// Everything at once that a search can be troubled with.
fn troubled(virtual_loss: f64) -> DistributedMcts {
    DistributedMcts {
        virtual_loss: Some(virtual_loss),
        path_bias: Some(0.1),
        history_cache: true,
        block_fraction: Some(0.3),
        block_duration: Some(7),
        block_seed: Some(5),
        block_immovable_fraction: Some(0.1),
        unfreeze_after: Some(2),
        unfreeze_prob: Some(0.5),
        reroute_blocked: true,
        reroute_max: Some(2),
        delay_prob: Some(0.2),
        delay_duration: Some(3),
        delay_seed: Some(9),
        ..agents(6)
    }
}

fn log_normal(config: Config) -> Config {
    let spec = |text: &str| text.parse().unwrap();
    let latencies =
        LatencyConfig { provider: spec("lognormal:200ms:0.4"), tactic: spec("lognormal:50ms:0.7") };
    Config { latencies, ..config }
}

#[test]
fn equal_runs_write_equal_traces_with_several_workers() {
    let theorems = [
        (synthetic("medium 7"), 4),
        (synthetic("easy 3"), 2),
        (from_statement(MINI, OF_MINI, &[]), 4),
        (from_statement(ROCQ, OF_ROCQ, &[]), 4),
    ];
    for (theorem, workers) in &theorems {
        for virtual_loss in [0.0, 1.0] {
            for distributed in
                [DistributedMcts { virtual_loss: Some(virtual_loss), ..agents(6) }, troubled(virtual_loss)]
            {
                let config = log_normal(config(distributed, *workers));
                let (first, trace) = attempt(theorem, &config);
                let (second, again) = attempt(theorem, &config);
                assert_eq!(first.tree_digest, second.tree_digest);
                assert_eq!(trace, again, "{} with virtual loss {virtual_loss}", theorem.statement);
                assert_eq!(first.infrastructure_error, None);
                assert_eq!(first.agent_iterations.iter().sum::<u64>(), first.spent.iterations);
            }
        }
    }
}

#[test]
fn other_latencies_and_seeds_give_other_searches() {
    let theorem = synthetic("medium 7");
    let config = log_normal(config(agents(6), 4));
    let (_, trace) = attempt(&theorem, &config);
    let (_, other) = attempt(&theorem, &Config { seed: 1, ..config.clone() });
    assert_ne!(trace, other);
    let (_, other) = attempt(&theorem, &Config { latencies: LatencyConfig::default(), ..config });
    assert_ne!(trace, other);
}

#[test]
fn one_agent_without_virtual_loss_is_the_centralized_search() {
    for theorem in [synthetic("medium 7"), synthetic("hard 2"), from_statement(MINI, OF_MINI, &[])] {
        let alone = config(DistributedMcts { virtual_loss: Some(0.0), ..agents(1) }, 1);
        let central = Config { distributed_mcts: DistributedMcts::default(), ..alone.clone() };
        let (alone, central) = (attempt(&theorem, &alone).0, attempt(&theorem, &central).0);
        assert_eq!(alone.tree_digest, central.tree_digest, "{}", theorem.statement);
        assert_eq!(alone.spent, central.spent);
    }
}

#[test]
fn agents_that_collide_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(DistributedMcts { virtual_loss: Some(0.0), ..agents(8) }, 4);
    let (result, _) = attempt_in(folder.path(), &synthetic("medium 7"), &config);
    let iterations = iterations(folder.path());
    assert_eq!(iterations.iter().filter(|i| i.collision).count() as u64, result.spent.collisions);
    assert!(result.spent.collisions > 0);
    assert!(iterations.iter().any(|i| i.collision && i.reason == IterationReason::Expanded));
    for iteration in &iterations {
        // Nobody tries again what another agent has tried at the node.
        let tried = iteration.attempts.iter().map(|a| &a.tactic);
        let before = iterations.iter().filter(|i| i.iteration < iteration.iteration);
        let before = before.filter(|i| i.node.mvar_id == iteration.node.mvar_id);
        let before: Vec<_> = before.flat_map(|i| i.attempts.iter().map(|a| &a.tactic)).collect();
        assert!(
            tried.into_iter().all(|tactic| !before.contains(&tactic)),
            "iteration {}",
            iteration.iteration
        );
    }
}

#[test]
fn damage_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let (result, _) = attempt_in(folder.path(), &synthetic("medium 7"), &config(troubled(1.0), 2));
    let iterations = iterations(folder.path());
    assert!(iterations.iter().map(|i| i.iteration).eq(1..=result.spent.iterations), "no gap, no repeat");
    let with = |reason| iterations.iter().filter(move |i| i.reason == reason);
    assert!(with(IterationReason::Blocked).all(|i| i.block.as_ref().is_some_and(|b| b.duration == 7)));
    assert!(with(IterationReason::Delayed).all(|i| i.delay.as_ref().is_some_and(|d| d.duration == 3)));
    let passes = with(IterationReason::Blocked).count() + with(IterationReason::Delayed).count();
    assert_eq!(passes as u64, result.spent.passes);
    assert!(passes > 0 && iterations.iter().any(|i| !i.reroute.is_empty()));
    assert!(iterations.iter().all(|i| i.reroute.len() <= 2));
}

#[test]
fn lesions_and_remembered_failures_are_blocked_attempts() {
    let lesion = TacticConfig { block: vec!["t0".to_owned(), "t3".to_owned()], ..TacticConfig::default() };
    let distributed = DistributedMcts { history_cache: true, ..agents(2) };
    let mut config = Config { tactics: lesion, ..config(distributed, 2) };
    config.budget.max_candidates = Some(3000);
    let folder = tempfile::tempdir().unwrap();
    let (result, _) = attempt_in(folder.path(), &synthetic("hard 2"), &config);
    let iterations = iterations(folder.path());
    let attempts = || iterations.iter().flat_map(|i| &i.attempts);
    assert!(attempts().all(|a| (a.outcome == AttemptOutcome::Blocked) == a.block_reason.is_some()));
    let reasons: Vec<&str> = attempts().filter_map(|a| a.block_reason.as_deref()).collect();
    assert_eq!(reasons.len() as u64, result.spent.blocked);
    for reason in ["tactic:t0", "tactic:t3", "history"] {
        assert!(reasons.contains(&reason), "{reason}");
    }
    let lesioned = attempts().filter(|a| ["t0", "t3"].contains(&&*a.tactic));
    assert!(lesioned.into_iter().all(|a| a.outcome == AttemptOutcome::Blocked));
}

#[test]
fn under_the_wall_clock_several_workers_find_proofs() {
    for (system, statement) in [(MINI, OF_MINI), (ROCQ, OF_ROCQ)] {
        let config = Config { clock: Clock::Wall, ..config(agents(4), 3) };
        let (result, _) = attempt(&from_statement(system, statement, &[]), &config);
        assert_eq!(result.outcome, Outcome::Accepted, "{result:?}");
        assert!(result.virtual_ms.is_none());
    }
}

#[test]
fn an_interrupted_search_comes_to_the_same_end_when_made_again() {
    let theorem = synthetic("open 1");
    let config = log_normal(config(troubled(1.0), 4));
    let (whole, trace) = attempt(&theorem, &config);
    for limit in [1, 7, 40] {
        let folder = tempfile::tempdir().unwrap();
        let means = means(&theorem, &config);
        let cancel = means.cancel.clone();
        let request = attempt::AttemptRequest {
            theorem: theorem.clone(),
            attempt: 1,
            role: Role::Configured,
            config: config.clone(),
            directory: Some(folder.path().to_owned()),
        };
        let mut sink = move |_: &str, event: &Event| {
            if matches!(event, Event::Iteration(i) if i.iteration == limit) {
                cancel.cancel();
            }
        };
        let result = block_on(attempt::run(&request, &means, &mut sink)).unwrap();
        assert_eq!(result.outcome, Outcome::Interrupted);
        let torn = fs_err::read_to_string(folder.path().join("trace.jsonl")).unwrap();
        let mut lines = torn.lines().rev();
        assert!(lines.next().unwrap().contains("\"event\":\"abort\""));
        let rest: Vec<&str> = lines.rev().collect();
        assert!(trace.starts_with(&rest.join("\n")), "what was done was the same");
        let (again, trace_again) = attempt_in(folder.path(), &theorem, &config);
        assert_eq!((again.tree_digest.as_ref(), &trace_again), (whole.tree_digest.as_ref(), &trace));
    }
}

/// What goes wrong in an expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    SuggestError,
    SuggestPanic,
    EvaluateError,
    EvaluatePanic,
    RankLoss,
    RankPanic,
    ApplyError,
    ApplyPanic,
    ApplyHopeless,
    /// The first tactic of a worker, which from the second one on rebuilds a state, is refused.
    ReplayRefused,
}

/// Lets the n-th call of its kind go wrong; those of a worker twice, so that it is not mended.
#[derive(Clone)]
struct Trap {
    fault: Fault,
    left: Arc<AtomicU32>,
}

impl Trap {
    fn springs(&self, faults: &[Fault]) -> bool {
        faults.contains(&self.fault) && self.left.fetch_sub(1, Ordering::SeqCst) == 1
    }
}

struct FaultyProvider(Trap);

#[async_trait]
impl Provider for FaultyProvider {
    fn id(&self) -> &str {
        "faulty"
    }

    fn speaks(&self, system: System) -> bool {
        system == SYNTHETIC
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        if self.0.springs(&[Fault::SuggestError, Fault::SuggestPanic]) {
            assert_ne!(self.0.fault, Fault::SuggestPanic, "on purpose");
            return Err(ProviderError::BadValue { provider: "faulty".to_owned(), value: 2.0 });
        }
        SyntheticPolicy { critic: true }.suggest(request).await
    }

    async fn evaluate(
        &self,
        theorem: &Theorem,
        goals: &[&[Goal]],
    ) -> Result<Option<Vec<f64>>, ProviderError> {
        if self.0.springs(&[Fault::EvaluateError, Fault::EvaluatePanic]) {
            assert_ne!(self.0.fault, Fault::EvaluatePanic, "on purpose");
            return Ok(Some(vec![f64::NAN; goals.len()]));
        }
        SyntheticPolicy { critic: true }.evaluate(theorem, goals).await
    }
}

struct FaultyRanker(Trap);

#[async_trait]
impl Ranker for FaultyRanker {
    fn id(&self) -> &str {
        "faulty"
    }

    async fn rank(
        &self,
        _: Request<'_>,
        mut candidates: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, ProviderError> {
        if self.0.springs(&[Fault::RankLoss, Fault::RankPanic]) {
            assert_ne!(self.0.fault, Fault::RankPanic, "on purpose");
            candidates.pop();
        }
        Ok(candidates)
    }
}

struct FaultyEnvironment(Trap);

struct FaultyWorker {
    trap: Trap,
    worker: Box<dyn Worker>,
    is_new: bool,
}

#[async_trait]
impl Worker for FaultyWorker {
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError> {
        self.worker.open(theorem).await
    }

    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError> {
        if std::mem::take(&mut self.is_new) && self.trap.springs(&[Fault::ReplayRefused]) {
            return Ok(TacticOutcome::rejected("on purpose"));
        }
        if self.trap.springs(&[Fault::ApplyError, Fault::ApplyPanic, Fault::ApplyHopeless]) {
            assert_ne!(self.trap.fault, Fault::ApplyPanic, "on purpose");
            return Err(match self.trap.fault {
                Fault::ApplyHopeless => {
                    EnvError::Missing { program: "it".to_owned(), hint: "gone".to_owned() }
                }
                _ => EnvError::Lost,
            });
        }
        self.worker.apply(state, group, tactic, limits).await
    }

    fn release(&mut self, state: StateId) {
        self.worker.release(state);
    }

    fn health(&self) -> Health {
        self.worker.health()
    }

    fn process_id(&self) -> Option<u32> {
        None
    }
}

#[async_trait]
impl Environment for FaultyEnvironment {
    fn system(&self) -> System {
        SYNTHETIC
    }

    fn commutative(&self) -> &'static Commutative {
        Synthetic.commutative()
    }

    fn new_worker(&self, grouping: Grouping) -> Box<dyn Worker> {
        Box::new(FaultyWorker { trap: self.0.clone(), worker: Synthetic.new_worker(grouping), is_new: true })
    }

    fn screen(&self, tactic: &str) -> Result<(), Refusal> {
        Synthetic.screen(tactic)
    }

    fn checker(&self) -> &dyn Checker {
        &Synthetic
    }

    fn assemble(&self, theorem: &Theorem, imports: &[ExtraImport], script: &Script) -> Claim {
        Synthetic.assemble(theorem, imports, script)
    }

    async fn probe(&self) -> Vec<Finding> {
        Vec::new()
    }
}

fn search_with(fault: Fault, at: u32, config: &Config) -> Searched {
    let trap = Trap { fault, left: Arc::new(AtomicU32::new(at)) };
    let environment: Arc<dyn Environment> = Arc::new(FaultyEnvironment(trap.clone()));
    block_on(async {
        let limits = Limits { workers: config.workers.workers, ..Limits::default() };
        let session = Session::open(
            Workers::new(Arc::clone(&environment), Grouping::Coupled),
            synthetic("open 1"),
            limits,
        )
        .await
        .unwrap();
        let tools = Tools {
            session,
            provider: Arc::new(FaultyProvider(trap.clone())),
            models: Vec::new(),
            ranker: Some(Arc::new(FaultyRanker(trap))),
            priority: None,
            latencies: registry::latencies(config).unwrap(),
            cancel: CancellationToken::new(),
            began: tokio::time::Instant::now(),
            attempt: 1,
            follow: None,
            given: None,
            planner: None,
            kept: None,
            sharing: None,
            part: None,
        };
        driver::search(&tools, config, environment.checker(), &mut |_: &str, _: &Event| {}).await
    })
}

#[test]
fn whatever_fails_nothing_stays_reserved() {
    let faults = [
        Fault::SuggestError,
        Fault::SuggestPanic,
        Fault::EvaluateError,
        Fault::EvaluatePanic,
        Fault::RankLoss,
        Fault::RankPanic,
        Fault::ApplyError,
        Fault::ApplyPanic,
        Fault::ApplyHopeless,
        Fault::ReplayRefused,
    ];
    let mut diverged = 0;
    let mut config = config(DistributedMcts { virtual_loss: Some(0.0), ..agents(5) }, 3);
    config.budget.max_candidates = Some(120);
    let settings =
        [(Clock::Virtual, false), (Clock::Wall, false), (Clock::Virtual, true), (Clock::Wall, true)];
    for (clock, goal_cache) in settings {
        config.clock = clock;
        config.distributed_mcts.goal_cache = goal_cache;
        for fault in faults {
            for at in [1, 2, 3, 5, 8, 13] {
                let searched = search_with(fault, at, &config);
                let context =
                    format!("{fault:?} at {at} under {clock:?}, {goal_cache}: {:?}", searched.failure);
                let search = searched.ledger.search();
                assert_eq!(search.check(), [], "{context}");
                assert_eq!(search.n_in_flight(), 0, "{context}");
                assert!(search.tree().nodes().all(|n| search.stats().in_flight(n) == 0), "{context}");
                diverged += searched.tally.replays_diverged;
                // A worker that is lost once is replaced, an obligation that cannot be rebuilt is given up; everything else
                // here ends the search.
                if matches!(fault, Fault::ApplyError | Fault::ReplayRefused) {
                    assert_eq!(searched.stop, StopReason::Candidates(120), "{context}");
                } else {
                    assert_eq!(searched.stop, StopReason::Infrastructure, "{context}");
                    assert!(searched.failure.is_some(), "{context}");
                }
            }
        }
    }
    assert!(diverged > 0, "some worker was refused a tactic when it rebuilt a state");
}

#[test]
fn a_worker_that_panicked_is_not_used_again() {
    let trap = Trap { fault: Fault::ApplyPanic, left: Arc::new(AtomicU32::new(1)) };
    let environment: Arc<dyn Environment> = Arc::new(FaultyEnvironment(trap));
    block_on(async {
        let session = Session::open(
            Workers::new(environment, Grouping::Coupled),
            synthetic("easy 1"),
            Limits::default(),
        )
        .await
        .unwrap();
        let mut lease = session.lease(session.root());
        let panicked = tokio::spawn(async move { lease.preview("t0").await.map(|_| ()) }).await;
        assert!(panicked.unwrap_err().is_panic());
        session.lease(session.root()).preview("t0").await.unwrap();
        assert_eq!(session.counters().workers_started, 2);
    });
}

#[test]
fn an_agent_that_remembers_asks_once_about_equal_goals() {
    let theorem = synthetic("hard 2");
    let most = |history_cache| {
        let mut config = config(DistributedMcts { history_cache, ..agents(1) }, 1);
        config.budget.max_candidates = Some(3000);
        let counting = Arc::new(Counting::default());
        let provider = Arc::clone(&counting);
        let means = Means { provider, ..means(&theorem, &config) };
        let (theorem, role) = (theorem.clone(), Role::Configured);
        let request = attempt::AttemptRequest { theorem, attempt: 1, role, config, directory: None };
        block_on(attempt::run(&request, &means, &mut |_: &str, _: &Event| {})).unwrap();
        counting.most()
    };
    assert_eq!(most(true), Some(1));
    assert!(most(false) > Some(1), "there are equal goals to remember");
}
