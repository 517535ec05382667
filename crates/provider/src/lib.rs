//! Tactic providers.
//!
//! [`contract`] defines providers. [`heuristic`] proposes tactics by the shape of the goal, [`scripted`] by a file,
//! [`learned`] asks a model trained on proofs,
//! [`llm`] asks language models, [`exec`] asks a program of the user's, and [`composite`] combines several providers. [`ranker`] reorders proposals,
//! [`filters`] blocks some of them, [`temperature`] draws their order.
//!
//! This crate does not depend on proof assistants, the tree, or artifacts.

pub mod composite;
pub mod contract;
pub mod counterexamples;
mod error;
pub mod exec;
pub mod filters;
pub mod heuristic;
pub mod learned;
pub mod lemmas;
pub mod llm;
mod patterns;
pub mod plan;
pub mod ranker;
pub mod scripted;
pub mod temperature;
