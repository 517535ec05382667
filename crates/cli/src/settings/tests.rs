use andor_config::{Clock, ConfigOption, Grouping, OPTIONS, Preset, Selection};
use clap::{CommandFactory, Parser};
use serde_json::Value;

use super::*;
use crate::args::{Cli, Command};

/// Reads options of `andor prove`, without making a configuration of them.
fn parse(options: &[&str]) -> ProveArgs {
    let line = [&["andor", "prove", "--statement", "1 = 1"], options].concat();
    match Cli::try_parse_from(line).expect("the options are known").command {
        Command::Prove(args) => args.prove,
        other => panic!("{other:?}"),
    }
}

/// What they make of the default configuration, rules kept or not.
fn laid_over(options: &[&str]) -> Config {
    let mut config = Config::default();
    overlay(&mut config, &parse(options).given.0);
    config
}

fn option(name: &str) -> clap::Arg {
    let program = Cli::command();
    let prove = program.find_subcommand("prove").expect("the command exists");
    let is_called = |arg: &&clap::Arg| match name.strip_prefix("--") {
        Some(long) => arg.get_long() == Some(long),
        None => arg.get_short().is_some_and(|short| format!("-{short}") == name),
    };
    let mut found = prove.get_arguments().filter(is_called);
    found.next().unwrap_or_else(|| panic!("no option {name}")).clone()
}

#[test]
fn without_options_everything_is_as_by_default() {
    let mut default = Config::default();
    default.resolve().unwrap();
    assert_eq!(prove("prove", &parse(&[])).unwrap(), default);
}

/// A value that is not the default.
fn other_value(option: &str) -> &'static str {
    match option {
        "--preset" => "best-first",
        "--policy" => "ucb1",
        "--backprop" => "uniform",
        "--expand" => "all",
        "--obligation" => "state",
        "--identity" => "strict",
        "--cycle-rule" => "drop-child",
        "--provider" => "synthetic",
        "--answer" => "proof",
        "--lean-backend" => "repl",
        "--ranker" => "shortest-first",
        "--verify" => "4",
        "-Q" | "-R" => "x Y",
        "--clock" => "wall",
        "--share-progress" => "run",
        "--second-judge" => "required",
        "--universes" => "as-stated",
        "--mcts-mode" => "distributed",
        "--mcts-obstacle-visits" => "all",
        "--plan-schedule" => "in-order",
        "--plan-subgoal-time" | "--provider-latency" | "--tactic-latency" => "7s",
        "--trust" => "rocq#20455,rocq#22386",
        "--allow-axioms" | "--block-tactics" | "--easy-tactics" => "a,b",
        _ => "7",
    }
}

#[test]
fn each_option_sets_its_key_and_no_other() {
    let table = |config: &Config| serde_json::to_value(config).expect("a configuration is JSON");
    let default = table(&Config::default());
    for ConfigOption { flag: name, .. } in OPTIONS {
        let value = option(name).get_action().takes_values().then(|| other_value(name));
        let line: Vec<&str> =
            [*name].into_iter().chain(value.into_iter().flat_map(str::split_whitespace)).collect();
        let set = table(&laid_over(&line));
        let changed = |key: &str| {
            let value = |table: &Value| key.split('.').fold(table.clone(), |table, name| table[name].clone());
            value(&set) != value(&default)
        };
        let own = ConfigOption::called(name).expect("it stands in the table");
        for key in OPTIONS.iter().flat_map(ConfigOption::keys) {
            assert_eq!(changed(key), own.keys().any(|own| own == key), "{line:?}: {key}");
        }
    }
}

#[test]
fn the_help_says_the_defaults() {
    let agents = ["--mcts-mode", "distributed", "--mcts-agents", "2", "--mcts-inflight", "2"];
    let blocks = ["--mcts-block-fraction", "0.5", "--mcts-block-duration", "9", "--mcts-block-seed", "1"];
    let mut n_said = 0;
    for ConfigOption { flag: name, .. } in OPTIONS {
        let help = option(name).get_help().map(ToString::to_string).unwrap_or_default();
        let Some((_, default)) = help.split_once("[default: ") else { continue };
        let default = default.strip_suffix(']').expect("the default stands last");
        n_said += 1;
        let base: Vec<&str> = match name.starts_with("--mcts-") && *name != "--mcts-mode" {
            true => [agents, blocks].concat(),
            false => Vec::new(),
        };
        let (without, with) = (laid_over(&base), laid_over(&[&base[..], &[name, default]].concat()));
        // Of agents the configuration keeps what was given, so one has to look at what comes of it.
        assert_eq!(with.search(), without.search(), "{name} {default}");
        if base.is_empty() {
            assert_eq!(with, without, "{name} {default}");
        }
    }
    assert!(n_said > 20, "{n_said} defaults are said");
}

#[test]
fn the_clock_follows_from_agents_and_workers_unless_it_is_given() {
    let clock = |options: &[&str]| prove("prove", &parse(options)).unwrap().clock;
    let agents = ["--mcts-mode", "distributed", "--mcts-agents", "1", "--mcts-inflight", "1"];
    assert_eq!(clock(&[]), Clock::Virtual);
    assert_eq!(clock(&["--clock", "wall"]), Clock::Wall);
    assert_eq!(clock(&["--workers", "2"]), Clock::Wall);
    assert_eq!(clock(&["--workers", "2", "--clock", "virtual"]), Clock::Virtual);
    assert_eq!(clock(&agents), Clock::Wall);
    assert_eq!(
        clock(&[&agents[..], &["--clock", "virtual", "--virtual-time", "5s"]].concat()),
        Clock::Virtual
    );
}

#[test]
fn a_preset_gives_way_to_the_parts_beside_it() {
    let search = |options: &[&str]| prove("prove", &parse(options)).unwrap().search;
    let preset = |preset: Preset| preset.config().search;
    assert_eq!(search(&["--preset", "best-first"]), preset(Preset::BestFirst));
    assert_eq!(search(&["--preset", "best-first", "--obligation", "goal"]).obligation, Grouping::Coupled);
    let distributed = prove("prove", &parse(&["--preset", "mcts-distributed"])).unwrap();
    let mut of_preset = Preset::MctsDistributed.config();
    of_preset.resolve().unwrap();
    assert_eq!(distributed, of_preset);
    // The statements of a plan are goals of their own.
    for plan in [["--plan", "p.json"], ["--planner", "m"]] {
        let given = [&["--preset", "bfs-prover"], &plan[..]].concat();
        let planned = search(&given);
        assert_eq!((planned.obligation, planned.policy), (Grouping::Coupled, Selection::BestFirst));
        let state = [&given[..], &["--obligation", "state"]].concat();
        assert!(prove("prove", &parse(&state)).is_err());
    }
    let more = prove("prove", &parse(&["--preset", "mcts-distributed", "--mcts-agents", "3"])).unwrap();
    assert_eq!(more.distributed_mcts.agents, Some(3));
    assert_eq!(more.distributed_mcts.inflight, distributed.distributed_mcts.inflight);
}

#[test]
fn exploration_follows_from_the_policy_unless_it_is_given() {
    let exploration = |options: &[&str]| prove("prove", &parse(options)).unwrap().search.exploration;
    assert_eq!(exploration(&["--policy", "ucb1"]), std::f64::consts::SQRT_2);
    assert_eq!(exploration(&["--policy", "puct"]), 0.5);
    assert_eq!(exploration(&["--policy", "ucb1", "--exploration", "0.7"]), 0.7);
}

#[test]
fn a_limit_on_processor_time_alone_leaves_wall_time_to_reach_it() {
    let wall = |options: &[&str]| prove("prove", &parse(options)).unwrap().workers.tactic_timeout_s;
    assert_eq!(wall(&[]), 5.0);
    assert_eq!(wall(&["--tactic-cpu-timeout", "2s"]), 5.0);
    assert_eq!(wall(&["--tactic-cpu-timeout", "5s"]), 7.5);
    assert_eq!(wall(&["--tactic-cpu-timeout", "1000000000s"]), 1e9, "no longer than may be given");
    assert_eq!(wall(&["--tactic-cpu-timeout", "20s", "--tactic-timeout", "6s"]), 6.0);
    let folder = tempfile::tempdir().unwrap();
    let given = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs_err::write(&path, text).unwrap();
        wall(&["--config", path.to_str().unwrap()])
    };
    assert_eq!(given("cpu.toml", "[workers]\ntactic_cpu_timeout_s = 8.0\n"), 12.0);
    assert_eq!(given("both.toml", "[workers]\ntactic_cpu_timeout_s = 8.0\ntactic_timeout_s = 9.0\n"), 9.0);
}
