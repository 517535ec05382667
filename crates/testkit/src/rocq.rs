//! The real Rocqs that `cargo xtask setup` installs: the machine's own, and two in the user's cache.

use std::ffi::OsString;
use std::path::PathBuf;

/// Releases besides the machine's own, each in a folder of the user's cache that is named after it.
const OTHERS: [&str; 2] = ["8.20.1", "9.2.0"];

/// Names the only release that a run of the tests is about; it is first on `PATH` then.
const ONLY: &str = "ANDOR_ROCQ_RELEASE";

/// A release of Rocq.
#[derive(Clone, Debug)]
pub struct Release {
    /// Its version, or `installed` for the machine's own.
    pub version: &'static str,
    /// The folder of its programs; `None` if `PATH` leads to them.
    pub programs: Option<PathBuf>,
}

impl Release {
    /// The value of `PATH` with which its programs are found first.
    pub fn path(&self) -> OsString {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = self.programs.iter().cloned().chain(std::env::split_paths(&path));
        std::env::join_paths(folders).expect("folders of PATH have no colons")
    }
}

/// The releases that this run of the tests is about.
///
/// # Panics
///
/// If one is not installed.
pub fn releases() -> Vec<Release> {
    let own = Release { version: "installed", programs: None };
    if std::env::var_os(ONLY).is_some() {
        return vec![own];
    }
    let cache = std::env::var_os("XDG_CACHE_HOME").filter(|c| !c.is_empty()).map(PathBuf::from);
    let home = || PathBuf::from(std::env::var_os("HOME").expect("HOME is set")).join(".cache");
    let cache = cache.unwrap_or_else(home).join("andor");
    let other = |version| {
        let programs = cache.join(format!("rocq-{version}")).join("usr/bin");
        assert!(
            programs.join("coqc").is_file(),
            "the tests need Rocq {version} in {}, which `cargo xtask setup` installs",
            programs.display()
        );
        Release { version, programs: Some(programs) }
    };
    std::iter::once(own).chain(OTHERS.map(other)).collect()
}
