//! A real Lean 4, which `cargo xtask setup` makes from a package of PyPI (`crates/testkit/lean`).

use std::path::PathBuf;

/// Its version and the revision of its core library.
const VERSION: &str = include_str!("../lean/VERSION");

/// The folder of the toolchain: in the user's cache, beside what other versions of this project need.
pub fn sysroot() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").filter(|c| !c.is_empty()).map(PathBuf::from);
    let home = || PathBuf::from(std::env::var_os("HOME").expect("HOME is set")).join(".cache");
    let folder = cache.unwrap_or_else(home).join("andor").join(format!("lean-{}", VERSION.trim()));
    assert!(
        folder.join("bin/lean").is_file(),
        "the tests with a real Lean need {}, which `cargo xtask setup` makes",
        folder.display()
    );
    folder
}

/// The program `lean` of that toolchain.
pub fn program() -> PathBuf {
    sysroot().join("bin/lean")
}
