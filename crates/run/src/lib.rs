//! Running searches: from a data set and a configuration to results on disk.
//!
//! The way of one theorem: [`dataset`] reads it and [`project`] what it belongs to, [`registry`] finds what the [`config`] names, [`attempt`]
//! opens a session, the [`driver`] searches and has the proof checked, and the [`store`] keeps the result.
//! [`orchestrate`] does so for many; what it leaves in a [`folder`] is read by [`summary`], [`compare`] and [`export`].
//! [`interactive`] lets a person find the proof. Programs on top need no other crate of the engine.

mod agenda;
pub mod attempt;
pub mod basin;
pub mod bench;
pub mod compare;
pub mod config;
pub mod corpus;
pub mod dataset;
pub mod driver;
mod estimate;
pub mod event;
pub mod export;
pub mod folder;
pub mod interactive;
pub mod judge;
pub mod log;
pub mod orchestrate;
pub mod project;
mod records;
pub mod registry;
pub mod simulate;
pub mod store;
pub mod summary;
pub mod synthetic;
pub mod trace;
pub mod verification;

pub use andor_core::theorem::System;
pub use andor_env::process::scratch;
pub use andor_env::synthetic::Preset;
