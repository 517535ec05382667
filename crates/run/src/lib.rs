//! Runs: concurrent attempts at the theorems of a corpus, with results that are stored as they arrive.
//!
//! [`orchestrate`] makes the attempts; the [`store`] keeps their results, and [`folder`] reads them back. [`basin`]
//! determines the attempts that a configuration asks for. Each is a [`job`], made in this process or, by [`remote`], elsewhere.
//! [`in_place`] writes proofs into the files that state their theorems.

mod agenda;
pub mod basin;
pub mod blueprint;
pub mod code;
pub mod doubt;
pub mod estimate;
pub mod folder;
pub mod in_place;
pub mod job;
mod modules;
pub mod orchestrate;
pub mod proof_cache;
mod records;
pub mod remote;
pub mod store;
