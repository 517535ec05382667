//! A real Lean 4, which `cargo xtask setup` makes from a package of PyPI (`crates/testkit/lean`).

use std::path::PathBuf;

use andor_env::lean::toolchain::Toolchain;
use andor_env::lean::{Lean, LeanConfig};

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

/// That toolchain, without a project.
pub fn toolchain() -> Toolchain {
    let version = VERSION.split('-').next().and_then(|version| version.trim().parse().ok());
    Toolchain {
        lean: program(),
        sysroot: sysroot(),
        version: version.expect("the file says the version of Lean"),
        search_path: Vec::new(),
        project: None,
    }
}

/// The environment of that toolchain.
pub fn environment() -> Lean {
    Lean::new(LeanConfig { toolchain: Some(toolchain()), ..LeanConfig::default() })
}
