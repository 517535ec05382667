//! Data sets to share: the rows of runs as Parquet in Hugging Face's layout, by split, with a data card that says where they
//! come from, what repeats, and what they have in common with benchmarks.

mod card;
mod contamination;
mod provenance;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use andor_artifact::files::{write_bytes, write_json};
use andor_core::theorem::Theorem;
use andor_learn::likeness::{Known as KnownRows, Likeness, without_names};
use andor_run::folder::RunFolder;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::collect::{Found, collect, digest};
use super::table::{Cell, Row};
use super::{Encoding, Export, ExportError, Format, Writer};

pub use contamination::{Benchmark, Contamination, Measure, Overlap, in_context};
use contamination::{Known, Opener, normalised};
pub use provenance::Provenance;

/// A data set to write.
#[derive(Clone, PartialEq, Debug)]
pub struct DatasetRequest {
    /// What its rows hold. `theorems` must be ids of the only run, or empty.
    pub what: Export,
    /// Its folder, which must be empty or absent.
    pub folder: PathBuf,
    /// Its licence, by the name that Hugging Face has for it.
    pub licence: String,
    /// The part of the theorems without a split that goes to `validation`.
    pub validation: f64,
    /// The part that goes to `test`.
    pub test: f64,
    /// From this likeness on, rows are near duplicates; above 0 and at most 1.
    pub near_duplicate: f64,
    /// Whether near duplicates are left out.
    pub drop_near_duplicates: bool,
    /// What the rows are compared with.
    pub benchmarks: Vec<Benchmark>,
    /// Whether rows that are those of a benchmark are left out.
    pub drop_contaminated: bool,
}

impl DatasetRequest {
    /// The likeness from which rows are near duplicates, unless said otherwise: that of `andor learn`.
    pub const NEAR_DUPLICATE: f64 = 0.95;
}

/// What was written: `report.json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DatasetReport {
    /// The name of its folder.
    pub name: String,
    /// The version of andor.
    pub andor: String,
    /// What its rows hold.
    pub format: Format,
    /// Its licence.
    pub licence: String,
    /// The runs that it was made from.
    pub runs: Vec<Provenance>,
    /// Its parts that are not empty.
    pub splits: Vec<SplitReport>,
    /// How theorems came to their splits.
    pub splitting: String,
    /// What repeats.
    pub duplicates: Duplicates,
    /// What it has in common with benchmarks.
    pub contamination: Vec<Contamination>,
    /// Whether rows that are those of a benchmark were left out.
    pub dropped_contaminated: bool,
}

/// A part of a data set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SplitReport {
    /// `train`, `validation` or `test`.
    pub name: &'static str,
    /// Its file in the folder.
    pub file: String,
    /// The number of its rows.
    pub rows: u64,
    /// The number of theorems that they are from.
    pub theorems: u64,
    /// The size of the file.
    pub bytes: u64,
    /// The digest of the file: the first 16 hexadecimal digits of BLAKE3.
    pub digest: String,
}

/// What repeats in a data set. Of equal rows, those of `test` stay, then those of `validation`.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Duplicates {
    /// Rows whose training fields are those of an earlier row. They are always left out.
    pub exact: u64,
    /// Other rows that differ from an earlier one in names only: their goals have the same strict signature, and their tactics the
    /// same names in the same places.
    pub up_to_names: u64,
    /// Other rows that share at least `measure` of their features with an earlier row, and the shapes of their tactics.
    pub near: u64,
    /// Of the last two, how many are like a row of another split.
    pub across_splits: u64,
    /// The likeness from which rows are near duplicates (Jaccard).
    pub measure: f64,
    /// Whether near duplicates, and rows equal up to names, were left out.
    pub dropped: bool,
}

impl DatasetReport {
    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.splits.iter().map(|split| split.rows).sum()
    }

    /// The systems of all runs.
    fn systems(&self) -> BTreeSet<&str> {
        self.runs.iter().flat_map(|run| run.assistants.keys().map(String::as_str)).collect()
    }

    /// The fields by which rows are told apart, for people.
    fn read_fields(&self) -> String {
        let columns = self.format.columns(false);
        let names: Vec<&str> = columns[..self.format.identity()].iter().map(|column| column.name).collect();
        names.join(", ")
    }
}

/// The splits, in the order in which rows are kept.
const SPLITS: [&str; 3] = ["test", "validation", "train"];

/// A row, with its place.
struct Placed {
    run: usize,
    split: usize,
    found: Found,
}

impl Placed {
    /// The run and the theorem.
    fn origin(&self) -> (usize, String) {
        (self.run, self.found.theorem.clone())
    }
}

/// Writes a data set of the rows of some runs. `told` is called with the numbers of finished and of all attempts of a run. If
/// there are no rows, nothing is written.
///
/// # Errors
///
/// A run cannot be replayed, a benchmark cannot be read, the folder is not empty, or a file cannot be written.
pub async fn dataset(
    runs: &[RunFolder],
    request: &DatasetRequest,
    cancel: &CancellationToken,
    told: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<DatasetReport, ExportError> {
    let DatasetRequest { what, folder, .. } = request;
    if folder.exists() && (!folder.is_dir() || fs_err::read_dir(folder)?.next().is_some()) {
        return Err(ExportError::Occupied(folder.clone()));
    }
    let columns = what.format.columns(what.chat);
    let run_column = columns.iter().position(|column| column.name == "run").expect("rows name their run");
    let mut rows = Vec::new();
    let mut provenance = Vec::new();
    for (number, (run, name)) in runs.iter().zip(provenance::names(runs)).enumerate() {
        let splits: HashMap<&str, usize> = run
            .problems
            .iter()
            .map(|p| (p.theorem.id.as_str(), split(p.split(), &p.theorem, request)))
            .collect();
        let mut take = |mut found: Found| {
            found.row[run_column] = Cell::Text(name.clone());
            let split = splits[found.theorem.as_str()];
            rows.push(Placed { run: number, split, found });
            Ok(())
        };
        let exported = collect(run, what, cancel, told, &mut take).await?;
        provenance.push(Provenance::of(name, run, &exported));
    }
    let contamination = contaminated(runs, request, &mut rows, cancel).await?;
    let duplicates = unrepeated(&mut rows, request);
    let mut report = DatasetReport {
        name: folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        andor: env!("CARGO_PKG_VERSION").to_owned(),
        format: what.format,
        licence: request.licence.clone(),
        runs: provenance,
        splits: Vec::new(),
        splitting: splitting(request),
        duplicates,
        contamination,
        dropped_contaminated: request.drop_contaminated && !request.benchmarks.is_empty(),
    };
    if !rows.is_empty() {
        report.splits = write(rows, what, folder)?;
        write_json(&folder.join("report.json"), &report)?;
        write_bytes(&folder.join("README.md"), card::card(&report, &columns).as_bytes())?;
    }
    Ok(report)
}

/// The split of a theorem: that of its data set, or one drawn by its statement, so that equal statements stay together.
fn split(given: Option<&str>, theorem: &Theorem, request: &DatasetRequest) -> usize {
    match given {
        Some("test") => return 0,
        Some("valid") => return 1,
        Some(_) => return 2,
        None => {}
    }
    let bytes = *blake3::hash(normalised(theorem).as_bytes()).as_bytes();
    let [a, b, c, d, ..] = bytes;
    let drawn = f64::from(u32::from_le_bytes([a, b, c, d])) / (f64::from(u32::MAX) + 1.0);
    match drawn {
        x if x < request.test => 0,
        x if x < request.test + request.validation => 1,
        _ => 2,
    }
}

fn splitting(request: &DatasetRequest) -> String {
    let percent = |part: f64| format!("{} %", 100.0 * part);
    let of_others = match (request.validation, request.test) {
        (0.0, 0.0) => "all others are in `train`".to_owned(),
        (validation, test) => format!(
            "of the others, about {} are in `validation` and {} in `test`, drawn by a digest of the normalised statement",
            percent(validation),
            percent(test)
        ),
    };
    format!(
        "Theorems are in the split that their own data set names (`train`, `valid`, `test`); {of_others}."
    )
}

/// Compares all rows with the benchmarks, and leaves out those that are theirs if this is wanted.
async fn contaminated(
    runs: &[RunFolder],
    request: &DatasetRequest,
    rows: &mut Vec<Placed>,
    cancel: &CancellationToken,
) -> Result<Vec<Contamination>, ExportError> {
    let (Some(first), false) = (runs.first(), request.benchmarks.is_empty()) else { return Ok(Vec::new()) };
    let mut opener = Opener::new(first.config.clone());
    // The theorems with rows, and their goals.
    let with_rows: BTreeSet<(usize, String)> = rows.iter().map(Placed::origin).collect();
    let mut opened = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        for theorem in run.problems.iter().map(|problem| &problem.theorem) {
            let origin = (number, theorem.id.clone());
            if with_rows.contains(&origin) {
                interrupted(cancel)?;
                // It was opened to replay its proofs; if it cannot be now, its statement is still compared.
                opened.push((origin, theorem, opener.goals(theorem).await.unwrap_or_default()));
            }
        }
    }
    let Some((_, first, _)) = opened.first() else { return Ok(Vec::new()) };
    let (mut reports, mut theirs) = (Vec::new(), vec![false; rows.len()]);
    for benchmark in &request.benchmarks {
        interrupted(cancel)?;
        let known = Known::read(benchmark, first.system, &mut opener).await?;
        let compared = opened
            .iter()
            .map(|(origin, theorem, goals)| (origin, (theorem.system, known.is(theorem, goals))));
        let compared: BTreeMap<&(usize, String), _> = compared.collect();
        let mut found = BTreeMap::new();
        for (placed, is_theirs) in rows.iter().zip(&mut theirs) {
            let (system, of_theorem) = compared[&placed.origin()];
            let goal = placed.found.goal.as_deref();
            let of_step = goal.and_then(|goal| known.has(system, goal)).map(|id| (Measure::Step, id));
            if let Some((by, id)) = of_theorem.or(of_step) {
                *found.entry((placed.found.theorem.clone(), id.to_owned(), by)).or_default() += 1;
                *is_theirs = true;
            }
        }
        reports.push(known.report(&benchmark.name, found));
    }
    if request.drop_contaminated {
        let mut theirs = theirs.into_iter();
        rows.retain(|_| !theirs.next().expect("each row was compared"));
    }
    Ok(reports)
}

fn interrupted(cancel: &CancellationToken) -> Result<(), ExportError> {
    if cancel.is_cancelled() { Err(ExportError::Interrupted) } else { Ok(()) }
}

/// Leaves out what repeats. The rows keep their order.
fn unrepeated(rows: &mut Vec<Placed>, request: &DatasetRequest) -> Duplicates {
    let what = &request.what;
    let columns = what.format.columns(what.chat);
    let read = &columns[..what.format.identity()];
    let mut duplicates = Duplicates {
        measure: request.near_duplicate,
        dropped: request.drop_near_duplicates,
        ..Duplicates::default()
    };
    let (mut seen, mut by_goal) = (HashSet::new(), HashMap::new());
    let mut known = KnownRows::new(request.near_duplicate);
    let mut kept = vec![true; rows.len()];
    for split in 0..SPLITS.len() {
        for (at, placed) in rows.iter().enumerate().filter(|(_, placed)| placed.split == split) {
            if !seen.insert(digest(read, &placed.found.row)) {
                duplicates.exact += 1;
                kept[at] = false;
                continue;
            }
            let (state, tactics) = told_apart_by(what, &placed.found.row);
            let tactics: Vec<&str> = tactics.iter().map(String::as_str).collect();
            let goal = placed.found.goal.clone().map(|goal| (goal, without_names(&state, &tactics)));
            let named_otherwise = goal.as_ref().and_then(|goal| by_goal.get(goal)).copied();
            let other = match (named_otherwise, known.take(at, &state, &tactics)) {
                (Some(other), _) => {
                    duplicates.up_to_names += 1;
                    other
                }
                (None, likeness) => {
                    by_goal.extend(goal.map(|goal| (goal, at)));
                    let (Likeness::Near(other) | Likeness::Equal(other)) = likeness else { continue };
                    duplicates.near += 1;
                    other
                }
            };
            duplicates.across_splits += u64::from(rows[other].split != split);
            kept[at] = !request.drop_near_duplicates;
        }
    }
    let mut kept = kept.into_iter();
    rows.retain(|_| kept.next().expect("each row was looked at"));
    duplicates
}

/// What a row is compared by: its state, and its tactics.
fn told_apart_by(what: &Export, row: &Row) -> (String, Vec<String>) {
    let texts = |cell: &Cell| match cell {
        Cell::Text(text) => vec![text.clone()],
        Cell::Texts(texts) => texts.clone(),
        Cell::Messages(messages) => messages.iter().map(|message| message.content.clone()).collect(),
        Cell::Null | Cell::Integer(_) | Cell::Number(_) | Cell::Truth(_) | Cell::Truths(_) => Vec::new(),
    };
    let at = |name: &str| {
        let column = what.format.columns(what.chat).iter().position(|column| column.name == name);
        column.map_or_else(Vec::new, |at| texts(&row[at]))
    };
    let all = |names: &[&str]| names.iter().flat_map(|name| at(name)).collect::<Vec<_>>();
    let (state, tactics) = match what.format {
        Format::Sft => ("prompt", all(&["completion"])),
        Format::Dpo => ("prompt", all(&["chosen", "rejected"])),
        Format::Stepwise => ("prompt", all(&["completions"])),
        Format::Steps => ("state_before", all(&["tactic", "outcome"])),
    };
    let state = at(state).concat();
    (state.strip_suffix(&what.separator).map_or(state.clone(), str::to_owned), tactics)
}

/// Writes the files of all splits that have rows.
fn write(rows: Vec<Placed>, what: &Export, folder: &Path) -> Result<Vec<SplitReport>, ExportError> {
    let columns = what.format.columns(what.chat);
    let mut of_splits: [Vec<Placed>; SPLITS.len()] = Default::default();
    for placed in rows {
        of_splits[placed.split].push(placed);
    }
    let mut reports = Vec::new();
    for (name, rows) in SPLITS.into_iter().zip(of_splits).rev().filter(|(_, rows)| !rows.is_empty()) {
        let file = format!("data/{name}-00000-of-00001.parquet");
        let path = folder.join(&file);
        let theorems: HashSet<(usize, String)> = rows.iter().map(Placed::origin).collect();
        let count = rows.len() as u64;
        let mut writer = Writer::file(columns.clone(), &path, Encoding::Parquet)?;
        rows.into_iter().try_for_each(|placed| writer.write(placed.found.row))?;
        writer.finish()?;
        let bytes = fs_err::read(&path)?;
        reports.push(SplitReport {
            name,
            file,
            rows: count,
            theorems: theorems.len() as u64,
            bytes: bytes.len() as u64,
            digest: blake3::hash(&bytes).to_hex()[..16].to_owned(),
        });
    }
    Ok(reports)
}
