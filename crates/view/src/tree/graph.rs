//! The tree at the end of a search.

use std::sync::Arc;

use andor_artifact::graph::{Graph, GraphStatus};
use rustc_hash::FxHashMap;

use super::{EXHAUSTED, OPEN, PROVED, Tree};

impl Tree {
    /// Takes in the tree at the end of the search: signatures, whole goals, and what the trace lacks. Returns how many
    /// nodes the trace lacked.
    pub(crate) fn complete(&mut self, graph: &Graph) -> usize {
        let before = self.nodes.len();
        let now = self.moves.len() as u32;
        let ids: FxHashMap<&str, u32> =
            (0..).zip(&graph.nodes).map(|(at, node)| (node.id.as_str(), at)).collect();
        let mut parent = vec![-1; graph.nodes.len()];
        let known_steps = self.steps.len();
        for (at, step) in (0..).zip(&graph.steps) {
            let Some(&from) = ids.get(step.node.as_str()) else { continue };
            for child in step.children.iter().filter_map(|child| ids.get(child.as_str())) {
                // Children are younger, but for those that were shared.
                if *child > from && parent[*child as usize] < 0 {
                    parent[*child as usize] = at;
                }
            }
        }
        for (at, node) in graph.nodes.iter().enumerate() {
            let name = Arc::from(node.mvar_id.as_str());
            let goal = node.goals.first().map_or("", |goal| target(goal));
            let id = match self.find(&node.mvar_id) {
                Some(id) => id,
                None => self.add_named(&name, goal, parent[at], now),
            };
            let signature = self.text(&node.goal_sig_strict);
            self.sign(id, signature);
            self.details.end(id, node);
        }
        if self.nodes.len() == before {
            return 0;
        }
        for step in graph.steps.iter().skip(known_steps) {
            let Some(&from) = ids.get(step.node.as_str()) else { continue };
            let children = step.children.iter().filter_map(|child| ids.get(child.as_str()).copied());
            let children: Vec<u32> = children.filter(|&child| (child as usize) < self.nodes.len()).collect();
            self.push_step(from, &step.tactic, step.log_prior, now, children);
        }
        for (at, node) in (0..).zip(&graph.nodes) {
            let status = match node.status {
                GraphStatus::Open => OPEN,
                GraphStatus::Proved => PROVED,
                GraphStatus::Exhausted => EXHAUSTED,
            };
            if self.building.status[at as usize] != status {
                self.building.status[at as usize] = status;
                self.changes.push((now, at, status));
            }
        }
        self.nodes.len() - before
    }
}

/// The target of a goal as printed.
fn target(goal: &str) -> &str {
    goal.rsplit('⊢').next().unwrap_or(goal).trim()
}
