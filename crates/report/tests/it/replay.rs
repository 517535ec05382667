//! Traces of real attempts, replayed: the rebuilt tree must be the one that was searched, for whatever was searched
//! and however.

use andor_system_mini::MINI;
use andor_system_synthetic::SYNTHETIC;
use std::path::Path;
use std::sync::Arc;

use andor_artifact::files::read_lines;
use andor_artifact::graft::GraftOrigin;
use andor_artifact::result::{AttemptResult, Role};
use andor_artifact::trace::{IterationReason, TraceEvent};
use andor_artifact::version::Kind;
use andor_config::{
    Backup, Clock, Config, CycleRule, DistributedMcts, Expansion, Identity, LatencySpec, MctsMode,
    ObstacleVisits, Selection,
};
use andor_core::rng::{Purpose, Rng, stream};
use andor_core::theorem::{System, Theorem};
use andor_engine::attempt::{self, Means};
use andor_engine::event::Event;
use andor_engine::graft::Given;
use andor_engine::registry;
use andor_env::environment::Environment;
use andor_env::outline::Place;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::contract::{Draft, DraftHistory, Provider, ProviderError, Request, Suggestions, Usage};
use andor_provider::scripted;
use andor_report::trace::replay::{Replayed, TraceEnding, replay, replay_following};
use andor_system_mini::{Mini, MiniConfig};
use andor_system_synthetic::Synthetic;
use andor_system_synthetic::SyntheticPolicy;
use andor_testkit::scripted::ScriptedEnvironment;
use andor_testkit::{block_on, theorem};
use async_trait::async_trait;
use rand::RngExt;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// Proofs through `bad` and `around` are rejected, so that claims are taken back again and again.
const WORLD: &str = "
    root: bad -> a | split -> a b | around -> c
    a: loop -> root | slow -> %time | step -> a1 a2 | around -> .
    a1: done -> . | bad -> .
    a2: done -> .
    b: pair -> x* y* | split -> a a1
    c: step -> d a
    d: nothing -> !no
    x: done -> .
    y: done -> .
    forbidden: bad around";

const TACTICS: &[&str] = &["bad", "around", "loop", "slow", "step", "split", "pair", "done"];

/// Statements that take `mini` some steps, and one that is false.
const STATEMENTS: &[&str] = &[
    "theorem t (p q r : Prop) : (p ∧ q) ∧ r → r ∧ (q ∧ p)",
    "theorem t (p q : Prop) : p ∨ q → q ∨ p",
    "theorem t (p q r : Prop) (f : p → q) (g : q → r) : (p → r) ∧ (p ∧ q → r)",
    "theorem t (p q : Prop) : p ∨ q → p ∧ q",
];

const MINI_TACTICS: &[&str] = &[
    "intro h",
    "intro k",
    "constructor",
    "left",
    "right",
    "assumption",
    "cases h",
    "apply f",
    "apply g",
    "exact h",
];

fn any<T: Copy>(rng: &mut Rng, choices: &[T]) -> T {
    choices[rng.random_range(0..choices.len())]
}

fn sometimes<T>(rng: &mut Rng, make: impl FnOnce(&mut Rng) -> T) -> Option<T> {
    rng.random_bool(0.5).then(|| make(rng))
}

fn random_config(rng: &mut Rng) -> Config {
    let mut config = Config { seed: rng.random_range(0..1000), ..Config::default() };
    config.budget.max_candidates = Some(rng.random_range(20..300));
    // Where everything is blocked, agents pass until the blocks end.
    config.budget.max_iterations = Some(400);
    config.workers.workers = rng.random_range(1..5);
    let search = &mut config.search;
    search.policy = any(rng, Selection::ALL);
    search.exploration = rng.random_range(0.0..2.0);
    search.backprop = any(rng, Backup::ALL);
    search.expand = any(rng, Expansion::ALL);
    search.widening = any(rng, &[None, Some(0.5), Some(1.0)]);
    search.identity = any(rng, Identity::ALL);
    search.cycle_rule = any(rng, CycleRule::ALL);
    search.max_depth = any(rng, &[None, None, Some(5)]);
    if rng.random_bool(0.7) {
        search.policy = any(rng, &[Selection::Ucb1, Selection::Puct]);
        config.distributed_mcts = random_agents(rng);
    }
    let latency = |text: &str| text.parse::<LatencySpec>().expect("it is a latency");
    if rng.random_bool(0.5) {
        config.latencies.tactic = latency("lognormal:20ms:1");
        config.latencies.provider = latency("lognormal:50ms:0.5");
    }
    config.validate().expect("only valid configurations are drawn");
    config
}

fn random_agents(rng: &mut Rng) -> DistributedMcts {
    let memory = rng.random_range(0..3);
    let mut agents = DistributedMcts {
        mode: MctsMode::Distributed,
        agents: Some(rng.random_range(1..9)),
        inflight: Some(rng.random_range(1..9)),
        virtual_loss: any(rng, &[None, Some(0.0), Some(0.5), Some(3.0)]),
        depth_bias: sometimes(rng, |rng| rng.random_range(0.0..0.5)),
        path_bias: sometimes(rng, |rng| rng.random_range(0.0..0.5)),
        history_cache: memory == 1,
        goal_cache: memory == 2,
        ..DistributedMcts::default()
    };
    if rng.random_bool(0.5) {
        agents.block_fraction = Some(rng.random_range(0.05..0.6));
        agents.block_duration = Some(any(rng, &[-1, 1, 5, 20]));
        agents.block_seed = Some(rng.random_range(0..100));
        agents.unfreeze_after = sometimes(rng, |rng| rng.random_range(1..4));
        agents.unfreeze_prob = sometimes(rng, |rng| rng.random_range(0.1..1.0));
        if agents.block_duration > Some(0) {
            agents.block_immovable_fraction = sometimes(rng, |rng| rng.random_range(0.0..1.0));
        }
    }
    if rng.random_bool(0.5) {
        agents.delay_prob = Some(rng.random_range(0.05..0.6));
        agents.delay_duration = Some(rng.random_range(1..10));
        agents.delay_seed = Some(rng.random_range(0..100));
    }
    if rng.random_bool(0.5) {
        (agents.reroute_blocked, agents.reroute_max) = (true, Some(rng.random_range(1..4)));
    }
    if agents.block_fraction.is_some() || agents.delay_prob.is_some() {
        let all = if agents.reroute_blocked { 3 } else { 2 };
        agents.obstacle_visits = sometimes(rng, |rng| any(rng, &ObstacleVisits::ALL[..all]));
    }
    agents
}

/// Makes an attempt with a trace.
fn record(
    theorem: Theorem,
    config: Config,
    environment: impl Environment + 'static,
    provider: impl Provider + 'static,
    folder: &Path,
) -> AttemptResult {
    record_from(None, theorem, config, environment, provider, folder)
}

/// The same, beginning with a script.
fn record_from(
    given: Option<Given>,
    theorem: Theorem,
    config: Config,
    environment: impl Environment + 'static,
    provider: impl Provider + 'static,
    folder: &Path,
) -> AttemptResult {
    let means = Means {
        workers: Workers::new(Arc::new(environment), Grouping::Coupled),
        provider: Arc::new(provider),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(&config).expect("no distribution is read from a file"),
        cancel: CancellationToken::new(),
    };
    let directory = Some(folder.to_owned());
    let request = attempt::AttemptRequest { theorem, attempt: 1, role: Role::Configured, config, directory };
    let sink = &mut |_: &str, _: &Event| {};
    block_on(attempt::run_from(&request, &means, given, sink)).expect("files can be written")
}

/// A script that a search of [`WORLD`] begins with.
fn first_script(seed: u64) -> Given {
    let origin = if seed.is_multiple_of(2) { GraftOrigin::Draft } else { GraftOrigin::File };
    Given { script: "split\nstep\ndone\nno_tactic".to_owned(), start: Place::START, origin, plan: Vec::new() }
}

/// Writes random drafts.
struct Drafting<P>(P, u64, &'static [&'static str]);

#[async_trait]
impl<P: Provider> Provider for Drafting<P> {
    fn id(&self) -> &str {
        self.0.id()
    }

    fn speaks(&self, system: System) -> bool {
        self.0.speaks(system)
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        self.0.suggest(request).await
    }

    fn writes_drafts(&self) -> bool {
        true
    }

    async fn draft(
        &self,
        request: Request<'_>,
        history: &DraftHistory,
    ) -> Result<Option<Draft>, ProviderError> {
        let text: u64 = request.pp().bytes().map(u64::from).sum();
        let rng = &mut stream(self.1 ^ text ^ history.number, Purpose::Candidates);
        let lines = (0..rng.random_range(0..8)).map(|_| match self.2 {
            [] => format!("t{}", rng.random_range(0..8)),
            tactics => any(rng, tactics).to_owned(),
        });
        let script = lines.collect::<Vec<_>>().join("\n");
        Ok(Some(Draft { script, log_prior: -0.5, provider: self.id().into(), usage: Usage::default() }))
    }
}

/// A random attempt at something.
fn record_random(seed: u64, folder: &Path) -> AttemptResult {
    let mut rng = stream(seed, Purpose::Selection);
    let config = random_config(&mut rng);
    match seed % 4 {
        0 => {
            let statement = any(&mut rng, STATEMENTS);
            let provider = scripted::Scripted::always(MINI_TACTICS);
            record(theorem(MINI, "t", statement), config, Mini::new(MiniConfig::default()), provider, folder)
        }
        1 => {
            let provider = scripted::Scripted::always(TACTICS);
            record(theorem(MINI, "t", WORLD), config, ScriptedEnvironment::default(), provider, folder)
        }
        _ => {
            let instance = format!("{} {seed}", any(&mut rng, &["easy", "medium", "hard"]));
            let provider = SyntheticPolicy { critic: rng.random_bool(0.5) };
            record(theorem(SYNTHETIC, "t", &instance), config, Synthetic, provider, folder)
        }
    }
}

#[test]
fn runs_with_scripts_and_drafts_replay_to_equal_digests() {
    let (mut grafted, mut cut, mut interleaved) = (0, 0, 0);
    for seed in 0..120 {
        let folder = tempfile::tempdir().unwrap();
        let mut rng = stream(seed, Purpose::Selection);
        let mut config = random_config(&mut rng);
        config.drafts.share = rng.random_range(0.1..0.9);
        let result = if seed % 2 == 0 {
            let provider = Drafting(scripted::Scripted::always(TACTICS), seed, TACTICS);
            let (given, theorem) = (Some(first_script(seed / 2)), theorem(MINI, "t", WORLD));
            record_from(given, theorem, config, ScriptedEnvironment::default(), provider, folder.path())
        } else {
            let instance = format!("{} {seed}", any(&mut rng, &["easy", "medium", "hard"]));
            let provider = Drafting(SyntheticPolicy { critic: rng.random_bool(0.5) }, seed, &[]);
            record(theorem(SYNTHETIC, "t", &instance), config, Synthetic, provider, folder.path())
        };
        let path = folder.path().join("trace.jsonl");
        for replayed in [replay(&path), replay_following(&path)] {
            let replayed = replayed.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            assert_eq!(Some(replayed.digest()), result.tree_digest, "seed {seed}");
            assert_eq!(replayed.search.check(), [], "seed {seed}");
            let steps: u64 = result.grafts.iter().map(|graft| graft.steps).sum();
            assert_eq!(replayed.search.n_grafted() as u64, steps, "seed {seed}");
        }
        grafted += result.grafts.iter().map(|graft| graft.steps).sum::<u64>();
        cut += result.grafts.iter().map(|graft| graft.cuts.len()).sum::<usize>();
        let trace = read_lines::<TraceEvent>(&path, Kind::Trace).unwrap().records;
        let is_step = |event: &TraceEvent| matches!(event, TraceEvent::GraftStep(_));
        let is_iteration = |event: &TraceEvent| matches!(event, TraceEvent::Iteration(_));
        interleaved +=
            trace.windows(3).filter(|w| is_step(&w[0]) && is_iteration(&w[1]) && is_step(&w[2])).count();
    }
    assert!(grafted > 500 && cut > 200 && interleaved > 10, "{grafted} {cut} {interleaved}");
}

fn assert_same(seed: u64, replayed: &Replayed, result: &AttemptResult) {
    assert_eq!(Some(replayed.digest()), result.tree_digest, "seed {seed}");
    let summary = replayed.summary();
    assert_eq!(summary.iterations, result.spent.iterations, "seed {seed}");
    assert_eq!(summary.nodes, result.spent.nodes, "seed {seed}");
    assert_eq!(replayed.search.spent().candidates, result.spent.candidates, "seed {seed}");
    assert_eq!(summary.ending.as_deref(), Some(result.stop_reason.as_str()), "seed {seed}");
    assert_eq!(replayed.search.check(), [], "seed {seed}");
}

#[test]
fn two_hundred_random_runs_replay_to_equal_digests() {
    let mut seen: Vec<IterationReason> = Vec::new();
    let (mut rejections, mut proved, mut nodes, mut lifted) = (0, 0, 0, 0);
    for seed in 0..200 {
        let folder = tempfile::tempdir().unwrap();
        let result = record_random(seed, folder.path());
        let path = folder.path().join("trace.jsonl");
        let replayed = match replay(&path) {
            Ok(replayed) => replayed,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        assert_same(seed, &replayed, &result);
        let asked_again = replayed.search.config().selection != Selection::BlindUniform;
        assert_eq!(replayed.choices > 0, asked_again, "seed {seed}");
        for record in read_lines::<TraceEvent>(&path, Kind::Trace).unwrap().records {
            match record {
                TraceEvent::Iteration(iteration) => {
                    lifted += iteration.lifted.len();
                    if !seen.contains(&iteration.reason) {
                        seen.push(iteration.reason);
                    }
                }
                TraceEvent::Rejection(_) => rejections += 1,
                _ => {}
            }
        }
        proved += u64::from(replayed.ending == TraceEnding::Proved);
        nodes += result.spent.nodes;
    }
    seen.sort();
    for reason in [
        IterationReason::Expanded,
        IterationReason::NoExpansion,
        IterationReason::Blocked,
        IterationReason::Delayed,
        IterationReason::TerminalNode,
        IterationReason::DeadNode,
    ] {
        assert!(seen.contains(&reason), "{reason:?} was tried: {seen:?}");
    }
    assert!(lifted > 20, "blocks were lifted: {lifted}");
    assert!(rejections > 20, "claims were rejected: {rejections}");
    assert!((10..190).contains(&proved), "some were proved: {proved}");
    assert!(nodes > 4000, "the searches have grown: {nodes} nodes in all");
}

/// A search by several agents, with blocks and delays that they go round.
fn record_damaged(folder: &Path) {
    let mut config = Config { seed: 5, clock: Clock::Virtual, ..Config::default() };
    config.search.policy = Selection::Ucb1;
    config.budget.max_iterations = Some(120);
    config.distributed_mcts = DistributedMcts {
        mode: MctsMode::Distributed,
        agents: Some(4),
        inflight: Some(4),
        path_bias: Some(0.3),
        block_fraction: Some(0.3),
        block_duration: Some(8),
        block_seed: Some(3),
        unfreeze_prob: Some(0.3),
        delay_prob: Some(0.1),
        delay_duration: Some(3),
        delay_seed: Some(4),
        reroute_blocked: true,
        reroute_max: Some(2),
        obstacle_visits: Some(ObstacleVisits::All),
        ..DistributedMcts::default()
    };
    config.validate().unwrap();
    let theorem = theorem(SYNTHETIC, "t", "hard 1");
    record(theorem, config, Synthetic, SyntheticPolicy { critic: false }, folder);
}

/// The number of the first line that `is_it`, from 1, and the trace with that line changed.
fn edited(text: &str, is_it: impl Fn(&Value) -> bool, edit: impl FnOnce(&mut Value)) -> (usize, String) {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let records = lines.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let (place, mut record) = records.enumerate().find(|(_, r)| is_it(r)).expect("there is such a line");
    edit(&mut record);
    lines[place] = record.to_string();
    (place + 1, lines.join("\n") + "\n")
}

#[test]
fn agents_detours_obstacles_lifts_scores_and_the_set_in_flight_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    record_damaged(folder.path());
    let text = fs_err::read_to_string(folder.path().join("trace.jsonl")).unwrap();
    let path = folder.path().join("tampered.jsonl");
    let refused = |is_it: &dyn Fn(&Value) -> bool, edit: &dyn Fn(&mut Value), field: &str| {
        let (line, tampered) = edited(&text, is_it, edit);
        fs_err::write(&path, tampered).unwrap();
        match replay(&path) {
            Ok(_) => panic!("line {line}: a change of {field} is not seen"),
            Err(error) => error.to_string(),
        }
    };
    let deep = |r: &Value| r["iteration"].as_u64() > Some(20) && r["event"] == "iteration";
    let blocked = |r: &Value| deep(r) && r["reason"] == "blocked";
    let rerouted = |r: &Value| deep(r) && r["reroute"][0]["block"]["until"].is_u64();
    let scored = |r: &Value| deep(r) && r["reservation"]["score"].is_f64();
    let crowded = |r: &Value| deep(r) && r["reservation"]["in_flight"][0].is_u64();
    let lifting = |r: &Value| r["lifted"][0].is_string();
    let asserted = |message: String, field: &str| assert!(message.contains(field), "{field}: {message}");

    asserted(refused(&rerouted, &|r| r["reroute"][0]["block"]["until"] = json!(9999), "until"), "reroute");
    asserted(
        refused(&rerouted, &|r| r["reroute"][0]["block"]["remaining"] = json!(0), "remaining"),
        "reroute",
    );
    asserted(refused(&rerouted, &|r| r["reroute"] = json!([]), "reroute"), "reroute");
    asserted(refused(&blocked, &|r| r["block"]["remaining"] = json!(9999), "remaining"), "block");
    asserted(refused(&lifting, &|r| r["lifted"] = json!([]), "lifted"), "lifted");
    asserted(refused(&scored, &|r| r["reservation"]["score"] = json!(0.125), "score"), "reservation");
    asserted(refused(&crowded, &|r| r["reservation"]["in_flight"] = json!([]), "in_flight"), "reservation");
    // What is reserved earlier is in flight for longer.
    asserted(refused(&deep, &|r| r["reservation"]["after"] = json!(0), "after"), "tree.inflight");
    // Another agent would not have been idle, or would have leant elsewhere.
    let other = |r: &mut Value| r["agent_id"] = json!((r["agent_id"].as_u64().unwrap() + 1) % 4);
    refused(&deep, &other, "agent_id");
    // What was given up at the end was in flight, too.
    let gives_up = |r: &Value| r["given_up"][0].is_object();
    asserted(refused(&gives_up, &|r| r["given_up"][0]["selected_path"] = json!([]), "given_up"), "given_up");
    let emptied = |r: &mut Value| (r["given_up"], r["tree"]["inflight"]) = (json!([]), json!(0));
    asserted(refused(&gives_up, &emptied, "given_up"), "is not recorded");
    asserted(refused(&gives_up, &|r| r["given_up"] = json!([]), "given_up"), "given_up");
    // Nothing is in the way of an iteration that did something.
    let free = |r: &Value| deep(r) && r["reason"] == "expanded";
    let block = json!({"until": 30, "remaining": 2, "duration": 8, "immovable": false});
    asserted(refused(&free, &|r| r["block"] = block.clone(), "block"), "block");
    let delay = json!({"until": 30, "remaining": 2, "duration": 3});
    asserted(refused(&free, &|r| r["delay"] = delay.clone(), "delay"), "delay");
    asserted(refused(&blocked, &|r| r["delay"] = delay.clone(), "delay"), "delay");
    asserted(refused(&free, &|r| r["tree"]["inflight"] = json!(9), "inflight"), "inflight");
}

#[test]
fn a_trace_that_breaks_off_is_asked_again_as_far_as_all_is_known() {
    let folder = tempfile::tempdir().unwrap();
    record_damaged(folder.path());
    let text = fs_err::read_to_string(folder.path().join("trace.jsonl")).unwrap();
    let (whole, n) = (replay(&folder.path().join("trace.jsonl")).unwrap(), text.lines().count());
    let path = folder.path().join("torn.jsonl");
    fs_err::write(&path, text.lines().take(n / 2).map(|line| format!("{line}\n")).collect::<String>())
        .unwrap();
    let torn = replay(&path).unwrap();
    assert_eq!(torn.ending, TraceEnding::BrokenOff);
    let followed = replay_following(&path).unwrap();
    assert_eq!((followed.choices, followed.digest()), (0, torn.digest()));
    assert!(torn.choices > 0 && torn.choices < whole.choices, "{} of {}", torn.choices, whole.choices);
    assert_eq!(torn.search.check(), []);
}

#[test]
fn a_trace_of_version_3_0_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    record_damaged(folder.path());
    let path = folder.path().join("trace.jsonl");
    let whole = replay(&path).unwrap();
    let old = fs_err::read_to_string(&path).unwrap().lines().fold(String::new(), |mut text, line| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        let fields = record.as_object_mut().unwrap();
        for field in ["reservation", "lifted", "given_up"] {
            fields.remove(field);
        }
        if let Some(version) = fields.get_mut("format_version") {
            *version = json!({"major": 3, "minor": 0});
        }
        text += &(record.to_string() + "\n");
        text
    });
    fs_err::write(&path, old).unwrap();
    let followed = replay(&path).unwrap();
    assert_eq!((followed.choices, followed.digest()), (0, whole.digest()));
}
