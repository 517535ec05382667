//! What the page asks for, as JSON: the table, a search, details of its nodes, a result.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};

use crate::attempt::Attempt;
use crate::json::Object;
use crate::plots::{Plots, Plotter};
use crate::run::{AnyResult, NoRun, Row, Rows, Run};
use crate::tree::Sizes;

/// Searches that are kept in memory.
const KEPT: usize = 6;

/// Runs that are looked at. It only reads them.
#[derive(Debug)]
pub struct Window {
    table: Mutex<Table>,
    /// The row and the search, the one used last at the end.
    open: Mutex<Vec<(usize, Arc<Mutex<Attempt>>)>>,
    plotter: Plotter,
}

#[derive(Debug, Default)]
struct Table {
    runs: Vec<Run>,
    rows: Rows,
}

/// How much there is of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Grown {
    pub(crate) epoch: u64,
    pub(crate) sizes: Sizes,
    /// What else there is to say of it.
    pub(crate) notes: usize,
}

impl Window {
    /// Opens the folders of runs, or of attempts.
    ///
    /// # Errors
    /// One of them holds nothing of a run. What is damaged is no error: the page says what is missing.
    pub fn open(paths: &[PathBuf]) -> Result<Self, NoRun> {
        let mut table = Table::default();
        for (number, path) in paths.iter().enumerate() {
            let run = Run::read(path, number, &mut table.rows)?;
            table.runs.push(run);
        }
        Ok(Self { table: Mutex::new(table), open: Mutex::new(Vec::new()), plotter: Plotter::default() })
    }

    /// Has the page show these plots. They are drawn whenever they are asked for.
    #[must_use]
    pub fn with_plots(mut self, draw: impl Fn() -> Plots + Send + Sync + 'static) -> Self {
        self.plotter = Plotter(Box::new(draw));
        self
    }

    /// The plots as JSON.
    pub(crate) fn plots(&self) -> Value {
        json!((self.plotter.0)())
    }

    /// Reads what was added to the runs, and returns how many rows have changed since the beginning.
    pub(crate) fn refresh(&self) -> usize {
        let mut table = lock(&self.table);
        let Table { runs, rows } = &mut *table;
        for run in runs {
            run.refresh(rows);
        }
        rows.changed.len()
    }

    /// The names of runs whose folders are gone.
    pub(crate) fn lost(&self) -> Vec<String> {
        lock(&self.table).runs.iter().filter(|run| run.is_lost()).map(Run::name).collect()
    }

    /// The runs, and the rows that changed after the first `from` changes.
    pub(crate) fn table(&self, from: usize) -> Vec<u8> {
        let table = lock(&self.table);
        let mut ids: Vec<usize> = table.rows.changed.iter().skip(from).copied().collect();
        ids.sort_unstable();
        ids.dedup();
        let runs: Vec<Value> =
            table.runs.iter().map(|run| json!({ "name": run.name(), "notes": run.notes() })).collect();
        let rows: Vec<(usize, &Row)> = ids.into_iter().map(|id| (id, &table.rows.rows[id])).collect();
        let mut out = Object::new();
        out.field("runs", &runs);
        out.field("rows", &rows);
        out.field("cursor", &table.rows.changed.len());
        out.finish()
    }

    /// The rows that have a search, with their theorems.
    pub(crate) fn searches(&self) -> Vec<(usize, String)> {
        let table = lock(&self.table);
        let rows = table.rows.rows.iter().enumerate().filter(|(_, row)| row.has_tree);
        rows.map(|(id, row)| (id, row.theorem.clone())).collect()
    }

    /// Those of these theorems that have no search.
    pub fn without_search(&self, theorems: &[String]) -> Vec<String> {
        let searches = self.searches();
        let has = |theorem: &String| searches.iter().any(|(_, of)| of == theorem);
        theorems.iter().filter(|theorem| !has(theorem)).cloned().collect()
    }

    /// The number of rows.
    pub(crate) fn n_rows(&self) -> usize {
        lock(&self.table).rows.rows.len()
    }

    /// The search of a row; `None` if it has none.
    fn attempt(&self, row: usize) -> Option<Arc<Mutex<Attempt>>> {
        let mut open = lock(&self.open);
        if let Some(at) = open.iter().position(|(of, _)| *of == row) {
            let used = open.remove(at);
            let attempt = Arc::clone(&used.1);
            open.push(used);
            return Some(attempt);
        }
        let folder = {
            let table = lock(&self.table);
            let row = table.rows.rows.get(row)?;
            row.attempt?;
            row.folder.clone()
        };
        let attempt = Arc::new(Mutex::new(Attempt::open(&folder)));
        if open.len() >= KEPT {
            open.remove(0);
        }
        open.push((row, Arc::clone(&attempt)));
        Some(attempt)
    }

    /// Reads what was added to a search, and returns how much there is.
    pub(crate) fn grown(&self, row: usize) -> Option<Grown> {
        let attempt = self.attempt(row)?;
        let mut attempt = lock(&attempt);
        attempt.refresh();
        Some(Grown { epoch: attempt.epoch(), sizes: attempt.sizes(), notes: attempt.notes().len() })
    }

    /// The search of a row from these places on.
    pub(crate) fn search(&self, row: usize, epoch: Option<u64>, from: Sizes) -> Option<Vec<u8>> {
        let attempt = self.attempt(row)?;
        let attempt = lock(&attempt);
        Some(attempt.since(epoch, from))
    }

    /// The details of a chunk of nodes.
    pub(crate) fn details(&self, row: usize, chunk: usize) -> Option<Value> {
        let attempt = self.attempt(row)?;
        let attempt = lock(&attempt);
        Some(attempt.chunk(chunk))
    }

    /// The number of chunks.
    pub(crate) fn n_chunks(&self, row: usize) -> usize {
        self.attempt(row).map_or(0, |attempt| lock(&attempt).n_chunks())
    }

    /// The result of a row, with its statement and its proof.
    pub(crate) fn result(&self, row: usize) -> Option<Value> {
        let mut value = {
            let table = lock(&self.table);
            let row = table.rows.rows.get(row)?;
            let run = &table.runs[row.run];
            let statement = run.about.get(&row.theorem).map(|about| &about.statement);
            let result = row.attempt.and_then(|attempt| run.results.get(&(row.theorem.clone(), attempt)));
            let mut value = json!({ "statement": statement });
            match result {
                Some(AnyResult::Proof(result)) => {
                    value["result"] = json!({
                        "assistant": result.assistant,
                        "stop_detail": result.stop_detail,
                        "shortfall": result.verification_shortfall,
                        "axioms": result.axioms,
                        "second_judge_silence": result.second_judge_silence,
                        "source": result.source,
                        "proof_steps": result.proof_steps,
                        "rejected_claims": result.rejected_claims,
                        "error": result.infrastructure_error,
                        "agent_iterations": result.agent_iterations,
                        "virtual_ms": result.virtual_ms,
                        "seed": result.seed,
                    });
                }
                Some(AnyResult::Code(result)) => {
                    value["result"] = json!({
                        "stop_detail": result.ended_by,
                        "files": result.solution,
                        "seed": result.seed,
                    });
                }
                None => {}
            }
            value
        };
        let winning = self.attempt(row).and_then(|attempt| lock(&attempt).winning());
        value["winning"] = json!(winning);
        Some(value)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Reading on after a panic is right: what is held is a copy of what is in files.
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
