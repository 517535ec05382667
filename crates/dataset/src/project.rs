//! Projects of source files, applied to configurations.

use std::path::{Path, PathBuf};

use andor_artifact::input::{self, is_standard_input};
use andor_config::Config;
use andor_core::theorem::System;
use andor_env::source::{self, Fit, Project, ProjectOption};

pub use andor_env::source::ProjectError;

use crate::Problem;

/// A project that was applied to a configuration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Applied {
    /// Text that precedes each of its files.
    pub prelude: String,
    /// For the user: which project it is, and what is not applied.
    pub notes: Vec<String>,
}

/// Applies the project of a source in the language of a system, unless the configuration names one by the option that projects of
/// the system set.
///
/// # Errors
///
/// Its files cannot be read or are malformed, or it asks for what andor does not support.
pub fn apply(config: &mut Config, source: &Path, system: System) -> Result<Applied, ProjectError> {
    let reader = source::of(system);
    let is_given = match reader.and_then(|reader| reader.project_option()) {
        None => true,
        Some(ProjectOption::Folder) => config.project.is_some(),
        Some(ProjectOption::LoadPath) => !config.load_path.is_empty(),
    };
    let Some(reader) = reader.filter(|_| !is_given) else { return Ok(Applied::default()) };
    input::kind(source).map_err(ProjectError::of)?;
    let project = reader.project(source, &|path| input::text(path))?;
    let Some(Project { folder, load_path, prelude, notes }) = project else { return Ok(Applied::default()) };
    config.project = folder.or(config.project.take());
    if !load_path.is_empty() {
        config.load_path = load_path;
    }
    Ok(Applied { prelude, notes })
}

/// The folder of the project of a source file, or of a folder: of any system then.
pub fn folder(source: &Path) -> Option<PathBuf> {
    let extension = source.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let own = source::of_extension(extension);
    let readers = if own.is_empty() { source::all() } else { own };
    readers.into_iter().rev().find_map(|reader| reader.project_folder(source))
}

/// The system of the project that the file or folder of these problems may belong to. JSON rows belong to none.
pub fn system_of(path: &Path, problems: &[Problem]) -> Option<System> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let may_belong =
        |system: &System| path.is_dir() || extension == "txt" || extension == system.language().extension;
    let has = |system: &System| problems.iter().any(|problem| problem.theorem.system == *system);
    let readers = source::all().into_iter().rev().filter(|reader| reader.project_option().is_some());
    readers.map(|reader| reader.system()).find(|system| may_belong(system) && has(system))
}

/// Applies the project of a file that states theorems to be judged: the trusted file, since the file under judgement must not
/// choose the bindings. Returns the system, if it is given or the project decides it.
///
/// # Errors
///
/// As [`apply`].
pub fn apply_to_judge(
    config: &mut Config,
    stating: &Path,
    system: Option<System>,
) -> Result<(Option<System>, Applied), ProjectError> {
    // What is piped in belongs to the project of the current folder.
    let stating = if is_standard_input(stating) { Path::new(".") } else { stating };
    let extension = stating.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let certain = source::of_extension(extension)
        .into_iter()
        .find(|reader| reader.fit(Some(stating), "") == Fit::Certain)
        .map(|reader| reader.system());
    let system = system.or(certain);
    let applied = match system {
        Some(system) => apply(config, stating, system)?,
        None => Applied::default(),
    };
    Ok((system, applied))
}
