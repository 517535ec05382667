//! The kernel: a dependent type theory with a hierarchy of universes, definitions and inductive families.
//!
//! [`term`] and [`level`] are the data, [`check`] is the type checker, [`mod@env`] adds declarations, [`inductive`]
//! inductive families and their recursors, [`compare`] compares two sets of declarations, [`replay`] checks one
//! again. The kernel does not depend on the rest of the crate, which is untrusted.
//!
//! The theory is the one of Lean 4 (Carneiro, "The Type Theory of Lean", 2019) without quotients, mutual and nested
//! families, and with finitely many universes: `Sort 0` (`Prop`) to `Sort 4`. Constants may have universe
//! parameters; such a declaration is checked for every assignment of the levels that parameters range over (0 to 2),
//! so that no algebra of levels is needed. It does not exist at those with a 2 that exceed the highest universe.

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
