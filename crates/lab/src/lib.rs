//! The laboratory: searches in virtual time ([`simulate`]), and measurements of search, provers and judge ([`bench`](mod@bench)).

pub mod bench;
pub mod simulate;
