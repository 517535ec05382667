//! Applies projects to configurations.

use andor_system_lean::LEAN4;
use andor_system_rocq::ROCQ;
use std::path::Path;

use andor_artifact::input::is_standard_input;
use andor_config::{Config, LoadPath};
use andor_core::theorem::System;

use super::{Project, ProjectError, lake, of};
use crate::Problem;

/// A project that was applied to a configuration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Applied {
    /// Text that precedes each of its files.
    pub prelude: String,
    /// For the user: which project it is, and what is not applied.
    pub notes: Vec<String>,
}

/// Applies the project of a source, unless the configuration names one: of Lean, its folder; of Rocq, its bindings.
///
/// # Errors
///
/// As [`of`].
pub fn apply(config: &mut Config, source: &Path, system: System) -> Result<Applied, ProjectError> {
    let mut applied = Applied::default();
    if system == LEAN4 {
        if let (None, Some(folder)) = (&config.project, lake(source)) {
            applied.notes.push(format!("using the Lean project {}", folder.display()));
            config.project = Some(folder);
        }
        return Ok(applied);
    }
    if !config.load_path.is_empty() {
        return Ok(applied);
    }
    let Some(Project { file, load_path, prelude, notes }) = of(source)? else { return Ok(applied) };
    let file = file.display();
    let bound = load_path.iter().map(|LoadPath { binding, folder, name }| {
        let name = if name.is_empty() { "\"\"" } else { name };
        format!(" {} {} {name}", binding.option(), folder.display())
    });
    let bound: String = bound.collect();
    if !bound.is_empty() {
        applied.notes.push(format!("using the project file {file}:{bound}"));
    }
    if !prelude.is_empty() {
        applied.notes.push(format!("the options of {file} add to each file: {}", prelude.trim_end()));
    }
    applied.notes.extend(notes.iter().map(|note| format!("{file}: {note}")));
    config.load_path = load_path;
    Ok(Applied { prelude, ..applied })
}

/// The system of the project that the file or folder of these problems may belong to. JSON rows belong to none.
pub fn system_of(path: &Path, problems: &[Problem]) -> Option<System> {
    let is_of = |extensions: [&str; 2]| {
        path.is_dir() || path.extension().is_some_and(|e| extensions.iter().any(|known| e == *known))
    };
    let has = |system| problems.iter().any(|p| p.theorem.system == system);
    if is_of(["v", "txt"]) && has(ROCQ) {
        return Some(ROCQ);
    }
    (is_of(["lean", "txt"]) && has(LEAN4)).then_some(LEAN4)
}

/// Applies the project of a file that states theorems to be judged: the trusted file, since the file under judgement must not
/// choose the bindings. Returns the system, if it is given or the project decides it.
///
/// # Errors
///
/// As [`of`].
pub fn apply_to_judge(
    config: &mut Config,
    stating: &Path,
    system: Option<System>,
) -> Result<(Option<System>, Applied), ProjectError> {
    // What is piped in belongs to the project of the current folder.
    let stating = if is_standard_input(stating) { Path::new(".") } else { stating };
    let is_of_lean4 =
        system.is_none() && stating.extension().is_some_and(|e| e == "lean") && lake(stating).is_some();
    let system = system.or(is_of_lean4.then_some(LEAN4));
    let is_rocq = system.is_none() && stating.extension().is_some_and(|e| e == "v");
    let applied = match system.or(is_rocq.then_some(ROCQ)) {
        Some(of) if [LEAN4, ROCQ].contains(&of) => apply(config, stating, of)?,
        _ => Applied::default(),
    };
    Ok((system, applied))
}
