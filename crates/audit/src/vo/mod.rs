//! Compiled files of Rocq (`.vo`).
//!
//! `compiled` reads them, `comparison` compares a submission with its challenge, `guard` checks recursive functions, and
//! `trust` finds the kernel features and known bugs (`known_bugs.toml`) that a proof depends on.

mod comparison;
mod compiled;
mod guard;
#[cfg(test)]
mod installed;
mod stated;
mod trust;

pub use comparison::{Compared, Difference, compare, has_all};
pub use compiled::libraries::{Libraries, standard};
pub use compiled::{CompiledError, DecodeError, Known, Library, Own};
pub use stated::{Stated, type_among};
pub use trust::bugs::{self, Version};
pub use trust::{Examined, Met, examine, libraries};
