//! The synthetic environment: a deterministic model of a proof assistant and a tactic model, for benchmarks and tests
//! of searches.
//!
//! Everything is derived from a few parameters and a seed by wrapping 64-bit integer arithmetic; there is no state.
//! It says nothing about mathematics. See the specification in `docs/internals/synthetic.md`.

mod worker;
mod world;

pub use worker::{Synthetic, read_statement};
pub use world::{Applied, Class, Parameters, UnknownPreset, World, WorldGoal, WorldPreset};
