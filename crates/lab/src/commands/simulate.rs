//! `andor-lab simulate`

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use andor_artifact::basin::Estimate;
use andor_artifact::files::write_bytes;
use andor_config::{BudgetConfig, Config, DistributedMcts, LatencyConfig, SearchConfig};
use andor_lab::simulate::plots::{self, FIGURES};
use andor_lab::simulate::recorded::Recorded;
use andor_lab::simulate::summary::CellSummary;
use andor_lab::simulate::sweep::{Axes, Cell, FinishedSearch, Subject, Sweep, SweepError, SweepRequest};
use andor_lab::simulate::table::{CELL, CsvWriter, SEARCH, VARIED, record, text};
use andor_terminal::exit::Exit;
use andor_terminal::interrupt::cancel_on_interrupt;
use andor_terminal::progress::Progress;
use andor_terminal::report::{self, Align, aligned};
use anyhow::{Context, bail};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::keep_existing;
use crate::args::{SimulateArgs, SimulationOutputArgs, usage};

const SEARCHES: &str = "searches.csv";
const CELLS: &str = "cells.csv";

pub(crate) async fn run(args: &SimulateArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let sweep = Sweep::new(request(args)?).map_err(|error| match error {
        SweepError::Rule(rule) => usage("simulate", rule),
        error => error.into(),
    })?;
    prepare(&args.output)?;
    let interrupted = CancellationToken::new();
    let _listening = cancel_on_interrupt(&interrupted, Arc::clone(&progress));
    let cancelled = Arc::new(AtomicBool::new(false));
    tokio::spawn({
        let (interrupted, cancelled) = (interrupted.clone(), Arc::clone(&cancelled));
        async move {
            interrupted.cancelled().await;
            cancelled.store(true, Ordering::Relaxed);
        }
    });
    let finished = tokio::task::block_in_place(|| simulate(args, &sweep, &cancelled, &progress))?;
    if interrupted.is_cancelled() {
        return Ok(Exit::Interrupted);
    }
    let results = results(&sweep, &finished);
    write_results(&args.output, &sweep, &results)?;
    show(args.output.json, &sweep, &results)?;
    let unsound = finished.iter().filter(|f| f.claimed && !f.solved).count();
    if unsound > 0 {
        bail!("{unsound} claimed proofs do not replay: this is a bug in the search");
    }
    Ok(Exit::Success)
}

fn request(args: &SimulateArgs) -> anyhow::Result<SweepRequest> {
    let SimulateArgs { subjects, varied, damage, search, time, budget, .. } = args;
    let mut all: Vec<Subject> = subjects.presets.iter().map(|&preset| Subject::Synthetic(preset)).collect();
    let recorded = Recorded::read(&subjects.recorded).context("--recorded")?;
    all.extend(recorded.into_iter().map(Subject::Recorded));
    if all.is_empty() {
        all.push(Subject::Synthetic(andor_system_synthetic::WorldPreset::Medium));
    }
    let exploration = search.exploration.unwrap_or(search.policy.default_exploration());
    let config = Config {
        search: SearchConfig {
            policy: search.policy,
            exploration,
            backprop: search.backprop,
            expand: search.expand,
            identity: search.identity,
            ..SearchConfig::default()
        },
        budget: BudgetConfig {
            time_s: None,
            virtual_time_s: budget.virtual_time,
            max_iterations: budget.max_iterations,
            max_expansions: budget.max_expansions,
            max_nodes: budget.max_nodes,
            max_candidates: budget.max_candidates,
            max_tokens_total: None,
            max_cost: None,
        },
        latencies: LatencyConfig {
            provider: time.provider_latency.clone(),
            tactic: time.tactic_latency.clone(),
        },
        distributed_mcts: DistributedMcts {
            path_bias: search.path_bias,
            depth_bias: search.depth_bias,
            block_seed: damage.block_seed,
            block_immovable_fraction: damage.block_immovable_fraction,
            unfreeze_after: damage.unfreeze_after,
            unfreeze_prob: damage.unfreeze_prob,
            delay_seed: damage.delay_seed,
            obstacle_visits: damage.obstacle_visits,
            ..DistributedMcts::default()
        },
        ..Config::default()
    };
    Ok(SweepRequest {
        subjects: all,
        seeds: subjects.seeds,
        critic: subjects.critic,
        axes: Axes {
            agents: varied.agents.clone(),
            workers: varied.workers.clone(),
            virtual_loss: varied.virtual_loss.clone(),
            block_fraction: varied.block_fraction.clone(),
            block_duration: varied.block_duration.clone(),
            reroute: varied.reroute.clone(),
            delay_prob: varied.delay_prob.clone(),
            delay_duration: varied.delay_duration.clone(),
        },
        inflight: search.inflight,
        model_slots: time.model_slots,
        config,
    })
}

fn figure_file(name: &str) -> String {
    format!("{name}.svg")
}

/// Creates the folder, and refuses to overwrite files of an earlier sweep.
fn prepare(output: &SimulationOutputArgs) -> anyhow::Result<()> {
    fs_err::create_dir_all(&output.out)?;
    let files = [SEARCHES, CELLS].map(str::to_owned).into_iter().chain(FIGURES.map(|f| figure_file(f.name)));
    keep_existing(files.map(|file| output.out.join(file)), output.force, "another folder")
}

/// Simulates all searches, and writes each one when it is finished.
fn simulate(
    args: &SimulateArgs,
    sweep: &Sweep,
    cancelled: &AtomicBool,
    progress: &Mutex<Progress>,
) -> anyhow::Result<Vec<FinishedSearch>> {
    let path = args.output.out.join(SEARCHES);
    let file = fs_err::File::create(&path)?;
    let mut table = CsvWriter::new(&SEARCH, file).with_context(|| path.display().to_string())?;
    let jobs = args.output.jobs.map_or_else(thread::available_parallelism, Ok)?;
    let bar = progress.lock().expect("progress does not panic").bar(sweep.n_searches() as u64, "searches");
    let finished = sweep.run(jobs, cancelled, |finished| {
        bar.inc(1);
        table.write(&sweep.request, &sweep.cells[finished.cell], finished)
    });
    bar.finish_and_clear();
    let finished = finished.with_context(|| path.display().to_string())?;
    table.finish()?;
    Ok(finished)
}

/// Summarises the searches of each cell.
fn results(sweep: &Sweep, finished: &[FinishedSearch]) -> Vec<(Cell, CellSummary)> {
    let searches = finished.chunk_by(|a, b| a.cell == b.cell);
    let of = |searches: &[FinishedSearch]| {
        let cell = sweep.cells[searches[0].cell];
        (cell, CellSummary::of(&cell, sweep.request.model_slots, searches))
    };
    searches.map(of).collect()
}

fn write_results(
    output: &SimulationOutputArgs,
    sweep: &Sweep,
    results: &[(Cell, CellSummary)],
) -> anyhow::Result<()> {
    let path = |name: &str| -> Box<Path> { output.out.join(name).into() };
    let mut table = CsvWriter::new(&CELL, Vec::new())?;
    for (cell, summary) in results {
        table.write(&sweep.request, cell, summary)?;
    }
    write_bytes(&path(CELLS), &table.finish()?)?;
    let x = output.x.as_deref().unwrap_or_else(|| plots::default_x(&sweep.request, &sweep.cells));
    for figure in &FIGURES {
        let svg = plots::draw(figure, x, &sweep.request, results);
        write_bytes(&path(&figure_file(figure.name)), svg.as_bytes())?;
    }
    Ok(())
}

/// Prints the cells: the varied parameters and the results.
fn show(as_json: bool, sweep: &Sweep, results: &[(Cell, CellSummary)]) -> anyhow::Result<()> {
    if as_json {
        let mut out = BufWriter::new(io::stdout().lock());
        for (cell, summary) in results {
            writeln!(out, "{}", json!(record(&CELL, &sweep.request, cell, summary)))?;
        }
        out.flush()?;
        return Ok(());
    }
    let said = |column: usize, cell: &Cell| text(&(VARIED[column].of)(&sweep.request, cell, &()));
    let first = &sweep.cells[0];
    let varied: Vec<usize> = (0..VARIED.len())
        .filter(|&c| sweep.cells.iter().any(|cell| said(c, cell) != said(c, first)))
        .collect();
    let names = varied.iter().map(|&c| VARIED[c].name).chain(MEASURED).map(str::to_owned);
    let mut rows: Vec<Vec<String>> = vec![names.collect()];
    for (cell, summary) in results {
        rows.push(varied.iter().map(|&c| said(c, cell)).chain(measured(summary)).collect());
    }
    report::print(&(aligned(&rows, Align::Right).join("\n") + "\n"))?;
    Ok(())
}

/// Column headings of the results.
const MEASURED: [&str; 9] = [
    "solved",
    "share (95 %)",
    "proof s",
    "duplicates",
    "collisions",
    "workers",
    "with work",
    "model calls",
    "tactics/s",
];

/// The results of a cell, in the columns of [`MEASURED`].
fn measured(s: &CellSummary) -> [String; 9] {
    let number = |value: Option<f64>, decimals: usize| {
        value.map_or_else(|| "-".to_owned(), |v| format!("{v:.decimals$}"))
    };
    let percent = |share: Option<f64>| number(share.map(|s| 100.0 * s), 0);
    let share =
        |e: Option<Estimate>| e.map_or_else(|| "-".to_owned(), |e| format!("{:.1} %", 100.0 * e.value));
    let rate = s.solve_rate.map_or_else(String::new, |r| {
        format!("{} % ({} to {})", percent(Some(r.value)), percent(r.low), percent(r.high))
    });
    [
        format!("{}/{}", s.solved, s.searches),
        rate,
        number(s.proof_ms.map(|q| q.median / 1e3), 2),
        share(s.duplicate_share),
        share(s.collision_share),
        share(s.worker_utilisation),
        share(s.worker_utilisation_with_work),
        number(s.model_calls.map(|e| e.value), 2),
        number(s.attempts_per_s.map(|e| e.value), 1),
    ]
}
