//! What theorems cost: paired comparisons, and survival curves of the cost of a proof.

use std::collections::BTreeMap;

use andor_analysis::paired;
use andor_analysis::survival::{self, Observation};
use andor_artifact::result::{AttemptResult, Outcome};
use andor_run::basin::counts;
use andor_run::estimate;
use serde_json::json;

use super::{Analysis, Cost, Request, Subject, Table};
use crate::summary::TheoremSummary;

impl Cost {
    /// What an attempt spent of it; `None` for virtual time under the wall clock.
    pub fn of(self, attempt: &AttemptResult) -> Option<f64> {
        let spent = &attempt.spent;
        Some(match self {
            Self::Iterations => spent.iterations as f64,
            Self::Expansions => spent.expansions as f64,
            Self::Candidates => spent.candidates as f64,
            Self::Tokens => spent.model.prompt_tokens.saturating_add(spent.model.completion_tokens) as f64,
            Self::Seconds => attempt.timing.total_ms / 1e3,
            Self::VirtualSeconds => attempt.virtual_ms? / 1e3,
        })
    }
}

/// What searches for a proof of a theorem spent until they found one, or in all. Where a run makes one attempt for each seed, each
/// is a search, by its number; otherwise the attempts up to the first accepted one are a single search, with the number 1.
fn searches(subject: &Subject<'_>, theorem: &TheoremSummary<'_>, cost: Cost) -> BTreeMap<u32, Observation> {
    let attempts = theorem.results.iter().filter(|attempt| counts(attempt));
    let each = attempts.filter_map(|attempt| {
        let proved = attempt.outcome == Outcome::Accepted;
        Some((attempt.attempt, Observation { spent: cost.of(attempt)?, proved }))
    });
    if subject.folder.config.basin.seeds.is_some() {
        return each.collect();
    }
    let mut whole: Option<Observation> = None;
    for (_, attempt) in each {
        let spent = whole.map_or(0.0, |before| before.spent) + attempt.spent;
        whole = Some(Observation { spent, ..attempt });
        if attempt.proved {
            break;
        }
    }
    whole.map(|search| (1, search)).into_iter().collect()
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
        about: "What a theorem costs that both runs prove: the geometric mean over the seeds under which both do.",
        columns: &["theorem", "a", "b", "cost", "of_a", "of_b"],
        rows: Vec::new(),
    };
    let mut solved = Table {
        name: "solved",
        about: "Which theorems the runs prove, with McNemar's exact test.",
        columns: &["a", "b", "stratum", "theorems", "both", "only_a", "only_b", "neither", "p_value"],
        rows: Vec::new(),
    };
    let Some((a, others)) = subjects.split_first() else { return };
    for b in others {
        for stratum in strata(a) {
            solved.rows.push(proved_sets(a, b, stratum.as_deref()));
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
                    json!(paired::p_value(&logs)),
                ]);
            }
        }
    }
    analysis.tables.extend([solved, table, each]);
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

/// The theorems of a stratum that both runs have.
fn common<'a, 'b>(
    a: &'a Subject<'a>,
    b: &'b Subject<'b>,
    stratum: Option<&str>,
) -> impl Iterator<Item = (&'a TheoremSummary<'a>, &'b TheoremSummary<'b>)> {
    let split = |theorem: &TheoremSummary<'_>| {
        let problem = a.folder.problems.iter().find(|problem| problem.theorem.id.as_str() == theorem.theorem);
        problem.and_then(|problem| problem.split())
    };
    let of_a =
        a.summary.theorems.iter().filter(move |theorem| stratum.is_none() || split(theorem) == stratum);
    of_a.filter_map(|theorem| Some((theorem, b.theorem(theorem.theorem)?)))
}

/// A row about which theorems each run proves. Theorems at which a run has no attempt that counts are left out.
fn proved_sets(a: &Subject<'_>, b: &Subject<'_>, stratum: Option<&str>) -> Vec<serde_json::Value> {
    let (mut both, mut only_a, mut only_b, mut neither) = (0, 0, 0, 0);
    for (a, b) in common(a, b, stratum).filter(|(a, b)| a.attempts > 0 && b.attempts > 0) {
        *match (a.solved > 0, b.solved > 0) {
            (true, true) => &mut both,
            (true, false) => &mut only_a,
            (false, true) => &mut only_b,
            (false, false) => &mut neither,
        } += 1;
    }
    let mut row = vec![json!(a.name), json!(b.name), json!(stratum.unwrap_or("all"))];
    row.extend([both + only_a + only_b + neither, both, only_a, only_b, neither].map(|n| json!(n)));
    row.push(json!(estimate::mcnemar(only_a, only_b)));
    row
}

/// The costs of the theorems that both runs prove, with their ids.
fn pairs<'a>(
    a: &'a Subject<'a>,
    b: &Subject<'_>,
    stratum: Option<&str>,
    cost: Cost,
) -> Vec<(&'a str, (f64, f64))> {
    let of_theorem = |(of_a, of_b): (&'a TheoremSummary<'a>, &TheoremSummary<'_>)| {
        let (mine, others) = (searches(a, of_a, cost), searches(b, of_b, cost));
        let proved = mine.iter().filter_map(|(number, search)| Some((search, others.get(number)?)));
        let (x, y): (Vec<f64>, Vec<f64>) =
            proved.filter(|(x, y)| x.proved && y.proved).map(|(x, y)| (x.spent, y.spent)).unzip();
        Some((of_a.theorem, (geometric_mean(&x)?, geometric_mean(&y)?)))
    };
    common(a, b, stratum).filter_map(of_theorem).collect()
}

/// Of a single value, this to the last bit.
fn geometric_mean(values: &[f64]) -> Option<f64> {
    match values {
        [] => None,
        [value] => Some(*value),
        _ => Some((values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()),
    }
}

/// Survival curves of each run, their medians, and tests against the first run.
pub(super) fn survival(subjects: &[Subject<'_>], analysis: &mut Analysis) {
    let mut medians = Table {
        name: "survival",
        about: "What half of the searches cost until a proof, if those without one count as needing more.",
        columns: &["run", "cost", "theorems", "searches", "proved", "median", "common", "p_value"],
        rows: Vec::new(),
    };
    let mut curves = Table {
        name: "survival_curves",
        about: "The share of searches that have no proof yet after a cost.",
        columns: &["run", "cost", "spent", "at_risk", "proved", "open", "low", "high"],
        rows: Vec::new(),
    };
    for cost in [Cost::Iterations, Cost::Candidates, Cost::Seconds, Cost::VirtualSeconds] {
        for subject in subjects {
            // Copies stay, so that all theorems weigh the same.
            let of_theorem =
                |theorem| searches(subject, theorem, cost).into_values().collect::<Vec<Observation>>();
            let by_theorem: Vec<Vec<Observation>> =
                subject.summary.theorems.iter().map(of_theorem).filter(|of| !of.is_empty()).collect();
            let searches = by_theorem.concat();
            if searches.is_empty() {
                continue;
            }
            let curve = survival::curve(&searches);
            let scores = match subjects.first() {
                Some(first) if !std::ptr::eq(first, subject) => scores(first, subject, cost),
                _ => Vec::new(),
            };
            medians.rows.push(vec![
                json!(subject.name),
                json!(cost.name()),
                json!(by_theorem.len()),
                json!(searches.len()),
                json!(searches.iter().filter(|search| search.proved).count()),
                json!(survival::median(&curve)),
                json!((!scores.is_empty()).then_some(scores.len())),
                json!(paired::p_value(&scores)),
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

/// For each theorem that both runs searched, how much earlier `b` has its proofs. The theorems are paired, and the searches of one
/// theorem are no independent observations, so a theorem is a stratum of its own.
fn scores(a: &Subject<'_>, b: &Subject<'_>, cost: Cost) -> Vec<f64> {
    let of_theorem = |(of_a, of_b): (&TheoremSummary<'_>, &TheoremSummary<'_>)| {
        let (mut mine, mut others) = (searches(a, of_a, cost), searches(b, of_b, cost));
        mine.retain(|number, _| others.contains_key(number));
        others.retain(|number, _| mine.contains_key(number));
        let (mine, others): (Vec<_>, Vec<_>) = (mine.into_values().collect(), others.into_values().collect());
        (!mine.is_empty()).then(|| survival::log_rank_score(&mine, &others))
    };
    common(a, b, None).filter_map(of_theorem).collect()
}
