//! Best-first search as its presets make it, over states and over goals: on worlds whose every answer is written down, on
//! `mini`, and on Rocq.

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::sync::Arc;

use andor_artifact::files::{read_json, read_lines};
use andor_artifact::graph::Graph;
use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_artifact::trace::{AttemptOutcome, Iteration, TraceEvent};
use andor_artifact::version::Kind;
use andor_config::{Config, Preset};
use andor_core::theorem::Theorem;
use andor_engine::attempt::{self, Means};
use andor_engine::event::Event;
use andor_engine::registry;
use andor_env::environment::Environment;
use andor_env::workers::Workers;
use andor_provider::contract::Provider;
use andor_provider::heuristic::Heuristic;
use andor_provider::scripted;
use andor_report::trace::replay::{ReplayError, replay};
use andor_system_mini::{Mini, MiniConfig};
use andor_system_rocq::{Rocq, RocqConfig};
use andor_testkit::scripted::ScriptedEnvironment;
use andor_testkit::{block_on, theorem};
use tokio_util::sync::CancellationToken;

/// What an attempt left behind.
struct Made {
    result: AttemptResult,
    iterations: Vec<Iteration>,
    graph: Option<Graph>,
    /// The digest of the tree that was built again from the trace, if there was a search at all.
    replayed: Option<String>,
}

/// Makes an attempt.
fn attempt(
    theorem: Theorem,
    config: Config,
    environment: impl Environment + 'static,
    provider: impl Provider + 'static,
) -> Made {
    let folder = tempfile::tempdir().unwrap();
    let means = Means {
        workers: Workers::new(Arc::new(environment), config.search.obligation),
        provider: Arc::new(provider),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(&config).expect("no distribution is read from a file"),
        cancel: CancellationToken::new(),
    };
    let directory = Some(folder.path().to_owned());
    let request = attempt::AttemptRequest { theorem, attempt: 1, role: Role::Configured, config, directory };
    let result = block_on(attempt::run(&request, &means, &mut |_: &str, _: &Event| {})).unwrap();
    let trace = folder.path().join("trace.jsonl");
    let records = read_lines::<TraceEvent>(&trace, Kind::Trace).unwrap().records;
    let iterations = records.into_iter().filter_map(|record| match record {
        TraceEvent::Iteration(iteration) => Some(*iteration),
        _ => None,
    });
    let iterations = iterations.collect();
    let replayed = match replay(&trace) {
        Ok(replayed) => Some(replayed.digest()),
        Err(ReplayError::Empty) => None,
        Err(error) => panic!("{error}"),
    };
    let graph = read_json(&folder.path().join("graph.json"), Kind::Graph).ok();
    Made { result, iterations, graph, replayed }
}

/// An attempt at a world, with the tactics in this order.
fn world(text: &str, tactics: &[&str], config: Config) -> Made {
    let provider = scripted::Scripted::always(tactics);
    attempt(theorem(MINI, "t", text), config, ScriptedEnvironment::default(), provider)
}

impl Made {
    fn graph(&self) -> &Graph {
        self.graph.as_ref().expect("there was a search")
    }
}

fn over_states() -> Config {
    Preset::BestFirst.config()
}

/// Accepted by the checker, and built again by its trace.
fn assert_accepted(made: &Made) {
    let result = &made.result;
    assert_eq!(result.outcome, Outcome::Accepted, "{}: {:?}", result.theorem, result.rejected_claims);
    assert!(made.replayed.is_some() && result.tree_digest == made.replayed, "{}", result.theorem);
}

/// Each of two states is reached in two ways, one by a step that leads back, and one way is longer than the other.
const SHARED: &str = "
    root: long -> a | short -> b | back -> root | bad -> !no
    a: long -> c
    c: short -> b | back -> root
    b: last -> d | back -> a
    d: done -> .";

const SHARED_TACTICS: &[&str] = &["long", "short", "back", "bad", "last", "done"];

#[test]
fn equal_states_share_a_node_and_the_shortest_proof_is_extracted() {
    // The seed decides between equals; with this one, all but the last state are expanded.
    let made = world(SHARED, SHARED_TACTICS, Config { seed: 1, ..over_states() });
    assert_accepted(&made);
    assert_eq!(made.result.proof.as_deref(), Some("short\nlast\ndone"));
    assert_eq!(made.result.spent.nodes, 5, "a node per state");
    let leads_to = |target: &str| {
        let node =
            made.graph().nodes.iter().find(|n| n.goals.concat().ends_with(&format!("⊢ {target}"))).unwrap();
        made.graph().steps.iter().filter(|s| s.children.contains(&node.id)).count()
    };
    assert_eq!(["a", "b", "root"].map(leads_to), [2, 2, 1], "the step from the root to itself is rejected");
    // Without sharing, the same search makes a node per way.
    let mut tree = over_states();
    tree.search.identity = andor_config::Identity::Checkpoint;
    assert!(world(SHARED, SHARED_TACTICS, tree).result.spent.nodes > 5);
}

#[test]
fn all_tactics_of_a_state_are_executed_until_one_closes_it() {
    let made = world("root: a -> x | b -> !no | c -> . | d -> y", &["a", "b", "c", "d"], over_states());
    assert_accepted(&made);
    let tried: Vec<_> = made.iterations[0].attempts.iter().map(|a| (&*a.tactic, a.outcome)).collect();
    let expected =
        [("a", AttemptOutcome::Success), ("b", AttemptOutcome::Failure), ("c", AttemptOutcome::Success)];
    assert_eq!(tried, expected);
    let states = world(SHARED, SHARED_TACTICS, over_states()).iterations;
    assert!(states[..3].iter().all(|i| i.attempts.len() == SHARED_TACTICS.len()));
    // No node is expanded twice.
    let mut expanded: Vec<_> = states.iter().map(|i| i.node.mvar_id.clone()).collect();
    let n_expanded = expanded.len();
    expanded.sort();
    expanded.dedup();
    assert_eq!(expanded.len(), n_expanded);
}

/// Two goals that `split` leaves open together.
const TWO: &str = "
    root: split -> l r
    l: left -> m
    m: done -> .
    r: right -> s
    s: done -> .";

#[test]
fn a_state_has_all_open_goals_and_a_goal_is_proved_apart() {
    let tactics = ["split", "left", "right", "done"];
    let states = world(TWO, &tactics, over_states());
    assert_accepted(&states);
    assert_eq!(states.result.proof.as_deref(), Some("split\nleft\ndone\nright\ndone"));
    assert!(states.graph().steps.iter().all(|s| s.children.len() < 2), "a path");
    let goals = world(TWO, &tactics, Preset::BestFirstGoal.config());
    assert_accepted(&goals);
    assert!(goals.graph().steps.iter().any(|s| s.children.len() == 2), "an AND");
    assert_eq!(goals.result.proof, states.result.proof);
}

#[test]
fn the_reward_for_depth_and_the_averages_over_tokens_choose_the_way() {
    // -3 at once, or twice -2: the sum favours the first, the average the second.
    let text = "root: jump -> far | walk -> near\nnear: walk -> there\nfar: done -> .\nthere: done -> .";
    let rules = |tokens: &str| {
        let tactic = |name: &str, log_prior: f64, more: &str| {
            format!(r#"{{"tactic": "{name}", "log_prior": {log_prior}{more}}}"#)
        };
        let tactics =
            [tactic("jump", -3.0, tokens), tactic("walk", -2.0, ""), tactic("done", -9.0, "")].join(", ");
        let text = format!(r#"{{"rules": [{{"tactics": [{tactics}]}}]}}"#);
        scripted::Scripted::read(&text, "rules.json".as_ref()).unwrap()
    };
    let proof = |alpha: f64, tokens: &str| {
        let mut config = over_states();
        config.search.depth_reward = alpha;
        let theorem = theorem(MINI, "t", text);
        let made = attempt(theorem, config, ScriptedEnvironment::default(), rules(tokens));
        assert_accepted(&made);
        made.result.proof.unwrap()
    };
    assert_eq!(proof(0.0, ""), "jump\ndone");
    assert_eq!(proof(1.0, ""), "walk\nwalk\ndone");
    assert_eq!(proof(1.0, r#", "tokens": 3"#), "jump\ndone", "-1 for each of its tokens");
}

#[test]
fn each_end_has_its_own_reason() {
    // States without end, and of each some that lead nowhere.
    let mut endless = String::new();
    for i in 0..400 {
        endless += &format!("g{i}: next -> g{} | other -> h{i} | bad -> !no\n", i + 1);
    }
    let ended = |text: &str, limit: &dyn Fn(&mut Config)| {
        let mut config = over_states();
        limit(&mut config);
        let made = world(text, &["next", "other", "bad"], config);
        assert_eq!(made.result.tree_digest, made.replayed, "{}", made.result.stop_reason);
        (made.result.stop_reason, made.result.outcome, made.result.spent)
    };
    let stop = |limit: &dyn Fn(&mut Config)| {
        let (reason, outcome, spent) = ended(&endless, limit);
        assert_eq!(outcome, Outcome::NotProved);
        (reason, spent)
    };
    let (reason, spent) = stop(&|c| c.budget.max_nodes = Some(20));
    assert_eq!((reason.as_str(), spent.nodes), ("nodes", 21), "expansions are finished");
    let (reason, spent) = stop(&|c| c.budget.max_expansions = Some(10));
    assert_eq!((reason.as_str(), spent.expansions), ("expansions", 10));
    let (reason, spent) = stop(&|c| c.budget.max_candidates = Some(30));
    assert_eq!((reason.as_str(), spent.candidates), ("candidates", 30));
    let (reason, spent) = stop(&|c| c.budget.max_iterations = Some(10));
    assert_eq!((reason.as_str(), spent.iterations), ("iterations", 10));
    let (reason, _) = stop(&|c| c.budget.virtual_time_s = Some(0.05));
    assert_eq!(reason, "virtual_time");
    let (reason, outcome, _) = ended(&endless, &|c| c.budget.time_s = Some(1e-9));
    assert_eq!((reason.as_str(), outcome), ("time", Outcome::InfrastructureError), "no tactic is run");
    let cycle = "g0: next -> g1 | bad -> !no\ng1: next -> g2\ng2: next -> g0 | other -> g3\ng3: bad -> !no";
    let (reason, outcome, spent) = ended(cycle, &|_| {});
    assert_eq!((reason.as_str(), outcome, spent.nodes), ("exhausted", Outcome::NotProved, 4));
    let (reason, outcome, _) = ended("g0: next -> g1\ng1: other -> .", &|_| {});
    assert_eq!((reason.as_str(), outcome), ("proved", Outcome::Accepted));
}

#[test]
fn mini_proves_under_both_presets() {
    let statements = [
        "theorem t (p q r : Prop) : (p ∧ q) ∧ r → r ∧ (q ∧ p)",
        "theorem t (p q : Prop) : p ∨ q → q ∨ p",
        "theorem t (p q r : Prop) (f : p → q) (g : q → r) : (p → r) ∧ (p ∧ q → r)",
        "theorem t (p : Nat → Prop) (h : ∃ n, p n) : ∃ m, p m ∨ False",
        "theorem t (n : Nat) : n + 0 = n ∧ 0 + n = n",
    ];
    for preset in [Preset::BestFirst, Preset::BestFirstGoal] {
        for statement in statements {
            let theorem = theorem(MINI, "t", statement);
            let made = attempt(theorem, preset.config(), Mini::new(MiniConfig::default()), Heuristic);
            assert_accepted(&made);
        }
    }
}

fn rocq(statement: &str, preset: Preset, tactics: Option<&[&str]>) -> Made {
    let mut config = preset.config();
    config.budget.max_candidates = Some(1500);
    config.budget.time_s = None;
    let theorem = theorem(ROCQ, "t", statement);
    let environment = Rocq::new(RocqConfig::default());
    match tactics {
        Some(tactics) => attempt(theorem, config, environment, scripted::Scripted::always(tactics)),
        None => attempt(theorem, config, environment, Heuristic),
    }
}

#[test]
fn rocq_proves_under_both_presets() {
    for preset in [Preset::BestFirst, Preset::BestFirstGoal] {
        for statement in [
            "Theorem t : forall p q r : Prop, (p /\\ q) /\\ r -> r /\\ (q /\\ p).",
            "Theorem t : forall n m : nat, n + m = m + n /\\ n * 0 = 0.",
        ] {
            assert_accepted(&rocq(statement, preset, None));
        }
    }
}

#[test]
fn several_goals_of_rocq_are_open_at_once_and_bulleted_in_the_script() {
    let statement = "Theorem t : forall p q r : Prop, p -> q -> r -> (p /\\ q) /\\ r.";
    let tactics = ["intros p q r hp hq hr", "split", "exact hp", "exact hq", "exact hr"];
    for preset in [Preset::BestFirst, Preset::BestFirstGoal] {
        let made = rocq(statement, preset, Some(&tactics));
        assert_accepted(&made);
        let source = made.result.source.as_deref().unwrap();
        assert_eq!(made.result.proof.as_deref().unwrap().lines().count(), 6, "{source}");
    }
    let made = rocq(statement, Preset::BestFirst, Some(&tactics));
    assert!(made.graph().nodes.iter().any(|n| n.goals.len() == 2), "two goals are open at once");
}

#[test]
fn goals_of_rocq_that_share_a_variable_are_solved_in_the_order_of_the_state() {
    let statement = "Theorem t : forall P : nat -> Prop, P 3 -> exists n, P n /\\ n + 0 = n.";
    let tactics = ["intros P h", "eexists", "split", "exact h", "reflexivity"];
    for preset in [Preset::BestFirst, Preset::BestFirstGoal] {
        assert_accepted(&rocq(statement, preset, Some(&tactics)));
    }
}
