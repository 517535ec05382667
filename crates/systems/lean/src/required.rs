//! The compiled modules of the user's project that a file imports.

use std::collections::HashSet;
use std::path::PathBuf;

use super::toolchain::Toolchain;
use andor_audit::olean::{self, Name, judge};
use andor_lean_language::declarations;

/// The files of the project's modules that a text imports, directly or through other modules of the project. Those of
/// installed packages (`.lake/packages`) are not listed: the project's manifest pins them.
pub(super) fn required(toolchain: &Toolchain, text: &str) -> Vec<PathBuf> {
    let Some(project) = &toolchain.project else { return Vec::new() };
    let is_own = |folder: &&PathBuf| {
        folder.starts_with(project) && !folder.components().any(|part| part.as_os_str() == "packages")
    };
    let folders: Vec<&PathBuf> = toolchain.search_path.iter().filter(is_own).collect();
    let is_readable = olean::reads(toolchain.version);
    let mut open: Vec<Name> = declarations::imports(text).into_iter().map(Name::written).collect();
    let (mut met, mut found) = (HashSet::new(), Vec::new());
    while let Some(module) = open.pop() {
        if !met.insert(module.clone()) {
            continue;
        }
        let file = format!("{}.olean", module.as_str().replace('.', "/"));
        let paths = folders.iter().map(|folder| folder.join(&file));
        let Some(path) = paths.into_iter().find(|path| path.is_file()) else { continue };
        if is_readable {
            open.extend(judge::imports(&path).unwrap_or_default());
        }
        found.extend(olean::files(&path));
    }
    found.sort();
    found
}
