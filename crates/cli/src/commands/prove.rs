//! `andor prove`

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use andor_artifact::basin::BasinRecord;
use andor_artifact::result::AttemptResult;
use andor_run::config::Config;
use andor_run::dataset::Problem;
use andor_run::judge::Reason;
use andor_run::orchestrate::{self, Plan};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::input;
use crate::args::ProveArgs;
use crate::basin;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::{report, settings};

pub(crate) async fn run(args: &ProveArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let config = settings::prove("prove", args)?;
    let problems = input::problems(&args.input, |text| say(&progress, text))?;
    warn_of_unknown_tactics(&config, &problems, |text| say(&progress, text));
    let plan = Plan {
        problems,
        config,
        jobs: args.workers.jobs.get(),
        out: args.output.out.clone(),
        resume: args.output.resume,
        record_latencies: args.clock.record_latencies.clone(),
    };
    progress.lock().expect("progress does not panic").total = plan.attempts();
    let cancel = CancellationToken::new();
    cancel_on_interrupt(&cancel, Arc::clone(&progress));
    let sink: Arc<Mutex<Progress>> = Arc::clone(&progress);
    let results = orchestrate::run(&plan, &cancel, sink).await?;
    let basin = plan.config.basin.seeds.map(|_| basin_record(&plan, &results));
    if args.output.json {
        report::records(&results)?;
        basin.as_ref().map_or(Ok(()), basin::records)?;
    } else {
        // Of a source file everything else is where its reader has it.
        let file = args.input.source.file.as_ref().and_then(|f| f.extension()?.to_str());
        report::proofs(&results, &plan.problems, matches!(file, Some("v" | "lean")))?;
    }
    if let Some(basin) = &basin {
        say(&progress, &basin::table(basin));
    } else if plan.problems.len() > 1 {
        say(&progress, &report::table(&results, &plan.problems));
    }
    hint_axioms(&results, &progress);
    Ok(report::exit(&results, &plan.problems, args.output.infra_threshold, cancel.is_cancelled()))
}

/// A name that is misspelled would keep nothing from the search, and nobody would notice.
fn warn_of_unknown_tactics(config: &Config, problems: &[Problem], say: impl Fn(&str)) {
    let systems: BTreeSet<_> = problems.iter().map(|p| p.theorem.system).collect();
    for system in systems {
        for name in config.tactics.unknown(system) {
            say(&format!(
                "warning: `{name}` is neither a family nor a known tactic of {system}; tactics with this word are blocked"
            ));
        }
    }
}

fn basin_record(plan: &Plan, results: &[AttemptResult]) -> BasinRecord {
    let theorems: Vec<&str> = plan.problems.iter().map(|p| p.theorem.id.as_str()).collect();
    andor_run::basin::summarise(&plan.config, &theorems, results)
}

fn say(progress: &Mutex<Progress>, text: &str) {
    progress.lock().expect("progress does not panic").say(text);
}

/// Tells how to allow axioms when proofs were rejected for nothing else.
fn hint_axioms(results: &[AttemptResult], progress: &Mutex<Progress>) {
    let rejected = results.iter().filter(|r| r.proof.is_none()).flat_map(|r| &r.rejected_claims);
    let mut options: Vec<&str> = rejected
        .filter(|claim| claim.reason == Reason::Axiom.name())
        .filter_map(|claim| claim.message.split_once("(--allow-axioms ")?.1.split_once(" allows it)"))
        .map(|(set, _)| set)
        .collect();
    options.sort_unstable();
    options.dedup();
    if !options.is_empty() {
        let hint = "hint: proofs were found that rest on axioms; --allow-axioms";
        say(progress, &format!("{hint} {} allows them", options.join(",")));
    }
}

/// Ends the run on Ctrl-C or SIGTERM, at once on the second.
pub(super) fn cancel_on_interrupt(cancel: &CancellationToken, progress: Arc<Mutex<Progress>>) {
    // At once, and not by the task, which may begin so late that the first signal is missed.
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return;
    };
    let cancel = cancel.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        cancel.cancel();
        say(&progress, "interrupted: finishing up (interrupt again to leave at once)");
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        std::process::exit(130);
    });
}
