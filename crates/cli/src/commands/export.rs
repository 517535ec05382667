//! `andor export`

use std::sync::{Arc, Mutex};

use andor_artifact::files::FileError;
use andor_report::export::{self, Encoding, Export, ExportError, Exported, Format, Writer};
use andor_run::folder::RunFolder;
use tokio_util::sync::CancellationToken;

use crate::args::{ExportArgs, usage};
use crate::exit::Exit;
use crate::interrupt::cancel_on_interrupt;
use crate::progress::Progress;
use crate::{report, shown};

/// Number of skipped attempts that are named; the others are counted.
const NAMED: usize = 10;

pub(crate) async fn run(args: &ExportArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let what = what(args)?;
    let mut run = RunFolder::read(&args.run)?;
    // The recorded setting is ignored, since the run may come from someone else.
    run.config.workers.sandbox = !args.sandbox.has("--no-sandbox");
    let columns = what.format.columns(what.chat);
    let writer = match &args.out {
        Some(path) => {
            let encoding = if args.parquet { Encoding::Parquet } else { Encoding::JsonLines };
            Writer::file(columns, path, encoding)?
        }
        None => Writer::stream(columns, report::stdout()),
    };
    let cancel = CancellationToken::new();
    cancel_on_interrupt(&cancel, Arc::clone(&progress));
    let bar = progress.lock().expect("progress does not panic").bar(0, "attempts replayed");
    let mut told = |done: u64, total: u64| {
        bar.set_length(total);
        bar.set_position(done);
    };
    let exported = export::export(&run, &what, writer, &cancel, &mut told).await;
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

fn what(args: &ExportArgs) -> anyhow::Result<Export> {
    if args.chat && !args.format.has_conversations() {
        let name = args.format.name();
        return Err(usage("export", format!("--chat does not apply to {name}, only to sft and dpo")));
    }
    if args.complete_pairs && args.format != Format::Dpo {
        let name = args.format.name();
        return Err(usage("export", format!("--complete-pairs does not apply to {name}, only to dpo")));
    }
    let separator =
        args.separator.clone().unwrap_or(if args.chat { String::new() } else { ":::".to_owned() });
    Ok(Export {
        format: args.format,
        view: args.view,
        separator,
        chat: args.chat,
        complete_pairs: args.complete_pairs,
        theorems: args.theorem.clone(),
        jobs: args.jobs.get(),
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
