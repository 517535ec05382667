//! Folders of runs.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use andor_artifact::folders::folder_name;
use anyhow::{Context, bail};

/// The default folder for runs.
const RUNS: &str = "runs";

/// The folder of what is declared in a file: the given one, or a fresh one named after the file.
pub fn out_folder(out: Option<&Path>, declaration: &Path) -> anyhow::Result<PathBuf> {
    if let Some(out) = out.filter(|out| out.exists() && !out.is_dir()) {
        bail!("--out: `{}` is a file; give a folder, which need not exist", out.display());
    }
    let name = || folder_name(&declaration.file_stem().unwrap_or_default().to_string_lossy());
    out.map_or_else(|| fresh_folder(&name()), |out| Ok(out.to_owned()))
}

/// Creates the folder of a corpus run: `runs/CORPUS-N`, with the first free number N.
pub fn fresh_folder(corpus: &str) -> anyhow::Result<PathBuf> {
    fs_err::create_dir_all(RUNS).context("--out names another folder for the run")?;
    for n in 1_u64.. {
        let folder = Path::new(RUNS).join(format!("{corpus}-{n}"));
        match fs_err::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).context("--out names another folder for the run"),
        }
    }
    unreachable!("folder numbers are unique")
}
