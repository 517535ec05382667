//! Reading runs back: what came of a run ([`summary`]), how two of them compare ([`compare`]), drawings and training data
//! ([`export`]), and the traces of single attempts ([`trace`]).

pub mod compare;
pub mod export;
pub mod summary;
pub mod trace;
