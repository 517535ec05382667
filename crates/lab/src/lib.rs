//! Experiments: simulated searches in virtual time ([`simulate`]), declared studies ([`study`]), and benchmarks of search, provers and verification
//! ([`bench`](mod@bench)), and corpora made from what is installed ([`corpus`]).

pub mod bench;
pub mod corpus;
pub mod simulate;
pub mod study;
