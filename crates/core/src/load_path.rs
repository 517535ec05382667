//! Folders of compiled modules besides a system's own library.

use std::path::PathBuf;

/// A folder of compiled modules, bound to a logical path as by the options `-Q` and `-R` of Rocq's compiler.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct LoadPath {
    /// The names by which its modules may be required.
    pub binding: Binding,
    /// The folder, absolute when files are read with it.
    pub folder: PathBuf,
    /// The logical path: `Proj.Sub`. Empty for the root.
    pub name: String,
}

crate::choice!(
    /// The names by which the modules of a bound folder may be required.
    Binding {
        /// Full names, or their last parts after `From`.
        Q = "Q",
        /// Any last part of full names: `Require Import Sibling`.
        R = "R",
    }
);

impl Binding {
    /// The option of Rocq's programs.
    pub fn option(self) -> &'static str {
        match self {
            Self::Q => "-Q",
            Self::R => "-R",
        }
    }
}

impl LoadPath {
    /// The arguments of Rocq's programs for it.
    pub fn args(&self) -> [String; 3] {
        [self.binding.option().to_owned(), self.folder.to_string_lossy().into_owned(), self.name.clone()]
    }
}
