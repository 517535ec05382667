//! The embedded prover: a small dependent type theory with Lean 4 surface syntax.
//!
//! * [`kernel`]: terms and the type checker. The only part that is trusted.
//!
//! It is not Lean, and accepts nothing that it does not implement.

pub mod kernel;
