//! What is read out of a run.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

mod best_first;
mod dataset;
mod export;
mod own_priority;
mod replay;
mod results;
mod schemas;
