//! Simulated searches, damage, traces, and the program.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

mod cheats;
mod corpus;
mod damage;
mod floor_vectors;
mod program;
mod simulate;
mod tampered_traces;
