//! `andor analyze`

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::Path;

use andor_report::analyze::{self, Analysis, Label, Measure, Request};
use andor_report::table::Table;
use andor_run::folder::{RunFolder, some_ids};
use andor_terminal::exit::Exit;
use andor_terminal::report::{self, Align, aligned};
use andor_terminal::shown;
use anyhow::Context;
use serde_json::Value;

use crate::args::AnalyzeArgs;
use crate::features;

/// What is measured unless the user chooses.
const DEFAULT: [Measure; 4] = [Measure::Costs, Measure::Survival, Measure::Proofs, Measure::Searches];

pub(crate) fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let runs = args.runs.iter().map(|path| RunFolder::read_part(path)).collect::<Result<Vec<_>, _>>()?;
    let known = |id: &String| runs[0].problems.iter().any(|problem| problem.theorem.id.as_str() == id);
    if let Some(unknown) = args.theorems.iter().find(|id| !known(id)) {
        let ids: Vec<String> =
            runs[0].problems.iter().map(|problem| problem.theorem.id.to_string()).collect();
        anyhow::bail!("`{}` has no theorem `{unknown}`; it has {}", runs[0].path.display(), some_ids(&ids));
    }
    let measures = if args.measures.is_empty() { DEFAULT.to_vec() } else { args.measures.clone() };
    if args.label.is_some()
        && !measures.iter().any(|measure| matches!(measure, Measure::Proofs | Measure::Searches))
    {
        anyhow::bail!("--label applies to the measures `proofs` and `searches`");
    }
    if let Some(folder) = args.out.as_ref().filter(|folder| folder.join("run.json").exists()) {
        anyhow::bail!("`{}` is a run folder; choose another --out folder for the tables", folder.display());
    }
    let request = Request {
        measures,
        label: args.label.unwrap_or(Label::Strict),
        theorems: args.theorems.clone(),
        seed: args.seed,
    };
    let analysis = analyze::analyze(&runs, &analyze::names(&runs), &request)?;
    if let Some(folder) = &args.out {
        let others = write(&analysis, folder)?;
        if !others.is_empty() {
            tracing::warn!(
                "`{}` also has files that this analysis did not write: {}",
                folder.display(),
                some_ids(&others)
            );
        }
    }
    if args.json {
        let mut out = BufWriter::new(report::stdout());
        for object in analysis.tables.iter().flat_map(Table::objects) {
            writeln!(out, "{}", Value::Object(object))?;
        }
        out.flush()?;
    } else {
        report::print(&text(&analysis, args.out.is_some()))?;
    }
    for missing in &analysis.missing {
        tracing::warn!("left out: {missing}");
    }
    Ok(Exit::Success)
}

/// Writes tables and plots. Returns the names of other tables and plots in the folder, as of an earlier analysis.
fn write(analysis: &Analysis, folder: &Path) -> anyhow::Result<Vec<String>> {
    fs_err::create_dir_all(folder)?;
    let mut written = BTreeSet::new();
    let mut path = |name: &str, extension: &str| {
        let file = format!("{name}.{extension}");
        let path = folder.join(&file);
        written.insert(file);
        path
    };
    for table in &analysis.tables {
        let csv = path(table.name, "csv");
        table
            .write_csv(BufWriter::new(fs_err::File::create(&csv)?))
            .with_context(|| format!("cannot write {}", csv.display()))?;
        #[cfg(feature = "parquet")]
        table.write_parquet(&path(table.name, "parquet"))?;
    }
    #[cfg(feature = "plots")]
    for plot in analyze::plots::plots(analysis) {
        andor_artifact::files::write_bytes(&path(&plot.name, "svg"), plot.chart.svg().as_bytes())?;
    }
    for (what, feature, is_there) in [
        ("tables as Parquet", "parquet", cfg!(feature = "parquet")),
        ("plots", "plots", cfg!(feature = "plots")),
    ] {
        if !is_there {
            tracing::warn!("{}", features::missing(what, feature));
        }
    }
    let mut others = Vec::new();
    for entry in fs_err::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let is_ours = [".csv", ".parquet", ".svg"].iter().any(|extension| name.ends_with(extension));
        if is_ours && !written.contains(&name) {
            others.push(name);
        }
    }
    others.sort();
    Ok(others)
}

fn text(analysis: &Analysis, written: bool) -> String {
    let mut lines = Vec::new();
    for table in &analysis.tables {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(format!("{}: {}", table.name, table.about));
        if table.is_long() {
            let rows = table.rows.len();
            let place = if written { "in its file" } else { "use --out or --json to get them" };
            lines.push(format!("{rows} rows; {place}"));
            continue;
        }
        let mut rows = vec![table.columns.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()];
        rows.extend(table.rows.iter().map(|row| row.iter().map(cell).collect()));
        lines.extend(aligned(&rows, Align::Left));
    }
    if lines.is_empty() {
        lines.push(
            "Nothing to compare: no theorem has the attempts or proofs that these measures need.".to_owned(),
        );
    }
    lines.join("\n") + "\n"
}

/// Numbers with few digits.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => shown::line(text),
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap_or_default();
            if number != 0.0 && number.abs() < 1e-3 {
                format!("{number:.1e}")
            } else {
                format!("{number:.3}")
            }
        }
        other => other.to_string(),
    }
}
