//! `andor-lab bench cheats`, `mutants`, `ladder` and `stdlib`: whether verification accepts false proofs or rejects
//! correct ones, and what it costs.

use std::io::{self, Write};
use std::path::Path;

use andor_config::{Config, overlay};
use andor_lab::bench::mutants::{self, MutantOutcome};
use andor_lab::bench::stdlib::{self, Libraries, RecheckOutcome, StdlibSample};
use andor_lab::bench::{cheats, ladder};
use andor_terminal::exit::Exit;
use andor_terminal::{report, shown};
use anyhow::bail;
use serde_json::json;

use crate::args::{self, CheatsArgs, MutantsArgs, ProverBenchArgs, StdlibArgs};

pub(super) async fn cheats(args: &CheatsArgs) -> anyhow::Result<Exit> {
    let entries = chosen(&args.corpus, args.filter.as_deref())?;
    let n_entries = entries.len();
    let (mut log, mut n_done) = (io::stderr(), 0);
    let rows = cheats::run(entries, &args.levels, args.jobs, |row| {
        n_done += 1;
        let problems: Vec<String> = row.faults().into_iter().chain(row.failures()).collect();
        let verdict = row.verdict();
        // Standard error may be closed.
        let _ = writeln!(log, "{n_done}/{n_entries} {}: {verdict}", shown::line(&row.entry.id()));
        for problem in problems {
            let _ = writeln!(log, "  {}", shown::message(&problem));
        }
    })
    .await?;
    let mut out = report::stdout();
    if args.json {
        rows.iter().try_for_each(|row| writeln!(out, "{}", row.to_json()))?;
    } else if args.markdown {
        write!(out, "{}", cheats::markdown(&rows))?;
    } else {
        write!(out, "{}", cheats::text(&rows))?;
    }
    let (faulty, failed) =
        (rows.iter().any(|r| !r.faults().is_empty()), rows.iter().any(|r| !r.failures().is_empty()));
    Ok(match (faulty, failed) {
        (true, _) => Exit::NotProved,
        (false, true) => Exit::Unusable,
        (false, false) => Exit::Success,
    })
}

/// Prints a line for every file on which the comparisons disagree or whose statement differs, and a summary line.
pub(super) async fn mutants(args: &MutantsArgs) -> anyhow::Result<Exit> {
    let entries = chosen(&args.corpus, args.filter.as_deref())?;
    let mut rows = Vec::new();
    let (mut out, mut written) = (report::stdout(), Ok(()));
    mutants::run(&entries, args.count, args.seed, args.jobs, |mutant| {
        let suspect = match mutant.outcome {
            MutantOutcome::OnlyRocq | MutantOutcome::OnlyFiles | MutantOutcome::Infrastructure => true,
            MutantOutcome::Accepted => mutant.states && !mutant.change[1].ends_with(&mutant.change[0]),
            MutantOutcome::Refused | MutantOutcome::Rejected => false,
        };
        if written.is_ok() && args.json {
            written = writeln!(out, "{}", json!(mutant));
        } else if written.is_ok() && suspect {
            let [before, after] = mutant.change.each_ref().map(|sentence| shown::line(sentence));
            let (entry, number) = (shown::line(&mutant.entry), mutant.number);
            let (what, why) = (mutant.outcome.name(), shown::message(&mutant.message));
            written = writeln!(out, "{entry} #{number}: {what}\n  {before}\n  {after}\n  {why}");
        }
        rows.push((mutant.outcome, suspect));
    })
    .await?;
    written?;
    let count = |wanted: MutantOutcome| rows.iter().filter(|(fate, _)| *fate == wanted).count();
    if !args.json {
        let counts = MutantOutcome::ALL.map(|fate| format!("{} {}", count(fate), fate.name()));
        writeln!(out, "{} changed files: {}", rows.len(), counts.join(", "))?;
    }
    Ok(match (rows.iter().any(|(_, suspect)| *suspect), count(MutantOutcome::Infrastructure)) {
        (true, 0) => Exit::NotProved,
        (false, 0) => Exit::Success,
        _ => Exit::Unusable,
    })
}

/// The entries of a corpus whose names contain `filter`.
fn chosen(corpus: &Path, filter: Option<&str>) -> anyhow::Result<Vec<cheats::Cheat>> {
    let mut entries = cheats::read(corpus)?;
    if let Some(text) = filter {
        entries.retain(|entry| entry.id().contains(text));
        if entries.is_empty() {
            bail!("no entry of {} has `{text}` in its name", corpus.display());
        }
    }
    Ok(entries)
}

/// Prints a table with a row for each system, header and level.
pub(super) async fn ladder(args: &ProverBenchArgs) -> anyhow::Result<()> {
    let mut out = report::stdout();
    if !args.json {
        writeln!(
            out,
            "{:<7} {:<33} {:<12} {:>9} {:>9} {:>9} {:>12}",
            "system", "header", "level", "median", "lowest", "highest", "per second"
        )?;
    }
    let mut written = Ok(());
    let absent = ladder::measure(&Config::default(), |rung| {
        let level = if rung.level == 0 { "challenge".to_owned() } else { rung.level.to_string() };
        let line = if args.json {
            json!(rung).to_string()
        } else {
            let (median, lowest, highest) = (rung.median_s, rung.lowest_s, rung.highest_s);
            format!(
                "{:<7} {:<33} {level:<12} {median:>7.3} s {lowest:>7.3} s {highest:>7.3} s {:>12.1}",
                rung.system,
                rung.header,
                1.0 / median
            )
        };
        if written.is_ok() {
            written = writeln!(out, "{line}");
        }
    })
    .await?;
    for system in absent {
        // Standard error may be closed.
        let _ = writeln!(io::stderr(), "left out: {}", shown::message(&system));
    }
    Ok(written?)
}

/// Prints a line for every theorem that is not accepted, and a summary line.
pub(super) async fn stdlib(args: &StdlibArgs) -> anyhow::Result<Exit> {
    let mut config = Config::default();
    overlay(&mut config, &args.given.0);
    config.validate().map_err(|error| args::usage("bench", error))?;
    let libraries = match &args.library[..] {
        [] => Libraries::Own,
        [all] if all == "user-contrib" => Libraries::Others,
        names => Libraries::Named(names.to_vec()),
    };
    let sample =
        StdlibSample { libraries, count: args.count, seed: args.seed, level: args.level, jobs: args.jobs };
    let (mut rows, mut log, mut out) = (Vec::new(), io::stderr(), report::stdout());
    let mut written = Ok(());
    stdlib::run(sample, &config, |row| {
        let what = match row.outcome {
            RecheckOutcome::Accepted => "accepted",
            RecheckOutcome::Rejected => "REJECTED",
            RecheckOutcome::Infrastructure => "NOT JUDGED",
            RecheckOutcome::Skipped => "skipped",
        };
        // Standard error may be closed.
        let named = shown::line(&format!("{} {}", row.file, row.theorem));
        let _ = writeln!(log, "{} {named}: {what} ({:.1} s)", rows.len() + 1, row.seconds);
        if args.json && written.is_ok() {
            written = writeln!(out, "{}", json!(row));
        }
        rows.push(row.clone());
    })
    .await?;
    written?;
    let count = |outcome| rows.iter().filter(|r| r.outcome == outcome).count();
    if !args.json {
        for row in rows.iter().filter(|r| r.outcome != RecheckOutcome::Accepted) {
            let named = shown::line(&format!("{} {}", row.file, row.theorem));
            writeln!(out, "{named}: level {}: {}", row.level, shown::message(&row.message))?;
        }
        let mut seconds: Vec<f64> =
            rows.iter().filter(|r| r.outcome == RecheckOutcome::Accepted).map(|r| r.seconds).collect();
        seconds.sort_by(f64::total_cmp);
        let median = seconds.get(seconds.len() / 2).copied().unwrap_or_default();
        writeln!(
            out,
            "{} accepted at {}, {} rejected, {} not judged, {} skipped (their files do not compile by themselves); \
             median {median:.2} s",
            count(RecheckOutcome::Accepted),
            args.level,
            count(RecheckOutcome::Rejected),
            count(RecheckOutcome::Infrastructure),
            count(RecheckOutcome::Skipped),
        )?;
    }
    Ok(match (count(RecheckOutcome::Rejected), count(RecheckOutcome::Infrastructure)) {
        (0, 0) => Exit::Success,
        (0, _) => Exit::Unusable,
        (_, _) => Exit::NotProved,
    })
}
