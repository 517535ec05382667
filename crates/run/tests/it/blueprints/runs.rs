//! The order of nodes, what their searches begin with, and runs that are resumed.

use andor_system_mini::MINI;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use andor_artifact::blueprint::NodeState;
use andor_artifact::graft::GraftOrigin;
use andor_artifact::result::{AttemptResult, Outcome};
use andor_config::{Config, ShareProgress};
use andor_dataset::from_statement;
use andor_engine::event::Event;
use andor_run::blueprint;
use andor_run::folder::RunFolder;
use andor_run::orchestrate::{self, RunError, RunRequest};
use andor_testkit::block_on;
use tokio_util::sync::CancellationToken;

use super::{config, read, request, run, state, states, with_tactics};

const DIAMOND: &str = r#"
system = "mini"
header = "def two : Nat := 2"
[[nodes]]
name = "top"
statement = "two + two = 4 ∧ two = 2"
uses = ["left", "right"]
[[nodes]]
name = "left"
statement = "two + two = 4"
uses = ["base"]
[[nodes]]
name = "right"
statement = "theorem right : two = 2"
uses = ["base"]
[[nodes]]
name = "base"
statement = "two = 1 + 1"
"#;

/// What happened in a run, in order: attempts that began, and their ends.
fn watched(request: &RunRequest, text: &str) -> Vec<(String, bool)> {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let shared = Arc::clone(&seen);
    let sink = Arc::new(Mutex::new(move |name: &str, event: &Event| match event {
        Event::AttemptStarted { .. } => shared.lock().unwrap().push((name.to_owned(), true)),
        Event::AttemptFinished(_) => shared.lock().unwrap().push((name.to_owned(), false)),
        _ => {}
    }));
    let blueprint = read(text).unwrap();
    block_on(blueprint::run(request, blueprint, &CancellationToken::new(), sink)).unwrap();
    Arc::into_inner(seen).unwrap().into_inner().unwrap()
}

#[test]
fn nodes_are_attempted_side_by_side_once_all_that_they_need_is_proved() {
    for (jobs, at_once) in [(1, 1), (4, 2)] {
        let events = watched(&RunRequest { jobs, ..request(config(), None) }, DIAMOND);
        let (mut running, mut most, mut done) = (BTreeSet::new(), 0, BTreeSet::new());
        for (name, begins) in events {
            if begins {
                let needs: &[&str] = match name.as_str() {
                    "base" => &[],
                    "left" | "right" => &["base"],
                    _ => &["left", "right"],
                };
                assert!(needs.iter().all(|used| done.contains(*used)), "{name} begins after {done:?}");
                running.insert(name);
                most = most.max(running.len());
            } else {
                running.remove(&name);
                done.insert(name);
            }
        }
        assert_eq!((most, done.len()), (at_once, 4));
    }
}

#[test]
fn what_a_node_needs_stands_in_its_file_with_its_proof() {
    let request = with_tactics(&["exact left", "exact right", "constructor", "rfl"]);
    let made = run(&request, DIAMOND);
    assert!(made.record.nodes.iter().all(|node| node.state == NodeState::FullyProved), "{:?}", made.record);
    let whole = made.record.whole.as_ref().unwrap();
    assert_eq!((whole.accepted, whole.verification_level), (true, Some(2)));
    let source =
        |name: &str| made.results.iter().find(|r| r.theorem == name).unwrap().source.clone().unwrap();
    let names = |text: &str| -> Vec<String> {
        let theorems = text.lines().filter_map(|line| line.strip_prefix("theorem "));
        theorems.map(|line| line.split([' ', ':']).next().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&source("left")), ["base", "left"]);
    assert_eq!(names(&source("top")), ["base", "left", "right", "top"]);
    assert!(source("top").contains("exact left") && !source("top").contains("sorry"));
}

#[test]
fn proofs_drafts_and_plans_are_what_searches_begin_with() {
    let text = r#"
        system = "mini"
        [[nodes]]
        name = "given"
        statement = "∀ n : Nat, 0 + n = n"
        proof = "intro n\nexact Nat.zero_add n"
        [[nodes]]
        name = "drafted"
        statement = "∀ n : Nat, 0 + n = n"
        draft = "intro n\nsorry"
        [[nodes]]
        name = "planned"
        statement = "∀ n : Nat, 0 + n = n"
        plan = ["have h : ∀ n : Nat, n = n"]
    "#;
    // Without the given one there is no proof, since nothing introduces a variable.
    let made = run(&with_tactics(&["exact Nat.zero_add n", "exact Nat.zero_add"]), text);
    let of = |name: &str| made.results.iter().find(|r| r.theorem == name).unwrap();
    let began = |name: &str| (of(name).outcome, of(name).grafts[0].origin, of(name).spent.expansions > 0);
    assert_eq!(began("given"), (Outcome::Accepted, GraftOrigin::File, false));
    assert_eq!(began("drafted"), (Outcome::Accepted, GraftOrigin::Draft, true));
    assert_eq!(
        (of("planned").grafts[0].origin, of("planned").grafts[0].steps > 0),
        (GraftOrigin::Plan, true)
    );
}

/// A result without what depends on the clock.
fn comparable(result: AttemptResult) -> String {
    serde_json::to_string(&result.without_timings()).unwrap()
}

#[test]
fn one_node_with_a_plan_is_a_theorem_with_that_plan() {
    let (statement, step) = ("theorem t (a b : Nat) (h : a = b) : b + 0 = a", "have h1 : b = a");
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.json");
    fs_err::write(&plan, format!("{{\"t\": {{\"plan\": [\"{step}\"]}}}}")).unwrap();
    let mut with_plan = config();
    with_plan.clock = andor_config::Clock::Virtual;
    let alone = with_plan.clone();
    with_plan.plan.file = Some(plan);
    let problem = from_statement(MINI, statement, &[]).unwrap();
    let silent = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
    let request = |config: Config, problems| RunRequest::new(problems, config);
    let run_of = request(with_plan, vec![problem]);
    let results = block_on(orchestrate::run(&run_of, &CancellationToken::new(), silent)).unwrap();
    let text = format!(
        "system = \"mini\"\n[[nodes]]\nname = \"t\"\nstatement = \"{statement}\"\nplan = [\"{step}\"]"
    );
    let made = run(&request(alone, Vec::new()), &text);
    let [theirs, ours] = [results[0].clone(), made.results[0].clone()];
    assert_eq!(theirs.outcome, Outcome::Accepted);
    let theirs = AttemptResult { config_digest: ours.config_digest.clone(), ..theirs };
    assert_eq!(comparable(ours), comparable(theirs));
}

#[test]
fn a_run_is_resumed_with_what_is_proved_and_follows_changes() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("RUN");
    let first = request(config(), Some(&out));
    let resumed = RunRequest { resume: true, ..first.clone() };
    // A part of the nodes cannot be proved yet.
    let gap = DIAMOND.replace("two = 2\"", "two = 3\"");
    let made = run(&first, &gap);
    assert_eq!(state(&made, "right"), NodeState::Disproved);
    assert_eq!((state(&made, "top"), state(&made, "left")), (NodeState::Blocked, NodeState::FullyProved));
    let stored = |name: &str| -> Vec<AttemptResult> {
        let results = RunFolder::read(&out).unwrap().results;
        results.into_iter().filter(|result| result.theorem == name).collect()
    };
    let before: BTreeMap<&str, _> = ["base", "left", "right"].map(|name| (name, stored(name))).into();
    let events = watched(&resumed, &gap);
    assert_eq!(events, []);
    assert_eq!(before, ["base", "left", "right"].map(|name| (name, stored(name))).into());
    // Only what has another statement, and what needs it, is attempted.
    let events = watched(&resumed, DIAMOND);
    let began: Vec<&str> =
        events.iter().filter(|(_, begins)| *begins).map(|(name, _)| name.as_str()).collect();
    assert_eq!(began, ["right", "top"]);
    assert_eq!((before["left"].clone(), before["base"].clone()), (stored("left"), stored("base")));
    let record = blueprint::read_run(&out).unwrap().unwrap();
    assert!(states(&record).values().all(|state| *state == NodeState::FullyProved), "{record:?}");
    let whole = fs_err::read_to_string(out.join("blueprint.lean")).unwrap();
    assert_eq!((whole.matches("theorem ").count(), whole.contains("sorry")), (4, false));
    let silent = || Arc::new(Mutex::new(|_: &str, _: &Event| {}));
    let cancel = CancellationToken::new();
    let again = blueprint::run(&first, read(DIAMOND).unwrap(), &cancel, silent());
    assert!(matches!(block_on(again), Err(RunError::Occupied(_))));
    let mut seeds = config();
    seeds.basin.seeds = Some(3);
    let basin = request(seeds, None);
    let basin = blueprint::run(&basin, read(DIAMOND).unwrap(), &cancel, silent());
    assert!(matches!(block_on(basin), Err(RunError::BasinOfBlueprint)));
}

#[test]
fn a_negation_that_is_proved_from_hypotheses_does_not_disprove() {
    let blueprint = |header: &str| {
        format!("system = \"mini\"\nheader = \"{header}\"\n[[nodes]]\nname = \"a\"\nstatement = \"1 = 2\"")
    };
    assert_eq!(state(&run(&request(config(), None), &blueprint("")), "a"), NodeState::Disproved);
    let made = run(&request(config(), None), &blueprint("axiom fine : 0 = 0"));
    let node = made.record.nodes.iter().find(|node| node.node.name == "a").unwrap();
    assert_eq!((node.state, &node.disproof), (NodeState::NotProved, &None));
    assert!(
        node.detail.as_ref().is_some_and(|detail| detail.contains("may contradict each other")),
        "{node:?}"
    );
    assert!(made.results.iter().any(|r| r.theorem == "a#disproof" && r.outcome == Outcome::Accepted));
}

#[test]
fn nodes_without_a_proof_are_attempted_again_up_to_pass_k_and_then_disproved() {
    let text = "system = \"mini\"\n[[nodes]]\nname = \"a\"\nstatement = \"∀ n : Nat, n + n = n\"";
    let events = watched(&RunRequest { pass_k: 3, ..request(config(), None) }, text);
    let began: Vec<&str> =
        events.iter().filter(|(_, begins)| *begins).map(|(name, _)| name.as_str()).collect();
    assert_eq!(began, ["a, attempt 1", "a, attempt 2", "a, attempt 3", "a#disproof, attempt 1"]);
}

#[test]
fn attempts_at_a_node_share_what_they_prove_of_its_plan() {
    let text = "system = \"mini\"\n[[nodes]]\nname = \"a\"\n\
                statement = \"theorem a (f : Nat → Nat) (n : Nat) (h : ∀ n, f n = 0) : f n = f 0\"\n\
                plan = [\"have h1 : f n = 0\", \"have h2 : f 0 = 0\"]";
    for (share, found) in [(ShareProgress::Off, None), (ShareProgress::Run, Some(1))] {
        let mut request = RunRequest { pass_k: 2, ..with_tactics(&["exact h n"]) };
        request.config.plan.share_progress = share;
        let results = run(&request, text).results;
        let of_node: Vec<&AttemptResult> = results.iter().filter(|result| result.theorem == "a").collect();
        let [first, second] = of_node[..] else { panic!("{results:#?}") };
        assert_eq!(first.sharing.as_ref().map(|sharing| sharing.accepted), found);
        assert_eq!(second.sharing.as_ref().map(|sharing| sharing.closed), found);
    }
}
