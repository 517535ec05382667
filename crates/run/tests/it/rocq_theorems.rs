//! From statements to accepted proofs with the real Rocq: theorems of many kinds, end to end.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use andor_artifact::result::{AttemptResult, Outcome};
use andor_config::{BudgetConfig, Config, Level, LoadPath, VerifyConfig};
use andor_dataset as dataset;
use andor_engine::event::Event;
use andor_process::{ChildSpec, ResourceLimits, run_to_end};
use andor_run::blueprint;
use andor_run::orchestrate::{RunRequest, run};
use andor_system_rocq::Binding;
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
    let problems = dataset::read(&path, None, None).expect("the file is well-formed").problems;
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

/// Compiles a module of a project, with a text.
fn compile(folder: &Path, text: &str) {
    std::fs::write(folder.join("Sib.v"), text).expect("the folder is ours");
    let spec = ChildSpec {
        program: "coqc".to_owned(),
        args: ["-q", "-Q", ".", "P", "Sib.v"].map(str::to_owned).to_vec(),
        env: Vec::new(),
        directory: folder.to_owned(),
        limits: ResourceLimits::default(),
    };
    let compiled = block_on(run_to_end(&spec, "compiling a module", Duration::from_secs(300), 1 << 20));
    assert_eq!(compiled.expect("coqc is installed").exit.code, Some(0));
}

#[test]
fn a_result_counts_as_long_as_the_modules_of_the_project_are_the_same() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| folder.path().join(name);
    let bound = LoadPath { binding: Binding::Q, folder: folder.path().to_owned(), name: "P".to_owned() };
    let budget = BudgetConfig { max_candidates: Some(30), ..BudgetConfig::default() };
    let config = Config { load_path: vec![bound], budget, ..config() };
    let (header, statement) = ("From P Require Import Sib.\n", "Theorem goal : Claim.");
    std::fs::write(path("goal.v"), format!("{header}{statement}\nAdmitted.\n")).expect("the folder is ours");
    let text = format!(
        "system = \"rocq\"\nheader = '''{header}'''\n[[nodes]]\nname = \"goal\"\nstatement = \"{statement}\"\n"
    );
    std::fs::write(path("goal.toml"), text).expect("the folder is ours");
    let request = |out: &str, resume| RunRequest {
        out: Some(path(out)),
        resume,
        ..RunRequest::new(
            dataset::read(&path("goal.v"), None, None).expect("it is read").problems,
            config.clone(),
        )
    };
    let began = Arc::new(Mutex::new(0));
    let made = |resume| {
        let count = Arc::clone(&began);
        let sink = Arc::new(Mutex::new(move |_: &str, event: &Event| {
            *count.lock().expect("nobody panics") += i32::from(matches!(event, Event::AttemptStarted { .. }));
        }));
        *began.lock().expect("nobody panics") = 0;
        let cancel = CancellationToken::new();
        let alone = block_on(run(&request("RUN", resume), &cancel, sink.clone())).expect("it can be run");
        let nodes = blueprint::read(&path("goal.toml"), None).expect("it is read");
        let request = request("NODES", resume);
        let nodes = block_on(blueprint::run(&request, nodes, &cancel, sink)).expect("it can be run").results;
        let outcomes = [&alone, &nodes].map(|results| results[0].outcome);
        (outcomes, alone[0].modules_digest.clone(), *began.lock().expect("nobody panics"))
    };
    compile(folder.path(), "Definition Claim : Prop := True.\n");
    let (outcomes, digest, _) = made(false);
    assert_eq!((outcomes, digest.is_some()), ([Outcome::Accepted; 2], true));
    assert_eq!(made(true), ([Outcome::Accepted; 2], digest.clone(), 0));
    compile(folder.path(), "Definition Claim : Prop := False.\n");
    let (outcomes, other, began) = made(true);
    assert_eq!((outcomes, other != digest), ([Outcome::NotProved; 2], true));
    assert!(began >= 2, "{began}");
}
