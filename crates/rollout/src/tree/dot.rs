//! Drawings of trees for Graphviz.

use std::fmt::Write;

use super::{Key, Node, Tree};

impl<S> Tree<S> {
    /// The tree in the DOT language. Each node has its id, its score and the text of the label; solutions are green, illegal
    /// nodes red, pruned ones grey with their reason, ends that are no solutions yellow.
    pub fn dot(&self, label: impl Fn(Key, &Node<S>) -> String) -> String {
        let mut out = "digraph rollout {\n  node [shape=box, fontname=\"monospace\"];\n".to_owned();
        for (key, node) in self.nodes() {
            let colour = if node.pruned().is_some() {
                ", style=filled, fillcolor=lightgrey"
            } else if !node.verdict().valid {
                ", style=filled, fillcolor=mistyrose"
            } else if node.is_solution() {
                ", style=filled, fillcolor=palegreen"
            } else if node.is_end() {
                ", style=filled, fillcolor=lightyellow"
            } else {
                ""
            };
            let score = node.score().map_or("?".to_owned(), |score| format!("{score:.3}"));
            let mut text = format!("{} · {score} · {} visits", self.id(key), node.visits());
            if let Some(reason) = node.pruned() {
                write!(text, " · {reason}").expect("a text takes everything");
            }
            let label = label(key, node);
            if !label.is_empty() {
                text.push('\n');
                text.push_str(&label);
            }
            text.push('\n');
            // Left-justified lines.
            let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l");
            let number = key.index();
            writeln!(out, "  n{number} [label=\"{text}\"{colour}];").expect("a text takes everything");
            if let Some(parent) = node.parent() {
                writeln!(out, "  n{} -> n{number};", parent.index()).expect("a text takes everything");
            }
        }
        out.push_str("}\n");
        out
    }
}
