//! Output on standard output.

use std::collections::HashSet;
use std::io::{self, BufWriter, IsTerminal, Write};

use andor_artifact::basin::{Estimate, LeftOut};
use andor_artifact::graft::{GraftCut, GraftOrigin, GraftRecord, GraftSkip};
use andor_artifact::plan::{PlanningEnd, ReplanRecord, StuckReason};
use andor_artifact::progress::SharingRecord;
use andor_artifact::result::{AttemptResult, Closest, FrequentError, ModelUsage, Outcome, Timing};
use andor_dataset::Problem;
use andor_engine::graft::{Cut, Grafted};
use andor_engine::judge::{Level, Trust};
use andor_env::outline::{Place, Skipped};
use andor_report::summary::Failures;

use crate::exit::Exit;
use crate::hint;
use crate::shown::{self, Guarded};

/// Prints text or JSON to standard output.
pub fn print(text: &str) -> io::Result<()> {
    print_exactly(&shown::text(text))
}

/// The same for text that another program reads: nothing is escaped.
pub fn print_exactly(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    // The kind is kept, so that a closed pipe is recognised.
    written.map_err(|error| io::Error::new(error.kind(), format!("cannot write to standard output: {error}")))
}

/// Standard output for machine-readable results: bytes are written unchanged, except on a terminal.
pub fn stdout() -> Box<dyn Write + Send> {
    let out = io::stdout();
    if out.is_terminal() { Box::new(Guarded::new(out)) } else { Box::new(out) }
}

/// Alignment of table cells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// The lines of a table with aligned columns; the first row holds the headings. Columns without cells are left out.
pub fn aligned<R: AsRef<[String]>>(rows: &[R], align: Align) -> Vec<String> {
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.as_ref().iter().map(|cell| shown::line(cell)).collect()).collect();
    let width = |text: &String| text.chars().count();
    let n_columns = rows.first().map_or(0, Vec::len);
    let column = |i: usize| rows.iter().map(move |row| &row[i]);
    let shown = (0..n_columns).filter(|&i| column(i).skip(1).any(|cell| !cell.is_empty()));
    let shown: Vec<(usize, usize)> =
        shown.map(|i| (i, column(i).map(width).max().unwrap_or_default())).collect();
    let line = |row: &Vec<String>| {
        let cells = shown.iter().map(|&(i, width)| match (align, &row[i]) {
            (Align::Left, cell) => format!("{cell:<width$}"),
            (Align::Right, cell) => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Prints every result as a JSON line.
pub fn records(results: &[AttemptResult]) -> io::Result<()> {
    let mut out = BufWriter::new(stdout());
    for result in results {
        let line = serde_json::to_string(result).map_err(io::Error::from)?;
        writeln!(out, "{line}")?;
    }
    out.flush()
}

/// Prints an accepted proof: with the place of its theorem where that is in a source file, without the text around it;
/// as a complete file for a single other theorem.
pub fn proof(result: &AttemptResult, problems: &[Problem]) -> io::Result<()> {
    print_exactly(&proof_text(result, problems))
}

/// The text that [`proof`] prints.
pub fn proof_text(result: &AttemptResult, problems: &[Problem]) -> String {
    let Some(problem) = problems.iter().find(|p| p.theorem.id == result.theorem) else {
        return String::new();
    };
    let mut source = result.source.as_deref().unwrap_or_default();
    let mut title = shown::line(&result.theorem);
    if let Some(place) = &problem.place {
        source = source.strip_prefix(problem.theorem.header.as_str()).unwrap_or(source).trim_end();
        source = source.strip_suffix(problem.theorem.footer.trim()).unwrap_or(source);
        title =
            format!("{}:{}: {title}", shown::line(&place.file.display().to_string()), place.lines.start());
    } else if problems.len() == 1 {
        return format!("{}\n", source.trim_end());
    }
    let title = problem.theorem.system.language().lexis.comment(&title);
    format!("{title}\n{}\n\n", source.trim())
}

/// The level of verification, the axioms, and what else a proof trusts, as text.
pub fn verified(level: Level, axioms: &[String], trust: &Trust) -> String {
    let second = &trust.second_judge;
    told_verified(
        level,
        axioms,
        &trust.statement_axioms,
        [&features(trust), &trust.bugs, &trust.universes, &trust.libraries, &second.kernels()],
        second.silence(),
    )
}

/// The same of a recorded result.
pub fn verified_result(level: Level, result: &AttemptResult) -> String {
    let AttemptResult { features, known_bugs, universes, libraries, kernels, .. } = result;
    let trusted = [&**features, known_bugs, universes, libraries, kernels];
    told_verified(
        level,
        &result.axioms,
        &result.statement_axioms,
        trusted,
        result.second_judge_silence.as_deref(),
    )
}

fn told_verified(
    level: Level,
    axioms: &[String],
    of_statement: &[String],
    [uses, bugs, universes, libraries, kernels]: [&[String]; 5],
    silence: Option<&str>,
) -> String {
    let mut text = format!("level {}, {}; ", level.number(), level.name());
    let (of_statement, others): (Vec<&String>, Vec<&String>) =
        axioms.iter().partition(|axiom| of_statement.contains(axiom));
    let list = |axioms: Vec<&String>| {
        shown::line(&axioms.into_iter().map(String::as_str).collect::<Vec<_>>().join(", "))
    };
    text += &match (others.is_empty(), of_statement.is_empty()) {
        (true, true) => "no axioms".to_owned(),
        (false, true) => format!("axioms: {}", list(others)),
        (true, false) => format!("no axioms but those of the statement: {}", list(of_statement)),
        (false, false) => format!("axioms: {}; those of the statement: {}", list(others), list(of_statement)),
    };
    let told = [
        ("uses", uses),
        ("known bugs", bugs),
        ("for universes up to those of", universes),
        ("loads the compiled libraries", libraries),
        ("its term also accepted by", kernels),
    ];
    for (what, names) in told {
        if !names.is_empty() {
            text += &format!("; {what}: {}", shown::line(&names.join(", ")));
        }
    }
    text + &self::silence(silence)
}

/// That the second judge is silent, after a semicolon; empty if it is not.
pub fn silence(why: Option<&str>) -> String {
    why.map_or(String::new(), |why| format!("; the second judge is silent: {}", shown::line(why)))
}

/// What became of a script that a search began with: a line, and one for everything that was cut off.
pub fn graft(graft: &GraftRecord) -> Vec<String> {
    let skip = |skip: &GraftSkip| (skip.line, skip.column, skip.text.clone());
    let cut = |cut: &GraftCut| (cut.line, cut.column, cut.tactic.clone(), cut.error.clone());
    let (skips, cuts) = (graft.skipped.iter().map(skip), graft.cuts.iter().map(cut));
    told(graft.origin, graft.steps, graft.holes, skips, cuts)
}

/// The same for a proof by hand.
pub fn applied(origin: GraftOrigin, steps: u64, grafted: &Grafted) -> Vec<String> {
    let at = |place: Place| (place.line as u64, place.column as u64);
    let skip = |skip: &Skipped| (at(skip.place).0, at(skip.place).1, skip.text.clone());
    let cut = |cut: &Cut| (at(cut.place).0, at(cut.place).1, cut.tactic.clone(), cut.error.clone());
    told(
        origin,
        steps,
        grafted.holes.len() as u64,
        grafted.skipped.iter().map(skip),
        grafted.cuts.iter().map(cut),
    )
}

fn told(
    origin: GraftOrigin,
    steps: u64,
    holes: u64,
    skips: impl Iterator<Item = (u64, u64, String)>,
    cuts: impl Iterator<Item = (u64, u64, Option<String>, String)>,
) -> Vec<String> {
    let script = match origin {
        GraftOrigin::File => "the unfinished proof",
        GraftOrigin::Draft => "the draft",
        GraftOrigin::Plan => "the plan",
        GraftOrigin::Shared => "the proof of another attempt",
        GraftOrigin::Cache => "the proof found before",
    };
    let count = |n: u64, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
    let (steps, holes) = (count(steps, "step"), count(holes, "goal"));
    let mut lines = vec![format!("{script} gives {steps}, and leaves {holes} open")];
    for (line, column, text) in skips {
        let text = shown::line(&text);
        lines.push(format!("left out at line {line}, column {column}: `{text}` changes no goal"));
    }
    for (line, column, tactic, error) in cuts {
        let brief = |tactic: &str| match tactic.split_once('\n') {
            Some((first, _)) => format!("{} …", first.trim_end()),
            None => tactic.to_owned(),
        };
        let tactic = tactic.map_or(String::new(), |tactic| format!("`{}`: ", shown::line(&brief(&tactic))));
        let error = shown::message(&error);
        lines.push(format!("cut off at line {line}, column {column}: {tactic}{error}"));
    }
    lines
}

/// What came of asking the planner to mend a plan, in a line.
pub fn replan(replan: &ReplanRecord) -> String {
    let ReplanRecord { stuck, proven, planning, .. } = replan;
    let stuck = stuck.as_ref().map_or_else(
        || "what is left to prove".to_owned(),
        |step| format!("`{}`", shown::line(&format!("{} : {}", step.name, step.statement))),
    );
    let why = reason(replan.reason);
    let answer = match planning.ended {
        PlanningEnd::Verified => {
            let n = planning.tries.last().map_or(0, |last| last.steps.len() as u64).saturating_sub(*proven);
            format!("the planner puts {} after the {proven} proved", count(n, "statement"))
        }
        PlanningEnd::Refused => "the planner's plans are wrong".to_owned(),
        PlanningEnd::Failed => "the planner does not answer".to_owned(),
        PlanningEnd::NoPlan => "the planner's answer has no statement".to_owned(),
    };
    format!("{stuck} is stuck ({why}); {answer}")
}

/// Why a statement of a plan is stuck.
pub fn reason(reason: StuckReason) -> &'static str {
    match reason {
        StuckReason::Candidates => "its candidates are spent",
        StuckReason::Iterations => "its iterations are spent",
        StuckReason::Time => "its time is spent",
        StuckReason::Exhausted => "nothing is left to try",
    }
}

/// What an attempt shared with others.
pub fn sharing(sharing: &SharingRecord) -> String {
    let SharingRecord { found, closed, renamed, failed, offered, accepted, .. } = sharing;
    let mut text = format!("shared: {} found, {closed} of them closed their goal", count(*found, "proof"));
    for (n, what) in [(*renamed, "after renaming hypotheses"), (*failed, "without success")] {
        if n > 0 {
            text += &format!(", {n} {what}");
        }
    }
    text += &format!("; {} offered, {accepted} of them accepted", count(*offered, "proof"));
    for (n, what) in [
        (sharing.known, "known already"),
        (sharing.rejected, "rejected"),
        (sharing.unchecked, "not replayed"),
        (sharing.refused, "of the file refused"),
        (sharing.withdrawn, "taken back"),
    ] {
        if n > 0 {
            text += &format!(", {n} {what}");
        }
    }
    text
}

/// The names of the kernel features.
pub fn features(trust: &Trust) -> Vec<String> {
    trust.features.iter().map(|feature| feature.name().to_owned()).collect()
}

/// The level with a recorded number.
pub fn level(number: u8) -> Level {
    let level = Level::ALL.into_iter().find(|level| level.number() == number);
    level.expect("numbers of levels are checked when records are read")
}

/// The outcome of an attempt in a few words.
pub fn ending(result: &AttemptResult) -> String {
    match result.outcome {
        Outcome::NotProved => format!("{}: {}", result.outcome.phrase(), why(&result.stop_reason)),
        outcome => outcome.phrase().to_owned(),
    }
}

/// How long an attempt took; what it spent on opening the theorem and on checking proofs apart, where that is noticeable.
pub fn duration(timing: &Timing) -> String {
    let apart = [(timing.opening_ms, "to open it"), (timing.checking_ms, "of checks")];
    let apart = apart.into_iter().filter(|(ms, _)| *ms >= 1e3);
    let rest = apart.clone().fold(timing.total_ms, |rest, (ms, _)| rest - ms);
    let parts: Vec<String> = apart.map(|(ms, what)| format!(" + {:.1} s {what}", ms / 1e3)).collect();
    let search = if parts.is_empty() { "" } else { " of search" };
    format!("{:.1} s{search}{}", rest.max(0.0) / 1e3, parts.concat())
}

/// How close a search without a proof came, in at most three lines: what is left to prove, why tactics failed, and what may
/// help.
pub fn closest(result: &AttemptResult) -> Vec<String> {
    let Some(Closest { goals, n_goals, error }) = &result.closest else { return Vec::new() };
    let mut lines = Vec::new();
    if let Some(goal) = goals.first() {
        let more = match n_goals.saturating_sub(1) {
            0 => String::new(),
            n => format!(" (and {n} more)"),
        };
        lines.push(format!(
            "  left to prove: {}{more}",
            brief(&goal.split_whitespace().collect::<Vec<_>>().join(" "))
        ));
    }
    if let Some(FrequentError { message, tactics, of }) = error {
        lines.push(format!("  {tactics} of {of} failed tactics: {}", brief(message)));
    }
    lines.extend(hint::next(result).map(|next| format!("  try {next}")));
    lines
}

/// The beginning of a text, in a line.
fn brief(text: &str) -> String {
    const LENGTH: usize = 200;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{} …", shown::line(&text[..end])),
        None => shown::line(text),
    }
}

/// Why a search without a proof ended, in a few words.
fn why(stop_reason: &str) -> String {
    match stop_reason {
        "exhausted" => "every candidate tried".to_owned(),
        "time" | "virtual_time" => "out of time".to_owned(),
        "blocked" => "the rest is blocked".to_owned(),
        limit => format!("out of budget ({})", shown::line(limit)),
    }
}

/// The error message for too many technical failures, or `None`; corresponds to [`Exit::Infrastructure`] in [`exit`].
pub fn too_many_failures(failures: &Failures, infra_threshold: f64) -> Option<String> {
    let (share, Failures { attempts, of, most_frequent }) = (failures.share(), failures);
    if share <= infra_threshold {
        return None;
    }
    let mut text = format!(
        "error: {attempts} of {of} attempts ({}) failed because of infrastructure, more than --infra-threshold {infra_threshold} \
         allows; they say nothing about the theorems",
        percent(share)
    );
    if let Some((error, n)) = most_frequent {
        text.push_str(&format!("\nmost frequent ({n} of {attempts}): {}", shown::message(error)));
    }
    text.push_str(
        "\nrun `andor doctor`; after fixing the cause, repeat these attempts with --resume (needs --out)",
    );
    Some(text)
}

/// A number with its noun: `1 node`, `2 nodes`.
pub fn count(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// A share as a percentage.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// An estimated share with its confidence interval.
pub fn share(estimate: Option<Estimate>) -> String {
    let Some(estimate) = estimate else { return "–".to_owned() };
    let end = |x: Option<f64>| x.map_or("?".to_owned(), |x| format!("{:.0}", 100.0 * x));
    format!("{} ({}–{})", percent(estimate.value), end(estimate.low), end(estimate.high))
}

/// The attempts that do not count, in a few words.
pub fn left_out(left_out: LeftOut) -> String {
    let LeftOut { infrastructure, refused, interrupted, copies } = left_out;
    let named = [
        (infrastructure, "failed"),
        (refused, "refused"),
        (interrupted, "interrupted"),
        (copies, if copies == 1 { "copy" } else { "copies" }),
    ];
    let named = named.into_iter().filter(|(n, _)| *n > 0).map(|(n, name)| format!("{n} {name}"));
    named.collect::<Vec<_>>().join(", ")
}

/// The explanation of copies, for tables that count them.
pub const COPIES: &str =
    "copies: attempts without a random choice, which any seed would repeat; they count as one";

/// The exit code of a run. A theorem is proved if any attempt at it is accepted.
pub fn exit(
    results: &[AttemptResult],
    problems: &[Problem],
    infra_threshold: f64,
    interrupted: bool,
) -> Exit {
    let accepted = results.iter().filter(|r| r.outcome == Outcome::Accepted);
    let proved: HashSet<&str> = accepted.map(|r| r.theorem.as_str()).collect();
    if interrupted {
        Exit::Interrupted
    } else if Failures::among(results).share() > infra_threshold {
        Exit::Infrastructure
    } else if !results.is_empty() && results.iter().all(|result| result.outcome == Outcome::Refused) {
        // Nothing could be tried.
        Exit::Unusable
    } else if problems.iter().all(|p| proved.contains(p.theorem.id.as_str())) {
        Exit::Success
    } else {
        Exit::NotProved
    }
}

/// What language models cost.
pub fn models(usage: &ModelUsage) -> String {
    let tokens = usage.prompt_tokens.saturating_add(usage.completion_tokens);
    let cost = match usage.cost {
        0.0 => String::new(),
        cost if cost < 0.0001 => ", cost below 0.0001".to_owned(),
        cost => format!(", cost {cost:.4}"),
    };
    let questions = match usage.questions {
        n if n == 0 || n == usage.requests => String::new(),
        n => format!(" for {}", count(n, "question")),
    };
    format!("{}{questions}, {}{cost}", count(usage.requests, "request"), count(tokens, "token"))
}
