//! The adapter of Lean 4.

mod olean;
