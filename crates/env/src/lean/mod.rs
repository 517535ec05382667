//! The adapter of Lean 4.

pub mod lexer;
