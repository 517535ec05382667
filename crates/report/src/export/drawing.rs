//! Drawings of recorded searches.

use andor_artifact::graph::{Graph, GraphStatus};
use andor_core::tree::Status;
use andor_core::tree::dot::Drawing;

/// A recorded search in Graphviz format: each node with its goals, each step with its tactic.
pub fn dot(graph: &Graph) -> String {
    let mut drawing = Drawing::default();
    for node in &graph.nodes {
        let goals = node.goals.join("\n\n");
        drawing.node(&node.id, &format!("{}\n{goals}\n", node.mvar_id), status(node.status));
    }
    for step in &graph.steps {
        drawing.step(&step.node, &step.id, &step.tactic, status(step.status), &step.children);
    }
    drawing.finish()
}

fn status(status: GraphStatus) -> Status {
    match status {
        GraphStatus::Open => Status::Open,
        GraphStatus::Proved => Status::Proved,
        GraphStatus::Exhausted => Status::Exhausted,
    }
}
