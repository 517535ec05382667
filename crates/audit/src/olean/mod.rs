//! Reads compiled Lean files (`.olean`): the declarations of a module as Lean's kernel has them.
//!
//! Nothing is elaborated or executed, so a module cannot influence how it is read. The format is that of Lean 4.35
//! (`src/library/module.cpp`, `src/runtime/compact.cpp`, `src/Lean/Environment.lean` and `Declaration.lean` in its
//! sources): a header, the address of the root object, and objects that refer to each other by their addresses.

mod constant;
mod file;
mod image;
pub mod judge;
mod name;
mod region;
mod term;
#[cfg(test)]
mod tests;
mod version;

use std::io;
use std::path::PathBuf;

pub use constant::{Constant, Hints, Kind};
pub use file::{Module, files, is_newer, reads};
pub use image::Identity;
pub use name::{Component, Name, Names};
pub use region::{Address, Natural, Node};
pub use term::{Binder, Level, Literal, Term};
pub use version::{UnknownVersion, Version};

/// Why a compiled file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum OleanError {
    /// It cannot be opened.
    #[error("cannot read `{path}`: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// It is too large.
    #[error("`{path}` has {size} bytes; the maximum is {maximum}")]
    Large {
        /// The file.
        path: PathBuf,
        /// Its size.
        size: u64,
        /// The limit.
        maximum: u64,
    },
    /// It exceeds a limit of this reader.
    #[error("{0}")]
    Beyond(&'static str),
    /// It declares a name twice.
    #[error("it declares `{name}` twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// It was written to while it was read.
    #[error("`{path}` changed while it was read")]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// It is no compiled Lean file.
    #[error("it does not begin like a compiled Lean file")]
    Header,
    /// It was written by another version.
    #[error("compiled files of Lean {0} are not supported (supported: {oldest} and later)", oldest = file::OLDEST)]
    Version(String),
    /// An object lies outside of the file.
    #[error("the object at {address:#x} is outside of the file")]
    Outside {
        /// The object's address.
        address: u64,
    },
    /// An object refers to a later one.
    #[error("the object at {address:#x} refers to one that comes after it")]
    Order {
        /// The object's address.
        address: u64,
    },
    /// An object is not what its place requires.
    #[error("the object at {address:#x} is not {what}")]
    Shape {
        /// What was expected.
        what: &'static str,
        /// The object's address.
        address: u64,
    },
}

impl OleanError {
    /// Whether the file exceeds a limit of this reader.
    pub fn is_limit(&self) -> bool {
        matches!(self, Self::Large { .. } | Self::Beyond(_))
    }
}
