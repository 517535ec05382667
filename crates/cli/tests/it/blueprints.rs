//! Blueprints as users of the program meet them: errors, drawings, and runs that are killed and resumed.

use std::collections::BTreeMap;

use crate::support::kill_when;
use crate::support::{Folder, andor, left};
use serde_json::Value;

fn run(args: &[&str]) -> (i32, String, String) {
    left(andor(args).output().unwrap())
}

/// A chain and a fan of lemmas: `n0`, and each other needs one before it.
fn many(nodes: usize) -> String {
    let node = |node: usize| {
        let uses = if node == 0 { String::new() } else { format!("\"n{}\"", (node - 1) / 2) };
        format!("[[nodes]]\nname = \"n{node}\"\nuses = [{uses}]\nstatement = \"{node} + 1 = 1 + {node}\"\n")
    };
    "system = \"mini\"\n".to_owned() + &(0..nodes).map(node).collect::<String>()
}

/// The states in a run's folder; none before there are any.
fn states(folder: &str) -> BTreeMap<String, String> {
    let Ok(text) = fs_err::read_to_string(format!("{folder}/blueprint.json")) else { return BTreeMap::new() };
    let record: Value = serde_json::from_str(&text).unwrap();
    let nodes = record["nodes"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    nodes.map(|node| (text(&node["node"]["name"]), text(&node["state"]))).collect()
}

fn proved(folder: &str) -> usize {
    states(folder).values().filter(|state| state.ends_with("proved") && *state != "not_proved").count()
}

/// The stored results, with their timings: an attempt that is repeated has others.
fn results(folder: &str) -> BTreeMap<String, String> {
    let text = fs_err::read_to_string(format!("{folder}/results.jsonl")).unwrap();
    let lines =
        text.lines().skip(1).filter_map(|line| Some((serde_json::from_str::<Value>(line).ok()?, line)));
    lines.map(|(result, line)| (result["theorem"].as_str().unwrap().to_owned(), line.to_owned())).collect()
}

#[test]
fn a_run_that_is_killed_is_resumed_with_all_that_was_proved() {
    const NODES: usize = 7;
    let folder = Folder::new();
    let file = folder.write("many.toml", &many(NODES));
    // Of each seed, the numbers of proved nodes at which the program is killed.
    for seed in [1_u64, 2, 3] {
        let out = folder.path(&format!("RUN{seed}"));
        let command = ["run", &file, "--out", &out, "--jobs", "2", "--verify", "compiled"];
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut kept: BTreeMap<String, String> = BTreeMap::new();
        let mut is_first = true;
        loop {
            let before = proved(&out);
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let wanted = before + 1 + (state >> 33) as usize % 3;
            if wanted >= NODES {
                break;
            }
            let resume: &[&str] = if is_first { &[] } else { &["--resume"] };
            is_first = false;
            kill_when(&[&command[..], resume].concat(), || proved(&out) >= wanted);
            // A state is written after the result that it follows from.
            let (_, _, err) = run(&["results", &out, "--json"]);
            assert!(proved(&out) >= wanted, "seed {seed}: {err}");
            let now = results(&out);
            for (name, line) in &kept {
                assert_eq!(now.get(name), Some(line), "seed {seed}: `{name}` was attempted again");
            }
            kept = now;
        }
        let (code, text, err) = run(&[&command[..], &["--resume"]].concat());
        assert_eq!(code, 0, "seed {seed}: {text}{err}");
        let done = results(&out);
        assert_eq!(done.len(), NODES);
        for (name, line) in &kept {
            assert_eq!(done.get(name), Some(line), "seed {seed}: `{name}` was attempted again");
        }
        assert!(states(&out).values().all(|state| state == "fully_proved"), "seed {seed}");
    }
}

#[test]
fn a_blueprint_is_run_drawn_and_shown() {
    let folder = Folder::new();
    let out = folder.path("RUN");
    let text = "system = \"mini\"\n[[nodes]]\nname = \"a\"\nstatement = \"1 = 1\"\n[[nodes]]\nname = \"bad\"\nstatement = \"1 = 2\"\n\
                [[nodes]]\nname = \"top\"\nuses = [\"a\", \"bad\"]\nstatement = \"2 = 2\"\n";
    let file = folder.write("b.toml", text);
    let (code, table, err) = run(&["run", &file, "--out", &out, "--time", "5s"]);
    assert_eq!(code, 1, "{table}{err}");
    for line in [
        "a     lemma        fully proved",
        "bad   lemma        disproved",
        "it needs bad",
        "`bad` is false; the proof:",
    ] {
        assert!(table.contains(line), "{line}\n{table}");
    }
    let (code, shown, _) = run(&["show", &out]);
    assert_eq!((code, shown), (0, table));
    let (_, dot, _) = run(&["show", &out, "--dot"]);
    assert_eq!(dot, fs_err::read_to_string(format!("{out}/blueprint.dot")).unwrap());
    assert!(dot.contains("\"bad\" -> \"top\";"), "{dot}");
    let svg = fs_err::read_to_string(format!("{out}/blueprint.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains(">blocked</text>"), "{svg}");
    let (_, json, _) = run(&["show", &out, "--json"]);
    let record: Value = serde_json::from_str(&json).unwrap();
    assert!(
        record["nodes"][1]["disproof"].as_str().unwrap().contains("theorem not_bad : ¬ (1 = 2)"),
        "{json}"
    );
    let (_, tree, _) = run(&["show", &out, "--theorem", "a"]);
    assert!(tree.starts_with("a: "), "{tree}");
    let (_, proof, _) = run(&["results", &out, "--theorem", "bad#disproof"]);
    assert!(proof.contains("not_bad"), "{proof}");
    // What is fully proved is a file that can be checked by itself.
    let (code, checked, err) = run(&["check", &format!("{out}/blueprint.lean")]);
    assert_eq!(code, 0, "{checked}{err}");
    let (code, part, err) = run(&["run", &file, "--theorem", "a", "--out", &folder.path("PART")]);
    assert_eq!(code, 0, "{part}{err}");
}

#[test]
fn what_does_not_apply_is_said() {
    let folder = Folder::new();
    let file = folder.write("b.toml", &many(1));
    for (args, expected) in [
        (&["prove", &file][..], "is a blueprint; `andor run` proves its nodes"),
        (&["run", &file, "--limit", "1"], "--limit does not apply to blueprints"),
        (&["run", &file, "--theorem", "x"], "has no node `x`"),
        (&["run", &file, "--system", "rocq"], "the blueprint is for the system `mini`"),
        (&["run", &file, "--basin-seeds", "2"], "--basin-seeds does not apply to blueprints"),
    ] {
        let (code, _, err) = run(&[args, &["--out", &folder.path("RUN")]].concat());
        assert!(code == 2 && err.contains(expected), "{args:?}: {err}");
    }
}

#[test]
fn the_examples_are_proved() {
    let folder = Folder::new();
    for name in ["blueprint.toml", "blueprint_rocq.toml"] {
        let file = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
        let (code, table, err) = run(&["run", &file, "--jobs", "2", "--out", &folder.path(name)]);
        assert_eq!(code, 0, "{table}{err}");
    }
}
