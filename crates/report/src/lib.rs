//! Reads runs back: their results ([`summary`]), comparisons of two runs ([`compare`]), what differs between searches
//! ([`analyze`]) in tables and [`chart`]s, drawings and training data ([`export`]), the traces of single attempts
//! ([`trace`]), and whether all that holds ([`verify`]).

pub mod analyze;
#[cfg(feature = "plots")]
pub mod chart;
pub mod compare;
pub mod export;
pub mod markup;
#[cfg(feature = "schema")]
pub mod schema;
pub mod summary;
pub mod table;
pub mod trace;
pub mod verify;
