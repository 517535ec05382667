//! From arguments to problems.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use andor_artifact::input::{is_standard_input, text};
use andor_config::Config;
use andor_core::theorem::System;
use andor_dataset::{
    self as dataset, Choice, Dataset, DatasetError, FileIdentity, Problem, RefusedRow, project,
};
use andor_engine::allowed;
use andor_engine::imports;
use andor_env::source::of as reader_of;
use anyhow::{Context, bail};

use crate::args::{InputArgs, Part, SourceArgs, SourceFile};

/// The problems that the arguments select.
pub(super) struct Chosen {
    pub(super) problems: Vec<Problem>,
    /// Rows of the same file that state no problem; empty if a theorem was asked for by name.
    pub(super) refused: Vec<RefusedRow>,
}

/// Reads the problems that the arguments select, and passes notes for the user to `say`. `project` is the folder of
/// the Lean project, if one is named.
pub(super) fn problems(
    input: &InputArgs,
    project: Option<&Path>,
    say: impl Fn(&str),
) -> anyhow::Result<Chosen> {
    let choice = Choice {
        split: input.split,
        theorem: input.source.theorem.clone(),
        line: None,
        filters: input.filter.clone(),
        limit: input.limit.filter(|limit| *limit > 0),
    };
    let Chosen { problems, mut refused } = all(&input.source, project, say)?;
    if choice.theorem.is_some() || input.source.files.iter().any(|file| file.part.is_some()) {
        refused.clear();
    }
    Ok(Chosen { problems: choice.of(problems)?, refused })
}

/// Like [`problems`], but selects by name only.
pub(super) fn named(
    source: &SourceArgs,
    project: Option<&Path>,
    say: impl Fn(&str),
) -> anyhow::Result<Vec<Problem>> {
    let choice = Choice { theorem: source.theorem.clone(), ..Choice::default() };
    Ok(choice.of(all(source, project, say)?.problems)?)
}

/// The file or folder of the problems, if it may belong to a project, and its system.
pub(super) fn of_a_project<'a>(source: &'a SourceArgs, problems: &[Problem]) -> Option<(&'a Path, System)> {
    let path = source.path()?;
    // What is piped in belongs to the project of the current folder.
    let path = if is_standard_input(path) { Path::new(".") } else { path };
    Some((path, project::system_of(path, problems)?))
}

/// The files of a command, those of each project together.
pub(super) fn by_project(source: &SourceArgs) -> Vec<Vec<SourceFile>> {
    let mut groups: Vec<(Option<PathBuf>, Vec<SourceFile>)> = Vec::new();
    for file in &source.files {
        let project = project::folder(&file.path);
        match groups.iter_mut().find(|(of, _)| *of == project) {
            Some((_, files)) => files.push(file.clone()),
            None => groups.push((project, vec![file.clone()])),
        }
    }
    groups.into_iter().map(|(_, files)| files).collect()
}

/// Moves the problems of Lean 4 with imports that are not there to the refused rows.
pub(super) async fn refuse_lacking(chosen: &mut Chosen, config: &Config) -> anyhow::Result<()> {
    let theorems: Vec<_> = chosen.problems.iter().map(|problem| &problem.theorem).collect();
    let missing = imports::missing(&theorems, config).await?;
    let mut lacking = missing.into_iter();
    let mut refuse = |problem: &Problem| {
        let missing = lacking.next().unwrap_or_default();
        let what = missing.first().map(|module| {
            let id = &problem.theorem.id;
            match &config.project {
                Some(project) => format!(
                    "theorem `{id}` imports `{module}`, which is not compiled in the project {}: run `lake build {module}` there \
                     (for Mathlib, `lake exe cache get`)",
                    project.display()
                ),
                None => format!(
                    "theorem `{id}` imports `{module}`, and the Lean in use has no such compiled module; name the project \
                     that has it with --project DIR, and build it with `lake build` or `lake exe cache get`"
                ),
            }
        });
        chosen.refused.extend(what.iter().map(|what| RefusedRow { line: None, what: what.clone() }));
        what.is_some()
    };
    chosen.problems.retain(|problem| !refuse(problem));
    match chosen.refused.last() {
        Some(row) if chosen.problems.is_empty() => bail!("{}", row.what),
        _ => Ok(()),
    }
}

/// Refuses an allowed axiom that `mini` does not know.
pub(super) fn refuse_unknown_axioms(problems: &[Problem], config: &Config) -> anyhow::Result<()> {
    if config.allowed_axioms.is_empty() {
        return Ok(());
    }
    // An axiom may be declared below a theorem.
    let whole = |problem: &Problem| {
        let file = problem.place.as_ref().map(|place| &place.file).filter(|file| !is_standard_input(file));
        let text = file.and_then(|file| text(file).ok());
        text.map(|text| text.trim_start_matches('\u{feff}').replace("\r\n", "\n"))
            .unwrap_or_else(|| problem.theorem.header.clone())
    };
    let mut files: Vec<String> = problems.iter().map(whole).collect();
    files.sort();
    files.dedup();
    let systems = problems.iter().map(|problem| problem.theorem.system);
    allowed::known(config, systems, &files).context("--allow-axioms")
}

/// The data sets of all files, as one.
fn read(source: &SourceArgs, project: Option<&Path>) -> Result<Dataset, DatasetError> {
    let mut all: Option<Dataset> = None;
    let mut unreadable = Vec::new();
    let mut seen: Vec<(Option<FileIdentity>, &SourceFile)> = Vec::new();
    for file in &source.files {
        let SourceFile { path, part } = file;
        // Named again, under this name or another.
        let identity = FileIdentity::of(path).ok();
        let is_same = |(of, other): &(Option<FileIdentity>, &SourceFile)| {
            let is_there = other.part.is_none() || other.part == *part;
            is_there && (other.path == *path || (of.is_some() && *of == identity))
        };
        if seen.iter().any(is_same) {
            continue;
        }
        seen.push((identity, file));
        let mut dataset = match dataset::read(path, source.system, project) {
            Ok(dataset) => dataset,
            // The others are read all the same.
            Err(error) => {
                unreadable.push(error);
                continue;
            }
        };
        let choice = match part {
            Some(Part::Line(line)) => Choice { line: Some(*line), ..Choice::default() },
            Some(Part::Name(name)) => Choice { theorem: Some(name.clone()), ..Choice::default() },
            None => Choice::default(),
        };
        if part.is_some() && !dataset.problems.is_empty() {
            dataset.problems = choice.of(dataset.problems)?;
        }
        if source.files.len() > 1 {
            let named =
                |row: RefusedRow| RefusedRow { line: None, what: format!("{}: {row}", path.display()) };
            dataset.refused = dataset.refused.into_iter().map(named).collect();
        }
        match &mut all {
            Some(all) => all.join(dataset),
            None => all = Some(dataset),
        }
    }
    match all {
        Some(mut all) => {
            let row = |error: &DatasetError| RefusedRow { line: None, what: error.to_string() };
            all.refused.extend(unreadable.iter().map(row));
            Ok(all)
        }
        None => Err(unreadable.swap_remove(0)),
    }
}

fn all(source: &SourceArgs, project: Option<&Path>, say: impl Fn(&str)) -> anyhow::Result<Chosen> {
    let (problems, refused, is_guessed) = match (&source.files[..], &source.statement) {
        ([_, ..], _) => {
            let mut dataset = read(source, project)?;
            if let Some(locations) = &source.locations {
                dataset::join_locations(&mut dataset, locations)?;
            }
            for note in &dataset.notes {
                say(&format!("note: {note}"));
            }
            if !dataset.refused.is_empty() {
                let (refused, rest) = (dataset.refused.len(), dataset.problems.len());
                let refused = if refused == 1 { "1 is".to_owned() } else { format!("{refused} are") };
                say(&format!(
                    "note: {refused} refused and listed at the end; continuing with the other {rest}"
                ));
            }
            // Rows name their system.
            let is_source =
                |path: &Path| path.is_dir() || path.extension().is_some_and(|e| e == "lean" || e == "txt");
            let is_source = source.files.iter().any(|file| is_source(&file.path));
            (dataset.problems, dataset.refused, is_source)
        }
        ([], Some(statement)) => {
            let system = source.system.map_or_else(|| dataset::system_of(statement), Ok)?;
            (vec![dataset::from_statement(system, statement, &source.imports)?], Vec::new(), true)
        }
        ([], None) => bail!("a FILE or --statement is required"),
    };
    if problems.is_empty() {
        return Err(DatasetError::Finished.into());
    }
    if is_guessed && source.system.is_none() {
        let systems: BTreeSet<System> = problems.iter().map(|problem| problem.theorem.system).collect();
        for note in systems
            .into_iter()
            .filter_map(reader_of)
            .filter_map(|reader| reader.guessed(source.files.is_empty()))
        {
            say(note);
        }
    }
    for problem in &problems {
        let (id, system) = (&problem.theorem.id, problem.theorem.system);
        if let Some(wanted) = source.system.filter(|s| *s != system) {
            bail!("--system: theorem `{id}` is for the system `{system}`, not `{wanted}`");
        }
    }
    Ok(Chosen { problems, refused })
}
