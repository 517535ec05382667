//! Simulation: searches with many agents in virtual time, on problems that respond immediately.
//!
//! [`engine`] simulates one search with the same search, team and clock as the driver, without processes and waiting.
//! [`problem`] defines what is searched, synthetic or [`recorded`]. [`sweep`] runs all combinations of parameters
//! under many seeds; [`table`] and [`plots`] present the results. `docs/guide/simulation.md` describes the model.

pub mod engine;
pub(crate) mod expansion;
mod meter;
pub mod plots;
pub mod problem;
pub mod recorded;
pub mod summary;
pub mod sweep;
pub mod table;

pub use meter::Measurements;
