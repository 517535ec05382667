//! The embedded prover: a small dependent type theory with Lean 4 surface syntax.
//!
//! * [`kernel`]: terms and the type checker. The only part that is trusted.
//! * [`syntax`]: Lean 4's terms and statements, read and printed.
//!
//! It is not Lean, and accepts nothing that it does not implement.

pub mod kernel;
pub mod syntax;
