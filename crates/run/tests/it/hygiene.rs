//! What hygiene refuses in a real search, and how it is counted.

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::collections::BTreeMap;
use std::path::Path;

use andor_artifact::files::read_lines;
use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_artifact::trace::{AttemptOutcome, TraceEvent};
use andor_artifact::version::Kind;
use andor_config::{Config, Level, ProviderConfig, TacticConfig, VerifyConfig};
use andor_core::theorem::System;
use andor_dataset as dataset;
use andor_engine::attempt::{self, Means};
use andor_engine::event::Event;
use andor_engine::registry::{self, OwnParts};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::filters::HygieneRule;
use andor_testkit::block_on;
use tokio_util::sync::CancellationToken;

/// Proposes some tactics, equally likely, at every goal of a theorem; gives the result, and outcome and reason of every
/// tactic in the trace.
fn search(
    system: System,
    statement: &str,
    proposed: &[&str],
    tactics: TacticConfig,
) -> (AttemptResult, Vec<(String, AttemptOutcome, Option<String>)>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rules.json");
    let proposed: Vec<_> =
        proposed.iter().map(|tactic| serde_json::json!({"tactic": tactic, "log_prior": -1.0})).collect();
    fs_err::write(&path, serde_json::json!({"rules": [{"tactics": proposed}]}).to_string()).unwrap();
    let config = Config {
        providers: vec![ProviderConfig::Scripted { path }],
        verify: VerifyConfig { level: Level::Compiled, ..VerifyConfig::default() },
        tactics,
        ..Config::default()
    };
    config.validate().unwrap();
    let theorem = dataset::from_statement(system, statement, &[]).unwrap().theorem;
    let means = Means {
        workers: Workers::new(registry::environment(system, &config), Grouping::Coupled),
        provider: registry::provider(system, &config, &OwnParts::default()).unwrap(),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(&config).unwrap(),
        cancel: CancellationToken::new(),
    };
    let directory = Some(folder.path().to_owned());
    let request = attempt::AttemptRequest { theorem, attempt: 1, role: Role::Configured, config, directory };
    let result = block_on(attempt::run(&request, &means, &mut |_: &str, _: &Event| {})).unwrap();
    (result, attempts(folder.path()))
}

fn attempts(folder: &Path) -> Vec<(String, AttemptOutcome, Option<String>)> {
    let records = read_lines::<TraceEvent>(&folder.join("trace.jsonl"), Kind::Trace).unwrap().records;
    let attempts = records.into_iter().flat_map(|event| match event {
        TraceEvent::Iteration(iteration) => iteration.attempts,
        _ => Vec::new(),
    });
    attempts.map(|a| (a.tactic.to_string(), a.outcome, a.block_reason.map(|r| r.to_string()))).collect()
}

fn counts(counts: &[(&str, u64)]) -> BTreeMap<String, u64> {
    counts.iter().map(|(reason, count)| ((*reason).to_owned(), *count)).collect()
}

const PROPOSED: &[&str] = &[
    "exact sorry",
    "rcases h with ⟨?_, h2⟩",
    "simpa [h, _]",
    " exact sorry ",
    "nonsense",
    "omega",
    "exact h",
    "exact h",
];

const STATEMENT: &str = "theorem t (p q : Prop) (h : p ∧ q) : p ∧ q";

#[test]
fn refused_candidates_are_blocked_and_counted_by_rule() {
    let tactics = TacticConfig {
        block: vec!["omega".to_owned()],
        hygiene: vec![HygieneRule::new("own", Some(MINI), "^nonsense$", "it is").unwrap()],
        ..TacticConfig::default()
    };
    let (result, attempts) = search(MINI, STATEMENT, PROPOSED, tactics);
    assert_eq!(result.outcome, Outcome::Accepted);
    let blocked =
        |tactic: &str, reason: &str| (tactic.to_owned(), AttemptOutcome::Blocked, Some(reason.to_owned()));
    let expected = [
        blocked("exact sorry", "hygiene:sorry"),
        blocked("rcases h with ⟨?_, h2⟩", "hygiene:case-placeholder"),
        blocked("simpa [h, _]", "hygiene:simpa-placeholder"),
        blocked("nonsense", "hygiene:own"),
        blocked("omega", "tactic:omega"),
        ("exact h".to_owned(), AttemptOutcome::Success, None),
    ];
    assert_eq!(attempts, expected);
    let refusals = counts(&[
        ("hygiene:case-placeholder", 1),
        ("hygiene:own", 1),
        ("hygiene:simpa-placeholder", 1),
        ("hygiene:sorry", 1),
        ("tactic:omega", 1),
    ]);
    assert_eq!(result.refusals, refusals);
    assert_eq!((result.spent.blocked, result.spent.duplicates, result.spent.candidates), (5, 2, 1));
}

#[test]
fn without_hygiene_the_assistant_says_no() {
    let tactics = TacticConfig { no_hygiene: true, ..TacticConfig::default() };
    let (result, attempts) = search(MINI, STATEMENT, PROPOSED, tactics);
    assert_eq!(result.outcome, Outcome::Accepted);
    assert!(
        attempts.iter().all(|(_, outcome, reason)| *outcome != AttemptOutcome::Blocked && reason.is_none())
    );
    let failed = attempts.iter().filter(|(_, outcome, _)| *outcome == AttemptOutcome::Failure);
    assert_eq!(failed.count(), 5, "{attempts:?}");
    assert_eq!((result.refusals, result.spent.blocked), (BTreeMap::new(), 0));
}

#[test]
fn hygiene_of_rocq() {
    let proposed = ["admit", "Admitted", "Abort", "give_up", "idtac \"give_up\"; exact I"];
    let (result, attempts) = search(ROCQ, "True", &proposed, TacticConfig::default());
    assert_eq!(result.outcome, Outcome::Accepted, "{attempts:?}");
    let reasons = ["admit", "admitted", "abort", "give-up"].map(|rule| format!("hygiene:{rule}"));
    let found: Vec<String> = attempts.into_iter().filter_map(|(_, _, reason)| reason).collect();
    assert_eq!(found, reasons);
    assert_eq!(result.refusals.values().sum::<u64>(), 4);
}
