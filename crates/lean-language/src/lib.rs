//! The language of Lean 4, which two systems speak: Lean itself, and the embedded prover.
//!
//! [`lexer`] reads tokens, [`keywords`] knows the words, [`outline`] takes scripts apart by their layout, [`script`] writes them,
//! and [`commutative`] has the operators whose arguments are sorted. [`language`] describes statements and tactics, and
//! [`heuristic`] proposes some.

pub mod commutative;
pub mod heuristic;
pub mod keywords;
pub mod language;
pub mod lexer;
pub mod outline;
pub mod script;
