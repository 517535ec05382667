//! Comparisons of arms, paired by theorem and seed.
//!
//! Attempts at one theorem are not independent of each other, so theorems are the units: the seeds of a theorem make one
//! number, and intervals and tests are over these numbers. With several comparisons, some p-values are small by chance;
//! they are corrected together (Holm 1979).

use std::collections::BTreeMap;

use andor_analysis::paired;
use andor_artifact::result::{AttemptResult, Outcome as Attempt, Role};
use andor_core::choice;
use andor_report::analyze::Cost;
use andor_run::estimate;
use andor_run::folder::RunFolder;
use serde::Serialize;

use super::declaration::{Comparison, Expectation, Quantity};

choice! {
    /// What a comparison shows.
    Finding {
        /// The arms differ as expected.
        AsExpected = "as expected",
        /// They differ the other way.
        Opposite = "the opposite",
        /// They differ, and nothing was expected.
        Differs = "they differ",
        /// The difference may be chance.
        MayBeChance = "may be chance",
        /// There is nothing to compare.
        Nothing = "no data",
    }
}

/// What came of a comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Outcome {
    /// The arm in question.
    pub arm: String,
    /// The arm it is compared with.
    pub with: String,
    /// What is compared.
    pub measure: &'static str,
    /// What was expected.
    pub expected: Option<&'static str>,
    /// Number of theorems.
    pub theorems: usize,
    /// The mean difference of shares for `solved`, the geometric mean of ratios for costs; `None` without theorems.
    pub value: Option<f64>,
    /// The lower end of its 95 % bootstrap interval over theorems.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The p-value of Wilcoxon's signed-rank test over theorems; 1 if no theorem differs.
    pub p_value: Option<f64>,
    /// The p-value after Holm's correction over all comparisons of the study.
    pub corrected: Option<f64>,
    /// What this means.
    #[serde(serialize_with = "name")]
    pub finding: Finding,
}

fn name<S: serde::Serializer>(finding: &Finding, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(finding.name())
}

/// The attempts of an arm that count, by theorem and number.
pub struct Attempts<'r>(BTreeMap<&'r str, BTreeMap<u32, &'r AttemptResult>>);

impl<'r> Attempts<'r> {
    /// Those of a run.
    pub fn of(run: &'r RunFolder) -> Self {
        let mut attempts: BTreeMap<&str, BTreeMap<u32, &AttemptResult>> = BTreeMap::new();
        let counts = |result: &&AttemptResult| {
            result.role == Role::Configured
                && matches!(result.outcome, Attempt::Accepted | Attempt::NotProved)
        };
        for result in run.results.iter().filter(counts) {
            attempts.entry(&result.theorem).or_default().insert(result.attempt, result);
        }
        Self(attempts)
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &'r AttemptResult> {
        self.0.values().flat_map(|attempts| attempts.values().copied())
    }

    /// For each theorem, the share that found a proof.
    pub fn solve_rates(&self) -> Vec<f64> {
        let solved = |a: &BTreeMap<u32, &AttemptResult>| a.values().filter(|a| is_solved(a)).count() as f64;
        self.0.values().map(|attempts| solved(attempts) / attempts.len() as f64).collect()
    }

    /// For each theorem the mean of `of` over the seeds that both arms attempted; `of` may leave seeds out.
    fn differences(
        &self,
        with: &Self,
        of: impl Fn(&AttemptResult, &AttemptResult) -> Option<f64>,
    ) -> Vec<f64> {
        let of_theorem = |(theorem, attempts): (&&str, &BTreeMap<u32, &AttemptResult>)| {
            let others = with.0.get(theorem)?;
            let pairs = attempts.iter().filter_map(|(seed, mine)| of(mine, others.get(seed)?));
            let values: Vec<f64> = pairs.collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        self.0.iter().filter_map(of_theorem).collect()
    }
}

fn is_solved(attempt: &AttemptResult) -> bool {
    attempt.outcome == Attempt::Accepted
}

/// Number of bootstrap resamples.
const RESAMPLES: usize = 2_000;

/// Makes all comparisons of a study. `attempts` are those of an arm.
pub fn compare<'r>(
    comparisons: &[Comparison],
    attempts: impl Fn(&str) -> &'r Attempts<'r>,
    seed: u64,
    significance: f64,
) -> Vec<Outcome> {
    let one = |comparison: &Comparison| {
        let (arm, with) = (attempts(&comparison.arm), attempts(&comparison.with));
        let differences = match comparison.measure {
            Quantity::Solved => arm.differences(with, |mine, other| {
                Some(f64::from(u8::from(is_solved(mine))) - f64::from(u8::from(is_solved(other))))
            }),
            Quantity::Cost(cost) => arm.differences(with, |mine, other| ratio(cost, mine, other)),
        };
        tested(comparison, &differences, seed)
    };
    let mut outcomes: Vec<Outcome> = comparisons.iter().map(one).collect();
    correct(&mut outcomes);
    for (outcome, comparison) in outcomes.iter_mut().zip(comparisons) {
        outcome.finding = finding(outcome, comparison, significance);
    }
    outcomes
}

/// The logarithm of the ratio of what a proof cost in two attempts that both found one.
fn ratio(cost: Cost, mine: &AttemptResult, other: &AttemptResult) -> Option<f64> {
    let (mine_cost, other_cost) = (cost.of(mine)?, cost.of(other)?);
    let known = is_solved(mine) && is_solved(other) && mine_cost > 0.0 && other_cost > 0.0;
    known.then(|| (mine_cost / other_cost).ln())
}

fn tested(comparison: &Comparison, differences: &[f64], seed: u64) -> Outcome {
    let shown = |mean: f64| match comparison.measure {
        Quantity::Solved => mean,
        Quantity::Cost(_) => mean.exp(),
    };
    let mean = |sum: f64, n: usize| shown(sum / n as f64);
    let n = differences.len();
    let (low, high) = estimate::bootstrap(n, RESAMPLES, seed, |drawn| {
        Some(mean(drawn.iter().map(|&i| differences[i]).sum(), drawn.len()))
    });
    Outcome {
        arm: comparison.arm.clone(),
        with: comparison.with.clone(),
        measure: comparison.measure.name(),
        expected: comparison.expect.map(Expectation::name),
        theorems: n,
        value: (n > 0).then(|| mean(differences.iter().sum(), n)),
        low,
        high,
        p_value: paired::p_value(differences),
        corrected: None,
        finding: Finding::Nothing,
    }
}

/// Holm's correction: the k-th smallest of m p-values is multiplied by m − k + 1, and is at least its predecessor.
fn correct(outcomes: &mut [Outcome]) {
    let mut order: Vec<usize> = (0..outcomes.len()).filter(|&at| outcomes[at].p_value.is_some()).collect();
    order.sort_by(|&x, &y| outcomes[x].p_value.unwrap_or(1.0).total_cmp(&outcomes[y].p_value.unwrap_or(1.0)));
    let (m, mut least) = (order.len(), 0.0f64);
    for (k, at) in order.into_iter().enumerate() {
        let p = outcomes[at].p_value.expect("only those with one are in order");
        least = least.max((p * (m - k) as f64).min(1.0));
        outcomes[at].corrected = Some(least);
    }
}

fn finding(outcome: &Outcome, comparison: &Comparison, significance: f64) -> Finding {
    let (Some(value), Some(p)) = (outcome.value, outcome.corrected) else { return Finding::Nothing };
    if p >= significance {
        return Finding::MayBeChance;
    }
    let is_more = match comparison.measure {
        Quantity::Solved => value > 0.0,
        Quantity::Cost(_) => value > 1.0,
    };
    match comparison.expect {
        None => Finding::Differs,
        Some(Expectation::More) if is_more => Finding::AsExpected,
        Some(Expectation::Less) if !is_more => Finding::AsExpected,
        Some(_) => Finding::Opposite,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(measure: Quantity, expect: Option<Expectation>) -> Comparison {
        Comparison { arm: "b".to_owned(), with: "a".to_owned(), measure, expect }
    }

    fn judged(measure: Quantity, expect: Option<Expectation>, differences: &[f64]) -> Outcome {
        let comparison = comparison(measure, expect);
        let mut outcomes = [tested(&comparison, differences, 1)];
        correct(&mut outcomes);
        let [outcome] = outcomes;
        Outcome { finding: finding(&outcome, &comparison, 0.05), ..outcome }
    }

    #[test]
    fn findings_follow_from_the_test_and_the_expectation() {
        let cost = Quantity::Cost(Cost::Expansions);
        let fewer = [-0.5, -0.7, -0.2, -0.4, -0.6, -0.3, -0.8];
        for (expect, finding) in [
            (None, Finding::Differs),
            (Some(Expectation::Less), Finding::AsExpected),
            (Some(Expectation::More), Finding::Opposite),
        ] {
            assert_eq!(judged(cost, expect, &fewer).finding, finding);
            assert_eq!(judged(Quantity::Solved, expect, &fewer).finding, finding);
        }
        let outcome = judged(cost, None, &fewer);
        assert!((outcome.value.unwrap() - (-0.5f64).exp()).abs() < 1e-12, "{outcome:?}");
        assert!((outcome.p_value.unwrap() - 2.0 / 128.0).abs() < 1e-12, "{outcome:?}");
        assert!(outcome.low < outcome.value && outcome.value < outcome.high, "{outcome:?}");
        assert_eq!(judged(cost, None, &[0.3, -0.3, 0.1]).finding, Finding::MayBeChance);
        assert_eq!(judged(cost, None, &[0.0, 0.0]).p_value, Some(1.0));
        assert_eq!(judged(cost, None, &[]).finding, Finding::Nothing);
    }

    /// The example of `statsmodels.stats.multitest.multipletests` with the method `holm`: 0.01, 0.04, 0.03, 0.005 become
    /// 0.03, 0.06, 0.06, 0.02.
    #[test]
    fn p_values_are_corrected_together() {
        let outcome = |p| Outcome { p_value: p, ..tested(&comparison(Quantity::Solved, None), &[1.0], 0) };
        let mut outcomes = [Some(0.01), Some(0.04), None, Some(0.03), Some(0.005)].map(outcome);
        correct(&mut outcomes);
        let corrected: Vec<Option<f64>> = outcomes.iter().map(|o| o.corrected).collect();
        let expected = [Some(0.03), Some(0.06), None, Some(0.06), Some(0.02)];
        for (corrected, expected) in corrected.iter().zip(expected) {
            assert_eq!(corrected.is_some(), expected.is_some());
            assert!(
                (corrected.unwrap_or_default() - expected.unwrap_or_default()).abs() < 1e-12,
                "{outcomes:?}"
            );
        }
    }
}
