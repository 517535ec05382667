//! The kernel: a dependent type theory with a hierarchy of universes, definitions and inductive families.
//!
//! [`term`] and [`level`] are the data, [`check`] is the type checker, [`mod@env`] adds declarations, [`inductive`]
//! inductive families and their recursors, [`compare`] compares two sets of declarations, [`replay`] checks one
//! again. The kernel does not depend on the rest of the crate, which is untrusted.
//!
//! The theory is the one of Lean 4 (Carneiro, "The Type Theory of Lean", 2019) without quotients, mutual and nested
//! families. A declaration with universe parameters is checked once, for all their values: [`level`] decides whether
//! a level is at most another one, or equal to it, whatever the parameters are.

pub mod check;
pub mod compare;
pub mod env;
pub mod error;
pub mod inductive;
pub mod level;
pub mod replay;
pub mod term;

#[cfg(test)]
mod tests;
