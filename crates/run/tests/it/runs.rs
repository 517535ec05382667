//! Runs over several theorems: what is kept, what is repeated.

use andor_system_synthetic::SYNTHETIC;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_artifact::files::{read_json, read_lines};
use andor_artifact::latency::MeasuredLatency;
use andor_artifact::result::{AttemptResult, Outcome, Timing};
use andor_artifact::run::RunRecord;
use andor_artifact::version::Kind;
use andor_config::{BudgetConfig, Config, LatencyConfig, LatencySpec, VerifyConfig};
use andor_core::clock::Work;
use andor_dataset::{self as dataset, Problem};
use andor_engine::event::Event;
use andor_engine::registry;
use andor_run::folder::RunFolder;
use andor_run::orchestrate::{Keep, RunError, RunRequest, run};
use andor_run::store::Store;
use andor_testkit::block_on;
use tokio_util::sync::CancellationToken;

fn problems(instances: &[&str]) -> Vec<Problem> {
    let problem = |text: &&str| dataset::from_statement(SYNTHETIC, text, &[]).unwrap();
    instances.iter().map(problem).collect()
}

fn request(instances: &[&str], out: &Path) -> RunRequest {
    let budget = BudgetConfig { max_candidates: Some(2000), ..BudgetConfig::default() };
    RunRequest {
        jobs: 2,
        out: Some(out.to_owned()),
        ..RunRequest::new(problems(instances), Config { budget, ..Config::default() })
    }
}

/// Makes a run; returns its results and the theorems that were attempted, and cancels it after `limit`
/// attempts.
fn make(request: &RunRequest, limit: usize) -> Result<(Vec<AttemptResult>, Vec<String>), RunError> {
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
    let results = block_on(run(request, &cancel, sink))?;
    let attempted = attempted.lock().unwrap().clone();
    Ok((results, attempted))
}

const INSTANCES: [&str; 4] = ["easy 1", "easy 2", "easy 3", "easy 4"];

#[test]
fn results_come_in_the_order_of_the_theorems_and_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (results, _) = make(&request(&INSTANCES, folder.path()), usize::MAX).unwrap();
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
    let mut request = request(&INSTANCES, folder.path());
    request.jobs = 1;
    let (before, attempted) = make(&request, 2).unwrap();
    assert_eq!((before.len(), attempted.len()), (2, 2));
    assert!(matches!(make(&request, 9), Err(RunError::Occupied(_))));
    request.resume = true;
    let (after, attempted) = make(&request, usize::MAX).unwrap();
    assert_eq!(attempted, ["easy-3", "easy-4"]);
    assert_eq!(after[..2], before[..]);
    assert_eq!(after.len(), 4);
    let (again, attempted) = make(&request, usize::MAX).unwrap();
    assert_eq!((again, attempted), (after, Vec::new()));
}

#[test]
fn a_changed_statement_is_attempted_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(&["easy 1"], folder.path());
    make(&request, usize::MAX).unwrap();
    request.resume = true;
    request.problems[0].theorem.statement = "easy 2".to_owned();
    let (results, attempted) = make(&request, usize::MAX).unwrap();
    assert_eq!((attempted.len(), results.len()), (1, 1));
    let kept =
        read_lines::<AttemptResult>(&folder.path().join("results.jsonl"), Kind::Results).unwrap().records;
    assert_eq!(kept.last(), results.last());
}

#[test]
fn another_configuration_needs_another_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(&["easy 1"], folder.path());
    make(&request, usize::MAX).unwrap();
    (request.resume, request.config.seed) = (true, 99);
    let error = make(&request, usize::MAX).unwrap_err().to_string();
    assert!(error.contains("a different configuration") && error.contains("--out"), "{error}");
}

#[test]
fn a_run_that_cannot_begin_leaves_nothing_in_the_way_of_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    make(&request(&["easy 1"], &out), usize::MAX).unwrap();
    let latencies = folder.path().join("latencies.jsonl");
    let mut request = RunRequest { record_latencies: Some(latencies.clone()), ..request(&["easy 1"], &out) };
    assert!(matches!(make(&request, usize::MAX), Err(RunError::Occupied(_))));
    assert!(!latencies.exists(), "it would be in the way of the same command with --resume");
    request.resume = true;
    make(&request, usize::MAX).unwrap();
    request.out = Some(folder.path().join("other"));
    assert!(matches!(make(&request, usize::MAX), Err(RunError::LatenciesExist(_))));
    assert!(!folder.path().join("other").exists());
}

#[test]
fn every_call_of_a_provider_and_every_tactic_is_recorded_with_its_latency() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("latencies.jsonl");
    let mut request = request(&["easy 1", "easy 2"], &folder.path().join("RUN"));
    request.record_latencies = Some(file.clone());
    let (results, _) = make(&request, usize::MAX).unwrap();
    let measured = read_lines::<MeasuredLatency>(&file, Kind::Latencies).unwrap().records;
    let count = |what| measured.iter().filter(|m| m.what == what).count() as u64;
    assert_eq!(count(Work::Tactic), results.iter().map(|r| r.spent.previews).sum::<u64>());
    let expansions: u64 = results.iter().map(|r| r.spent.iterations).sum();
    assert!((1..=expansions).contains(&count(Work::Provider)));
    let spec = LatencySpec::Recorded(file);
    request.config.latencies = LatencyConfig { provider: spec.clone(), tactic: spec };
    request.config.validate().unwrap();
    assert!(matches!(registry::latencies(&request.config), Ok(Some(_))), "what is written can be read");
}

#[test]
fn a_level_that_cannot_be_had_fails_before_anything_is_tried() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("RUN");
    let mut request = request(&["easy 1"], &out);
    request.config.verify = VerifyConfig { demanded: true, ..VerifyConfig::default() };
    let error = make(&request, usize::MAX).unwrap_err();
    assert!(matches!(error, RunError::OutOfReach(_)), "{error}");
    assert!(error.to_string().contains("level 3 (rechecked) is not available"), "{error}");
    assert!(error.to_string().contains("the highest is --verify compiled"), "{error}");
    assert!(!out.exists(), "nothing was begun");
    // Without the demand the same level is only wanted.
    request.config.verify.demanded = false;
    let (results, _) = make(&request, usize::MAX).unwrap();
    assert_eq!((results[0].outcome, results[0].verification_level), (Outcome::Accepted, Some(1)));
    assert!(results[0].verification_shortfall.is_some());
}

#[test]
fn a_torn_line_of_results_is_made_good() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(&["easy 1", "easy 2"], folder.path());
    let (before, _) = make(&request, usize::MAX).unwrap();
    let path = folder.path().join("results.jsonl");
    let text = fs_err::read_to_string(&path).unwrap();
    fs_err::write(&path, &text[..text.len() - 10]).unwrap();
    request.resume = true;
    let (after, attempted) = make(&request, usize::MAX).unwrap();
    assert_eq!((attempted, after), (Vec::new(), before));
    assert_eq!(read_lines::<AttemptResult>(&path, Kind::Results).unwrap().records.len(), 2);
}

#[test]
fn an_interrupted_attempt_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(&["hard 1"], folder.path());
    let cancelled = CancellationToken::new();
    cancelled.cancel();
    let nothing = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
    assert!(block_on(run(&request, &cancelled, nothing)).unwrap().is_empty());
    request.resume = true;
    let cancel = CancellationToken::new();
    let at_its_first_tactic = {
        let cancel = cancel.clone();
        Arc::new(Mutex::new(move |_: &str, event: &Event| {
            if matches!(event, Event::Iteration(_)) {
                cancel.cancel();
            }
        }))
    };
    let results = block_on(run(&request, &cancel, at_its_first_tactic)).unwrap();
    assert_eq!(results.iter().map(|r| r.outcome).collect::<Vec<_>>(), [Outcome::Interrupted]);
    let lines = read_lines::<AttemptResult>(&folder.path().join("results.jsonl"), Kind::Results).unwrap();
    assert_eq!(lines.records, [], "it leaves no result");
    let (results, attempted) = make(&request, usize::MAX).unwrap();
    assert_eq!(attempted.len(), 1);
    assert!(matches!(results[0].outcome, Outcome::Accepted | Outcome::NotProved));
}

/// A run of up to `pass_k` attempts at each of some theorems of which some are proved late or not at all.
fn repeated(pass_k: u32, jobs: usize, out: &Path) -> RunRequest {
    let budget = BudgetConfig { max_iterations: Some(40), ..BudgetConfig::default() };
    let instances = ["easy 1", "medium 2", "medium 3", "hard 4"];
    let request = RunRequest::new(problems(&instances), Config { budget, ..Config::default() });
    RunRequest { pass_k, jobs, out: Some(out.to_owned()), ..request }
}

fn timeless(results: &[AttemptResult]) -> Vec<AttemptResult> {
    let mut results = results.to_vec();
    for result in &mut results {
        result.timing = Timing::default();
        result.proof_steps.iter_mut().for_each(|step| step.took_ms = 0.0);
        (result.spent.workers_started, result.spent.workers_reused) = (0, 0);
    }
    results
}

/// The number of attempts at each theorem, and of accepted ones.
fn counts(results: &[AttemptResult]) -> Vec<(String, usize, usize)> {
    let of_theorem = results.chunk_by(|a, b| a.theorem == b.theorem);
    let accepted =
        |results: &[AttemptResult]| results.iter().filter(|r| r.outcome == Outcome::Accepted).count();
    of_theorem.map(|r| (r[0].theorem.clone(), r.len(), accepted(r))).collect()
}

#[test]
fn which_attempts_a_run_makes_does_not_depend_on_how_many_are_at_work() {
    let folder = tempfile::tempdir().unwrap();
    let results = |jobs: usize| {
        let out = folder.path().join(jobs.to_string());
        let request = repeated(6, jobs, &out);
        let (results, attempted) = make(&request, usize::MAX).unwrap();
        let kept = RunFolder::read(&out).unwrap().results;
        assert_eq!(kept, results, "{jobs} jobs");
        let lines = read_lines::<AttemptResult>(&out.join("results.jsonl"), Kind::Results).unwrap().records;
        assert_eq!(lines, results, "{jobs} jobs");
        for result in &results {
            let files = out.join("theorems").join(&result.theorem);
            assert!(files.join(format!("attempt-{}/trace.jsonl", result.attempt)).exists());
        }
        let folders = fs_err::read_dir(out.join("theorems")).unwrap();
        let attempts = |folder: fs_err::DirEntry| fs_err::read_dir(folder.path()).unwrap().count();
        assert_eq!(folders.map(|f| attempts(f.unwrap())).sum::<usize>(), results.len(), "{jobs} jobs");
        (timeless(&results), attempted)
    };
    let (alone, attempted) = results(1);
    let first = ["easy-1", "medium-2", "medium-3", "hard-4"].map(|theorem| format!("{theorem}, attempt 1"));
    assert_eq!(attempted[..4], first, "first once at every theorem");
    for (theorem, n, accepted) in counts(&alone) {
        assert!(accepted <= 1 && (accepted == 1 || n == 6), "{theorem}: {accepted} of {n}");
        let last = alone.iter().rfind(|r| r.theorem == theorem).unwrap();
        assert_eq!(last.outcome == Outcome::Accepted, accepted == 1, "{theorem}");
        assert_eq!((last.attempt as usize, last.seed), (n, n as u64 - 1));
    }
    assert!(counts(&alone).iter().any(|(_, n, accepted)| *n > 1 && *accepted == 1), "one is proved late");
    for jobs in [2, 5, 24] {
        assert_eq!(results(jobs).0, alone, "{jobs} jobs");
    }
}

#[test]
fn a_finished_run_goes_on_with_more_attempts() {
    let folder = tempfile::tempdir().unwrap();
    let request = |pass_k, out: &str| repeated(pass_k, 2, &folder.path().join(out));
    let (at_once, _) = make(&request(5, "whole"), usize::MAX).unwrap();
    make(&request(2, "parts"), usize::MAX).unwrap();
    let more = RunRequest { resume: true, ..request(5, "parts") };
    let (results, _) = make(&more, usize::MAX).unwrap();
    assert_eq!(timeless(&results), timeless(&at_once));
    let record: RunRecord = read_json(&folder.path().join("parts/run.json"), Kind::Run).unwrap();
    assert_eq!(record.pass_k, 5);
    let fewer = RunRequest { resume: true, ..request(1, "parts") };
    let (again, attempted) = make(&fewer, usize::MAX).unwrap();
    assert_eq!((again, attempted), (results, Vec::new()), "nothing is lost");
    let record: RunRecord = read_json(&folder.path().join("parts/run.json"), Kind::Run).unwrap();
    assert_eq!(record.pass_k, 5, "the most");
}

#[test]
fn a_basin_run_has_no_pass_k() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = repeated(2, 1, &folder.path().join("RUN"));
    request.config.basin.seeds = Some(3);
    assert!(matches!(make(&request, usize::MAX), Err(RunError::PassKOfBasin)));
    request.pass_k = 1;
    let (results, _) = make(&request, usize::MAX).unwrap();
    assert_eq!(results.len(), 12, "a proof ends no other attempt");
}

#[test]
fn files_without_a_database_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(&["easy 1"], folder.path());
    for name in ["run.json", "results.jsonl"] {
        let file = folder.path().join(name);
        std::fs::write(&file, "precious").unwrap();
        for resume in [false, true] {
            request.resume = resume;
            let error = make(&request, usize::MAX).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains("--out"), "{error}");
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was made");
        std::fs::remove_file(&file).unwrap();
    }
}

#[test]
fn a_damaged_record_can_be_made_anew_and_a_damaged_database_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(&["easy 1"], folder.path());
    let (results, _) = make(&request, usize::MAX).unwrap();
    let (record, database) = (folder.path().join("run.json"), folder.path().join("run.db"));
    request.resume = true;
    std::fs::write(&record, "{").unwrap();
    let error = make(&request, usize::MAX).unwrap_err().to_string();
    assert!(error.contains("run.json") && error.contains("recreated"), "{error}");
    std::fs::remove_file(&record).unwrap();
    let error = RunFolder::read(folder.path()).unwrap_err().to_string();
    assert!(error.contains("run.json") && error.contains("--resume"), "{error}");
    assert_eq!(make(&request, usize::MAX).unwrap(), (results, Vec::new()));
    std::fs::write(&database, "").unwrap();
    let error = RunFolder::read(folder.path()).unwrap_err().to_string();
    assert!(error.contains("before it began"), "{error}");
    std::fs::write(&database, "garbage").unwrap();
    let error = make(&request, usize::MAX).unwrap_err().to_string();
    assert!(error.contains("run.db") && error.contains("damaged"), "{error}");
}

#[test]
fn a_run_is_read_where_nothing_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a run?#%20");
    let (results, _) = make(&request(&["easy 1"], &out), usize::MAX).unwrap();
    let allow = |mode| std::fs::set_permissions(&out, Permissions::from_mode(mode)).unwrap();
    allow(0o555);
    let read = RunFolder::read(&out).map(|run| run.results);
    allow(0o755);
    assert_eq!(read.unwrap(), results);
}

#[test]
fn ids_of_any_length_have_folders() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(&["easy 1", "easy 2", "easy 3"], folder.path());
    let ids = ["x".repeat(400), "x".repeat(401), "日".repeat(100)];
    for (problem, id) in request.problems.iter_mut().zip(&ids) {
        problem.theorem.id.clone_from(id);
    }
    let (results, _) = make(&request, usize::MAX).unwrap();
    assert_eq!(results.len(), 3);
    let run = RunFolder::read(folder.path()).unwrap();
    for id in &ids {
        assert!(run.attempt(id, 1).join("trace.jsonl").is_file(), "{id}");
    }
}

#[test]
fn two_programs_do_not_write_to_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let request = RunRequest { resume: true, ..request(&["easy 1"], folder.path()) };
    let inner = request.clone();
    let refused = Arc::new(Mutex::new(None));
    let sink = {
        let refused = Arc::clone(&refused);
        Arc::new(Mutex::new(move |_: &str, event: &Event| {
            if matches!(event, Event::AttemptStarted { .. }) {
                let inner = inner.clone();
                let made = std::thread::spawn(move || make(&inner, usize::MAX).map(drop));
                *refused.lock().unwrap() = Some(made.join().unwrap());
            }
        }))
    };
    block_on(run(&request, &CancellationToken::new(), sink)).unwrap();
    let error = refused.lock().unwrap().take().unwrap().unwrap_err();
    assert!(matches!(error, RunError::Busy(_)), "{error}");
    make(&request, usize::MAX).unwrap();
}

#[test]
fn a_forced_run_goes_on_and_its_record_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(&INSTANCES, folder.path());
    request.jobs = 1;
    make(&request, 2).unwrap();
    (request.resume, request.config.seed) = (true, 99);
    let error = make(&request, usize::MAX).unwrap_err().to_string();
    assert!(error.contains("seed: 0 → 99 (--seed)") && error.contains("--force"), "{error}");
    request.force = true;
    let (results, attempted) = make(&request, usize::MAX).unwrap();
    assert_eq!(attempted, ["easy-3", "easy-4"]);
    assert_eq!(results.iter().map(|r| r.seed).collect::<Vec<_>>(), [0, 0, 99, 99]);
    make(&request, usize::MAX).unwrap();
    let record: RunRecord = read_json(&folder.path().join("run.json"), Kind::Run).unwrap();
    assert_eq!(record.reconfigured.len(), 1, "said once");
    assert_eq!(record.reconfigured[0].config_digest, request.config.digest());
    assert_ne!(record.config_digest, request.config.digest());
    // The database knows with which configuration the run began.
    std::fs::remove_file(folder.path().join("run.json")).unwrap();
    make(&request, usize::MAX).unwrap();
    let anew: RunRecord = read_json(&folder.path().join("run.json"), Kind::Run).unwrap();
    assert_eq!((anew.config, anew.config_digest), (record.config, record.config_digest));
    assert_eq!(anew.reconfigured.len(), 1);
}

#[test]
fn results_of_theorems_that_are_left_out_wait_for_their_return() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(&INSTANCES, folder.path());
    let (all, _) = make(&request, usize::MAX).unwrap();
    request.resume = true;
    let few = RunRequest { problems: request.problems[..2].to_vec(), ..request.clone() };
    let (results, attempted) = make(&few, usize::MAX).unwrap();
    assert_eq!((&results[..], attempted.len()), (&all[..2], 0));
    assert_eq!(RunFolder::read(folder.path()).unwrap().results, results);
    let (results, attempted) = make(&request, usize::MAX).unwrap();
    assert_eq!((results, attempted), (all, Vec::new()));
}

#[test]
fn a_failure_of_the_machinery_is_shown_and_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(&["easy 1", "easy 2"], folder.path());
    let (mut results, _) = make(&request, usize::MAX).unwrap();
    results[0].outcome = Outcome::InfrastructureError;
    Store::open(&folder.path().join("run.db")).unwrap().update(&[&results[0]], &[]).unwrap();
    request.resume = true;
    let cancelled = CancellationToken::new();
    cancelled.cancel();
    let nothing = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
    assert_eq!(block_on(run(&request, &cancelled, nothing)).unwrap(), results, "it is shown");
    let (again, attempted) = make(&request, usize::MAX).unwrap();
    assert_eq!((attempted, again[0].outcome), (vec!["easy-1".to_owned()], Outcome::Accepted));
    assert_eq!(again[1], results[1]);
    assert_eq!(RunFolder::read(folder.path()).unwrap().results, again);
}

#[test]
fn only_the_files_asked_for_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    for (keep, proved, unproved) in
        [(Keep::All, true, true), (Keep::Proofs, true, false), (Keep::None, false, false)]
    {
        let out = folder.path().join(keep.name());
        let request = RunRequest { keep, ..repeated(1, 2, &out) };
        let (results, _) = make(&request, usize::MAX).unwrap();
        assert_eq!(RunFolder::read(&out).unwrap().results.len(), 4);
        for result in results {
            let files = out.join("theorems").join(&result.theorem).join("attempt-1/graph.json");
            let wanted = if result.outcome == Outcome::Accepted { proved } else { unproved };
            assert_eq!(files.exists(), wanted, "{} {}", keep.name(), result.theorem);
        }
    }
}

#[test]
fn a_file_that_was_never_finished_is_removed_when_its_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(&["easy 1"], folder.path());
    make(&request, usize::MAX).unwrap();
    let (left, other) = (folder.path().join(".andor-unfinished-x1Yz"), folder.path().join("notes.txt"));
    fs_err::write(&left, "{").unwrap();
    fs_err::write(&other, "mine").unwrap();
    request.resume = true;
    make(&request, usize::MAX).unwrap();
    assert!(!left.exists() && other.exists());
}

#[test]
fn a_stored_result_of_an_unknown_level_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    make(&request(&["easy 1"], folder.path()), usize::MAX).unwrap();
    let store = rusqlite::Connection::open(folder.path().join("run.db")).unwrap();
    let changed = store
        .execute("UPDATE attempts SET result = json_set(result, '$.verification_level', 7)", ())
        .unwrap();
    assert_eq!(changed, 1);
    drop(store);
    let error = RunFolder::read(folder.path()).err().unwrap().to_string();
    assert!(error.contains("run.db") && error.contains("unknown level of verification 7"), "{error}");
}
