//! An independent client of the REPL, LeanInteract, takes the fake for the real one.

use std::path::PathBuf;
use std::time::Duration;

use andor_process::{ChildSpec, ResourceLimits, run_to_end};
use andor_testkit::block_on;

/// What it does.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/lean_interact/client.py");
/// The package and its version.
const REQUIREMENT: &str = include_str!("../../../lean_interact/requirements.txt");

/// Python with the package, where `cargo xtask setup` puts it.
fn python() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").filter(|cache| !cache.is_empty()).map(PathBuf::from);
    let home = || PathBuf::from(std::env::var_os("HOME").expect("HOME is set")).join(".cache");
    let folder = cache.unwrap_or_else(home).join("andor").join(REQUIREMENT.trim().replace("==", "-"));
    let python = folder.join("bin/python");
    assert!(
        python.is_file(),
        "this test needs {}, which `cargo xtask setup` installs (not found: {})",
        REQUIREMENT.trim(),
        python.display()
    );
    python
}

#[test]
fn an_independent_client_does_not_notice() {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join(".lake/build/bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(folder.path().join("lean-toolchain"), "leanprover/lean4:v4.33.0\n").unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_fake-repl"), bin.join("repl")).unwrap();
    let path = |path: PathBuf| path.to_string_lossy().into_owned();
    let spec = ChildSpec {
        program: path(python()),
        args: vec![
            SCRIPT.to_owned(),
            path(folder.path().to_owned()),
            env!("CARGO_BIN_EXE_fake-lake").to_owned(),
        ],
        env: Vec::new(),
        directory: folder.path().to_owned(),
        limits: ResourceLimits::default(),
    };
    let ran = block_on(run_to_end(&spec, "running the client", Duration::from_secs(300), 1 << 20)).unwrap();
    assert_eq!((ran.exit.code, ran.stdout.trim()), (Some(0), "it did not notice"), "{}", ran.exit.stderr);
}
