//! Reading traces back: building a search again ([`replay`]), and what can be counted ([`stats`]).

pub(crate) mod approach;
pub(crate) mod fields;
pub mod replay;
pub mod stats;
