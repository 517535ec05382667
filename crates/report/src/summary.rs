//! Summaries of a run's results, for each theorem and in total (`docs/guide/results.md`).

mod lines;
mod planning;
mod rows;

use std::collections::{BTreeMap, HashMap};

use andor_artifact::basin::{Estimate, LeftOut, RepeatedSearch};
use andor_artifact::result::{AttemptResult, Outcome, Role, SpentRecord, Timing};
use andor_config::{Config, ShareProgress};
use andor_core::policy::StopReason;
use andor_dataset::Problem;
use andor_run::basin::{counts, repeated, without_copies};
use andor_run::estimate::{self, Sample, pass_at};
use andor_run::folder::RunFolder;
pub use lines::{ResultsLine, TheoremLine};
pub use planning::PlanTotals;
pub use rows::{BfsProverRow, ReProverRow, theorems};
use serde::Serialize;

/// The summary of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunSummary<'a> {
    /// The theorems, in the order of the corpus.
    pub theorems: Vec<TheoremSummary<'a>>,
    /// Totals over all theorems.
    pub totals: Totals,
}

/// The results at a theorem. Only attempts at the run's current statement are included; unless marked as blind
/// search, values refer to the configured search.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TheoremSummary<'a> {
    /// The theorem's id.
    pub theorem: &'a str,
    /// The system.
    pub system: &'static str,
    /// The digest of its statement, in hexadecimal.
    pub statement_digest: String,
    /// The status of the theorem.
    pub standing: Standing,
    /// Attempts that count: those that ended with an accepted proof, or without a proof.
    pub attempts: u32,
    /// The attempts among them with an accepted proof.
    pub solved: u32,
    /// Attempts that do not count.
    pub left_out: LeftOut,
    /// The results of blind search, in a run that compares with it.
    pub blind: Option<RepeatedSearch>,
    /// For each k, the probability that one of k attempts finds an accepted proof; only for k with an estimate.
    pub pass_at_k: BTreeMap<u32, Estimate>,
    /// The best result: accepted before claimed before any other, and the earliest among equals.
    pub best: Option<&'a AttemptResult>,
    /// All results of the configured search, by number of the attempt.
    #[serde(skip)]
    pub results: Vec<&'a AttemptResult>,
    /// All results of blind search.
    #[serde(skip)]
    pub blind_results: Vec<&'a AttemptResult>,
}

/// The status of a theorem: the outcome of its best attempt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// A proof was accepted.
    Proved,
    /// A claimed proof could not be verified, or not to the demanded level.
    Claimed,
    /// A proof is stored, but its record does not fit the theorem.
    Unverified,
    /// A proof was found, but it depends on an axiom that is not allowed.
    AxiomNotAllowed,
    /// No proof was found.
    NotProved,
    /// The assistant rejects the theorem.
    Refused,
    /// Every attempt failed for technical reasons.
    Infrastructure,
    /// The user interrupted every attempt.
    Interrupted,
    /// There is no attempt yet.
    NotBegun,
}

impl From<Outcome> for Standing {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Accepted => Self::Proved,
            Outcome::Claimed => Self::Claimed,
            Outcome::Unverified => Self::Unverified,
            Outcome::AxiomNotAllowed => Self::AxiomNotAllowed,
            Outcome::NotProved => Self::NotProved,
            Outcome::Refused => Self::Refused,
            Outcome::InfrastructureError => Self::Infrastructure,
            Outcome::Interrupted => Self::Interrupted,
        }
    }
}

/// Totals over all theorems.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Totals {
    /// Number of theorems.
    pub theorems: usize,
    /// Number of theorems by status.
    pub standings: BTreeMap<Standing, usize>,
    /// Unproved theorems at which the best attempt tried every candidate.
    pub exhausted: usize,
    /// Number of attempts with a result.
    pub attempts: usize,
    /// Number of attempts that will not be repeated.
    pub attempts_finished: usize,
    /// The expected number of attempts in the finished run; for an unproved theorem, the maximum.
    pub attempts_planned: usize,
    /// Maximum number of attempts at a theorem.
    pub pass_k: u32,
    /// Whether attempts at a theorem are independent of each other. If they share what they prove of plans, `pass_at_k`
    /// says what the first k attempts proved together, and has no interval for a single theorem.
    pub attempts_are_independent: bool,
    /// The mean over the theorems, for 1, the powers of two, and [`Totals::pass_k`].
    pub pass_at_k: BTreeMap<u32, MeanPass>,
    /// Attempts that failed for technical reasons.
    pub failures: Failures,
    /// The budget spent by all attempts.
    pub spent: SpentRecord,
    /// The timing of all attempts.
    pub timing: Timing,
    /// Blocked candidates, by reason.
    pub refusals: BTreeMap<String, u64>,
    /// Attempts by stop reason.
    pub stop_reasons: BTreeMap<String, u64>,
    /// The plans that searches were to begin with, and that a planner was asked for.
    pub plans: PlanTotals,
}

/// The probability that one of k attempts proves a theorem, as a mean over theorems.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeanPass {
    /// The mean with its interval; `null` without theorems.
    pub mean: Option<Estimate>,
    /// Number of theorems in the mean.
    pub theorems: usize,
    /// Number of theorems without an estimate: too few attempts count, and none is accepted.
    pub without_estimate: usize,
}

/// Attempts that failed for technical reasons, in the search or in the verification of its proof.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failures {
    /// Number of such attempts.
    pub attempts: usize,
    /// Total number of attempts.
    pub of: usize,
    /// The most frequent error, and its number of attempts.
    pub most_frequent: Option<(String, usize)>,
}

/// The share of attempts that may fail for technical reasons, unless the user says otherwise.
pub const TOLERATED_FAILURES: f64 = 0.1;

impl std::fmt::Display for Failures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { attempts, of, most_frequent } = self;
        write!(
            f,
            "{attempts} of {of} attempts failed for technical reasons, which says nothing about the theorems"
        )?;
        match most_frequent {
            Some((error, n)) => write!(f, "; most frequent ({n} of {attempts}): {}", error.trim_end()),
            None => Ok(()),
        }
    }
}

impl Failures {
    /// Counts the failures among results.
    pub fn among<'a>(results: impl IntoIterator<Item = &'a AttemptResult>) -> Self {
        let mut failures = Self::default();
        let mut errors: BTreeMap<&str, usize> = BTreeMap::new();
        for result in results {
            failures.of += 1;
            if has_failed(result) {
                failures.attempts += 1;
                *errors.entry(result.infrastructure_error.as_deref().unwrap_or_default()).or_default() += 1;
            }
        }
        // Ties are broken by the text of the error.
        let most_frequent = errors.into_iter().rev().max_by_key(|&(_, n)| n);
        failures.most_frequent = most_frequent.map(|(error, n)| (error.to_owned(), n));
        failures
    }

    /// Whether there are so many that what the attempts say in all cannot be trusted.
    pub fn are_too_many(&self) -> bool {
        self.share() > TOLERATED_FAILURES
    }

    /// The share of failures; 0 if there were no attempts.
    pub fn share(&self) -> f64 {
        if self.of == 0 { 0.0 } else { self.attempts as f64 / self.of as f64 }
    }
}

/// Whether the attempt failed for technical reasons, in the search or in the verification of its proof.
pub fn has_failed(result: &AttemptResult) -> bool {
    matches!(result.outcome, Outcome::Claimed | Outcome::Unverified | Outcome::InfrastructureError)
}

/// Whether every candidate was tried without finding a proof.
pub fn is_exhausted(result: &AttemptResult) -> bool {
    result.outcome == Outcome::NotProved && result.stop_reason == StopReason::Exhausted.name()
}

/// Summarises a run that was read back.
pub fn of_folder(run: &RunFolder) -> RunSummary<'_> {
    summarise(&run.config, run.record.pass_k, &run.problems, &run.results)
}

/// Summarises the results of a run, independently of their order. `pass_k` is the maximum number of attempts at each
/// theorem, up to the first accepted one; a basin run makes one for each seed in any case.
pub fn summarise<'a>(
    config: &Config,
    pass_k: u32,
    problems: &'a [Problem],
    results: &'a [AttemptResult],
) -> RunSummary<'a> {
    let pass_k = config.basin.seeds.unwrap_or(pass_k).max(1);
    let mut of_theorem: HashMap<&str, Vec<&AttemptResult>> = HashMap::new();
    for result in results {
        of_theorem.entry(&result.theorem).or_default().push(result);
    }
    let shares =
        config.plan.share_progress != ShareProgress::Off || results.iter().any(|r| r.sharing.is_some());
    let scheme = Scheme {
        stops_early: config.basin.seeds.is_none(),
        blind: config.basin.blind,
        is_independent: !shares,
        pass_k,
    };
    let theorems: Vec<TheoremSummary<'a>> = problems
        .iter()
        .map(|problem| {
            let results = of_theorem.remove(problem.theorem.id.as_str()).unwrap_or_default();
            theorem_summary(problem, results, scheme)
        })
        .collect();
    let totals = totals(&theorems, scheme, config.seed);
    RunSummary { theorems, totals }
}

/// The number of attempts at a theorem.
#[derive(Clone, Copy)]
struct Scheme {
    /// Whether attempts stop at the first accepted proof.
    stops_early: bool,
    /// Whether attempts at a theorem are independent of each other.
    is_independent: bool,
    /// Whether blind search makes the same number of attempts.
    blind: bool,
    pass_k: u32,
}

impl Scheme {
    /// The values of k for which there are estimates.
    fn ks(self) -> impl Iterator<Item = u32> {
        let powers = std::iter::successors(Some(1u32), |k| k.checked_mul(2));
        powers.take_while(move |&k| k < self.pass_k).chain([self.pass_k])
    }

    /// The planned number of attempts at a theorem.
    fn planned(self, theorem: &TheoremSummary<'_>) -> usize {
        let blind = if self.blind { theorem.blind_results.len().max(self.pass_k as usize) } else { 0 };
        let configured = match theorem.best {
            // All up to and including the first accepted attempt.
            Some(best) if self.stops_early && best.outcome == Outcome::Accepted => best.attempt as usize,
            _ => theorem.results.len().max(self.pass_k as usize),
        };
        configured + blind
    }
}

fn theorem_summary<'a>(
    problem: &'a Problem,
    mut results: Vec<&'a AttemptResult>,
    scheme: Scheme,
) -> TheoremSummary<'a> {
    let statement_digest = problem.theorem.digest();
    results.retain(|r| r.statement_digest == statement_digest);
    results.sort_by_key(|r| r.attempt);
    let search = repeated(&results, Role::Configured);
    let blind = scheme.blind.then(|| repeated(&results, Role::Blind));
    let (results, blind_results) = results.into_iter().partition::<Vec<_>, _>(|r| r.role == Role::Configured);
    let blind_results = if scheme.blind { blind_results } else { Vec::new() };
    let (attempts, solved) = (search.attempts, search.solved);
    let independent = without_copies(results.clone());
    let sample = if scheme.stops_early {
        // Attempts are numbered among those that count.
        let mut counted = independent.iter().filter(|r| counts(r));
        let first = counted.position(|r| r.outcome == Outcome::Accepted).map(|at| at as u32 + 1);
        Sample::UntilSolved { attempts, first }
    } else {
        Sample::All { attempts, solved }
    };
    // Without randomness, further attempts would find the same.
    let is_certain = independent.iter().filter(|r| counts(r)).any(|r| r.is_certain()) && attempts == 1;
    let pass = |k: u32| {
        let estimate = pass_at(if is_certain { 1 } else { k }, sample)?;
        // The interval would assume that attempts are independent.
        let alone = Estimate { low: None, high: None, ..estimate };
        Some(if scheme.is_independent { estimate } else { alone })
    };
    let best = results.iter().copied().min_by_key(|r| Standing::from(r.outcome));
    TheoremSummary {
        theorem: &problem.theorem.id,
        system: problem.theorem.system.name(),
        statement_digest,
        standing: best.map_or(Standing::NotBegun, |best| best.outcome.into()),
        attempts,
        solved,
        left_out: search.left_out,
        blind,
        pass_at_k: scheme.ks().filter_map(|k| Some((k, pass(k)?))).collect(),
        best,
        results,
        blind_results,
    }
}

fn totals(theorems: &[TheoremSummary<'_>], scheme: Scheme, seed: u64) -> Totals {
    let results = || theorems.iter().flat_map(|t| t.results.iter().chain(&t.blind_results).copied());
    let mut standings = BTreeMap::new();
    for theorem in theorems {
        *standings.entry(theorem.standing).or_default() += 1;
    }
    let has_exhausted = |t: &&TheoremSummary<'_>| t.best.is_some_and(is_exhausted);
    let (mut spent, mut timing) = (SpentRecord::default(), Timing::default());
    let (mut refusals, mut stop_reasons) = (BTreeMap::new(), BTreeMap::new());
    let mut plans = PlanTotals::default();
    for result in results() {
        spent += &result.spent;
        timing += &result.timing;
        for (reason, n) in &result.refusals {
            *refusals.entry(reason.clone()).or_default() += n;
        }
        *stop_reasons.entry(result.stop_reason.clone()).or_default() += 1;
        if let Some(planning) = &result.planning {
            plans.add(planning);
        }
    }
    let mean_pass = |k: u32| {
        let estimates: Vec<f64> =
            theorems.iter().filter_map(|t| t.pass_at_k.get(&k)).map(|e| e.value).collect();
        MeanPass {
            mean: estimate::mean_share(&estimates, seed),
            theorems: estimates.len(),
            without_estimate: theorems.len() - estimates.len(),
        }
    };
    Totals {
        theorems: theorems.len(),
        standings,
        exhausted: theorems.iter().filter(has_exhausted).count(),
        attempts: results().count(),
        attempts_finished: results().filter(|r| r.outcome.is_final()).count(),
        attempts_planned: theorems.iter().map(|t| scheme.planned(t)).sum(),
        pass_k: scheme.pass_k,
        attempts_are_independent: scheme.is_independent,
        pass_at_k: scheme.ks().map(|k| (k, mean_pass(k))).collect(),
        failures: Failures::among(results()),
        spent,
        timing,
        refusals,
        stop_reasons,
        plans,
    }
}

impl Totals {
    /// Number of theorems with an accepted proof.
    pub fn proved(&self) -> usize {
        self.standings.get(&Standing::Proved).copied().unwrap_or_default()
    }

    /// Whether all attempts were made.
    pub fn is_finished(&self) -> bool {
        self.attempts_finished == self.attempts_planned
    }
}

#[cfg(test)]
mod tests;
