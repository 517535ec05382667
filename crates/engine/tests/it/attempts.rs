//! The driver, on an environment whose every answer is written down.

use andor_system_mini::MINI;
use andor_system_synthetic::SYNTHETIC;
use std::path::Path;
use std::sync::Arc;

use andor_artifact::assembly::Assembly;
use andor_artifact::files::{read_json, read_lines};
use andor_artifact::graph::{Graph, GraphStep};
use andor_artifact::history::History;
use andor_artifact::result::{AttemptResult, Outcome, RejectedClaim, Role};
use andor_artifact::trace::{AttemptOutcome, Iteration, TraceEvent};
use andor_artifact::version::Kind;
use andor_config::{Backup, Config, CycleRule, Expansion, Identity, Selection};
use andor_core::theorem::{System, Theorem};
use andor_core::tree::Status;
use andor_engine::attempt::{self, Means};
use andor_engine::event::Event;
use andor_engine::registry;
use andor_env::environment::Environment;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::contract::{Candidate, Provider, ProviderError, Request, Suggestions};
use andor_provider::scripted;
use andor_system_synthetic::Synthetic;
use andor_system_synthetic::SyntheticPolicy;
use andor_testkit::scripted::ScriptedEnvironment;
use andor_testkit::{block_on, theorem};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

/// A world with work for a while: two goals, each with detours.
const WORLD: &str = "
    root: bad -> !no | split -> a b | around -> c
    a: loop -> root | slow -> %time | step -> a1 a2
    a1: done -> .
    a2: done -> .
    b: pair -> x* y*
    c: step -> d
    d: nothing -> !no
    x: done -> .
    y: done -> .";

const TACTICS: &[&str] = &["bad", "around", "loop", "slow", "crash", "step", "split", "pair", "done"];

fn statement(text: &str) -> Theorem {
    theorem(MINI, "t", text)
}

fn means(environment: impl Environment + 'static, provider: impl Provider + 'static) -> Means {
    Means {
        workers: Workers::new(Arc::new(environment), Grouping::Coupled),
        provider: Arc::new(provider),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(&Config::default()).expect("constants need no file"),
        cancel: CancellationToken::new(),
    }
}

fn scripted_means() -> Means {
    means(ScriptedEnvironment::default(), scripted::Scripted::always(TACTICS))
}

/// Makes an attempt and returns its result with its iterations.
fn attempt(
    theorem: Theorem,
    config: Config,
    means: &Means,
    out: Option<&Path>,
) -> (AttemptResult, Vec<Iteration>) {
    let request = attempt::AttemptRequest {
        theorem,
        attempt: 1,
        role: Role::Configured,
        config,
        directory: out.map(Path::to_owned),
    };
    let mut iterations = Vec::new();
    let mut sink = |_: &str, event: &Event| {
        if let Event::Iteration(iteration) = event {
            iterations.push((**iteration).clone());
        }
    };
    let result = block_on(attempt::run(&request, means, &mut sink)).expect("files can be written");
    (result, iterations)
}

fn outcomes(iterations: &[Iteration]) -> Vec<(String, AttemptOutcome)> {
    let attempts = iterations.iter().flat_map(|i| &i.attempts);
    attempts.map(|a| (a.tactic.to_string(), a.outcome)).collect()
}

fn config_with(change: impl FnOnce(&mut Config)) -> Config {
    let mut config = Config::default();
    config.workers.tactic_timeout_s = 1.0;
    change(&mut config);
    config
}

#[test]
fn every_policy_finds_the_proof() {
    for policy in Selection::ALL {
        for backprop in Backup::ALL {
            for expand in Expansion::ALL {
                let config = config_with(|c| {
                    (c.search.policy, c.search.backprop, c.search.expand) = (*policy, *backprop, *expand);
                });
                let (result, _) = attempt(statement(WORLD), config, &scripted_means(), None);
                let name = format!("{} {} {}", policy.name(), backprop.name(), expand.name());
                assert_eq!(result.outcome, Outcome::Accepted, "{name}");
                assert_eq!(
                    result.proof.as_deref(),
                    Some("split\nstep\ndone\ndone\npair\ndone\ndone"),
                    "{name}"
                );
            }
        }
    }
}

fn rejected(level: u8, reason: &str, message: &str) -> RejectedClaim {
    RejectedClaim {
        level,
        reason: reason.to_owned(),
        message: message.to_owned(),
        allow_axioms: None,
        trust: None,
    }
}

#[test]
fn a_refused_candidate_is_a_failed_attempt_that_no_worker_saw() {
    let environment = ScriptedEnvironment::default();
    let applied = Arc::clone(&environment.n_applied);
    let means = means(environment, scripted::Scripted::always(&["done\ndone", "done"]));
    let (result, iterations) = attempt(statement("root: done -> ."), Config::default(), &means, None);
    assert_eq!(result.outcome, Outcome::Accepted);
    let [refused, done] = &iterations[0].attempts[..] else { panic!("{iterations:?}") };
    assert_eq!((refused.outcome, done.outcome), (AttemptOutcome::Failure, AttemptOutcome::Success));
    let error = refused.error.as_deref().unwrap();
    assert!(error.contains("ends at byte 4") && error.contains("write one tactic"), "{error}");
    assert_eq!(applied.load(std::sync::atomic::Ordering::Relaxed), 1);
}

#[test]
fn a_rejected_claim_exhausts_its_step_and_the_search_goes_on() {
    let world = "root: bad -> . | split -> a\na: done -> .\nforbidden: bad";
    let (result, _) = attempt(statement(world), Config::default(), &scripted_means(), None);
    assert_eq!(result.outcome, Outcome::Accepted);
    assert_eq!(result.proof.as_deref(), Some("split\ndone"));
    assert_eq!(result.rejected_claims, [rejected(1, "refused", "`bad` is forbidden")]);
}

#[test]
fn each_proof_of_one_expansion_is_checked() {
    // Both steps at `m` lead to a node that is proved already, so one expansion proves the root twice.
    let world = "root: step -> a m\na: done -> .\nm: split -> a | around -> a\nforbidden: around";
    let config = config_with(|c| {
        (c.search.expand, c.search.identity) = (Expansion::All, Identity::Strict);
        c.search.policy = Selection::BestFirst;
        // The seed decides between equals; with this one, `a` is proved first.
        c.seed = 1;
    });
    let (result, _) = attempt(statement(world), config, &scripted_means(), None);
    assert_eq!((result.outcome, result.rejected_claims.len()), (Outcome::Accepted, 1));
    assert!(result.proof.is_some_and(|p| p.contains("split")));
}

#[test]
fn when_every_claim_is_rejected_nothing_is_proved() {
    let world = "root: bad -> .\nforbidden: bad";
    let (result, _) = attempt(statement(world), Config::default(), &scripted_means(), None);
    assert_eq!((result.outcome, result.stop_reason.as_str()), (Outcome::NotProved, "exhausted"));
    assert_eq!((result.proof, result.rejected_claims.len()), (None, 1));
}

#[test]
fn a_result_tells_the_first_open_goals_and_how_many_there_are() {
    let goals: Vec<String> = (0..12).map(|n| format!("{}{n}", "é".repeat(1500))).collect();
    let mut world = format!("root: split -> {}", goals.join(" "));
    goals.iter().for_each(|goal| world += &format!("\n{goal}: bad -> !no"));
    let (result, _) = attempt(statement(&world), config_with(|_| {}), &scripted_means(), None);
    let closest = result.closest.unwrap();
    assert_eq!((closest.goals.len(), closest.n_goals), (8, 12));
    assert!(closest.goals.iter().all(|goal| (1990..=2000).contains(&goal.len())));
}

#[test]
fn timeouts_and_crashes_are_data() {
    let world = "root: slow -> %time | crash -> %crash | done -> .";
    let (result, iterations) = attempt(statement(world), Config::default(), &scripted_means(), None);
    assert_eq!(result.outcome, Outcome::Accepted);
    let tried = outcomes(&iterations);
    assert!(tried.contains(&("slow".into(), AttemptOutcome::Timeout)), "{tried:?}");
    assert!(tried.contains(&("crash".into(), AttemptOutcome::Failure)), "{tried:?}");
    assert_eq!((result.spent.over_time, result.spent.workers_lost), (1, 2));
}

#[test]
fn a_tactic_over_its_processor_time_says_so() {
    let world = "root: slow -> %cpu | done -> .";
    for (given, said) in
        [(None, "stopped after 1 s of processor time"), (Some(0.5), "stopped after 0.5 s of processor time")]
    {
        let config = config_with(|c| c.workers.tactic_cpu_timeout_s = given);
        let (result, iterations) = attempt(statement(world), config, &scripted_means(), None);
        let attempts = iterations.iter().flat_map(|i| &i.attempts);
        let timeouts = attempts.filter(|a| a.outcome == AttemptOutcome::Timeout);
        let errors: Vec<&str> = timeouts.filter_map(|a| a.error.as_deref()).collect();
        assert_eq!(errors, [said]);
        assert_eq!(
            (result.outcome, result.spent.over_time, result.spent.over_cpu),
            (Outcome::Accepted, 1, 1)
        );
    }
}

#[test]
fn too_many_losses_in_a_row_end_the_attempt() {
    let world = "root: bad -> %crash | crash -> %hang | done -> .";
    let config = config_with(|c| c.workers.max_restarts = 2);
    let (result, _) = attempt(statement(world), config, &scripted_means(), None);
    assert_eq!(
        (result.outcome, result.stop_reason.as_str()),
        (Outcome::InfrastructureError, "infrastructure")
    );
    assert!(result.infrastructure_error.is_some_and(|e| e.contains("in a row")));
}

#[test]
fn a_state_that_cannot_be_rebuilt_as_it_was_is_given_up() {
    let world = "root: around -> a / b | split -> c\na: crash -> %crash\nb: done -> .\nc: done -> .";
    let (result, iterations) = attempt(statement(world), Config::default(), &scripted_means(), None);
    assert_eq!((result.outcome, result.proof.as_deref()), (Outcome::Accepted, Some("split\ndone")));
    assert_eq!(result.spent.replays_diverged, 1);
    let given_up: Vec<&Iteration> = iterations.iter().filter(|i| &*i.node.goal_type == "a").collect();
    assert!(given_up.last().is_some_and(|i| i.node.is_dead), "{given_up:?}");
}

#[test]
fn cyclic_steps_are_rejected() {
    let world = "root: loop -> root | step -> a\na: loop -> root | done -> .";
    let (result, iterations) = attempt(statement(world), Config::default(), &scripted_means(), None);
    assert_eq!(result.outcome, Outcome::Accepted);
    let cyclic = outcomes(&iterations).into_iter().filter(|(_, o)| *o == AttemptOutcome::Cyclic);
    assert!(cyclic.count() >= 1);
}

#[test]
fn dropped_children_never_become_a_proof() {
    let world = "root: loop -> root a | step -> a\na: done -> .";
    let config = config_with(|c| c.search.cycle_rule = CycleRule::DropChild);
    let (result, _) = attempt(statement(world), config, &scripted_means(), None);
    assert_eq!(result.outcome, Outcome::Accepted);
    assert_eq!(result.proof.as_deref(), Some("step\ndone"));
    let message = "a step was committed without one of its children";
    assert_eq!(result.rejected_claims, [rejected(0, "unproved", message)]);
}

#[test]
fn several_workers_prove_it_too() {
    let config = config_with(|c| c.workers.workers = 4);
    let (result, _) = attempt(statement(WORLD), config, &scripted_means(), None);
    assert_eq!(result.outcome, Outcome::Accepted);
}

#[test]
fn each_budget_ends_the_search() {
    let endless = "root: split -> root1 | around -> root2\nroot1: slow -> %time\nroot2: slow -> %time";
    let stop = |change: &dyn Fn(&mut Config)| {
        let (result, _) = attempt(statement(endless), config_with(change), &scripted_means(), None);
        assert_eq!(result.outcome, Outcome::NotProved);
        result.stop_reason
    };
    assert_eq!(stop(&|_| {}), "exhausted");
    assert_eq!(stop(&|c| c.budget.max_iterations = Some(1)), "iterations");
    assert_eq!(stop(&|c| c.budget.max_expansions = Some(1)), "expansions");
    assert_eq!(stop(&|c| c.budget.max_nodes = Some(2)), "nodes");
    assert_eq!(stop(&|c| c.budget.max_candidates = Some(3)), "candidates");
    // No tactic is run.
    let late = config_with(|c| c.budget.time_s = Some(1e-9));
    let (result, _) = attempt(statement(endless), late, &scripted_means(), None);
    assert_eq!((result.outcome, result.stop_reason.as_str()), (Outcome::InfrastructureError, "time"));
}

/// Answers once, then fails.
struct Failing;

#[async_trait]
impl Provider for Failing {
    fn id(&self) -> &str {
        "failing"
    }

    fn speaks(&self, _system: System) -> bool {
        true
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        let log_prior = if request.goals[0].target.text == "root" { -1.0 } else { f64::NAN };
        let candidate =
            Candidate { tactic: "split".into(), log_prior, tokens: None, provider: "failing".into() };
        Ok(Suggestions { candidates: vec![candidate], ..Suggestions::default() })
    }
}

#[test]
fn a_failing_provider_is_no_verdict_on_the_theorem() {
    let means = means(ScriptedEnvironment::default(), Failing);
    let (result, iterations) = attempt(statement(WORLD), Config::default(), &means, None);
    assert_eq!(result.outcome, Outcome::InfrastructureError);
    let error = result.infrastructure_error.unwrap_or_default();
    assert!(error.contains("provider `failing`") && error.contains("log-prior"), "{error}");
    assert_eq!(iterations.len(), 1, "what was done before is kept");
}

#[test]
fn a_theorem_that_cannot_be_opened_is_refused() {
    let (result, _) = attempt(statement("no colon"), Config::default(), &scripted_means(), None);
    assert_eq!((result.outcome, result.stop_reason.as_str()), (Outcome::Refused, "refused"));
    assert!(result.stop_detail.contains("no colon"), "{}", result.stop_detail);
}

#[test]
fn an_interrupted_attempt_keeps_its_records() {
    let folder = tempfile::tempdir().unwrap();
    let means = scripted_means();
    let request = attempt::AttemptRequest {
        theorem: statement(WORLD),
        attempt: 1,
        role: Role::Configured,
        config: Config::default(),
        directory: Some(folder.path().to_owned()),
    };
    let cancel = means.cancel.clone();
    let mut sink = |_: &str, event: &Event| {
        if matches!(event, Event::Iteration(i) if i.iteration == 2) {
            cancel.cancel();
        }
    };
    let result = block_on(attempt::run(&request, &means, &mut sink)).unwrap();
    assert_eq!((result.outcome, result.stop_reason.as_str()), (Outcome::Interrupted, "interrupted"));
    let trace = read_lines::<TraceEvent>(&folder.path().join("trace.jsonl"), Kind::Trace).unwrap();
    assert_eq!(trace.records.len(), 4, "the start, two iterations and the end");
    assert!(matches!(trace.records.last(), Some(TraceEvent::Abort(a)) if a.tree.aborted));
}

#[test]
fn the_records_agree_with_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let (result, iterations) =
        attempt(statement(WORLD), Config::default(), &scripted_means(), Some(folder.path()));
    let file = |name: &str| folder.path().join(name);
    let trace = read_lines::<TraceEvent>(&file("trace.jsonl"), Kind::Trace).unwrap().records;
    let traced: Vec<Iteration> = trace
        .into_iter()
        .filter_map(|e| match e {
            TraceEvent::Iteration(iteration) => Some(*iteration),
            TraceEvent::Start(_) | TraceEvent::Proved(_) => None,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(traced, iterations);
    let numbers: Vec<u64> = iterations.iter().map(|i| i.iteration).collect();
    assert_eq!(numbers, (1..=result.spent.iterations).collect::<Vec<_>>());

    let graph: Graph = read_json(&file("graph.json"), Kind::Graph).unwrap();
    assert_eq!(Some(&graph.tree_digest), result.tree_digest.as_ref());
    assert_eq!(graph.nodes.len() as u64, result.spent.nodes);
    assert_eq!(graph.nodes[0].status, Status::Proved);
    assert_eq!(graph.nodes[0].distance, Some(7));
    let took = |step: &GraphStep| step.took_ms.is_some_and(|ms| ms > 0.0);
    assert!(graph.steps.iter().all(took), "every step took its time");
    let of_proof: Vec<f64> = result.proof_steps.iter().map(|step| step.took_ms).collect();
    assert!(of_proof.iter().all(|ms| graph.steps.iter().any(|step| step.took_ms == Some(*ms))));
    let drawing = andor_report::export::dot(&graph);
    assert_eq!(drawing.matches("shape=box").count(), graph.nodes.len());
    assert_eq!(drawing.matches("shape=ellipse").count(), graph.steps.len());

    let history: History = read_json(&file("history.json"), Kind::History).unwrap();
    assert_eq!(history.iterations.len(), iterations.len());
    let assembly: Assembly = read_json(&file("assembly.json.gz"), Kind::Assembly).unwrap();
    assert_eq!(assembly.steps.len(), graph.steps.len());
    let winning: Vec<String> = assembly.winning.unwrap().into_iter().map(|s| s.script).collect();
    assert_eq!(Some(winning.join("\n")), result.proof);
    assert!(file("proof.lean").exists());
}

/// The trace that an attempt writes.
fn trace(theorem: Theorem, config: Config, means: &Means) -> String {
    let folder = tempfile::tempdir().unwrap();
    attempt(theorem, config, means, Some(folder.path()));
    fs_err::read_to_string(folder.path().join("trace.jsonl")).unwrap()
}

#[test]
fn equal_runs_write_equal_traces() {
    for policy in Selection::ALL {
        let config = |seed| {
            config_with(|c| {
                (c.seed, c.search.policy, c.budget.max_candidates) = (seed, *policy, Some(400));
            })
        };
        let instance = || theorem(SYNTHETIC, "t", "medium 3");
        let synthetic = || means(Synthetic, SyntheticPolicy { critic: true });
        let first = trace(instance(), config(7), &synthetic());
        assert_eq!(first, trace(instance(), config(7), &synthetic()), "{}", policy.name());
        assert!(first.lines().count() > 10, "{}", first.lines().count());
        assert_eq!(
            trace(statement(WORLD), config(7), &scripted_means()),
            trace(statement(WORLD), config(7), &scripted_means()),
        );
        if *policy == Selection::BlindUniform {
            assert_ne!(first, trace(instance(), config(8), &synthetic()), "the seed matters");
        }
    }
}

#[test]
fn an_attempt_that_is_ended_while_its_theorem_opens_leaves_a_marker() {
    let folder = tempfile::tempdir().unwrap();
    let means = scripted_means();
    means.cancel.cancel();
    let (result, _) = attempt(statement(WORLD), Config::default(), &means, Some(folder.path()));
    assert_eq!(result.outcome, Outcome::Interrupted);
    let trace = read_lines::<TraceEvent>(&folder.path().join("trace.jsonl"), Kind::Trace).unwrap();
    assert!(matches!(&trace.records[..], [TraceEvent::Abort(abort)] if abort.reason == "interrupted"));
}
