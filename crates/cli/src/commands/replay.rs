//! `andor replay`

use std::fmt::Write;
use std::io::Write as _;

use andor_artifact::graph::GraphStatus;
use andor_report::trace::replay::{ReplayError, Replayed, SearchSummary, replay, replay_following};
use anyhow::Context;

use super::recorded::find;
use crate::args::ReplayArgs;
use crate::exit::Exit;
use crate::{report, shown};

pub(crate) fn run(args: &ReplayArgs) -> anyhow::Result<Exit> {
    let path = find(&args.input.run, args.input.theorem.as_deref(), args.input.attempt, "trace.jsonl")?;
    let replayed = match if args.follow { replay_following(&path) } else { replay(&path) } {
        Ok(replayed) => replayed,
        Err(error) if error.is_difference() => {
            writeln!(std::io::stderr(), "{}", shown::message(&format!("{}: {error}", path.display())))?;
            return Ok(Exit::NotProved);
        }
        // Only these errors name the file already.
        Err(ReplayError::File(error)) => return Err(error.into()),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    let summary = replayed.summary();
    report::print(&output(args, &replayed, &summary)?)?;
    if let Some(expected) = args.expect.as_deref().filter(|digest| *digest != summary.tree_digest) {
        writeln!(
            std::io::stderr(),
            "the rebuilt tree has the digest {}, not {expected}",
            summary.tree_digest
        )?;
        return Ok(Exit::NotProved);
    }
    Ok(Exit::Success)
}

fn output(args: &ReplayArgs, replayed: &Replayed, summary: &SearchSummary) -> anyhow::Result<String> {
    Ok(if args.dot {
        replayed.dot()
    } else if args.json {
        serde_json::to_string_pretty(summary)? + "\n"
    } else {
        text(summary)
    })
}

fn text(summary: &SearchSummary) -> String {
    let SearchSummary {
        theorem, system, iterations, expansions, nodes, steps, max_depth, tree_digest, ..
    } = summary;
    let mut out = format!("{} ({})\n", shown::line(theorem), shown::line(&system.to_string()));
    let status = match summary.status {
        GraphStatus::Open => "open",
        GraphStatus::Proved => "proved",
        GraphStatus::Exhausted => "exhausted",
    };
    let _ = writeln!(out, "  iterations  {iterations}, {expansions} of them added a step");
    let _ = writeln!(out, "  tree        {nodes} nodes, {steps} steps, depth {max_depth}");
    let choices = match summary.choices {
        0 => "not recomputed; the recorded ones were used".to_owned(),
        n => format!("{n} recomputed, all the same"),
    };
    let _ = writeln!(out, "  choices     {choices}");
    let _ = writeln!(out, "  root        {status}");
    let _ = match &summary.ending {
        Some(ending) => writeln!(out, "  ended       {}", shown::message(&ending.to_string())),
        None => writeln!(out, "  ended       no; the trace is truncated because the program was killed"),
    };
    let verdict = if summary.digest_recorded { "the same as recorded" } else { "none is recorded" };
    let _ = writeln!(out, "  digest      {tree_digest}, {verdict}");
    out
}
