//! `andor export`

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_artifact::code::{CodeOutcome, CodeResult};
use andor_artifact::files::{FileError, write_bytes};
use andor_artifact::folders::attempt_folder;
use andor_artifact::result::{AttemptResult, Outcome};
use andor_report::export::{
    self, DatasetReport, DatasetRequest, Encoding, Export, ExportError, Exported, Format, View, Writer,
};
use andor_rollout::journal;
use andor_rollout::proof::JOURNAL;
use andor_rollout::trajectory::{branch_pairs, trajectories};
use andor_run::folder::{RunFolder, some_ids};
use andor_terminal::exit::Exit;
use andor_terminal::interrupt::cancel_on_interrupt;
use andor_terminal::progress::Progress;
use andor_terminal::{report, shown};
use anyhow::bail;
use indicatif::ProgressBar;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::args::{Content, ExportArgs, usage};
use crate::features;

/// Number of skipped attempts that are named; the others are counted.
const NAMED: usize = 10;

pub(crate) async fn run(args: &ExportArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let format = match args.format {
        Content::Rows(format) => format,
        Content::LeanTerm => return lean_terms(args, &progress),
        Content::Trajectories | Content::BranchPairs => return rollouts(args, &progress),
    };
    let what = what(args, format)?;
    if args.parquet {
        features::parquet("--parquet")?;
    }
    if let Some(folder) = &args.dataset.dataset {
        features::parquet("--dataset")?;
        return dataset(args, what, folder, progress).await;
    }
    if args.json && args.out.is_none() {
        return Err(usage(
            "export",
            "--json needs --out or --dataset: standard output has the rows".to_owned(),
        ));
    }
    let run = replayable(the_run(args)?, args)?;
    let columns = what.format.columns(what.chat);
    let writer = match &args.out {
        Some(path) => {
            let encoding = if args.parquet { Encoding::Parquet } else { Encoding::JsonLines };
            Writer::file(columns, path, encoding)?
        }
        None => Writer::stream(columns, report::stdout()),
    };
    let cancel = CancellationToken::new();
    let _listening = cancel_on_interrupt(&cancel, Arc::clone(&progress));
    let bar = replay_bar(&progress);
    let exported = export::export(&run, &what, writer, &cancel, &mut shown_on(&bar)).await;
    bar.finish_and_clear();
    let exported = match exported {
        Err(ExportError::Interrupted) => return Ok(Exit::Interrupted),
        // Returned unwrapped, so that a closed pipe is recognised.
        Err(ExportError::File(FileError::Io(error))) => return Err(error.into()),
        exported => exported?,
    };
    progress.lock().expect("progress does not panic").say_lines(&summary(&exported));
    if args.json {
        report::print(&(serde_json::to_string(&exported)? + "\n"))?;
    }
    Ok(if exported.rows > 0 { Exit::Success } else { Exit::NotProved })
}

/// The run of an export of a single one.
fn the_run(args: &ExportArgs) -> anyhow::Result<&Path> {
    match args.runs.as_slice() {
        [run] => Ok(run),
        _ => Err(usage("export", "only --dataset takes several runs".to_owned())),
    }
}

/// Reads a run. The recorded setting of the sandbox is ignored, since the run may come from someone else.
fn replayable(path: &Path, args: &ExportArgs) -> anyhow::Result<RunFolder> {
    let mut run = RunFolder::read(path)?;
    run.config.workers.sandbox = !args.sandbox.has("--no-sandbox");
    Ok(run)
}

/// Shows how many attempts are replayed.
fn replay_bar(progress: &Mutex<Progress>) -> ProgressBar {
    progress.lock().expect("progress does not panic").bar(0, "attempts replayed")
}

/// Moves the bar to what is done of the total.
pub(super) fn shown_on(bar: &ProgressBar) -> impl FnMut(u64, u64) + Send {
    |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    }
}

/// Writes a data set to share.
async fn dataset(
    args: &ExportArgs,
    what: Export,
    folder: &Path,
    progress: Arc<Mutex<Progress>>,
) -> anyhow::Result<Exit> {
    let given = &args.dataset;
    let (validation, test) = (given.validation.unwrap_or(0.0), given.test.unwrap_or(0.0));
    if validation + test > 1.0 {
        return Err(usage("export", "--validation and --test are more than the whole".to_owned()));
    }
    if args.runs.len() > 1 && !args.theorem.is_empty() {
        return Err(usage("export", "--theorem needs a single run".to_owned()));
    }
    let runs = args.runs.iter().map(|run| replayable(run, args)).collect::<Result<Vec<_>, _>>()?;
    let request = DatasetRequest {
        what,
        folder: folder.to_owned(),
        licence: given.licence.clone().unwrap_or_else(|| "unknown".to_owned()),
        validation,
        test,
        near_duplicate: given.near_duplicate.unwrap_or(DatasetRequest::NEAR_DUPLICATE),
        drop_near_duplicates: given.drop_near_duplicates,
        benchmarks: given.benchmark.clone(),
        drop_contaminated: given.drop_contaminated,
    };
    let cancel = CancellationToken::new();
    let _listening = cancel_on_interrupt(&cancel, Arc::clone(&progress));
    let bar = replay_bar(&progress);
    let report = export::dataset(&runs, &request, &cancel, &mut shown_on(&bar)).await;
    bar.finish_and_clear();
    let report = match report {
        Err(ExportError::Interrupted) => return Ok(Exit::Interrupted),
        report => report?,
    };
    progress.lock().expect("progress does not panic").say_lines(&of_dataset(&report));
    if args.json {
        report::print(&(serde_json::to_string(&report)? + "\n"))?;
    }
    Ok(if report.rows() > 0 { Exit::Success } else { Exit::NotProved })
}

/// What a data set has, for people.
fn of_dataset(report: &DatasetReport) -> String {
    let mut lines = Vec::new();
    for run in &report.runs {
        let (name, accepted, attempts) = (shown::line(&run.name), run.accepted, run.attempts);
        let (replayed, left_out, skipped) = (run.replayed, run.left_out, run.skipped);
        lines.push(format!(
            "{name}: {accepted} of {attempts} attempts accepted; {replayed} recorded tactics replayed, {left_out} did not, {skipped} attempts skipped"
        ));
    }
    let duplicates = &report.duplicates;
    let kept = |dropped: bool| if dropped { "left out" } else { "kept" };
    lines.push(format!(
        "{} rows repeated others: left out; {} equal up to names and {} near duplicates: {}",
        duplicates.exact,
        duplicates.up_to_names,
        duplicates.near,
        kept(duplicates.dropped)
    ));
    for benchmark in &report.contamination {
        let rows: u64 = benchmark.found.iter().map(|overlap| overlap.rows).sum();
        lines.push(format!(
            "{}: {rows} rows of {} of its {} theorems: {}",
            shown::line(&benchmark.benchmark),
            benchmark.counterparts(),
            benchmark.theorems,
            kept(report.dropped_contaminated)
        ));
        if !benchmark.not_opened.is_empty() {
            let n = benchmark.not_opened.len();
            lines.push(format!("  {n} of them cannot be opened here and were compared by their text only"));
        }
    }
    for split in &report.splits {
        lines.push(format!("{}: {} rows of {} theorems", split.name, split.rows, split.theorems));
    }
    if report.splits.is_empty() {
        lines.push("nothing to export: no row is left".to_owned());
    }
    lines.join("\n")
}

/// Writes proofs as terms for Lean: a single one to standard output, or each to a file in a folder.
fn lean_terms(args: &ExportArgs, progress: &Mutex<Progress>) -> anyhow::Result<Exit> {
    refuse_options_of_rows(args)?;
    let say = |text: &str| progress.lock().expect("progress does not panic").say_lines(text);
    let proofs = export::lean_terms(&RunFolder::read(the_run(args)?)?, &args.theorem)?;
    match (&args.out, proofs.as_slice()) {
        (_, []) => {
            say("nothing to export: the run has no accepted proof of mini");
            return Ok(Exit::NotProved);
        }
        (None, [proof]) => report::stdout().write_all(proof.text.as_bytes())?,
        (None, proofs) => {
            let n = proofs.len();
            return Err(usage(
                "export",
                format!("the run has {n} proofs: name a folder by --out, or one theorem by --theorem"),
            ));
        }
        (Some(folder), proofs) => {
            fs_err::create_dir_all(folder)?;
            for proof in proofs {
                write_bytes(&folder.join(&proof.file), proof.text.as_bytes())?;
            }
            say(&format!(
                "{} proofs written to {}",
                proofs.len(),
                shown::line(&folder.display().to_string())
            ));
        }
    }
    Ok(Exit::Success)
}

/// Options for rows of tactics have no effect on other content.
fn refuse_options_of_rows(args: &ExportArgs) -> anyhow::Result<()> {
    let without_effect = [
        ("--parquet", args.parquet),
        ("--view", args.view.is_some()),
        ("--separator", args.separator.is_some()),
        ("--chat", args.chat),
        ("--complete-pairs", args.complete_pairs),
        ("--jobs", args.jobs.is_some()),
        ("--json", args.json),
        ("--dataset", args.dataset.dataset.is_some()),
        ("--no-sandbox", args.sandbox.has("--no-sandbox")),
    ];
    match without_effect.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => {
            Err(usage("export", format!("{option} does not apply to {}", args.format.name())))
        }
        None => Ok(()),
    }
}

/// A row of an export of agents' searches.
#[derive(Serialize)]
struct AgentRow<R> {
    theorem: String,
    attempt: u32,
    #[serde(flatten)]
    row: R,
}

/// Writes conversations of agents, a row each.
fn rollouts(args: &ExportArgs, progress: &Mutex<Progress>) -> anyhow::Result<Exit> {
    refuse_options_of_rows(args)?;
    let Attempts { theorems, attempts } = attempts(args)?;
    let wanted = |id: &String| args.theorem.is_empty() || args.theorem.contains(id);
    if let Some(unknown) = args.theorem.iter().find(|id| !theorems.contains(id)) {
        bail!("--theorem: the run has no theorem `{unknown}`; it has: {}", some_ids(&theorems));
    }
    let mut rows = String::new();
    for Ended { theorem, attempt, is_solved } in attempts.into_iter().filter(|ended| wanted(&ended.theorem)) {
        let journal = attempt_folder(the_run(args)?, &theorem, attempt).join(JOURNAL);
        if !journal.is_file() {
            continue;
        }
        let mut tree = journal::read(&journal)?.tree;
        if !is_solved {
            tree = tree.without_solutions();
        }
        let mut add = |row: serde_json::Value| -> anyhow::Result<()> {
            let theorem = theorem.clone();
            rows += &(serde_json::to_string(&AgentRow { theorem, attempt, row })? + "\n");
            Ok(())
        };
        if args.format == Content::Trajectories {
            trajectories(&tree)?.iter().try_for_each(|row| add(serde_json::to_value(row)?))?;
        } else {
            branch_pairs(&tree)?.iter().try_for_each(|row| add(serde_json::to_value(row)?))?;
        }
    }
    let n = rows.lines().count();
    if n == 0 {
        progress
            .lock()
            .expect("progress does not panic")
            .say_lines("nothing to export: no branch of the run qualifies");
        return Ok(Exit::NotProved);
    }
    match &args.out {
        Some(path) => {
            write_bytes(path, rows.as_bytes())?;
            let text = format!("{n} {} written", args.format.name());
            progress.lock().expect("progress does not panic").say_lines(&text);
        }
        None => report::stdout().write_all(rows.as_bytes())?,
    }
    Ok(Exit::Success)
}

/// The attempts of a run of agents.
struct Attempts {
    /// The ids of its theorems or tasks.
    theorems: Vec<String>,
    attempts: Vec<Ended>,
}

/// An attempt that ended.
struct Ended {
    /// The id of its theorem or task.
    theorem: String,
    attempt: u32,
    is_solved: bool,
}

fn attempts(args: &ExportArgs) -> anyhow::Result<Attempts> {
    let path = the_run(args)?;
    if let Some((record, results)) = andor_run::code::results(path)? {
        let ended = |CodeResult { task, attempt, outcome, .. }: CodeResult| Ended {
            theorem: task,
            attempt,
            is_solved: outcome == CodeOutcome::Solved,
        };
        let attempts = results.into_iter().map(ended).collect();
        return Ok(Attempts { theorems: record.theorems, attempts });
    }
    let run = RunFolder::read(path)?;
    if run.config.agent.is_none() {
        bail!(
            "`{}` is no run of agents; {} needs one made by `andor agent`",
            path.display(),
            args.format.name()
        );
    }
    let ended = |AttemptResult { theorem, attempt, outcome, .. }: AttemptResult| Ended {
        theorem,
        attempt,
        is_solved: outcome == Outcome::Accepted,
    };
    let attempts = run.results.into_iter().map(ended).collect();
    Ok(Attempts { theorems: run.record.theorems, attempts })
}

fn what(args: &ExportArgs, format: Format) -> anyhow::Result<Export> {
    if args.chat && !format.has_conversations() {
        let name = format.name();
        return Err(usage("export", format!("--chat does not apply to {name}, only to sft and dpo")));
    }
    if args.complete_pairs && format != Format::Dpo {
        let name = format.name();
        return Err(usage("export", format!("--complete-pairs does not apply to {name}, only to dpo")));
    }
    let separator =
        args.separator.clone().unwrap_or(if args.chat { String::new() } else { ":::".to_owned() });
    Ok(Export {
        format,
        view: args.view.unwrap_or(View::Pp),
        separator,
        chat: args.chat,
        complete_pairs: args.complete_pairs,
        theorems: args.theorem.clone(),
        jobs: args.jobs.map_or(1, NonZeroUsize::get),
    })
}

fn summary(exported: &Exported) -> String {
    let Exported { format, rows, theorems, attempts, replayed, left_out, .. } = exported;
    let Exported { screened, completed, duplicates, unsuited, skipped, .. } = exported;
    let mut lines: Vec<String> = skipped
        .iter()
        .take(NAMED)
        .map(|s| {
            let (theorem, reason) = (shown::line(&s.theorem), shown::message(&s.reason));
            format!("{theorem}, attempt {}: skipped: {reason}", s.attempt)
        })
        .collect();
    if skipped.len() > NAMED {
        lines.push(format!("and {} more attempts skipped", skipped.len() - NAMED));
    }
    if *attempts == 0 && skipped.is_empty() {
        let missing = if *format == Format::Steps { "no finished attempt" } else { "no accepted proof" };
        lines.push(format!("nothing to export: the run has {missing}"));
        return lines.join("\n");
    }
    let did_not = match left_out {
        0 => String::new(),
        n => format!(", {n} did not: left out"),
    };
    lines.push(format!("{attempts} attempts: {replayed} recorded tactics replayed{did_not}"));
    if *screened > 0 {
        lines.push(format!(
            "{screened} recorded tactics were left out, since they were never sent to the proof assistant"
        ));
    }
    if *completed > 0 {
        lines.push(format!("{completed} tactics completed that the search had not tried"));
    }
    let mut written = format!("{rows} {} rows of {theorems} theorems", format.name());
    for (n, why) in
        [(duplicates, "repeated others"), (unsuited, "had a state that LeanDojo's readers refuse")]
    {
        if *n > 0 {
            written += &format!("; {n} more {why}: left out");
        }
    }
    lines.push(written);
    lines.join("\n")
}
