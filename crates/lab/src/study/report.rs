//! The report of a study: tables, plots, and the page about them.
//!
//! Under the virtual clock the same study makes the same files, byte for byte; what was measured on the wall clock stands in
//! [`TIMES`] alone.

use std::collections::BTreeMap;
use std::path::Path;

use andor_artifact::files::{write_bytes, write_json};
use andor_report::analyze::plots::plots;
use andor_report::analyze::{self, Analysis, Cost, Request};
use andor_report::summary::Failures;
use andor_report::table::Table;
use andor_run::estimate;
use andor_run::folder::RunFolder;
use serde_json::{Value, json};

use super::comparison::{self, Attempts, Outcome};
use super::declaration::{Arm, Comparison, Study};
use super::page::{Block, html, markdown};
use super::{RECORD, StudyError};

/// The file of what depends on the wall clock: seconds of each arm, and comparisons of seconds.
const TIMES: &str = "times.json";

/// Analyses with more rows are not on the page, only in files.
const SHOWN: usize = 16;

/// What a report says.
pub(super) struct Reported {
    /// What came of the comparisons; those of seconds, which are not in the report, come last.
    pub(super) outcomes: Vec<Outcome>,
    /// What could not be analyzed, a sentence each.
    pub(super) missing: Vec<String>,
}

/// Writes the report of a study whose arms have run.
pub(super) fn write(
    study: &Study,
    runs: &[RunFolder],
    failures: &[(String, Failures)],
    out: &Path,
) -> Result<Reported, StudyError> {
    let attempts: BTreeMap<&str, Attempts<'_>> =
        study.arms.iter().zip(runs).map(|(arm, run)| (arm.name.as_str(), Attempts::of(run))).collect();
    let seed = runs.first().map_or(0, |run| run.config.seed);
    let (of_seconds, others): (Vec<Comparison>, Vec<Comparison>) =
        study.comparisons.iter().cloned().partition(Comparison::is_of_seconds);
    let compare = |comparisons: &[Comparison]| {
        comparison::compare(comparisons, |arm| &attempts[arm], seed, study.significance)
    };
    let (outcomes, timed_outcomes) = (compare(&others), compare(&of_seconds));
    let mut analysis = match &study.analyses[..] {
        [] => Analysis { tables: Vec::new(), missing: Vec::new() },
        measures => {
            let names: Vec<String> = study.arms.iter().map(|arm| arm.name.clone()).collect();
            let measures = measures.to_vec();
            let request = Request { measures, label: study.label, theorems: Vec::new(), seed };
            analyze::analyze(runs, &names, &request)?
        }
    };
    // The same wherever the study lies.
    let here = format!("{}/", out.display());
    analysis.missing.iter_mut().for_each(|what| *what = what.replace(&here, ""));
    let (analysis, timed) = without_seconds(analysis);
    let arms = arms(study, &attempts, seed);
    let tables = out.join("tables");
    for folder in [&tables, &out.join("plots")] {
        // What an earlier report had, and this one lacks, would contradict it.
        if folder.exists() {
            fs_err::remove_dir_all(folder)?;
        }
        fs_err::create_dir_all(folder)?;
    }
    for table in std::iter::once(&arms).chain(&analysis.tables) {
        let mut csv = Vec::new();
        table.write_csv(&mut csv)?;
        write_bytes(&tables.join(format!("{}.csv", table.name)), &csv)?;
    }
    write_json(&out.join("comparisons.json"), &outcomes)?;
    let mut blocks = opening(study, runs);
    blocks.extend([Block::Heading(2, "Results".to_owned()), block(&arms)]);
    if !failures.is_empty() {
        let of = |(arm, failures): &(String, Failures)| {
            format!("{} of {} of `{arm}`", failures.attempts, failures.of)
        };
        let failed: Vec<String> = failures.iter().map(of).collect();
        blocks.push(Block::Text(format!(
            "**Some attempts failed for technical reasons and count nowhere**: {}. `--resume` makes them again.",
            failed.join(", ")
        )));
    }
    blocks.extend(compared(study, &outcomes));
    if !timed_outcomes.is_empty() {
        blocks.push(Block::Text(format!(
            "Comparisons of seconds differ from one machine to the next; they are in `{TIMES}`."
        )));
    }
    for plot in plots(&analysis) {
        let (file, svg) = (format!("plots/{}.svg", plot.name), plot.chart.svg());
        write_bytes(&out.join(&file), svg.as_bytes())?;
        blocks.push(Block::Plot { file, title: plot.chart.title, svg });
    }
    let (long, short): (Vec<&Table>, Vec<&Table>) =
        analysis.tables.iter().partition(|table| table.rows.len() > SHOWN);
    for table in short {
        blocks.extend([
            Block::Heading(3, table.name.to_owned()),
            Block::Text(table.about.to_owned()),
            block(table),
        ]);
    }
    if !long.is_empty() {
        let names: Vec<String> = long.iter().map(|table| format!("`tables/{}.csv`", table.name)).collect();
        blocks.push(Block::Text(format!("Longer tables are in {}.", names.join(", "))));
    }
    if !analysis.missing.is_empty() {
        blocks.push(Block::Text(format!("Left out: {}.", analysis.missing.join("; "))));
    }
    if !study.reading.trim().is_empty() {
        blocks.extend([Block::Heading(2, "Reading".to_owned()), Block::Text(study.reading.clone())]);
    }
    let seconds = |name: &str| attempts[name].all().filter_map(|a| Cost::Seconds.of(a)).sum::<f64>();
    let of_arms: BTreeMap<&str, f64> =
        study.arms.iter().map(|arm| (arm.name.as_str(), seconds(&arm.name))).collect();
    let times = json!({ "seconds": of_arms, "comparisons": timed_outcomes, "tables": timed });
    write_json(&out.join(TIMES), &times)?;
    write_bytes(&out.join("report.md"), markdown(&blocks).as_bytes())?;
    write_bytes(&out.join("report.html"), html(&study.title, &blocks).as_bytes())?;
    Ok(Reported { outcomes: [outcomes, timed_outcomes].concat(), missing: analysis.missing })
}

/// Takes the rows about seconds on the wall clock out of an analysis.
fn without_seconds(mut analysis: Analysis) -> (Analysis, Vec<Value>) {
    let mut timed = Vec::new();
    for table in &mut analysis.tables {
        let Some(cost) = table.columns.iter().position(|column| *column == "cost") else { continue };
        let is_timed = |row: &Vec<Value>| row[cost] == Cost::Seconds.name();
        let rows = table.rows.extract_if(.., |row| is_timed(row)).collect();
        timed.extend(Table { rows, ..table.clone() }.objects().map(Value::Object));
    }
    analysis.tables.retain(|table| !table.rows.is_empty());
    (analysis, timed)
}

/// What is studied, and how.
fn opening(study: &Study, runs: &[RunFolder]) -> Vec<Block> {
    let file = study.path.file_name().unwrap_or_default().to_string_lossy();
    // An absolute path means nothing on another machine.
    let command = if study.path.is_absolute() { file.clone() } else { study.path.to_string_lossy() };
    let theorems = runs.first().map_or(0, |run| run.problems.len());
    let mut statements = blake3::Hasher::new();
    for problem in runs.iter().take(1).flat_map(|run| &run.problems) {
        statements.update(problem.theorem.digest().as_bytes());
    }
    let systems: BTreeMap<&str, &str> = runs
        .iter()
        .flat_map(|run| &run.record.systems)
        .map(|(name, version)| (name.as_str(), version.as_str()))
        .collect();
    let provers =
        systems.iter().map(|(name, version)| format!("{name} {version}")).collect::<Vec<_>>().join(", ");
    let corpus = study.theorems.file_name().unwrap_or_default().to_string_lossy();
    let design = format!(
        "{theorems} theorems of `{corpus}` (digest {}), each under {} with every arm: {} attempts in all. andor {}, {provers}. \
         Declaration `{file}`, digest {}; identity of the study in `{RECORD}`.",
        &statements.finalize().to_hex()[..16],
        if study.seeds == 1 { "one seed".to_owned() } else { format!("{} seeds", study.seeds) },
        theorems * study.seeds as usize * study.arms.len(),
        env!("CARGO_PKG_VERSION"),
        study.digest,
    );
    let arms = study.arms.iter().map(|arm| vec![arm.name.clone(), differs(arm)]).collect();
    let mut blocks = vec![
        Block::Heading(1, study.title.clone()),
        Block::Text(study.question.clone()),
        Block::Code(format!("andor study {command}")),
        Block::Heading(2, "Design".to_owned()),
        Block::Text(design),
        Block::Table(vec!["arm".to_owned(), "differs in".to_owned()], arms),
    ];
    if !study.config.is_empty() {
        let common = toml::to_string(&study.config).expect("a table that was read can be written");
        blocks.extend([Block::Text("Common to all arms:".to_owned()), Block::Code(common)]);
    }
    blocks
}

/// What an arm's configuration says besides the common one.
fn differs(arm: &Arm) -> String {
    fn leaves(prefix: &str, table: &toml::Table, into: &mut Vec<String>) {
        for (key, value) in table {
            let name = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
            match value {
                toml::Value::Table(inner) => leaves(&name, inner, into),
                value => into.push(format!("{name} = {value}")),
            }
        }
    }
    let mut all = Vec::new();
    leaves("", &arm.config, &mut all);
    if all.is_empty() { "nothing".to_owned() } else { all.join(", ") }
}

/// A row for each arm: how much it proves, and what its attempts cost.
fn arms(study: &Study, attempts: &BTreeMap<&str, Attempts<'_>>, seed: u64) -> Table {
    let row = |arm: &Arm| {
        let of_arm = &attempts[arm.name.as_str()];
        let n = of_arm.all().count();
        let solved = estimate::mean_share(&of_arm.solve_rates(), seed);
        let mean = |cost: Cost| {
            let sum: f64 = of_arm.all().filter_map(|attempt| cost.of(attempt)).sum();
            (n > 0 && sum > 0.0).then(|| sum / n as f64)
        };
        vec![
            json!(arm.name),
            json!(n),
            json!(solved.map(|e| e.value)),
            json!(solved.and_then(|e| e.low)),
            json!(solved.and_then(|e| e.high)),
            json!(mean(Cost::Iterations)),
            json!(mean(Cost::Expansions)),
            json!(mean(Cost::Candidates)),
            json!(mean(Cost::VirtualSeconds)),
        ]
    };
    Table {
        name: "arms",
        about: "What attempts of each arm prove, with a 95 % interval over theorems, and cost on average.",
        columns: &[
            "arm",
            "attempts",
            "solved",
            "low",
            "high",
            "iterations",
            "expansions",
            "candidates",
            "virtual_seconds",
        ],
        rows: study.arms.iter().map(row).collect(),
    }
}

fn compared(study: &Study, outcomes: &[Outcome]) -> Vec<Block> {
    if outcomes.is_empty() {
        return Vec::new();
    }
    let columns = [
        "arm",
        "against",
        "measure",
        "expected",
        "theorems",
        "value",
        "95 % interval",
        "p",
        "corrected p",
        "finding",
    ];
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), shown);
    let row = |o: &Outcome| {
        vec![
            o.arm.clone(),
            o.with.clone(),
            o.measure.to_owned(),
            o.expected.unwrap_or("–").to_owned(),
            o.theorems.to_string(),
            number(o.value),
            format!("{} to {}", number(o.low), number(o.high)),
            number(o.p_value),
            number(o.corrected),
            o.finding.to_string(),
        ]
    };
    let about = format!(
        "For `solved` the value is the mean difference of the shares proved, for costs the geometric mean of the ratios where both \
         arms found a proof under the same seed. Intervals (bootstrap) and tests (Wilcoxon's signed ranks) are over theorems; \
         p-values are corrected for {} (Holm). A difference may be chance unless its corrected p-value is below {}.",
        if outcomes.len() == 1 {
            "one comparison".to_owned()
        } else {
            format!("{} comparisons", outcomes.len())
        },
        study.significance
    );
    vec![
        Block::Heading(2, "Comparisons".to_owned()),
        Block::Table(columns.map(str::to_owned).to_vec(), outcomes.iter().map(row).collect()),
        Block::Text(about),
    ]
}

fn block(table: &Table) -> Block {
    let cell = |value: &Value| match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => shown(number.as_f64().unwrap_or_default()),
        other => other.to_string(),
    };
    let columns = table.columns.iter().map(|name| name.replace('_', " ")).collect();
    Block::Table(columns, table.rows.iter().map(|row| row.iter().map(cell).collect()).collect())
}

/// A number with three digits that matter.
fn shown(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        x if x < 1e-3 => format!("{number:.1e}"),
        x if x < 100.0 => format!("{number:.3}"),
        _ => format!("{number:.0}"),
    }
}
