//! Lean projects, as Lake builds them.

use std::path::{Path, PathBuf};

/// The files that make a folder a Lean project.
const LAKE: &[&str] = &["lakefile.toml", "lakefile.lean", "lean-toolchain"];

/// The folder of the Lean project of a source file or folder: the closest one, searching upwards. One with a lakefile
/// is preferred to one with only a `lean-toolchain` above or below it, since it says where compiled modules are.
pub(crate) fn project(source: &Path) -> Option<PathBuf> {
    let source = source.canonicalize().ok()?;
    let holds = |folder: &Path, names: &[&str]| names.iter().any(|name| folder.join(name).is_file());
    let closest = |names| source.ancestors().find(|folder| folder.is_dir() && holds(folder, names));
    closest(&LAKE[..2]).or_else(|| closest(LAKE)).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_project_of_a_file_is_found_above_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("A/B")).unwrap();
        std::fs::write(root.join("A/B/c.lean"), "").unwrap();
        assert_eq!(project(&root.join("A/B/c.lean")), None);
        std::fs::write(root.join("A/lean-toolchain"), "leanprover/lean4:v4.35.0").unwrap();
        assert_eq!(project(&root.join("A/B/c.lean")), Some(root.join("A")));
        std::fs::write(root.join("lakefile.toml"), "").unwrap();
        assert_eq!(project(&root.join("A/B")), Some(root));
    }
}
