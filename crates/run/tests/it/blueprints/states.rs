//! The states that runs end in, against what follows from which nodes can be proved.

use andor_artifact::blueprint::NodeState;
use andor_config::{Level, VerifyConfig};
use andor_run::orchestrate::RunRequest;
use proptest::prelude::*;

use super::{run, state, with_tactics};

/// What becomes of a node if all that it needs is proved.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Truth {
    Provable,
    Unproved,
    False,
    Nonsense,
    Definition,
    BadDefinition,
}

impl Truth {
    fn text(self, node: usize) -> String {
        match self {
            Self::Provable => format!("statement = \"{node} + 1 = 1 + {node}\""),
            // None of the tactics proves this, or the contrary.
            Self::Unproved => format!("statement = \"∀ p : Nat → Prop, p {node} → p {node}\""),
            Self::False => format!("statement = \"{node} = {node} + 1\""),
            Self::Nonsense => "statement = \"missing = 1\"".to_owned(),
            Self::Definition => format!("definition = \"def d{node} : Nat := {node}\""),
            Self::BadDefinition => format!("definition = \"def d{node} : Nat := missing\""),
        }
    }

    fn state(self) -> NodeState {
        match self {
            Self::Provable => NodeState::FullyProved,
            Self::Unproved => NodeState::NotProved,
            Self::False => NodeState::Disproved,
            Self::Nonsense | Self::BadDefinition => NodeState::Refused,
            Self::Definition => NodeState::Defined,
        }
    }
}

fn truth() -> impl Strategy<Value = Truth> {
    prop_oneof![
        6 => Just(Truth::Provable),
        1 => Just(Truth::Unproved),
        1 => Just(Truth::False),
        1 => Just(Truth::Nonsense),
        2 => Just(Truth::Definition),
        1 => Just(Truth::BadDefinition),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn runs_end_in_the_states_that_follow(
        nodes in prop::collection::vec((truth(), any::<u8>()), 1..7),
        jobs in 1..4_usize,
        is_reversed in any::<bool>(),
    ) {
        let masks: Vec<u8> = nodes.iter().map(|(_, mask)| *mask).collect();
        let uses = |node: usize| {
            let mask = masks[node];
            (0..node).filter(move |used| mask >> used & 1 == 1)
        };
        let mut texts: Vec<String> = (0..nodes.len()).map(|node| {
            let names: Vec<String> = uses(node).map(|used| format!("\"n{used}\"")).collect();
            format!("[[nodes]]\nname = \"n{node}\"\nuses = [{}]\n{}\n", names.join(", "), nodes[node].0.text(node))
        }).collect();
        if is_reversed {
            texts.reverse();
        }
        let text = format!("system = \"mini\"\n{}", texts.concat());
        let base = with_tactics(&["rfl", "decide"]);
        let mut config = base.config.clone();
        config.verify = VerifyConfig { level: Level::Compiled, ..VerifyConfig::default() };
        let made = run(&RunRequest { jobs, config, ..base }, &text);
        // By definition: blocked if anything below is not there, and else what the node itself is.
        let mut expected: Vec<NodeState> = Vec::new();
        for (node, (truth, _)) in nodes.iter().enumerate() {
            let is_there = |state| matches!(state, NodeState::FullyProved | NodeState::Defined);
            let is_ready = uses(node).all(|used| is_there(expected[used]));
            expected.push(if is_ready { truth.state() } else { NodeState::Blocked });
        }
        let found: Vec<NodeState> = (0..nodes.len()).map(|node| state(&made, &format!("n{node}"))).collect();
        prop_assert_eq!(found, expected, "{}", text);
        let attempted = made.results.iter().filter(|result| !result.theorem.contains('#'));
        prop_assert!(attempted.count() <= nodes.len());
    }
}
