//! One module per command.

pub(crate) mod bench;
pub(crate) mod corpus;
pub(crate) mod simulate;
pub(crate) mod study;
