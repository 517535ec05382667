//! The data card of a data set: `README.md`, whose head Hugging Face's libraries read.

use std::fmt::Write as _;

use super::super::table::{Column, ColumnKind};
use super::{DatasetReport, Format};

/// The most theorems that the card names; the report has all.
const NAMED: usize = 20;

/// The text of the card.
pub(super) fn card(report: &DatasetReport, columns: &[Column]) -> String {
    let mut text = String::from("---\n");
    head(&mut text, report, columns).expect("writing to a string does not fail");
    text += "---\n";
    body(&mut text, report).expect("writing to a string does not fail");
    text
}

fn head(text: &mut String, report: &DatasetReport, columns: &[Column]) -> std::fmt::Result {
    let rows: u64 = report.splits.iter().map(|split| split.rows).sum();
    writeln!(text, "pretty_name: {}", quoted(&report.name))?;
    writeln!(text, "license: {}", report.licence)?;
    writeln!(text, "task_categories:\n- text-generation")?;
    writeln!(text, "tags:\n- theorem-proving\n- formal-mathematics")?;
    report.systems().iter().try_for_each(|system| writeln!(text, "- {system}"))?;
    writeln!(text, "size_categories:\n- {}", size(rows))?;
    writeln!(text, "configs:\n- config_name: default\n  data_files:")?;
    for split in &report.splits {
        writeln!(text, "  - split: {}\n    path: {}", split.name, quoted(&split.file))?;
    }
    writeln!(text, "dataset_info:\n  features:")?;
    for column in columns {
        writeln!(text, "  - name: {}\n    {}", column.name, kind(column.kind))?;
    }
    writeln!(text, "  splits:")?;
    report.splits.iter().try_for_each(|split| {
        writeln!(
            text,
            "  - name: {}\n    num_bytes: {}\n    num_examples: {}",
            split.name, split.bytes, split.rows
        )
    })
}

fn kind(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Text => "dtype: string",
        ColumnKind::Integer => "dtype: int64",
        ColumnKind::Number => "dtype: float64",
        ColumnKind::Truth => "dtype: bool",
        ColumnKind::Texts => "list: string",
        ColumnKind::Truths => "list: bool",
        ColumnKind::Messages => {
            "list:\n    - name: role\n      dtype: string\n    - name: content\n      dtype: string"
        }
    }
}

/// The class of a size, as Hugging Face names it.
fn size(rows: u64) -> &'static str {
    match rows {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        _ => "1M<n<10M",
    }
}

/// A text as a string of YAML, which has those of JSON.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}

/// A text within a table or a line of the card.
fn plain(text: &str) -> String {
    text.replace('|', "\\|").replace(char::is_control, " ").replace('`', "'")
}

fn body(text: &mut String, report: &DatasetReport) -> std::fmt::Result {
    let what = match report.format {
        Format::Sft => "a step of an accepted proof: a prompt and the tactic",
        Format::Dpo => "a step of an accepted proof, and a tactic that failed in its place",
        Format::Stepwise => "an accepted proof, or the beginning of one and a tactic that failed there",
        Format::Steps => "a tactic that a search tried, and what came of it",
    };
    writeln!(text, "\n# {}\n", plain(&report.name))?;
    writeln!(
        text,
        "Each row is {what} (format `{}`). Every tactic was replayed in a fresh proof assistant before it was written. \
         Made by andor {}; `report.json` has all numbers and digests.\n",
        report.format.name(),
        report.andor
    )?;
    writeln!(text, "| split | rows | theorems | file | digest |\n| --- | --- | --- | --- | --- |")?;
    for split in &report.splits {
        let (name, rows, theorems, file) = (split.name, split.rows, split.theorems, &split.file);
        writeln!(text, "| {name} | {rows} | {theorems} | `{file}` | `{}` |", split.digest)?;
    }
    writeln!(text, "\n{}\n", report.splitting)?;
    writeln!(text, "## Provenance\n")?;
    writeln!(text, "| run | begun | proof assistants | provers | attempts | accepted | digest |")?;
    writeln!(text, "| --- | --- | --- | --- | --- | --- | --- |")?;
    for run in &report.runs {
        let assistants: Vec<String> = run.assistants.values().flatten().map(|name| plain(name)).collect();
        let provers: Vec<String> = run.provers.iter().map(|name| plain(name)).collect();
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | `{}` |",
            plain(&run.name),
            run.started_at,
            assistants.join(", "),
            provers.join(", "),
            run.attempts,
            run.accepted,
            run.digest
        )?;
    }
    let duplicates = &report.duplicates;
    writeln!(text, "\n## Duplicates\n")?;
    writeln!(
        text,
        "* {} rows had the same {} as another and are left out.",
        duplicates.exact,
        report.read_fields()
    )?;
    writeln!(
        text,
        "* {} rows differ from another in names only: by the strict signature of the goal, and the places of names in the tactic.\n\
         * {} rows are near duplicates of another: their tactics have the same shapes, and they share at least {} of their features \
         (Jaccard): symbols, heads and paths of goals and hypotheses, which do not tell one variable from another.\n\n\
         The rows of the last two kinds are {}; {} of them are like a row of another split.",
        duplicates.up_to_names,
        duplicates.near,
        duplicates.measure,
        if duplicates.dropped { "left out" } else { "kept" },
        duplicates.across_splits
    )?;
    contamination(text, report)
}

fn contamination(text: &mut String, report: &DatasetReport) -> std::fmt::Result {
    writeln!(text, "\n## Contamination\n")?;
    if report.contamination.is_empty() {
        return writeln!(text, "Not checked: no benchmark was named.");
    }
    writeln!(
        text,
        "A theorem is that of a benchmark if their statements are equal but for names, comments and space (`statement`), or their \
         goals have the same strict signature, as stated or after `intros` (`goal`); a row is if its goal has (`step`). These rows \
         are {}.\n",
        if report.dropped_contaminated { "left out" } else { "kept" }
    )?;
    writeln!(
        text,
        "| benchmark | its theorems | found | rows | not opened |\n| --- | --- | --- | --- | --- |"
    )?;
    for benchmark in &report.contamination {
        let rows: u64 = benchmark.found.iter().map(|overlap| overlap.rows).sum();
        let (name, theorems) = (plain(&benchmark.benchmark), benchmark.theorems);
        let (found, not_opened) = (benchmark.counterparts(), benchmark.not_opened.len());
        writeln!(text, "| {name} | {theorems} | {found} | {rows} | {not_opened} |")?;
    }
    for benchmark in report.contamination.iter().filter(|benchmark| !benchmark.found.is_empty()) {
        writeln!(text, "\nOf {}:\n", plain(&benchmark.benchmark))?;
        for overlap in benchmark.found.iter().take(NAMED) {
            let (theorem, theirs) = (plain(&overlap.theorem), plain(&overlap.benchmark_theorem));
            let (by, rows) = (overlap.by.name(), overlap.rows);
            writeln!(text, "* `{theorem}` has {rows} rows of `{theirs}` (by {by})")?;
        }
        if benchmark.found.len() > NAMED {
            writeln!(text, "* and {} more, in `report.json`", benchmark.found.len() - NAMED)?;
        }
    }
    Ok(())
}
