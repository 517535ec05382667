//! Reads traces back: rebuilds a search ([`replay`]), and computes statistics ([`stats`]).

pub mod fields;
pub mod replay;
pub mod stats;
