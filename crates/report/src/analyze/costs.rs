//! What theorems cost: paired comparisons, and survival curves of the cost of a proof.

use andor_analysis::paired;
use andor_analysis::survival::{self, Observation};
use andor_artifact::result::{AttemptResult, Outcome};
use andor_run::estimate;
use serde_json::json;

use super::{Analysis, Cost, Request, Subject, Table};
use crate::summary::TheoremSummary;

impl Cost {
    /// What an attempt spent of it.
    pub fn of(self, attempt: &AttemptResult) -> f64 {
        let spent = &attempt.spent;
        match self {
            Self::Iterations => spent.iterations as f64,
            Self::Expansions => spent.expansions as f64,
            Self::Candidates => spent.candidates as f64,
            Self::Tokens => spent.model.prompt_tokens.saturating_add(spent.model.completion_tokens) as f64,
            Self::Seconds => attempt.timing.total_ms / 1e3,
            Self::VirtualSeconds => attempt.virtual_ms.unwrap_or(0.0) / 1e3,
        }
    }
}

/// What was spent at a theorem until its first accepted proof, or in all if there is none. `None` if no attempt counts.
fn observation(theorem: &TheoremSummary<'_>, cost: Cost) -> Option<Observation> {
    if theorem.attempts == 0 {
        return None;
    }
    let mut spent = 0.0;
    for attempt in &theorem.results {
        spent += cost.of(attempt);
        if attempt.outcome == Outcome::Accepted {
            return Some(Observation { spent, proved: true });
        }
    }
    Some(Observation { spent, proved: false })
}

/// Number of bootstrap resamples.
const RESAMPLES: usize = 2_000;

/// Compares what theorems cost that both runs prove, for the whole run and for each split.
pub(super) fn costs(subjects: &[Subject<'_>], request: &Request, analysis: &mut Analysis) {
    let mut table = Table {
        name: "costs",
        about: "What theorems cost that both runs prove: B relative to A.",
        columns: &[
            "a",
            "b",
            "stratum",
            "cost",
            "theorems",
            "ratio",
            "low",
            "high",
            "cheaper_in_a",
            "cheaper_in_b",
            "p_value",
        ],
        rows: Vec::new(),
    };
    let mut each = Table {
        name: "cost_pairs",
        about: "What a theorem costs that both runs prove.",
        columns: &["theorem", "a", "b", "cost", "of_a", "of_b"],
        rows: Vec::new(),
    };
    let Some((a, others)) = subjects.split_first() else { return };
    for b in others {
        for stratum in strata(a) {
            for cost in Cost::ALL.iter().copied() {
                let named = pairs(a, b, stratum.as_deref(), cost);
                let pairs: Vec<(f64, f64)> = named.iter().map(|(_, pair)| *pair).collect();
                // A cost that a run does not have, such as tokens without a model.
                if pairs.iter().all(|(x, _)| *x == 0.0) || pairs.iter().all(|(_, y)| *y == 0.0) {
                    continue;
                }
                if stratum.is_none() {
                    each.rows.extend(named.iter().map(|(theorem, (x, y))| {
                        vec![
                            json!(theorem),
                            json!(a.name),
                            json!(b.name),
                            json!(cost.name()),
                            json!(x),
                            json!(y),
                        ]
                    }));
                }
                let logs: Vec<f64> = pairs
                    .iter()
                    .filter(|(x, y)| *x > 0.0 && *y > 0.0)
                    .map(|(x, y)| log_ratio(*x, *y))
                    .collect();
                let mean = |sum: f64, n: usize| (sum / n as f64).exp();
                let ratio = (!logs.is_empty()).then(|| mean(logs.iter().sum(), logs.len()));
                let (low, high) = estimate::bootstrap(logs.len(), RESAMPLES, request.seed, |drawn| {
                    Some(mean(drawn.iter().map(|&i| logs[i]).sum(), drawn.len()))
                });
                let from_none: Vec<(f64, f64)> = logs.iter().map(|log| (0.0, *log)).collect();
                table.rows.push(vec![
                    json!(a.name),
                    json!(b.name),
                    json!(stratum.as_deref().unwrap_or("all")),
                    json!(cost.name()),
                    json!(pairs.len()),
                    json!(ratio),
                    json!(low),
                    json!(high),
                    json!(pairs.iter().filter(|(x, y)| x < y).count()),
                    json!(pairs.iter().filter(|(x, y)| y < x).count()),
                    json!(paired::signed_ranks(&from_none).map(|test| test.p_value)),
                ]);
            }
        }
    }
    analysis.tables.extend([table, each]);
}

/// The logarithm of `y / x`. Those of inverse ratios have the same size to the last bit, so that their ranks tie.
fn log_ratio(x: f64, y: f64) -> f64 {
    if y < x { -(x / y).ln() } else { (y / x).ln() }
}

/// `None` for all theorems; and each split, if there is more than one.
fn strata(subject: &Subject<'_>) -> Vec<Option<String>> {
    let mut splits: Vec<String> =
        subject.folder.problems.iter().filter_map(|problem| problem.split().map(str::to_owned)).collect();
    splits.sort();
    splits.dedup();
    let splits = if splits.len() > 1 { splits } else { Vec::new() };
    std::iter::once(None).chain(splits.into_iter().map(Some)).collect()
}

/// The costs of the theorems that both runs prove, with their ids.
fn pairs<'a>(
    a: &Subject<'a>,
    b: &Subject<'_>,
    stratum: Option<&str>,
    cost: Cost,
) -> Vec<(&'a str, (f64, f64))> {
    let split = |theorem: &TheoremSummary<'_>| {
        let problem = a.folder.problems.iter().find(|problem| problem.theorem.id.as_str() == theorem.theorem);
        problem.and_then(|problem| problem.split())
    };
    let proved =
        |theorem: &TheoremSummary<'_>| observation(theorem, cost).filter(|o| o.proved).map(|o| o.spent);
    let of_a = a.summary.theorems.iter().filter(|theorem| stratum.is_none() || split(theorem) == stratum);
    of_a.filter_map(|theorem| {
        let other = b.theorem(theorem.theorem)?;
        Some((theorem.theorem, (proved(theorem)?, proved(other)?)))
    })
    .collect()
}

/// Survival curves of each run, their medians, and tests against the first run.
pub(super) fn survival(subjects: &[Subject<'_>], analysis: &mut Analysis) {
    let mut medians = Table {
        name: "survival",
        about: "What half of the theorems cost until a proof, if unproved ones count as needing more.",
        columns: &["run", "cost", "theorems", "proved", "median", "log_rank_p_value"],
        rows: Vec::new(),
    };
    let mut curves = Table {
        name: "survival_curves",
        about: "The share of theorems that is still unproved after a cost.",
        columns: &["run", "cost", "spent", "at_risk", "proved", "open", "low", "high"],
        rows: Vec::new(),
    };
    for cost in [Cost::Iterations, Cost::Candidates, Cost::Seconds, Cost::VirtualSeconds] {
        let of = |subject: &Subject<'_>| -> Vec<Observation> {
            subject.summary.theorems.iter().filter_map(|theorem| observation(theorem, cost)).collect()
        };
        let baseline = subjects.first().map(of).unwrap_or_default();
        for (at, subject) in subjects.iter().enumerate() {
            let searches = of(subject);
            // A cost that the run does not have, such as virtual time under the wall clock.
            if searches.iter().all(|search| search.spent == 0.0) {
                continue;
            }
            let curve = survival::curve(&searches);
            let p_value = if at > 0 { survival::log_rank(&baseline, &searches) } else { None };
            medians.rows.push(vec![
                json!(subject.name),
                json!(cost.name()),
                json!(searches.len()),
                json!(searches.iter().filter(|search| search.proved).count()),
                json!(survival::median(&curve)),
                json!(p_value),
            ]);
            curves.rows.extend(curve.iter().map(|step| {
                vec![
                    json!(subject.name),
                    json!(cost.name()),
                    json!(step.spent),
                    json!(step.at_risk),
                    json!(step.proved),
                    json!(step.open),
                    json!(step.low),
                    json!(step.high),
                ]
            }));
        }
    }
    analysis.tables.extend([medians, curves]);
}
