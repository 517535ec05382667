//! Runs that repeat theorems under several seeds.

use andor_system_mini::MINI;
use andor_system_synthetic::SYNTHETIC;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use andor_artifact::basin::{BasinRecord, LeftOut};
use andor_artifact::files::{read_json, read_lines};
use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_artifact::trace::TraceEvent;
use andor_artifact::version::Kind;
use andor_config::{BasinConfig, BudgetConfig, Config, Level, Selection, VerifyConfig};
use andor_dataset::{self as dataset, Problem};
use andor_engine::attempt::{self, AttemptRequest, Means};
use andor_engine::event::Event;
use andor_engine::registry;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::scripted;
use andor_run::basin::{summarise, trials};
use andor_run::orchestrate::{RunRequest, run};
use andor_testkit::scripted::ScriptedEnvironment;
use andor_testkit::{block_on, theorem};
use tokio_util::sync::CancellationToken;

fn synthetic(instances: &[&str]) -> Vec<Problem> {
    let problem = |text: &&str| dataset::from_statement(SYNTHETIC, text, &[]).expect("it is an instance");
    instances.iter().map(problem).collect()
}

fn request(problems: Vec<Problem>, seeds: u32, blind: bool, out: Option<PathBuf>) -> RunRequest {
    let config = Config {
        seed: 7,
        budget: BudgetConfig { max_iterations: Some(60), ..BudgetConfig::default() },
        verify: VerifyConfig { level: Level::Compiled, ..VerifyConfig::default() },
        basin: BasinConfig { seeds: Some(seeds), blind, ..BasinConfig::default() },
        ..Config::default()
    };
    config.validate().expect("the configuration is valid");
    RunRequest { out, ..RunRequest::new(problems, config) }
}

/// Makes a run; returns its results, without times, and the names of the attempts that were begun. Cancels it
/// when as many are finished.
fn make(request: &RunRequest, limit: usize) -> (Vec<AttemptResult>, Vec<String>) {
    let cancel = CancellationToken::new();
    let begun = Arc::new(Mutex::new(Vec::new()));
    let sink = {
        let (begun, cancel) = (Arc::clone(&begun), cancel.clone());
        let mut finished = 0;
        Arc::new(Mutex::new(move |name: &str, event: &Event| match event {
            Event::AttemptStarted { .. } => begun.lock().expect("no thread panics").push(name.to_owned()),
            Event::AttemptFinished(_) => {
                finished += 1;
                if finished == limit {
                    cancel.cancel();
                }
            }
            _ => {}
        }))
    };
    let results = block_on(run(request, &cancel, sink)).expect("the run can be made");
    let results = results.into_iter().map(AttemptResult::without_timings).collect();
    let begun = begun.lock().expect("no thread panics").clone();
    (results, begun)
}

fn record(out: &Path) -> BasinRecord {
    read_json(&out.join("basin.json"), Kind::Basin).expect("the record is there")
}

#[test]
fn every_theorem_is_tried_under_every_seed_by_both_searches() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(synthetic(&["easy 1", "easy 3"]), 3, true, Some(folder.path().to_owned()));
    let (results, begun) = make(&request, usize::MAX);
    assert_eq!(begun.len(), 12);
    assert_eq!(
        begun[..5],
        [
            "easy-1, attempt 1",
            "easy-3, attempt 1",
            "easy-1, attempt 4 (blind)",
            "easy-3, attempt 4 (blind)",
            "easy-1, attempt 2",
        ]
    );
    let made: Vec<(&str, u32, Role, u64)> =
        results.iter().map(|r| (r.theorem.as_str(), r.attempt, r.role, r.seed)).collect();
    let (own, blind) = (Role::Configured, Role::Blind);
    let expected = [(1, own, 7), (2, own, 8), (3, own, 9), (4, blind, 7), (5, blind, 8), (6, blind, 9)];
    let expected = ["easy-1", "easy-3"].map(|t| expected.map(|(n, role, seed)| (t, n, role, seed)));
    assert_eq!(made, expected.concat());
    for id in ["easy-1", "easy-3"] {
        for attempt in 1..=6 {
            let trace =
                folder.path().join("theorems").join(id).join(format!("attempt-{attempt}/trace.jsonl"));
            assert!(
                read_lines::<TraceEvent>(&trace, Kind::Trace).unwrap().records.len() > 1,
                "{id} {attempt}"
            );
        }
    }
    let record = record(folder.path());
    let ids: Vec<&str> = record.theorems.iter().map(|t| t.theorem.as_deref().unwrap()).collect();
    assert_eq!((record.seed, record.seeds, ids), (7, 3, vec!["easy-1", "easy-3"]));
    assert_eq!(record, summarise(&request.config, &["easy-1", "easy-3"], &results));
    assert_eq!(record.all.cost.unwrap().pairs, 6);
    assert!(record.all.configured.solved > record.all.blind.unwrap().solved);
    // One attempt of a basin run is the run of its own configuration.
    request.config = Config { seed: 8, basin: BasinConfig::default(), ..request.config };
    request.out = None;
    let (alone, begun) = make(&request, usize::MAX);
    assert_eq!(begun, ["easy-1", "easy-3"]);
    assert_eq!(AttemptResult { attempt: 2, ..alone[1].clone() }, results[7]);
    request.config.search.policy = Selection::BlindUniform;
    let (alone, _) = make(&request, usize::MAX);
    assert_eq!(AttemptResult { attempt: 5, role: Role::Blind, ..alone[1].clone() }, results[10]);
}

#[test]
fn a_resumed_run_ends_like_one_that_was_not_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, torn) = (folder.path().join("WHOLE"), folder.path().join("TORN"));
    let problems = synthetic(&["easy 1", "easy 2", "easy 3"]);
    let (expected, _) = make(&request(problems.clone(), 2, true, Some(whole.clone())), usize::MAX);
    let mut request = request(problems, 2, true, Some(torn.clone()));
    let (first, begun) = make(&request, 5);
    assert_eq!((first.len(), begun.len()), (5, 5));
    assert_eq!(record(&torn).all.configured.attempts, 3);
    request.resume = true;
    let (second, begun) = make(&request, 4);
    assert_eq!((second.len(), begun.len()), (9, 4));
    request.jobs = 3;
    let (third, begun) = make(&request, usize::MAX);
    assert_eq!((third, begun.len()), (expected.clone(), 3));
    assert_eq!(record(&torn), record(&whole));
    let (again, begun) = make(&request, usize::MAX);
    assert_eq!((again, begun), (expected, Vec::new()));
}

#[test]
fn theorems_of_an_example_are_proved_under_every_seed() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/logic.lean");
    let mut problems = dataset::read(&file, None, None).unwrap().problems;
    problems.retain(|p| ["weakening", "both_hold"].contains(&p.theorem.name.as_str()));
    let (results, _) = make(&request(problems, 2, true, None), usize::MAX);
    assert_eq!(results.len(), 8);
    assert!(results.iter().all(|r| r.outcome == Outcome::Accepted), "{results:?}");
}

#[test]
fn attempts_that_the_machinery_fails_are_counted_apart() {
    let mut request = request(Vec::new(), 3, true, None);
    request.config.workers.max_restarts = 2;
    let means = Means {
        workers: Workers::new(Arc::new(ScriptedEnvironment::default()), Grouping::Coupled),
        provider: Arc::new(scripted::Scripted::always(&["split", "done", "die"])),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(&request.config).unwrap(),
        cancel: CancellationToken::new(),
    };
    let worlds = [
        ("sound", "root: split -> a b\na: done -> .\nb: done -> ."),
        ("broken", "root: split -> %crash | done -> %crash | die -> %crash"),
    ];
    let mut results = Vec::new();
    for (name, world) in worlds {
        for trial in trials(&request.config) {
            let theorem = theorem(MINI, name, world);
            let request = AttemptRequest {
                theorem,
                attempt: trial.attempt,
                role: trial.role,
                config: trial.config,
                directory: None,
            };
            let mut ignored = |_: &str, _: &Event| {};
            results.push(block_on(attempt::run(&request, &means, &mut ignored)).unwrap());
        }
    }
    let record = summarise(&request.config, &["sound", "broken"], &results);
    let [sound, broken] = &record.theorems[..] else { panic!("{record:?}") };
    assert_eq!((sound.configured.solved, sound.configured.attempts), (3, 3));
    assert_eq!(sound.cost.unwrap().pairs, 3);
    for search in [&broken.configured, broken.blind.as_ref().unwrap()] {
        assert_eq!((search.attempts, search.solved_share), (0, None));
        assert_eq!(search.left_out, LeftOut { infrastructure: 3, ..LeftOut::default() });
    }
    assert_eq!((broken.cost.unwrap().pairs, broken.cost.unwrap().k), (0, None));
    assert_eq!((record.all.configured.attempts, record.all.configured.left_out.infrastructure), (3, 3));
}
