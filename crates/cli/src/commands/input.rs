//! From arguments to problems.

use std::path::Path;

use andor_core::theorem::System;
use andor_dataset::{self as dataset, Choice, Problem, RefusedRow};
use anyhow::bail;

use crate::args::{InputArgs, SourceArgs};

/// The problems that the arguments select.
pub(super) struct Chosen {
    pub(super) problems: Vec<Problem>,
    /// Rows of the same file that state no problem; empty if a theorem was asked for by name.
    pub(super) refused: Vec<RefusedRow>,
}

/// Reads the problems that the arguments select, and passes notes for the user to `say`.
pub(super) fn problems(input: &InputArgs, say: impl Fn(&str)) -> anyhow::Result<Chosen> {
    let choice = Choice {
        split: input.split,
        theorem: input.source.theorem.clone(),
        filters: input.filter.clone(),
        limit: input.limit.filter(|limit| *limit > 0),
    };
    let Chosen { problems, mut refused } = all(&input.source, say)?;
    if choice.theorem.is_some() {
        refused.clear();
    }
    Ok(Chosen { problems: choice.of(problems)?, refused })
}

/// Like [`problems`], but selects by name only.
pub(super) fn named(source: &SourceArgs, say: impl Fn(&str)) -> anyhow::Result<Vec<Problem>> {
    let choice = Choice { theorem: source.theorem.clone(), ..Choice::default() };
    Ok(choice.of(all(source, say)?.problems)?)
}

/// The file or folder of the problems, if it may belong to a Rocq project. JSON rows carry their own bindings.
pub(super) fn of_a_project<'a>(source: &'a SourceArgs, problems: &[Problem]) -> Option<&'a Path> {
    let path = source.file.as_deref()?;
    let is_source = path.is_dir() || path.extension().is_some_and(|e| e == "v" || e == "txt");
    (is_source && problems.iter().any(|p| p.theorem.system == System::Rocq)).then_some(path)
}

fn all(source: &SourceArgs, say: impl Fn(&str)) -> anyhow::Result<Chosen> {
    let (problems, refused, is_guessed) = match (&source.file, &source.statement) {
        (Some(path), _) => {
            let mut dataset = dataset::read(path, source.system)?;
            if let Some(locations) = &source.locations {
                dataset::join_locations(&mut dataset, locations)?;
            }
            for note in &dataset.notes {
                say(&format!("note: {note}"));
            }
            if !dataset.refused.is_empty() {
                let (refused, rest) = (dataset.refused.len(), dataset.problems.len());
                say(&format!(
                    "note: {refused} rows are refused and listed at the end; continuing with the other {rest}"
                ));
            }
            dataset.runnable(path)?;
            // Rows name their system.
            let is_source = path.is_dir() || path.extension().is_some_and(|e| e == "lean" || e == "txt");
            (dataset.problems, dataset.refused, is_source)
        }
        (None, Some(statement)) => {
            let system = source.system.unwrap_or_else(|| dataset::system_of(statement));
            (vec![dataset::from_statement(system, statement, &source.imports)?], Vec::new(), true)
        }
        (None, None) => bail!("a FILE or --statement is required"),
    };
    if problems.is_empty() {
        bail!("the file has no theorem to prove: every proof in it is finished");
    }
    if is_guessed && source.system.is_none() && problems.iter().any(|p| p.theorem.system == System::Mini) {
        say("system: mini (the embedded prover, for a fragment of Lean 4; Lean 4 itself is not yet \
             supported)");
    }
    for problem in &problems {
        let (id, system) = (&problem.theorem.id, problem.theorem.system);
        if let Some(wanted) = source.system.filter(|s| *s != system) {
            bail!("--system: theorem `{id}` is for the system `{system}`, not `{wanted}`");
        }
    }
    Ok(Chosen { problems, refused })
}
