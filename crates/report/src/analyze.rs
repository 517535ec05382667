//! `andor analyze`: what differs between searches, in tables.
//!
//! Each [`Measure`] reads some artifacts of the runs and makes [`Table`]s of them; the mathematics is in
//! `andor-analysis`. Files that are missing or damaged cost their rows only, and are named.

mod access;
mod basins;
mod costs;
mod goal_map;
mod paths;
#[cfg(feature = "plots")]
pub mod plots;
mod proofs;
mod records;
mod searches;

use andor_artifact::result::Outcome;
use andor_core::choice;
use andor_run::folder::RunFolder;

use crate::compare::{self, CompareError};
use crate::summary::{self, RunSummary, TheoremSummary};
use crate::table::Table;

choice! {
    /// What to measure.
    Measure {
        /// What theorems cost under one run and under another.
        Costs = "costs",
        /// When proofs were found, counting searches that found none.
        Survival = "survival",
        /// How different the proofs are, and which are the same.
        Proofs = "proofs",
        /// How different the searches are: their graphs, what they visited, where they part.
        Searches = "searches",
        /// How searches move through their trees.
        Paths = "paths",
        /// What searches miss because of blocked nodes, and what the ways around cost.
        Access = "access",
    }
}

choice! {
    /// What makes two nodes of proofs or searches equal.
    Label {
        /// The same goal, by its strict signature.
        Strict = "strict",
        /// The same goal up to the order of the operands of commutative operators, by its coarse signature.
        Coarse = "coarse",
        /// The same tactic. In graphs of searches, whose nodes are goals, the strict signature.
        Tactic = "tactic",
    }
}

choice! {
    /// What is spent.
    Cost {
        /// Rounds of selection, expansion and back-up.
        Iterations = "iterations",
        /// Iterations that added a step.
        Expansions = "expansions",
        /// Candidates tried.
        Candidates = "candidates",
        /// Tokens sent to and received from models.
        Tokens = "tokens",
        /// Seconds on the wall clock.
        Seconds = "seconds",
        /// Seconds on the virtual clock, for searches that ran on it.
        VirtualSeconds = "virtual_seconds",
    }
}

/// What to analyze.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// What to measure.
    pub measures: Vec<Measure>,
    /// What makes nodes equal.
    pub label: Label,
    /// Only these theorems; all if empty.
    pub theorems: Vec<String>,
    /// The seed of bootstrap intervals.
    pub seed: u64,
}

/// The tables of an analysis.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The tables, in the order of the measures.
    pub tables: Vec<Table>,
    /// What could not be read and is missing in the tables, a sentence each.
    pub missing: Vec<String>,
}

/// A run with its summary and its name in tables.
struct Subject<'a> {
    name: String,
    folder: &'a RunFolder,
    summary: RunSummary<'a>,
}

impl<'a> Subject<'a> {
    fn theorem(&self, id: &str) -> Option<&TheoremSummary<'a>> {
        self.summary.theorems.iter().find(|theorem| theorem.theorem == id)
    }
}

/// Analyzes runs, each with its name in the tables. The first is the baseline of every comparison.
///
/// # Errors
///
/// If two runs have no theorem in common, or different statements under one name.
pub fn analyze(runs: &[RunFolder], names: &[String], request: &Request) -> Result<Analysis, CompareError> {
    let subject = |(folder, name): (_, &String)| Subject {
        name: name.clone(),
        folder,
        summary: summary::of_folder(folder),
    };
    let mut subjects: Vec<Subject<'_>> = runs.iter().zip(names).map(subject).collect();
    if let Some((first, others)) = runs.split_first() {
        for other in others {
            compare::compare(first, other)?;
        }
    }
    if !request.theorems.is_empty() {
        for subject in &mut subjects {
            subject
                .summary
                .theorems
                .retain(|theorem| request.theorems.iter().any(|id| id == theorem.theorem));
        }
    }
    let mut analysis = Analysis { tables: Vec::new(), missing: Vec::new() };
    for subject in &mut subjects {
        let mut failed = 0;
        for theorem in &mut subject.summary.theorems {
            for results in [&mut theorem.results, &mut theorem.blind_results] {
                // There was no search for what the assistant refuses.
                results.retain(|result| result.outcome != Outcome::Refused);
                let all = results.len();
                results.retain(|result| !summary::has_failed(result));
                failed += all - results.len();
            }
        }
        if failed > 0 {
            let (name, of) = (&subject.name, subject.folder.results.len());
            let what = format!("{failed} of {of} attempts of {name}: they failed for technical reasons");
            analysis.missing.push(what);
        }
    }
    for measure in &request.measures {
        match measure {
            Measure::Costs => costs::costs(&subjects, request, &mut analysis),
            Measure::Survival => costs::survival(&subjects, &mut analysis),
            Measure::Proofs => proofs::proofs(&subjects, request, &mut analysis),
            Measure::Searches => searches::searches(&subjects, request.label, &mut analysis),
            Measure::Paths => paths::paths(&subjects, &mut analysis),
            Measure::Access => access::access(&subjects, request, &mut analysis),
        }
    }
    analysis.tables.retain(|table| !table.rows.is_empty());
    analysis.missing.sort();
    analysis.missing.dedup();
    Ok(analysis)
}

/// Names for runs: those of their folders, with that of the part that was read, and with a number where two are equal.
pub fn names(runs: &[RunFolder]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for run in runs {
        let last =
            run.path.components().next_back().map(|part| part.as_os_str().to_string_lossy().into_owned());
        let mut base = last.unwrap_or_else(|| run.path.display().to_string());
        let inside = run.part.iter().flat_map(|part| part.components().skip(1));
        base.extend(inside.map(|name| format!("/{}", name.as_os_str().to_string_lossy())));
        let numbered = (2..).map(|n| format!("{base} ({n})"));
        let free = std::iter::once(base.clone()).chain(numbered).find(|name| !names.contains(name));
        names.push(free.expect("there are more numbers than runs"));
    }
    names
}
