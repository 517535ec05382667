//! Tests of the crate from outside.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

// Tests name systems by their names.
use andor_system_lean as _;
use andor_system_mini as _;
use andor_system_rocq as _;

mod agent;
mod code;
mod journal;
mod llama;
mod million;
mod models;
mod proof;
mod reference;
mod search;
mod servers;
mod tree;
