//! The kernel: a dependent type theory with a hierarchy of universes, definitions and inductive families.
//!
//! [`term`] and [`level`] are the data, [`check`] judges terms, [`mod@env`] takes declarations in, [`inductive`] makes inductive
//! families and their recursors, [`compare`] tells whether names mean the same to two sets of declarations, [`replay`] checks one
//! once more. Nothing here knows the rest of the crate; everything else in it is untrusted.
//!
//! The theory is the one of Lean 4 (Carneiro, "The Type Theory of Lean", 2019) without quotients, mutual and
//! nested families, and with finitely many universes: `Sort 0` (`Prop`) to `Sort 4`. Constants may have
//! universe parameters; such a declaration is checked for every assignment of the levels that parameters
//! range over (0 to 2), so that no algebra of levels is needed. At those with a 2 that leave the universes it does not
//! exist.

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
