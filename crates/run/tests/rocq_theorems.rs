//! From statements to accepted proofs with the real Rocq: theorems of many kinds, end to end.

use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_artifact::result::{AttemptResult, Outcome};
use andor_config::{BudgetConfig, Config, Level, VerifyConfig};
use andor_dataset as dataset;
use andor_engine::event::Event;
use andor_run::orchestrate::{RunRequest, run};
use andor_testkit::block_on;
use tokio_util::sync::CancellationToken;

/// A budget in tactics rather than seconds, so that a slow machine finds the same. What this is about is the search;
/// higher levels of verification have tests of their own.
fn config() -> Config {
    let budget = BudgetConfig { max_candidates: Some(3000), ..BudgetConfig::default() };
    let verify = VerifyConfig { level: Level::Compiled, ..VerifyConfig::default() };
    Config { budget, verify, ..Config::default() }
}

fn prove(problems: Vec<dataset::Problem>, config: Config) -> Vec<AttemptResult> {
    let request = RunRequest { jobs: 2, ..RunRequest::new(problems, config) };
    let silent = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
    block_on(run(&request, &CancellationToken::new(), silent)).expect("the run is possible")
}

#[test]
fn theorems_of_many_kinds_are_proved() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/theorems.v");
    let problems = dataset::read(&path, None).expect("the file is well-formed").problems;
    assert!(problems.len() >= 40, "{} theorems", problems.len());
    let names: Vec<String> = problems.iter().map(|p| p.theorem.name.clone()).collect();
    let results = prove(problems, config());
    let failed: Vec<String> = results
        .iter()
        .filter(|r| r.outcome != Outcome::Accepted)
        .map(|r| format!("{}: {:?} {} {:?}", r.theorem, r.outcome, r.stop_reason, r.rejected_claims))
        .collect();
    assert!(failed.is_empty(), "{} of {} not proved:\n{}", failed.len(), names.len(), failed.join("\n"));
    for result in &results {
        assert_eq!(result.verification_level, Some(1), "{}", result.theorem);
        assert_eq!(result.axioms, Vec::<String>::new(), "{}", result.theorem);
    }
}
