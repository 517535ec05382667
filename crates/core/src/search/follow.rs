//! Following a recorded search, whose choices are given.

use super::{Approach, Detour, Job, Search};
use crate::ids::{AgentId, NodeId};
use crate::stats::Path;

impl Search {
    /// Reserves the node at the end of a recorded path. `None` if the tree has no such path. `detours` are the nodes
    /// that the agent bypassed.
    pub fn follow(&mut self, agent: AgentId, nodes: &[NodeId], detours: Vec<Detour>) -> Option<Job> {
        let path = self.path_along(nodes)?;
        self.approach = Approach { detours, ..Approach::default() };
        Some(self.reserve(agent, path))
    }

    /// Counts a recorded iteration that ended at an obstacle. `None` if the tree has no such path.
    pub fn follow_pass(&mut self, agent: AgentId, nodes: &[NodeId], detours: Vec<Detour>) -> Option<()> {
        let path = self.path_along(nodes)?;
        self.approach = Approach { detours, ..Approach::default() };
        self.finish_pass(agent, &path);
        Some(())
    }

    /// The path through `nodes`, using the creators of nodes if possible.
    fn path_along(&self, nodes: &[NodeId]) -> Option<Path> {
        let known = |node: &NodeId| node.index() < self.tree.n_nodes();
        if nodes.first() != Some(&self.tree.root()) || !nodes.iter().all(known) {
            return None;
        }
        let mut path = Path::default();
        path.start(self.tree.root());
        for pair in nodes.windows(2) {
            let step = match self.tree.creator(pair[1]) {
                Some((step, parent)) if parent == pair[0] => step,
                Some(_) | None => {
                    self.tree.steps(pair[0]).find(|&s| self.tree.children(s).any(|c| c == pair[1]))?
                }
            };
            path.go(step, pair[1]);
        }
        Some(path)
    }
}
