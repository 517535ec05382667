//! `andor trace`

use std::fmt::{self, Display, Write};

use andor_artifact::files::LinesReader;
use andor_artifact::trace::{IterationReason, TraceEvent};
use andor_artifact::version::Kind;
use andor_report::trace::stats::{Counted, Counter, TraceStats};
use andor_terminal::exit::Exit;
use andor_terminal::{report, shown};

use super::recorded::find_all;
use crate::args::{StatsArgs, TraceArgs, TraceCommand};

pub(crate) fn run(args: &TraceArgs) -> anyhow::Result<Exit> {
    match &args.what {
        TraceCommand::Stats(args) => stats(args),
    }
}

fn stats(args: &StatsArgs) -> anyhow::Result<Exit> {
    let mut counter = Counter::default();
    for path in find_all(&args.run, args.theorem.as_deref(), args.attempt, "trace.jsonl")? {
        counter.begin();
        for record in LinesReader::<TraceEvent>::open(&path, Kind::Trace)? {
            counter.add(&record?);
        }
    }
    let stats = counter.finish();
    if args.json {
        report::print(&(serde_json::to_string_pretty(&stats)? + "\n"))?;
    } else {
        let mut text = String::new();
        table(&mut text, &stats)?;
        report::print(&text)?;
    }
    Ok(Exit::Success)
}

fn table(out: &mut String, stats: &TraceStats) -> fmt::Result {
    let iterations = report::count(stats.iterations, "iteration");
    if stats.traces == 1 {
        let theorem = shown::line(stats.theorem.as_deref().unwrap_or("a search that never began"));
        let ending = shown::message(stats.ending.as_deref().unwrap_or("no, the trace is truncated"));
        writeln!(out, "{theorem}: {iterations}, ended: {ending}")?;
    } else {
        let of = stats.theorem.as_deref().map_or(String::new(), |id| format!(" of {}", shown::line(id)));
        writeln!(out, "{}{of}: {iterations}", report::count(stats.traces, "trace"))?;
    }
    let time = &stats.time;
    let clock = shown::line(time.clock.as_deref().unwrap_or("unknown"));
    write!(out, "  {} ms on the {clock} clock", time.span_ms)?;
    match time.iterations_per_s {
        Some(rate) => writeln!(out, ", {rate:.1} iterations per second")?,
        None => writeln!(out)?,
    }
    if stats.rejections > 0 {
        writeln!(out, "  {} claims rejected by the checker", stats.rejections)?;
    }

    if stats.traces > 1 {
        head(out, "ended", &["traces", "share"])?;
        counts(out, &stats.endings, |ending| shown::message(ending))?;
    }
    let columns = ["iterations", "share", "in flight", "at most"];
    head(out, "reason", &columns)?;
    for r in &stats.reasons {
        let inflight = [format!("{:.2}", r.inflight_mean), r.inflight_max.to_string()];
        let [mean, max] = inflight;
        row(out, reason(r.reason), [r.iterations.to_string(), percent(r.share), mean, max])?;
    }
    head(out, "agent", &["iterations", "share", "expansions", "successes"])?;
    for a in &stats.agents {
        let counts =
            [a.iterations.to_string(), percent(a.share), a.expansions.to_string(), a.successes.to_string()];
        row(out, a.agent_id, counts)?;
    }
    head(out, "attempts", &["count", "share"])?;
    counts(out, &stats.attempts.outcomes, |o| o.name())?;
    head(out, "provider", &["attempts", "share", "successes"])?;
    for p in &stats.attempts.providers {
        row(out, &p.provider_id, [p.attempts.to_string(), percent(p.share), p.successes.to_string()])?;
    }
    if !stats.attempts.block_reasons.is_empty() {
        head(out, "blocked because", &["count", "share"])?;
        counts(out, &stats.attempts.block_reasons, |why| why)?;
    }
    contention(out, stats)?;
    head(out, "depth", &["nodes", "iterations"])?;
    for d in &stats.depths {
        row(out, d.depth, [d.nodes.to_string(), d.iterations.to_string()])?;
    }
    Ok(())
}

/// How agents and obstacles interfered with each other.
fn contention(out: &mut String, stats: &TraceStats) -> fmt::Result {
    let collisions = &stats.collisions;
    writeln!(out, "\ncollisions: {} ({} of iterations)", collisions.iterations, percent(collisions.rate))?;
    for c in &collisions.reasons {
        row(out, reason(c.kind), [c.count.to_string(), percent(c.share)])?;
    }
    let duplicates = &stats.duplicates;
    writeln!(
        out,
        "duplicate work: {} iterations at settled nodes ({}); {} of {} candidates tried before ({})",
        duplicates.settled_iterations,
        percent(duplicates.settled_share),
        duplicates.repeated_previews,
        duplicates.previews,
        percent(duplicates.repeated_share)
    )?;
    let obstacles = &stats.obstacles;
    writeln!(
        out,
        "obstacles: {} blocked, {} delayed; {} rerouted, {} of them to a node; {:.2} nodes given up on average",
        obstacles.blocked, obstacles.delayed, obstacles.rerouted, obstacles.rescued, obstacles.mean_trail
    )
}

/// The width of a table's first column.
const NAMES: usize = 24;

fn head(out: &mut String, name: &str, columns: &[&str]) -> fmt::Result {
    writeln!(out)?;
    write!(out, "{name:<NAMES$}")?;
    columns.iter().try_for_each(|column| write!(out, " {column:>10}"))?;
    writeln!(out)
}

fn row<const N: usize>(out: &mut String, name: impl Display, cells: [String; N]) -> fmt::Result {
    write!(out, "  {:<width$}", name.to_string(), width = NAMES - 2)?;
    cells.iter().try_for_each(|cell| write!(out, " {cell:>10}"))?;
    writeln!(out)
}

fn counts<'a, K, D: Display>(
    out: &mut String,
    counted: &'a [Counted<K>],
    name: impl Fn(&'a K) -> D,
) -> fmt::Result {
    counted.iter().try_for_each(|c| row(out, name(&c.kind), [c.count.to_string(), percent(c.share)]))
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn reason(reason: IterationReason) -> &'static str {
    match reason {
        IterationReason::Expanded => "expanded",
        IterationReason::NoExpansion => "no_expansion",
        IterationReason::NoGoal => "no_goal",
        IterationReason::Blocked => "blocked",
        IterationReason::Delayed => "delayed",
        IterationReason::TerminalNode => "terminal_node",
        IterationReason::DeadNode => "dead_node",
    }
}
