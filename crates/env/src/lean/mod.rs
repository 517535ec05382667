//! The adapter of Lean 4.

pub mod keywords;
pub mod lexer;
pub mod screen;
