//! Sessions and judges of the real provers.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

mod contract;
mod escapes;
mod lean_export;
mod lean_fakes;
mod lean_judge;
mod lean_kernels;
mod lean_lookup;
mod lean_oracle;
mod lean_probes;
mod lean_programs;
mod lean_reading;
mod lean_releases;
mod lean_screen;
mod lean_server;
mod lean_sessions;
mod limits;
mod lookup;
mod mini_judge;
mod misbehaviour;
mod processor_time;
mod rocq;
mod rocq_axioms;
mod rocq_judge;
mod rocq_limits;
mod rocq_lookup;
mod rocq_sections;
mod rocq_universes;
mod sandbox;
mod walls;
mod warm_workers;
