//! Finding Lean: its programs, its version, and the compiled modules that a file may import.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use andor_audit::olean::Version;
use andor_process::error::ProcessError;

use andor_env::error::EnvError;
use andor_process::{ChildSpec, ExitedProcess, ResourceLimits, run_to_end};

/// How long Lean's programs may take to tell about themselves. Lake may have to configure a project first.
const FOR_AN_ANSWER: Duration = Duration::from_secs(60);

/// Output limit of these programs, in bytes.
const MAX_OUTPUT_BYTES: usize = 1 << 20;

/// How to get Lean.
const INSTALL: &str = "install Lean 4 with elan, see https://lean-lang.org/install; or set LEAN_SYSROOT to the folder of a toolchain";

/// Why Lake is needed, and how to get it.
const LAKE: &str = "it comes with Lean, and says where the modules of a project are; install Lean 4 with elan, see \
    https://lean-lang.org/install; or set LEAN_SYSROOT to the folder of a toolchain that has bin/lake";

/// The files that make a folder a Lean project.
const PROJECT_FILES: &[&str] = &["lakefile.toml", "lakefile.lean", "lean-toolchain"];

/// An installed Lean, and what the files of a project can import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// The program `lean` itself, not elan's stand-in for it.
    pub lean: PathBuf,
    /// The folder of the toolchain, with `bin` and `lib`.
    pub sysroot: PathBuf,
    /// Its version.
    pub version: Version,
    /// Folders of compiled modules besides the toolchain's own, best first (`LEAN_PATH`).
    pub search_path: Vec<PathBuf>,
    /// The folder of the project.
    pub project: Option<PathBuf>,
}

impl Toolchain {
    /// The Lean of a project; without one, of `LEAN_SYSROOT`, of `PATH`, or of elan, in this order.
    pub async fn find(project: Option<&Path>) -> Result<Self, EnvError> {
        let directory = match project {
            Some(folder) => project_folder(folder)?,
            None => PathBuf::from("/"),
        };
        named_sysroot(std::env::var_os("LEAN_SYSROOT").as_deref())?;
        let lean = program("lean").ok_or_else(missing)?;
        let sysroot = ask(&lean, &["--print-prefix"], &directory).await?;
        let sysroot = PathBuf::from(sysroot.trim());
        let lean = Some(sysroot.join("bin/lean")).filter(|lean| lean.is_file()).unwrap_or(lean);
        let greeting = ask(&lean, &["--version"], &directory).await?;
        let version = read_version(&greeting).ok_or_else(|| EnvError::Handshake {
            program: lean.display().to_string(),
            got: greeting.trim().to_owned(),
        })?;
        let (search_path, project) = match project {
            Some(_) => (lake_path(&sysroot, &directory).await?, Some(directory)),
            None => (paths(std::env::var_os("LEAN_PATH").as_deref()), None),
        };
        Ok(Self { lean, sysroot, version, search_path, project })
    }

    /// What Lean's programs must find in their environment: the folders of compiled modules, and the toolchain's own.
    pub fn environment(&self) -> Vec<(String, String)> {
        let folders = std::env::join_paths(&self.search_path);
        let folders = folders.map_or_else(|_| String::new(), |paths| paths.to_string_lossy().into_owned());
        vec![
            ("LEAN_PATH".to_owned(), folders),
            ("LEAN_SYSROOT".to_owned(), self.sysroot.to_string_lossy().into_owned()),
        ]
    }

    /// The folders that Lean reads: the toolchain's, and those of compiled modules.
    pub fn folders(&self) -> Vec<PathBuf> {
        let all = std::iter::once(&self.sysroot).chain(&self.search_path);
        let mut folders: Vec<PathBuf> = all.filter_map(|folder| std::fs::canonicalize(folder).ok()).collect();
        folders.sort();
        folders.dedup();
        folders
    }
}

/// The folder of a project, without links. An error says what makes it none.
fn project_folder(folder: &Path) -> Result<PathBuf, EnvError> {
    let unreadable = |source| EnvError::File {
        action: "cannot open the Lean project",
        path: folder.display().to_string(),
        source,
    };
    let real = std::fs::canonicalize(folder).map_err(unreadable)?;
    if PROJECT_FILES.iter().any(|name| real.join(name).is_file()) {
        return Ok(real);
    }
    let why = format!("it has none of the files {}", PROJECT_FILES.join(", "));
    Err(unreadable(std::io::Error::new(std::io::ErrorKind::NotFound, why)))
}

/// The search path of a Lake project; of one without a lakefile, that of the environment.
async fn lake_path(sysroot: &Path, project: &Path) -> Result<Vec<PathBuf>, EnvError> {
    let has_lakefile = ["lakefile.toml", "lakefile.lean"].iter().any(|name| project.join(name).is_file());
    if !has_lakefile {
        return Ok(paths(std::env::var_os("LEAN_PATH").as_deref()));
    }
    let beside = Some(sysroot.join("bin/lake")).filter(|lake| lake.is_file());
    let lake = beside
        .or_else(|| program("lake"))
        .ok_or_else(|| EnvError::Missing { program: "lake".to_owned(), hint: LAKE.to_owned() })?;
    let variables = ask(&lake, &["env", "printenv", "LEAN_PATH"], project).await?;
    Ok(paths(Some(OsStr::new(variables.trim()))))
}

/// The folders in a search path. Relative ones are left out, since programs run in folders of their own.
fn paths(variable: Option<&OsStr>) -> Vec<PathBuf> {
    let folders = variable.into_iter().flat_map(|v| std::env::split_paths(v).collect::<Vec<_>>());
    folders.filter(|folder| folder.is_absolute()).collect()
}

/// A program of Lean: of `LEAN_SYSROOT`, of `PATH`, or of elan.
fn program(name: &str) -> Option<PathBuf> {
    let sysroot = std::env::var_os("LEAN_SYSROOT").map(|root| PathBuf::from(root).join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let elan = std::env::var_os("ELAN_HOME").map(PathBuf::from);
    let elan = elan.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".elan")));
    let folders = sysroot.into_iter().chain(std::env::split_paths(&path)).chain(elan.map(|e| e.join("bin")));
    folders.map(|folder| folder.join(name)).find(|program| program.is_absolute() && program.is_file())
}

/// A toolchain that is asked for must be there; another one must not take its place.
fn named_sysroot(named: Option<&OsStr>) -> Result<(), EnvError> {
    let Some(named) = named.filter(|named| !named.is_empty()).map(PathBuf::from) else { return Ok(()) };
    let is_one = named.is_absolute() && named.join("bin/lean").is_file();
    let why = "there is no bin/lean in it; set LEAN_SYSROOT to the folder of a toolchain, or unset it";
    is_one.then_some(()).ok_or_else(|| EnvError::File {
        action: "cannot use LEAN_SYSROOT",
        path: named.display().to_string(),
        source: std::io::Error::new(std::io::ErrorKind::NotFound, why),
    })
}

fn missing() -> EnvError {
    EnvError::Missing { program: "lean".to_owned(), hint: INSTALL.to_owned() }
}

/// The version in, for example, `Lean (version 4.35.0, x86_64-unknown-linux-gnu, commit …, Release)`.
fn read_version(greeting: &str) -> Option<Version> {
    let (_, rest) = greeting.split_once("version ")?;
    rest.split([',', ')', ' ']).next()?.parse().ok()
}

/// The output of a program of Lean in a folder.
async fn ask(program: &Path, options: &[&str], directory: &Path) -> Result<String, EnvError> {
    let variables = ["ELAN_HOME", "ELAN_TOOLCHAIN", "LEAN_SYSROOT"];
    let variable =
        |name: &&str| Some(((*name).to_owned(), std::env::var_os(name)?.to_string_lossy().into_owned()));
    let spec = ChildSpec {
        program: program.to_string_lossy().into_owned(),
        args: options.iter().map(|&option| option.to_owned()).collect(),
        env: variables.iter().filter_map(variable).collect(),
        directory: directory.to_owned(),
        limits: ResourceLimits::default(),
    };
    let doing = format!("asking `{} {}`", program.display(), options.join(" "));
    let ExitedProcess { exit, stdout } = run_to_end(&spec, &doing, FOR_AN_ANSWER, MAX_OUTPUT_BYTES).await?;
    match exit.code {
        Some(0) => Ok(stdout),
        _ => Err(EnvError::Process(ProcessError::Died { doing, status: exit.status, stderr: exit.stderr })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        let greeting = "Lean (version 4.35.0, x86_64-unknown-linux-gnu, commit eb6cafb, Release)";
        assert_eq!(read_version(greeting), Some(Version { minor: 35, patch: 0 }));
        let nightly = "Lean (version 4.27.0-nightly-2026-01-01, x86_64-unknown-linux-gnu, commit 1, Release)";
        assert_eq!(read_version(nightly), Some(Version { minor: 27, patch: 0 }));
        assert_eq!("v4.8.0-rc2".parse(), Ok(Version { minor: 8, patch: 0 }));
        let [old, new] = ["4.8.0", "4.10.1"].map(|text| text.parse::<Version>().unwrap());
        assert!(old < new);
        for text in ["3.51.1", "4.8", "four", ""] {
            assert!(text.parse::<Version>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_toolchain_that_is_asked_for_must_be_there() {
        let folder = tempfile::tempdir().unwrap();
        let named = Some(folder.path().as_os_str());
        let error = named_sysroot(named).unwrap_err().to_string();
        assert!(error.contains("no bin/lean") && error.contains(&folder.path().display().to_string()));
        std::fs::create_dir(folder.path().join("bin")).unwrap();
        std::fs::write(folder.path().join("bin/lean"), "").unwrap();
        assert!(named_sysroot(named).is_ok() && named_sysroot(None).is_ok());
    }

    #[test]
    fn a_folder_without_a_project_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let error = project_folder(folder.path()).unwrap_err().to_string();
        assert!(error.contains("lakefile.toml") && error.contains(&folder.path().display().to_string()));
        std::fs::write(folder.path().join("lean-toolchain"), "leanprover/lean4:v4.35.0\n").unwrap();
        assert!(project_folder(folder.path()).is_ok());
    }
}
