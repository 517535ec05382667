//! Tests of the crate from outside.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

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
