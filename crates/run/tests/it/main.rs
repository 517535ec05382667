//! Runs of a corpus.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

mod basin;
mod blueprints;
mod datasets;
mod hygiene;
mod language_models;
mod mini;
mod mini_heuristics;
mod remote;
mod rocq_theorems;
mod runs;
mod warm_workers;
