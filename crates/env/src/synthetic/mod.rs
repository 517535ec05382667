//! The synthetic environment: a deterministic stand-in for a proof assistant and a tactic model, to
//! measure and test searches.
//!
//! Everything follows from a few parameters and a seed by 64-bit integer arithmetic that wraps; there is
//! no state. It says nothing about mathematics. Its specification is `docs/internals/synthetic.md`.

mod worker;
mod world;

pub use worker::{Synthetic, read_statement};
pub use world::{Applied, Class, Goal, Parameters, Preset, UnknownPreset, World};
