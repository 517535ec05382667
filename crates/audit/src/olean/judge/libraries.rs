//! Where the installed modules are that a file imports.

use std::collections::HashMap;
use std::path::PathBuf;

use super::AuditError;
use crate::olean::Name;

/// The folders in which Lean looks for compiled modules, best first.
#[derive(Clone, Debug)]
pub struct Libraries {
    folders: Vec<PathBuf>,
}

impl Libraries {
    /// These folders.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders }
    }

    /// A search for several modules.
    pub(super) fn search(&self) -> Search<'_> {
        Search { libraries: self, packages: HashMap::new() }
    }
}

/// A search for modules, with the folders of the packages that it has met.
pub(super) struct Search<'l> {
    libraries: &'l Libraries,
    packages: HashMap<String, Option<&'l PathBuf>>,
}

impl Search<'_> {
    /// The compiled file of a module. Like Lean, it is expected in the first folder that has the package, which is the
    /// first part of the name.
    pub(super) fn find(&mut self, module: &Name) -> Result<PathBuf, AuditError> {
        let parts: Vec<&str> = module.as_str().split('.').collect();
        let package = parts[0];
        let has_package = |folder: &&PathBuf| {
            folder.join(package).is_dir() || folder.join(format!("{package}.olean")).is_file()
        };
        let folder = match self.packages.get(package) {
            Some(known) => *known,
            None => {
                let found = self.libraries.folders.iter().find(has_package);
                self.packages.insert(package.to_owned(), found);
                found
            }
        };
        // Names with unusual characters are written differently from their files.
        let plain = |part: &&str| !part.contains(['«', '»', '/']) && !part.is_empty();
        let folder = folder.filter(|_| parts.iter().all(plain));
        let mut path = folder.cloned().ok_or_else(|| AuditError::Module(module.to_string()))?;
        path.extend(parts);
        path.as_mut_os_string().push(".olean");
        Ok(path)
    }
}
