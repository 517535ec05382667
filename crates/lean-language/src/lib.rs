//! The language of Lean 4, which two systems speak: Lean itself, and the embedded prover.
//!
//! [`lexer`] reads tokens, [`keywords`] knows the words, [`declarations`] finds the theorems of a file, [`above`] what stands above
//! them, [`reader`] reads statements and proofs that come alone, and [`in_place`] puts proofs into their files. [`outline`] takes scripts apart by their layout, [`script`]
//! writes them, and [`commutative`] has the operators whose arguments are sorted. [`language`] describes statements and tactics,
//! and [`heuristic`] proposes some.

pub mod above;
pub mod commutative;
pub mod declarations;
pub mod heuristic;
pub mod in_place;
pub mod keywords;
pub mod language;
pub mod lexer;
pub mod outline;
pub mod reader;
pub mod script;
