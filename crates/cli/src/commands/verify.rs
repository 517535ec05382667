//! `andor verify`

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_core::theorem::Theorem;
use andor_dataset::{self as dataset, project};
use andor_report::trace::replay::SearchSummary;
use andor_report::verify::{self, Request, Trusted, Verified, VerifyError};
use andor_run::blueprint;
use andor_run::folder::{FolderError, RunFolder};
use andor_terminal::exit::Exit;
use andor_terminal::progress::{Progress, say};
use andor_terminal::{report, shown};
use anyhow::bail;
use serde_json::json;

use super::check::interrupted;
use super::export::shown_on;
use crate::args::VerifyArgs;
use crate::settings;

pub(crate) async fn run(args: &VerifyArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let trusted = match &args.statement_from {
        Some(file) => Some(trusted(file, &args.run, &progress)?),
        None => None,
    };
    let request = Request {
        path: &args.run,
        theorem: args.theorem.as_deref(),
        attempt: args.attempt,
        follow: args.follow,
        sandbox: !args.sandbox.has("--no-sandbox"),
        jobs: args.jobs.get(),
        trusted: trusted.as_ref(),
    };
    let bar = progress.lock().expect("progress does not panic").bar(0, "searches and proofs");
    let mut watch = shown_on(&bar);
    // Dropping the work kills its processes and removes its folders.
    let verified = tokio::select! {
        verified = verify::run(&request, &mut watch) => verified,
        () = interrupted() => return Ok(Exit::Interrupted),
    };
    bar.finish_and_clear();
    let mut found = match verified {
        // A trace may have been copied out of its run, or its attempt may have no result yet.
        Err(VerifyError::Folder(error @ FolderError::NoPart(_))) => {
            let trace = if args.run.is_dir() { args.run.join("trace.jsonl") } else { args.run.clone() };
            if !trace.is_file() {
                return Err(error.into());
            }
            if args.theorem.is_some() || args.attempt.is_some() || args.statement_from.is_some() {
                bail!(
                    "--theorem, --attempt and --statement-from apply to a run folder, but `{}` is a single trace",
                    args.run.display()
                );
            }
            verify::trace(&trace, args.follow)?
        }
        found => found?,
    };
    if let Some(expected) = &args.expect {
        compare(expected, &mut found)?;
    }
    let exit = match (found.holds(), found.unjudged) {
        (false, _) => Exit::NotProved,
        (true, 0) => Exit::Success,
        (true, _) => Exit::Infrastructure,
    };
    if args.json {
        let mut record = serde_json::to_value(&found)?;
        record["holds"] = json!(found.holds());
        record["statement_from"] = json!(args.statement_from);
        report::print(&(serde_json::to_string_pretty(&record)? + "\n"))?;
    } else {
        report::print(&text(args, &found))?;
    }
    Ok(exit)
}

/// What a file states, as a run of it would.
fn trusted(file: &Path, run: &Path, progress: &Mutex<Progress>) -> anyhow::Result<Trusted> {
    let RunFolder { mut config, problems, .. } = RunFolder::read_part(run)?;
    let project = config.project.clone();
    let mut prelude = |system| settings::apply_project(&mut config, file, system, |text| say(progress, text));
    let system = problems.first().map(|problem| problem.theorem.system);
    if blueprint::is_blueprint(file) {
        let mut trusted = blueprint::read(file, system)?;
        trusted.header.insert_str(0, &prelude(trusted.system)?);
        return Ok(Trusted::Blueprint(Box::new(trusted)));
    }
    let read = dataset::read(file, system, project.as_deref())?;
    for note in &read.notes {
        say(progress, &format!("note: {note}"));
    }
    let prelude = match project::system_of(file, &read.problems) {
        Some(system) => prelude(system)?,
        None => String::new(),
    };
    let theorems = read.problems.into_iter().map(|problem| problem.theorem);
    let theorems =
        theorems.map(|theorem| Theorem { header: format!("{prelude}{}", theorem.header), ..theorem });
    Ok(Trusted::Theorems(theorems.collect()))
}

/// Compares the digest of the only tree with one that the user has.
fn compare(expected: &str, found: &mut Verified) -> anyhow::Result<()> {
    let searches: Vec<(&String, &SearchSummary)> = found.searches.iter().collect();
    let remark = match searches[..] {
        [(file, search)] if search.tree_digest != expected => verify::Remark {
            file: file.clone(),
            theorem: None,
            attempt: None,
            what: format!("the rebuilt tree has the digest {}, not {expected}", search.tree_digest),
        },
        [] | [_] => return Ok(()),
        _ => bail!("--expect applies to a single trace; choose one with --theorem and --attempt"),
    };
    found.fails.push(remark);
    Ok(())
}

fn text(args: &VerifyArgs, found: &Verified) -> String {
    let mut out = String::new();
    for remark in &found.fails {
        let _ = writeln!(out, "{}", shown::message(&remark.to_string()));
    }
    for remark in &found.not_recomputed {
        let _ = writeln!(out, "not recomputed: {}", shown::message(&remark.to_string()));
    }
    let searches: Vec<&SearchSummary> = found.searches.values().collect();
    let choices = report::count(searches.iter().map(|search| search.choices).sum(), "choice");
    let trees = report::count(searches.len() as u64, "tree");
    let _ = writeln!(out, "{trees} rebuilt, {choices} of agents made again with the same result");
    if let [SearchSummary { nodes, steps, iterations, tree_digest, .. }] = searches[..] {
        let counts = [(*nodes, "node"), (*steps, "step"), (*iterations, "iteration")];
        let counts = counts.map(|(n, noun)| report::count(n, noun)).join(", ");
        let _ = writeln!(out, "tree {tree_digest}: {counts}");
    }
    let proofs: u64 = found.proofs.values().sum();
    let of_level = found.proofs.iter().map(|(level, n)| format!("{n} at {}", report::level(*level)));
    let levels: Vec<String> = of_level.collect();
    let listed = |what: &str, names: &BTreeSet<String>| match names.is_empty() {
        true => String::new(),
        false => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("; {what} {}", shown::line(&names.join(", ")))
        }
    };
    let _ = match proofs {
        0 => writeln!(out, "no proof judged again and accepted"),
        n => writeln!(
            out,
            "{} judged again and accepted: {}{}{}{}{}",
            report::count(n, "proof"),
            levels.join(", "),
            if found.axioms.is_empty() { "; no axioms".to_owned() } else { listed("axioms:", &found.axioms) },
            listed("trusting", &found.trusted_bugs),
            listed("for universes up to those of:", &found.universes),
            listed(
                "with modules of:",
                &found.folders.iter().map(|folder| folder.display().to_string()).collect()
            ),
        ),
    };
    let _ = match &args.statement_from {
        Some(file) => writeln!(out, "statements: compared with {}", shown::line(&file.display().to_string())),
        None => {
            writeln!(out, "statements: as run.db has them; compare them with yours by --statement-from FILE")
        }
    };
    let (fails, unjudged) = (found.fails.len() as u64, found.unjudged);
    let _ = match (fails, unjudged) {
        (0, 0) => writeln!(out, "holds"),
        (0, n) => writeln!(out, "not decided: {} could not be judged here", report::count(n, "proof")),
        (n, _) => writeln!(out, "does not hold: {}", report::count(n, "contradiction")),
    };
    out
}
