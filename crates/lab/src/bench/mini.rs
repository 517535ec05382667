//! The cost of the embedded prover: previews, states, and loading its prelude.

use andor_system_mini::MINI;
use std::time::{Duration, Instant};

use andor_config::Config;
use andor_dataset as dataset;
use andor_engine::registry;
use andor_env::checker::{Claim, Level, Verdict};
use andor_env::environment::Environment;
use andor_env::error::EnvError;
use andor_env::worker::{Grouping, StateId, TacticLimits, TacticOutcome, Worker};
use andor_run::orchestrate::RunError;
use serde::Serialize;

use super::speed::peak_resident_bytes;

/// The measurements, on one thread.
#[derive(Clone, Debug, Serialize)]
pub struct MiniCosts {
    /// Previews of several tactics, including the conversion of goals to text and trees.
    pub previews: Vec<PreviewRate>,
    /// The memory of a state with three hypotheses and its goals in a worker; `None` if it cannot be measured.
    pub state_bytes: Option<u64>,
    /// The median time to load and check the prelude with one small theorem, in milliseconds.
    pub prelude_ms: f64,
}

/// The speed of previews of a tactic.
#[derive(Clone, Debug, Serialize)]
pub struct PreviewRate {
    /// The tactic.
    pub tactic: &'static str,
    /// Whether it succeeds.
    pub applies: bool,
    /// The median over several rounds, in previews per second.
    pub per_second: f64,
    /// The slowest round.
    pub lowest: f64,
    /// The fastest round.
    pub highest: f64,
}

const ROUNDS: usize = 7;
const ROUND: Duration = Duration::from_millis(100);
const STATES: u32 = 20_000;

/// Statements, each with a tactic for it.
const TRIED: &[(&str, &str)] = &[
    ("theorem t (p q : Prop) : p ∧ q → q ∧ p", "intro h"),
    ("theorem t (p q : Prop) (hp : p) (hq : q) : p", "exact hp"),
    ("theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q", "constructor"),
    ("theorem t (p q : Prop) (h : p ∧ q) : q ∧ p", "obtain ⟨hp, hq⟩ := h"),
    ("theorem t (a b c : Nat) : a + b + c = c + b + a", "rw [Nat.add_comm a b]"),
    ("theorem t (n : Nat) : 0 + n = n", "induction n with | zero => ?_ | succ n ih => ?_"),
    ("theorem t (a b c : Nat) (h : a ≤ b) (k : b ≤ c) : a ≤ c", "apply Nat.le_trans"),
    ("theorem t (p : Prop) (n : Nat) : n + 0 = n ∧ (p ∧ True)", "simp"),
    ("theorem t (a b : Nat) (h : a < b) : a + 1 ≤ b", "omega"),
    ("theorem t (a b : Nat) : (a + b) * (a + b) = a * a + 2 * (a * b) + b * b", "ring"),
    ("theorem t : 2 ^ 10 < 2000", "decide"),
    ("theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q", "exact hp"),
];

/// Runs the measurements, in about ten seconds.
pub async fn measure() -> Result<MiniCosts, RunError> {
    let environment = registry::environment(MINI, &Config::default());
    // Measured first, since later states would include memory that is allocated only once.
    let state_bytes = state_bytes(&*environment).await?;
    let mut previews = Vec::new();
    for &(statement, tactic) in TRIED {
        previews.push(preview_rate(&*environment, statement, tactic).await?);
    }
    let mut prelude = Vec::new();
    for _ in 0..ROUNDS {
        prelude.push(prelude_ms(&*environment).await?);
    }
    prelude.sort_by(f64::total_cmp);
    Ok(MiniCosts { previews, state_bytes, prelude_ms: prelude[ROUNDS / 2] })
}

async fn open(
    environment: &dyn Environment,
    statement: &str,
) -> Result<(Box<dyn Worker>, StateId), EnvError> {
    let problem = dataset::from_statement(MINI, statement, &[]).expect("the statement is right");
    let mut worker = environment.new_worker(Grouping::Coupled);
    let opened = worker.open(&problem.theorem).await?;
    Ok((worker, opened.state))
}

/// Previews a tactic and drops the outcome. Returns whether it applied.
async fn preview(worker: &mut dyn Worker, at: StateId, tactic: &str) -> Result<bool, EnvError> {
    match worker.apply(at, 0, tactic, TacticLimits::wall(Duration::from_secs(1))).await? {
        TacticOutcome::Applied { state, .. } => {
            worker.release(state);
            Ok(true)
        }
        TacticOutcome::Rejected { .. } | TacticOutcome::OverTime { .. } => Ok(false),
    }
}

async fn preview_rate(
    environment: &dyn Environment,
    statement: &str,
    tactic: &'static str,
) -> Result<PreviewRate, EnvError> {
    let (mut worker, at) = open(environment, statement).await?;
    let applies = preview(&mut *worker, at, tactic).await?;
    let mut rates = Vec::new();
    for _ in 0..ROUNDS {
        let (began, mut n) = (Instant::now(), 0u32);
        while began.elapsed() < ROUND {
            preview(&mut *worker, at, tactic).await?;
            n += 1;
        }
        rates.push(f64::from(n) / began.elapsed().as_secs_f64());
    }
    rates.sort_by(f64::total_cmp);
    let (per_second, lowest, highest) = (rates[ROUNDS / 2], rates[0], rates[ROUNDS - 1]);
    Ok(PreviewRate { tactic, applies, per_second, lowest, highest })
}

/// The memory of one additional state whose goals are not shared.
async fn state_bytes(environment: &dyn Environment) -> Result<Option<u64>, EnvError> {
    let (mut worker, at) = open(environment, "theorem t (p q : Prop) : p ∧ q → q ∧ p").await?;
    let before = peak_resident_bytes();
    for _ in 0..STATES {
        // The worker holds the state until it is dropped.
        worker.apply(at, 0, "intro h", TacticLimits::wall(Duration::from_secs(1))).await?;
    }
    let after = peak_resident_bytes();
    Ok(after.zip(before).map(|(after, before)| after.saturating_sub(before) / u64::from(STATES)))
}

async fn prelude_ms(environment: &dyn Environment) -> Result<f64, EnvError> {
    let text = "theorem t : True := trivial\n".to_owned();
    let began = Instant::now();
    let claim = Claim { submission: text.clone(), challenge: text, theorems: vec!["t".to_owned()] };
    match environment.checker().check(&claim, Level::Compiled).await {
        Verdict::Infrastructure { error, .. } => Err(error),
        Verdict::Accepted { .. } | Verdict::Rejected { .. } => Ok(began.elapsed().as_secs_f64() * 1e3),
    }
}
