//! Reading traces back: building a search again ([`replay`]), and what can be counted ([`stats`]).

pub mod fields;
pub mod replay;
pub mod stats;
