//! The adapter of Lean 4: a worker over Lean's own language server, a checker over its compiler.
//!
//! `toolchain` finds Lean, its version and a project's modules. `goal` reads goals as Lean prints them and as its server
//! describes them.

mod block;
pub mod dialect;
pub mod exchange;
pub mod goal;
pub mod launch;
pub mod pantograph;
pub mod repl;
pub mod toolchain;
