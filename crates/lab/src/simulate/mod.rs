//! Simulation: searches with many agents in virtual time, on problems that answer at once.
//!
//! [`engine`] is one search: the same search, team and clock as in the driver, without processes and without waiting.
//! [`problem`] is what it searches, made up or [`recorded`]. [`sweep`] runs it for every combination of parameters and
//! many seeds; [`table`] and [`plots`] are what is left of that. `docs/guide/simulation.md` says what is modelled.

pub mod engine;
pub(crate) mod expansion;
mod meter;
pub mod plots;
pub mod problem;
pub mod recorded;
pub mod summary;
pub mod sweep;
pub mod table;

pub use meter::Measured;
