//! The cost of the worker of an installed prover: previews, backtracking, restarts, memory; and our own share of a search's
//! time.

use andor_system_lean::LEAN4;
use andor_system_rocq::ROCQ;
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
use andor_process::resident_bytes;
use andor_run::orchestrate::RunError;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

/// The measurements.
#[derive(Clone, Debug, Serialize)]
pub struct ProverCosts {
    /// Previews of several tactics at one checkpoint, including the conversion of their goals.
    pub previews: Vec<PreviewCost>,
    /// Previews of several tactics one after another at one checkpoint; the median for all of them, in milliseconds.
    pub batches: Vec<BatchCost>,
    /// A preview that does nothing at the worker's current checkpoint; the median, in milliseconds.
    pub staying_ms: f64,
    /// The same after a preview at a checkpoint [`DEPTH`] steps away; the median, in milliseconds. The difference is
    /// the cost of moving between them.
    pub moving_ms: f64,
    /// Starting a worker and opening the theorem; the mean, in milliseconds.
    pub starting_ms: f64,
    /// The same without a sandbox.
    pub starting_unconfined_ms: f64,
    /// Opening another theorem with the same header on a worker that has read it; the median, in milliseconds.
    pub warm_ms: f64,
    /// Rebuilding a checkpoint at depth [`DEPTH`] by replay; the mean, in milliseconds.
    pub replaying_ms: f64,
    /// Resident memory of a worker, in bytes.
    pub memory: Memory,
    /// Whole searches.
    pub searches: Searches,
}

/// The duration of previews in a row.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BatchCost {
    /// How many.
    pub size: usize,
    /// The median for all of them, in milliseconds.
    pub median_ms: f64,
}

/// The memory of a worker.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Memory {
    /// With the theorem opened, in bytes.
    pub opened: u64,
    /// After a tenth of the previews, in bytes.
    pub early: u64,
    /// After [`MANY`] previews, in bytes.
    pub late: u64,
}

/// What is measured of a system.
struct Subject {
    system: System,
    imports: &'static [&'static str],
    statement: &'static str,
    /// A tactic that does nothing.
    idle: &'static str,
    /// Tactics to preview at the root.
    tactics: &'static [&'static str],
    /// The step at a depth.
    step: fn(usize) -> String,
    /// A tactic with a comment that makes it unlike any other.
    unique: fn(&str, usize) -> String,
    /// Theorems for complete searches, with a few dozen to a few hundred tactics each.
    searched: &'static [&'static str],
}

const IN_ROCQ: Subject = Subject {
    system: ROCQ,
    imports: &["List", "Lia"],
    statement: "forall n m p : nat, n + m = m + n /\\ n + 0 = n /\\ p = p",
    idle: "idtac",
    tactics: &["intros", "intros n m p; repeat split", "intros n m p; lia", "unknown_tactic"],
    step: |depth| if depth == 0 { "intros".to_owned() } else { format!("pose proof {depth}") },
    unique: |tactic, number| format!("{tactic} (* {number} *)"),
    searched: &[
        "forall n m : nat, n * m = m * n",
        "forall (A : Type) (l m : list A), length (l ++ m) = length m + length l",
        "forall P Q R : Prop, (P -> Q -> R) <-> (P /\\ Q -> R)",
        "forall n m k : nat, n < m -> m < k -> S n < k",
        "forall n : nat, exists k, n = 2 * k \\/ n = 2 * k + 1",
        "forall (A : Type) (l : list A), rev (rev l) = l",
    ],
};

const IN_LEAN: Subject = Subject {
    system: LEAN4,
    imports: &[],
    statement: "theorem t : ∀ n m p : Nat, n + m = m + n ∧ n + 0 = n ∧ p = p",
    idle: "skip",
    tactics: &["intros", "intro n m p; refine ⟨?_, ?_, ?_⟩", "intro n m p; omega", "unknown_tactic"],
    step: |depth| if depth == 0 { "intro n m p".to_owned() } else { format!("have h{depth} : n = n := rfl") },
    unique: |tactic, number| format!("{tactic} -- {number}"),
    searched: &[
        "theorem t (n m : Nat) : n * m = m * n",
        "theorem t (α : Type) (l m : List α) : (l ++ m).length = m.length + l.length",
        "theorem t (p q r : Prop) : (p → q → r) ↔ (p ∧ q → r)",
        "theorem t (n m k : Nat) : n < m → m < k → n + 1 < k",
        "theorem t (n : Nat) : ∃ k, n = 2 * k ∨ n = 2 * k + 1",
        "theorem t (α : Type) (l : List α) : l.reverse.reverse = l",
    ],
};

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

/// Number of previews after which the memory is measured.
pub const MANY: usize = 10_000;

const REPEAT: usize = 200;

const BATCHES: [usize; 3] = [1, 8, 32];

/// Measures Rocq, in about half a minute.
pub async fn rocq() -> Result<ProverCosts, RunError> {
    IN_ROCQ.measure().await
}

/// Measures Lean 4, in some minutes.
pub async fn lean() -> Result<ProverCosts, RunError> {
    IN_LEAN.measure().await
}

impl Subject {
    async fn measure(&self) -> Result<ProverCosts, RunError> {
        let environment = registry::environment(self.system, &Config::default());
        let (staying_ms, moving_ms) = self.going_back(&environment).await?;
        let (starting_ms, replaying_ms) = self.starting_again(&environment).await?;
        let mut unconfined = Config::default();
        unconfined.workers.sandbox = false;
        let unconfined = registry::environment(self.system, &unconfined);
        let (starting_unconfined_ms, _) = self.starting_again(&unconfined).await?;
        Ok(ProverCosts {
            previews: self.previews(&environment).await?,
            batches: self.batches(&environment).await?,
            staying_ms,
            moving_ms,
            starting_ms,
            starting_unconfined_ms,
            warm_ms: self.warm(&environment).await?,
            replaying_ms,
            memory: self.memory(&environment).await?,
            searches: self.searches(&environment).await?,
        })
    }

    fn theorem(&self, statement: &str) -> Theorem {
        let imports: Vec<String> = self.imports.iter().map(|&name| name.to_owned()).collect();
        dataset::from_statement(self.system, statement, &imports).expect("the statement is one").theorem
    }

    async fn open(
        &self,
        environment: &Arc<dyn Environment>,
        limits: Limits,
    ) -> Result<Arc<Session>, EnvError> {
        let workers = Workers::new(Arc::clone(environment), Grouping::Coupled);
        Session::open(workers, self.theorem(self.statement), limits).await
    }

    /// Previews a tactic. A unique comment keeps the result from coming from the cache.
    async fn preview(
        &self,
        session: &Arc<Session>,
        at: Obligation,
        tactic: &str,
        number: usize,
    ) -> Result<Duration, EnvError> {
        let mut lease = session.lease(at);
        let tactic = (self.unique)(tactic, number);
        let began = Instant::now();
        lease.preview(&tactic).await?;
        Ok(began.elapsed())
    }

    /// Commits [`DEPTH`] steps below the root.
    async fn descend(&self, session: &Arc<Session>) -> Result<Obligation, EnvError> {
        let mut at = session.root();
        for depth in 0..DEPTH {
            let mut lease = session.lease(at);
            let mut preview = lease.preview(&(self.step)(depth)).await?;
            assert!(matches!(*preview.attempted, Attempted::Applied { .. }), "{:?}", preview.attempted);
            at = session.commit(&mut preview).obligations[0];
        }
        Ok(at)
    }

    async fn previews(&self, environment: &Arc<dyn Environment>) -> Result<Vec<PreviewCost>, EnvError> {
        let session = self.open(environment, Limits::default()).await?;
        let mut costs = Vec::new();
        for tactic in self.tactics {
            let mut times = Vec::new();
            for number in 0..REPEAT {
                times.push(self.preview(&session, session.root(), tactic, number).await?);
            }
            let (median_ms, p90_ms) = (quantile(&mut times, 0.5), quantile(&mut times, 0.9));
            costs.push(PreviewCost { tactic, median_ms, p90_ms });
        }
        Ok(costs)
    }

    /// All tactics in turn, at a checkpoint [`DEPTH`] steps below the root.
    async fn batches(&self, environment: &Arc<dyn Environment>) -> Result<Vec<BatchCost>, EnvError> {
        let session = self.open(environment, Limits::default()).await?;
        let at = self.descend(&session).await?;
        let mut number = 0;
        let mut costs = Vec::new();
        for size in BATCHES {
            let mut times = Vec::new();
            for _ in 0..(REPEAT / size).max(10) {
                let began = Instant::now();
                for _ in 0..size {
                    self.preview(&session, at, self.tactics[number % self.tactics.len()], number).await?;
                    number += 1;
                }
                times.push(began.elapsed());
            }
            costs.push(BatchCost { size, median_ms: quantile(&mut times, 0.5) });
        }
        Ok(costs)
    }

    async fn going_back(&self, environment: &Arc<dyn Environment>) -> Result<(f64, f64), EnvError> {
        let session = self.open(environment, Limits::default()).await?;
        let (near, far) = (session.root(), self.descend(&session).await?);
        let (mut staying, mut moving) = (Vec::new(), Vec::new());
        for number in 0..REPEAT {
            self.preview(&session, near, self.idle, 2 * number).await?;
            moving.push(self.preview(&session, far, self.idle, 2 * number).await?);
            staying.push(self.preview(&session, far, self.idle, 2 * number + 1).await?);
        }
        Ok((quantile(&mut staying, 0.5), quantile(&mut moving, 0.5)))
    }

    async fn starting_again(&self, environment: &Arc<dyn Environment>) -> Result<(f64, f64), EnvError> {
        // No worker fits into one byte, so each is soon replaced by a new one, which replays.
        let limits = Limits { max_memory_bytes: Some(1), ..Limits::default() };
        let session = self.open(environment, limits).await?;
        let at = self.descend(&session).await?;
        let before = session.counters();
        let mut number = 0;
        while session.counters().workers_recycled < before.workers_recycled + 10 {
            self.preview(&session, at, self.idle, number).await?;
            number += 1;
        }
        let after = session.counters();
        let n = (after.workers_started - before.workers_started) as f64;
        let ms = |after: Duration, before: Duration| (after - before).as_secs_f64() * 1e3 / n;
        Ok((ms(after.opening, before.opening), ms(after.replaying, before.replaying)))
    }

    async fn warm(&self, environment: &Arc<dyn Environment>) -> Result<f64, EnvError> {
        let workers = Workers::reusing(Arc::clone(environment), Grouping::Coupled, 1);
        let mut times = Vec::new();
        for _ in 0..=REPEAT / 10 {
            let theorem = self.theorem(self.statement);
            let began = Instant::now();
            let session = Session::open(Arc::clone(&workers), theorem, Limits::default()).await?;
            times.push(began.elapsed());
            // Gives its worker back.
            session.close();
        }
        // The first starts the worker.
        Ok(quantile(&mut times[1..], 0.5))
    }

    async fn memory(&self, environment: &Arc<dyn Environment>) -> Result<Memory, EnvError> {
        let session = self.open(environment, Limits::default()).await?;
        let resident = || session.process_ids().into_iter().filter_map(resident_bytes).sum();
        let mut memory = Memory { opened: resident(), ..Memory::default() };
        for number in 0..MANY {
            if number == MANY / 10 {
                memory.early = resident();
            }
            self.preview(&session, session.root(), self.tactics[number % self.tactics.len()], number).await?;
        }
        memory.late = resident();
        Ok(memory)
    }

    async fn searches(&self, environment: &Arc<dyn Environment>) -> Result<Searches, RunError> {
        let config = Config {
            budget: BudgetConfig { max_candidates: Some(500), ..BudgetConfig::default() },
            ..Config::default()
        };
        let means = Means {
            workers: Workers::new(Arc::clone(environment), Grouping::Coupled),
            provider: registry::provider(self.system, &config, &OwnParts::default())?,
            models: Vec::new(),
            planner: None,
            ranker: None,
            priority: None,
            latencies: registry::latencies(&config)?,
            cancel: CancellationToken::new(),
        };
        let mut all = Searches::default();
        for statement in self.searched {
            let request = AttemptRequest {
                theorem: self.theorem(statement),
                attempt: 1,
                role: Role::Configured,
                config: config.clone(),
                directory: None,
            };
            all.add(&attempt::run(&request, &means, &mut |_: &str, _: &Event| {}).await?);
        }
        Ok(all)
    }
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
