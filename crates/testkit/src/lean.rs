//! A real Lean 4, which `cargo xtask setup` makes from a package of PyPI (`crates/testkit/lean`).

use std::path::{Path, PathBuf};

use andor_system_lean::toolchain::Toolchain;
use andor_system_lean::{Lean, LeanConfig};

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

/// Compiles a module of a library into a folder.
#[expect(clippy::disallowed_methods, reason = "the text is the test's own")]
pub fn compile(folder: &Path, module: &str, text: &str) {
    let file = folder.join(module.replace('.', "/")).with_extension("lean");
    std::fs::create_dir_all(file.parent().expect("it is in the folder")).expect("the folder can be made");
    std::fs::write(&file, text).expect("the file can be written");
    let mut lean = std::process::Command::new(program());
    lean.current_dir(folder).env("LEAN_PATH", folder).env("LEAN_SYSROOT", sysroot()).arg("-o");
    let done = lean.arg(file.with_extension("olean")).arg(&file).output().expect("lean starts");
    let said = [done.stdout, done.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    assert!(done.status.success(), "{module}: {said}");
}

/// The environment of that toolchain.
pub fn environment() -> Lean {
    Lean::new(LeanConfig { toolchain: Some(toolchain()), ..LeanConfig::default() })
}
