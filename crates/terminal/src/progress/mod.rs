//! Progress and logs on standard error, through a single owner of the terminal. A terminal shows a line for each
//! running attempt and one for the run; otherwise a line is printed every 30 seconds. `tally` formats them.

mod tally;

use std::collections::{HashMap, HashSet};
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use andor_artifact::graft::GraftOrigin;
use andor_artifact::result::{AttemptResult, Outcome};
use andor_dataset::Problem;
use andor_engine::event::{Event, Outlook, Sink};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tally::{Doing, Tally, one_line};
use tokio::time::MissedTickBehavior;
use tracing_subscriber::fmt::MakeWriter;

use crate::located::Located;
use crate::logging::{self, LogFormat};
use crate::options::Verbosity;
use crate::{hint, report, shown};

/// How often the lines on a terminal are redrawn.
const LIVE_PERIOD: Duration = Duration::from_millis(120);
/// How often a line is printed without a terminal.
const PLAIN_PERIOD: Duration = Duration::from_secs(30);
/// Maximum width of such a line, in columns.
const PLAIN_WIDTH: usize = 160;

/// In a run with more attempts, only problems are reported, unless the end of each attempt is asked for.
const MANY: usize = 20;

/// The progress display.
pub struct Progress {
    bars: MultiProgress,
    /// One line per running attempt; only on a terminal.
    lines: HashMap<String, ProgressBar>,
    /// The line of the run at the bottom; only on a terminal, if there are several attempts.
    run: Option<ProgressBar>,
    style: Style,
    tally: Tally,
    /// Whether the end of each attempt is reported, however many there are.
    tells_each: bool,
    /// The theorems that stand in source files, by their ids.
    stated: HashMap<String, Problem>,
    /// The places where theorems have been refused.
    refused: HashSet<String>,
    /// The rejections that were reported of running attempts.
    rejections: HashSet<(String, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Live,
    Plain,
    /// Log records.
    Json,
    Silent,
}

/// The progress display, and a log writer that prints above it.
pub fn terminal(asked: Verbosity) -> (Arc<Mutex<Progress>>, LogWriter) {
    let plain = std::env::var_os("CI").is_some() || !io::stderr().is_terminal();
    let style = match (asked.quiet, asked.log_format, plain) {
        (true, ..) => Style::Silent,
        (false, LogFormat::Json, _) => Style::Json,
        (false, LogFormat::Text, true) => Style::Plain,
        (false, LogFormat::Text, false) => Style::Live,
    };
    let target =
        if style == Style::Live { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bars = MultiProgress::with_draw_target(target);
    let progress = Progress {
        bars: bars.clone(),
        lines: HashMap::new(),
        run: None,
        style,
        tally: Tally::default(),
        tells_each: false,
        stated: HashMap::new(),
        refused: HashSet::new(),
        rejections: HashSet::new(),
    };
    (Arc::new(Mutex::new(progress)), LogWriter(bars))
}

/// Refreshes the display for as long as the program runs.
pub fn keep_up_to_date(progress: &Arc<Mutex<Progress>>) {
    let progress = Arc::clone(progress);
    let period = match progress.lock().expect("progress does not panic").style {
        Style::Live => LIVE_PERIOD,
        Style::Plain | Style::Json => PLAIN_PERIOD,
        Style::Silent => return,
    };
    tokio::spawn(async move {
        let mut times = tokio::time::interval_at(tokio::time::Instant::now() + period, period);
        times.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            times.tick().await;
            progress.lock().expect("progress does not panic").update(Instant::now());
        }
    });
}

/// Prints a message above the progress lines, unless `--quiet` is set. The message may quote foreign text.
pub fn say(progress: &Mutex<Progress>, text: &str) {
    progress.lock().expect("progress does not panic").say(text);
}

/// The same for several lines, whose foreign text is already escaped.
pub fn say_lines(progress: &Mutex<Progress>, text: &str) {
    progress.lock().expect("progress does not panic").say_lines(text);
}

/// Writes log lines above the progress display.
#[derive(Clone)]
pub struct LogWriter(MultiProgress);

impl LogWriter {
    fn put(&self, text: &str) -> io::Result<()> {
        // In one write, so that no progress line separates the text from its line break.
        self.0.suspend(|| io::stderr().write_all(text.as_bytes()))
    }
}

impl Write for LogWriter {
    /// Writes an event; each call receives a complete event.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.put(&shown::event(&String::from_utf8_lossy(bytes))).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

impl<'a> MakeWriter<'a> for LogWriter {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

impl Sink for Progress {
    fn event(&mut self, attempt: &str, event: &Event) {
        match event {
            Event::AttemptStarted { .. } => self.tally.begin(attempt, Instant::now()),
            Event::Opened { assistant } => self.tally.note(attempt, Doing::Beginning(assistant.clone())),
            Event::Iteration(iteration) => self.tally.note(attempt, Doing::searching(iteration)),
            Event::AgentStep(step) => self.tally.note(attempt, Doing::acting(step)),
            Event::Checking => self.tally.note(attempt, Doing::Checking),
            Event::Rejection(rejection) => {
                let (level, message) = (report::level(rejection.level), &rejection.message);
                let told = format!("a claimed proof is rejected at {level}: {message}");
                // Many proofs fail for one reason.
                if self.rejections.insert((attempt.to_owned(), told.clone())) {
                    self.say(&format!("{}: {told}", one_line(attempt)));
                }
            }
            // Providers' drafts, and proofs of other attempts, are too many to be told.
            Event::Graft(graft) if graft.provider_id.is_none() && graft.origin != GraftOrigin::Shared => {
                for line in report::graft(graft) {
                    self.say(&format!("{}: {line}", one_line(attempt)));
                }
            }
            Event::Replan(replan) => self.say(&format!("{}: {}", one_line(attempt), report::replan(replan))),
            Event::Started(_)
            | Event::Focus(_)
            | Event::GraftStep(_)
            | Event::Graft(_)
            | Event::Latency(_)
            | Event::Abort(_)
            | Event::Proved(_)
            | Event::Written(_) => {}
            Event::AttemptFinished(result) => self.finished(attempt, result),
            Event::AttemptDropped => self.end(attempt, Outcome::Interrupted),
        }
    }

    fn outlook(&mut self, outlook: Outlook) {
        self.tally.take_outlook(outlook, Instant::now());
    }
}

impl Progress {
    /// Reports the end of each attempt, however many there are.
    pub fn tell_each(&mut self) {
        self.tells_each = true;
    }

    /// The theorems, for the places of what is refused.
    pub fn is_about(&mut self, problems: &[Problem]) {
        let in_files = problems.iter().filter(|problem| problem.place.is_some());
        self.stated = in_files.map(|problem| (problem.theorem.id.clone(), problem.clone())).collect();
        self.refused.clear();
    }

    /// The place in its file where a theorem is refused.
    fn refused_at(&self, result: &AttemptResult) -> Option<Located> {
        Located::of_theorem(self.stated.get(&result.theorem)?, result.refused_at.as_ref()?)
    }

    /// Refreshes the display, if a run is active.
    fn update(&mut self, now: Instant) {
        if self.tally.running().next().is_none() {
            return;
        }
        match self.style {
            Style::Live => self.draw(now),
            Style::Plain | Style::Json => self.say(&self.plain_line(now)),
            Style::Silent => {}
        }
    }

    fn draw(&mut self, now: Instant) {
        if self.tally.total() > 1 {
            let run = self.run.get_or_insert_with(|| {
                let bar = self.bars.add(ProgressBar::no_length());
                bar.set_style(style("{bar:16} {wide_msg}"));
                bar
            });
            run.set_length(self.tally.total() as u64);
            run.set_position(self.tally.done() as u64);
            run.set_message(self.tally.count() + &self.tally.line(now));
        }
        for (name, running) in self.tally.running() {
            let line = self.lines.entry(name.to_owned()).or_insert_with(|| {
                let line = ProgressBar::new_spinner().with_style(style("{spinner} {wide_msg}"));
                match &self.run {
                    Some(run) => self.bars.insert_before(run, line),
                    None => self.bars.add(line),
                }
            });
            line.set_message(running.line(name, now));
            line.tick();
        }
    }

    /// The activity of a single attempt, or the progress of a run with several.
    fn plain_line(&self, now: Instant) -> String {
        let line = match (self.tally.total(), self.tally.running().next()) {
            (1, Some((name, running))) => running.line(name, now),
            _ => self.tally.count() + &self.tally.line(now),
        };
        console::truncate_str(&line, PLAIN_WIDTH, "…").into_owned()
    }

    /// Prints a message above the progress lines, unless `--quiet` is set. The message may quote foreign text.
    pub fn say(&self, message: &str) {
        self.put(message, shown::message);
    }

    /// The same for several lines, whose foreign text is already escaped.
    pub fn say_lines(&self, text: &str) {
        self.put(text, shown::text);
    }

    /// Prints to standard output while the progress lines are out of the way.
    pub fn above<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bars.suspend(print)
    }

    /// Prints a message about a problem. With `--quiet` it is an error, since these are all that is printed then.
    fn say_problem(&self, message: &str) {
        match self.style {
            Style::Silent => tracing::error!("{message}"),
            Style::Live | Style::Plain | Style::Json => self.say(message),
        }
    }

    fn put(&self, text: &str, shown: impl Fn(&str) -> String) {
        match self.style {
            Style::Live | Style::Plain => {
                // Standard error may be closed.
                let _ = LogWriter(self.bars.clone()).put(&(shown(text) + "\n"));
            }
            Style::Json => tracing::info!(target: logging::PROGRESS, "{text}"),
            Style::Silent => {}
        }
    }

    /// A progress bar for `total` things of a kind; only on a terminal.
    pub fn bar(&self, total: u64, kind: &str) -> ProgressBar {
        let bar = self.bars.add(ProgressBar::new(total));
        bar.set_style(style(&format!("[{{elapsed}}] {{wide_bar}} {{pos}}/{{len}} {kind}, {{eta}} left")));
        bar
    }

    /// Removes the progress lines from the terminal at the end of the run, before other output is written.
    pub fn close(&mut self) {
        for line in self.lines.drain().map(|(_, line)| line).chain(self.run.take()) {
            line.finish_and_clear();
        }
        self.tally = Tally::default();
    }

    fn end(&mut self, attempt: &str, outcome: Outcome) {
        self.tally.end(attempt, outcome, Instant::now());
        if let Some(line) = self.lines.remove(attempt) {
            line.finish_and_clear();
        }
        self.rejections.retain(|(of, _)| of != attempt);
    }

    fn finished(&mut self, attempt: &str, result: &AttemptResult) {
        self.end(attempt, result.outcome);
        let is_problem = is_problem(result.outcome);
        if !is_problem && !self.tells_each && self.tally.total() > MANY {
            return;
        }
        let mut head = format!("{}{}: ", self.tally.count(), one_line(attempt));
        let mut summary = summary(result);
        let located = self.refused_at(result);
        if let Some(at) = located.as_ref().map(Located::head) {
            // One wrong sentence may cost many theorems.
            if self.refused.contains(&at) {
                return self
                    .say_problem(&format!("{head}{} for the same reason, at {at}", result.outcome.phrase()));
            }
            head = format!("{at}: {head}");
            // The line follows.
            summary.truncate(summary.find("\n  in: ").unwrap_or(summary.len()));
            self.refused.insert(at);
        }
        match self.style {
            Style::Live | Style::Plain => {
                let phrase = result.outcome.phrase();
                let rest = summary.strip_prefix(phrase).unwrap_or_default();
                let (head, rest) = (shown::line(&head), shown::message(rest));
                // Only the outcome is ours, and has a colour on a terminal.
                self.put("", |_| format!("{head}{}{rest}", colour(result.outcome).apply_to(phrase)));
            }
            Style::Silent if is_problem => self.say_problem(&(head + &summary)),
            Style::Json | Style::Silent => self.say(&(head + &summary)),
        }
        if let (Some(located), Style::Live | Style::Plain) = (located, self.style) {
            self.say_lines(located.caret().trim_end());
        }
        // For people; programs find it in the result.
        if self.tells_each && self.style != Style::Json {
            report::closest(result).iter().for_each(|line| self.say_lines(line));
        }
    }
}

/// The colour of an outcome on a terminal.
fn colour(outcome: Outcome) -> console::Style {
    let style = console::Style::new().for_stderr();
    match outcome {
        Outcome::Accepted => style.green(),
        Outcome::NotProved | Outcome::AxiomNotAllowed | Outcome::Interrupted => style.yellow(),
        Outcome::Claimed | Outcome::Unverified | Outcome::Refused | Outcome::InfrastructureError => {
            style.red()
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is valid")
}

/// Whether the user may have to act on this outcome.
fn is_problem(outcome: Outcome) -> bool {
    match outcome {
        Outcome::Refused | Outcome::Claimed | Outcome::Unverified | Outcome::InfrastructureError => true,
        Outcome::Accepted | Outcome::AxiomNotAllowed | Outcome::NotProved | Outcome::Interrupted => false,
    }
}

/// A one-line summary of a result.
fn summary(result: &AttemptResult) -> String {
    let spent = &result.spent;
    let mut work = format!(
        "{}, {}, {}, {}",
        report::duration(&result.timing),
        report::count(spent.iterations, "iteration"),
        report::count(spent.nodes, "node"),
        report::count(spent.previews, "tactic")
    );
    if spent.model.requests > 0 {
        work += &format!(", {}", report::models(&spent.model));
    }
    match result.outcome {
        Outcome::Accepted => {
            let level = report::level(result.verification_level.unwrap_or_default());
            let again = if result.from_cache { " by the proof found before" } else { "" };
            format!("proved{again} ({}), {work}", report::verified_result(level, result))
        }
        Outcome::Claimed | Outcome::Unverified | Outcome::InfrastructureError => {
            format!("{}: {}", result.outcome.phrase(), error_of(result))
        }
        Outcome::AxiomNotAllowed => {
            let rejected = result.rejected_claims.iter().filter(|claim| claim.allow_axioms.is_some());
            let why =
                rejected.map(|claim| format!("{}{}", claim.message, hint::permission_of(claim))).next_back();
            format!("{}: {} ({work})", result.outcome.phrase(), why.unwrap_or_default())
        }
        Outcome::NotProved => format!("{}: {} ({work})", result.outcome.phrase(), hint::ending(result)),
        Outcome::Refused => format!("{}: {}", result.outcome.phrase(), hint::ending(result)),
        Outcome::Interrupted => format!("{} ({work})", result.outcome.phrase()),
    }
}

fn error_of(result: &AttemptResult) -> &str {
    result.infrastructure_error.as_deref().unwrap_or("unknown")
}
