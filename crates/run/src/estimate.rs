//! Estimates with their intervals, wherever several searches are summed up.

use andor_artifact::basin::{Estimate, Quartiles};
use andor_core::rng::{Purpose, stream};
use rand::RngExt;

/// The 97.5 % quantile of the standard normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;

/// A share with its 95 % interval by Wilson's score (Wilson 1927); `None` of nothing.
pub fn share(hits: u32, of: u32) -> Option<Estimate> {
    if of == 0 {
        return None;
    }
    let n = f64::from(of);
    let share = f64::from(hits) / n;
    let shrink = 1.0 + Z_95 * Z_95 / n;
    let centre = (share + Z_95 * Z_95 / (2.0 * n)) / shrink;
    let half = Z_95 / shrink * (share * (1.0 - share) / n + (Z_95 / (2.0 * n)).powi(2)).sqrt();
    // At 0 and 1 an end of the interval is the share itself, but for rounding.
    let (low, high) = ((centre - half).clamp(0.0, share), (centre + half).clamp(share, 1.0));
    Some(Estimate { value: share, low: Some(low), high: Some(high) })
}

/// A mean with its 95 % interval by the normal approximation; `None` of nothing. A single value has no interval.
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

/// How the attempts at a theorem were made, and what came of those that count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sample {
    /// This many, whatever came of them.
    All {
        /// How many.
        attempts: u32,
        /// Those that succeeded.
        solved: u32,
    },
    /// One after the other, up to the first success.
    UntilSolved {
        /// How many.
        attempts: u32,
        /// Which of them was the first success, counted from 1.
        first: Option<u32>,
    },
}

/// The chance that one of `k` attempts at a theorem succeeds, estimated without bias from a sample of independent attempts,
/// with a 95 % interval; `None` when the sample is too small to tell.
///
/// From attempts made whatever came of them it is `1 − C(n−c, k) / C(n, k)` (Chen et al. 2021, the paper on HumanEval),
/// and its interval follows from Wilson's for a single attempt. From attempts up to the first success, `T`, it is 1 or 0,
/// as `T ≤ k` or not: that indicator has the mean sought. Its interval is the exact one of the geometric distribution
/// (as of Clopper and Pearson 1934, a 40th in each tail).
pub fn pass_at(k: u32, sample: Sample) -> Option<Estimate> {
    match sample {
        Sample::All { attempts, solved } => {
            if attempts < k {
                return None;
            }
            // The chance that k drawn from n without replacement are all among the n − c.
            let missed = (0..k).map(|i| {
                let left = (attempts - solved).saturating_sub(i);
                f64::from(left) / f64::from(attempts - i)
            });
            let once = share(solved, attempts)?;
            let of_k = |chance: f64| 1.0 - (1.0 - chance).powf(f64::from(k));
            let value = 1.0 - missed.product::<f64>();
            // Near 0 and 1 the interval need not contain the estimate by itself.
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

/// What a 95 % interval leaves out on each side.
const TAIL: f64 = 0.025;

/// How often values are drawn anew.
const RESAMPLES: usize = 2_000;

/// The mean of values between 0 and 1, one for each theorem, with its 95 % interval: Wilson's where all are 0 or 1, else the
/// percentile [`bootstrap`] over theorems, drawn from `seed`; `None` of nothing. A single value that is neither has
/// no interval.
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

/// The ends of the 95 % percentile bootstrap interval of a statistic of `n` items (Efron 1979), which is given the positions of
/// `n` of them, drawn with replacement. Draws of which it is `None` do not count. A single item has no interval.
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

/// The p-value of McNemar's exact test, two-sided: how likely so unequal a division of the theorems that one search alone
/// solved is when each is as likely to be the one's as the other's (McNemar 1947; the binomial form, as there are few).
pub fn mcnemar(only_a: u32, only_b: u32) -> f64 {
    let n = only_a + only_b;
    // Logarithms, because 2^n is beyond the range of numbers.
    let mut log_term = -f64::from(n) * std::f64::consts::LN_2;
    let mut tail = log_term.exp();
    for i in 0..only_a.min(only_b) {
        log_term += (f64::from(n - i) / f64::from(i + 1)).ln();
        tail += log_term.exp();
    }
    (2.0 * tail).min(1.0)
}

/// The middle of some values, and the range of their middle half; `None` of nothing.
pub fn quartiles(values: impl Iterator<Item = f64>) -> Option<Quartiles> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    Some(Quartiles {
        q1: quantile(&values, 0.25)?,
        median: quantile(&values, 0.5)?,
        q3: quantile(&values, 0.75)?,
    })
}

/// The value at rank `(n - 1) · p` from 0, by linear interpolation between its neighbours (Hyndman and Fan 1996,
/// type 7); `None` without values or when it is infinite.
pub fn quantile(sorted: &[f64], p: f64) -> Option<f64> {
    let rank = sorted.len().checked_sub(1)? as f64 * p;
    let (below, part) = (sorted[rank.floor() as usize], rank.fract());
    let value = if part > 0.0 { below + part * (sorted[rank.ceil() as usize] - below) } else { below };
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests;
