//! Runs of a corpus.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

// Tests name systems by their names.
use andor_system_lean as _;
use andor_system_mini as _;
use andor_system_rocq as _;

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
