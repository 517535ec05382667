//! The adapter of Lean 4: a worker over Lean's own language server, a checker over its compiler.
//!
//! `toolchain` finds Lean, its version and a project's modules. `goal` reads goals as Lean prints them and as its server
//! describes them. `lexer` reads Lean's text: for `screen`, which lets one tactic pass, `source`, which finds the
//! theorems of a file, and `outline`, which takes scripts apart.

pub mod goal;
pub mod keywords;
pub mod lexer;
pub mod modules;
pub mod outline;
pub mod screen;
pub mod source;
pub mod toolchain;
