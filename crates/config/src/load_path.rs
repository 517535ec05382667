//! Folders of compiled Rocq modules.

use std::path::PathBuf;

use andor_env::rocq;
use serde::{Deserialize, Serialize};

choice!(
    /// How the modules in a bound folder may be named in `Require`.
    Binding {
        /// By their full names, or by a suffix after `From`.
        Q = "Q",
        /// By any suffix of their full names.
        R = "R",
    }
);

/// A folder of compiled modules, bound to a logical path as by option `-Q` or `-R` of the Rocq compiler.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadPath {
    /// How its modules may be named.
    pub binding: Binding,
    /// The folder.
    pub folder: PathBuf,
    /// The logical path; empty for the root.
    pub name: String,
}

impl Binding {
    /// The option of the Rocq compiler for this binding.
    pub fn option(self) -> &'static str {
        rocq::Binding::from(self).option()
    }
}

impl From<Binding> for rocq::Binding {
    fn from(binding: Binding) -> Self {
        match binding {
            Binding::Q => Self::Q,
            Binding::R => Self::R,
        }
    }
}

impl From<&LoadPath> for rocq::LoadPath {
    fn from(bound: &LoadPath) -> Self {
        let LoadPath { binding, folder, name } = bound;
        Self { binding: (*binding).into(), folder: folder.clone(), name: name.clone() }
    }
}
