//! The summary of a run as text.

use std::collections::BTreeMap;
use std::fmt::Display;

use andor_artifact::basin::Estimate;
use andor_artifact::result::Outcome;
use andor_report::summary::{MeanPass, RunSummary, Standing, TheoremSummary, Totals};
use andor_terminal::report::{
    Align, COPIES, aligned, count, ending, left_out, level, models, percent, share,
};
use andor_terminal::shown;

/// The explanation of pass@k where attempts share what they prove.
const SHARING: &str = "attempts share what they prove of plans, so they are not independent: pass@K says whether the first K \
                       attempts together proved a theorem";

/// One line per theorem, and the totals of the run.
pub(crate) fn table(summary: &RunSummary<'_>) -> String {
    let mut lines = theorems(summary);
    lines.push(totals(&summary.totals));
    lines.join("\n")
}

/// One line per theorem, and one summary line.
pub(crate) fn brief(summary: &RunSummary<'_>) -> String {
    let mut lines = theorems(summary);
    let Totals { timing, spent, .. } = &summary.totals;
    let (seconds, expansions) = (timing.total_ms / 1e3, spent.expansions);
    lines.push(format!("{} ({seconds:.2} s, {expansions} expansions)", standings(&summary.totals)));
    lines.join("\n")
}

fn theorems(summary: &RunSummary<'_>) -> Vec<String> {
    if summary.theorems.is_empty() {
        return Vec::new();
    }
    let pass_k = summary.totals.pass_k;
    let headings = [
        "theorem",
        "result",
        "verified",
        "proved",
        "blind",
        "pass@1",
        "pass@K",
        "left out",
        "time",
        "expansions",
    ];
    let mut rows = vec![headings.map(str::to_owned)];
    rows[0][6] = format!("pass@{pass_k}");
    rows.extend(summary.theorems.iter().map(|theorem| row(theorem, pass_k)));
    let mut lines = aligned(&rows, Align::Left);
    if summary.theorems.iter().any(|t| t.left_out.copies > 0) {
        lines.push(COPIES.to_owned());
    }
    if !summary.totals.attempts_are_independent && pass_k > 1 {
        lines.push(SHARING.to_owned());
    }
    lines
}

fn row(theorem: &TheoremSummary<'_>, pass_k: u32) -> [String; 10] {
    let result = theorem.best.map_or("not begun".to_owned(), ending);
    let verified = theorem.best.and_then(|best| best.verification_level).map(level);
    let verified = verified.map_or("-".to_owned(), |level| format!("{} {}", level.number(), level.name()));
    let pass = |k: u32| match theorem.pass_at_k.get(&k) {
        // For a single attempt this would repeat the result.
        _ if pass_k == 1 => String::new(),
        Some(Estimate { value, low: None, high: None }) => percent(*value),
        estimate => share(estimate.copied()),
    };
    let proved =
        if pass_k == 1 { String::new() } else { format!("{} of {}", theorem.solved, theorem.attempts) };
    let blind = theorem.blind.as_ref();
    let blind = blind.map_or_else(String::new, |b| format!("{} of {}", b.solved, b.attempts));
    let all = || theorem.results.iter().chain(&theorem.blind_results);
    let seconds = all().fold(0.0, |sum, r| sum + r.timing.total_ms / 1e3);
    let expansions: u64 = all().map(|r| r.spent.expansions).sum();
    [
        theorem.theorem.to_owned(),
        result,
        verified,
        proved,
        blind,
        pass(1),
        pass(pass_k),
        left_out(theorem.left_out),
        format!("{seconds:>7.2} s"),
        format!("{expansions:>10}"),
    ]
}

/// The totals over all theorems, on several lines.
fn totals(totals: &Totals) -> String {
    let mut lines = vec![standings(totals)];
    lines.extend(passes(totals));
    lines.push(format!(
        "attempts: {} made, {} planned; {}",
        totals.attempts,
        totals.attempts_planned,
        counted("ended by", &totals.stop_reasons)
    ));
    let failures = &totals.failures;
    if let Some((error, n)) = &failures.most_frequent {
        let (attempts, share) = (failures.attempts, percent(failures.share()));
        lines.push(format!(
            "infrastructure: failed in {attempts} attempts ({share}), {n} times by: {}",
            shown::message(error)
        ));
    }
    lines.push(time(totals));
    let spent = &totals.spent;
    lines.push(format!(
        "tactics: {} candidates, {} run, {} over time ({} of them by processor time), {} duplicates, {} refused{}",
        spent.candidates,
        spent.previews,
        spent.over_time,
        spent.over_cpu,
        spent.duplicates,
        spent.blocked,
        if totals.refusals.is_empty() { String::new() } else { format!(" ({})", list(&totals.refusals)) }
    ));
    lines.push(format!(
        "search: {} expansions, {} nodes, {} of them explored; workers: {} started, {} reused, {} lost, {} recycled",
        spent.expansions,
        spent.nodes,
        spent.explored_nodes,
        spent.workers_started,
        spent.workers_reused,
        spent.workers_lost,
        spent.workers_recycled
    ));
    lines.extend(totals.plans.line());
    let model = &spent.model;
    if model.requests > 0 || spent.unanswered > 0 {
        lines.push(format!(
            "language models: {} ({} repeated, {} in prompts, {} in answers), {:.1} s waited; {} unanswered",
            models(model),
            model.retries,
            count(model.prompt_tokens, "token"),
            count(model.completion_tokens, "token"),
            model.waited_ms / 1e3,
            count(spent.unanswered, "request")
        ));
    }
    lines.join("\n")
}

/// The number of theorems by standing.
fn standings(totals: &Totals) -> String {
    let mut parts = vec![format!("{} of {} proved", totals.proved(), totals.theorems)];
    for (standing, name) in [
        (Standing::NotProved, Outcome::NotProved.phrase()),
        (Standing::AxiomNotAllowed, Outcome::AxiomNotAllowed.phrase()),
        (Standing::Claimed, Outcome::Claimed.phrase()),
        (Standing::Unverified, Outcome::Unverified.phrase()),
        (Standing::Refused, Outcome::Refused.phrase()),
        (Standing::Infrastructure, Outcome::InfrastructureError.phrase()),
        (Standing::Interrupted, Outcome::Interrupted.phrase()),
        (Standing::NotBegun, "not begun"),
    ] {
        if let Some(n) = totals.standings.get(&standing).filter(|n| **n > 0) {
            parts.push(format!("{n} {name}"));
        }
    }
    parts.join(", ")
}

/// The pass@k estimates, with the number of theorems that have none.
fn passes(totals: &Totals) -> Vec<String> {
    let line = |(k, pass): (&u32, &MeanPass)| {
        let estimate = match pass.mean {
            Some(mean) => format!("{}, the mean of {} theorems", share(Some(mean)), pass.theorems),
            None => "no estimate".to_owned(),
        };
        let missing = match pass.without_estimate {
            0 => String::new(),
            n => format!("; too few counted attempts at {n}"),
        };
        format!("pass@{k}: {estimate}{missing}")
    };
    totals.pass_at_k.iter().map(line).collect()
}

fn time(totals: &Totals) -> String {
    let timing = &totals.timing;
    let s = |ms: f64| format!("{:.1} s", ms / 1e3);
    format!(
        "time of all attempts: {}; opening {} (imports {}), tactics {}, replays {}, providers {}, checking {}, search {}",
        s(timing.total_ms),
        s(timing.opening_ms),
        s(timing.importing_ms),
        s(timing.previewing_ms),
        s(timing.replaying_ms),
        s(timing.providing_ms),
        s(timing.checking_ms),
        s(timing.searching_ms)
    )
}

fn counted(name: &str, counts: &BTreeMap<String, u64>) -> String {
    if counts.is_empty() { "none ended".to_owned() } else { format!("{name} {}", list(counts)) }
}

/// The counts, largest first.
fn list<K: Display + Ord>(counts: &BTreeMap<K, u64>) -> String {
    let mut counts: Vec<(&K, &u64)> = counts.iter().collect();
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
    counts.iter().map(|(name, n)| shown::line(&format!("{name} {n}"))).collect::<Vec<_>>().join(", ")
}
