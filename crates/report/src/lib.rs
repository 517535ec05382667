//! Reads runs back: their results ([`summary`]), comparisons of two runs ([`compare`]), what differs between searches ([`analyze`]), drawings and training data
//! ([`export`]), and the traces of single attempts ([`trace`]).

pub mod analyze;
pub mod compare;
pub mod export;
pub mod summary;
pub mod trace;
