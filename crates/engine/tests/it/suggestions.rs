//! Tactics that suggest others in their place, such as `exact?` of Lean.

use andor_system_lean::LEAN4;
use andor_system_mini::MINI;
use std::sync::Arc;

use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_artifact::trace::AttemptOutcome::{self, Cyclic, Failure, Success};
use andor_config::{Config, Expansion, Level};
use andor_core::theorem::Theorem;
use andor_engine::attempt::{self, AttemptRequest, Means};
use andor_engine::event::Event;
use andor_engine::interactive::Interactive;
use andor_engine::registry::{self, OwnParts};
use andor_env::environment::Environment;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::scripted::Scripted;
use andor_testkit::scripted::ScriptedEnvironment;
use andor_testkit::{block_on, lean, theorem};
use tokio_util::sync::CancellationToken;

/// Searches with some tactics. Returns the result and what became of each tactic, in order.
fn search(
    (theorem, environment): (Theorem, Arc<dyn Environment>),
    tactics: &[&str],
    change: impl FnOnce(&mut Config),
) -> (AttemptResult, Vec<(String, AttemptOutcome)>) {
    let mut config = Config::default();
    config.verify.level = Level::Compiled;
    change(&mut config);
    let means = Means {
        workers: Workers::new(environment, Grouping::Coupled),
        provider: Arc::new(Scripted::always(tactics)),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(&config).expect("constants need no file"),
        cancel: CancellationToken::new(),
    };
    let request = AttemptRequest { theorem, attempt: 1, role: Role::Configured, config, directory: None };
    let mut outcomes = Vec::new();
    let mut sink = |_: &str, event: &Event| {
        if let Event::Iteration(iteration) = event {
            outcomes.extend(iteration.attempts.iter().map(|a| (a.tactic.to_string(), a.outcome)));
        }
    };
    let result = block_on(attempt::run(&request, &means, &mut sink)).unwrap();
    (result, outcomes)
}

fn scripted(text: &str) -> (Theorem, Arc<dyn Environment>) {
    (theorem(MINI, "t", text), Arc::new(ScriptedEnvironment::default()))
}

fn named(outcomes: &[(String, AttemptOutcome)]) -> Vec<(&str, AttemptOutcome)> {
    outcomes.iter().map(|(tactic, outcome)| (tactic.as_str(), *outcome)).collect()
}

#[test]
fn a_tactic_gives_way_to_the_first_suggestion_that_holds() {
    let world = scripted("root: ask -> . ~ bad, good, other | bad -> !no | good -> . | other -> .");
    let (result, outcomes) = search(world, &["ask"], |_| {});
    assert_eq!((result.outcome, result.proof.as_deref()), (Outcome::Accepted, Some("good")));
    assert_eq!(named(&outcomes), [("bad", Failure), ("good", Success)]);
}

#[test]
fn a_tactic_stands_if_no_suggestion_of_it_holds() {
    let world = scripted("root: ask -> . ~ bad, worse | bad -> !no | worse -> %time");
    let (result, outcomes) = search(world, &["ask"], |_| {});
    assert_eq!(result.proof.as_deref(), Some("ask"));
    assert_eq!(named(&outcomes), [("bad", Failure), ("worse", AttemptOutcome::Timeout), ("ask", Success)]);
}

#[test]
fn what_a_failed_tactic_suggests_is_tried_next() {
    let world = scripted("root: ask -> !in part only ~ good | good -> a\na: done -> .");
    let (result, outcomes) = search(world, &["ask", "done"], |_| {});
    assert_eq!(result.proof.as_deref(), Some("good\ndone"));
    assert_eq!(named(&outcomes)[..2], [("ask", Failure), ("good", Success)]);
}

#[test]
fn every_suggestion_is_a_candidate_of_its_own() {
    let world = scripted(
        "root: ask -> a ~ one, two, back | one -> a | two -> b | back -> root\na: no -> !no\nb: done -> .",
    );
    let (result, outcomes) =
        search(world, &["ask", "two", "done"], |config| config.search.expand = Expansion::All);
    assert_eq!(result.proof.as_deref(), Some("two\ndone"));
    let at_root = &named(&outcomes)[..4];
    assert_eq!(at_root, [("one", Success), ("two", Success), ("back", Cyclic), ("done", Failure)]);
}

#[test]
fn a_suggestion_that_may_not_be_used_is_passed_over() {
    let world = || scripted("root: ask -> . ~ auto, good | auto -> . | good -> .");
    let (result, _) = search(world(), &["ask"], |config| config.tactics.block = vec!["auto".to_owned()]);
    assert_eq!(result.proof.as_deref(), Some("good"));
}

#[test]
fn scripts_are_written_with_the_suggestion() {
    let (theorem, environment) =
        scripted("root: split -> a b\na: ask -> . ~ good | good -> .\nb: ask -> . ~ bad");
    block_on(async {
        let own = OwnParts { environments: vec![environment], ..OwnParts::default() };
        let mut proof = Interactive::open(&theorem, &Config::default(), &own).await.unwrap();
        assert_eq!(&*proof.apply("split").await.unwrap().unwrap(), "split");
        assert_eq!(&*proof.apply("ask").await.unwrap().unwrap(), "good");
        assert_eq!(&*proof.apply("ask").await.unwrap().unwrap(), "ask");
    });
}

#[test]
fn what_lean_finds_goes_into_the_proof() {
    let statement = "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p";
    let world = (theorem(LEAN4, "t", statement), Arc::new(lean::environment()) as Arc<dyn Environment>);
    let (result, _) = search(world, &["constructor <;> exact?"], |_| {});
    let proof = "constructor <;> (first | exact h.right | exact h.left)";
    assert_eq!(result.proof.as_deref().map(str::trim), Some(proof));
}
