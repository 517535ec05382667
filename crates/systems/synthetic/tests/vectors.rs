//! The synthetic environment agrees with its published test vectors, bit for bit.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

use andor_system_synthetic::{Applied, Class, World, WorldGoal, WorldPreset};
use serde_json::Value;

fn vectors(kind: &str) -> Vec<Value> {
    let text = include_str!("data/synthetic-vectors.jsonl");
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.filter(|row| row["kind"] == kind).collect()
}

fn world(row: &Value) -> World {
    let preset: WorldPreset = row["preset"].as_str().unwrap().parse().unwrap();
    World::new(preset, row["seed"].as_u64().unwrap())
}

fn goal(value: &Value) -> WorldGoal {
    WorldGoal(u64::from_str_radix(value.as_str().unwrap(), 16).unwrap())
}

#[test]
fn outcomes() {
    let rows = vectors("outcome");
    assert_eq!(rows.len(), 50);
    for row in rows {
        let (world, at, tactic) = (world(&row), goal(&row["goal"]), row["tactic"].as_u64().unwrap());
        let class = match world.class(at, tactic) {
            Class::Fail => "fail",
            Class::Close => "close",
            Class::Good => "good",
            Class::Side => "side",
        };
        assert_eq!(class, row["class"], "{row}");
        let costs = world.policy(at);
        let cost = costs.iter().find(|(t, _)| *t == tactic).map(|&(_, cost)| cost);
        assert_eq!(cost, row["cost"].as_u64(), "{row}");
        assert_eq!(world.value_cost(at), row["value_cost"], "{row}");
        let (outcome, children) = match world.apply(at, tactic) {
            Applied::Fail => ("fail", Vec::new()),
            Applied::Children(c) if c.is_empty() => ("close", c),
            Applied::Children(c) => ("children", c),
        };
        assert_eq!(outcome, row["outcome"], "{row}");
        let expected: Vec<WorldGoal> = row["children"].as_array().unwrap().iter().map(goal).collect();
        assert_eq!(children, expected, "{row}");
    }
}

#[test]
fn policies() {
    let rows = vectors("policy");
    assert_eq!(rows.len(), 12);
    for row in rows {
        let world = world(&row);
        assert_eq!(world.root(), goal(&row["root"]));
        let expected: Vec<(u64, u64)> = serde_json::from_value(row["policy"].clone()).unwrap();
        assert_eq!(world.policy(world.root()), expected, "{row}");
    }
}
