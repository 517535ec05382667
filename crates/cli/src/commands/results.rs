//! `andor results`

use std::fmt::Write as _;

use andor_artifact::result::{AttemptResult, Role};
use andor_dataset::Problem;
use andor_report::summary::{
    self, BfsProverRow, ReProverRow, ResultsLine, RunSummary, TheoremLine, TheoremSummary,
};
use andor_run::folder::RunFolder;
use andor_terminal::exit::Exit;
use andor_terminal::{hint, report, shown};
use anyhow::bail;
use serde::Serialize;

use crate::args::{ResultsArgs, RowFormat};
use crate::summary as tables;

pub(crate) fn run(args: &ResultsArgs) -> anyhow::Result<Exit> {
    if let Some(exit) = super::agent::code::results(args)? {
        return Ok(exit);
    }
    let run = RunFolder::read(&args.run)?;
    let mut summary = summary::of_folder(&run);
    if let Some(only) = args.only {
        summary.theorems.retain(|theorem| only.admits(theorem));
    }
    let text = match (&args.theorem, args.format) {
        (Some(id), _) if args.json => {
            line(&ResultsLine::Theorem(TheoremLine::full(find(&summary, &run, id)?)))?
        }
        (Some(id), _) => one(find(&summary, &run, id)?),
        (None, Some(RowFormat::Csv)) => csv(&summary)?,
        (None, Some(RowFormat::BfsProver)) => rows(&run, &summary, BfsProverRow::new)?,
        (None, Some(RowFormat::Reprover)) => rows(&run, &summary, ReProverRow::new)?,
        (None, None) if args.json => as_json(&summary)?,
        (None, None) => tables::table(&summary) + "\n",
    };
    report::print(&text)?;
    Ok(Exit::Success)
}

/// The theorem with this id, or else the only one with this name.
fn find<'a, 'b>(
    summary: &'a RunSummary<'b>,
    run: &RunFolder,
    id: &str,
) -> anyhow::Result<&'a TheoremSummary<'b>> {
    if let Some(theorem) = summary.theorems.iter().find(|t| t.theorem == id) {
        return Ok(theorem);
    }
    let named = summary.theorems.iter().zip(&run.problems).filter(|(_, p)| p.theorem.name == id);
    let named: Vec<&TheoremSummary<'_>> = named.map(|(theorem, _)| theorem).collect();
    let ids = |theorems: &[&TheoremSummary<'_>]| {
        theorems.iter().take(10).map(|t| format!("`{}`", t.theorem)).collect::<Vec<_>>().join(", ")
    };
    match named[..] {
        [theorem] => Ok(theorem),
        [] => {
            let alike: Vec<_> = summary.theorems.iter().filter(|t| t.theorem.contains(id)).collect();
            let hint = match &alike[..] {
                [] => format!("`andor results {}` lists those it has", run.path.display()),
                alike => format!("it has {}", ids(alike)),
            };
            bail!("--theorem: the run has no theorem `{id}`; {hint}")
        }
        _ => bail!("--theorem: several theorems have the name `{id}`: {}", ids(&named)),
    }
}

/// One line per theorem, and a summary line.
fn as_json(summary: &RunSummary<'_>) -> anyhow::Result<String> {
    let theorems = summary.theorems.iter().map(|theorem| ResultsLine::Theorem(TheoremLine::short(theorem)));
    theorems.chain([ResultsLine::Summary(&summary.totals)]).map(|l| line(&l)).collect()
}

fn line(record: &ResultsLine<'_>) -> anyhow::Result<String> {
    Ok(serde_json::to_string(record)? + "\n")
}

fn csv(summary: &RunSummary<'_>) -> anyhow::Result<String> {
    let mut text = Vec::new();
    summary::theorems(&summary.theorems).write_csv(&mut text)?;
    Ok(String::from_utf8(text)?)
}

fn rows<R: Serialize>(
    run: &RunFolder,
    summary: &RunSummary<'_>,
    row: impl Fn(&Problem, &TheoremSummary<'_>) -> Option<R>,
) -> anyhow::Result<String> {
    let mut text = String::new();
    let mut problems = run.problems.iter();
    for theorem in &summary.theorems {
        // Both are in the order of the corpus.
        let problem = problems.find(|p| p.theorem.id == theorem.theorem).expect("its problem is in the run");
        // A theorem without attempts has no row.
        if let Some(row) = row(problem, theorem) {
            text.push_str(&serde_json::to_string(&row)?);
            text.push('\n');
        }
    }
    Ok(text)
}

/// The details of a theorem: its attempts, and the best proof.
fn one(theorem: &TheoremSummary<'_>) -> String {
    let mut out = format!(
        "{} ({}, statement {}): proved by {} of {}\n",
        shown::line(theorem.theorem),
        theorem.system,
        theorem.statement_digest,
        theorem.solved,
        counting(theorem.attempts)
    );
    for result in theorem.results.iter().chain(&theorem.blind_results) {
        attempt(&mut out, result);
    }
    match theorem.best.and_then(|best| Some((best, best.source.as_ref()?))) {
        Some((best, source)) => {
            let _ = write!(out, "\n{} of attempt {}:\n\n{}\n", proof(best), best.attempt, source.trim_end());
        }
        None if theorem.results.is_empty() => out.push_str("no attempt yet\n"),
        None => out.push_str("no proof\n"),
    }
    out
}

/// The number of attempts that count.
fn counting(attempts: u32) -> String {
    let count = if attempts == 1 { "counts" } else { "count" };
    format!("{} that {count}", report::count(attempts.into(), "attempt"))
}

fn proof(result: &AttemptResult) -> String {
    let steps = report::count(result.proof_steps.len() as u64, "step");
    let level = result.verification_level.map(report::level);
    let verified = level.map_or(String::new(), |level| report::verified_result(level, result));
    format!("proof ({steps}; {verified})")
}

fn attempt(out: &mut String, result: &AttemptResult) {
    let (spent, seconds) = (&result.spent, result.timing.total_ms / 1e3);
    let _ = writeln!(
        out,
        "{}attempt {} (seed {}): {}, {seconds:.2} s, {}, {}, {} ({} explored)",
        match result.role {
            Role::Configured => "",
            Role::Blind => "blind ",
        },
        result.attempt,
        result.seed,
        report::ending(result),
        report::count(spent.candidates, "candidate"),
        report::count(spent.expansions, "expansion"),
        report::count(spent.nodes, "node"),
        spent.explored_nodes
    );
    if result.stop_detail != result.stop_reason {
        let _ = writeln!(out, "  ended by: {}", shown::message(&hint::ending(result)));
        for line in report::closest(result) {
            let _ = writeln!(out, "{line}");
        }
    }
    if let Some(plan) = &result.plan {
        let steps = report::count(plan.steps.len() as u64, "step");
        let _ = writeln!(
            out,
            "  plan: {steps}, {} proved, {} of them from the first on",
            plan.proved, plan.progress
        );
    }
    if let Some(sharing) = &result.sharing {
        let _ = writeln!(out, "  {}", report::sharing(sharing));
    }
    if let Some(shortfall) = &result.verification_shortfall {
        let _ = writeln!(out, "  not verified further: {}", shown::message(shortfall));
    }
    for claim in &result.rejected_claims {
        let (reason, message) = (shown::line(&claim.reason), shown::message(&claim.message));
        let permission = shown::line(&hint::permission_of(claim));
        let _ = writeln!(out, "  claim rejected at level {}, {reason}: {message}{permission}", claim.level);
    }
    if let Some(error) = &result.infrastructure_error {
        let _ = writeln!(out, "  infrastructure failure: {}", shown::message(error));
    }
}
