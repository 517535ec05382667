//! The embedded prover from outside.

#![expect(clippy::panic, clippy::unwrap_used, reason = "in a test a panic is the answer")]

mod arith;
mod arith_random;
mod conformance;
mod examples;
mod fuzz;
mod goals;
mod hostile;
mod kernel;
mod limits;
mod simp;
mod states;
mod universes;
