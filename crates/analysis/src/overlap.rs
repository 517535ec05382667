//! How much two searches have in common, and how a search spreads its visits.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// The weighted Jaccard similarity (Ružička) of two sets of visits: the sum of minima over the sum of maxima, in
/// [0, 1]; `None` if both are empty. With all weights 1 it is Jaccard's.
pub fn jaccard<K: Eq + Hash>(a: &FxHashMap<K, f64>, b: &FxHashMap<K, f64>) -> Option<f64> {
    let weight = |of: &FxHashMap<K, f64>, key: &K| of.get(key).copied().unwrap_or(0.0);
    // The order of a hash map is not defined, and sums of floats depend on it.
    let mut pairs: Vec<(f64, f64)> = a.iter().map(|(key, x)| (*x, weight(b, key))).collect();
    pairs.extend(b.iter().filter(|(key, _)| !a.contains_key(key)).map(|(_, y)| (0.0, *y)));
    pairs.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)));
    let all: f64 = pairs.iter().map(|(x, y)| x.max(*y)).sum();
    (all > 0.0).then(|| pairs.iter().map(|(x, y)| x.min(*y)).sum::<f64>() / all)
}

/// Shannon's entropy of a distribution of counts, in bits: 0 if all visits went to one place, log₂ n if n places got
/// equally many.
pub fn entropy(counts: impl IntoIterator<Item = u64>) -> f64 {
    let mut counts: Vec<u64> = counts.into_iter().filter(|c| *c > 0).collect();
    counts.sort_unstable();
    let total: u64 = counts.iter().sum();
    let shares = counts.iter().map(|&c| c as f64 / total as f64);
    -shares.map(|share| share * share.log2()).sum::<f64>() + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visits(of: &[(&'static str, f64)]) -> FxHashMap<&'static str, f64> {
        of.iter().copied().collect()
    }

    #[test]
    fn overlap_of_visits() {
        let (a, b) = (visits(&[("x", 3.0), ("y", 1.0)]), visits(&[("x", 1.0), ("z", 2.0)]));
        assert_eq!(jaccard(&a, &b), Some(1.0 / 6.0));
        assert_eq!(jaccard(&a, &a), Some(1.0));
        assert_eq!(jaccard(&a, &visits(&[])), Some(0.0));
        assert_eq!(jaccard::<&str>(&visits(&[]), &visits(&[])), None);
    }

    #[test]
    fn entropy_in_bits() {
        assert_eq!(entropy([4, 4, 4, 4]), 2.0);
        assert_eq!(entropy([7, 0]), 0.0);
        assert_eq!(entropy([]), 0.0);
        assert!((entropy([1, 3]) - 0.811_278_124_459).abs() < 1e-12);
    }
}
