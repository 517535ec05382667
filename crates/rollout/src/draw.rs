//! Recorded trees as text and as drawings.

use std::fmt::Write;

use andor_model::Message;
use andor_model::request::Role;
use serde_json::Value;

use crate::journal::conversation;
use crate::tree::{Key, Node, Tree};

/// Characters shown of a message in a line.
const SHORT: usize = 100;

/// What became of a node, in one sign: `✓` solved, `✗` illegal or pruned, `■` stopped, `?` open.
fn mark(node: &Node<Value>) -> char {
    match node {
        _ if node.is_solution() => '✓',
        _ if !node.verdict().valid || node.pruned().is_some() => '✗',
        _ if node.stopped() => '■',
        _ => '?',
    }
}

/// What a node says of itself in one line.
fn line(tree: &Tree<Value>, key: Key) -> String {
    let node = tree.node(key);
    let mut text = format!("{} {}", mark(node), tree.id(key));
    if let Some(score) = node.score() {
        write!(text, "  score {score:.2}").expect("a text takes everything");
    }
    write!(text, "  {} visits  {} tokens", node.visits(), node.cost()).expect("a text takes everything");
    if let Some(stop) = node.state().and_then(|state| state["stop"].as_str()) {
        write!(text, "  ({stop})").expect("a text takes everything");
    }
    if let Some(reason) = node.pruned() {
        write!(text, "  (pruned: {reason})").expect("a text takes everything");
    }
    text
}

/// The messages that a node has beyond its parent's.
fn own(tree: &Tree<Value>, key: Key) -> Vec<Message> {
    let all = conversation(tree, key).unwrap_or_default();
    let above =
        tree.node(key).parent().and_then(|parent| conversation(tree, parent).ok()).unwrap_or_default();
    let shared = all.iter().zip(&above).take_while(|(a, b)| a == b).count();
    all.into_iter().skip(shared).collect()
}

/// A message in words: what was said, then the calls.
fn words(message: &Message) -> String {
    let calls = message.tool_calls.iter().map(|call| format!("{} {}", call.name, call.arguments));
    let said = Some(message.content.clone()).filter(|said| !said.trim().is_empty());
    said.into_iter().chain(calls).collect::<Vec<_>>().join("\n")
}

fn speaker(message: &Message) -> &'static str {
    match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "agent",
        Role::Tool => "tool",
    }
}

fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHORT) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The tree as indented text: each node, what was said in it, then its children. Messages are shown in full if `all`, and
/// otherwise each in one line.
pub fn text(tree: &Tree<Value>, all: bool) -> String {
    let mut out = String::new();
    let mut left = vec![Key::ROOT];
    while let Some(key) = left.pop() {
        let margin = "  ".repeat(tree.node(key).depth() as usize);
        writeln!(out, "{margin}{}", line(tree, key)).expect("a text takes everything");
        for message in own(tree, key) {
            let said = if all { words(&message) } else { shortened(&words(&message)) };
            let said = said.replace('\n', &format!("\n{margin}      "));
            writeln!(out, "{margin}    {}: {said}", speaker(&message)).expect("a text takes everything");
        }
        let children: Vec<Key> = tree.children(key).map(|(child, _)| child).collect();
        left.extend(children.into_iter().rev());
    }
    out
}

/// The tree for Graphviz, with what the agent said in each node.
pub fn dot(tree: &Tree<Value>) -> String {
    tree.dot(|key, _| {
        let said = own(tree, key).into_iter().filter(|message| message.role == Role::Assistant);
        said.map(|message| shortened(&words(&message))).collect::<Vec<_>>().join("\n")
    })
}
