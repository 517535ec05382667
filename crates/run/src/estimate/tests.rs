use andor_core::rng::Rng;
use proptest::prelude::*;
use rand::SeedableRng;

use super::*;

#[test]
fn wilson_intervals_are_those_of_the_books() {
    // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for (hits, of, low, high) in
        [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
    {
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

/// The value of an estimate that there must be.
fn value(k: u32, sample: Sample) -> f64 {
    pass_at(k, sample).expect("the sample is large enough").value
}

#[test]
fn pass_at_k_counts_the_choices_of_k_attempts_with_a_success() {
    for attempts in 1..=7u32 {
        for solved in 0..=attempts {
            for k in 1..=attempts {
                // Attempts are bits; those that succeeded come first.
                let successes = (1u32 << solved) - 1;
                let choices: Vec<u32> = (0..1u32 << attempts).filter(|c| c.count_ones() == k).collect();
                let hits = choices.iter().filter(|&c| c & successes != 0).count();
                let share = hits as f64 / choices.len() as f64;
                let estimate = value(k, Sample::All { attempts, solved });
                assert!((estimate - share).abs() < 1e-12, "{k} {solved}/{attempts}: {estimate} {share}");
            }
        }
    }
    assert_eq!(pass_at(3, Sample::All { attempts: 2, solved: 1 }), None);
    assert_eq!(pass_at(1, Sample::All { attempts: 0, solved: 0 }), None);
}

/// The samples that at most `most` attempts with this chance of success can give, each with its probability.
fn until_solved(most: u32, chance: f64) -> Vec<(Sample, f64)> {
    let failing = |n: u32| (1.0 - chance).powf(f64::from(n));
    let solved = (1..=most).map(|first| {
        (Sample::UntilSolved { attempts: first, first: Some(first) }, failing(first - 1) * chance)
    });
    let never = (Sample::UntilSolved { attempts: most, first: None }, failing(most));
    solved.chain([never]).collect()
}

fn all(n: u32, chance: f64) -> Vec<(Sample, f64)> {
    let mut probability = (1.0 - chance).powf(f64::from(n));
    let with = |solved: u32| {
        let now = probability;
        probability *= f64::from(n - solved) / f64::from(solved + 1) * chance / (1.0 - chance);
        (Sample::All { attempts: n, solved }, now)
    };
    (0..=n).map(with).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_estimators_have_the_mean_that_they_estimate(most in 1u32..40, k in 1u32..40, chance in 0.01..0.99f64) {
        let k = k.min(most);
        let truth = 1.0 - (1.0 - chance).powf(f64::from(k));
        for samples in [until_solved(most, chance), all(most, chance)] {
            let mean: f64 = samples.iter().map(|&(sample, p)| p * value(k, sample)).sum();
            prop_assert!((mean - truth).abs() < 1e-9, "{mean} instead of {truth}");
        }
    }

    #[test]
    fn the_interval_up_to_the_first_success_holds_the_truth_in_95_of_100_samples(
        most in 1u32..40, k in 1u32..40, chance in 0.01..0.99f64,
    ) {
        let k = k.min(most);
        let truth = 1.0 - (1.0 - chance).powf(f64::from(k));
        let covers = |sample| {
            let estimate = pass_at(k, sample).expect("the sample is large enough");
            estimate.low.is_some_and(|low| low <= truth) && estimate.high.is_some_and(|high| truth <= high)
        };
        let covered: f64 = until_solved(most, chance).iter().filter(|(s, _)| covers(*s)).map(|(_, p)| p).sum();
        prop_assert!(covered >= 0.95 - 1e-9, "{covered}");
    }

    #[test]
    fn simulated_runs_that_stop_early_agree_with_those_that_do_not(seed: u64, chance in 0.05..0.95f64) {
        // Sequences of outcomes, of which the one kind of run sees all and the other the beginning.
        let (mut rng, k, n, runs) = (Rng::seed_from_u64(seed), 4, 8, 500);
        let (mut early, mut late) = (0.0, 0.0);
        for _ in 0..runs {
            let outcomes: Vec<bool> = (0..n).map(|_| rng.random_bool(chance)).collect();
            let first = outcomes.iter().position(|&o| o).map(|at| at as u32 + 1);
            early += value(k, Sample::UntilSolved { attempts: first.unwrap_or(n), first });
            let solved = outcomes.iter().filter(|&&o| o).count() as u32;
            late += value(k, Sample::All { attempts: n, solved });
        }
        // Each is a mean of 500 values between 0 and 1: six standard errors.
        prop_assert!(((early - late) / f64::from(runs)).abs() < 6.0 * 0.5 / f64::from(runs).sqrt(), "{early} {late}");
    }
}

#[test]
fn without_a_success_and_with_too_few_attempts_there_is_no_estimate() {
    let too_few = Sample::UntilSolved { attempts: 2, first: None };
    assert_eq!((value(2, too_few), pass_at(3, too_few)), (0.0, None));
    let solved = Sample::UntilSolved { attempts: 2, first: Some(2) };
    assert_eq!((value(1, solved), value(3, solved)), (0.0, 1.0));
}

#[test]
fn means_of_shares_have_wilson_or_bootstrap_intervals() {
    assert_eq!(mean_share(&[1.0, 0.0, 1.0, 1.0], 7), share(3, 4));
    assert_eq!(mean_share(&[], 7), None);
    assert_eq!(mean_share(&[0.5], 7), Some(Estimate { value: 0.5, low: None, high: None }));
    let values: Vec<f64> = (0..100).map(|i| f64::from(i % 5) / 4.0).collect();
    let estimate = mean_share(&values, 7).unwrap();
    let normal = mean(values.iter().copied()).unwrap();
    assert!((estimate.value - 0.5).abs() < 1e-12);
    assert!((estimate.low.unwrap() - normal.low.unwrap()).abs() < 0.01, "{estimate:?} {normal:?}");
    assert!((estimate.high.unwrap() - normal.high.unwrap()).abs() < 0.01, "{estimate:?} {normal:?}");
    assert_eq!(mean_share(&values, 7), mean_share(&values, 7), "drawn from the seed");
}

#[test]
fn mcnemar_counts_the_divisions_that_are_no_less_unequal() {
    for n in 0..=12u32 {
        for a in 0..=n {
            let unequal = |a: u32| a.abs_diff(n - a);
            let divisions = (0..1u32 << n).filter(|d| unequal(d.count_ones()) >= unequal(a)).count();
            let p = divisions as f64 / f64::from(1u32 << n);
            assert!((mcnemar(a, n - a) - p).abs() < 1e-12, "{a} of {n}");
        }
    }
    let many = mcnemar(5000, 5300);
    assert!((many - 0.003_218).abs() < 2e-5, "{many}: by the normal approximation 0.003218");
    assert!(mcnemar(0, 10_000) < 1e-300, "and it is a number");
}
