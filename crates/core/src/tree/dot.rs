//! The tree as a Graphviz drawing.

use std::fmt::Write;

use super::{Status, Tree};
use crate::ids::{NodeId, StepId};

/// Draws the tree in the DOT language: nodes as boxes, steps as ellipses, proved parts green, exhausted
/// parts grey. `node_label` and `step_label` give the texts; quotes and line breaks in them are escaped.
pub fn dot(
    tree: &Tree,
    mut node_label: impl FnMut(NodeId) -> String,
    mut step_label: impl FnMut(StepId) -> String,
) -> String {
    let mut out = String::from("digraph search {\n  node [fontname=\"monospace\"];\n");
    for node in tree.nodes() {
        let label = escape(&node_label(node));
        let _ = writeln!(out, "  {node} [shape=box, label=\"{label}\"{}];", style(tree.status(node)));
        for step in tree.steps(node) {
            let label = escape(&step_label(step));
            let _ = writeln!(
                out,
                "  {step} [shape=ellipse, label=\"{label}\"{}];",
                style(tree.step_status(step))
            );
            let _ = writeln!(out, "  {node} -> {step};");
            for child in tree.children(step) {
                let _ = writeln!(out, "  {step} -> {child};");
            }
        }
    }
    out.push_str("}\n");
    out
}

fn style(status: Status) -> &'static str {
    match status {
        Status::Open => "",
        Status::Proved => ", style=filled, fillcolor=palegreen",
        Status::Exhausted => ", style=filled, fillcolor=lightgrey",
    }
}

fn escape(label: &str) -> String {
    // Left-justified lines, as in a printed goal.
    label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l")
}
