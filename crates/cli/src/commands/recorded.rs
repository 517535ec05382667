//! Finding the files of runs.

use std::path::{Path, PathBuf};

use andor_artifact::folders::folder_name;
use andor_rollout::proof::JOURNAL;
use andor_run::folder::some_ids;
use anyhow::bail;

/// The attempts at one theorem that have a given file.
struct OfTheorem {
    /// The name of the theorem's folder.
    id: String,
    /// The number and the file of each attempt, sorted by number.
    attempts: Vec<(u32, PathBuf)>,
}

/// Finds the file `name` for the path `run`, which is the file itself, an attempt's folder, or a run's folder. In a
/// run's folder it takes the first attempt unless `attempt` selects another.
pub(super) fn find(
    run: &Path,
    theorem: Option<&str>,
    attempt: Option<u32>,
    name: &str,
) -> anyhow::Result<PathBuf> {
    let theorems = match of_run(run, theorem, attempt, name)? {
        Found::File(path) => return Ok(path),
        Found::Theorems(theorems) => theorems,
    };
    let [OfTheorem { id, attempts }] = &theorems[..] else {
        let ids: Vec<String> = theorems.into_iter().map(|t| t.id).collect();
        bail!("the run has several theorems; choose one with --theorem: {}", some_ids(&ids));
    };
    let wanted = attempt.unwrap_or(1);
    match attempts.iter().find(|(number, _)| *number == wanted) {
        Some((_, path)) => Ok(path.clone()),
        None => {
            bail!("--attempt: attempt {wanted} at `{id}` has no {name}; available: {}", numbers(attempts))
        }
    }
}

/// Finds the folder of an attempt that has any of the files of a search. What is missing of them is no error.
pub(super) fn find_search(
    run: &Path,
    theorem: Option<&str>,
    attempt: Option<u32>,
) -> anyhow::Result<PathBuf> {
    let file = |name| find(run, theorem, attempt, name);
    let file =
        file("trace.jsonl").or_else(|why| file(JOURNAL).or_else(|_| file("graph.json")).map_err(|_| why))?;
    Ok(file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned())
}

/// Finds all files `name` for the path `run`, which is the file itself, an attempt's folder, or a run's folder,
/// filtered by `theorem` and `attempt`.
pub(super) fn find_all(
    run: &Path,
    theorem: Option<&str>,
    attempt: Option<u32>,
    name: &str,
) -> anyhow::Result<Vec<PathBuf>> {
    let theorems = match of_run(run, theorem, attempt, name)? {
        Found::File(path) => return Ok(vec![path]),
        Found::Theorems(theorems) => theorems,
    };
    let admitted = |number: u32| attempt.is_none_or(|wanted| wanted == number);
    let all = theorems.into_iter().flat_map(|t| t.attempts).filter(|(number, _)| admitted(*number));
    let all: Vec<PathBuf> = all.map(|(_, path)| path).collect();
    match (attempt, all.is_empty()) {
        (Some(attempt), true) => bail!("--attempt: no attempt {attempt} has a {name}"),
        _ => Ok(all),
    }
}

enum Found {
    File(PathBuf),
    /// At least one theorem, sorted by id.
    Theorems(Vec<OfTheorem>),
}

fn of_run(run: &Path, theorem: Option<&str>, attempt: Option<u32>, name: &str) -> anyhow::Result<Found> {
    let file = if run.is_file() { run.to_owned() } else { run.join(name) };
    if file.is_file() {
        for (option, is_given) in [("--theorem", theorem.is_some()), ("--attempt", attempt.is_some())] {
            if is_given {
                bail!("{option} applies to a run folder, but `{}` is a single attempt", run.display());
            }
        }
        return Ok(Found::File(file));
    }
    let folder = run.join("theorems");
    if !folder.is_dir() {
        bail!(
            "`{}` is not a run folder: it has neither {name} nor theorems/; give a folder written by --out",
            run.display()
        );
    }
    let mut theorems: Vec<OfTheorem> = Vec::new();
    for entry in fs_err::read_dir(&folder)? {
        let entry = entry?;
        let attempts = attempts(&entry.path(), name)?;
        if !attempts.is_empty() {
            theorems.push(OfTheorem { id: entry.file_name().to_string_lossy().into_owned(), attempts });
        }
    }
    theorems.sort_by(|a, b| a.id.cmp(&b.id));
    if theorems.is_empty() {
        bail!(
            "no attempt of the run has a {name}: none has begun its search, or they are those of agents or basins"
        );
    }
    let Some(id) = theorem else { return Ok(Found::Theorems(theorems)) };
    let place = |id: &str| theorems.iter().position(|t| t.id == id);
    match place(&folder_name(id)).or_else(|| place(id)) {
        Some(place) => Ok(Found::Theorems(vec![theorems.swap_remove(place)])),
        None => {
            let ids: Vec<String> = theorems.into_iter().map(|t| t.id).collect();
            bail!("the run has no theorem `{id}` with a {name}; it has: {}", some_ids(&ids))
        }
    }
}

/// The attempts in a theorem's folder that have the file, sorted by number.
fn attempts(folder: &Path, name: &str) -> anyhow::Result<Vec<(u32, PathBuf)>> {
    let mut attempts = Vec::new();
    if !folder.is_dir() {
        return Ok(attempts);
    }
    for entry in fs_err::read_dir(folder)? {
        let entry = entry?;
        let folder = entry.file_name();
        let number = folder.to_str().and_then(|folder| folder.strip_prefix("attempt-")?.parse().ok());
        let file = entry.path().join(name);
        if let Some(number) = number.filter(|_| file.is_file()) {
            attempts.push((number, file));
        }
    }
    attempts.sort();
    Ok(attempts)
}

fn numbers(attempts: &[(u32, PathBuf)]) -> String {
    attempts.iter().map(|(number, _)| number.to_string()).collect::<Vec<_>>().join(", ")
}
