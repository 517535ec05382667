//! Lean files are read as problems of `mini`, and their theorems proved.

use andor_system_mini::MINI;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use andor_artifact::result::Outcome;
use andor_config::{BudgetConfig, Config, ProviderConfig};
use andor_dataset::{self as dataset, Problem};
use andor_engine::event::Event;
use andor_engine::judge::{self, Verdict};
use andor_run::orchestrate::{RunRequest, run};
use andor_testkit::block_on;
use tokio_util::sync::CancellationToken;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn request(problems: Vec<Problem>, out: Option<PathBuf>) -> RunRequest {
    let config = Config {
        providers: vec![ProviderConfig::Scripted { path: data("rules.json") }],
        budget: BudgetConfig { max_candidates: Some(500), ..BudgetConfig::default() },
        ..Config::default()
    };
    RunRequest { jobs: 2, out, ..RunRequest::new(problems, config) }
}

#[test]
fn unfinished_theorems_of_a_file_are_its_problems() {
    let problems = dataset::read(&data("theorems.lean"), None, None).unwrap().problems;
    let names: Vec<&str> = problems.iter().map(|p| p.theorem.name.as_str()).collect();
    assert_eq!(names, ["and_swap", "or_swap", "_example_1", "twice_both", "witness", "unreachable"]);
    let text = fs_err::read_to_string(data("theorems.lean")).unwrap();
    for problem in &problems {
        let theorem = &problem.theorem;
        assert_eq!((theorem.system, theorem.footer.as_str()), (MINI, ""));
        assert!(text.contains(&format!("{} :=", theorem.statement)), "byte for byte: {}", theorem.name);
        assert!(theorem.header.contains("def Both"), "{}", theorem.header);
        assert!(!theorem.header.contains("sorry"), "{}", theorem.header);
    }
}

#[test]
fn theorems_of_a_file_are_proved_and_judged() {
    let problems = dataset::read(&data("theorems.lean"), None, None).unwrap().problems;
    let folder = tempfile::tempdir().unwrap();
    let silent = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
    let request = request(problems, Some(folder.path().join("RUN")));
    let results = block_on(run(&request, &CancellationToken::new(), silent)).unwrap();
    for result in &results {
        let expected = if result.theorem == "unreachable" { Outcome::NotProved } else { Outcome::Accepted };
        assert_eq!(result.outcome, expected, "{}: {:?}", result.theorem, result.rejected_claims);
        let Some(source) = &result.source else { continue };
        let file = folder.path().join("RUN/theorems").join(&result.theorem).join("attempt-1/proof.lean");
        assert_eq!(&fs_err::read_to_string(&file).unwrap(), source);
        let named = [result.theorem.clone()];
        let request =
            judge::Request { file: &file, system: None, theorems: &named, statement_from: None, prelude: "" };
        let judged = block_on(judge::file(request, &Config::default())).unwrap();
        assert!(matches!(judged.verdict, Verdict::Accepted { .. }), "{:?}\n{source}", judged.verdict);
    }
}

#[test]
fn equal_runs_write_equal_traces() {
    let trace = || {
        let folder = tempfile::tempdir().unwrap();
        let mut problems = dataset::read(&data("theorems.lean"), None, None).unwrap().problems;
        problems.retain(|p| p.theorem.name == "witness");
        let silent = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
        let request = request(problems, Some(folder.path().join("RUN")));
        block_on(run(&request, &CancellationToken::new(), silent)).unwrap();
        fs_err::read_to_string(folder.path().join("RUN/theorems/witness/attempt-1/trace.jsonl")).unwrap()
    };
    assert_eq!(trace(), trace());
}

#[test]
fn statements_are_completed() {
    let problem = |statement: &str, imports: &[&str]| {
        let imports: Vec<String> = imports.iter().map(|i| (*i).to_owned()).collect();
        dataset::from_statement(MINI, statement, &imports).unwrap().theorem
    };
    let bare = problem("∀ p : Prop, p → p", &["def a : Nat := 1"]);
    assert_eq!((bare.name.as_str(), bare.header.as_str()), ("goal", "def a : Nat := 1\n"));
    assert_eq!(bare.statement, "theorem goal : ∀ p : Prop, p → p");
    assert_eq!(problem("lemma l (n : Nat) : n = n := by sorry", &[]).name, "l");
    assert_eq!(problem("example : True", &[]).name, "_example_1");
    assert!(dataset::from_statement(MINI, "theorem t : (", &[]).is_err());
}
