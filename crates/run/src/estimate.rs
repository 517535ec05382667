//! Estimates with their intervals, wherever several searches are summed up.

use andor_artifact::basin::{Estimate, Quartiles};

/// The 97.5 % quantile of the standard normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;

/// A share with its 95 % interval by Wilson's score (Wilson 1927); `None` of nothing.
pub(crate) fn share(hits: u32, of: u32) -> Option<Estimate> {
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
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> Option<Estimate> {
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

/// The middle of some values, and the range of their middle half; `None` of nothing.
pub(crate) fn quartiles(values: impl Iterator<Item = f64>) -> Option<Quartiles> {
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
pub(crate) fn quantile(sorted: &[f64], p: f64) -> Option<f64> {
    let rank = sorted.len().checked_sub(1)? as f64 * p;
    let (below, part) = (sorted[rank.floor() as usize], rank.fract());
    let value = if part > 0.0 { below + part * (sorted[rank.ceil() as usize] - below) } else { below };
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_intervals_are_those_of_the_books() {
        // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        for (hits, of, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let share = share(hits, of).unwrap();
            let ends = (share.low.unwrap(), share.high.unwrap());
            assert!((ends.0 - low).abs() < 5e-5 && (ends.1 - high).abs() < 5e-5, "{hits}/{of}: {ends:?}");
        }
        let all = share(10, 10).unwrap();
        assert_eq!((all.value, all.high), (1.0, Some(1.0)));
        assert_eq!(share(0, 0), None);
    }

    #[test]
    fn means_and_quartiles() {
        let of_three = mean([1.0, 2.0, 3.0].into_iter()).unwrap();
        let high = of_three.high.unwrap();
        assert!((of_three.value - 2.0).abs() < 1e-12 && (high - 2.0 - Z_95 / 3f64.sqrt()).abs() < 1e-12);
        assert_eq!(mean([5.0].into_iter()), Some(Estimate { value: 5.0, low: None, high: None }));
        assert_eq!(mean(std::iter::empty()), None);
        let of_four = quartiles([4.0, 1.0, 3.0, 2.0].into_iter()).unwrap();
        assert_eq!(of_four, Quartiles { q1: 1.75, median: 2.5, q3: 3.25 });
        assert_eq!(quartiles(std::iter::empty()), None);
    }
}
