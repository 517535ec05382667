//! The rules of options, on the command line, in a file and in the library; and configurations from files.

use std::path::Path;

use crate::support::{Folder, andor, left};
use andor_config::{Config, ConfigFile, ConfigOption};
use serde_json::Value;

const STATEMENT: [&str; 5] = ["prove", "--system", "synthetic", "--statement", "easy 1"];

/// Exit code, standard output, standard error of `andor prove` with these options.
fn prove(options: &[&str]) -> (i32, String, String) {
    left(andor(&[&STATEMENT, options].concat()).output().unwrap())
}

/// Options that break a rule, after `D` for those of a distributed run; the option at fault; the rule.
const ROWS: &[(&str, &str, &str)] = &[
    // Both must be provided.
    ("--mcts-mode distributed", "--mcts-agents", "is required in distributed mode"),
    ("--mcts-mode distributed --mcts-inflight 2", "--mcts-agents", "is required in distributed mode"),
    ("--mcts-mode distributed --mcts-agents 2", "--mcts-inflight", "is required in distributed mode"),
    ("D --mcts-agents 0", "--mcts-agents", "must be at least 1 and at most 1000000"),
    ("D --mcts-agents 1000001", "--mcts-agents", "must be at least 1 and at most 1000000"),
    ("D --mcts-inflight 0", "--mcts-inflight", "must be at least 1 and at most 1000000"),
    // Distributed options in centralized mode.
    ("--mcts-agents 2", "--mcts-agents", "needs --mcts-mode distributed"),
    ("--mcts-mode centralized --mcts-inflight 2", "--mcts-inflight", "needs --mcts-mode distributed"),
    ("--mcts-virtual-loss 1", "--mcts-virtual-loss", "needs --mcts-mode distributed"),
    ("--mcts-depth-bias 0", "--mcts-depth-bias", "needs --mcts-mode distributed"),
    ("--mcts-path-bias 0", "--mcts-path-bias", "needs --mcts-mode distributed"),
    ("--mcts-history-cache", "--mcts-history-cache", "needs --mcts-mode distributed"),
    ("--mcts-goal-cache", "--mcts-goal-cache", "needs --mcts-mode distributed"),
    ("--mcts-block-fraction 0.5", "--mcts-block-fraction", "needs --mcts-mode distributed"),
    ("--mcts-block-duration -1", "--mcts-block-duration", "needs --mcts-mode distributed"),
    ("--mcts-block-seed 0", "--mcts-block-seed", "needs --mcts-mode distributed"),
    ("--mcts-block-immovable-fraction 0", "--mcts-block-immovable-fraction", "needs --mcts-mode distributed"),
    ("--mcts-unfreeze-after 1", "--mcts-unfreeze-after", "needs --mcts-mode distributed"),
    ("--mcts-unfreeze-prob 1", "--mcts-unfreeze-prob", "needs --mcts-mode distributed"),
    ("--mcts-reroute-blocked", "--mcts-reroute-blocked", "needs --mcts-mode distributed"),
    ("--mcts-reroute-max 1", "--mcts-reroute-max", "needs --mcts-mode distributed"),
    ("--mcts-delay-prob 0.5", "--mcts-delay-prob", "needs --mcts-mode distributed"),
    ("--mcts-delay-duration 1", "--mcts-delay-duration", "needs --mcts-mode distributed"),
    ("--mcts-delay-seed 0", "--mcts-delay-seed", "needs --mcts-mode distributed"),
    (
        "D --mcts-goal-cache --mcts-history-cache",
        "--mcts-goal-cache",
        "cannot be combined with --mcts-history-cache: the shared cache takes the place of the agents' own",
    ),
    // Blocks.
    ("D B --mcts-block-fraction 0", "--mcts-block-fraction", "must lie strictly between 0 and 1"),
    ("D B --mcts-block-fraction 1", "--mcts-block-fraction", "must lie strictly between 0 and 1"),
    ("D B --mcts-block-fraction -0.5", "--mcts-block-fraction", "must lie strictly between 0 and 1"),
    ("D B --mcts-block-fraction nan", "--mcts-block-fraction", "must lie strictly between 0 and 1"),
    (
        "D --mcts-block-fraction 0.5 --mcts-block-seed 1",
        "--mcts-block-duration",
        "is required with --mcts-block-fraction",
    ),
    (
        "D B --mcts-block-duration 0",
        "--mcts-block-duration",
        "must not be 0; a negative number means permanently",
    ),
    ("D --mcts-block-duration 1", "--mcts-block-duration", "needs --mcts-block-fraction"),
    (
        "D --mcts-block-fraction 0.5 --mcts-block-duration 9",
        "--mcts-block-seed",
        "is required with --mcts-block-fraction",
    ),
    ("D --mcts-block-seed 1", "--mcts-block-seed", "needs --mcts-block-fraction"),
    ("D B --mcts-block-immovable-fraction 1.5", "--mcts-block-immovable-fraction", "must be between 0 and 1"),
    (
        "D B --mcts-block-immovable-fraction -0.1",
        "--mcts-block-immovable-fraction",
        "must be between 0 and 1",
    ),
    (
        "D B --mcts-block-duration -1 --mcts-block-immovable-fraction 0.5",
        "--mcts-block-immovable-fraction",
        "needs a positive --mcts-block-duration",
    ),
    (
        "D --mcts-block-immovable-fraction 0.5",
        "--mcts-block-immovable-fraction",
        "needs --mcts-block-fraction",
    ),
    ("D B --mcts-unfreeze-after 0", "--mcts-unfreeze-after", "must be at least 1"),
    ("D --mcts-unfreeze-after 1", "--mcts-unfreeze-after", "needs --mcts-block-fraction"),
    ("D B --mcts-unfreeze-prob 0", "--mcts-unfreeze-prob", "must be above 0 and at most 1"),
    ("D B --mcts-unfreeze-prob 1.1", "--mcts-unfreeze-prob", "must be above 0 and at most 1"),
    ("D --mcts-unfreeze-prob 1", "--mcts-unfreeze-prob", "needs --mcts-block-fraction"),
    // Ways round.
    ("D --mcts-reroute-blocked", "--mcts-reroute-max", "is required with --mcts-reroute-blocked"),
    ("D --mcts-reroute-blocked --mcts-reroute-max 0", "--mcts-reroute-max", "must be at least 1"),
    ("D --mcts-reroute-max 3", "--mcts-reroute-max", "needs --mcts-reroute-blocked"),
    // Marks that obstacles leave.
    ("--mcts-obstacle-visits none", "--mcts-obstacle-visits", "needs --mcts-mode distributed"),
    (
        "D --mcts-obstacle-visits none",
        "--mcts-obstacle-visits",
        "needs --mcts-block-fraction or --mcts-delay-prob",
    ),
    (
        "D --mcts-block-fraction 0.5 --mcts-block-duration 1 --mcts-block-seed 1 --mcts-obstacle-visits all",
        "--mcts-obstacle-visits",
        "all needs --mcts-reroute-blocked",
    ),
    ("--basin-same-damage", "--basin-same-damage", "needs --basin-seeds"),
    (
        "--basin-seeds 2 --basin-same-damage",
        "--basin-same-damage",
        "needs --mcts-block-fraction or --mcts-delay-prob",
    ),
    // Delays: all or none.
    (
        "D --mcts-delay-duration 1 --mcts-delay-seed 1",
        "--mcts-delay-prob",
        "is required with the other delay options",
    ),
    (
        "D --mcts-delay-prob 0.5 --mcts-delay-seed 1",
        "--mcts-delay-duration",
        "is required with --mcts-delay-prob",
    ),
    (
        "D --mcts-delay-prob 0.5 --mcts-delay-duration 1",
        "--mcts-delay-seed",
        "is required with --mcts-delay-prob",
    ),
    ("D L --mcts-delay-prob 1", "--mcts-delay-prob", "must lie strictly between 0 and 1"),
    ("D L --mcts-delay-prob 0", "--mcts-delay-prob", "must lie strictly between 0 and 1"),
    ("D L --mcts-delay-duration 0", "--mcts-delay-duration", "must be at least 1"),
    ("D L --mcts-delay-duration -3", "--mcts-delay-duration", "must be at least 1"),
    ("D L --mcts-delay-seed -1", "--mcts-delay-seed", "must be at least 0"),
    // Weights.
    ("D --mcts-virtual-loss -1", "--mcts-virtual-loss", "must be at least 0 and at most 1000000"),
    ("D --mcts-virtual-loss inf", "--mcts-virtual-loss", "must be at least 0 and at most 1000000"),
    ("D --mcts-depth-bias -0.1", "--mcts-depth-bias", "must be at least 0 and at most 1000000"),
    ("D --mcts-path-bias nan", "--mcts-path-bias", "must be at least 0 and at most 1000000"),
    ("D --policy best-first", "--policy", "must be ucb1 or puct in distributed mode"),
    // Basins.
    ("--basin-blind", "--basin-blind", "needs --basin-seeds"),
    ("D --basin-blind --basin-seeds 5", "--basin-blind", "needs --mcts-mode centralized"),
    ("--basin-seeds 0", "--basin-seeds", "must be at least 1 and at most 1000000"),
    // Clocks.
    ("--clock wall --provider-latency 7ms", "--provider-latency", "needs --clock virtual"),
    ("--workers 2 --tactic-latency 7ms", "--tactic-latency", "needs --clock virtual"),
    ("D --provider-latency 7ms", "--provider-latency", "needs --clock virtual"),
    (
        "--tactic-latency lognormal:5ms:11",
        "--tactic-latency",
        "the standard deviation of the logarithm must be between 0 and 10",
    ),
    // The rest.
    ("--exploration -1", "--exploration", "must be at least 0 and at most 1000000"),
    ("--widening 2", "--widening", "must be between 0 and 1"),
    ("--default-value 1", "--default-value", "must lie strictly between 0 and 1"),
    ("--step-discount 0", "--step-discount", "must be above 0 and at most 1"),
    ("--workers 0", "--workers", "must be at least 1 and at most 1000000"),
    ("--max-file-size 0", "--max-file-size", "must be at least 1 and at most 1099511627776 megabytes"),
    ("--max-memory 0", "--max-memory", "must be at least 1 and at most 1099511627776 megabytes"),
];

/// The same, with what the options are in a file.
const OWN: &[(&str, &str, &str, &str)] = &[
    ("--time=-1s", "budget.time_s = -1", "--time", "must be positive and at most 1000000000 seconds"),
    (
        "--virtual-time 0",
        "budget.virtual_time_s = 0",
        "--virtual-time",
        "must be positive and at most 1000000000 seconds",
    ),
    (
        "--workers 2 --virtual-time 5s",
        "budget.virtual_time_s = 5\nworkers.workers = 2",
        "--virtual-time",
        "needs --clock virtual",
    ),
    (
        "--basin-seeds 5 --provider synthetic --provider synthetic+critic",
        "basin.seeds = 5\nproviders = [{kind = \"synthetic\", critic = false}, {kind = \"synthetic\", critic = true}]",
        "--basin-seeds",
        "needs a single --provider",
    ),
    ("--allow-easy", "tactics.allow_easy = true", "--allow-easy", "needs --easy-gate"),
    (
        "--block-tactics case-analysi",
        "tactics.block = [\"case-analysi\"]",
        "--block-tactics",
        "takes names of families, or first words of tactics",
    ),
    ("--easy-tactics omega,rfl", "tactics.easy = [\"omega\"]", "--easy-tactics", "needs --easy-gate"),
    (
        "--verify 1 --recheck-deps",
        "verify.level = \"compiled\"\nverify.recheck_deps = true",
        "--recheck-deps",
        "applies to level 3 (rechecked) and above; raise --verify",
    ),
    (
        "--verify audited --second-judge required",
        "verify.level = \"audited\"\nverify.second_judge = \"required\"",
        "--second-judge",
        "is asked at level 3 (rechecked) and above; raise --verify",
    ),
];

/// The options of a row; one that is given again takes the place of what a letter stands for.
fn options(row: &'static str) -> Vec<(&'static str, Option<&'static str>)> {
    let words = row.split(' ').flat_map(|word| match word {
        "D" => "--mcts-mode distributed --mcts-agents 2 --mcts-inflight 2".split(' '),
        "B" => "--mcts-block-fraction 0.5 --mcts-block-duration 9 --mcts-block-seed 1".split(' '),
        "L" => "--mcts-delay-prob 0.5 --mcts-delay-duration 9 --mcts-delay-seed 1".split(' '),
        word => word.split(' '),
    });
    let mut words = words.peekable();
    let mut options: Vec<(&str, Option<&str>)> = Vec::new();
    while let Some(option) = words.next() {
        let value = words.next_if(|word| !word.starts_with("--"));
        options.retain(|(other, _)| *other != option);
        options.push((option, value));
    }
    options
}

fn key(option: &str) -> &'static str {
    ConfigOption::called(option).expect("every option has its key").key
}

/// Options as they stand in a file.
fn toml(options: &[(&str, Option<&str>)]) -> String {
    let line = |(option, value): &(&str, Option<&str>)| {
        let value = value.map_or_else(|| "true".to_owned(), str::to_owned);
        let is_plain = value == "true" || value.parse::<f64>().is_ok();
        format!("{} = {}\n", key(option), if is_plain { value } else { format!("{value:?}") })
    };
    options.iter().map(line).collect()
}

/// Holds that the three ways to a configuration say the same.
fn refused(flags: &[&str], toml: &str, option: &str, rule: &str) {
    let folder = Folder::new();
    let file = folder.write("spoilt.toml", toml);
    let message = format!("{option}: {rule}");
    // The library.
    let config = ConfigFile::parse(toml, Path::new("spoilt.toml")).expect("its keys are right").config;
    assert_eq!(config.validate().expect_err("a rule is broken").to_string(), message, "{toml}");
    // The command line.
    let (code, out, err) = prove(flags);
    let hint = "\n\nUsage: andor prove [OPTIONS] [FILE]...\n\nFor more information, try '--help'.\n";
    assert_eq!((code, out.as_str(), err), (2, "", format!("error: {message}{hint}")), "{flags:?}");
    // The file.
    let (code, out, err) = prove(&["--config", &file]);
    let origin = format!(" ({} in `{file}`)", key(option));
    assert_eq!((code, out.as_str(), err), (2, "", format!("error: {message}{origin}{hint}")), "{toml}");
}

#[test]
fn a_broken_rule_is_said_alike_on_every_way() {
    for (row, option, rule) in ROWS {
        let options = options(row);
        let flags = options.iter().flat_map(|(option, value)| [Some(*option), *value]).flatten();
        refused(&flags.collect::<Vec<_>>(), &toml(&options), option, rule);
    }
    for (flags, toml, option, rule) in OWN {
        refused(&flags.split(' ').collect::<Vec<_>>(), toml, option, rule);
    }
}

#[test]
fn what_is_no_value_is_refused_by_the_parser() {
    let cases = [
        ("--mcts-mode", "swarm"),
        ("--mcts-agents", "-1"),
        ("--mcts-agents", "2.5"),
        ("--mcts-block-seed", "-1"),
        ("--mcts-block-seed", "18446744073709551616"),
        ("--mcts-unfreeze-after", "-1"),
        ("--mcts-reroute-max", "-1"),
        ("--mcts-block-fraction", "half"),
        ("--mcts-delay-seed", "x"),
        ("--basin-seeds", "many"),
        ("--workers", "-1"),
        ("--jobs", "0"),
        ("--jobs", "-1"),
        ("--provider-latency", "soon"),
        ("--tactic-latency", "lognormal:5ms"),
        ("--virtual-time", "5 weeks"),
    ];
    for (option, value) in cases {
        let (code, out, err) = prove(&[option, value]);
        assert_eq!((code, out.as_str()), (2, ""), "{option} {value}: {err}");
        assert!(err.contains(option) && err.contains(value), "{option} {value}: {err}");
    }
}

#[test]
fn the_command_line_overrides_the_file_that_is_named_when_it_is_to_blame() {
    let folder = Folder::new();
    let damage = "[distributed_mcts]\nmode = \"distributed\"\nagents = 2\ninflight = 2\nblock_fraction = 1.5\n\
                  block_duration = 9\nblock_seed = 1\n";
    let file = folder.write("damage.toml", damage);
    let error = |options: &[&str]| {
        let (code, _, err) = prove(&[&["--config", &file], options].concat());
        assert_eq!(code, 2, "{options:?}: {err}");
        err.lines().next().unwrap_or_default().to_owned()
    };
    let in_file = |key: &str| format!("({key} in `{file}`)");
    assert!(error(&[]).ends_with(&in_file("distributed_mcts.block_fraction")));
    // What was given is right or wrong; what was not is lacking in the file.
    assert_eq!(
        error(&["--mcts-block-fraction", "2"]),
        "error: --mcts-block-fraction: must lie strictly between 0 and 1"
    );
    let mended = ["--mcts-block-fraction", "0.5", "--mcts-reroute-blocked"];
    assert!(error(&mended).ends_with(&in_file("distributed_mcts.reroute_max")));
    assert!(error(&["--mcts-block-fraction", "0.5", "--mcts-mode", "centralized"]).contains("--mcts-agents"));
    let mistaken = folder.write("mistaken.toml", "seed = 3\npolcy = \"puct\"\n");
    let (code, _, err) = prove(&["--config", &mistaken]);
    assert_eq!(code, 2, "{err}");
    let said = format!(
        "error: --config: `{mistaken}`, line 2 (`polcy = \"puct\"`): unknown field `polcy`, expected"
    );
    assert!(err.starts_with(&said), "{err}");
}

#[test]
fn a_run_is_repeated_from_its_record() {
    let folder = Folder::new();
    let (first, second, third) = (folder.path("first"), folder.path("second"), folder.path("third"));
    let file = folder.write("c.toml", "seed = 3\nbudget.time_s = \"none\"\n[search]\npolicy = \"ucb1\"\n");
    let run = |options: &[&str], out: &str| {
        let (code, _, err) = prove(&[options, &["--out", out]].concat());
        assert_eq!(code, 0, "{err}");
        let record = fs_err::read_to_string(Path::new(out).join("run.json")).unwrap();
        serde_json::from_str::<Value>(&record).unwrap()
    };
    let record = run(&["--config", &file, "--max-iterations", "100000"], &first);
    let config: Config = serde_json::from_value(record["config"].clone()).unwrap();
    assert_eq!((config.seed, config.budget.time_s), (3, None));
    assert_eq!(config.search.exploration, std::f64::consts::SQRT_2);
    assert_eq!(config.budget.max_iterations, Some(100_000));
    let saved = format!("{first}/run.json");
    let again = run(&["--config", &saved], &second);
    assert_eq!((&again["config"], &again["config_digest"]), (&record["config"], &record["config_digest"]));
    let other = run(&["--config", &saved, "--seed", "4"], &third);
    assert_eq!(other["config"]["seed"], 4);
    assert_ne!(other["config_digest"], record["config_digest"]);
}

#[test]
fn a_preset_gives_way_to_parts_on_the_command_line_and_in_the_file() {
    let folder = Folder::new();
    let file = folder.write("c.toml", "[search]\npreset = \"mcts\"\nexpand = \"first-novel\"\n");
    let out = folder.path("RUN");
    let options = ["--config", &file, "--preset", "best-first", "--identity", "checkpoint", "--out", &out];
    let (code, _, err) = prove(&options);
    assert_eq!(code, 0, "{err}");
    let record = fs_err::read_to_string(Path::new(&out).join("run.json")).unwrap();
    let record: Value = serde_json::from_str(&record).unwrap();
    let part = |name: &str| record["config"]["search"][name].as_str().unwrap().to_owned();
    let parts = ["preset", "obligation", "policy", "expand", "identity"].map(part);
    assert_eq!(parts, ["best-first", "state", "best-first", "first-novel", "checkpoint"]);
}

#[test]
fn a_misspelled_family_is_pointed_out() {
    let (_, _, said) = prove(&["--block-tactics", "t3,simplificatoin", "--max-iterations", "1"]);
    assert!(said.contains("`simplificatoin` is not a family or known tactic of synthetic"), "{said}");
    assert!(!said.contains("`t3`"), "{said}");
}

#[test]
fn latencies_that_can_be_none_are_refused() {
    let folder = Folder::new();
    let opening = r#"{"kind":"andor.latencies","format_version":{"major":1,"minor":0},"engine_version":"0"}"#;
    for (line, wrong) in [
        (r#"{"what":"tactic","ms":-5}"#, "invalid duration -5.0 ms of a tactic"),
        (r#"{"what":"tactic","ms":1e300}"#, "invalid duration 1e300 ms of a tactic"),
        (r#"{"what":"provider","ms":5}"#, "has no latencies of a tactic"),
    ] {
        let file = folder.write("latencies.jsonl", &format!("{opening}\n{line}\n"));
        let (code, _, said) = prove(&["--clock", "virtual", "--tactic-latency", &format!("recorded:{file}")]);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(&file) && said.contains(wrong), "{said}");
    }
}

#[test]
fn options_without_effect_are_named() {
    let agents = ["--mcts-mode", "distributed", "--mcts-agents", "2", "--mcts-inflight", "2"];
    let said = |more: &[&str]| {
        let (code, _, err) = prove(&[&agents, more].concat());
        assert_eq!(code, 0, "{err}");
        err
    };
    let biased = said(&["--mcts-depth-bias", "0.5"]);
    assert!(biased.contains("--mcts-depth-bias has no effect without --identity strict"), "{biased}");
    let rerouted = said(&["--mcts-reroute-blocked", "--mcts-reroute-max", "2"]);
    assert!(rerouted.contains("--mcts-reroute-blocked has no effect without"), "{rerouted}");
    let remembering = said(&["--mcts-goal-cache", "--identity", "strict"]);
    assert!(remembering.contains("--mcts-goal-cache has no effect with --identity strict"), "{remembering}");
    let strict = said(&["--mcts-depth-bias", "0.5", "--identity", "strict", "--mcts-path-bias", "1"]);
    assert!(!strict.contains("has no effect"), "{strict}");

    let said_alone = |options: &[&str]| prove(options).2;
    for (options, sentence) in [
        ("--policy best-first --exploration 2", "--exploration has no effect without --policy ucb1 or puct"),
        (
            "--policy ucb1 --depth-reward 1",
            "--depth-reward has no effect without the priority of --policy best-first",
        ),
        ("--preset bfs-prover-production --policy puct --depth-reward 1", "--depth-reward has no effect"),
        ("--expand all --widening 0.25", "--widening has no effect without --expand first-novel"),
        (
            "--backprop and-min --step-discount 0.5",
            "--step-discount has no effect without --backprop product",
        ),
    ] {
        let said = said_alone(&options.split(' ').collect::<Vec<_>>());
        assert!(said.contains(sentence), "{options}: {said}");
    }
    for options in [
        "--policy ucb1 --exploration 2",
        "--preset best-first --depth-reward 1",
        "--preset bfs-prover-production --policy puct",
        "--widening none --step-discount 0.5",
    ] {
        let said = said_alone(&options.split(' ').collect::<Vec<_>>());
        assert!(!said.contains("has no effect"), "{options}: {said}");
    }
}
