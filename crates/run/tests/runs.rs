//! Runs over several theorems: what is kept, what is repeated.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_artifact::files::{read_json, read_lines};
use andor_artifact::latency::{Measured, MeasuredLatency};
use andor_artifact::result::{AttemptResult, Outcome};
use andor_artifact::run::RunRecord;
use andor_artifact::version::Kind;
use andor_run::System;
use andor_run::config::{BudgetConfig, Config, LatencyConfig, LatencySpec, VerifyConfig};
use andor_run::dataset::{self, Problem};
use andor_run::event::Event;
use andor_run::orchestrate::{Plan, RunError, run};
use andor_run::registry;
use andor_testkit::block_on;
use tokio_util::sync::CancellationToken;

fn problems(instances: &[&str]) -> Vec<Problem> {
    let problem = |text: &&str| dataset::from_statement(System::Synthetic, text, &[]).unwrap();
    instances.iter().map(problem).collect()
}

fn plan(instances: &[&str], out: &Path) -> Plan {
    let budget = BudgetConfig { max_candidates: Some(2000), ..BudgetConfig::default() };
    Plan {
        problems: problems(instances),
        config: Config { budget, ..Config::default() },
        jobs: 2,
        out: Some(out.to_owned()),
        resume: false,
        record_latencies: None,
    }
}

/// Makes a run; returns its results and the theorems that were attempted, and cancels it after `limit`
/// attempts.
fn make(plan: &Plan, limit: usize) -> Result<(Vec<AttemptResult>, Vec<String>), RunError> {
    let cancel = CancellationToken::new();
    let attempted = Arc::new(Mutex::new(Vec::new()));
    let sink = {
        let (attempted, cancel) = (Arc::clone(&attempted), cancel.clone());
        Arc::new(Mutex::new(move |theorem: &str, event: &Event| match event {
            Event::AttemptStarted { .. } => attempted.lock().unwrap().push(theorem.to_owned()),
            Event::AttemptFinished(_) if attempted.lock().unwrap().len() >= limit => cancel.cancel(),
            _ => {}
        }))
    };
    let results = block_on(run(plan, &cancel, sink))?;
    let attempted = attempted.lock().unwrap().clone();
    Ok((results, attempted))
}

const INSTANCES: [&str; 4] = ["easy 1", "easy 2", "easy 3", "easy 4"];

#[test]
fn results_come_in_the_order_of_the_theorems_and_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (results, _) = make(&plan(&INSTANCES, folder.path()), usize::MAX).unwrap();
    let ids: Vec<&str> = results.iter().map(|r| r.theorem.as_str()).collect();
    assert_eq!(ids, ["easy-1", "easy-2", "easy-3", "easy-4"]);
    let mut kept =
        read_lines::<AttemptResult>(&folder.path().join("results.jsonl"), Kind::Results).unwrap().records;
    kept.sort_by(|a, b| a.theorem.cmp(&b.theorem));
    assert_eq!(kept, results);
    let record: RunRecord = read_json(&folder.path().join("run.json"), Kind::Run).unwrap();
    assert_eq!(record.theorems, ids);
    assert_eq!(record.config_digest, results[0].config_digest);
    for id in ids {
        assert!(folder.path().join("theorems").join(id).join("attempt-1/trace.jsonl").exists(), "{id}");
    }
}

#[test]
fn a_resumed_run_repeats_nothing_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(&INSTANCES, folder.path());
    plan.jobs = 1;
    let (before, attempted) = make(&plan, 2).unwrap();
    assert_eq!((before.len(), attempted.len()), (2, 2));
    assert!(matches!(make(&plan, 9), Err(RunError::Occupied(_))));
    plan.resume = true;
    let (after, attempted) = make(&plan, usize::MAX).unwrap();
    assert_eq!(attempted, ["easy-3", "easy-4"]);
    assert_eq!(after[..2], before[..]);
    assert_eq!(after.len(), 4);
    let (again, attempted) = make(&plan, usize::MAX).unwrap();
    assert_eq!((again, attempted), (after, Vec::new()));
}

#[test]
fn a_changed_statement_is_attempted_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(&["easy 1"], folder.path());
    make(&plan, usize::MAX).unwrap();
    plan.resume = true;
    plan.problems[0].theorem.statement = "easy 2".to_owned();
    let (results, attempted) = make(&plan, usize::MAX).unwrap();
    assert_eq!((attempted.len(), results.len()), (1, 1));
    let kept =
        read_lines::<AttemptResult>(&folder.path().join("results.jsonl"), Kind::Results).unwrap().records;
    assert_eq!(kept.last(), results.last());
}

#[test]
fn another_configuration_needs_another_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(&["easy 1"], folder.path());
    make(&plan, usize::MAX).unwrap();
    (plan.resume, plan.config.seed) = (true, 99);
    let error = make(&plan, usize::MAX).unwrap_err().to_string();
    assert!(error.contains("another configuration") && error.contains("--out"), "{error}");
}

#[test]
fn a_run_that_cannot_begin_leaves_nothing_in_the_way_of_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    make(&plan(&["easy 1"], &out), usize::MAX).unwrap();
    let latencies = folder.path().join("latencies.jsonl");
    let mut plan = Plan { record_latencies: Some(latencies.clone()), ..plan(&["easy 1"], &out) };
    assert!(matches!(make(&plan, usize::MAX), Err(RunError::Occupied(_))));
    assert!(!latencies.exists(), "it would be in the way of the same command with --resume");
    plan.resume = true;
    make(&plan, usize::MAX).unwrap();
    plan.out = Some(folder.path().join("other"));
    assert!(matches!(make(&plan, usize::MAX), Err(RunError::LatenciesExist(_))));
    assert!(!folder.path().join("other").exists());
}

#[test]
fn every_call_of_a_provider_and_every_tactic_is_recorded_with_its_latency() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("latencies.jsonl");
    let mut plan = plan(&["easy 1", "easy 2"], &folder.path().join("RUN"));
    plan.record_latencies = Some(file.clone());
    let (results, _) = make(&plan, usize::MAX).unwrap();
    let measured = read_lines::<MeasuredLatency>(&file, Kind::Latencies).unwrap().records;
    let count = |what| measured.iter().filter(|m| m.what == what).count() as u64;
    assert_eq!(count(Measured::Tactic), results.iter().map(|r| r.spent.previews).sum::<u64>());
    let expansions: u64 = results.iter().map(|r| r.spent.iterations).sum();
    assert!((1..=expansions).contains(&count(Measured::Provider)));
    let spec = LatencySpec::Recorded(file);
    plan.config.latencies = LatencyConfig { provider: spec.clone(), tactic: spec };
    plan.config.validate().unwrap();
    assert!(matches!(registry::latencies(&plan.config), Ok(Some(_))), "what is written can be read");
}

#[test]
fn a_level_that_cannot_be_had_fails_before_anything_is_tried() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("RUN");
    let mut plan = plan(&["easy 1"], &out);
    plan.config.verify = VerifyConfig { demanded: true, ..VerifyConfig::default() };
    let error = make(&plan, usize::MAX).unwrap_err();
    assert!(matches!(error, RunError::OutOfReach(_)), "{error}");
    assert!(error.to_string().contains("level 3 (rechecked) cannot be had"), "{error}");
    assert!(error.to_string().contains("the highest is --verify compiled"), "{error}");
    assert!(!out.exists(), "nothing was begun");
    // Without the demand the same level is only wanted.
    plan.config.verify.demanded = false;
    let (results, _) = make(&plan, usize::MAX).unwrap();
    assert_eq!((results[0].outcome, results[0].verification_level), (Outcome::Accepted, Some(1)));
    assert!(results[0].verification_shortfall.is_some());
}

#[test]
fn a_torn_line_of_results_is_made_good() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(&["easy 1", "easy 2"], folder.path());
    let (before, _) = make(&plan, usize::MAX).unwrap();
    let path = folder.path().join("results.jsonl");
    let text = fs_err::read_to_string(&path).unwrap();
    fs_err::write(&path, &text[..text.len() - 10]).unwrap();
    plan.resume = true;
    let (after, attempted) = make(&plan, usize::MAX).unwrap();
    assert_eq!((attempted, after), (Vec::new(), before));
    assert_eq!(read_lines::<AttemptResult>(&path, Kind::Results).unwrap().records.len(), 2);
}

#[test]
fn an_interrupted_attempt_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(&["hard 1"], folder.path());
    let cancelled = CancellationToken::new();
    cancelled.cancel();
    let nothing = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
    assert!(block_on(run(&plan, &cancelled, nothing)).unwrap().is_empty());
    plan.resume = true;
    let (results, attempted) = make(&plan, usize::MAX).unwrap();
    assert_eq!(attempted.len(), 1);
    assert!(matches!(results[0].outcome, Outcome::Accepted | Outcome::NotProved));
}
