//! A small log-linear model of tactics, trained in seconds on one core.
//!
//! The model reads goals as text, in the layout of [`andor_core::view::pp1`], so it can be trained from the same rows as any
//! language model, and works for every system. A goal has [`features`]: the symbols, heads and paths of its target and
//! hypotheses. A tactic is a [`shape::Shape`], a text with places for the goal's hypotheses, and the hypotheses in them. The
//! [`model::Model`] gives each shape a probability by the goal, and each hypothesis one by the shape; a value head estimates
//! whether the goal can be proved. [`train`] fits all three; [`mod@file`] is the only part that reads or writes anything.
//! [`likeness`] compares rows of training data by the same features.
//!
//! Everything is deterministic: the same rows in the same order give the same model, digest for digest.

pub mod features;
pub mod file;
pub mod likeness;
pub mod model;
pub mod shape;
mod state;
mod text;
pub mod train;
mod tree;

pub use model::Model;
pub use state::State;
