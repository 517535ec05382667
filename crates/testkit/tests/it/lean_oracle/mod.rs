//! `mini` against the real Lean: what one accepts, the other must accept, and both must leave the same goals.
//!
//! Put to both are the prelude, the proofs of the examples, the tables of goals, of refused tactics and of universes,
//! declarations with random universes, and proofs that were changed at random (`data/mutants.jsonl.gz`). What `mini` proves
//! is put to Lean's kernel again, as terms. Each known difference stands in a table with its reason.

mod lean;
mod mutants;
mod tables;
mod terms;
mod universes;
