//! What the result of an attempt says of its proof and of the search that found it.

use andor_system_mini::MINI;
use std::sync::Arc;

use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_artifact::trace::{AttemptOutcome, Iteration};
use andor_config::{Config, Expansion, Selection};
use andor_core::tree::Status;
use andor_engine::attempt::{self, Means};
use andor_engine::event::Event;
use andor_engine::registry;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::scripted;
use andor_testkit::scripted::ScriptedEnvironment;
use andor_testkit::{block_on, theorem};
use tokio_util::sync::CancellationToken;

/// Every candidate is tried at every node, so that what failed does not hang on luck.
fn attempt(world: &str, tactics: &[&str], grouping: Grouping) -> (AttemptResult, Vec<Iteration>) {
    let means = Means {
        workers: Workers::new(Arc::new(ScriptedEnvironment::default()), grouping),
        provider: Arc::new(scripted::Scripted::always(tactics)),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(&Config::default()).unwrap(),
        cancel: CancellationToken::new(),
    };
    // The seed decides between equals; with this one, the first goal of two comes first.
    let mut config = Config { seed: 1, ..Config::default() };
    config.workers.tactic_timeout_s = 1.0;
    (config.search.policy, config.search.expand) = (Selection::BestFirst, Expansion::All);
    let request = attempt::AttemptRequest {
        theorem: theorem(MINI, "t", world),
        attempt: 1,
        role: Role::Configured,
        config,
        directory: None,
    };
    let mut iterations = Vec::new();
    let mut sink = |_: &str, event: &Event| {
        if let Event::Iteration(iteration) = event {
            iterations.push((**iteration).clone());
        }
    };
    (block_on(attempt::run(&request, &means, &mut sink)).unwrap(), iterations)
}

fn pairs(result: &AttemptResult) -> Vec<(&str, &str, &str)> {
    let pairs = result.preference_pairs.iter();
    pairs.map(|p| (p.state.as_str(), p.chosen.as_str(), p.rejected.as_str())).collect()
}

const WORLD: &str = "
    root: bad -> !no | loop -> root | slow -> %time | split -> a b
    a: bad -> !no | crash -> %crash | other -> c | done -> .
    b: spin -> %cpu | done -> .
    c: bad -> !no";

const TACTICS: &[&str] = &["bad", "loop", "slow", "crash", "spin", "two\nlines", "split", "other", "done"];

#[test]
fn pairs_hold_what_was_refused_or_over_time_along_the_proof_and_nothing_else() {
    let (result, iterations) = attempt(WORLD, TACTICS, Grouping::Coupled);
    assert_eq!(result.outcome, Outcome::Accepted);
    let steps: Vec<(&str, &str)> =
        result.proof_steps.iter().map(|s| (s.state.as_str(), s.tactic.as_str())).collect();
    assert_eq!(steps, [("⊢ root", "split"), ("⊢ a", "done"), ("⊢ b", "done")]);
    assert_eq!(result.proof.as_deref(), Some("split\ndone\ndone"));
    assert!(result.proof_steps.iter().all(|s| s.log_prior <= 0.0 && s.took_ms >= 0.0));
    // `loop` succeeds but is cyclic, `crash` loses workers, `two lines` never reached one, and `c` is not in the proof.
    for (state, chosen, rejected, expected) in [
        ("⊢ root", "split", "bad", true),
        ("⊢ root", "split", "slow", true),
        ("⊢ root", "split", "loop", false),
        ("⊢ root", "split", "two\nlines", false),
        ("⊢ a", "done", "bad", true),
        ("⊢ a", "done", "crash", false),
        ("⊢ a", "done", "other", false),
        ("⊢ b", "done", "spin", true),
    ] {
        assert_eq!(
            pairs(&result).contains(&(state, chosen, rejected)),
            expected,
            "{state} {rejected}: {:?}",
            pairs(&result)
        );
    }
    // The trace says the same: all that failed at nodes of the proof, but for what the assistant did not refuse.
    let mut from_trace: Vec<(String, String)> = iterations
        .iter()
        .filter(|i| steps.iter().any(|(state, _)| *state == format!("⊢ {}", i.node.goal_type)))
        .flat_map(|i| i.attempts.iter().map(move |a| (format!("⊢ {}", i.node.goal_type), a)))
        .filter(|(_, a)| matches!(a.outcome, AttemptOutcome::Failure | AttemptOutcome::Timeout))
        .filter(|(_, a)| !a.tactic.contains('\n'))
        .filter(|(state, a)| (state.as_str(), &*a.tactic) != ("⊢ a", "crash"))
        .map(|(state, a)| (state, a.tactic.to_string()))
        .collect();
    let mut from_result: Vec<(String, String)> = pairs(&result)
        .iter()
        .map(|(state, _, rejected)| ((*state).to_owned(), (*rejected).to_owned()))
        .collect();
    from_trace.sort();
    from_result.sort();
    assert_eq!(from_result, from_trace);
}

#[test]
fn a_state_of_several_goals_is_one_text() {
    let world = "root: split -> a b\na: done -> .\nb: bad -> !no | done -> .";
    let (result, _) = attempt(world, &["bad", "split", "done"], Grouping::Whole);
    let states: Vec<&str> = result.proof_steps.iter().map(|s| s.state.as_str()).collect();
    assert_eq!(states, ["⊢ root", "⊢ a\n\n⊢ b", "⊢ b"]);
}

#[test]
fn what_the_checker_said_and_where_the_root_stands() {
    for (world, validated, root, outcome) in [
        ("root: done -> .", Some(true), Status::Proved, Outcome::Accepted),
        ("root: bad -> .\nforbidden: bad", Some(false), Status::Exhausted, Outcome::NotProved),
        (
            "root: bad -> . | split -> a\na: done -> .\nforbidden: bad",
            Some(true),
            Status::Proved,
            Outcome::Accepted,
        ),
        ("root: bad -> !no", None, Status::Exhausted, Outcome::NotProved),
    ] {
        let (result, _) = attempt(world, &["bad", "split", "done"], Grouping::Coupled);
        assert_eq!(
            (result.validated, result.root_status, result.outcome),
            (validated, root, outcome),
            "{world}"
        );
        if outcome != Outcome::Accepted {
            assert!(result.proof_steps.is_empty() && result.preference_pairs.is_empty(), "{world}");
        }
    }
}

#[test]
fn explored_are_the_nodes_that_candidates_were_asked_for() {
    let world = "root: split -> a b\na: bad -> !no\nb: done -> .";
    let (result, iterations) = attempt(world, &["bad", "split", "done"], Grouping::Coupled);
    let mut asked: Vec<&str> = iterations.iter().map(|i| &*i.node.mvar_id).collect();
    asked.sort_unstable();
    asked.dedup();
    assert_eq!((result.spent.nodes, result.spent.explored_nodes), (3, asked.len() as u64));
    assert!(result.spent.explored_nodes < 3, "one goal is hopeless, so the other is left alone: {asked:?}");
}
