//! Experiments: simulated searches in virtual time ([`simulate`]), and benchmarks of search, provers and verification
//! ([`bench`](mod@bench)).

pub mod bench;
pub mod simulate;
