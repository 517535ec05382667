//! The tables of a sweep: one row per search, and one per cell. A column is a name and a function that computes its
//! value. `docs/guide/simulation.md` describes the columns.

use std::io;

use andor_artifact::basin::{Estimate, Quartiles};
use andor_config::ObstacleVisits;
use serde_json::{Map, Value, json};

use super::summary::CellSummary;
use super::sweep::{Cell, FinishedSearch, Subject, SweepRequest};

/// A column of a table with rows of type `T`.
#[derive(Clone, Copy, Debug)]
pub struct SweepColumn<T> {
    /// Its name.
    pub name: &'static str,
    /// Its value: a number, a string, a boolean, or null.
    pub of: fn(&SweepRequest, &Cell, &T) -> Value,
}

/// The parameters that can be varied.
pub const VARIED: [SweepColumn<()>; 9] = [
    SweepColumn { name: "problem", of: |request, cell, ()| json!(problem(request, cell)) },
    SweepColumn { name: "agents", of: |_, cell, ()| json!(cell.agents) },
    SweepColumn { name: "workers", of: |_, cell, ()| json!(cell.workers) },
    SweepColumn { name: "virtual_loss", of: |_, cell, ()| json!(cell.virtual_loss) },
    SweepColumn { name: "block_fraction", of: |_, cell, ()| json!(cell.block_fraction) },
    SweepColumn { name: "block_duration", of: |_, cell, ()| json!(cell.block_duration) },
    SweepColumn { name: "reroute", of: |_, cell, ()| json!(cell.reroute) },
    SweepColumn { name: "delay_prob", of: |_, cell, ()| json!(cell.delay_prob) },
    SweepColumn { name: "delay_duration", of: |_, cell, ()| json!(cell.delay_duration) },
];

/// The parameters that are constant in a sweep or derived from others.
pub const FIXED: [SweepColumn<()>; 18] = [
    SweepColumn { name: "inflight", of: |_, cell, ()| json!(cell.inflight) },
    SweepColumn { name: "model_slots", of: |request, _, ()| json!(request.model_slots) },
    SweepColumn { name: "policy", of: |request, _, ()| json!(request.config.search.policy) },
    SweepColumn { name: "exploration", of: |request, _, ()| json!(request.config.search.exploration) },
    SweepColumn { name: "backprop", of: |request, _, ()| json!(request.config.search.backprop) },
    SweepColumn { name: "expand", of: |request, _, ()| json!(request.config.search.expand) },
    SweepColumn { name: "identity", of: |request, _, ()| json!(request.config.search.identity.name()) },
    SweepColumn { name: "critic", of: |request, _, ()| json!(request.critic) },
    SweepColumn {
        name: "block_seed",
        of: |request, _, ()| json!(request.config.distributed_mcts.block_seed),
    },
    SweepColumn {
        name: "block_immovable_fraction",
        of: |request, _, ()| json!(request.config.distributed_mcts.block_immovable_fraction),
    },
    SweepColumn {
        name: "unfreeze_after",
        of: |request, _, ()| json!(request.config.distributed_mcts.unfreeze_after),
    },
    SweepColumn {
        name: "unfreeze_prob",
        of: |request, _, ()| json!(request.config.distributed_mcts.unfreeze_prob),
    },
    SweepColumn {
        name: "delay_seed",
        of: |request, _, ()| json!(request.config.distributed_mcts.delay_seed),
    },
    SweepColumn {
        name: "obstacle_visits",
        of: |request, _, ()| json!(request.config.distributed_mcts.obstacle_visits.map(ObstacleVisits::name)),
    },
    SweepColumn { name: "path_bias", of: |request, _, ()| json!(request.config.distributed_mcts.path_bias) },
    SweepColumn {
        name: "depth_bias",
        of: |request, _, ()| json!(request.config.distributed_mcts.depth_bias),
    },
    SweepColumn { name: "provider_latency", of: |request, _, ()| json!(request.config.latencies.provider) },
    SweepColumn { name: "tactic_latency", of: |request, _, ()| json!(request.config.latencies.tactic) },
];

/// The results of a search, apart from its parameters.
pub const SEARCH: [SweepColumn<FinishedSearch>; 25] = [
    SweepColumn { name: "seed", of: |_, _, f| json!(f.seed) },
    SweepColumn { name: "stop", of: |_, _, f| json!(f.stop.name()) },
    SweepColumn { name: "claimed", of: |_, _, f| json!(f.claimed) },
    SweepColumn { name: "solved", of: |_, _, f| json!(f.solved) },
    SweepColumn { name: "proof_ms", of: |_, _, f| json!(f.proof_ms()) },
    SweepColumn { name: "virtual_ms", of: |_, _, f| json!(f.virtual_ms()) },
    SweepColumn { name: "iterations", of: |_, _, f| json!(f.spent.iterations) },
    SweepColumn { name: "expansions", of: |_, _, f| json!(f.spent.expansions) },
    SweepColumn { name: "attempts", of: |_, _, f| json!(f.spent.candidates) },
    SweepColumn { name: "provider_calls", of: |_, _, f| json!(f.measured.provider_calls) },
    SweepColumn { name: "nodes", of: |_, _, f| json!(f.spent.nodes) },
    SweepColumn { name: "passes", of: |_, _, f| json!(f.measured.passes) },
    SweepColumn { name: "skips", of: |_, _, f| json!(f.measured.skips) },
    SweepColumn { name: "collisions", of: |_, _, f| json!(f.measured.collisions) },
    SweepColumn { name: "repeats", of: |_, _, f| json!(f.measured.repeats) },
    SweepColumn { name: "duplicate_share", of: |_, _, f| json!(f.duplicate_share()) },
    SweepColumn { name: "attempts_per_s", of: |_, _, f| json!(f.attempts_per_s()) },
    SweepColumn { name: "worker_utilisation", of: |_, cell, f| json!(f.worker_utilisation(cell.workers)) },
    SweepColumn { name: "work_share", of: |_, _, f| json!(f.work_share()) },
    SweepColumn {
        name: "worker_utilisation_with_work",
        of: |_, cell, f| json!(f.worker_utilisation_with_work(cell.workers)),
    },
    SweepColumn { name: "worker_wait_ms", of: |_, _, f| json!(f.worker_wait_ms()) },
    SweepColumn { name: "worker_busy_ms", of: |_, _, f| json!(f.measured.workers_busy as f64 / 1e3) },
    SweepColumn { name: "model_calls", of: |_, _, f| json!(f.model_calls()) },
    SweepColumn {
        name: "model_utilisation",
        of: |request, _, f| json!(f.model_utilisation(request.model_slots)),
    },
    SweepColumn { name: "tree_digest", of: |_, _, f| json!(format!("{:016x}", f.tree_digest)) },
];

/// The results of a cell, apart from its parameters.
pub const CELL: [SweepColumn<CellSummary>; 33] = [
    SweepColumn {
        name: "seeds",
        of: |request, _, _| json!(format!("{}..{}", request.seeds.first, request.seeds.last)),
    },
    SweepColumn { name: "searches", of: |_, _, s| json!(s.searches) },
    SweepColumn { name: "solved", of: |_, _, s| json!(s.solved) },
    SweepColumn { name: "solve_rate", of: |_, _, s| value(s.solve_rate) },
    SweepColumn { name: "solve_rate_low", of: |_, _, s| low(s.solve_rate) },
    SweepColumn { name: "solve_rate_high", of: |_, _, s| high(s.solve_rate) },
    SweepColumn { name: "proof_ms_median", of: |_, _, s| quartile(s.proof_ms, |q| q.median) },
    SweepColumn { name: "proof_ms_q1", of: |_, _, s| quartile(s.proof_ms, |q| q.q1) },
    SweepColumn { name: "proof_ms_q3", of: |_, _, s| quartile(s.proof_ms, |q| q.q3) },
    SweepColumn { name: "virtual_ms", of: |_, _, s| value(s.virtual_ms) },
    SweepColumn { name: "iterations", of: |_, _, s| value(s.iterations) },
    SweepColumn { name: "attempts", of: |_, _, s| value(s.attempts) },
    SweepColumn { name: "attempts_per_s", of: |_, _, s| value(s.attempts_per_s) },
    SweepColumn { name: "attempts_per_s_low", of: |_, _, s| low(s.attempts_per_s) },
    SweepColumn { name: "attempts_per_s_high", of: |_, _, s| high(s.attempts_per_s) },
    SweepColumn { name: "pass_share", of: |_, _, s| value(s.pass_share) },
    SweepColumn { name: "collision_share", of: |_, _, s| value(s.collision_share) },
    SweepColumn { name: "duplicate_share", of: |_, _, s| value(s.duplicate_share) },
    SweepColumn { name: "duplicate_share_low", of: |_, _, s| low(s.duplicate_share) },
    SweepColumn { name: "duplicate_share_high", of: |_, _, s| high(s.duplicate_share) },
    SweepColumn { name: "worker_utilisation", of: |_, _, s| value(s.worker_utilisation) },
    SweepColumn { name: "worker_utilisation_low", of: |_, _, s| low(s.worker_utilisation) },
    SweepColumn { name: "worker_utilisation_high", of: |_, _, s| high(s.worker_utilisation) },
    SweepColumn { name: "worker_utilisation_with_work", of: |_, _, s| value(s.worker_utilisation_with_work) },
    SweepColumn {
        name: "worker_utilisation_with_work_low",
        of: |_, _, s| low(s.worker_utilisation_with_work),
    },
    SweepColumn {
        name: "worker_utilisation_with_work_high",
        of: |_, _, s| high(s.worker_utilisation_with_work),
    },
    SweepColumn { name: "worker_wait_ms", of: |_, _, s| value(s.worker_wait_ms) },
    SweepColumn { name: "model_calls", of: |_, _, s| value(s.model_calls) },
    SweepColumn { name: "model_calls_low", of: |_, _, s| low(s.model_calls) },
    SweepColumn { name: "model_calls_high", of: |_, _, s| high(s.model_calls) },
    SweepColumn { name: "model_utilisation", of: |_, _, s| value(s.model_utilisation) },
    SweepColumn { name: "model_utilisation_low", of: |_, _, s| low(s.model_utilisation) },
    SweepColumn { name: "model_utilisation_high", of: |_, _, s| high(s.model_utilisation) },
];

fn problem<'a>(request: &'a SweepRequest, cell: &Cell) -> &'a str {
    match &request.subjects[cell.subject] {
        Subject::Synthetic(preset) => preset.name(),
        Subject::Recorded(problem) => problem.theorem(),
    }
}

fn value(estimate: Option<Estimate>) -> Value {
    json!(estimate.map(|e| e.value))
}

fn low(estimate: Option<Estimate>) -> Value {
    json!(estimate.and_then(|e| e.low))
}

fn high(estimate: Option<Estimate>) -> Value {
    json!(estimate.and_then(|e| e.high))
}

fn quartile(quartiles: Option<Quartiles>, of: fn(Quartiles) -> f64) -> Value {
    json!(quartiles.map(of))
}

/// The names of the columns of a table.
pub fn header<T>(columns: &[SweepColumn<T>]) -> Vec<&'static str> {
    let parameters = VARIED.iter().chain(&FIXED).map(|c| c.name);
    parameters.chain(columns.iter().map(|c| c.name)).collect()
}

/// The values of a row, parameters first.
fn values<T>(columns: &[SweepColumn<T>], request: &SweepRequest, cell: &Cell, of: &T) -> Vec<Value> {
    let parameters = VARIED.iter().chain(&FIXED).map(|c| (c.of)(request, cell, &()));
    parameters.chain(columns.iter().map(|c| (c.of)(request, cell, of))).collect()
}

/// A row as a JSON object.
pub fn record<T>(
    columns: &[SweepColumn<T>],
    request: &SweepRequest,
    cell: &Cell,
    of: &T,
) -> Map<String, Value> {
    let names = header(columns).into_iter().map(str::to_owned);
    names.zip(values(columns, request, cell, of)).collect()
}

/// A CSV table (RFC 4180). Null is an empty field.
pub struct CsvWriter<T: 'static, W: io::Write> {
    columns: &'static [SweepColumn<T>],
    out: csv::Writer<W>,
}

impl<T, W: io::Write> CsvWriter<T, W> {
    /// Writes the header.
    pub fn new(columns: &'static [SweepColumn<T>], out: W) -> csv::Result<Self> {
        let mut out = csv::Writer::from_writer(out);
        out.write_record(header(columns))?;
        Ok(Self { columns, out })
    }

    /// Writes a row, and flushes it.
    pub fn write(&mut self, request: &SweepRequest, cell: &Cell, of: &T) -> csv::Result<()> {
        self.out.write_record(values(self.columns, request, cell, of).iter().map(text))?;
        Ok(self.out.flush()?)
    }

    /// Completes the table.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        self.out.into_inner().map_err(|e| e.into_error())
    }
}

/// A value as text for a table or an axis.
pub fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        // Whole numbers are written without decimals.
        Value::Number(number) => match number.as_f64() {
            Some(n) if number.is_f64() => n.to_string(),
            Some(_) | None => number.to_string(),
        },
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}
