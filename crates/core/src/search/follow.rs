//! Following a search that was recorded: somebody else has chosen where to work.

use super::{Approach, Detour, Job, Search};
use crate::ids::{AgentId, NodeId};
use crate::stats::Path;

impl Search {
    /// Reserves the node at the end of a path that somebody else chose, to follow a search that was recorded. `None`
    /// when there is no such path in the tree. `detours` are the nodes that the agent went round.
    pub fn follow(&mut self, agent: AgentId, nodes: &[NodeId], detours: Vec<Detour>) -> Option<Job> {
        let path = self.path_along(nodes)?;
        self.approach = Approach { detours, ..Approach::default() };
        Some(self.reserve(agent, path))
    }

    /// Counts an iteration that ended at an obstacle, to follow a search that was recorded. `None` when there is no
    /// such path in the tree.
    pub fn follow_pass(&mut self, agent: AgentId, nodes: &[NodeId], detours: Vec<Detour>) -> Option<()> {
        let path = self.path_along(nodes)?;
        self.approach = Approach { detours, ..Approach::default() };
        self.finish_pass(agent, &path);
        Some(())
    }

    /// The path through `nodes`, by the creators of nodes where it can be.
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
