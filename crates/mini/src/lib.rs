//! The embedded prover: a small dependent type theory with Lean 4 surface syntax.
//!
//! * [`kernel`]: terms and the type checker. The only part that is trusted.
//! * [`syntax`]: Lean 4's terms, statements, tactics and commands, read and printed.
//! * [`elab`]: from syntax to terms and back; unification. [`tactic`]: from goals to simpler goals. Neither is trusted.
//! * [`budget`]: resource limits and cancellation.
//! * [`prover`]: what its users see. [`judge`]: what those see who judge a finished file.
//!
//! It is not Lean, and accepts nothing that it does not implement.

pub mod budget;
pub mod elab;
pub mod judge;
pub mod kernel;
pub mod prover;
pub mod syntax;
pub mod tactic;
