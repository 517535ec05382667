//! The tree at the end of a search.

use std::sync::Arc;

use andor_artifact::graph::Graph;
use andor_core::tree::Status;
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
        // A damaged file may name a node twice.
        let mut places = Vec::with_capacity(graph.nodes.len());
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
            places.push(id);
        }
        let place = |id: &String| ids.get(id.as_str()).map(|&at| places[at as usize]);
        if self.nodes.len() == before {
            return 0;
        }
        for step in graph.steps.iter().skip(known_steps) {
            let Some(from) = place(&step.node) else { continue };
            let children = step.children.iter().filter_map(place).collect();
            self.push_step(from, &step.tactic, step.log_prior, now, children);
        }
        for (&id, node) in places.iter().zip(&graph.nodes) {
            let status = match node.status {
                Status::Open => OPEN,
                Status::Proved => PROVED,
                Status::Exhausted => EXHAUSTED,
            };
            if self.building.status[id as usize] != status {
                self.building.status[id as usize] = status;
                self.changes.push((now, id, status));
            }
        }
        self.nodes.len() - before
    }
}

/// The target of a goal as printed.
fn target(goal: &str) -> &str {
    goal.rsplit('⊢').next().unwrap_or(goal).trim()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_damaged_tree_is_taken_as_far_as_it_makes_sense() {
        let node = |id: &str, name: &str| {
            json!({
                "id": id, "mvar_id": name, "goals": [], "goal_sig": "", "goal_sig_strict": "", "textual_sig": false,
                "status": "proved", "depth": 0, "visit_count": 0, "success_count": 0.0, "value": 0.0, "distance": null,
            })
        };
        let step = |node: &str, children: &[&str]| {
            json!({
                "id": "s", "node": node, "tactic": "t", "log_prior": 0.0, "status": "proved", "children": children,
            })
        };
        let graph: Graph = serde_json::from_value(json!({
            "opening": andor_artifact::version::Opening::new(andor_artifact::version::Kind::Graph),
            "theorem": "t", "tree_digest": "",
            "nodes": [node("n0", "a"), node("n1", "a"), node("n2", "b"), node("n2", "c")],
            "steps": [step("n9", &["n0"]), step("n2", &["n0", "n9", "n2"]), step("n1", &["n2"])],
        }))
        .unwrap();
        let mut tree = Tree::default();
        assert_eq!(tree.complete(&graph), 3);
        assert_eq!((tree.steps.len(), tree.building.status.as_slice()), (2, [PROVED; 3].as_slice()));
    }
}
