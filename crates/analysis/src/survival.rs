//! Time to proof, where some searches ended without one.

use serde::Serialize;

/// A search: what it had spent when it ended, and whether it had found a proof then. A search that ended otherwise is
/// *censored*: it would have needed more.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Observation {
    /// What was spent, in any unit.
    pub spent: f64,
    /// Whether a proof was found.
    pub proved: bool,
}

/// A step of a survival curve.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Step {
    /// What was spent.
    pub spent: f64,
    /// The number of searches that had not ended before.
    pub at_risk: usize,
    /// The number of proofs found at this point.
    pub proved: usize,
    /// The estimated share of searches that need more than this, in [0, 1].
    pub open: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: f64,
}

/// The 97.5 % quantile of the standard normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;

/// The curve of Kaplan and Meier (1958): one step for each amount at which a proof was found. Intervals are Greenwood's
/// on the scale of log(−log).
pub fn curve(searches: &[Observation]) -> Vec<Step> {
    let mut sorted = searches.to_vec();
    // A search that was stopped at an amount was still open when others were proved at it.
    sorted.sort_by(|a, b| a.spent.total_cmp(&b.spent).then(b.proved.cmp(&a.proved)));
    let (mut open, mut variance, mut at_risk) = (1.0, 0.0, sorted.len());
    let mut steps = Vec::new();
    for together in sorted.chunk_by(|a, b| a.spent == b.spent) {
        let proved = together.iter().filter(|s| s.proved).count();
        if proved > 0 {
            let (n, d) = (at_risk as f64, proved as f64);
            open *= 1.0 - d / n;
            variance += d / (n * (n - d));
            let (low, high) = interval(open, variance);
            steps.push(Step { spent: together[0].spent, at_risk, proved, open, low, high });
        }
        at_risk -= together.len();
    }
    steps
}

fn interval(open: f64, variance: f64) -> (f64, f64) {
    if open <= 0.0 || open >= 1.0 {
        return (open, open);
    }
    let half = Z_95 * variance.sqrt() / open.ln();
    (open.powf((-half).exp()).min(open), open.powf(half.exp()).max(open))
}

/// The amount by which half of the searches have found a proof; `None` if that many never do.
pub fn median(curve: &[Step]) -> Option<f64> {
    curve.iter().find(|step| step.open <= 0.5).map(|step| step.spent)
}

/// The log-rank test (Mantel 1966): the two-sided p-value of the difference of two groups, from the χ² distribution
/// with one degree of freedom; `None` if neither group has a proof that the other could have had.
pub fn log_rank(a: &[Observation], b: &[Observation]) -> Option<f64> {
    let mut all: Vec<(Observation, bool)> =
        a.iter().map(|s| (*s, true)).chain(b.iter().map(|s| (*s, false))).collect();
    all.sort_by(|(x, _), (y, _)| x.spent.total_cmp(&y.spent));
    let (mut in_a, mut in_all) = (a.len() as f64, all.len() as f64);
    let (mut excess, mut variance) = (0.0, 0.0);
    for together in all.chunk_by(|(x, _), (y, _)| x.spent == y.spent) {
        let proved =
            |which: bool| together.iter().filter(|(s, of_a)| s.proved && (*of_a || !which)).count() as f64;
        let (of_a, d) = (proved(true), proved(false));
        if d > 0.0 {
            let share = in_a / in_all;
            excess += of_a - d * share;
            if in_all > 1.0 {
                variance += d * share * (1.0 - share) * (in_all - d) / (in_all - 1.0);
            }
        }
        in_a -= together.iter().filter(|(_, of_a)| *of_a).count() as f64;
        in_all -= together.len() as f64;
    }
    (variance > 0.0).then(|| libm::erfc((excess * excess / variance / 2.0).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Remission of leukaemia in weeks (Freireich et al. 1963), the standard example; + is censored.
    const TREATED: [(f64, bool); 21] = [
        (6.0, true),
        (6.0, true),
        (6.0, true),
        (6.0, false),
        (7.0, true),
        (9.0, false),
        (10.0, true),
        (10.0, false),
        (11.0, false),
        (13.0, true),
        (16.0, true),
        (17.0, false),
        (19.0, false),
        (20.0, false),
        (22.0, true),
        (23.0, true),
        (25.0, false),
        (32.0, false),
        (32.0, false),
        (34.0, false),
        (35.0, false),
    ];
    const PLACEBO: [f64; 21] = [
        1.0, 1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 5.0, 5.0, 8.0, 8.0, 8.0, 8.0, 11.0, 11.0, 12.0, 12.0, 15.0, 17.0,
        22.0, 23.0,
    ];

    fn treated() -> Vec<Observation> {
        TREATED.iter().map(|&(spent, proved)| Observation { spent, proved }).collect()
    }

    fn placebo() -> Vec<Observation> {
        PLACEBO.iter().map(|&spent| Observation { spent, proved: true }).collect()
    }

    #[test]
    fn the_standard_example() {
        let steps = curve(&treated());
        let open: Vec<f64> = steps.iter().map(|s| (s.open * 1e4).round() / 1e4).collect();
        // Table 2.1 of Cox and Oakes, Analysis of Survival Data (1984).
        assert_eq!(open, [0.8571, 0.8067, 0.7529, 0.6902, 0.6275, 0.5378, 0.4482]);
        assert_eq!(steps.iter().map(|s| s.at_risk).collect::<Vec<_>>(), [21, 17, 15, 12, 11, 7, 6]);
        assert_eq!(median(&steps), Some(23.0));
        assert_eq!(median(&curve(&placebo())), Some(8.0));
        assert!(steps.iter().all(|s| s.low <= s.open && s.open <= s.high));
        // The same interval as R's survfit(conf.type = "log-log") at 6 weeks.
        assert!(
            (steps[0].low - 0.6197).abs() < 1e-4 && (steps[0].high - 0.9516).abs() < 1e-4,
            "{:?}",
            steps[0]
        );
    }

    #[test]
    fn the_standard_test() {
        // χ² = 16.79 on one degree of freedom, p = 0.0000417 (R's survdiff).
        let p = log_rank(&treated(), &placebo()).unwrap();
        assert!((p - 4.17e-5).abs() < 1e-6, "{p}");
        let same = log_rank(&treated(), &treated()).unwrap();
        assert!((same - 1.0).abs() < 1e-9, "{same}");
    }

    #[test]
    fn without_proofs_there_is_no_test() {
        let stopped = [Observation { spent: 3.0, proved: false }];
        assert_eq!(log_rank(&stopped, &stopped), None);
        assert_eq!(curve(&stopped), []);
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn all_proved_at_once() {
        let steps = curve(&[Observation { spent: 1.0, proved: true }; 3]);
        assert_eq!(steps.len(), 1);
        assert_eq!((steps[0].open, steps[0].low, steps[0].high), (0.0, 0.0, 0.0));
    }
}
