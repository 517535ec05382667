//! Running searches.

pub mod attempt;
pub mod bench;
pub mod config;
pub mod dataset;
pub mod driver;
pub mod event;
pub mod orchestrate;
pub mod registry;
pub mod store;
pub mod synthetic;
