//! Small searches whose whole tree and trace are kept in files, and compared to the letter: a change of what a search does
//! is seen, and has to be meant. `ANDOR_GOLDEN=write cargo nextest run -p andor-engine golden` writes them anew.

use andor_system_mini::MINI;
use andor_system_synthetic::SYNTHETIC;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use andor_artifact::result::Role;
use andor_config::{Config, CycleRule, Expansion, Identity, MctsMode, Selection};
use andor_core::theorem::Theorem;
use andor_engine::attempt::{self, Means};
use andor_engine::event::Event;
use andor_engine::registry;
use andor_env::environment::Environment;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::contract::Provider;
use andor_provider::scripted;
use andor_system_synthetic::Synthetic;
use andor_system_synthetic::SyntheticPolicy;
use andor_testkit::scripted::ScriptedEnvironment;
use andor_testkit::{block_on, theorem};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// A world of a few obligations: a circle, a dead end, a time limit, coupled goals, and a proof that is rejected.
const WORLD: &str = "
    root: bad -> a | split -> a b
    a: loop -> root | slow -> %time | step -> a1 a2
    a1: done -> .
    a2: nothing -> !no | done -> .
    b: pair -> x* y*
    x: done -> .
    y: done -> .
    forbidden: bad";

const TACTICS: &[&str] = &["bad", "loop", "slow", "nothing", "step", "split", "pair", "done"];

fn means(
    environment: impl Environment + 'static,
    provider: impl Provider + 'static,
    config: &Config,
) -> Means {
    Means {
        workers: Workers::new(Arc::new(environment), Grouping::Coupled),
        provider: Arc::new(provider),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(config).unwrap(),
        cancel: CancellationToken::new(),
    }
}

/// Makes a search, and compares its tree and its trace with those kept under a name.
fn check(name: &str, theorem: Theorem, means: &Means, config: Config) {
    config.validate().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let directory = Some(folder.path().to_owned());
    let request = attempt::AttemptRequest { theorem, attempt: 1, role: Role::Configured, config, directory };
    block_on(attempt::run(&request, means, &mut |_: &str, _: &Event| {})).unwrap();
    let read = |file: &str| fs_err::read_to_string(folder.path().join(file)).unwrap();
    compare(&format!("{name}.trace.jsonl"), &trace(&read("trace.jsonl")));
    compare(&format!("{name}.graph.json"), &graph(&read("graph.json")));
}

/// A trace without the versions in its first line, and without the configuration, which grows with every new option.
fn trace(text: &str) -> String {
    let lines = text.lines().skip(1).map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().remove("config");
        line.to_string() + "\n"
    });
    lines.collect()
}

/// A tree without versions, and without what is measured.
fn graph(text: &str) -> String {
    let mut graph: Value = serde_json::from_str(text).unwrap();
    graph.as_object_mut().unwrap().remove("opening");
    for step in graph["steps"].as_array_mut().unwrap() {
        step.as_object_mut().unwrap().remove("took_ms");
    }
    serde_json::to_string_pretty(&graph).unwrap() + "\n"
}

fn compare(name: &str, found: &str) {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("ANDOR_GOLDEN").is_some_and(|wish| wish == "write") {
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(&path, found).unwrap();
    }
    let kept = fs_err::read_to_string(&path).unwrap_or_default();
    if let Some(at) = (0..)
        .take_while(|&at| at < kept.lines().count().max(found.lines().count()))
        .find(|&at| kept.lines().nth(at) != found.lines().nth(at))
    {
        let line = |text: &str| text.lines().nth(at).unwrap_or("(nothing)").to_owned();
        panic!(
            "{name}, line {}:\nkept:  {}\nfound: {}\nif this is meant: ANDOR_GOLDEN=write cargo nextest run \
             -p andor-engine golden",
            at + 1,
            line(&kept),
            line(found)
        );
    }
}

fn config_with(change: impl FnOnce(&mut Config)) -> Config {
    let mut config = Config { seed: 7, ..Config::default() };
    config.workers.tactic_timeout_s = 1.0;
    config.budget.max_iterations = Some(12);
    change(&mut config);
    config
}

fn scripted_world(name: &str, config: Config) {
    let means = means(ScriptedEnvironment::default(), scripted::Scripted::always(TACTICS), &config);
    check(name, theorem(MINI, "t", WORLD), &means, config);
}

fn synthetic(name: &str, instance: &str, config: Config) {
    let means = means(Synthetic, SyntheticPolicy { critic: true }, &config);
    check(name, theorem(SYNTHETIC, "t", instance), &means, config);
}

#[test]
fn a_proof_by_puct() {
    scripted_world("puct", config_with(|_| {}));
}

#[test]
fn a_graph_by_best_first_search() {
    let config = config_with(|c| {
        (c.search.policy, c.search.expand) = (Selection::BestFirst, Expansion::All);
        (c.search.identity, c.search.cycle_rule) = (Identity::Strict, CycleRule::DropChild);
    });
    scripted_world("best-first", config);
}

#[test]
fn the_synthetic_world_by_ucb1() {
    let config = config_with(|c| {
        c.search.policy = Selection::Ucb1;
        c.search.exploration = Selection::Ucb1.default_exploration();
    });
    synthetic("ucb1", "medium 3", config);
}

#[test]
fn the_synthetic_world_in_a_blind_order() {
    synthetic("blind", "easy 2", config_with(|c| c.search.policy = Selection::BlindUniform));
}

#[test]
fn the_synthetic_world_by_agents_and_obstacles() {
    let config = config_with(|c| {
        let mcts = &mut c.distributed_mcts;
        mcts.mode = MctsMode::Distributed;
        (mcts.agents, mcts.inflight, mcts.virtual_loss) = (Some(3), Some(3), Some(0.0));
        (mcts.block_fraction, mcts.block_duration, mcts.block_seed) = (Some(0.3), Some(4), Some(1));
        (mcts.reroute_blocked, mcts.reroute_max) = (true, Some(1));
        c.workers.workers = 2;
    });
    synthetic("agents", "medium 5", config);
}
