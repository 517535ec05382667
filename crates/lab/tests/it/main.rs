//! Simulated searches, damage, and traces.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

mod cheats;
mod damage;
mod floor_vectors;
mod simulate;
mod tampered_traces;
