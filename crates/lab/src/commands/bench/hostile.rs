//! `andor-lab bench hostile`

use std::io::{self, Write};
use std::time::Duration;

use andor_lab::bench::hostile::{self, Case, HostileRequest};
use andor_terminal::exit::Exit;
use serde_json::json;

use crate::args::HostileArgs;

/// How far a search may exceed its time limit, in milliseconds.
const ALLOWED_MS: f64 = 500.0;

/// Prints a summary, or a line for each tactic.
pub(super) async fn hostile(args: &HostileArgs) -> anyhow::Result<Exit> {
    let request =
        HostileRequest { count: args.count, seed: args.seed, time: Duration::from_secs_f64(args.time) };
    let (mut log, mut n_done) = (io::stderr(), 0);
    let cases = hostile::measure(request, |case| {
        n_done += 1;
        if case.overrun_ms > ALLOWED_MS {
            // Standard error may be closed.
            let _ =
                writeln!(log, "{n_done}/{}: {:.0} ms over: {}", request.count, case.overrun_ms, case.tactic);
        }
    })
    .await?;
    let mut out = io::stdout().lock();
    let over = cases.iter().filter(|case| case.overrun_ms > ALLOWED_MS).count();
    match args.json {
        true => cases.iter().try_for_each(|case| writeln!(out, "{}", json!(case)))?,
        false => summary(&mut out, &request, &cases, over)?,
    }
    Ok(if over == 0 { Exit::Success } else { Exit::NotProved })
}

fn summary(out: &mut impl Write, request: &HostileRequest, cases: &[Case], over: usize) -> io::Result<()> {
    let time_ms = request.time.as_secs_f64() * 1e3;
    let sorted = |of: fn(&Case) -> f64| {
        let mut all: Vec<f64> = cases.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        all
    };
    let (overruns, stops) = (sorted(|case| case.overrun_ms), sorted(|case| case.stop_ms));
    let median = |all: &[f64]| all.get(all.len() / 2).copied().unwrap_or_default();
    let most = |all: &[f64]| all.last().copied().unwrap_or_default();
    writeln!(out, "{} tactics, seeds from {}, {time_ms:.0} ms for each search", cases.len(), request.seed)?;
    writeln!(out, "over their time by more than {ALLOWED_MS:.0} ms  {over}")?;
    writeln!(
        out,
        "over their time                      {:.1} ms (median), {:.1} ms (most)",
        median(&overruns),
        most(&overruns)
    )?;
    writeln!(
        out,
        "stopped after they were cancelled    {:.1} ms (median), {:.1} ms (most)",
        median(&stops),
        most(&stops)
    )?;
    if let Some(growth) = cases.iter().filter_map(|case| case.growth_bytes).max() {
        writeln!(out, "memory grew by                       {:.0} MB (most)", growth as f64 / 1e6)?;
    }
    let by = |of: fn(&Case) -> f64| cases.iter().max_by(|a, b| of(a).total_cmp(&of(b)));
    for (what, case) in
        [("most over", by(|case| case.overrun_ms)), ("slowest to stop", by(|case| case.stop_ms))]
    {
        if let Some(case) = case {
            writeln!(out, "{what}: {}", case.tactic.replace('\n', "\n  "))?;
        }
    }
    Ok(())
}
