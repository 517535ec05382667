//! What holds between the nodes of an agent's tree, whatever its environment.

use andor_model::Usage;
use andor_model::request::Role;
use serde::Deserialize as _;
use serde_json::Value;

use super::codec::Saved;
use crate::agent::digest;
use crate::search::branch_seed;
use crate::tree::{Node, NodeId, Tree};

/// What a node has used up: all that those below it go on from.
#[derive(Clone, Copy, Default)]
struct Used {
    messages: usize,
    usage: Usage,
    turns: u32,
    subagents: u32,
}

/// The first node that does not follow from the one above it, in a search with this seed and so many turns a branch, and why.
pub(super) fn contradiction(tree: &Tree<Value>, seed: u64, turns: u32) -> Option<(NodeId, String)> {
    let mut used: Vec<Used> = Vec::with_capacity(tree.len());
    for (key, node) in tree.nodes() {
        let above = node.parent().map(|parent| (tree.id(parent), tree.node(parent), used[parent.index()]));
        match own(node, above.as_ref(), seed, turns) {
            Ok(own) => used.push(own),
            Err(what) => return Some((tree.id(key), what)),
        }
    }
    None
}

fn own(
    node: &Node<Value>,
    above: Option<&(NodeId, &Node<Value>, Used)>,
    seed: u64,
    turns: u32,
) -> Result<Used, String> {
    let state = node.state().expect("what is read is in memory");
    let saved = Saved::deserialize(&**state).map_err(|error| format!("its state cannot be read: {error}"))?;
    let before = above.map(|(.., used)| *used).unwrap_or_default();
    if saved.shared != before.messages {
        return Err(format!(
            "it shares {} messages with its parent, which has {}",
            saved.shared, before.messages
        ));
    }
    let own = Used {
        messages: saved.shared + saved.messages.len(),
        usage: saved.usage,
        turns: saved.turns,
        subagents: saved.subagents,
    };
    let cost = own.usage.tokens().saturating_sub(before.usage.tokens());
    if node.cost() != cost {
        return Err(format!("its cost is {}, and by its usage {cost}", node.cost()));
    }
    let Some((parent, node_above, _)) = above else { return Ok(own) };
    if own.usage.tokens() < before.usage.tokens() || own.usage.requests < before.usage.requests {
        return Err("its usage is less than its parent's".to_owned());
    }
    if !(before.turns..=before.turns.saturating_add(turns)).contains(&own.turns)
        || own.subagents < before.subagents
    {
        return Err(format!("it has {} turns, and its parent {}", own.turns, before.turns));
    }
    let said = saved.messages.iter().filter(|message| message.role == Role::Assistant).count();
    if said != (own.turns - before.turns) as usize {
        return Err(format!("the agent speaks {said} times in it, in {} turns", own.turns - before.turns));
    }
    let seed = branch_seed(seed, parent, node.place());
    if saved.branch.as_ref().map(|branch| branch.seed) != Some(seed) {
        return Err(format!("the seed of its branch is not {seed}"));
    }
    if node.stopped() != saved.stop.is_some() {
        return Err("whether the agent has stopped is not what its state says".to_owned());
    }
    let computed = digest(saved.messages.iter().map(|message| &**message));
    if node.digest() != Some(computed) {
        return Err(format!("its digest is not that of its messages, {computed}"));
    }
    let feedback = node_above.verdict().feedback.as_deref().filter(|text| !text.is_empty());
    let told = saved.messages.first().filter(|message| message.role == Role::User);
    if let Some(feedback) = feedback
        && told.is_none_or(|message| message.content != feedback)
    {
        return Err("it does not begin with what the environment said of its parent".to_owned());
    }
    Ok(own)
}
