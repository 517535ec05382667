use andor_artifact::basin::Quartiles;
use andor_artifact::result::SpentRecord;
use andor_config::{DistributedMcts, MctsMode};
use andor_core::rng::{Purpose, stream};
use proptest::prelude::*;
use rand::RngExt;

use super::*;
use crate::estimate::quantile;

/// An attempt at a theorem, with its outcome and its iterations; the proof's structure is one of a few.
fn result(theorem: &str, role: Role, seed: u64, outcome: Outcome, iterations: u64) -> AttemptResult {
    let accepted = outcome == Outcome::Accepted;
    AttemptResult {
        outcome,
        proof_digest: accepted.then(|| format!("{}", iterations % 3)),
        spent: SpentRecord { iterations, ..SpentRecord::default() },
        ..AttemptResult::empty(theorem.to_owned(), "synthetic".to_owned(), 1, role, seed)
    }
}

fn config(seeds: u32, blind: bool) -> Config {
    Config { basin: BasinConfig { seeds: Some(seeds), blind, ..BasinConfig::default() }, ..Config::default() }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

#[test]
fn trials_count_seeds_up_and_go_by_pairs() {
    let mut config = config(2, true);
    config.seed = u64::MAX;
    let made: Vec<(u32, Role, u64, Selection)> =
        trials(&config).map(|t| (t.attempt, t.role, t.config.seed, t.config.search.policy)).collect();
    let (own, blind) = (Selection::Puct, Selection::BlindUniform);
    assert_eq!(
        made,
        [
            (1, Role::Configured, u64::MAX, own),
            (3, Role::Blind, u64::MAX, blind),
            (2, Role::Configured, 0, own),
            (4, Role::Blind, 0, blind),
        ]
    );
    assert!(trials(&config).all(|t| t.config.basin == BasinConfig::default() && t.config.validate().is_ok()));
    let single: Vec<Trial> = trials(&Config::default()).collect();
    assert_eq!(single, [Trial { attempt: 1, role: Role::Configured, config: Config::default() }]);
}

#[test]
fn a_summary_by_hand() {
    let (own, blind) = (Role::Configured, Role::Blind);
    let results = [
        result("t", own, 0, Outcome::Accepted, 4),
        result("t", own, 1, Outcome::Accepted, 7),
        result("t", own, 2, Outcome::NotProved, 10),
        result("t", own, 3, Outcome::InfrastructureError, 1),
        result("t", own, 4, Outcome::Accepted, 2),
        result("t", own, 5, Outcome::Claimed, 3),
        result("t", own, 6, Outcome::Interrupted, 3),
        result("t", blind, 0, Outcome::Accepted, 20),
        result("t", blind, 1, Outcome::NotProved, 50),
        result("t", blind, 2, Outcome::NotProved, 50),
        result("t", blind, 3, Outcome::Accepted, 8),
        result("u", own, 0, Outcome::Refused, 0),
    ];
    let record = summarise(&config(7, true), &["u", "t", "v"], &results);
    let [u, t, v] = &record.theorems[..] else { panic!("{record:?}") };
    let own = &t.configured;
    assert_eq!((own.attempts, own.solved), (4, 3));
    assert_eq!(own.left_out, LeftOut { infrastructure: 2, interrupted: 1, ..LeftOut::default() });
    assert_eq!(own.distinct_proofs, 2, "4 and 7 are of one structure");
    assert_eq!(own.iterations, Some(Quartiles { q1: 3.0, median: 4.0, q3: 5.5 }));
    let cost = t.cost.unwrap();
    assert_eq!((cost.pairs, cost.configured_censored, cost.blind_censored), (3, 1, 2));
    assert_eq!((cost.configured, cost.blind), (Some(7.0), Some(40.0)));
    let k = cost.k.unwrap();
    assert!(near(k.value, 40.0 / 7.0), "{k:?}");
    assert!(k.low.unwrap() <= k.value && k.value <= k.high.unwrap(), "{k:?}");
    assert_eq!((u.configured.attempts, u.configured.left_out.refused, u.cost.unwrap().k), (0, 1, None));
    assert_eq!((v.configured.attempts, v.configured.solved_share), (0, None));
    assert_eq!((record.all.configured.solved, record.all.cost.unwrap().pairs), (3, 3));
    let without = summarise(&config(7, false), &["t"], &results);
    assert_eq!((&without.theorems[0].blind, without.theorems[0].cost), (&None, None));
}

#[test]
fn equal_structures_of_different_theorems_are_different_proofs() {
    let results = ["t", "u"].map(|t| result(t, Role::Configured, 0, Outcome::Accepted, 3));
    let record = summarise(&config(1, false), &["t", "u"], &results);
    assert_eq!(record.all.configured.distinct_proofs, 2);
}

#[test]
fn what_cannot_be_said_is_left_open() {
    let cost = |pairs: &[Pair]| {
        let results: Vec<AttemptResult> = (0..)
            .zip(pairs)
            .flat_map(|(seed, (own, blind))| {
                [(Role::Configured, own), (Role::Blind, blind)]
                    .map(|(role, n)| result("t", role, seed, Outcome::NotProved, *n))
            })
            .collect();
        summarise(&config(9, true), &["t"], &results).theorems[0].cost.unwrap()
    };
    assert_eq!(cost(&[]).configured, None);
    assert_eq!(cost(&[(0, 0), (0, 0)]).k, None);
    assert_eq!(cost(&[(0, 5), (0, 7)]).k, None);
    assert_eq!(cost(&[(2, 5)]).k, Some(Estimate { value: 2.5, low: None, high: None }));
    // Now and then only pairs without configured cost are drawn: often enough to leave the upper end open.
    let k = cost(&[(0, 5), (0, 7), (3, 6)]).k.unwrap();
    assert_eq!((k.value, k.high), (6.0, None));
    assert!(k.low.is_some_and(|low| low < 6.0), "{k:?}");
    assert_eq!(cost(&[(4, 8), (2, 4)]).k, Some(Estimate { value: 2.0, low: Some(2.0), high: Some(2.0) }));
}

#[test]
fn another_seed_draws_other_resamples() {
    let pairs: Vec<Pair> = (1..20).map(|n| (n, 1000 / n)).collect();
    assert_eq!(bootstrap(&pairs, 1), bootstrap(&pairs, 1));
    assert_ne!(bootstrap(&pairs, 1), bootstrap(&pairs, 2));
}

#[test]
fn an_interval_covers_the_truth_about_as_often_as_it_says() {
    // Costs are uniform on 1..=9 and on 1..=29, so the true ratio is 3.
    let covered = (0..100).filter(|&sample| {
        let mut rng = stream(sample, Purpose::Selection);
        let pairs: Vec<Pair> = (0..40).map(|_| (rng.random_range(1..=9), rng.random_range(1..=29))).collect();
        let (low, high) = bootstrap(&pairs, sample);
        low.unwrap() <= 3.0 && 3.0 <= high.unwrap()
    });
    let covered = covered.count();
    assert!((86..=99).contains(&covered), "{covered} of 100");
}

/// The quantile by its definition as a piecewise linear function through the points `(i / (n - 1), x_i)`.
fn quantile_by_search(sorted: &[f64], p: f64) -> f64 {
    let at = |i: usize| i as f64 / (sorted.len() - 1).max(1) as f64;
    let after = (0..sorted.len()).find(|&i| at(i) >= p).unwrap_or(sorted.len() - 1);
    let Some(before) = after.checked_sub(1) else { return sorted[0] };
    let weight = (p - at(before)) / (at(after) - at(before));
    sorted[before] * (1.0 - weight) + sorted[after] * weight
}

fn results() -> impl Strategy<Value = Vec<AttemptResult>> {
    let outcomes = prop::sample::select(vec![
        Outcome::Accepted,
        Outcome::Accepted,
        Outcome::NotProved,
        Outcome::Claimed,
        Outcome::Refused,
        Outcome::InfrastructureError,
        Outcome::Interrupted,
    ]);
    let one = (prop::sample::select(vec!["a", "b", "c"]), any::<bool>(), 0..8_u64, outcomes, 0..40_u64);
    prop::collection::btree_map((one.0, one.1, one.2), (one.3, one.4), 0..40).prop_map(|attempts| {
        let role = |blind| if blind { Role::Blind } else { Role::Configured };
        let attempts = attempts.into_iter();
        attempts.map(|((theorem, blind, seed), (o, n))| result(theorem, role(blind), seed, o, n)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn quantiles_agree_with_their_definition(
        mut values in prop::collection::vec(0..1000_u32, 1..40),
        p in 0.0..=1.0,
    ) {
        values.sort_unstable();
        let values: Vec<f64> = values.into_iter().map(f64::from).collect();
        prop_assert!(near(quantile(&values, p).unwrap(), quantile_by_search(&values, p)));
    }

    #[test]
    fn an_interval_of_many_pairs_contains_the_ratio(
        pairs in prop::collection::vec((1..100_u64, 1..1000_u64), 40..60),
        seed in any::<u64>(),
    ) {
        let k = ratio(sum(pairs.iter().copied())).unwrap();
        let (low, high) = bootstrap(&pairs, seed);
        prop_assert!(low.unwrap() <= k && k <= high.unwrap());
    }

    #[test]
    fn the_order_of_results_means_nothing_and_every_number_is_one(
        (results, shuffled) in results().prop_flat_map(|r| (Just(r.clone()), Just(r).prop_shuffle())),
    ) {
        let (config, theorems) = (config(8, true), ["a", "b", "c"]);
        let record = summarise(&config, &theorems, &results);
        prop_assert_eq!(&record, &summarise(&config, &theorems, &shuffled));
        // JSON knows neither NaN nor infinity: serde writes both as null, which is not read back as a number.
        let text = serde_json::to_string(&record).unwrap();
        prop_assert_eq!(&record, &serde_json::from_str::<BasinRecord>(&text).unwrap());
        for basin in record.theorems.iter().chain([&record.all]) {
            let made = |role| results.iter().filter(|r| {
                r.role == role && basin.theorem.as_ref().is_none_or(|theorem| *theorem == r.theorem)
            }).count() as u32;
            for (search, role) in [(&basin.configured, Role::Configured), (basin.blind.as_ref().unwrap(), Role::Blind)] {
                let LeftOut { infrastructure, refused, interrupted, .. } = search.left_out;
                prop_assert_eq!(search.attempts + infrastructure + refused + interrupted, made(role));
                prop_assert!(search.solved <= search.attempts && search.distinct_proofs <= search.solved);
                if let Some(share) = search.solved_share {
                    prop_assert!(near(share.value, f64::from(search.solved) / f64::from(search.attempts)));
                    prop_assert!(share.low.unwrap() <= share.value && share.value <= share.high.unwrap());
                }
            }
        }
    }
}

#[test]
fn damage_varies_with_the_seed_unless_it_is_to_be_the_same() {
    let damaged = |same_damage: bool| {
        let mut config = config(3, false);
        config.basin.same_damage = same_damage;
        config.distributed_mcts = DistributedMcts {
            mode: MctsMode::Distributed,
            agents: Some(2),
            inflight: Some(2),
            block_fraction: Some(0.1),
            block_duration: Some(5),
            block_seed: Some(u64::MAX),
            delay_prob: Some(0.1),
            delay_duration: Some(5),
            delay_seed: Some(i64::MAX),
            ..DistributedMcts::default()
        };
        config.validate().expect("the configuration is valid");
        let agents = trials(&config).map(|t| {
            t.config.validate().expect("the trial's configuration is valid");
            t.config.distributed_mcts
        });
        agents.map(|a| (a.block_seed.unwrap(), a.delay_seed.unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(damaged(false), [(u64::MAX, i64::MAX), (0, 0), (1, 1)]);
    assert_eq!(damaged(true), [(u64::MAX, i64::MAX); 3]);
}

#[test]
fn attempts_in_which_nothing_hung_on_chance_count_as_one() {
    let certain = |attempt: u32| AttemptResult {
        attempt,
        chance: false,
        ..result("a", Role::Configured, attempt.into(), Outcome::Accepted, 20)
    };
    let mut results: Vec<AttemptResult> = (1..=5).map(certain).collect();
    results.push(result("b", Role::Configured, 0, Outcome::NotProved, 20));
    results.push(result("b", Role::Configured, 1, Outcome::NotProved, 20));
    // As written by a program that inferred it from the configuration.
    results.extend((1..=2).map(|attempt| {
        let mut asked = AttemptResult { theorem: "c".to_owned(), ..certain(attempt) };
        asked.spent.model.requests = 3;
        asked
    }));
    let record = summarise(&config(5, false), &["a", "b", "c"], &results);
    let [a, b, c] = [0, 1, 2].map(|at| &record.theorems[at].configured);
    assert_eq!((a.attempts, a.solved, a.left_out.copies), (1, 1, 4));
    assert_eq!((b.attempts, b.left_out.copies), (2, 0));
    assert_eq!((c.attempts, c.left_out.copies), (2, 0));
    assert_eq!((record.all.configured.attempts, record.all.configured.left_out.copies), (5, 4));
}
