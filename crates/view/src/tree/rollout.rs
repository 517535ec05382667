//! The search of an agent: its nodes are states, its steps the branches that led to them.

use std::sync::Arc;

use andor_artifact::rollout::{RolloutBranch, RolloutLine, RolloutNode};
use serde_json::Value;

use super::{EXHAUSTED, Move, OPEN, Odd, PROVED, Tree, label};

/// A step that is not complete. Its branches end in any order, and are taken in that of their selection.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    selected: Vec<String>,
    branches: Vec<RolloutBranch>,
}

impl Tree {
    /// Takes in a line of a journal.
    pub(crate) fn take_rollout(&mut self, line: RolloutLine) -> Result<(), Odd> {
        match line {
            RolloutLine::Root(root) => {
                let id = self.add_named(&Arc::from("0"), feedback(&root.node), -1, 0);
                self.details.state(id, &root.node);
            }
            RolloutLine::Step(step) => {
                self.building.waiting = Waiting { selected: step.selected, branches: Vec::new() };
            }
            RolloutLine::Branch(branch) => self.building.waiting.branches.push(branch),
            RolloutLine::Pruned(pruned) => {
                let Waiting { selected, mut branches } = std::mem::take(&mut self.building.waiting);
                let place = |id: &str| selected.iter().position(|selected| selected == id);
                branches.sort_by_key(|branch| (place(&branch.parent), branch.branch));
                for branch in &branches {
                    self.branch(branch)?;
                }
                for pruning in &pruned.pruned {
                    let id = self.find(&pruning.node);
                    if let Some(id) = id.filter(|&id| self.building.status[id as usize] == OPEN) {
                        self.set(id, EXHAUSTED);
                    }
                }
            }
        }
        Ok(())
    }

    fn branch(&mut self, branch: &RolloutBranch) -> Result<(), Odd> {
        let parent = self.named(&Arc::from(branch.parent.as_str()))?;
        let reason = self.text("branch");
        let now = self.push_move(Move {
            iteration: branch.step + 1,
            node: parent,
            agent: branch.branch,
            at_ms: 0,
            reason,
            visits: true,
        });
        for child in &branch.children {
            let step = self.steps.len() as i64;
            let name = format!("{}.{}", branch.parent, self.building.steps_at[parent as usize].len());
            let id = self.add_named(&Arc::from(name), feedback(child), step, now);
            self.details.state(id, child);
            let did = did(child).unwrap_or_else(|| format!("branch {}", branch.branch));
            self.push_step(parent, &did, 0.0, now, vec![id]);
            if child.terminal {
                self.set(id, PROVED);
                self.settle(parent, now);
            } else if !child.valid {
                self.set(id, EXHAUSTED);
            }
        }
        Ok(())
    }

    fn set(&mut self, node: u32, status: u8) {
        self.building.status[node as usize] = status;
        self.changes.push((self.moves.len() as u32, node, status));
    }
}

fn feedback(node: &RolloutNode) -> &str {
    node.feedback.as_deref().unwrap_or_default()
}

/// What the agent did on the way to a state: the tools that it called, or what it said.
fn did(node: &RolloutNode) -> Option<String> {
    let messages = node.state["messages"].as_array()?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let calls = messages.iter().filter_map(|message| message["tool_calls"].as_array()).flatten();
    let calls: Vec<String> =
        calls.map(|call| format!("{} {}", text(&call["name"]), text(&call["arguments"]))).collect();
    let said = messages.iter().rfind(|message| message["role"] == "assistant");
    let did = if calls.is_empty() { text(&said?["content"]) } else { calls.join("; ") };
    Some(label(&did)).filter(|did| !did.is_empty())
}
