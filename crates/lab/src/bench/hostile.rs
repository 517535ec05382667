//! Tests whether the embedded prover keeps its limits, by searches whose provider proposes only tactics designed to
//! exhaust time and memory.

use andor_system_mini::MINI;
use std::sync::Arc;
use std::time::{Duration, Instant};

use andor_artifact::result::Role;
use andor_config::{BudgetConfig, Clock, Config, WorkerConfig};
use andor_core::rng::{Purpose, stream};
use andor_dataset as dataset;
use andor_engine::attempt::{self, AttemptRequest, Means};
use andor_engine::event::Event;
use andor_engine::registry;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::scripted::Scripted;
use andor_run::orchestrate::RunError;
use rand::RngExt;
use rand::seq::IndexedRandom;
use serde::Serialize;
use tokio::runtime::Builder;
use tokio_util::sync::CancellationToken;

use super::speed::status_bytes;

/// What to measure.
#[derive(Clone, Copy, Debug)]
pub struct HostileRequest {
    /// Number of tactics.
    pub count: u64,
    /// The seed of the first tactic.
    pub seed: u64,
    /// Time limit of each search.
    pub time: Duration,
}

/// The results for one tactic.
#[derive(Clone, Debug, Serialize)]
pub struct Case {
    /// The tactic.
    pub tactic: String,
    /// The time from the limit to the end of the search, when none of its threads is running, in milliseconds; 0 if
    /// it ended earlier.
    pub overrun_ms: f64,
    /// The time from the cancellation to the end of the search, in milliseconds.
    pub stop_ms: f64,
    /// The growth of the peak resident memory of this process during the searches, in bytes.
    pub growth_bytes: Option<u64>,
}

/// The statement for all tactics. It is false, so no search ends early with a proof.
const STATEMENT: &str = "theorem t (p q : Prop) (n m : Nat) (f : Nat → Nat → Nat) (d : ∀ x, f x x = x) \
                         (k : p → p) (h : n = m ∨ q) : p ∧ f n n + m = m";

/// Tactics that do not terminate, grow, or take long when repeated.
const LEAVES: &[&str] = &[
    "have h : 0 = 0 := rfl",
    "by_cases h : 0 = 1",
    "by_cases p",
    "let x := 5",
    "exfalso",
    "cases n",
    "cases h",
    "induction n",
    "induction m generalizing n",
    "simp",
    "simp [d]",
    "simp_all",
    "simp only [← d n]",
    "rw [Nat.add_comm]",
    "rw [← d n]",
    "rw [d]",
    "generalize n = z",
    "constructor",
    "refine ⟨?_, ?_⟩",
    "apply k",
    "apply And.intro",
    "intro x",
    "revert n",
    "rename_i x",
    "skip",
    "rotate_left",
    "assumption",
    "contradiction",
    "omega",
    "ring",
    "decide",
    "trivial",
    "by_contra c",
    "suffices p by assumption",
    "obtain ⟨a, b⟩ : True ∧ True := ⟨trivial, trivial⟩",
    "have e : Nat.sub 10000000 9999999 = 1 := rfl",
    "have e : 2 ^ 100000 - 1 = 3 := rfl",
    "have e : 3 ^ 60000 * 3 ^ 60000 = 0 := by decide",
    "have e : Nat.rec (motive := fun _ => Nat) 0 (fun _ i => Nat.succ i) 10000000 = 10000000 := rfl",
    "have e : List.length (List.replicate 1000000 0) = 1000000 := by simp",
    "have e : (n + m + f n m + f m n + 1) ^ 40 = 0 := by ring",
    "have e : ∀ x, x < 1000 → ∀ y, y < 1000 → x + y < 3000 := by decide",
    "exact absurd rfl k",
    "show p ∧ f n n + m = m",
    "have g : Nat → Nat := fun x => f x x",
    "injection h",
    "subst h",
    "ext x",
];

/// Tests tactics one after the other, and calls `each` after every one.
pub async fn measure(request: HostileRequest, mut each: impl FnMut(&Case)) -> Result<Vec<Case>, RunError> {
    let mut cases = Vec::new();
    for number in 0..request.count {
        let tactic = tactic(request.seed.wrapping_add(number));
        let tried = tokio::task::spawn_blocking(move || tried(tactic, request.time));
        let case = tried.await.expect("a search does not panic")?;
        each(&case);
        cases.push(case);
    }
    Ok(cases)
}

/// Runs two searches with a tactic: one up to its time limit, and one that is cancelled.
fn tried(tactic: String, time: Duration) -> Result<Case, RunError> {
    // Resets the peak memory (proc(5)). If that fails, the growth is relative to the earlier peak.
    let _ = fs_err::write("/proc/self/clear_refs", "5");
    let before = status_bytes("VmRSS:");
    let began = Instant::now();
    search(&tactic, Some(time), &CancellationToken::new())?;
    let overrun = began.elapsed().saturating_sub(time);
    let cancel = CancellationToken::new();
    let (word, after) = (cancel.clone(), time / 3);
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(after);
        let cancelled = Instant::now();
        word.cancel();
        cancelled
    });
    search(&tactic, None, &cancel)?;
    let ended = Instant::now();
    let cancelled = canceller.join().expect("nothing in it panics");
    let most = status_bytes("VmHWM:");
    let ms = |duration: Duration| duration.as_secs_f64() * 1e3;
    Ok(Case {
        tactic,
        overrun_ms: ms(overrun),
        stop_ms: ms(ended.saturating_duration_since(cancelled)),
        growth_bytes: most.zip(before).map(|(most, before)| most.saturating_sub(before)),
    })
}

/// Searches with a single tactic, and waits until none of the search's threads is running.
fn search(tactic: &str, time: Option<Duration>, cancel: &CancellationToken) -> Result<(), RunError> {
    let config = Config {
        budget: BudgetConfig { time_s: time.map(|t| t.as_secs_f64()), ..BudgetConfig::default() },
        // Only the limits of the search should end it.
        workers: WorkerConfig { tactic_timeout_s: 3600.0, ..WorkerConfig::default() },
        clock: Clock::Wall,
        ..Config::default()
    };
    let theorem = dataset::from_statement(MINI, STATEMENT, &[]).expect("the statement is right").theorem;
    let means = Means {
        workers: Workers::new(registry::environment(MINI, &config), Grouping::Coupled),
        provider: Arc::new(Scripted::always(&[tactic, "constructor", "skip"])),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: None,
        cancel: cancel.clone(),
    };
    let request = AttemptRequest { theorem, attempt: 1, role: Role::Configured, config, directory: None };
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("the system has threads to give");
    let result = runtime.block_on(attempt::run(&request, &means, &mut |_: &str, _: &Event| {}));
    // Waits for the remaining threads.
    drop(runtime);
    result.map(drop).map_err(RunError::from)
}

/// The tactic of a seed.
fn tactic(seed: u64) -> String {
    let mut random = stream(seed, Purpose::Candidates);
    let body = combined(&mut random, 3);
    match random.random_range(0..8) {
        0 => format!("{}\n{body}", lets(&mut random)),
        1 => body,
        _ => format!("repeat ({body})"),
    }
}

/// A combination of tactics up to a given depth.
fn combined(random: &mut impl RngExt, depth: u32) -> String {
    let leaf = |random: &mut _| (*LEAVES.choose(random).expect("there are some")).to_owned();
    if depth == 0 {
        return leaf(random);
    }
    let mut part = || combined(random, depth - 1);
    let (a, b) = (part(), part());
    match random.random_range(0..14) {
        0 => format!("repeat ({a})"),
        1 => format!("({a}) <;> ({b})"),
        2 => format!("all_goals ({a})"),
        3 => format!("first | ({a}) | ({b})"),
        4 => format!("try ({a})"),
        5 => format!("any_goals ({a})"),
        6 => format!("({a}; {b})"),
        7 => format!("repeat (first | ({a}) | ({b}))"),
        8 => format!("repeat (({a}) <;> ({b}))"),
        9 => format!("repeat (all_goals (try ({a})))"),
        10 => format!("have w : p → p := by\n  intro w\n  repeat ({a})\n  exact w"),
        _ => leaf(random),
    }
}

/// A chain of definitions, each of which uses its predecessor twice.
fn lets(random: &mut impl RngExt) -> String {
    let value: &dyn Fn(usize) -> String = match random.random_range(0..4) {
        0 => &|i| format!("y{i} + y{i}"),
        1 => &|i| format!("f y{i} y{i}"),
        2 => &|i| format!("y{i} * y{i}"),
        _ => &|i| format!("f (y{i} + n) (y{i} ^ 2)"),
    };
    let n = random.random_range(10..80);
    let lines = (0..n).map(|i| format!("let y{} := {}\n", i + 1, value(i)));
    let rest = ["rfl", "simp", "omega", "ring", "show y9 = y8", "rw [d y5]", "have e : y9 = y8 := rfl"];
    let rest = rest.choose(random).expect("there are some");
    format!("let y0 := n\n{}{rest}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tactics_come_from_their_seeds_and_can_be_read() {
        let environment = registry::environment(MINI, &Config::default());
        for seed in 0..200 {
            let text = tactic(seed);
            assert_eq!(text, tactic(seed));
            assert_eq!(environment.screen(&text), Ok(()), "seed {seed}: {text}");
        }
    }
}
