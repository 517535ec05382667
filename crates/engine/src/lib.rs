//! One theorem: its search, the checks of its proof, and what is recorded of it.
//!
//! The [`registry`] makes what a configuration names, an [`attempt`] opens a session, the [`driver`] searches and has the proof
//! checked. [`interactive`] lets a person find the proof, and [`judge`] checks proofs that were made elsewhere.

pub mod approach;
pub mod attempt;
pub mod driver;
pub mod event;
pub mod interactive;
pub mod judge;
pub mod log;
pub mod registry;
pub mod synthetic;
pub mod verification;
