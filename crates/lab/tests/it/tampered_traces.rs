//! Traces of the in-process engine under all sorts of configurations, whole and tampered with.

use std::path::PathBuf;

use andor_config::{Backup, Config, Expansion, Identity, Selection};
use andor_core::rng::{Purpose, Rng, stream};
use andor_lab::bench::engine::Engine;
use andor_lab::bench::traced::Tracer;
use andor_report::trace::replay::{ReplayError, Replayed, TraceEnding, replay};
use andor_system_synthetic::{World, WorldPreset};
use rand::RngExt;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A trace, and what its search was like in the end.
struct Recorded {
    folder: TempDir,
    digest: u64,
    nodes: usize,
    iterations: u64,
}

impl Recorded {
    fn path(&self) -> PathBuf {
        self.folder.path().join("trace.jsonl")
    }

    fn lines(&self) -> Vec<String> {
        let text = fs_err::read_to_string(self.path()).expect("the trace was written");
        text.lines().map(str::to_owned).collect()
    }

    /// Replays the trace with other lines.
    fn replay_with(&self, lines: &[String]) -> Result<Replayed, ReplayError> {
        let path = self.folder.path().join("tampered.jsonl");
        fs_err::write(&path, lines.join("\n") + "\n").expect("the folder can be written");
        replay(&path)
    }

    /// Replays the trace with a record changed; `line` counts from 1.
    fn replay_edited(&self, line: usize, edit: impl FnOnce(&mut Value)) -> Result<Replayed, ReplayError> {
        let mut lines = self.lines();
        let mut record = serde_json::from_str(&lines[line - 1]).expect("records are JSON");
        edit(&mut record);
        lines[line - 1] = record.to_string();
        self.replay_with(&lines)
    }
}

fn record(config: &Config, preset: WorldPreset, instance: u64, applications: u64, critic: bool) -> Recorded {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let mut engine = Engine::new(World::new(preset, instance), config.search(), critic);
    let path = folder.path().join("trace.jsonl");
    let mut tracer = Tracer::create(&path, &engine, config).expect("the folder can be written");
    engine.run_observed(applications, |engine, job, told| tracer.write(engine, job, told));
    tracer.finish(&engine).expect("the folder can be written");
    let search = engine.search();
    Recorded {
        folder,
        digest: search.digest(),
        nodes: search.tree().n_nodes(),
        iterations: search.spent().iterations,
    }
}

fn any<T: Copy>(rng: &mut Rng, choices: &[T]) -> T {
    choices[rng.random_range(0..choices.len())]
}

fn random_config(rng: &mut Rng) -> Config {
    let mut config = Config { seed: rng.random_range(0..1000), ..Config::default() };
    let search = &mut config.search;
    search.policy = any(rng, Selection::ALL);
    search.exploration = rng.random_range(0.0..2.0);
    search.depth_reward = rng.random_range(0.0..1.0);
    search.backprop = any(rng, Backup::ALL);
    search.expand = any(rng, Expansion::ALL);
    search.widening = any(rng, &[None, Some(0.0), Some(0.5), Some(1.0)]);
    search.identity = any(rng, Identity::ALL);
    search.max_depth = any(rng, &[None, Some(4)]);
    search.step_discount = any(rng, &[0.9, 1.0]);
    config
}

/// A search that has grown and is not yet at its end.
fn grown() -> Recorded {
    record(&Config::default(), WorldPreset::Medium, 3, 120, true)
}

#[test]
fn random_searches_are_built_again() {
    let mut nodes = 0;
    for seed in 0..200 {
        let mut rng = stream(seed, Purpose::Selection);
        let config = random_config(&mut rng);
        let preset = any(&mut rng, &[WorldPreset::Easy, WorldPreset::Medium, WorldPreset::Hard]);
        let applications = rng.random_range(1..200);
        let recorded = record(&config, preset, seed, applications, rng.random_bool(0.5));
        let replayed = match replay(&recorded.path()) {
            Ok(replayed) => replayed,
            Err(error) => panic!("seed {seed}: {error}\n{:?}", config.search),
        };
        assert_eq!(replayed.search.digest(), recorded.digest, "seed {seed}");
        assert_eq!(replayed.summary().iterations, recorded.iterations, "seed {seed}");
        assert_eq!(replayed.nodes.len(), recorded.nodes, "seed {seed}");
        assert_eq!(replayed.search.check(), [], "seed {seed}");
        nodes += recorded.nodes;
    }
    assert!(nodes > 5_000, "the searches have grown: {nodes} nodes in all");
}

#[test]
fn what_a_killed_program_leaves_is_followed_to_its_end() {
    let recorded = grown();
    let lines = recorded.lines();
    let mut half = lines[..lines.len() / 2].to_vec();
    let iterations = half.len() as u64 - 2;
    half.push(lines[lines.len() / 2][..40].to_owned());
    let path = recorded.folder.path().join("torn.jsonl");
    fs_err::write(&path, half.join("\n")).unwrap();
    let replayed = replay(&path).unwrap();
    assert_eq!((&replayed.ending, replayed.summary().iterations), (&TraceEnding::BrokenOff, iterations));
    assert!(!replayed.summary().digest_recorded);
}

#[test]
fn a_trace_without_a_search_is_refused() {
    let recorded = grown();
    let lines = recorded.lines();
    let error = |lines: &[String]| recorded.replay_with(lines).err().expect("it is refused");
    assert!(matches!(error(&lines[..1]), ReplayError::Empty));
    let without_start = [&lines[..1], &lines[2..]].concat();
    assert!(matches!(error(&without_start), ReplayError::Unfollowable { line: 2, field: "event", .. }));
    let begun_twice = [&lines[..3], &lines[1..2]].concat();
    assert!(matches!(error(&begun_twice), ReplayError::Unfollowable { line: 4, field: "event", .. }));
    let goes_on = [&lines[..], &lines[2..3]].concat();
    assert!(error(&goes_on).is_difference());
    let foreign = recorded.replay_edited(2, |r| r["config"]["planner"] = json!("none")).err().unwrap();
    assert!(foreign.to_string().contains("line 2: invalid configuration: unknown field `planner`"));
    let absurd = recorded.replay_edited(2, |r| r["config"]["search"]["widening"] = json!(7)).err().unwrap();
    assert!(absurd.to_string().contains("--widening"), "{absurd}");
    assert!(!absurd.is_difference());
}

#[test]
fn the_first_difference_is_named() {
    let recorded = grown();
    let error = recorded.replay_edited(5, |r| r["node"]["visit_count"] = json!(77)).err().unwrap();
    let text = error.to_string();
    assert!(text.starts_with("line 5: node.visit_count is 77 in the trace but "), "{text}");
    let error = recorded.replay_edited(4, |r| r["selected_path"][0] = json!("cp9:x")).err().unwrap();
    assert_eq!(error.to_string(), "line 4: cannot replay selected_path: there is no node named `cp9:x`");
    let mut lines = recorded.lines();
    lines.remove(4);
    let error = recorded.replay_with(&lines).err().unwrap();
    assert_eq!(error.to_string(), "line 5: iteration is 4 in the trace but 3 in the rebuilt tree");
    lines = recorded.lines();
    lines.swap(4, 5);
    assert!(recorded.replay_with(&lines).err().unwrap().is_difference());
}

/// Turns what stands somewhere into something else.
type Forge = fn(&Value) -> Value;

/// The places in a record that decide about the tree or say what it is like, with what is not so.
const FORGERIES: &[(&str, Forge)] = &[
    ("/iteration", more),
    ("/agent_id", more),
    ("/reason", |r| if r == "expanded" { json!("no_goal") } else { json!("expanded") }),
    ("/collision", negated),
    ("/expanded", negated),
    ("/terminal_reached", negated),
    ("/backprop_success", negated),
    ("/next_score", |s| if s.is_null() { json!(-1.0) } else { Value::Null }),
    ("/node/mvar_id", other_text),
    ("/node/goal_type", other_text),
    ("/node/goal_sig", other_text),
    ("/node/visit_count", more),
    ("/node/success_count", |n| json!(n.as_f64().unwrap_or_default() + 0.5)),
    ("/node/is_terminal", negated),
    ("/node/is_dead", negated),
    ("/node/depth", more),
    ("/tree/nodes", more),
    ("/tree/expansions", more),
    ("/tree/max_depth", more),
    ("/tree/solved", negated),
    ("/tree/aborted", negated),
    ("/new_nodes/0/mvar_id", other_text),
    ("/new_nodes/0/goal_coarse", |_| json!("00000000000000ff")),
    ("/new_nodes/0/goal_key", |_| json!("00000000000000ff")),
    ("/new_nodes/0/goal_key", |_| json!("no digest")),
    ("/new_nodes/0/value", |_| json!(1.5)),
    ("/new_nodes", |_| json!([])),
    ("/attempts/0/outcome", |o| if o == "success" { json!("failure") } else { json!("success") }),
    ("/attempts", |_| json!([])),
    ("/value", |_| json!(-0.5)),
    ("/block", |_| json!({"until": null, "remaining": null, "duration": -1, "immovable": true})),
    ("/delay", |_| json!({"until": 9, "remaining": 3, "duration": 4})),
];

fn more(number: &Value) -> Value {
    json!(number.as_u64().unwrap_or_default() + 1)
}

fn negated(flag: &Value) -> Value {
    json!(!flag.as_bool().unwrap_or_default())
}

fn other_text(text: &Value) -> Value {
    json!(format!("{}0", text.as_str().unwrap_or_default()))
}

#[test]
fn no_forgery_passes() {
    let recorded = record(&Config::default(), WorldPreset::Medium, 3, 40, true);
    let n_lines = recorded.lines().len();
    for (place, forge) in FORGERIES {
        let mut tried = 0;
        for line in 3..n_lines {
            let mut forged = false;
            let result = recorded.replay_edited(line, |record| {
                if let Some(value) = record.pointer_mut(place) {
                    let other = forge(value);
                    forged = other != *value;
                    *value = other;
                }
            });
            if forged {
                tried += 1;
                assert!(result.is_err(), "{place} of line {line} was forged");
            }
        }
        assert!(tried > 0, "{place} is nowhere in the trace");
    }
    for (place, other) in [
        ("/tree_digest", json!("0000000000000000")),
        ("/iteration", json!(1)),
        ("/tree/nodes", json!(1)),
        ("/tree/aborted", json!(false)),
    ] {
        let result = recorded.replay_edited(n_lines, |r| *r.pointer_mut(place).unwrap() = other);
        assert!(result.err().unwrap().is_difference(), "{place} of the last line");
    }
    let result = recorded.replay_edited(n_lines, |r| r["event"] = json!("proved"));
    assert!(result.is_err());
}

/// Changes some part of a JSON value.
fn mutate(value: &mut Value, rng: &mut Rng) {
    match value {
        Value::Object(fields) if !fields.is_empty() && rng.random_bool(0.95) => {
            let place = rng.random_range(0..fields.len());
            if let Some((_, field)) = fields.iter_mut().nth(place) {
                mutate(field, rng);
            }
        }
        Value::Array(items) if !items.is_empty() && rng.random_bool(0.9) => {
            let place = rng.random_range(0..items.len());
            match rng.random_range(0..4) {
                0 => drop(items.remove(place)),
                1 => items.push(items[place].clone()),
                _ => mutate(&mut items[place], rng),
            }
        }
        other => {
            *other = match rng.random_range(0..8) {
                0 => Value::Null,
                1 => json!(rng.random_bool(0.5)),
                2 => json!(rng.random_range(0..20)),
                3 => json!(u64::MAX),
                4 => json!(-rng.random_range(0.0..1e300)),
                5 => json!(""),
                6 => json!("cp1:x"),
                _ => json!([]),
            }
        }
    }
}

#[test]
fn nonsense_never_makes_it_panic() {
    let identities = Identity::ALL.iter().map(|&identity| {
        let mut config = Config::default();
        config.search.identity = identity;
        record(&config, WorldPreset::Medium, 3, 120, true)
    });
    for recorded in identities {
        let lines = recorded.lines();
        for seed in 0..200 {
            let mut rng = stream(seed, Purpose::Selection);
            let mut changed = lines.clone();
            for _ in 0..rng.random_range(1..4) {
                let place = rng.random_range(1..changed.len());
                let other = rng.random_range(1..changed.len());
                match rng.random_range(0..10) {
                    0 => drop(changed.remove(place)),
                    1 => changed.swap(place, other),
                    2 => changed.insert(place, changed[other].clone()),
                    _ => {
                        let mut record = serde_json::from_str(&changed[place]).expect("records are JSON");
                        mutate(&mut record, &mut rng);
                        changed[place] = record.to_string();
                    }
                }
                if changed.len() < 3 {
                    break;
                }
            }
            // What is accepted has the digest that it records; everything else is an error.
            let outcome = std::panic::catch_unwind(|| recorded.replay_with(&changed).map(|r| r.digest()));
            assert!(outcome.is_ok(), "seed {seed}");
        }
    }
}
