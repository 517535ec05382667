//! Recorded trees as data to train on: conversations that led to solutions, and pairs of sibling branches of which one did
//! better.

use andor_model::Message;
use andor_model::request::Role;
use serde::Serialize;
use serde_json::Value;

use crate::environment::EnvironmentError;
use crate::journal::conversation;
use crate::tree::{Key, Tree};

/// The conversation from the root to a solution.
#[derive(Clone, Debug, Serialize)]
pub struct Trajectory {
    /// The solution's id.
    pub node: String,
    /// Its score.
    pub score: Option<f64>,
    /// The conversation, in the form of chat completions.
    pub messages: Vec<Message>,
    /// For each message of the agent, the credit of the node that it belongs to: what the n-th of k nodes on the path gets,
    /// n/k. `null` for messages of others.
    pub credits: Vec<Option<f64>>,
}

/// Two branches from the same node.
#[derive(Clone, Debug, Serialize)]
pub struct BranchPair {
    /// The node that was expanded.
    pub node: String,
    /// The conversation up to there.
    pub prompt: Vec<Message>,
    /// What followed in the better branch.
    pub chosen: Vec<Message>,
    /// What followed in the worse one.
    pub rejected: Vec<Message>,
    /// What the better branch came to: 1 if it led to a solution, or else the best score below it.
    pub chosen_value: f64,
    /// What the worse one came to.
    pub rejected_value: f64,
}

/// The conversations that led to solutions, in the order in which these were found.
///
/// # Errors
///
/// If a state cannot be read.
pub fn trajectories(tree: &Tree<Value>) -> Result<Vec<Trajectory>, EnvironmentError> {
    tree.solutions()
        .map(|(key, node)| {
            let messages = conversation(tree, key)?;
            let mut credits = vec![None; messages.len()];
            let mut length = 0;
            for (at, credit) in tree.branch_credits(key) {
                let end = conversation(tree, at)?.len();
                for place in length.min(end)..end {
                    credits[place] = (messages[place].role == Role::Assistant).then_some(credit);
                }
                length = end;
            }
            Ok(Trajectory { node: tree.id(key).to_string(), score: node.score(), messages, credits })
        })
        .collect()
}

/// The pairs of branches from the same node that came to different values: at each node, the best branch with each that did
/// worse. Branches of which nothing is known are in no pair.
///
/// # Errors
///
/// If a state cannot be read.
pub fn branch_pairs(tree: &Tree<Value>) -> Result<Vec<BranchPair>, EnvironmentError> {
    let values = values(tree);
    let mut pairs = Vec::new();
    for (key, _) in tree.nodes() {
        let known = tree.children(key).filter_map(|(child, _)| Some((child, values[child.index()]?)));
        let known: Vec<(Key, f64)> = known.collect();
        let Some(&(best, chosen_value)) = known.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)) else {
            continue;
        };
        let prompt = conversation(tree, key)?;
        let after = |child: Key| -> Result<Vec<Message>, EnvironmentError> {
            let messages = conversation(tree, child)?;
            let shared = messages.iter().zip(&prompt).take_while(|(a, b)| a == b).count();
            Ok(messages.into_iter().skip(shared).collect())
        };
        let chosen = after(best)?;
        for &(worse, rejected_value) in known.iter().filter(|(_, value)| *value < chosen_value) {
            // A branch that said the same was not looked into further: it is no worse.
            if tree.node(worse).digest() == tree.node(best).digest() {
                continue;
            }
            pairs.push(BranchPair {
                node: tree.id(key).to_string(),
                prompt: prompt.clone(),
                chosen: chosen.clone(),
                rejected: after(worse)?,
                chosen_value,
                rejected_value,
            });
        }
    }
    Ok(pairs)
}

/// What each node came to: 1 if it is a solution or one is below it, or else the best score of it and the nodes below it.
fn values(tree: &Tree<Value>) -> Vec<Option<f64>> {
    let mut values = vec![None; tree.len()];
    // Children come after their parents.
    let nodes: Vec<Key> = tree.nodes().map(|(key, _)| key).collect();
    for key in nodes.into_iter().rev() {
        let node = tree.node(key);
        let own = match (node.is_solution(), node.verdict().valid) {
            (true, _) => Some(1.0),
            (false, true) => node.score(),
            (false, false) => Some(0.0),
        };
        let below: Option<f64> = values[key.index()];
        let value = own.into_iter().chain(below).max_by(f64::total_cmp);
        values[key.index()] = value;
        if let Some(parent) = node.parent() {
            let above: Option<f64> = values[parent.index()];
            values[parent.index()] = above.into_iter().chain(value).max_by(f64::total_cmp);
        }
    }
    values
}
