//! The adapter of Lean 4: a worker over Lean's own language server, a checker over its compiler.
//!
//! `toolchain` finds Lean, its version and a project's modules. `goal` reads goals as Lean prints them and as its server
//! describes them. `olean` reads compiled files, and `judge` compares them.

pub mod goal;
mod judge;
mod olean;
pub mod toolchain;
