//! The trusted part: what decides about a finished proof from compiled files alone.
//!
//! * [`vo`]: files of Rocq. Two are compared, recursive functions are checked again, and known bugs of kernels are found.
//! * [`olean`]: files of Lean. Two are compared, axioms are found, and theorems are exported for other kernels.
//!
//! Nothing here starts a process or trusts what an assistant prints. Files are data: what is in them is read within limits,
//! and nothing of it is run.

mod libraries;
pub mod olean;
pub mod vo;
