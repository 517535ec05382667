//! The installed modules that a file imports.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::super::olean::{Module, Name, Names};
use super::AuditError;

/// The folders in which Lean looks for compiled modules, best first.
#[derive(Clone, Debug)]
pub(in crate::lean) struct Libraries {
    folders: Vec<PathBuf>,
}

impl Libraries {
    pub(in crate::lean) fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders }
    }

    /// The compiled file of a module. Like Lean, it is expected in the first folder that has the package, which is the
    /// first part of the name.
    fn find(&self, module: &Name) -> Result<PathBuf, AuditError> {
        let parts: Vec<&str> = module.as_str().split('.').collect();
        let package = parts[0];
        let has_package = |folder: &&PathBuf| {
            folder.join(package).is_dir() || folder.join(format!("{package}.olean")).is_file()
        };
        let folder = self.folders.iter().find(has_package);
        let path = folder.map(|folder| {
            let path = parts.iter().fold(folder.clone(), |path, part| path.join(part));
            path.with_extension("olean")
        });
        // Names with unusual characters are written differently from their files.
        let plain = |part: &&str| !part.contains(['«', '»', '/']) && !part.is_empty();
        path.filter(|path| parts.iter().all(plain) && path.is_file())
            .ok_or_else(|| AuditError::Module(module.to_string()))
    }

    /// All modules that some modules import, directly and indirectly, and themselves. A module comes before those
    /// that it imports.
    pub(super) fn all(&self, imported: &[Name]) -> Result<Vec<(Name, PathBuf)>, AuditError> {
        enum Visit {
            Enter(Name),
            Leave(Name, PathBuf),
        }
        let mut done = Vec::new();
        let mut seen = HashSet::new();
        let mut open: Vec<Visit> = imported.iter().rev().cloned().map(Visit::Enter).collect();
        while let Some(visit) = open.pop() {
            match visit {
                Visit::Enter(module) => {
                    if !seen.insert(module.clone()) {
                        continue;
                    }
                    let path = self.find(&module)?;
                    let imports = read(&module, &path)?.imports(&mut Names::default());
                    let imports = imports.map_err(|source| AuditError::file(&module, source))?;
                    open.push(Visit::Leave(module, path));
                    open.extend(imports.into_iter().map(Visit::Enter));
                }
                Visit::Leave(module, path) => done.push((module, path)),
            }
        }
        done.reverse();
        Ok(done)
    }
}

/// Reads an installed module.
pub(super) fn read(module: &Name, path: &Path) -> Result<Module, AuditError> {
    Module::read_installed(path).map_err(|source| AuditError::file(module, source))
}
