//! Tactic providers: who proposes what to try at a goal.
//!
//! [`contract`] says what a provider is. [`heuristic`] proposes by the shape of the goal, [`scripted`] what a
//! file says, [`composite`] what several others do. [`ranker`] reorders proposals, [`filters`] keeps some of them out.
//!
//! Nothing here knows proof assistants' processes, the tree, or artifacts.

pub mod composite;
pub mod contract;
pub mod filters;
pub mod heuristic;
pub mod ranker;
pub mod scripted;
