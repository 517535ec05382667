//! `andor runs`

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use andor_report::summary;
use andor_run::code;
use andor_run::folder::RunFolder;
use andor_terminal::exit::Exit;
use andor_terminal::report::{self, Align, aligned};
use anyhow::{Context, bail};
use serde::Serialize;

use crate::args::RunsArgs;

pub(crate) fn run(args: &RunsArgs) -> anyhow::Result<Exit> {
    if !args.folder.is_dir() {
        bail!("no folder `{}`; give a folder that contains runs", args.folder.display());
    }
    let mut entries: Vec<Entry> = folders(&args.folder)?.iter().map(|folder| entry(folder)).collect();
    entries.sort_by(|a, b| (&a.began, &a.folder).cmp(&(&b.began, &b.folder)));
    let text = if args.json {
        entries.iter().map(|e| Ok(serde_json::to_string(e)? + "\n")).collect::<anyhow::Result<String>>()?
    } else if entries.is_empty() {
        format!("no runs in `{}`; `andor run --out` writes them\n", args.folder.display())
    } else {
        table(&entries)
    };
    report::print(&text)?;
    Ok(Exit::Success)
}

/// A run in the list.
#[derive(Serialize)]
struct Entry {
    folder: PathBuf,
    /// In UTC, RFC 3339.
    began: Option<String>,
    systems: BTreeSet<&'static str>,
    theorems: usize,
    attempts: usize,
    attempts_planned: usize,
    proved: usize,
    finished: bool,
    config_digest: Option<String>,
    /// Why the run cannot be read.
    error: Option<String>,
}

fn entry(folder: &Path) -> Entry {
    let read = match folder.join(code::RESULTS).is_file() {
        true => of_tasks(folder),
        false => of_theorems(folder),
    };
    read.unwrap_or_else(|error| Entry {
        folder: folder.to_owned(),
        began: None,
        systems: BTreeSet::new(),
        theorems: 0,
        attempts: 0,
        attempts_planned: 0,
        proved: 0,
        finished: false,
        config_digest: None,
        error: Some(error.to_string()),
    })
}

fn of_theorems(folder: &Path) -> anyhow::Result<Entry> {
    let run = RunFolder::read(folder)?;
    let totals = summary::of_folder(&run).totals;
    Ok(Entry {
        folder: folder.to_owned(),
        began: Some(run.record.started_at),
        systems: run.problems.iter().map(|p| p.theorem.system.name()).collect(),
        theorems: totals.theorems,
        attempts: totals.attempts_finished,
        attempts_planned: totals.attempts_planned,
        proved: totals.proved(),
        finished: totals.is_finished(),
        config_digest: Some(run.record.config_digest),
        error: None,
    })
}

/// A run of agents over programming tasks, which count as its theorems.
fn of_tasks(folder: &Path) -> anyhow::Result<Entry> {
    let (record, results) = code::results(folder)?.context("it has no results")?;
    let summary = code::summarise(&record.theorems, record.pass_k, &results);
    Ok(Entry {
        folder: folder.to_owned(),
        began: Some(record.started_at),
        systems: BTreeSet::from(["code"]),
        theorems: summary.tasks,
        attempts: summary.finished,
        attempts_planned: summary.planned,
        proved: summary.solved,
        finished: summary.finished == summary.planned,
        config_digest: Some(record.config_digest),
        error: None,
    })
}

fn table(entries: &[Entry]) -> String {
    let headings =
        ["run", "system", "began (UTC)", "theorems", "attempts", "proved", "state", "configuration"];
    let mut rows = vec![headings.map(str::to_owned)];
    rows.extend(entries.iter().map(row));
    aligned(&rows, Align::Left).join("\n") + "\n"
}

fn row(entry: &Entry) -> [String; 8] {
    let folder = entry.folder.display().to_string();
    if let Some(error) = &entry.error {
        let nothing = || "-".to_owned();
        return [
            folder,
            nothing(),
            nothing(),
            nothing(),
            nothing(),
            nothing(),
            format!("unreadable: {error}"),
            String::new(),
        ];
    }
    let systems: Vec<&str> = entry.systems.iter().copied().collect();
    // Cut to seconds.
    let began = entry.began.as_deref().unwrap_or_default();
    let began = began.get(..19).unwrap_or(began).replace('T', " ");
    let state = if entry.finished { "finished" } else { "resumable" };
    [
        folder,
        systems.join(", "),
        began,
        entry.theorems.to_string(),
        format!("{}/{}", entry.attempts, entry.attempts_planned),
        entry.proved.to_string(),
        state.to_owned(),
        entry.config_digest.clone().unwrap_or_default(),
    ]
}

/// The folders of runs in `folder`, itself included. Folders inside a run are skipped, and links are not followed.
fn folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = waiting.pop() {
        if ["run.db", code::RESULTS].iter().any(|file| folder.join(file).is_file()) {
            found.push(folder);
            continue;
        }
        for entry in fs_err::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                waiting.push(entry.path());
            }
        }
    }
    Ok(found)
}
