//! Experiments: simulated searches in virtual time ([`simulate`]), declared studies ([`study`]), and benchmarks of search, provers and verification
//! ([`bench`](mod@bench)).

pub mod bench;
pub mod simulate;
pub mod study;
