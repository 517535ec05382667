use andor_config::BasinConfig;
use andor_dataset::from_statement;
use andor_system_synthetic::SYNTHETIC;
use serde_json::json;

use super::*;

/// The theorems `easy-1`, `easy-2` ….
fn problems(n: u32) -> Vec<Problem> {
    let problem = |i: u32| from_statement(SYNTHETIC, &format!("easy {i}"), &[]);
    (1..=n).map(|i| problem(i).expect("an instance of the environment")).collect()
}

/// The result of an attempt at a theorem.
fn result(problem: &Problem, attempt: u32, outcome: Outcome) -> AttemptResult {
    let error = matches!(outcome, Outcome::InfrastructureError | Outcome::Claimed);
    let record = json!({
        "theorem": problem.theorem.id, "system": "synthetic", "attempt": attempt, "seed": 0,
        "statement_digest": problem.theorem.digest(), "config_digest": "", "outcome": outcome,
        "stop_reason": "time", "stop_detail": "", "verification_level": null,
        "verification_shortfall": null, "axioms": [], "proof": null, "source": null, "rejected_claims": [],
        "infrastructure_error": error.then(|| format!("attempt {attempt} failed")), "assistant": null,
        "tree_digest": null, "refusals": {"hygiene:sorry": 2},
        "spent": {
            "iterations": 5, "expansions": 1, "nodes": 1, "candidates": 1, "previews": 1, "memo_hits": 0,
            "over_time": 1, "replayed_tactics": 0, "workers_started": 1, "workers_lost": 0,
            "workers_recycled": 0, "replays_diverged": 0
        },
        "timing": {
            "total_ms": 10.0, "opening_ms": 1.0, "importing_ms": 0.5, "previewing_ms": 1.0, "replaying_ms": 0.0,
            "providing_ms": 0.0, "checking_ms": 0.0, "searching_ms": 0.0
        },
    });
    serde_json::from_value(record).expect("a record of a result")
}

const PROVED: Outcome = Outcome::Accepted;
const MISSED: Outcome = Outcome::NotProved;
const FAILED: Outcome = Outcome::InfrastructureError;

#[test]
fn the_best_result_is_accepted_before_claimed_before_any_other() {
    let problems = problems(1);
    let with = |outcomes: &[Outcome]| -> Vec<AttemptResult> {
        (1..).zip(outcomes).map(|(attempt, &outcome)| result(&problems[0], attempt, outcome)).collect()
    };
    for (outcomes, best, standing) in [
        (&[MISSED, Outcome::Claimed, PROVED][..], 3, Standing::Proved),
        (&[MISSED, Outcome::Claimed, Outcome::Claimed], 2, Standing::Claimed),
        (&[FAILED, MISSED, MISSED], 2, Standing::NotProved),
        (&[Outcome::Interrupted, FAILED], 2, Standing::Infrastructure),
    ] {
        let mut results = with(outcomes);
        // They come in any order.
        results.reverse();
        let summary = summarise(&Config::default(), 4, &problems, &results);
        let theorem = &summary.theorems[0];
        assert_eq!((theorem.best.unwrap().attempt, theorem.standing), (best, standing), "{outcomes:?}");
    }
    let summary = summarise(&Config::default(), 4, &problems, &[]);
    assert_eq!((summary.theorems[0].best, summary.theorems[0].standing), (None, Standing::NotBegun));
}

#[test]
fn attempts_of_failed_machinery_have_no_number_among_those_that_count() {
    let problems = problems(4);
    let results = [
        // Proved by the second attempt that counts.
        result(&problems[0], 1, FAILED),
        result(&problems[0], 2, MISSED),
        result(&problems[0], 3, PROVED),
        // Not proved by four attempts.
        result(&problems[1], 1, MISSED),
        result(&problems[1], 2, MISSED),
        result(&problems[1], 3, MISSED),
        result(&problems[1], 4, MISSED),
        // Only one that counts.
        result(&problems[2], 1, MISSED),
        result(&problems[2], 2, Outcome::Claimed),
        // None.
        result(&problems[3], 1, FAILED),
    ];
    let summary = summarise(&Config::default(), 4, &problems, &results);
    let values = |t: usize| -> Vec<(u32, f64)> {
        summary.theorems[t].pass_at_k.iter().map(|(k, estimate)| (*k, estimate.value)).collect()
    };
    assert_eq!(values(0), [(1, 0.0), (2, 1.0), (4, 1.0)]);
    assert_eq!(values(1), [(1, 0.0), (2, 0.0), (4, 0.0)]);
    assert_eq!(values(2), [(1, 0.0)]);
    assert_eq!(values(3), []);
    let theorem = &summary.theorems[0];
    assert_eq!((theorem.attempts, theorem.solved, theorem.left_out.infrastructure), (2, 1, 1));
    let totals = &summary.totals;
    let of = |k: u32| {
        let mean = totals.pass_at_k[&k];
        (mean.mean.map(|m| m.value), mean.theorems, mean.without_estimate)
    };
    assert_eq!((of(1), of(2), of(4)), ((Some(0.0), 3, 1), (Some(0.5), 2, 2), (Some(0.5), 2, 2)));
    assert_eq!((totals.proved(), totals.theorems, totals.attempts), (1, 4, 10));
    // The theorem that is proved has three attempts, of which the first is to be made again.
    assert_eq!((totals.attempts_finished, totals.attempts_planned, totals.is_finished()), (7, 15, false));
    assert_eq!((totals.failures.attempts, totals.failures.of), (3, 10));
    assert_eq!(totals.failures.most_frequent, Some(("attempt 1 failed".to_owned(), 2)));
    assert!((totals.failures.share() - 0.3).abs() < 1e-12);
    assert_eq!(
        (totals.spent.iterations, totals.timing.total_ms, totals.timing.importing_ms),
        (50, 100.0, 5.0)
    );
    assert_eq!((totals.refusals["hygiene:sorry"], totals.stop_reasons["time"]), (20, 10));
}

#[test]
fn a_basin_run_makes_all_its_attempts() {
    let problems = problems(2);
    let config =
        Config { basin: BasinConfig { seeds: Some(3), ..BasinConfig::default() }, ..Config::default() };
    let mut results: Vec<AttemptResult> = (1..=3)
        .flat_map(|attempt| {
            let outcome = if attempt == 2 { PROVED } else { MISSED };
            [result(&problems[0], attempt, outcome), result(&problems[1], attempt, PROVED)]
        })
        .collect();
    // The search for comparison is another one, and so is that at an earlier statement.
    results.push(AttemptResult { role: Role::Blind, ..result(&problems[0], 4, PROVED) });
    results.push(AttemptResult { statement_digest: "other".to_owned(), ..result(&problems[1], 4, MISSED) });
    let summary = summarise(&config, 1, &problems, &results);
    let first = &summary.theorems[0].pass_at_k;
    let near = |k: u32, value: f64| (first[&k].value - value).abs() < 1e-12;
    assert!(near(1, 1.0 / 3.0) && near(2, 2.0 / 3.0) && near(3, 1.0), "{first:?}");
    assert!(first.values().all(|e| e.low <= Some(e.value) && Some(e.value) <= e.high), "{first:?}");
    let totals = &summary.totals;
    assert!((totals.pass_at_k[&1].mean.unwrap().value - 2.0 / 3.0).abs() < 1e-12);
    assert_eq!((totals.attempts, totals.attempts_planned, totals.is_finished()), (6, 6, true));

    let config = Config { basin: BasinConfig { blind: true, ..config.basin }, ..config };
    let summary = summarise(&config, 1, &problems, &results);
    let blind = summary.theorems[0].blind.as_ref().unwrap();
    assert_eq!((blind.attempts, blind.solved, summary.theorems[0].attempts), (1, 1, 3));
    let totals = &summary.totals;
    assert_eq!((totals.attempts, totals.attempts_planned, totals.is_finished()), (7, 12, false));
    assert_eq!(totals.spent.iterations, 35, "those of the blind attempt are counted");
}

#[test]
fn attempts_in_which_nothing_hung_on_chance_count_as_one() {
    let problems = problems(2);
    for seeds in [None, Some(4)] {
        let config = Config { basin: BasinConfig { seeds, ..BasinConfig::default() }, ..Config::default() };
        let certain = (1..=4).map(|n| AttemptResult { chance: false, ..result(&problems[0], n, MISSED) });
        let drawn = (1..=4).map(|n| result(&problems[1], n, MISSED));
        let results: Vec<AttemptResult> = certain.chain(drawn).collect();
        let summary = summarise(&config, 4, &problems, &results);
        let [copies, drawn] = &summary.theorems[..] else { panic!("two theorems") };
        assert_eq!((copies.attempts, copies.left_out.copies), (1, 3));
        assert_eq!((drawn.attempts, drawn.left_out.copies), (4, 0));
        // Four attempts find what one finds, and nobody saw more than one.
        assert_eq!(copies.pass_at_k[&4], copies.pass_at_k[&1]);
        let high = |t: &TheoremSummary<'_>| t.pass_at_k[&1].high.unwrap();
        assert!(high(copies) > high(drawn), "one observation says less than four");
    }
}

#[test]
fn an_empty_run_has_nothing_to_estimate() {
    let summary = summarise(&Config::default(), 1, &[], &[]);
    assert_eq!(summary.totals.pass_at_k[&1], MeanPass { mean: None, theorems: 0, without_estimate: 0 });
    assert_eq!((summary.totals.failures.share(), summary.totals.is_finished()), (0.0, true));
}
