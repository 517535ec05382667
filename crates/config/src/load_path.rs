//! Folders of compiled Rocq modules.

use std::path::PathBuf;

use andor_system_rocq as rocq;
use andor_system_rocq::Binding;
use serde::{Deserialize, Serialize};

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

impl From<&LoadPath> for rocq::LoadPath {
    fn from(bound: &LoadPath) -> Self {
        let LoadPath { binding, folder, name } = bound;
        Self { binding: *binding, folder: folder.clone(), name: name.clone() }
    }
}
