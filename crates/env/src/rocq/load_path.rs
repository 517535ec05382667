//! Where compiled modules are found besides Rocq's own library.

use std::path::PathBuf;

/// A folder of compiled modules, bound to a logical path as the compiler's options `-Q` and `-R` do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadPath {
    /// By what names its modules may be required.
    pub binding: Binding,
    /// The folder, absolute.
    pub folder: PathBuf,
    /// The logical path: `Proj.Sub`. Empty for the root.
    pub name: String,
}

andor_core::choice!(
    /// By what names the modules below a bound folder may be required.
    Binding {
        /// By their full names, or by the last part of them after `From`.
        Q = "Q",
        /// By any last part of their full names: `Require Import Sibling`.
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
    /// What Rocq's programs are given for it.
    pub(super) fn args(&self) -> [String; 3] {
        [self.binding.option().to_owned(), self.folder.to_string_lossy().into_owned(), self.name.clone()]
    }
}
