//! Trees against plain mutable ones, and their laws.

use andor_rollout::{Child, Key, NodeId, PruneReason, Tree, TreeError, VerifyResult, make_root};
use proptest::prelude::*;

use crate::reference::Plain;

#[derive(Clone, Debug)]
enum Act {
    Add(usize, Vec<Child<u32>>),
    Prune(usize),
    BackUp(usize, Option<f64>),
    /// Keeps the tree as it is, to see that it stays so.
    Keep,
}

fn child() -> impl Strategy<Value = Child<u32>> {
    let score = prop_oneof![Just(None), (0u32..=10).prop_map(|tenths| Some(f64::from(tenths) / 10.0))];
    let rare = || prop::bool::weighted(0.15);
    (any::<u32>(), score, rare(), rare(), rare()).prop_map(|(state, score, invalid, terminal, stopped)| {
        let verdict = VerifyResult { score, valid: !invalid, terminal, feedback: None };
        Child { stopped, ..Child::new(state, verdict) }
    })
}

fn act() -> impl Strategy<Value = Act> {
    let value = prop_oneof![Just(None), (0u32..=8).prop_map(|eighths| Some(f64::from(eighths) / 8.0))];
    prop_oneof![
        4 => (any::<usize>(), prop::collection::vec(child(), 0..5)).prop_map(|(at, c)| Act::Add(at, c)),
        1 => any::<usize>().prop_map(Act::Prune),
        2 => (any::<usize>(), value).prop_map(|(at, value)| Act::BackUp(at, value)),
        1 => Just(Act::Keep),
    ]
}

fn key(tree: &Tree<u32>, index: usize) -> Key {
    tree.nodes().nth(index).unwrap().0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_tree_is_what_a_plain_one_is(acts in prop::collection::vec(act(), 0..40)) {
        let mut plain = Plain::new(&Child::new(0, VerifyResult::default()));
        let mut tree = make_root(0);
        let mut kept = Vec::new();
        for act in acts {
            let n = tree.len();
            match act {
                Act::Add(at, children) => {
                    let at = at % n;
                    match tree.clone().add_children(key(&tree, at), children.clone()) {
                        Ok(more) => {
                            prop_assert!(plain.add(at, &children));
                            tree = more;
                        }
                        Err(error) => {
                            prop_assert!(!plain.add(at, &children));
                            prop_assert_eq!(error, TreeError::NotOpen(tree.id(key(&tree, at))));
                        }
                    }
                }
                Act::Prune(at) => {
                    plain.prune(at % n, PruneReason::Beam);
                    let at = key(&tree, at % n);
                    tree = tree.prune_node(at, PruneReason::Beam);
                }
                Act::BackUp(at, value) => {
                    plain.back_up(at % n, value);
                    let at = key(&tree, at % n);
                    tree = tree.back_up(at, value);
                }
                Act::Keep => kept.push((tree.clone(), plain.clone())),
            }
        }
        plain.compare(&tree);
        for (tree, plain) in kept {
            plain.compare(&tree);
        }
    }
}

fn grown() -> Tree<&'static str> {
    let child = |state, verdict| Child::new(state, verdict);
    let tree = make_root("root");
    let tree = tree
        .add_children(Key::ROOT, [child("a", VerifyResult::scored(0.5)), child("b", VerifyResult::default())])
        .unwrap();
    let b = tree.find(&"0.1".parse().unwrap()).unwrap();
    tree.add_children(b, [child("c", VerifyResult::scored(0.2)), child("d", VerifyResult::solved())]).unwrap()
}

fn at<S>(tree: &Tree<S>, id: &str) -> Key {
    tree.find(&id.parse().unwrap()).unwrap()
}

#[test]
fn a_path_leads_from_the_root_and_credits_grow_along_it() {
    let tree = grown();
    let solution = tree.solution().unwrap();
    assert_eq!(tree.id(solution).to_string(), "0.1.1");
    let names: Vec<String> = tree.path(solution).into_iter().map(|key| tree.id(key).to_string()).collect();
    assert_eq!(names, ["0", "0.1", "0.1.1"]);
    let credits: Vec<f64> = tree.branch_credits(solution).into_iter().map(|(_, credit)| credit).collect();
    assert_eq!(credits, [1.0 / 3.0, 2.0 / 3.0, 1.0]);
}

/// The document asks the stop reason; an agent that stops has solved nothing.
#[test]
fn an_agent_that_stops_is_an_end_but_no_solution() {
    let stopped = Child { stopped: true, ..Child::new("gave up", VerifyResult::scored(0.9)) };
    let tree = make_root("root").add_children(Key::ROOT, [stopped]).unwrap();
    assert_eq!(tree.solution(), None);
    assert_eq!(tree.best_terminal(), Some(at(&tree, "0.0")));
    assert_eq!(tree.frontier_len(), 0);
}

/// The document carries `valid` and looks at it nowhere.
#[test]
fn an_illegal_state_is_never_expanded_and_no_result() {
    let wrong = VerifyResult { terminal: true, ..VerifyResult::invalid("no such step") };
    let tree = make_root("root").add_children(Key::ROOT, [Child::new("wrong", wrong)]).unwrap();
    assert_eq!((tree.solution(), tree.best_terminal(), tree.frontier_len()), (None, None, 0));
    let child = at(&tree, "0.0");
    assert!(matches!(tree.add_children(child, []), Err(TreeError::NotOpen(_))));
}

#[test]
fn what_is_pruned_takes_its_open_descendants_along_and_leaves_solutions() {
    let tree = grown();
    let b = at(&tree, "0.1");
    let tree = tree.prune_node(b, PruneReason::Beam);
    assert_eq!(tree.node(at(&tree, "0.1.0")).pruned(), Some(&PruneReason::Above));
    assert_eq!(tree.frontier().map(|(key, _)| tree.id(key).to_string()).collect::<Vec<_>>(), ["0.0"]);
    let solution = tree.solution().unwrap();
    assert_eq!(tree.prune_node(solution, PruneReason::Beam).solution(), None);
}

#[test]
fn scores_are_numbers_from_0_to_1() {
    for score in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
        let child = Child::new("x", VerifyResult::scored(score));
        let error = make_root("root").add_children(Key::ROOT, [child.clone()]).unwrap_err();
        assert!(error.to_string().contains("is no number from 0 to 1"), "{error}");
        assert!(Tree::of_root(child).is_err());
    }
}

#[test]
fn a_name_that_no_node_has_is_an_error() {
    let tree = grown();
    let id: NodeId = "0.1.7".parse().unwrap();
    assert_eq!(tree.find(&id), Err(TreeError::NoNode(id.clone())));
}

#[test]
fn a_drawing_shows_scores_and_what_became_of_nodes() {
    let tree = grown();
    let tree = tree.clone().prune_node(at(&tree, "0.0"), PruneReason::Other("a \"whim\"".into()));
    let dot = tree.dot(|_, node| node.state().map_or_else(String::new, |state| format!("{state}\\\n2")));
    for line in [
        r#"n0 [label="0 · ? · 0 visits\lroot\\\l2\l"];"#,
        r#"n1 [label="0.0 · 0.500 · 0 visits · a \"whim\"\la\\\l2\l", style=filled, fillcolor=lightgrey];"#,
        r#"n4 [label="0.1.1 · 1.000 · 0 visits\ld\\\l2\l", style=filled, fillcolor=palegreen];"#,
        "n2 -> n4;",
    ] {
        assert!(dot.contains(line), "{line} in {dot}");
    }
}
