//! How agents share a tree: what they see of each other, and what is done to them on purpose.

use crate::schedule::Interventions;

/// The control of a search. By default that of one agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Control {
    /// Whether several agents may reserve the same node. They expand it one after the other.
    pub collisions: bool,
    /// The weight of work in flight (see [`crate::policy::Selection::Ucb1`]); at least 0.
    pub virtual_loss: f64,
    /// Added to a node's score for each step of its depth; at least 0. The nodes that compete in a walk stand at the
    /// same depth in a tree, so it matters only in a graph.
    pub depth_bias: f64,
    /// Added to the score of a node on the agent's previous path; at least 0.
    pub path_bias: f64,
    /// Damage on purpose.
    pub interventions: Interventions,
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
