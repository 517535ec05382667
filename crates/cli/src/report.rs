//! What goes to standard output.

use std::io::{self, Write};

use andor_artifact::result::{AttemptResult, Outcome};
use andor_run::dataset::Problem;

use crate::exit::Exit;

/// Prints text to standard output.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Prints the proofs, or every result as a JSON line.
pub(crate) fn results(results: &[AttemptResult], json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for result in results {
        if json {
            let line = serde_json::to_string(result).map_err(io::Error::from)?;
            writeln!(out, "{line}")?;
        } else if result.outcome == Outcome::Accepted {
            let source = result.source.as_deref().unwrap_or_default();
            if results.len() > 1 {
                writeln!(out, "(* {} *)", result.theorem)?;
            }
            writeln!(out, "{}", source.trim_end())?;
            if results.len() > 1 {
                writeln!(out)?;
            }
        }
    }
    out.flush()
}

/// A table of what came of several theorems, for standard error.
pub(crate) fn table(results: &[AttemptResult], problems: &[Problem]) -> String {
    let count = |outcome| results.iter().filter(|r| r.outcome == outcome).count();
    let mut lines = vec![format!("{} of {} proved", count(Outcome::Accepted), problems.len())];
    for (outcome, name) in [
        (Outcome::NotProved, "not proved"),
        (Outcome::Claimed, "claimed, not checked"),
        (Outcome::Refused, "refused by the assistant"),
        (Outcome::InfrastructureError, "failed because of the machinery"),
        (Outcome::Interrupted, "interrupted"),
    ] {
        let n = count(outcome);
        if n > 0 {
            lines.push(format!("  {n} {name}"));
        }
    }
    let untouched = problems.len() - results.len();
    if untouched > 0 {
        lines.push(format!("  {untouched} not begun"));
    }
    lines.join("\n")
}

/// The exit code of a run.
pub(crate) fn exit(
    results: &[AttemptResult],
    problems: &[Problem],
    infra_threshold: f64,
    interrupted: bool,
) -> Exit {
    let infra = results
        .iter()
        .filter(|r| matches!(r.outcome, Outcome::InfrastructureError | Outcome::Claimed))
        .count();
    if interrupted {
        Exit::Interrupted
    } else if infra as f64 > infra_threshold * results.len() as f64 {
        Exit::Infrastructure
    } else if results.len() == problems.len() && results.iter().all(|r| r.outcome == Outcome::Accepted) {
        Exit::Success
    } else {
        Exit::NotProved
    }
}
