//! Searches by a priority that a program supplies.

use andor_system_mini::MINI;
use std::sync::Arc;

use andor_artifact::result::{Outcome, Role};
use andor_config::{Config, Expansion, Selection};
use andor_core::policy::{Priority, Waiting};
use andor_engine::attempt::{self, AttemptRequest};
use andor_engine::event::Event;
use andor_engine::registry::{self, OwnParts, RegistryError};
use andor_report::trace::replay::replay;
use andor_testkit::{block_on, theorem};

/// Prefers goals by their depth.
#[derive(Debug)]
struct ByDepth {
    deepest_first: bool,
}

impl Priority for ByDepth {
    fn priority(&self, node: &Waiting) -> f64 {
        assert!(node.cumulative <= 0.0 && node.next <= 0.0);
        if self.deepest_first { f64::from(node.depth) } else { -f64::from(node.depth) }
    }
}

fn config() -> Config {
    let mut config = Config::default();
    (config.search.policy, config.search.expand) = (Selection::BestFirst, Expansion::All);
    config.search.priority = Some("by-depth".to_owned());
    config.budget.max_iterations = Some(40);
    config
}

/// The depths at which a search expands, in order; its trace is replayed.
fn depths(deepest_first: bool) -> Vec<u32> {
    let config = config();
    let own = OwnParts {
        priority: Some(("by-depth".to_owned(), Arc::new(ByDepth { deepest_first }))),
        ..OwnParts::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let request = AttemptRequest {
        theorem: theorem(MINI, "t", "theorem t (p q r : Prop) (h : p ∧ (q ∧ r) ∨ p ∧ (r ∧ q)) : r ∧ q ∧ p"),
        attempt: 1,
        role: Role::Configured,
        directory: Some(folder.path().to_owned()),
        config: config.clone(),
    };
    let means = registry::means(MINI, &config, 1, &own).unwrap();
    let mut depths = Vec::new();
    let mut sink = |_: &str, event: &Event| {
        if let Event::Iteration(iteration) = event {
            depths.push(iteration.node.depth);
        }
    };
    let result = block_on(attempt::run(&request, &means, &mut sink)).unwrap();
    assert!(matches!(result.outcome, Outcome::Accepted | Outcome::NotProved), "{}", result.stop_detail);
    let trace = folder.path().join("trace.jsonl");
    let replayed = replay(&trace).unwrap();
    assert_eq!(format!("{:016x}", replayed.search.digest()), result.tree_digest.unwrap());
    depths
}

#[test]
fn the_search_expands_by_the_priority_and_its_trace_replays() {
    let deep = depths(true);
    let shallow = depths(false);
    assert!(deep.windows(2).all(|two| two[1] <= two[0] + 1));
    assert!(shallow.is_sorted(), "{shallow:?}");
    assert_ne!(deep, shallow, "the theorem does not tell the two apart");
}

#[test]
fn another_program_cannot_use_the_configuration() {
    let means = registry::means(MINI, &config(), 1, &OwnParts::default());
    assert!(matches!(means.err().unwrap(), RegistryError::NoPriority(name) if name == "by-depth"));
}

#[test]
fn only_best_first_asks_a_priority() {
    let mut config = config();
    config.search.policy = Selection::Puct;
    assert!(config.validate().is_err());
}
