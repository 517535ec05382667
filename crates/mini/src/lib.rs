//! The embedded prover: a small dependent type theory with Lean 4 surface syntax.
//!
//! * [`kernel`]: terms and the type checker. The only part that is trusted.
//! * [`syntax`]: parser and printer for terms, statements, tactics and commands of Lean 4.
//! * [`elab`]: elaboration, printing, unification. [`tactic`]: tactics. Neither is trusted.
//! * [`budget`]: resource limits and cancellation.
//! * [`lean_term`]: theorems written for Lean's kernel.
//! * [`prover`]: the interface for provers. [`judge`]: the interface for checking a finished file.
//!
//! It is not Lean, and accepts nothing that it does not implement.

pub mod budget;
pub mod elab;
pub mod judge;
pub mod kernel;
pub mod lean_term;
mod lookup;
pub mod prover;
pub mod syntax;
pub mod tactic;
