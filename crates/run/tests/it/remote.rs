//! Attempts made elsewhere: by a driver that gets lines, as another process would.

use andor_system_synthetic::SYNTHETIC;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, Weak};

use andor_artifact::result::{AttemptResult, Outcome, Timing};
use andor_config::{BudgetConfig, Config};
use andor_dataset::{self as dataset, Problem};
use andor_engine::attempt::Shared;
use andor_engine::event::Event;
use andor_engine::registry::OwnParts;
use andor_run::job::{Job, Workshop};
use andor_run::orchestrate::{RunError, RunRequest, run};
use andor_run::remote::{Beginning, Remote};
use andor_testkit::block_on;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

fn problems() -> Vec<Problem> {
    let of = |statement: &str| {
        let mut problem = dataset::from_statement(SYNTHETIC, statement, &[]).unwrap();
        problem.theorem.id = statement.replace(' ', "-");
        problem
    };
    ["easy 1", "medium 2", "medium 3", "hard 4"].map(of).into()
}

fn request(out: &Path) -> RunRequest {
    let budget = BudgetConfig { max_iterations: Some(40), ..BudgetConfig::default() };
    let config = Config { budget, ..Config::default() };
    RunRequest { pass_k: 3, jobs: 2, out: Some(out.to_owned()), ..RunRequest::new(problems(), config) }
}

fn make(request: &RunRequest) -> Result<Vec<AttemptResult>, RunError> {
    let nothing = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
    block_on(run(request, &CancellationToken::new(), nothing))
}

fn timeless(results: Vec<AttemptResult>) -> Vec<AttemptResult> {
    let without = |result: AttemptResult| AttemptResult { timing: Timing::default(), ..result };
    let mut results: Vec<AttemptResult> = results.into_iter().map(without).collect();
    for result in &mut results {
        // Which worker was warm depends on the order.
        result.spent.workers_started = 0;
        result.spent.workers_reused = 0;
        result.proof_steps.iter_mut().for_each(|step| step.took_ms = 0.0);
    }
    results
}

/// What a driver does with a job, by its number.
type Does = fn(u64, Value) -> Value;

/// A request whose attempts are made by a driver with a workshop of its own. It answers in the order that `does` says.
fn elsewhere(request: RunRequest, does: Does) -> (RunRequest, Arc<Mutex<Vec<String>>>) {
    let (send, mut lines) = mpsc::unbounded_channel::<String>();
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let driver: Arc<OnceLock<Weak<Remote>>> = Arc::default();
    let answers = Arc::clone(&driver);
    let remote = Arc::new(Remote::new(move |line: &str| {
        heard.lock().unwrap().push(line.to_owned());
        let _ = send.send(line.to_owned());
    }));
    driver.set(Arc::downgrade(&remote)).unwrap();
    let say = move |line: &Value| {
        if let Some(remote) = answers.get().unwrap().upgrade() {
            remote.receive(&line.to_string());
        }
    };
    std::thread::spawn(move || {
        block_on(async move {
            let mut workshop = None;
            while let Some(line) = lines.recv().await {
                let line: Value = serde_json::from_str(&line).unwrap();
                if let Some(begin) = line.get("begin") {
                    let begin: Beginning = serde_json::from_value(begin.clone()).unwrap();
                    let own = OwnParts::default();
                    let made = Workshop::new(begin.systems().unwrap(), &begin.config, 1, &own).unwrap();
                    let found = made.probe(begin.config.verify).await.unwrap();
                    workshop = Some(made);
                    say(&json!({ "worker": { "name": "w", "found": found } }));
                    say(&json!({ "ready": 3 }));
                } else if let Some(number) = line.get("job").and_then(Value::as_u64) {
                    let job: Job = serde_json::from_value(line["attempt"].clone()).unwrap();
                    let folder: Option<PathBuf> = serde_json::from_value(line["folder"].clone()).unwrap();
                    let workshop = workshop.as_ref().unwrap();
                    let cancel = CancellationToken::new();
                    let result = workshop
                        .make(job, folder, Shared::default(), cancel, &mut |_: &str, _: &Event| {})
                        .await;
                    say(&does(number, json!({ "done": number, "result": result.unwrap() })));
                }
            }
        });
    });
    (RunRequest { remote: Some(remote), ..request }, told)
}

fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let (mut found, mut waiting) = (BTreeSet::new(), vec![folder.to_owned()]);
    while let Some(at) = waiting.pop() {
        for entry in std::fs::read_dir(&at).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => waiting.push(path),
                false => drop(found.insert(path.strip_prefix(folder).unwrap().to_owned())),
            }
        }
    }
    found
}

#[test]
fn attempts_made_elsewhere_are_those_made_here() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    let expected = make(&request(&here)).unwrap();
    let (elsewhere, told) = elsewhere(request(&there), |_, answer| answer);
    assert_eq!(timeless(make(&elsewhere).unwrap()), timeless(expected));
    assert_eq!(files(&there), files(&here));
    assert_eq!(told.lock().unwrap().last().unwrap(), r#"{"end":true}"#);
}

#[test]
fn what_is_given_up_elsewhere_is_a_technical_failure() {
    let folder = tempfile::tempdir().unwrap();
    let lost: Does = |number, answer| match number {
        1 => json!({ "done": 1, "lost": "the worker is gone" }),
        _ => answer,
    };
    let results = make(&elsewhere(request(folder.path()), lost).0).unwrap();
    assert_eq!(results[0].outcome, Outcome::InfrastructureError);
    assert_eq!(results[0].infrastructure_error.as_deref(), Some("the worker is gone"));
    // It is repeated, and nothing else is.
    let (again, told) = elsewhere(RunRequest { resume: true, ..request(folder.path()) }, |_, answer| answer);
    let expected = make(&request(&folder.path().join("other"))).unwrap();
    assert_eq!(timeless(make(&again).unwrap()), timeless(expected));
    let jobs = told.lock().unwrap().iter().filter(|line| line.contains(r#""job":"#)).count();
    assert!(jobs <= 3, "the theorem whose attempt was lost: {told:?}");
}

#[test]
fn a_driver_that_fails_loses_nothing_that_arrived() {
    let folder = tempfile::tempdir().unwrap();
    let fails: Does = |number, answer| match number {
        4.. => json!({ "failed": "no cluster any more" }),
        _ => answer,
    };
    let error = make(&elsewhere(request(folder.path()), fails).0).unwrap_err();
    assert!(matches!(&error, RunError::Remote(why) if why == "no cluster any more"), "{error}");
    let (again, told) = elsewhere(RunRequest { resume: true, ..request(folder.path()) }, |_, answer| answer);
    let expected = make(&request(&folder.path().join("other"))).unwrap();
    assert_eq!(timeless(make(&again).unwrap()), timeless(expected.clone()));
    let jobs = told.lock().unwrap().iter().filter(|line| line.contains(r#""job":"#)).count();
    // Those after an accepted one may have been under way.
    assert!(jobs >= expected.len() - 3 && jobs <= 3 * problems().len() - 3, "{jobs}");
}

#[test]
fn another_version_elsewhere_is_noticed() {
    for (does, said) in [
        ((|_, _| json!({ "done": 1, "result": { "theorem": "x" } })) as Does, "cannot be read"),
        (
            |number, mut answer| {
                answer["result"]["config_digest"] = json!("0000");
                answer["done"] = json!(number);
                answer
            },
            "another attempt",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let error = make(&elsewhere(request(folder.path()), does).0).unwrap_err();
        assert!(matches!(&error, RunError::Remote(why) if why.contains(said)), "{error}");
    }
}

#[test]
fn what_takes_this_process_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let latencies = Some(folder.path().join("latencies"));
    let request = RunRequest { record_latencies: latencies, ..request(&folder.path().join("out")) };
    let error = make(&elsewhere(request, |_, answer| answer).0).unwrap_err();
    assert!(matches!(error, RunError::NotElsewhere("--record-latencies")), "{error}");
    assert!(!folder.path().join("out").exists());
}
