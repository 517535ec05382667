//! Which modules a file can import.

use std::path::PathBuf;

use super::toolchain::Toolchain;
use andor_lean_language::declarations::imports;

/// Where compiled modules are.
#[derive(Clone, Debug)]
pub(super) struct Modules {
    folders: Vec<PathBuf>,
}

impl Modules {
    /// Those that files can import with an installed Lean.
    pub(super) fn of(toolchain: &Toolchain) -> Self {
        let own = toolchain.sysroot.join("lib/lean");
        Self { folders: std::iter::once(own).chain(toolchain.search_path.iter().cloned()).collect() }
    }

    /// The compiled file of a module.
    pub(super) fn find(&self, module: &str) -> Option<PathBuf> {
        // Quoted parts of a name are quoted in it only.
        let path = module.replace(['«', '»'], "").replace('.', "/") + ".olean";
        self.folders.iter().map(|folder| folder.join(&path)).find(|path| path.is_file())
    }
}

/// The modules that a text imports and that have no compiled file where Lean looks for them, in order.
pub fn missing(toolchain: &Toolchain, text: &str) -> Vec<String> {
    let modules = Modules::of(toolchain);
    let is_there = |module: &str| modules.find(module).is_some();
    imports(text).into_iter().filter(|module| !is_there(module)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor_audit::olean::Version;

    #[test]
    fn modules_are_looked_for_where_lean_does() {
        let folder = tempfile::tempdir().unwrap();
        let sysroot = folder.path().join("toolchain");
        let built = folder.path().join("built");
        std::fs::create_dir_all(sysroot.join("lib/lean")).unwrap();
        std::fs::create_dir_all(built.join("A")).unwrap();
        std::fs::write(sysroot.join("lib/lean/Init.olean"), "").unwrap();
        std::fs::write(built.join("A/B.olean"), "").unwrap();
        let toolchain = Toolchain {
            lean: sysroot.join("bin/lean"),
            sysroot,
            version: Version { minor: 35, patch: 0 },
            search_path: vec![built],
            project: None,
        };
        let text = "import Init\npublic import A.B\nimport A\nimport «A».C\ntheorem t : True";
        assert_eq!(missing(&toolchain, text), ["A", "«A».C"]);
    }
}
