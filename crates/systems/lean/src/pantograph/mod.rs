//! The transport over Pantograph: proof states with numbers, goals with the names of their metavariables, expressions.
//!
//! A tactic runs on one goal alone, and its state contains only what came out of it (`autoResume` off). Goals that share
//! metavariables are taken into a state of their own (`goal.continue`) and worked on together. States are deleted as they are
//! released. A tactic with an error fails, a `sorry` is told, and time is limited by Pantograph itself; a tactic that does not look at
//! the clock is stopped by ending the process.
//!
//! Pantograph turns placeholders that Lean would complain about into goals. Where a tactic never leaves goals in Lean, such as
//! `exact`, that is a failure here.

mod goals;
mod header;
pub mod message;
mod sexp;
mod worker;

pub use worker::PantographWorker;
