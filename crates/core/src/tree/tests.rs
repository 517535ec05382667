use super::check::Violation;
use super::dot::Drawing;
use super::*;
use crate::ids::{NodeId, StepId, TacticId};
use crate::signature::{GoalKey, GoalSig};

fn child(id: u64) -> Child {
    Child { coarse: GoalSig(id), key: GoalKey(id), value: None }
}

fn n(index: usize) -> NodeId {
    NodeId::from_index(index)
}

fn t() -> TacticId {
    TacticId::from_index(0)
}

/// n0 ─ s0 ─ n1, n2;  n0 ─ s1 ─ n3;  n1 ─ s2 (closed)
fn small() -> Tree {
    let mut tree = Tree::new(Identity::Checkpoint, child(0));
    tree.add_step(n(0), t(), -0.5, &[child(1), child(2)]);
    tree.add_step(n(0), t(), -1.5, &[child(3)]);
    tree.set_phase(n(0), Phase::Complete);
    tree.add_step(n(1), t(), -0.5, &[]);
    tree.set_phase(n(1), Phase::Complete);
    tree
}

fn assert_sound(tree: &Tree) {
    assert_eq!(tree.check(), Vec::<Violation>::new());
}

#[test]
fn a_step_needs_all_children_and_a_node_any_step() {
    let mut tree = small();
    assert_sound(&tree);
    assert_eq!((tree.status(n(1)), tree.status(n(0))), (Status::Proved, Status::Open));
    tree.add_step(n(2), t(), -0.5, &[]);
    tree.set_phase(n(2), Phase::Complete);
    assert_sound(&tree);
    assert_eq!(tree.status(n(0)), Status::Proved);
    assert_eq!(tree.distance(n(0)), Some(3));
    assert!(!tree.is_relevant(n(3)), "the other step no longer matters");
}

#[test]
fn the_frontier_is_what_the_most_complete_derivation_leaves() {
    let mut tree = small();
    assert_eq!(tree.frontier(), [n(2)], "n1 is proved beside it");
    // n2 ─ s3 ─ n4, n5, of which nothing is proved.
    tree.add_step(n(2), t(), -0.5, &[child(4), child(5)]);
    assert_eq!(tree.frontier(), [n(3)], "one goal is left, not two");
    tree.add_step(n(4), t(), -0.5, &[]);
    assert_eq!(tree.frontier(), [n(5)], "one is left, and more is proved");
    let last = tree.add_step(n(5), t(), -0.5, &[]);
    assert!(tree.frontier().is_empty());
    tree.refute(last);
    assert_eq!(tree.frontier(), [n(5)], "a rejected step counts for nothing");
    assert_eq!(Tree::new(Identity::Checkpoint, child(0)).frontier(), [n(0)]);
}

#[test]
fn the_frontier_of_a_cycle_is_found() {
    // n0 ─ s0 ─ n1;  n1 ─ s1 ─ n0;  n1 ─ s2 ─ n2
    let mut tree = Tree::new(Identity::Strict, child(0));
    tree.add_step(n(0), t(), -0.5, &[child(1)]);
    tree.add_step(n(1), t(), -0.5, &[child(0)]);
    tree.add_step(n(1), t(), -0.5, &[child(2)]);
    assert_eq!(tree.frontier(), [n(2)]);
}

#[test]
fn an_exhausted_child_exhausts_its_step_and_makes_the_siblings_irrelevant() {
    let mut tree = small();
    tree.set_phase(n(2), Phase::Complete);
    assert_sound(&tree);
    assert_eq!(tree.status(n(2)), Status::Exhausted);
    assert_eq!(tree.status(n(0)), Status::Open, "s1 is left");
    tree.set_phase(n(3), Phase::Complete);
    assert_sound(&tree);
    assert_eq!(tree.status(n(0)), Status::Exhausted);
}

#[test]
fn a_shared_child_wakes_up_when_a_new_step_leads_to_it() {
    let mut tree = Tree::new(Identity::Strict, child(0));
    tree.add_step(n(0), t(), -1.0, &[child(1), child(2)]);
    tree.add_step(n(1), t(), -1.0, &[child(3)]);
    tree.set_phase(n(1), Phase::Partial);
    tree.set_phase(n(2), Phase::Complete);
    assert!(!tree.is_relevant(n(3)), "n2 is exhausted, so its sibling's subtree is irrelevant");
    tree.awakened.clear();
    tree.add_step(n(0), t(), -1.0, &[child(1)]);
    tree.set_phase(n(0), Phase::Complete);
    assert!(tree.is_relevant(n(3)));
    assert_eq!(tree.awakened, [n(1), n(3)]);
    assert_sound(&tree);
}

#[test]
fn a_cycle_proves_nothing_until_something_outside_does() {
    let mut tree = Tree::new(Identity::Strict, child(0));
    tree.add_step(n(0), t(), -1.0, &[child(1)]);
    tree.set_phase(n(0), Phase::Complete);
    tree.add_step(n(1), t(), -1.0, &[child(0)]);
    tree.set_phase(n(1), Phase::Partial);
    assert_sound(&tree);
    assert_eq!(tree.status(n(0)), Status::Open);
    tree.add_step(n(1), t(), -1.0, &[]);
    assert_sound(&tree);
    assert_eq!(tree.distance(n(0)), Some(2));
    assert_eq!(tree.extract().unwrap().steps.len(), 2);
}

#[test]
fn distances_shrink_when_a_shorter_proof_appears() {
    let mut tree = Tree::new(Identity::Strict, child(0));
    tree.add_step(n(0), t(), -1.0, &[child(1), child(1)]);
    tree.add_step(n(1), t(), -1.0, &[child(2)]);
    tree.add_step(n(2), t(), -1.0, &[]);
    assert_eq!(tree.distance(n(0)), Some(5));
    tree.add_step(n(1), t(), -1.0, &[]);
    assert_eq!(tree.distance(n(0)), Some(3));
    (0..3).for_each(|i| tree.set_phase(n(i), Phase::Complete));
    assert_sound(&tree);
}

#[test]
fn a_proof_too_large_to_count_is_proved_but_not_extracted() {
    let mut tree = Tree::new(Identity::Strict, child(0));
    for i in 0..40 {
        tree.add_step(n(i), t(), -1.0, &[child(i as u64 + 1), child(i as u64 + 1)]);
        tree.set_phase(n(i), Phase::Complete);
    }
    tree.add_step(n(40), t(), -1.0, &[]);
    tree.set_phase(n(40), Phase::Complete);
    assert_sound(&tree);
    assert_eq!((tree.status(n(0)), tree.distance(n(0)), tree.extract()), (Status::Proved, None, None));
    assert!(tree.distance(n(20)).is_some());
}

#[test]
fn refuting_the_completing_step_reopens_what_rested_on_it() {
    let mut tree = small();
    let last = tree.add_step(n(2), t(), -0.5, &[]);
    tree.set_phase(n(2), Phase::Complete);
    let proof = tree.extract().unwrap();
    assert_eq!(proof.youngest(), last);
    tree.refute(last);
    assert_sound(&tree);
    assert_eq!((tree.status(n(2)), tree.status(n(0))), (Status::Exhausted, Status::Open));
    assert!(tree.is_relevant(n(3)));
}

#[test]
fn a_long_chain_settles_without_recursion() {
    let mut tree = Tree::new(Identity::Checkpoint, child(0));
    let depth = 200_000;
    for i in 0..depth {
        tree.add_step(n(i), t(), -1.0, &[child(i as u64 + 1)]);
        tree.set_phase(n(i), Phase::Complete);
    }
    tree.add_step(n(depth), t(), -1.0, &[]);
    assert_eq!(tree.status(n(0)), Status::Proved);
    assert_eq!(tree.extract().unwrap().steps.len(), depth + 1);
}

#[test]
fn the_checker_notices_a_wrong_status() {
    let mut tree = small();
    tree.nodes[3].status = Status::Proved;
    assert!(!tree.check().is_empty());
    let mut tree = small();
    tree.nodes[0].live_parents = 7;
    assert!(!tree.check().is_empty());
    let mut tree = small();
    tree.children[0] = n(3);
    assert!(!tree.check().is_empty());
}

/// A drawing of the tree, with the given labels.
fn drawn(
    tree: &Tree,
    mut node_label: impl FnMut(NodeId) -> String,
    mut step_label: impl FnMut(StepId) -> String,
) -> String {
    let mut drawing = Drawing::default();
    for node in tree.nodes() {
        drawing.node(node, &node_label(node), tree.status(node));
    }
    for step in tree.all_steps() {
        let (label, status) = (step_label(step), tree.step_status(step));
        drawing.step(tree.step_node(step), step, &label, status, tree.children(step));
    }
    drawing.finish()
}

#[test]
fn the_drawing_shows_statuses_and_escapes_labels() {
    let drawing = drawn(&small(), |node| format!("goal \"{node}\"\nx"), |step| format!("tac {step}"));
    let expected = r#"digraph search {
  node [fontname="monospace"];
  n0 [shape=box, label="goal \"n0\"\lx"];
  n1 [shape=box, label="goal \"n1\"\lx", style=filled, fillcolor=palegreen];
  n2 [shape=box, label="goal \"n2\"\lx"];
  n3 [shape=box, label="goal \"n3\"\lx"];
  s0 [shape=ellipse, label="tac s0"];
  n0 -> s0;
  s0 -> n1;
  s0 -> n2;
  s1 [shape=ellipse, label="tac s1"];
  n0 -> s1;
  s1 -> n3;
  s2 [shape=ellipse, label="tac s2", style=filled, fillcolor=palegreen];
  n1 -> s2;
}
"#;
    assert_eq!(drawing, expected);
}
