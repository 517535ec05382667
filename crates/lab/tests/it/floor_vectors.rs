//! The best-first floor is the reference search of the synthetic environment's specification.

use andor_lab::bench::floor::best_first;
use andor_system_synthetic::{World, WorldPreset};
use serde_json::Value;

#[test]
fn the_reference_search_reproduces_its_vectors() {
    let text = include_str!("../../../systems/synthetic/tests/data/synthetic-vectors.jsonl");
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let rows: Vec<Value> = rows.filter(|row| row["kind"] == "search").collect();
    assert_eq!(rows.len(), 19);
    for row in rows {
        let preset: WorldPreset = row["preset"].as_str().unwrap().parse().unwrap();
        let world = World::new(preset, row["seed"].as_u64().unwrap());
        let counts = best_first(&world, row["max_policy"].as_u64().unwrap(), u64::MAX);
        let status = match (counts.proved, counts.failed) {
            (true, _) => "proved",
            (_, true) => "failed",
            _ => "open",
        };
        assert_eq!(status, row["status"], "{row}");
        assert_eq!(counts.policy_calls, row["policy_calls"], "{row}");
        assert_eq!(counts.applications, row["applications"], "{row}");
        assert_eq!(counts.nodes, row["nodes"], "{row}");
        assert_eq!(counts.edges, row["edges"], "{row}");
        assert_eq!(counts.proof_goals, row["proof_goals"], "{row}");
    }
}
