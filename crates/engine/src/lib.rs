//! Attempts at single theorems: search, verification and records.
//!
//! The [`registry`] creates the parts that a configuration names, an [`attempt`] opens a session, and the [`driver`]
//! searches and has the proof verified. [`interactive`] supports proofs by hand, and [`judge`] verifies proofs from
//! elsewhere.

pub mod allowed;
pub mod approach;
pub mod attempt;
pub mod driver;
pub mod event;
pub mod graft;
pub mod imports;
pub mod interactive;
pub mod judge;
pub mod log;
pub mod models;
pub mod plan;
pub mod progress;
pub mod registry;
pub mod trial;
pub mod verification;
mod written;
