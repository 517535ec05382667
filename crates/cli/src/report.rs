//! What goes to standard output.

use std::collections::HashSet;
use std::io::{self, Write};

use andor_artifact::result::{AttemptResult, Outcome};
use andor_run::System;
use andor_run::dataset::Problem;
use andor_run::judge::Level;

use crate::exit::Exit;

/// Prints text to standard output.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// To which side the cells of a table are moved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// The lines of a table whose columns are of equal width; its first row has the headings. A column that is empty but for
/// its heading is left out.
pub(crate) fn aligned<R: AsRef<[String]>>(rows: &[R], align: Align) -> Vec<String> {
    let width = |text: &String| text.chars().count();
    let n_columns = rows.first().map_or(0, |row| row.as_ref().len());
    let column = |i: usize| rows.iter().map(move |row| &row.as_ref()[i]);
    let shown = (0..n_columns).filter(|&i| column(i).skip(1).any(|cell| !cell.is_empty()));
    let shown: Vec<(usize, usize)> =
        shown.map(|i| (i, column(i).map(width).max().unwrap_or_default())).collect();
    let line = |row: &R| {
        let cells = shown.iter().map(|&(i, width)| match (align, &row.as_ref()[i]) {
            (Align::Left, cell) => format!("{cell:<width$}"),
            (Align::Right, cell) => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Prints every result as a JSON line.
pub(crate) fn records(results: &[AttemptResult]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for result in results {
        let line = serde_json::to_string(result).map_err(io::Error::from)?;
        writeln!(out, "{line}")?;
    }
    out.flush()
}

/// Prints the first proof of each theorem: if there is one theorem, as a complete file; of several with their names,
/// and without what stands around them in a common source file.
pub(crate) fn proofs(results: &[AttemptResult], problems: &[Problem], one_file: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let mut printed = HashSet::new();
    for result in results.iter().filter(|r| r.outcome == Outcome::Accepted) {
        if !printed.insert(&result.theorem) {
            continue;
        }
        let mut source = result.source.as_deref().unwrap_or_default();
        if problems.len() == 1 {
            writeln!(out, "{}", source.trim_end())?;
            continue;
        }
        let Some(problem) = problems.iter().find(|p| p.theorem.id == result.theorem) else { continue };
        if one_file {
            source = source.strip_prefix(problem.theorem.header.as_str()).unwrap_or(source).trim_end();
            source = source.strip_suffix(problem.theorem.footer.trim()).unwrap_or(source);
        }
        match problem.theorem.system {
            System::Lean4 | System::Mini => writeln!(out, "-- {}", result.theorem)?,
            System::Rocq | System::Synthetic => writeln!(out, "(* {} *)", result.theorem)?,
        }
        writeln!(out, "{}\n", source.trim())?;
    }
    out.flush()
}

/// How far a proof is verified and on what it rests, for people.
pub(crate) fn verified(level: Level, axioms: &[String]) -> String {
    let rests_on = match axioms {
        [] => "no axioms".to_owned(),
        axioms => format!("axioms: {}", axioms.join(", ")),
    };
    format!("level {}, {}; {rests_on}", level.number(), level.name())
}

/// The level that a record tells by its number.
pub(crate) fn level(number: u8) -> Level {
    Level::ALL.into_iter().find(|level| level.number() == number).unwrap_or(Level::Claimed)
}

/// A table of what came of several theorems, for standard error: a line for each, and one for all.
pub(crate) fn table(results: &[AttemptResult], problems: &[Problem]) -> String {
    let width = |text: &str| text.chars().count();
    let rows: Vec<(&str, String)> = results.iter().map(|r| (r.theorem.as_str(), ending(r))).collect();
    let names = rows.iter().map(|(name, _)| width(name)).max().unwrap_or_default().max(width("theorem"));
    let endings = rows.iter().map(|(_, ending)| width(ending)).max().unwrap_or_default().max(width("result"));
    let levels = width("3 rechecked");
    let mut lines = vec![format!(
        "{:names$}  {:endings$}  {:levels$}  {:>9}  expansions",
        "theorem", "result", "verified", "time"
    )];
    for ((name, ending), result) in rows.iter().zip(results) {
        let (seconds, expansions) = (result.timing.total_ms / 1e3, result.spent.expansions);
        let verified = result.verification_level.map(level);
        let verified =
            verified.map_or("-".to_owned(), |level| format!("{} {}", level.number(), level.name()));
        lines.push(format!(
            "{name:names$}  {ending:endings$}  {verified:levels$}  {seconds:>7.2} s  {expansions:>10}"
        ));
    }
    let mut total = vec![format!("{} of {} proved", count(results, Outcome::Accepted), problems.len())];
    let exhausted = results.iter().filter(|r| is_exhausted(r)).count();
    for (n, name) in [
        (exhausted, "exhausted"),
        (count(results, Outcome::NotProved) - exhausted, "out of budget"),
        (count(results, Outcome::Claimed), "claimed, not verified"),
        (count(results, Outcome::Refused), "refused by the assistant"),
        (count(results, Outcome::InfrastructureError), "failed because of the machinery"),
        (count(results, Outcome::Interrupted), "interrupted"),
        (problems.len() - results.len(), "not begun"),
    ] {
        if n > 0 {
            total.push(format!("{n} {name}"));
        }
    }
    let seconds: f64 = results.iter().map(|r| r.timing.total_ms / 1e3).sum();
    let expansions: u64 = results.iter().map(|r| r.spent.expansions).sum();
    lines.push(format!("{} ({seconds:.2} s, {expansions} expansions)", total.join(", ")));
    lines.join("\n")
}

fn count(results: &[AttemptResult], outcome: Outcome) -> usize {
    results.iter().filter(|r| r.outcome == outcome).count()
}

fn is_exhausted(result: &AttemptResult) -> bool {
    result.outcome == Outcome::NotProved && result.stop_reason == "exhausted"
}

/// What came of a theorem, in few words.
fn ending(result: &AttemptResult) -> String {
    match result.outcome {
        Outcome::Accepted => "proved".to_owned(),
        Outcome::NotProved if is_exhausted(result) => "exhausted".to_owned(),
        Outcome::NotProved => format!("out of budget ({})", result.stop_reason),
        Outcome::Claimed => "claimed".to_owned(),
        Outcome::Refused => "refused".to_owned(),
        Outcome::InfrastructureError => "failed".to_owned(),
        Outcome::Interrupted => "interrupted".to_owned(),
    }
}

/// The exit code of a run. A theorem is proved when any attempt at it is accepted.
pub(crate) fn exit(
    results: &[AttemptResult],
    problems: &[Problem],
    infra_threshold: f64,
    interrupted: bool,
) -> Exit {
    let accepted = results.iter().filter(|r| r.outcome == Outcome::Accepted);
    let proved: HashSet<&str> = accepted.map(|r| r.theorem.as_str()).collect();
    let infra = results
        .iter()
        .filter(|r| matches!(r.outcome, Outcome::InfrastructureError | Outcome::Claimed))
        .count();
    if interrupted {
        Exit::Interrupted
    } else if infra as f64 > infra_threshold * results.len() as f64 {
        Exit::Infrastructure
    } else if problems.iter().all(|p| proved.contains(p.theorem.id.as_str())) {
        Exit::Success
    } else {
        Exit::NotProved
    }
}
