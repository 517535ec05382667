//! The heuristics prove the examples of `mini`.

use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_artifact::result::Outcome;
use andor_config::{BudgetConfig, Config};
use andor_dataset::{self as dataset, Problem};
use andor_engine::event::Event;
use andor_run::orchestrate::{RunRequest, run};
use andor_testkit::block_on;
use tokio_util::sync::CancellationToken;

/// Some theorems of an example file.
fn examples(file: &str, names: &[&str]) -> Vec<Problem> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let mut problems = dataset::read(&path, None, None).unwrap().problems;
    problems.retain(|p| names.contains(&p.theorem.name.as_str()));
    assert_eq!(problems.len(), names.len(), "{file}");
    problems
}

#[test]
fn examples_are_proved_without_options() {
    let problems = [
        examples("logic.lean", &["and_swap", "or_weaken", "neither_of_two", "peirce_law"]),
        examples("quantifiers.lean", &["somes_swap", "serial_reflexive", "exception_exists"]),
        examples("equality.lean", &["chain_of_three", "undone_twice", "pair_parts_equal"]),
        examples("lists.lean", &["append_empty", "fold_rebuilds"]),
        examples("nat.lean", &["add_comm_nat", "even_sum", "divides_sum"]),
        examples("sets_as_predicates.lean", &["union_with_itself", "included_in_apart"]),
    ];
    let budget = BudgetConfig { time_s: None, max_candidates: Some(1000), ..BudgetConfig::default() };
    let config = Config { budget, ..Config::default() };
    let request = RunRequest { jobs: 2, ..RunRequest::new(problems.concat(), config) };
    let silent = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
    let results = block_on(run(&request, &CancellationToken::new(), silent)).unwrap();
    for result in results {
        assert_eq!(result.outcome, Outcome::Accepted, "{}: {:?}", result.theorem, result.rejected_claims);
    }
}

#[test]
fn equal_searches_write_equal_traces() {
    let trace = || {
        let folder = tempfile::tempdir().unwrap();
        let budget = BudgetConfig { time_s: None, max_candidates: Some(200), ..BudgetConfig::default() };
        let request = RunRequest {
            out: Some(folder.path().join("RUN")),
            ..RunRequest::new(examples("nat.lean", &["odd_sum"]), Config { budget, ..Config::default() })
        };
        let silent = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
        block_on(run(&request, &CancellationToken::new(), silent)).unwrap();
        fs_err::read_to_string(folder.path().join("RUN/theorems/odd_sum/attempt-1/trace.jsonl")).unwrap()
    };
    assert_eq!(trace(), trace());
}
