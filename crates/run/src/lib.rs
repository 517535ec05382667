//! Runs: attempts at the theorems of a corpus, many at once, with results that are stored as they come.
//!
//! [`orchestrate`] makes the attempts; the [`store`] keeps what came of them, and [`folder`] reads it back. [`basin`] says
//! which attempts a configuration asks for.

mod agenda;
pub mod basin;
pub mod estimate;
pub mod folder;
pub mod orchestrate;
mod records;
pub mod store;
