//! Estimates with confidence intervals, for all summaries of several searches.

use andor_artifact::basin::{Estimate, Quartiles};
use andor_core::rng::{Purpose, stream};
use rand::RngExt;

/// The 97.5 % quantile of the standard normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;

/// A share with its 95 % Wilson score interval (Wilson 1927); `None` for an empty sample.
pub fn share(hits: u32, of: u32) -> Option<Estimate> {
    if of == 0 {
        return None;
    }
    let n = f64::from(of);
    let share = f64::from(hits) / n;
    let shrink = 1.0 + Z_95 * Z_95 / n;
    let centre = (share + Z_95 * Z_95 / (2.0 * n)) / shrink;
    let half = Z_95 / shrink * (share * (1.0 - share) / n + (Z_95 / (2.0 * n)).powi(2)).sqrt();
    // At 0 and 1 an end of the interval equals the share, up to rounding.
    let (low, high) = ((centre - half).clamp(0.0, share), (centre + half).clamp(share, 1.0));
    Some(Estimate { value: share, low: Some(low), high: Some(high) })
}

/// A mean with its 95 % interval by the normal approximation; `None` for an empty sample. A single value has no
/// interval.
pub fn mean(values: impl Iterator<Item = f64>) -> Option<Estimate> {
    let values: Vec<f64> = values.collect();
    if values.is_empty() {
        return None;
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = (values.len() > 1).then(|| Z_95 * (variance / n).sqrt());
    Some(Estimate { value: mean, low: half.map(|half| mean - half), high: half.map(|half| mean + half) })
}

/// A sample of the attempts at a theorem that count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sample {
    /// A fixed number of attempts.
    All {
        /// Number of attempts.
        attempts: u32,
        /// Number of successful attempts.
        solved: u32,
    },
    /// Attempts up to the first success.
    UntilSolved {
        /// Number of attempts.
        attempts: u32,
        /// The number of the first successful attempt, from 1.
        first: Option<u32>,
    },
}

/// An unbiased estimate of the probability that at least one of `k` attempts at a theorem succeeds, with a 95 %
/// interval; `None` if the sample is too small.
///
/// For a fixed number of attempts it is `1 − C(n−c, k) / C(n, k)` (Chen et al. 2021, the HumanEval paper), with an
/// interval derived from Wilson's for a single attempt. For attempts up to the first success, at number `T`, it is 1
/// if `T ≤ k` and 0 otherwise, an indicator with the right mean. Its interval is the exact one of the geometric
/// distribution (Clopper and Pearson 1934, 2.5 % in each tail).
pub fn pass_at(k: u32, sample: Sample) -> Option<Estimate> {
    match sample {
        Sample::All { attempts, solved } => {
            if attempts < k {
                return None;
            }
            // The probability that k attempts, drawn from n without replacement, are all among the n − c failures.
            let missed = (0..k).map(|i| {
                let left = (attempts - solved).saturating_sub(i);
                f64::from(left) / f64::from(attempts - i)
            });
            let once = share(solved, attempts)?;
            let of_k = |chance: f64| 1.0 - (1.0 - chance).powf(f64::from(k));
            let value = 1.0 - missed.product::<f64>();
            // Near 0 and 1 the interval may miss the estimate.
            let low = once.low.map(|low| of_k(low).min(value));
            Some(Estimate { value, low, high: once.high.map(|high| of_k(high).max(value)) })
        }
        Sample::UntilSolved { attempts, first } => {
            let value = match first {
                Some(first) => f64::from(u8::from(first <= k)),
                None if attempts < k => return None,
                None => 0.0,
            };
            let k = f64::from(k);
            let low = first.map_or(0.0, |first| 1.0 - (1.0 - TAIL).powf(k / f64::from(first)));
            let failures = first.map_or(attempts, |first| first - 1);
            let high = if failures == 0 { 1.0 } else { 1.0 - TAIL.powf(k / f64::from(failures)) };
            Some(Estimate { value, low: Some(low), high: Some(high) })
        }
    }
}

/// The probability outside a 95 % interval, on each side.
const TAIL: f64 = 0.025;

/// Number of bootstrap resamples.
const RESAMPLES: usize = 2_000;

/// The mean of values in [0, 1], one per theorem, with its 95 % interval: Wilson's if all values are 0 or 1,
/// otherwise the percentile [`bootstrap`] over theorems, seeded with `seed`; `None` for an empty sample. A single
/// value strictly between 0 and 1 has no interval.
pub fn mean_share(values: &[f64], seed: u64) -> Option<Estimate> {
    let ones = values.iter().filter(|&&v| v == 1.0).count();
    if values.iter().all(|&v| v == 0.0 || v == 1.0) {
        let small = |n: usize| u32::try_from(n).expect("a run has fewer than 2^32 theorems");
        return share(small(ones), small(values.len()));
    }
    let mean = |sum: f64| sum / values.len() as f64;
    let value = mean(values.iter().sum());
    let of_drawn = |drawn: &[usize]| Some(mean(drawn.iter().map(|&i| values[i]).sum()));
    let (low, high) = bootstrap(values.len(), RESAMPLES, seed, of_drawn);
    Some(Estimate { value, low, high })
}

/// The 95 % percentile bootstrap interval (Efron 1979) of a statistic of `n` items. The statistic is called with the
/// indices of `n` items drawn with replacement; draws for which it returns `None` are ignored. A single item has no
/// interval.
pub fn bootstrap(
    n: usize,
    resamples: usize,
    seed: u64,
    statistic: impl Fn(&[usize]) -> Option<f64>,
) -> (Option<f64>, Option<f64>) {
    if n < 2 {
        return (None, None);
    }
    let mut rng = stream(seed, Purpose::Bootstrap);
    let mut drawn = vec![0; n];
    let resample = |_| {
        drawn.fill_with(|| rng.random_range(0..n));
        statistic(&drawn)
    };
    let mut values: Vec<f64> = (0..resamples).filter_map(resample).collect();
    values.sort_by(f64::total_cmp);
    (quantile(&values, TAIL), quantile(&values, 1.0 - TAIL))
}

/// The two-sided p-value of McNemar's exact test (McNemar 1947, in its binomial form): the probability of a split at
/// least this unequal of the theorems solved by only one search, if each was equally likely to fall to either.
pub fn mcnemar(only_a: u32, only_b: u32) -> f64 {
    let n = only_a + only_b;
    // Computed in logarithms, because 2^n overflows.
    let mut log_term = -f64::from(n) * std::f64::consts::LN_2;
    let mut tail = log_term.exp();
    for i in 0..only_a.min(only_b) {
        log_term += (f64::from(n - i) / f64::from(i + 1)).ln();
        tail += log_term.exp();
    }
    (2.0 * tail).min(1.0)
}

/// The median and quartiles of some values; `None` if there are none.
pub fn quartiles(values: impl Iterator<Item = f64>) -> Option<Quartiles> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    Some(Quartiles {
        q1: quantile(&values, 0.25)?,
        median: quantile(&values, 0.5)?,
        q3: quantile(&values, 0.75)?,
    })
}

/// The p-quantile by linear interpolation (Hyndman and Fan 1996, type 7); `None` if there are no values or the result
/// is infinite.
pub fn quantile(sorted: &[f64], p: f64) -> Option<f64> {
    let rank = sorted.len().checked_sub(1)? as f64 * p;
    let (below, part) = (sorted[rank.floor() as usize], rank.fract());
    let value = if part > 0.0 { below + part * (sorted[rank.ceil() as usize] - below) } else { below };
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests;
