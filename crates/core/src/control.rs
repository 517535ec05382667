//! How agents share a tree: coordination and interventions.

use crate::schedule::Interventions;

/// The control settings of a search. The default is a search by one agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Control {
    /// Whether several agents may reserve the same node. They expand it one after the other.
    pub collisions: bool,
    /// The weight of the virtual loss (see [`crate::policy::Selection::Ucb1`]); at least 0.
    pub virtual_loss: f64,
    /// Bonus per level of depth, added to a node's score; at least 0. In a tree, competing nodes have the same depth,
    /// so it matters only in a graph.
    pub depth_bias: f64,
    /// Bonus for nodes on the agent's previous path; at least 0.
    pub path_bias: f64,
    /// Blocks and delays.
    pub interventions: Interventions,
}

impl Control {
    /// Whether scores get no bonus.
    pub(crate) fn is_unbiased(&self) -> bool {
        self.depth_bias == 0.0 && self.path_bias == 0.0
    }
}

impl Default for Control {
    fn default() -> Self {
        Self {
            collisions: false,
            virtual_loss: 1.0,
            depth_bias: 0.0,
            path_bias: 0.0,
            interventions: Interventions::default(),
        }
    }
}
