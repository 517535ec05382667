//! Finding the files of runs.

use std::path::{Path, PathBuf};

use andor_run::folder::{folder_name, some_ids};
use anyhow::bail;

/// The file named `name` that `run` means: the file itself, or that of an attempt's folder, or that of a theorem in a
/// run's folder.
pub(super) fn find(run: &Path, theorem: Option<&str>, name: &str) -> anyhow::Result<PathBuf> {
    if run.is_file() {
        return Ok(run.to_owned());
    }
    if run.join(name).is_file() {
        return Ok(run.join(name));
    }
    let theorems = run.join("theorems");
    if !theorems.is_dir() {
        bail!(
            "`{}` is no run: it has neither {name} nor theorems/ (runs are written by --out)",
            run.display()
        );
    }
    let of_theorem = |id: &str| theorems.join(id).join("attempt-1").join(name);
    let mut ids: Vec<String> = Vec::new();
    for entry in fs_err::read_dir(&theorems)? {
        let id = entry?.file_name().to_string_lossy().into_owned();
        if of_theorem(&id).is_file() {
            ids.push(id);
        }
    }
    ids.sort();
    let id = match (theorem, &ids[..]) {
        (Some(id), _) if ids.contains(&folder_name(id)) => folder_name(id),
        (Some(id), _) if ids.iter().any(|known| known == id) => id.to_owned(),
        (Some(id), _) => {
            bail!("the run has no theorem `{id}` with a {name}; it has: {}", some_ids(&ids))
        }
        (None, [only]) => only.clone(),
        (None, []) => bail!("no theorem of the run has a {name} yet"),
        (None, _) => bail!("the run has several theorems; choose one with --theorem: {}", some_ids(&ids)),
    };
    Ok(of_theorem(&id))
}
