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
    /// The lower end of its 95 % interval; `None` at the end, where every search has found a proof.
    pub low: Option<f64>,
    /// The upper end of its 95 % interval.
    pub high: Option<f64>,
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
            let (low, high) = interval(open, variance).unzip();
            steps.push(Step { spent: together[0].spent, at_risk, proved, open, low, high });
        }
        at_risk -= together.len();
    }
    steps
}

fn interval(open: f64, variance: f64) -> Option<(f64, f64)> {
    let half = Z_95 * variance.sqrt() / open.ln();
    (open > 0.0).then(|| (open.powf((-half).exp()).min(open), open.powf(half.exp()).max(open)))
}

/// The amount by which half of the searches have found a proof; `None` if that many never do.
pub fn median(curve: &[Step]) -> Option<f64> {
    curve.iter().find(|step| step.open <= 0.5).map(|step| step.spent)
}

/// The score of the log-rank test (Mantel 1966): how many proofs `b` found more than it should have if both groups were equally
/// quick. A search that ended without a proof counts as long as it went on.
pub fn log_rank_score(a: &[Observation], b: &[Observation]) -> f64 {
    let mut all: Vec<(Observation, bool)> =
        a.iter().map(|s| (*s, false)).chain(b.iter().map(|s| (*s, true))).collect();
    all.sort_by(|(x, _), (y, _)| x.spent.total_cmp(&y.spent));
    let (mut in_b, mut in_all) = (b.len() as f64, all.len() as f64);
    let mut excess = 0.0;
    for together in all.chunk_by(|(x, _), (y, _)| x.spent == y.spent) {
        let proved = together.iter().filter(|(s, _)| s.proved).count() as f64;
        let of_b = together.iter().filter(|(s, of_b)| s.proved && *of_b).count() as f64;
        excess += of_b - proved * in_b / in_all;
        in_b -= together.iter().filter(|(_, of_b)| *of_b).count() as f64;
        in_all -= together.len() as f64;
    }
    excess
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
        assert!(steps.iter().all(|s| s.low <= Some(s.open) && Some(s.open) <= s.high));
        // The same interval as R's survfit(conf.type = "log-log") at 6 weeks.
        let (low, high) = (steps[0].low.unwrap(), steps[0].high.unwrap());
        assert!((low - 0.6197).abs() < 1e-4 && (high - 0.9516).abs() < 1e-4, "{:?}", steps[0]);
    }

    #[test]
    fn the_standard_score() {
        // R's survdiff: 21 observed, 10.75 expected.
        let score = log_rank_score(&treated(), &placebo());
        assert!((score - 10.2505).abs() < 1e-4, "{score}");
        assert!((score + log_rank_score(&placebo(), &treated())).abs() < 1e-9);
        assert!(log_rank_score(&treated(), &treated()).abs() < 1e-9);
    }

    #[test]
    fn the_score_of_two_searches_is_who_proved_first() {
        let search = |spent, proved| Observation { spent, proved };
        for (a, b, score) in [
            (search(3.0, true), search(5.0, true), -0.5),
            (search(5.0, true), search(3.0, true), 0.5),
            (search(3.0, true), search(3.0, true), 0.0),
            (search(5.0, false), search(3.0, true), 0.5),
            // It ended before the other had found its proof.
            (search(2.0, false), search(3.0, true), 0.0),
            (search(2.0, false), search(2.0, false), 0.0),
        ] {
            assert_eq!(log_rank_score(&[a], &[b]), score, "{a:?} {b:?}");
        }
    }

    #[test]
    fn without_proofs_there_is_no_curve() {
        let stopped = [Observation { spent: 3.0, proved: false }];
        assert_eq!(curve(&stopped), []);
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn all_proved_at_once() {
        let steps = curve(&[Observation { spent: 1.0, proved: true }; 3]);
        assert_eq!(steps.len(), 1);
        assert_eq!((steps[0].open, steps[0].low, steps[0].high), (0.0, None, None));
    }
}
