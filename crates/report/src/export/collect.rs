//! Export of a run: attempts are replayed concurrently, and their rows are written in order.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use andor_artifact::result::{AttemptResult, Outcome};
use andor_core::theorem::{System, Theorem};
use andor_engine::registry::{self, OwnParts};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::contract::Provider;
use andor_run::folder::RunFolder;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::recorded::Recorded;
use super::replay::{Failure, Opening, Replay};
use super::rows::{self, Origin, Rows};
use super::table::{Cell, Column, Object, Row};
use super::{Export, ExportError, Exported, Format, Skipped, Writer, stepwise};

/// An attempt to replay.
struct Job {
    result: AttemptResult,
    folder: PathBuf,
    run: String,
    opening: Opening,
    what: Export,
}

/// Exports the training data of a run, in the order of the theorems. `told` is called after each attempt with the
/// number of finished attempts and their total. If there are no rows, no file is left.
pub async fn export(
    run: &RunFolder,
    what: &Export,
    mut writer: Writer,
    cancel: &CancellationToken,
    told: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Exported, ExportError> {
    let columns = what.format.columns(what.chat);
    let identity = what.format.identity();
    let (mut seen, mut theorems, mut duplicates) = (HashSet::new(), HashSet::new(), 0);
    let mut rows = 0;
    let mut exported = collect(run, what, cancel, told, &mut |found| {
        if seen.insert(digest(&columns[..identity], &found.row)) {
            rows += 1;
            theorems.insert(found.theorem);
            writer.write(found.row)
        } else {
            duplicates += 1;
            Ok(())
        }
    })
    .await?;
    if rows > 0 {
        writer.finish()?;
    }
    (exported.rows, exported.theorems, exported.duplicates) = (rows, theorems.len() as u64, duplicates);
    Ok(exported)
}

/// The digest of the first columns of a row.
pub(super) fn digest(columns: &[Column], row: &Row) -> [u8; 32] {
    let read = Object(columns, &row[..columns.len()]);
    *blake3::hash(&serde_json::to_vec(&read).expect("a row is JSON")).as_bytes()
}

/// A row that replayed.
pub(super) struct Found {
    /// The theorem's id.
    pub(super) theorem: String,
    /// The row.
    pub(super) row: Row,
    /// The strict signature of the node that it is about, if it is about one.
    pub(super) goal: Option<String>,
}

/// Replays a run and gives all rows to `take`, in the order of the theorems, duplicates included. The numbers of rows, their
/// theorems and duplicates are left at 0.
pub(super) async fn collect(
    run: &RunFolder,
    what: &Export,
    cancel: &CancellationToken,
    told: &mut (dyn FnMut(u64, u64) + Send),
    take: &mut (dyn FnMut(Found) -> Result<(), ExportError> + Send),
) -> Result<Exported, ExportError> {
    let jobs = jobs(run, what)?;
    let total = jobs.len() as u64;
    let mut exported = Exported {
        format: what.format,
        rows: 0,
        theorems: 0,
        attempts: 0,
        replayed: 0,
        left_out: 0,
        screened: 0,
        completed: 0,
        duplicates: 0,
        unsuited: 0,
        skipped: Vec::new(),
    };
    let node = what.format.columns(what.chat).iter().position(|column| column.name == "node");
    let mut waiting = jobs.into_iter().enumerate();
    let mut running = JoinSet::new();
    let mut finished = BTreeMap::new();
    told(0, total);
    for turn in 0.. {
        let replayed = loop {
            // Results that arrive early are buffered, so their number is bounded.
            while running.len() < what.jobs.max(1) && running.len() + finished.len() < 4 * what.jobs.max(1) {
                let Some((at, job)) = waiting.next() else { break };
                running.spawn(async move {
                    (at, job.result.theorem.clone(), job.result.attempt, job.rows().await)
                });
            }
            if let Some(replayed) = finished.remove(&turn) {
                break Some(replayed);
            }
            let joined = tokio::select! {
                biased;
                () = cancel.cancelled() => return Err(ExportError::Interrupted),
                joined = running.join_next() => joined,
            };
            match joined {
                None => break None,
                Some(Ok((at, theorem, attempt, rows))) => {
                    finished.insert(at, (theorem, attempt, rows));
                }
                Some(Err(error)) => std::panic::resume_unwind(error.into_panic()),
            }
        };
        let Some((theorem, attempt, rows)) = replayed else { break };
        match rows {
            Err(failure) => exported.skipped.push(Skipped { theorem, attempt, reason: failure.to_string() }),
            Ok((Rows { rows, counts, unsuited }, goals)) => {
                exported.attempts += 1;
                exported.replayed += counts.replayed;
                exported.left_out += counts.left_out;
                exported.screened += counts.screened;
                exported.completed += counts.completed;
                exported.unsuited += unsuited;
                for row in rows {
                    let node = node.map(|at| &row[at]);
                    let goal =
                        node.and_then(
                            |node| if let Cell::Text(id) = node { goals.get(id).cloned() } else { None },
                        );
                    take(Found { theorem: theorem.clone(), row, goal })?;
                }
            }
        }
        told(turn as u64 + 1, total);
    }
    Ok(exported)
}

/// The attempts that may have rows, ordered by theorem and number.
fn jobs(run: &RunFolder, what: &Export) -> Result<Vec<Job>, ExportError> {
    let places: HashMap<&str, usize> =
        run.problems.iter().enumerate().map(|(at, p)| (p.theorem.id.as_str(), at)).collect();
    if let Some(id) = what.theorems.iter().find(|id| !places.contains_key(id.as_str())) {
        let known = run.problems.iter().map(|p| p.theorem.id.clone()).collect();
        return Err(ExportError::UnknownTheorem { id: id.clone(), known });
    }
    let wanted = |result: &&AttemptResult| {
        let of_format = match what.format {
            Format::Sft | Format::Dpo | Format::Stepwise => result.outcome == Outcome::Accepted,
            Format::Steps => result.outcome != Outcome::Refused,
        };
        of_format && (what.theorems.is_empty() || what.theorems.contains(&result.theorem))
    };
    let mut results: Vec<(usize, &AttemptResult)> = run
        .results
        .iter()
        .filter(wanted)
        .filter_map(|r| Some((*places.get(r.theorem.as_str())?, r)))
        .collect();
    results.sort_by_key(|(place, result)| (*place, result.attempt));
    let name = run.path.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_owned()));
    let name = name.map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let mut openings: BTreeMap<System, Openings> = BTreeMap::new();
    let mut jobs = Vec::with_capacity(results.len());
    for (place, result) in results {
        let theorem = &run.problems[place].theorem;
        let opened = match openings.entry(theorem.system) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(Openings::new(run, theorem.system, what.format)?),
        };
        jobs.push(Job {
            result: result.clone(),
            folder: run.attempt(&result.theorem, result.attempt),
            run: name.clone(),
            opening: opened.of(run, theorem),
            what: what.clone(),
        });
    }
    Ok(jobs)
}

/// The parameters for opening the theorems of a system.
struct Openings {
    workers: Arc<Workers>,
    provider: Arc<dyn Provider>,
}

impl Openings {
    fn new(run: &RunFolder, system: System, format: Format) -> Result<Self, ExportError> {
        let grouping = match format {
            Format::Stepwise => Grouping::Whole,
            Format::Sft | Format::Dpo | Format::Steps => run.config.search.obligation,
        };
        let environment = registry::environment(system, &run.config);
        let provider = registry::provider(system, &run.config, &OwnParts::default())?;
        Ok(Self { workers: Workers::new(environment, grouping), provider })
    }

    /// The parameters for a theorem, with the load path of its run.
    fn of(&self, run: &RunFolder, theorem: &Theorem) -> Opening {
        let mut theorem = theorem.clone();
        theorem.extra_imports.extend(self.provider.imports(&theorem));
        let (workers, provider) = (Arc::clone(&self.workers), Arc::clone(&self.provider));
        Opening { workers, provider, theorem, config: run.config.clone() }
    }
}

/// The strict signatures of an attempt's nodes, by their ids.
type Goals = HashMap<String, String>;

impl Job {
    async fn rows(self) -> Result<(Rows, Goals), Failure> {
        let Self { result, folder, run, opening, what } = &self;
        if opening.theorem.digest() != result.statement_digest {
            return Err(Failure::Restated);
        }
        let recorded = Recorded::read(folder, result)?;
        let goals = recorded.nodes.iter().map(|node| (node.id.clone(), node.strict.clone())).collect();
        let origin =
            |assistant| Origin { what, theorem: &result.theorem, attempt: result.attempt, run, assistant };
        if what.format == Format::Stepwise {
            let session = opening.session().await?;
            let commutative = opening.workers.environment().commutative();
            let origin = origin(session.assistant());
            return Ok((stepwise::of_proof(&session, commutative, &recorded, &origin).await?, goals));
        }
        let mut replay = Replay::open(opening, &recorded).await?.ok_or(Failure::OtherGoals)?;
        let session = Arc::clone(&replay.session);
        let origin = origin(session.assistant());
        let rows = match what.format {
            Format::Steps => rows::of_trials(&mut replay, &recorded, &origin).await?,
            _ => rows::of_proof(&mut replay, &recorded, &origin).await?,
        };
        Ok((rows, goals))
    }
}
