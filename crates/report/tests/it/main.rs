//! What is read out of a run.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

// Tests name systems by their names.
use andor_system_lean as _;
use andor_system_mini as _;
use andor_system_rocq as _;

mod best_first;
mod dataset;
mod export;
mod own_priority;
mod replay;
mod results;
mod schemas;
