//! The memory that agents share (`--mcts-goal-cache`), against their own and against none.

use andor_system_mini::MINI;
use andor_system_synthetic::SYNTHETIC;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::counting::Counting;
use andor_artifact::files::read_lines;
use andor_artifact::result::{AttemptResult, Role};
use andor_artifact::trace::{AttemptOutcome, NewNode, TraceAttempt, TraceEvent};
use andor_artifact::version::Kind;
use andor_config::{
    Backup, BudgetConfig, Config, DistributedMcts, Expansion, LatencyConfig, Level, MctsMode, Selection,
    VerifyConfig,
};
use andor_core::signature::Commutative;
use andor_core::theorem::{ExtraImport, System, Theorem};
use andor_engine::attempt::{self, AttemptRequest, Means};
use andor_engine::event::Event;
use andor_engine::registry::{self, OwnParts};
use andor_env::checker::{Checker, Claim};
use andor_env::environment::{Environment, Finding, Script};
use andor_env::error::EnvError;
use andor_env::screen::Refusal;
use andor_env::worker::{Grouping, Health, Opened, StateId, TacticLimits, TacticOutcome, Worker};
use andor_env::workers::Workers;
use andor_process::limits::TimeLimit;
use andor_provider::contract::Provider;
use andor_system_synthetic::Synthetic;
use andor_testkit::{block_on, theorem};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Memory {
    None,
    Own,
    Shared,
}

fn config(memory: Memory, agents: u32) -> Config {
    let distributed_mcts = DistributedMcts {
        mode: MctsMode::Distributed,
        agents: Some(agents),
        inflight: Some(agents),
        history_cache: memory == Memory::Own,
        goal_cache: memory == Memory::Shared,
        ..DistributedMcts::default()
    };
    let mut config = Config { distributed_mcts, ..Config::default() };
    config.search.policy = Selection::Ucb1;
    config.search.backprop = Backup::AndMin;
    config.workers.workers = 4;
    config.budget = BudgetConfig { max_candidates: Some(1000), ..BudgetConfig::default() };
    config.verify = VerifyConfig { level: Level::Compiled, ..VerifyConfig::default() };
    let spec = |text: &str| text.parse().unwrap();
    config.latencies =
        LatencyConfig { provider: spec("lognormal:20ms:0.4"), tactic: spec("lognormal:50ms:0.7") };
    config
}

fn troubled(mut config: Config) -> Config {
    config.distributed_mcts = DistributedMcts {
        virtual_loss: Some(0.0),
        block_fraction: Some(0.3),
        block_duration: Some(7),
        block_seed: Some(5),
        reroute_blocked: true,
        reroute_max: Some(2),
        delay_prob: Some(0.2),
        delay_duration: Some(3),
        delay_seed: Some(9),
        ..config.distributed_mcts
    };
    config
}

/// With steps by all tactics at once, so that agents come to equal goals at the same time.
fn broad(mut config: Config) -> Config {
    config.search.expand = Expansion::All;
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

/// What was done with a tactic at a goal.
struct Done {
    key: Arc<str>,
    attempt: TraceAttempt,
}

/// Makes an attempt; returns its result, its trace as text, and what was done, in order.
fn search(theorem: &Theorem, config: &Config, means: &Means) -> (AttemptResult, String, Vec<Done>) {
    config.validate().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let request = AttemptRequest {
        theorem: theorem.clone(),
        attempt: 1,
        role: Role::Configured,
        config: config.clone(),
        directory: Some(folder.path().to_owned()),
    };
    let result = block_on(attempt::run(&request, means, &mut |_: &str, _: &Event| {})).unwrap();
    let trace = folder.path().join("trace.jsonl");
    let mut keys: HashMap<Arc<str>, Arc<str>> = HashMap::new();
    let mut done = Vec::new();
    let note = |nodes: &[NewNode], keys: &mut HashMap<Arc<str>, Arc<str>>| {
        keys.extend(nodes.iter().map(|node| (Arc::clone(&node.mvar_id), Arc::clone(&node.goal_key))));
    };
    for event in read_lines::<TraceEvent>(&trace, Kind::Trace).unwrap().records {
        match event {
            TraceEvent::Start(start) => note(&[start.root], &mut keys),
            TraceEvent::Iteration(iteration) => {
                let key = &keys[&iteration.node.mvar_id];
                done.extend(
                    iteration.attempts.into_iter().map(|attempt| Done { key: Arc::clone(key), attempt }),
                );
                note(&iteration.new_nodes, &mut keys);
            }
            _ => {}
        }
    }
    (result, fs_err::read_to_string(trace).unwrap(), done)
}

fn made(theorem: &Theorem, config: &Config) -> (AttemptResult, String, Vec<Done>) {
    search(theorem, config, &means(theorem, config))
}

/// How often each tactic that failed was tried at equal goals.
fn failures(done: &[Done]) -> HashMap<(&str, &str), u32> {
    let mut failures = HashMap::new();
    for Done { key, attempt } in done.iter().filter(|done| done.attempt.outcome == AttemptOutcome::Failure) {
        *failures.entry((&**key, &*attempt.tactic)).or_default() += 1;
    }
    failures
}

fn synthetic(instance: &str) -> Theorem {
    theorem(SYNTHETIC, "t", instance)
}

fn theorems() -> [Theorem; 3] {
    let mini = "theorem t (p q r s : Prop) : (p ∧ q) ∧ (r ∨ s) → (q ∧ p) ∧ (s ∨ r)";
    [
        synthetic("hard 2"),
        synthetic("open 1"),
        andor_dataset::from_statement(MINI, mini, &[]).unwrap().theorem,
    ]
}

#[test]
fn equal_runs_write_equal_traces() {
    for theorem in theorems() {
        for agents in [1, 6, 16] {
            let plain = config(Memory::Shared, agents);
            for config in [broad(plain.clone()), troubled(plain.clone()), plain] {
                let ((first, trace, _), (second, again, _)) =
                    (made(&theorem, &config), made(&theorem, &config));
                assert_eq!(first.tree_digest, second.tree_digest);
                assert_eq!(first.infrastructure_error, None);
                assert_eq!(trace, again, "{} with {agents} agents", theorem.statement);
            }
        }
    }
}

#[test]
fn no_tactic_that_failed_is_tried_twice_at_equal_goals() {
    let most = |memory, agents| {
        let made = theorems().map(|theorem| {
            let plain = config(memory, agents);
            [broad(plain.clone()), troubled(plain.clone()), plain].map(|config| made(&theorem, &config).2)
        });
        made.iter().flatten().flat_map(|done| failures(done).into_values()).max()
    };
    for agents in [1, 4, 16] {
        assert_eq!(most(Memory::Shared, agents), Some(1), "{agents} agents");
    }
    assert_eq!(most(Memory::Own, 1), Some(1), "one agent has nobody to learn from");
    assert!(most(Memory::Own, 4) > Some(1), "agents repeat what others know");
    assert!(most(Memory::None, 1) > Some(1));
}

#[test]
fn what_is_skipped_has_failed_before_at_an_equal_goal() {
    let mut found = 0;
    for theorem in theorems() {
        for agents in [1, 5, 16] {
            let config = troubled(config(Memory::Shared, agents));
            let (_, _, done) = made(&theorem, &config);
            let failed: HashMap<(&str, &str), u64> = done
                .iter()
                .filter(|done| done.attempt.outcome == AttemptOutcome::Failure)
                .map(|Done { key, attempt }| ((&**key, &*attempt.tactic), attempt.timestamp_ms))
                .collect();
            let skipped = done.iter().filter(|d| d.attempt.block_reason.as_deref() == Some("history"));
            for Done { key, attempt } in skipped {
                let when = failed.get(&(&**key, &*attempt.tactic));
                // What failed in an expansion that the end cut off is in no iteration.
                assert!(when.is_none_or(|when| *when <= attempt.timestamp_ms), "{attempt:?}");
                found += usize::from(when.is_some());
            }
        }
    }
    assert!(found > 0);
}

/// The one that agents share with themselves is their own.
#[test]
fn one_agent_shares_its_memory_with_nobody() {
    for theorem in theorems() {
        let (own, shared) = (config(Memory::Own, 1), config(Memory::Shared, 1));
        let ((own, _, _), (shared, _, _)) = (made(&theorem, &own), made(&theorem, &shared));
        assert_eq!(own.tree_digest, shared.tree_digest);
        assert_eq!(own.spent, shared.spent);
    }
}

#[test]
fn agents_that_share_a_memory_ask_once_about_equal_goals() {
    let theorem = synthetic("hard 2");
    let most = |config: Config| {
        let counting = Arc::new(Counting::default());
        let provider: Arc<dyn Provider> = Arc::clone(&counting) as _;
        search(&theorem, &config, &Means { provider, ..means(&theorem, &config) });
        counting.most()
    };
    assert_eq!(most(config(Memory::Shared, 8)), Some(1));
    assert_eq!(most(broad(config(Memory::Shared, 8))), Some(1));
    assert!(most(config(Memory::Own, 8)) > Some(1), "agents repeat each other's questions");
}

/// The synthetic environment, but `t3` always runs out of time, and `t5` kills its worker when it is tried for the first
/// time and at once again; then it leaves it alone for a while.
#[derive(Clone, Default)]
struct Fragile(Arc<AtomicU32>);

struct FragileWorker(Fragile, Box<dyn Worker>);

#[async_trait]
impl Worker for FragileWorker {
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError> {
        self.1.open(theorem).await
    }

    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError> {
        match tactic {
            "t3" => Ok(TacticOutcome::OverTime { limit: TimeLimit::Wall(limits.wall) }),
            "t5" if self.0.0.fetch_add(1, Ordering::SeqCst) % 7 < 2 => Err(EnvError::Lost),
            _ => self.1.apply(state, group, tactic, limits).await,
        }
    }

    fn release(&mut self, state: StateId) {
        self.1.release(state);
    }

    fn health(&self) -> Health {
        self.1.health()
    }

    fn process_id(&self) -> Option<u32> {
        None
    }
}

#[async_trait]
impl Environment for Fragile {
    fn system(&self) -> System {
        SYNTHETIC
    }

    fn commutative(&self) -> &'static Commutative {
        Synthetic.commutative()
    }

    fn new_worker(&self, grouping: Grouping) -> Box<dyn Worker> {
        Box::new(FragileWorker(self.clone(), Synthetic.new_worker(grouping)))
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

#[test]
fn what_ran_out_of_time_or_lost_its_worker_is_no_failure() {
    let theorem = synthetic("hard 2");
    let mut config = config(Memory::Shared, 4);
    config.workers.workers = 1;
    config.budget.max_candidates = Some(4000);
    let workers = Workers::new(Arc::new(Fragile::default()), Grouping::Coupled);
    let (result, _, done) = search(&theorem, &config, &Means { workers, ..means(&theorem, &config) });
    assert_eq!(result.infrastructure_error, None);
    // The goals at which each tactic did what.
    let goals = |is_so: &dyn Fn(&TraceAttempt) -> bool| -> HashSet<(&str, &str)> {
        let so = done.iter().filter(|done| is_so(&done.attempt));
        so.map(|Done { key, attempt }| (&**key, &*attempt.tactic)).collect()
    };
    let lost = |attempt: &TraceAttempt| attempt.error.as_ref().is_some_and(|error| error.contains("worker"));
    let skipped = goals(&|attempt| attempt.block_reason.as_deref() == Some("history"));
    let refused = goals(&|attempt| attempt.outcome == AttemptOutcome::Failure && !lost(attempt));
    let (late, crashed) = (goals(&|attempt| attempt.outcome == AttemptOutcome::Timeout), goals(&lost));
    assert!(!skipped.is_empty() && !late.is_empty() && !crashed.is_empty());
    assert!(skipped.is_subset(&refused), "{skipped:?}");
    let often = |of: &HashSet<(&str, &str)>| {
        let times = |pair: &(&str, &str)| {
            let same = done.iter().filter(|d| (&*d.key, &*d.attempt.tactic) == *pair);
            same.filter(|done| done.attempt.outcome != AttemptOutcome::Blocked).count()
        };
        of.iter().any(|pair| times(pair) > 1)
    };
    assert!(often(&late), "what ran out of time is tried again");
    assert!(often(&crashed), "what lost its worker is tried again");
}
