//! Tests on pairs: the same theorem under two configurations.

use serde::Serialize;

/// Wilcoxon's signed-rank test (Wilcoxon 1945). Pairs without a difference are left out.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SignedRanks {
    /// Number of pairs that differ.
    pub pairs: usize,
    /// Sum of the ranks of pairs in which the second value is larger.
    pub larger: f64,
    /// Sum of the ranks of pairs in which the second value is smaller.
    pub smaller: f64,
    /// The two-sided p-value: the probability of sums at least this unequal if the sign of each difference is a fair
    /// coin.
    pub p_value: f64,
    /// Whether the p-value is exact. Above [`EXACT`] pairs it comes from the normal approximation.
    pub exact: bool,
}

/// The largest number of pairs whose p-value is computed exactly, also with ties.
pub const EXACT: usize = 200;

/// The signed-rank test on the differences `b − a` of some pairs; `None` if no pair differs. Equal differences get the
/// mean of their ranks.
pub fn signed_ranks(pairs: &[(f64, f64)]) -> Option<SignedRanks> {
    let mut differences: Vec<f64> = pairs.iter().map(|(a, b)| b - a).filter(|d| *d != 0.0).collect();
    if differences.is_empty() {
        return None;
    }
    differences.sort_by(|x, y| x.abs().total_cmp(&y.abs()));
    let doubled = doubled_ranks(&differences);
    let total: usize = doubled.iter().sum();
    let larger: usize =
        differences.iter().zip(&doubled).filter(|(d, _)| **d > 0.0).map(|(_, rank)| rank).sum();
    let exact = differences.len() <= EXACT;
    let p_value =
        if exact { exact_tail(&doubled, larger.min(total - larger)) } else { normal_tail(&doubled, larger) };
    Some(SignedRanks {
        pairs: differences.len(),
        larger: larger as f64 / 2.0,
        smaller: (total - larger) as f64 / 2.0,
        p_value,
        exact,
    })
}

/// The p-value of the signed-rank test on some differences: 1 if they are all 0, `None` if there are none.
pub fn p_value(differences: &[f64]) -> Option<f64> {
    let pairs: Vec<(f64, f64)> = differences.iter().map(|d| (0.0, *d)).collect();
    (!pairs.is_empty()).then(|| signed_ranks(&pairs).map_or(1.0, |test| test.p_value))
}

/// Twice the rank of each difference, from 1, so that the mean rank of ties is a whole number.
fn doubled_ranks(sorted: &[f64]) -> Vec<usize> {
    let mut ranks = Vec::with_capacity(sorted.len());
    for ties in sorted.chunk_by(|x, y| x.abs() == y.abs()) {
        let first = ranks.len() + 1;
        ranks.extend(std::iter::repeat_n(2 * first + ties.len() - 1, ties.len()));
    }
    ranks
}

/// Twice the probability that the ranks whose coin shows heads sum to at most `sum`.
fn exact_tail(ranks: &[usize], sum: usize) -> f64 {
    // chance[s]: the probability that the heads among the ranks so far sum to s.
    let mut chance = vec![0.0; ranks.iter().sum::<usize>() + 1];
    chance[0] = 1.0;
    let mut most = 0;
    for &rank in ranks {
        most += rank;
        for s in (0..=most).rev() {
            let with = if s >= rank { chance[s - rank] } else { 0.0 };
            chance[s] = 0.5 * (chance[s] + with);
        }
    }
    (2.0 * chance[..=sum].iter().sum::<f64>()).min(1.0)
}

/// The two-sided p-value by the normal approximation, whose variance, a quarter of the sum of squared ranks, accounts
/// for ties.
fn normal_tail(ranks: &[usize], larger: usize) -> f64 {
    let mean = ranks.iter().sum::<usize>() as f64 / 2.0;
    let variance = ranks.iter().map(|&rank| (rank as f64).powi(2)).sum::<f64>() / 4.0;
    let z = (larger as f64 - mean).abs() / variance.sqrt();
    libm::erfc(z / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The example in Wilcoxon's tables as scipy's documentation has it: `scipy.stats.wilcoxon(d)` with
    /// `d = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]`, Darwin's maize.
    #[test]
    fn darwins_maize() {
        let d = [6.0, 8.0, 14.0, 16.0, 23.0, 24.0, 28.0, 29.0, 41.0, -48.0, 49.0, 56.0, 60.0, -67.0, 75.0];
        let pairs: Vec<(f64, f64)> = d.iter().map(|d| (0.0, *d)).collect();
        let test = signed_ranks(&pairs).unwrap();
        assert_eq!((test.larger, test.smaller, test.pairs, test.exact), (96.0, 24.0, 15, true));
        assert!((test.p_value - 0.041_259_765_625).abs() < 1e-12, "{test:?}");
    }

    #[test]
    fn pairs_that_are_equal_say_nothing() {
        assert_eq!(signed_ranks(&[(1.0, 1.0), (2.0, 2.0)]), None);
        assert_eq!(signed_ranks(&[]), None);
        assert_eq!((p_value(&[0.0, 0.0]), p_value(&[])), (Some(1.0), None));
    }

    #[test]
    fn the_approximation_agrees_with_the_exact_value() {
        let ranks: Vec<usize> = (1..=EXACT).map(|rank| 2 * rank).collect();
        let total: usize = ranks.iter().sum();
        for larger in [total / 2, total * 45 / 100, total * 44 / 100] {
            let (exact, normal) = (exact_tail(&ranks, larger), normal_tail(&ranks, larger));
            assert!((exact - normal).abs() < 4e-3, "{exact} {normal}");
        }
    }

    proptest! {
        #[test]
        fn the_exact_tail_is_that_of_all_signs(values in prop::collection::vec(-4i32..=4, 1..11)) {
            let pairs: Vec<(f64, f64)> = values.iter().map(|v| (0.0, f64::from(*v))).collect();
            let signed: Vec<f64> = values.iter().filter(|v| **v != 0).map(|v| f64::from(*v)).collect();
            let test = signed_ranks(&pairs);
            prop_assert_eq!(test.is_none(), signed.is_empty());
            if let Some(test) = test {
                let mean_rank = |x: f64| {
                    let below = signed.iter().filter(|y| y.abs() < x.abs()).count() as f64;
                    let ties = signed.iter().filter(|y| y.abs() == x.abs()).count() as f64;
                    below + (ties + 1.0) / 2.0
                };
                let ranks: Vec<f64> = signed.iter().map(|x| mean_rank(*x)).collect();
                let extreme = test.larger.min(test.smaller);
                let all = 1u32 << ranks.len();
                let low = (0..all).filter(|signs| {
                    let sum: f64 = ranks.iter().enumerate().filter(|(i, _)| signs >> i & 1 == 1).map(|(_, r)| r).sum();
                    sum <= extreme
                });
                let expected = (2.0 * low.count() as f64 / f64::from(all)).min(1.0);
                prop_assert!((test.p_value - expected).abs() < 1e-12);
            }
        }
    }
}
