//! `andor-lab corpus`

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write};
use std::time::Instant;

use andor_artifact::files::ensure_replaceable;
use andor_config::{Config, overlay};
use andor_env::source;
use andor_lab::corpus::{self, Checked, CorpusRequest, CorpusSummary};
use andor_terminal::exit::Exit;
use andor_terminal::{report, shown};
use anyhow::Context;
use serde_json::json;

use super::keep_existing;
use crate::args::{CorpusArgs, CorpusCommand, RocqStdlibArgs};

pub(crate) async fn run(args: &CorpusArgs) -> anyhow::Result<Exit> {
    match &args.of {
        CorpusCommand::RocqStdlib(args) => rocq_stdlib(args).await,
    }
}

/// Writes the file only when all rows are complete, so that it never holds half a corpus.
async fn rocq_stdlib(args: &RocqStdlibArgs) -> anyhow::Result<Exit> {
    ensure_replaceable(&args.out)?;
    keep_existing([&args.out], args.force, "another file")?;
    let folder = args.out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        fs_err::create_dir_all(folder)?;
    }
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(".".as_ref()))
        .with_context(|| format!("cannot write beside {}", args.out.display()))?;
    let mut config =
        Config { allowed_axioms: source::expanded_axioms(&args.allow_axioms), ..Config::default() };
    overlay(&mut config, &args.sandbox.0);
    config.validate()?;
    let request = CorpusRequest {
        folders: args.folders.clone(),
        sample: args.sample,
        seed: args.seed,
        jobs: args.jobs.get(),
    };
    let (began, mut log, mut done) = (Instant::now(), io::stderr().lock(), 0);
    let (rows, summary) = corpus::rocq_stdlib(&request, &config, |checked, left| {
        done += 1;
        // Standard error may be closed.
        if let Checked::Refused { id, why, message } = checked {
            let last = message.lines().last().unwrap_or_default();
            let _ = writeln!(log, "{}", shown::line(&format!("{id}: refused ({why}): {last}")));
        }
        if left == 0 || done % CHECKED_BETWEEN_LINES == 0 {
            let _ = writeln!(log, "{done} checked, {left} left, {} s", began.elapsed().as_secs());
        }
    })
    .await?;
    for row in &rows {
        writeln!(file, "{}", json!(row))?;
    }
    file.persist(&args.out).with_context(|| format!("cannot write {}", args.out.display()))?;
    if args.json {
        report::print(&format!("{}\n", json!(summary)))?;
    } else {
        report::print(&text(&summary, args, began.elapsed().as_secs()))?;
    }
    Ok(Exit::Success)
}

/// Number of theorems between two progress lines.
const CHECKED_BETWEEN_LINES: usize = 20;

/// The summary as text.
fn text(summary: &CorpusSummary, args: &RocqStdlibArgs, seconds: u64) -> String {
    let refused: usize = summary.refused.values().sum();
    format!(
        "{}: {} rows ({}), every one checked with its own proof; {refused} refused{}; {seconds} s\n  \
         {} theorems found, {} of them in functors and module types, where they have no global name\n",
        args.out.display(),
        summary.rows(),
        counts(&summary.taken, ", "),
        if refused == 0 { String::new() } else { format!(" ({})", counts(&summary.refused, ", ")) },
        summary.found,
        summary.hidden,
    )
}

fn counts<K: Display>(counts: &BTreeMap<K, usize>, between: &str) -> String {
    counts.iter().map(|(what, n)| format!("{what} {n}")).collect::<Vec<_>>().join(between)
}
