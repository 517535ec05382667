//! The rules of configurations, against a second statement of them; and configurations in files.

mod random;
mod table;

use std::collections::BTreeSet;
use std::path::Path;

use andor_artifact::run::RunRecord;
use andor_artifact::version::{Kind, Opening};
use andor_config::{
    AgentConfig, AgentPreset, Binding, BudgetConfig, Clock, Config, ConfigFile, ConfigOption, FILE_KEYS,
    Grouping, Identity, LatencySpec, LoadPath, MctsMode, OPTIONS, Preset, Selection, differences, reference,
};
use andor_core::search::Search;
use andor_core::signature::{GoalKey, GoalSig};
use andor_core::tree::Child;
use serde_json::Value;
use table::ROWS;

const CONFIGURATIONS: u64 = 20_000;

#[test]
fn the_rules_are_those_of_the_table() {
    let mut named = BTreeSet::new();
    let mut n_valid = 0;
    for seed in 0..CONFIGURATIONS {
        let config = random::config(seed);
        let broken: BTreeSet<&str> =
            ROWS.iter().filter(|(_, is)| is(&config)).map(|(option, _)| *option).collect();
        match config.validate() {
            Ok(()) => {
                assert!(broken.is_empty(), "seed {seed}: valid, but the table says {broken:?}: {config:#?}");
                n_valid += 1;
            }
            Err(error) => {
                assert!(
                    broken.contains(error.option),
                    "seed {seed}: {error}; the table says {broken:?}: {config:#?}"
                );
                named.insert(error.option);
            }
        }
    }
    // Otherwise the random configurations are no test.
    assert!((CONFIGURATIONS / 3..CONFIGURATIONS * 2 / 3).contains(&n_valid), "{n_valid} valid");
    let rules: BTreeSet<&str> = ROWS.iter().map(|(option, _)| *option).collect();
    assert_eq!(named, rules);
}

#[test]
fn a_valid_configuration_makes_a_search() {
    for seed in 0..CONFIGURATIONS {
        let config = random::config(seed);
        if config.validate().is_err() {
            continue;
        }
        let agents = config.agents();
        let alone = config.distributed_mcts.mode == MctsMode::Centralized;
        assert!(agents.count >= 1 && agents.inflight >= 1 && (!alone || agents.count == 1), "seed {seed}");
        let root = Child { coarse: GoalSig(0), key: GoalKey(0), value: None };
        drop(Search::new(config.search(), root));
        assert_eq!(config.budget().time.is_some(), config.budget.time_s.is_some(), "seed {seed}");
        assert!(config.limits().max_memory_bytes >= Some(1 << 20), "seed {seed}");
    }
}

#[test]
fn a_resolved_configuration_says_what_an_unresolved_one_means() {
    let mut n_distributed = 0;
    for seed in 0..CONFIGURATIONS {
        let config = random::config(seed);
        if config.validate().is_err() {
            continue;
        }
        let mut resolved = config.clone();
        // Its folders may not be there.
        let _ = resolved.resolve();
        assert!(resolved.validate().is_ok(), "seed {seed}: {:?}", resolved.validate());
        assert_eq!(resolved.limits(), config.limits(), "seed {seed}");
        assert_eq!(format!("{:?}", resolved.agents()), format!("{:?}", config.agents()), "seed {seed}");
        let before = serde_json::to_value(&config).unwrap();
        let of_numbers = |key: &str| key.starts_with("distributed_mcts") || key.starts_with("workers");
        assert!(!differences(&before, &resolved).iter().any(|found| of_numbers(&found.key)), "seed {seed}");
        assert!(resolved.workers.tactic_cpu_timeout_s.is_some(), "seed {seed}");
        if config.distributed_mcts.mode == MctsMode::Centralized {
            assert!(resolved.workers.inflight.is_some(), "seed {seed}");
            continue;
        }
        n_distributed += 1;
        assert_eq!(format!("{:?}", resolved.search()), format!("{:?}", config.search()), "seed {seed}");
        let agents = &resolved.distributed_mcts;
        let (loss, depth, path) = (agents.virtual_loss, agents.depth_bias, agents.path_bias);
        assert!(loss.is_some() && depth.is_some() && path.is_some(), "seed {seed}");
        assert_eq!(agents.obstacle_visits.is_some(), agents.has_obstacles(), "seed {seed}");
        assert_eq!(agents.unfreeze_after.is_some(), agents.unfreeze_prob.is_some(), "seed {seed}");
    }
    assert!(n_distributed > 1000, "{n_distributed}");
}

#[test]
fn files_give_configurations_back() {
    for seed in 0..CONFIGURATIONS / 4 {
        let mut config = random::config(seed);
        if config.validate().is_err() {
            continue;
        }
        if seed % 3 == 0 {
            let (temperatures, width) = (vec![0.25, 1.0], Some(3));
            let preset = AgentPreset::Beam;
            let model = "small".to_owned();
            config.agent = Some(AgentConfig { model, preset, width, temperatures, ..AgentConfig::default() });
        }
        let mut texts = vec![run_json(&config)];
        // The writer of TOML takes no greater number; its reader does.
        if config.seed.max(config.distributed_mcts.block_seed.unwrap_or(0)) <= i64::MAX as u64
            && config.distributed_mcts.unfreeze_after != Some(u64::MAX)
        {
            texts.push(toml::to_string(&config).unwrap());
        }
        for text in texts {
            let file =
                ConfigFile::parse(&text, Path::new("c")).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            // What follows from other values may be left open.
            let resolved = |config: &Config| {
                let mut config = config.clone();
                // Its folders may not be there.
                let _ = config.resolve();
                config
            };
            let (read, written) = (resolved(&file.config), resolved(&config));
            assert_eq!(read, written, "seed {seed}: {text}");
            assert_eq!(read.digest(), written.digest(), "seed {seed}");
        }
    }
}

#[test]
fn agents_keep_rules() {
    let agent = |agent: AgentConfig| {
        let model = "small".to_owned();
        let config = Config { agent: Some(AgentConfig { model, ..agent }), ..Config::default() };
        config.validate().map_err(|error| error.option)
    };
    let of = |preset| AgentConfig { preset, ..AgentConfig::default() };
    for preset in AgentPreset::ALL {
        assert_eq!(agent(of(*preset)), Ok(()));
    }
    let linear = of(AgentPreset::Linear);
    for (broken, option) in [
        (AgentConfig { branch: Some(2), ..linear.clone() }, "--branch"),
        (AgentConfig { temperatures: vec![0.5, 1.0], ..linear.clone() }, "--branch-temperature"),
        (AgentConfig { temperatures: vec![f64::NAN], ..linear.clone() }, "--branch-temperature"),
        (AgentConfig { width: Some(2), ..of(AgentPreset::Mcts) }, "--width"),
        (AgentConfig { min_score: Some(0.5), ..of(AgentPreset::Beam) }, "--min-score"),
        (AgentConfig { min_score: Some(1.5), ..of(AgentPreset::BestFirst) }, "--min-score"),
        (AgentConfig { max_depth: Some(0), ..of(AgentPreset::BestFirst) }, "--max-depth"),
        (AgentConfig { exploration: Some(1.0), ..linear.clone() }, "--exploration"),
        (AgentConfig { exploration: Some(-1.0), ..of(AgentPreset::Mcts) }, "--exploration"),
        (AgentConfig { turns: Some(0), ..linear.clone() }, "--turns"),
        (AgentConfig { parallel: Some(0), ..linear.clone() }, "--parallel"),
    ] {
        assert_eq!(agent(broken.clone()), Err(option), "{broken:?}");
    }
    for model in ["", "replay="] {
        let agent = AgentConfig { model: model.to_owned(), ..AgentConfig::default() };
        let config = Config { agent: Some(agent), ..Config::default() };
        assert_eq!(config.validate().map_err(|error| error.option), Err("--model"));
    }
}

fn run_json(config: &Config) -> String {
    serde_json::to_string_pretty(&RunRecord {
        opening: Opening::new(Kind::Run),
        started_at: String::new(),
        goal_id_scheme: "checkpoint".to_owned(),
        systems: [].into(),
        config: serde_json::to_value(config).expect("a configuration is JSON"),
        config_digest: config.digest(),
        reconfigured: Vec::new(),
        pass_k: 1,
        theorems: Vec::new(),
    })
    .expect("a record is JSON")
}

#[test]
fn every_key_has_its_option() {
    let Value::Object(tables) = serde_json::to_value(Config::default()).unwrap() else { panic!("no table") };
    let keys: BTreeSet<String> = tables
        .iter()
        .flat_map(|(table, value)| match value {
            Value::Object(fields) if !fields.is_empty() => {
                fields.keys().map(|key| format!("{table}.{key}")).collect()
            }
            _ => vec![table.clone()],
        })
        .collect();
    let known = OPTIONS.iter().flat_map(ConfigOption::keys).chain(FILE_KEYS.iter().copied());
    assert_eq!(keys, known.map(str::to_owned).collect());
}

#[test]
fn what_a_file_leaves_out_is_as_by_default() {
    let parse = |text| ConfigFile::parse(text, Path::new("c.toml")).unwrap();
    assert_eq!(parse("").config, Config::default());
    let file =
        parse("seed = 18446744073709551615\n[budget]\nmax_candidates = 300\n[search]\nwidening = \"none\"\n");
    assert_eq!(file.config.seed, u64::MAX);
    assert_eq!(file.config.budget, BudgetConfig { max_candidates: Some(300), ..Config::default().budget });
    assert_eq!(file.config.search.widening, None);
    assert!(file.gives("budget.max_candidates") && !file.gives("budget.time_s") && !file.gives("clock"));
    assert_eq!(parse("[budget]\ntime_s = \"none\"").config.budget.time_s, None);
    assert_eq!(parse("[budget]\ntime_s = 5").config.budget.time_s, Some(5.0));
    // What follows from the rest.
    let ucb1 = parse("[search]\npolicy = \"ucb1\"").config;
    assert_eq!(ucb1.search.exploration, Selection::Ucb1.default_exploration());
    assert_eq!(parse("[search]\npolicy = \"ucb1\"\nexploration = 0.5").config.search.exploration, 0.5);
    assert_eq!(parse("[workers]\nworkers = 2").config.clock, Clock::Wall);
    assert_eq!(parse("clock = \"virtual\"\n[workers]\nworkers = 2").config.clock, Clock::Virtual);
    let agents = "[distributed_mcts]\nmode = \"distributed\"\nagents = 2\ninflight = 2";
    assert_eq!(parse(agents).config.clock, Clock::Wall);
    let latency = parse("[latencies]\ntactic = \"lognormal:0.05s:0.5\"").config.latencies.tactic;
    assert_eq!(latency, "lognormal:50ms:0.5".parse::<LatencySpec>().unwrap());
}

#[test]
fn a_preset_sets_the_parts_that_the_file_does_not_give() {
    let parse = |text: &str| ConfigFile::parse(text, Path::new("c")).unwrap();
    assert_eq!(Preset::Mcts.config(), Config::default());
    for preset in Preset::ALL {
        assert_eq!(preset.config().validate(), Ok(()), "{}", preset.name());
        let named = parse(&format!("[search]\npreset = \"{}\"", preset.name()));
        assert_eq!(named.config, preset.config());
        // The record of such a run gives no part, so that another preset may set all.
        let record = parse(&run_json(&preset.config()));
        assert_eq!(record.config, preset.config());
        for other in Preset::ALL {
            let mut config = record.config.clone();
            other.fill_in(&mut config, |key| record.gives(key));
            config.clock = config.default_clock();
            assert_eq!(config, other.config(), "{} after {}", other.name(), preset.name());
        }
    }
    let file = parse("[search]\npreset = \"best-first\"\nidentity = \"checkpoint\"\ndepth_reward = 0.5");
    let search = &file.config.search;
    assert_eq!((search.policy, search.obligation), (Selection::BestFirst, Grouping::Whole));
    assert_eq!((search.identity, search.depth_reward), (Identity::Checkpoint, 0.5));
    // In the record of that run, these two are what is given beside the preset.
    let record = parse(&run_json(&file.config));
    assert!(record.gives("search.identity") && record.gives("search.depth_reward"));
    assert!(!record.gives("search.policy"));
}

#[test]
fn the_files_of_the_manual_are_right() {
    let manual = include_str!("../../../../docs/formats/run.md");
    let example = |kind| manual.split_once(kind).unwrap().1.split_once("\n```").unwrap().0;
    for text in [example("```toml search.toml\n"), example("```json\n")] {
        let config = ConfigFile::parse(text, Path::new("run.md")).unwrap().config;
        assert_eq!(config.validate(), Ok(()), "{text}");
    }
    for key in FILE_KEYS {
        assert!(manual.contains(&format!("`{key}`")), "{key}");
    }
}

#[test]
fn the_reference_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/options.md");
    if std::env::var_os("ANDOR_GOLDEN").is_some() {
        fs_err::write(&path, reference()).unwrap();
    }
    assert!(
        fs_err::read_to_string(&path).unwrap() == reference(),
        "docs/reference/options.md is out of date: run `ANDOR_GOLDEN=write cargo test -p andor-config`"
    );
}

#[test]
fn mistakes_in_files_are_placed() {
    let run = run_json(&Config::default());
    let misspelt = run.replace("\"policy\"", "\"polcy\"");
    let later = run.replacen("\"major\": 1", "\"major\": 9", 1);
    let other = run.replace("andor.run", "andor.graph");
    let cases = [
        ("seed = 1\nsed = 2\n", "`c`, line 2 (`sed = 2`): unknown field `sed`, expected one of `seed`"),
        ("[search]\npolcy = \"puct\"", "line 2 (`polcy = \"puct\"`): unknown field `polcy`"),
        (
            "[search]\n\npolicy = \"best\"",
            "line 3 (`policy = \"best\"`): unknown variant `best`, expected one of",
        ),
        ("[serch]\n", "line 1 (`[serch]`): unknown field `serch`"),
        // What may have a key in it is not repeated.
        ("[models.m]\napi_key = \"sk-1\"", "`c`, line 2: unknown field `api_key`, expected one of"),
        ("seed = = 1", "line 1"),
        ("seed = \"x\"", "line 1 (`seed = \"x\"`): invalid type: string \"x\", expected u64"),
        ("[budget]\ntime_s = \"never\"", "expected a number or \"none\""),
        ("[distributed_mcts]\nagents = -1", "line 2 (`agents = -1`): invalid value: integer `-1`"),
        (
            "[latencies]\nprovider = \"soon\"",
            "line 2 (`provider = \"soon\"`): `soon` is not a latency; write for example",
        ),
        ("[[providers]]\nkind = \"oracle\"", "unknown variant `oracle`, expected one of `heuristic`"),
        ("[[providers]]\nkind = \"scripted\"\npth = \"x\"", "pth"),
        (
            "[[tactics.hygiene]]\nname = \"r\"\npattern = \"(\"\nwhy = \"\"",
            "`c`, line 1 (`[[tactics.hygiene]]`): `pattern` of the rule `r` is not a valid regular expression: unclosed group",
        ),
        (
            "[[tactics.hygiene]]\nname = \"r\"\npatern = \"x\"",
            "line 3 (`patern = \"x\"`): unknown field `patern`",
        ),
        ("{\"config\": {}}", "missing field `opening`"),
        ("{\n", "line 2 (``): EOF"),
        (&misspelt, "(`\"polcy\": \"puct\",`): unknown field `polcy`"),
        (&later, " is not supported (this program reads 1.x)"),
        (
            &other,
            "`c`: its kind is andor.graph, not andor.run; a configuration is TOML, or the run.json of a run",
        ),
    ];
    for (text, expected) in cases {
        let error = ConfigFile::parse(text, Path::new("c")).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let error = ConfigFile::read(Path::new("no/such/file.toml")).unwrap_err().to_string();
    assert!(error.contains("no/such/file.toml"), "{error}");
}

#[test]
fn paths_are_text() {
    use std::os::unix::ffi::OsStrExt;
    let path = Path::new(std::ffi::OsStr::from_bytes(b"\xff")).to_owned();
    let recorded = LatencySpec::Recorded(path.clone());
    let refused = |spoil: &dyn Fn(&mut Config)| {
        let mut config = Config::default();
        spoil(&mut config);
        config.validate().unwrap_err().to_string()
    };
    let rule = "must be a path in UTF-8";
    assert_eq!(
        refused(&|c| c.load_path.push(LoadPath {
            binding: Binding::R,
            folder: path.clone(),
            name: "X".to_owned()
        })),
        format!("-R: {rule}")
    );
    assert_eq!(refused(&|c| c.project = Some(path.clone())), format!("--project: {rule}"));
    assert_eq!(refused(&|c| c.latencies.tactic = recorded.clone()), format!("--tactic-latency: {rule}"));
    let scripted = andor_config::ProviderConfig::Scripted { path: path.clone() };
    assert_eq!(refused(&|c| c.providers.push(scripted.clone())), format!("--provider: {rule}"));
}
