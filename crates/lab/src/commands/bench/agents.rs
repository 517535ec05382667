//! `andor-lab bench agents`

use std::io::{self, Write};

use andor_lab::bench::speed::{self, Method, Runner, Speed};
use andor_process::scratch::Scratch;
use serde_json::json;

use super::Spread;
use crate::args::AgentsArgs;

/// Prints a table with a row for each method and number of agents. Each team is compared with one agent that
/// alternates between asking and telling, measured in the same rounds.
pub(super) async fn agents(args: &AgentsArgs) -> anyhow::Result<()> {
    let scratch = Scratch::new()?;
    let mut out = io::stdout().lock();
    if !args.json {
        let (n, repeat) = (args.applications, args.repeat);
        writeln!(
            out,
            "preset open, b = 8, {n} tactic applications, medians of {repeat} (lowest to highest)"
        )?;
        writeln!(out, "method      agents | M exp/s      beside one by turns | B/node")?;
    }
    for method in [Method::Ucb1, Method::Puct] {
        for &agents in &args.agents {
            let mut rounds = Vec::new();
            for _ in 0..args.repeat.max(1) {
                let measure =
                    |runner| speed::measure_in_fresh_process(runner, args.applications, scratch.path());
                let alone = measure(Runner::Engine(method)).await?;
                rounds.push((alone, measure(Runner::Team(method, agents)).await?));
            }
            let rate = |m: &Speed| m.expansions as f64 / m.seconds / 1e6;
            let size = |m: &Speed| m.resident_bytes.map_or(f64::NAN, |b| b as f64 / m.nodes as f64);
            let speed = Spread::of(rounds.iter().map(|(_, team)| rate(team)));
            let ratio = Spread::of(rounds.iter().map(|(alone, team)| rate(team) / rate(alone)));
            let bytes = Spread::of(rounds.iter().map(|(_, team)| size(team)));
            if args.json {
                let record = json!({
                    "method": method.name(),
                    "agents": agents,
                    "applications": args.applications,
                    "expansions_per_s": speed.median * 1e6,
                    "ratio_to_one_by_turns": ratio.median,
                    "ratio_lowest": ratio.lowest,
                    "ratio_highest": ratio.highest,
                    "bytes_per_node": bytes.median,
                });
                writeln!(out, "{record}")?;
                continue;
            }
            let range = format!("{:.2} ({:.2} to {:.2})", ratio.median, ratio.lowest, ratio.highest);
            let name = method.name();
            writeln!(
                out,
                "{name:<11} {agents:>6} | {:>7.3} {range:>24} | {:>6.0}",
                speed.median, bytes.median
            )?;
            out.flush()?;
        }
    }
    Ok(())
}
