//! `andor-lab bench`

mod agents;
mod hostile;
mod verification;

use std::io::{self, Write};

use andor_lab::bench::prover::{self, DEPTH, MANY, ProverCosts};
use andor_lab::bench::quality::{self, Solved};
use andor_lab::bench::speed::{self, Method, Runner, Speed};
use andor_lab::bench::{contestants, mini};
use andor_process::scratch::Scratch;
use andor_system_synthetic::WorldPreset;
use andor_terminal::exit::Exit;
use anyhow::bail;
use serde_json::json;

use crate::args::{BenchArgs, BenchCommand, MeasureArgs, ProverBenchArgs, SpeedArgs, SyntheticArgs};

pub(crate) async fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    match &args.what {
        BenchCommand::Synthetic(args) => synthetic(args)?,
        BenchCommand::Speed(args) => speed(args).await?,
        BenchCommand::Agents(args) => agents::agents(args).await?,
        BenchCommand::Rocq(args) => prover(args, &prover::rocq().await?)?,
        BenchCommand::Lean(args) => prover(args, &prover::lean().await?)?,
        BenchCommand::Mini(args) => mini(args).await?,
        BenchCommand::Cheats(args) => return verification::cheats(args).await,
        BenchCommand::Mutants(args) => return verification::mutants(args).await,
        BenchCommand::Ladder(args) => verification::ladder(args).await?,
        BenchCommand::Stdlib(args) => return verification::stdlib(args).await,
        BenchCommand::Hostile(args) => return hostile::hostile(args).await,
        BenchCommand::Measure(args) => measure(args)?,
    }
    Ok(Exit::Success)
}

/// Prints a table with a row for each search and a column for each preset and budget.
fn synthetic(args: &SyntheticArgs) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let budget_of = |preset: WorldPreset, factor: f64| {
        (preset, (preset.standard_budget() as f64 * factor).round() as u64)
    };
    let columns: Vec<_> =
        args.presets.iter().flat_map(|&p| args.budgets.iter().map(move |&b| budget_of(p, b))).collect();
    if !args.json {
        let (first, last) = (args.seeds.first, args.seeds.last);
        writeln!(
            out,
            "solved of {} instances, seeds {first}..{last}, by tactic applications",
            last - first + 1
        )?;
        write!(out, "{:<30} {:<6}", "search", "critic")?;
        for (preset, budget) in &columns {
            write!(out, " {:>13}", format!("{preset}@{budget}"))?;
        }
        writeln!(out)?;
    }
    let wanted = |name: &str| args.search.as_ref().is_none_or(|text| name.contains(text.as_str()));
    let mut unsound = false;
    let mut show = |cells: &[Solved]| -> io::Result<()> {
        unsound |= cells.iter().any(|c| c.claimed > c.accepted);
        if args.json {
            return cells.iter().try_for_each(|c| writeln!(out, "{}", json!(c)));
        }
        write!(out, "{:<30} {:<6}", cells[0].search, if cells[0].critic { "yes" } else { "no" })?;
        for cell in cells {
            let false_claims = cell.claimed - cell.accepted;
            let note = if false_claims > 0 { format!("+{false_claims} false") } else { String::new() };
            write!(out, " {:>13}", format!("{}{note}", cell.accepted))?;
        }
        writeln!(out)
    };
    for contestant in contestants().iter().filter(|c| wanted(c.name)) {
        for critic in [false, true] {
            let cells = columns.iter().map(|&(p, n)| quality::measure(contestant, critic, p, n, args.seeds));
            show(&cells.collect::<Vec<_>>())?;
        }
    }
    if wanted("reference") {
        let cells = columns.iter().map(|&(p, n)| quality::measure_reference(p, n, args.seeds));
        show(&cells.collect::<Vec<_>>())?;
    }
    if unsound {
        bail!("a claimed proof does not replay: this is a bug in the search");
    }
    Ok(())
}

/// Prints a table with a row for each method and size. The engine and the minimal implementation are measured
/// alternately, each time in a fresh process.
async fn speed(args: &SpeedArgs) -> anyhow::Result<()> {
    let scratch = Scratch::new()?;
    let mut out = io::stdout().lock();
    if !args.json {
        writeln!(out, "preset open, b = 8, medians of {} (lowest to highest)", args.repeat)?;
        writeln!(
            out,
            "{:<11} {:>9} | {:>7} {:>7} {:>22} | {:>5} {:>6} {:>5}{}",
            "method",
            "applied",
            "floor",
            "engine",
            "ratio",
            "floor",
            "engine",
            "ratio",
            if args.trace { " | traced" } else { "" }
        )?;
        writeln!(
            out,
            "{:<21} | {:>7} {:>7} {:>22} | {:>5} {:>6}",
            "", "M exp/s", "M exp/s", "", "B/node", "B/node"
        )?;
    }
    for method in Method::ALL {
        for &applications in &args.applications {
            let mut runs = Vec::new();
            for _ in 0..args.repeat.max(1) {
                let floor =
                    speed::measure_in_fresh_process(Runner::Floor(method), applications, scratch.path())
                        .await?;
                let engine =
                    speed::measure_in_fresh_process(Runner::Engine(method), applications, scratch.path())
                        .await?;
                let traced = match args.trace {
                    true => Some(
                        speed::measure_in_fresh_process(Runner::Traced(method), applications, scratch.path())
                            .await?,
                    ),
                    false => None,
                };
                runs.push((floor, engine, traced));
            }
            let rate = |m: &Speed| m.expansions as f64 / m.seconds / 1e6;
            let size = |m: &Speed| m.resident_bytes.map_or(f64::NAN, |b| b as f64 / m.nodes as f64);
            type Round = (Speed, Speed, Option<Speed>);
            let spread = |f: &dyn Fn(&Round) -> f64| Spread::of(runs.iter().map(f));
            let (floor_rate, engine_rate) = (spread(&|r| rate(&r.0)), spread(&|r| rate(&r.1)));
            let ratio = spread(&|r| rate(&r.1) / rate(&r.0));
            let (floor_size, engine_size) = (spread(&|r| size(&r.0)), spread(&|r| size(&r.1)));
            let applied = spread(&|r| r.1.applications as f64 / r.1.seconds / 1e6);
            let traced = args.trace.then(|| spread(&|r| r.2.as_ref().map_or(f64::NAN, &rate) / rate(&r.0)));
            if args.json {
                let record = json!({
                    "method": method.name(),
                    "applications": applications,
                    "floor_expansions_per_s": floor_rate.median * 1e6,
                    "engine_expansions_per_s": engine_rate.median * 1e6,
                    "engine_applications_per_s": applied.median * 1e6,
                    "speed_ratio": ratio.median,
                    "speed_ratio_lowest": ratio.lowest,
                    "speed_ratio_highest": ratio.highest,
                    "floor_bytes_per_node": floor_size.median,
                    "engine_bytes_per_node": engine_size.median,
                    "traced_speed_ratio": traced.map(|t| t.median),
                });
                writeln!(out, "{record}")?;
                continue;
            }
            writeln!(
                out,
                "{:<11} {:>9} | {:>7.3} {:>7.3} {:>22} | {:>5.0} {:>6.0} {:>5.2}{}",
                method.name(),
                applications,
                floor_rate.median,
                engine_rate.median,
                format!("{:.2} ({:.2} to {:.2})", ratio.median, ratio.lowest, ratio.highest),
                floor_size.median,
                engine_size.median,
                engine_size.median / floor_size.median,
                traced.map_or(String::new(), |t| format!(" | {:.2}", t.median))
            )?;
            out.flush()?;
        }
    }
    Ok(())
}

fn prover(args: &ProverBenchArgs, costs: &ProverCosts) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", json!(costs))?;
        return Ok(());
    }
    writeln!(out, "preview, goals read back            median ms   p90 ms")?;
    for preview in &costs.previews {
        writeln!(out, "  {:<32} {:>10.2} {:>8.2}", preview.tactic, preview.median_ms, preview.p90_ms)?;
    }
    for batch in &costs.batches {
        let what = format!("{} previews in a row, {DEPTH} steps deep", batch.size);
        writeln!(out, "{what:<36}{:>9.2}", batch.median_ms)?;
    }
    writeln!(out, "preview at the worker's own state   {:>9.2}", costs.staying_ms)?;
    writeln!(out, "the same, {DEPTH} steps away             {:>9.2}", costs.moving_ms)?;
    writeln!(out, "start a worker, open the theorem    {:>9.1}", costs.starting_ms)?;
    writeln!(out, "the same without a sandbox          {:>9.1}", costs.starting_unconfined_ms)?;
    writeln!(out, "open a theorem on a warm worker     {:>9.1}", costs.warm_ms)?;
    writeln!(out, "replay {DEPTH} steps                     {:>9.1}", costs.replaying_ms)?;
    let mb = |bytes: u64| bytes as f64 / 1e6;
    let memory = &costs.memory;
    writeln!(
        out,
        "memory of a worker: {:.0} MB opened, {:.0} MB after {} previews, {:.0} MB after {MANY}",
        mb(memory.opened),
        mb(memory.early),
        MANY / 10,
        mb(memory.late)
    )?;
    let s = &costs.searches;
    let share = |ms: f64| 100.0 * ms / s.total_ms;
    writeln!(
        out,
        "{} searches ({} proved), {} tactics, {:.1} s: opening {:.1} %, tactics {:.1} %, checking {:.1} %, \
         our own {:.1} % ({:.1} % of the time without opening and checking)",
        s.made,
        s.accepted,
        s.tactics,
        s.total_ms / 1e3,
        share(s.opening_ms),
        share(s.previewing_ms),
        share(s.checking_ms),
        share(s.own_ms),
        100.0 * s.own_ms / (s.own_ms + s.previewing_ms)
    )?;
    Ok(())
}

async fn mini(args: &ProverBenchArgs) -> anyhow::Result<()> {
    let costs = mini::measure().await?;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", json!(costs))?;
        return Ok(());
    }
    writeln!(out, "preview, goals read back                           per second (lowest to highest)")?;
    for p in &costs.previews {
        let note = if p.applies { "" } else { "  rejected" };
        writeln!(
            out,
            "  {:<47} {:>9.0} ({:.0} to {:.0}){note}",
            p.tactic, p.per_second, p.lowest, p.highest
        )?;
    }
    if let Some(bytes) = costs.state_bytes {
        writeln!(out, "bytes per state held by a worker                  {bytes:>9}")?;
    }
    writeln!(out, "reading and checking the prelude, ms              {:>9.1}", costs.prelude_ms)?;
    Ok(())
}

/// Prints a table with a row for each entry and a column for each level. Failures go to standard error.
fn measure(args: &MeasureArgs) -> anyhow::Result<()> {
    let Some(runner) = Runner::from_name(&args.runner) else { bail!("unknown runner `{}`", args.runner) };
    let measured = speed::measure(runner, args.applications, &args.scratch)?;
    writeln!(io::stdout(), "{}", json!(measured))?;
    Ok(())
}

/// Median and range of a set of measurements.
struct Spread {
    median: f64,
    lowest: f64,
    highest: f64,
}

impl Spread {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        Self { median: values[values.len() / 2], lowest: values[0], highest: values[values.len() - 1] }
    }
}
