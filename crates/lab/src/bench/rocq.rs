//! The cost of a Rocq worker: previews, backtracking, restarts; and our own share of a search's time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_config::{BudgetConfig, Config};
use andor_core::theorem::{System, Theorem};
use andor_dataset as dataset;
use andor_engine::attempt::{self, AttemptRequest, Means};
use andor_engine::event::Event;
use andor_engine::registry::{self, OwnParts};
use andor_env::environment::Environment;
use andor_env::error::EnvError;
use andor_env::session::{Attempted, Limits, Obligation, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_run::orchestrate::RunError;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

/// The measurements.
#[derive(Clone, Debug, Serialize)]
pub struct RocqCosts {
    /// Previews of several tactics at one checkpoint, including the conversion of their goals.
    pub previews: Vec<PreviewCost>,
    /// A preview of `idtac` at the worker's current checkpoint; the median, in milliseconds.
    pub staying_ms: f64,
    /// The same after a preview at a checkpoint [`DEPTH`] steps away; the median, in milliseconds. The difference is
    /// the cost of moving between them.
    pub moving_ms: f64,
    /// Starting a worker and opening the theorem; the mean, in milliseconds.
    pub starting_ms: f64,
    /// The same without a sandbox.
    pub starting_unconfined_ms: f64,
    /// Rebuilding a checkpoint at depth [`DEPTH`] by replay; the mean, in milliseconds.
    pub replaying_ms: f64,
    /// Whole searches.
    pub searches: Searches,
}

/// The duration of previews of a tactic.
#[derive(Clone, Debug, Serialize)]
pub struct PreviewCost {
    /// The tactic.
    pub tactic: &'static str,
    /// The median, in milliseconds.
    pub median_ms: f64,
    /// The 90th percentile, in milliseconds.
    pub p90_ms: f64,
}

/// Where the time of several searches went, in milliseconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Searches {
    /// Number of searches.
    pub made: u32,
    /// Number of searches that ended with an accepted proof.
    pub accepted: u32,
    /// Number of tactics tried.
    pub tactics: u64,
    /// Total time.
    pub total_ms: f64,
    /// Time for starting workers and opening theorems.
    pub opening_ms: f64,
    /// Time for tactics, including the conversion of their goals.
    pub previewing_ms: f64,
    /// Time for verifying proofs in fresh processes.
    pub checking_ms: f64,
    /// All remaining time: search, provider, records.
    pub own_ms: f64,
}

/// Distance between the two checkpoints, in steps.
pub const DEPTH: usize = 10;

const REPEAT: usize = 200;

const TACTICS: &[&str] = &["intros", "intros n m p; repeat split", "intros n m p; lia", "unknown_tactic"];

/// Theorems for complete searches, with a few dozen to a few hundred tactics each.
const SEARCHED: &[&str] = &[
    "forall n m : nat, n * m = m * n",
    "forall (A : Type) (l m : list A), length (l ++ m) = length m + length l",
    "forall P Q R : Prop, (P -> Q -> R) <-> (P /\\ Q -> R)",
    "forall n m k : nat, n < m -> m < k -> S n < k",
    "forall n : nat, exists k, n = 2 * k \\/ n = 2 * k + 1",
    "forall (A : Type) (l : list A), rev (rev l) = l",
];

/// Runs the measurements, in about half a minute.
pub async fn measure() -> Result<RocqCosts, RunError> {
    let environment = registry::environment(System::Rocq, &Config::default());
    let (staying_ms, moving_ms) = going_back(&environment).await?;
    let (starting_ms, replaying_ms) = starting_again(&environment).await?;
    let mut unconfined = Config::default();
    unconfined.workers.sandbox = false;
    let unconfined = registry::environment(System::Rocq, &unconfined);
    let (starting_unconfined_ms, _) = starting_again(&unconfined).await?;
    Ok(RocqCosts {
        previews: previews(&environment).await?,
        staying_ms,
        moving_ms,
        starting_ms,
        starting_unconfined_ms,
        replaying_ms,
        searches: searches(&environment).await?,
    })
}

fn theorem(statement: &str) -> Theorem {
    let imports = ["List".to_owned(), "Lia".to_owned()];
    dataset::from_statement(System::Rocq, statement, &imports).expect("the statement is not empty").theorem
}

const STATEMENT: &str = "forall n m p : nat, n + m = m + n /\\ n + 0 = n /\\ p = p";

async fn open(environment: &Arc<dyn Environment>, limits: Limits) -> Result<Arc<Session>, EnvError> {
    Session::open(Workers::new(Arc::clone(environment), Grouping::Coupled), theorem(STATEMENT), limits).await
}

/// Previews a tactic. A unique comment keeps the result from coming from the cache.
async fn preview(
    session: &Arc<Session>,
    at: Obligation,
    tactic: &str,
    number: usize,
) -> Result<Duration, EnvError> {
    let mut lease = session.lease(at);
    let tactic = format!("{tactic} (* {number} *)");
    let began = Instant::now();
    lease.preview(&tactic).await?;
    Ok(began.elapsed())
}

/// Commits [`DEPTH`] steps below the root.
async fn descend(session: &Arc<Session>) -> Result<Obligation, EnvError> {
    let mut at = session.root();
    for number in 0..DEPTH {
        let tactic = if number == 0 { "intros".to_owned() } else { format!("pose proof {number}") };
        let mut lease = session.lease(at);
        let mut preview = lease.preview(&tactic).await?;
        assert!(matches!(*preview.attempted, Attempted::Applied { .. }), "{:?}", preview.attempted);
        at = session.commit(&mut preview).obligations[0];
    }
    Ok(at)
}

async fn previews(environment: &Arc<dyn Environment>) -> Result<Vec<PreviewCost>, EnvError> {
    let session = open(environment, Limits::default()).await?;
    let mut costs = Vec::new();
    for tactic in TACTICS {
        let mut times = Vec::new();
        for number in 0..REPEAT {
            times.push(preview(&session, session.root(), tactic, number).await?);
        }
        let (median_ms, p90_ms) = (quantile(&mut times, 0.5), quantile(&mut times, 0.9));
        costs.push(PreviewCost { tactic, median_ms, p90_ms });
    }
    Ok(costs)
}

async fn going_back(environment: &Arc<dyn Environment>) -> Result<(f64, f64), EnvError> {
    let session = open(environment, Limits::default()).await?;
    let (near, far) = (session.root(), descend(&session).await?);
    let (mut staying, mut moving) = (Vec::new(), Vec::new());
    for number in 0..REPEAT {
        preview(&session, near, "idtac", 2 * number).await?;
        moving.push(preview(&session, far, "idtac", 2 * number).await?);
        staying.push(preview(&session, far, "idtac", 2 * number + 1).await?);
    }
    Ok((quantile(&mut staying, 0.5), quantile(&mut moving, 0.5)))
}

async fn starting_again(environment: &Arc<dyn Environment>) -> Result<(f64, f64), EnvError> {
    // No worker fits into one byte, so each is soon replaced by a new one, which replays.
    let session = open(environment, Limits { max_memory_bytes: Some(1), ..Limits::default() }).await?;
    let at = descend(&session).await?;
    let before = session.counters();
    let mut number = 0;
    while session.counters().workers_recycled < before.workers_recycled + 10 {
        preview(&session, at, "idtac", number).await?;
        number += 1;
    }
    let after = session.counters();
    let n = (after.workers_started - before.workers_started) as f64;
    let ms = |after: Duration, before: Duration| (after - before).as_secs_f64() * 1e3 / n;
    Ok((ms(after.opening, before.opening), ms(after.replaying, before.replaying)))
}

async fn searches(environment: &Arc<dyn Environment>) -> Result<Searches, RunError> {
    let config = Config {
        budget: BudgetConfig { max_candidates: Some(500), ..BudgetConfig::default() },
        ..Config::default()
    };
    let means = Means {
        workers: Workers::new(Arc::clone(environment), Grouping::Coupled),
        provider: registry::provider(System::Rocq, &config, &OwnParts::default())?,
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(&config)?,
        cancel: CancellationToken::new(),
    };
    let mut all = Searches::default();
    for statement in SEARCHED {
        let request = AttemptRequest {
            theorem: theorem(statement),
            attempt: 1,
            role: Role::Configured,
            config: config.clone(),
            directory: None,
        };
        all.add(&attempt::run(&request, &means, &mut |_: &str, _: &Event| {}).await?);
    }
    Ok(all)
}

impl Searches {
    fn add(&mut self, result: &AttemptResult) {
        let timing = &result.timing;
        self.made += 1;
        self.accepted += u32::from(result.outcome == Outcome::Accepted);
        self.tactics += result.spent.previews;
        self.total_ms += timing.total_ms;
        self.opening_ms += timing.opening_ms;
        self.previewing_ms += timing.previewing_ms + timing.replaying_ms;
        self.checking_ms += timing.checking_ms;
        self.own_ms += timing.searching_ms + timing.providing_ms;
    }
}

/// A quantile of some durations, in milliseconds.
fn quantile(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    let index = ((times.len() - 1) as f64 * share).round() as usize;
    times[index].as_secs_f64() * 1e3
}
