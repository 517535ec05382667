//! Drawings of the tree for Graphviz.

use std::fmt::{self, Write};

use super::Status;

/// A drawing under construction: nodes are boxes, steps are ellipses, proved parts are green, exhausted parts grey.
#[derive(Debug, Default)]
pub struct Drawing {
    body: String,
}

impl Drawing {
    /// Adds a node. Quotes and line breaks in the label are escaped.
    pub fn node(&mut self, id: impl fmt::Display, label: &str, status: Status) {
        self.shape("box", id, label, status);
    }

    /// Adds a step between a node and its children.
    pub fn step(
        &mut self,
        node: impl fmt::Display,
        id: impl fmt::Display,
        label: &str,
        status: Status,
        children: impl IntoIterator<Item = impl fmt::Display>,
    ) {
        self.shape("ellipse", &id, label, status);
        let _ = writeln!(self.body, "  {node} -> {id};");
        for child in children {
            let _ = writeln!(self.body, "  {id} -> {child};");
        }
    }

    /// The complete DOT text.
    pub fn finish(self) -> String {
        format!("digraph search {{\n  node [fontname=\"monospace\"];\n{}}}\n", self.body)
    }

    fn shape(&mut self, shape: &str, id: impl fmt::Display, label: &str, status: Status) {
        let colour = match status {
            Status::Open => "",
            Status::Proved => ", style=filled, fillcolor=palegreen",
            Status::Exhausted => ", style=filled, fillcolor=lightgrey",
        };
        // Left-justified lines, as in a printed goal.
        let label = label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l");
        let _ = writeln!(self.body, "  {id} [shape={shape}, label=\"{label}\"{colour}];");
    }
}
