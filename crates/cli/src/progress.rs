//! What goes to standard error: progress lines and logs, through one owner of the terminal.

use std::collections::HashMap;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use andor_artifact::result::{AttemptResult, Outcome};
use andor_run::event::{Event, Sink};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use tracing_subscriber::fmt::MakeWriter;

use crate::args::Cli;
use crate::report;

/// Shows events as they come.
pub(crate) struct Progress {
    bars: MultiProgress,
    /// One line per attempt at work; only on a terminal.
    lines: HashMap<String, ProgressBar>,
    style: Style,
    finished: usize,
    accepted: usize,
    /// Attempts in the run.
    pub(crate) total: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Live,
    Plain,
    Silent,
}

/// The progress display and a writer for logs that does not disturb it.
pub(crate) fn terminal(cli: &Cli) -> (Arc<Mutex<Progress>>, LogWriter) {
    let plain = std::env::var_os("CI").is_some() || !io::stderr().is_terminal();
    let style = match (cli.quiet, plain) {
        (true, _) => Style::Silent,
        (false, true) => Style::Plain,
        (false, false) => Style::Live,
    };
    let target =
        if style == Style::Live { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bars = MultiProgress::with_draw_target(target);
    let progress =
        Progress { bars: bars.clone(), lines: HashMap::new(), style, finished: 0, accepted: 0, total: 0 };
    (Arc::new(Mutex::new(progress)), LogWriter(bars))
}

/// Starts logging to standard error: warnings, more with `-v`, or what `ANDOR_LOG` says.
pub(crate) fn start_logging(cli: &Cli, writer: LogWriter) {
    let level = match (cli.quiet, cli.verbose) {
        (true, _) => "error",
        (false, 0) => "warn",
        (false, 1) => "info",
        (false, _) => "debug",
    };
    let filter = tracing_subscriber::EnvFilter::try_from_env("ANDOR_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(level));
    let colour = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(colour)
        .with_target(false)
        .without_time()
        .with_writer(writer)
        .init();
}

/// Writes log lines above the progress display.
#[derive(Clone)]
pub(crate) struct LogWriter(MultiProgress);

impl Write for LogWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.suspend(|| io::stderr().write_all(bytes)).map(|()| bytes.len())
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
            Event::AttemptStarted { .. } => self.show(attempt, "opening"),
            Event::Opened { assistant } => self.show(attempt, &format!("searching with {assistant}")),
            Event::Iteration(i) => self.show(
                attempt,
                &format!(
                    "iteration {}, {} nodes, depth {}: {}",
                    i.iteration,
                    i.tree.nodes,
                    i.tree.max_depth,
                    one_line(&i.node.goal_type)
                ),
            ),
            Event::Checking => self.show(attempt, "checking a claimed proof"),
            Event::Rejection(rejection) => {
                let (level, message) = (report::level(rejection.level), &rejection.message);
                self.say(&format!("{attempt}: a claimed proof is rejected at {level}: {message}"));
            }
            Event::Started(_) | Event::Latency(_) | Event::Abort(_) | Event::Proved(_) => {}
            Event::AttemptFinished(result) => self.finished(attempt, result),
        }
    }
}

impl Progress {
    fn show(&mut self, attempt: &str, what: &str) {
        if self.style != Style::Live {
            return;
        }
        let line = self.lines.entry(attempt.to_owned()).or_insert_with(|| {
            let line = self.bars.add(ProgressBar::new_spinner());
            let style = ProgressStyle::with_template("{spinner} [{elapsed}] {wide_msg}");
            line.set_style(style.expect("the template is valid"));
            line.enable_steady_tick(Duration::from_millis(120));
            line
        });
        let count =
            if self.total > 1 { format!("{}/{} ", self.finished + 1, self.total) } else { String::new() };
        line.set_message(format!("{count}{attempt}: {what}"));
    }

    /// Writes a line above the progress lines, unless it is to be quiet.
    pub(crate) fn say(&self, text: &str) {
        if self.style != Style::Silent {
            let _ = writeln!(LogWriter(self.bars.clone()), "{text}");
        }
    }

    /// A bar for so many things of a kind; only on a terminal.
    pub(crate) fn bar(&self, total: u64, kind: &str) -> ProgressBar {
        let bar = self.bars.add(ProgressBar::new(total));
        let style = ProgressStyle::with_template(&format!(
            "[{{elapsed}}] {{wide_bar}} {{pos}}/{{len}} {kind}, {{eta}} left"
        ));
        bar.set_style(style.expect("the template is valid"));
        bar
    }

    fn finished(&mut self, attempt: &str, result: &AttemptResult) {
        self.finished += 1;
        self.accepted += usize::from(result.outcome == Outcome::Accepted);
        if let Some(line) = self.lines.remove(attempt) {
            line.finish_and_clear();
        }
        let count = if self.total > 1 {
            format!("[{}/{}, {} proved] ", self.finished, self.total, self.accepted)
        } else {
            String::new()
        };
        self.say(&format!("{count}{attempt}: {}", summary(result)));
    }
}

/// One line about a result.
fn summary(result: &AttemptResult) -> String {
    let seconds = result.timing.total_ms / 1e3;
    let work = format!(
        "{seconds:.1} s, {} iterations, {} nodes, {} tactics",
        result.spent.iterations, result.spent.nodes, result.spent.previews
    );
    match result.outcome {
        Outcome::Accepted => {
            let level = report::level(result.verification_level.unwrap_or_default());
            format!("proved ({}), {work}", report::verified(level, &result.axioms))
        }
        Outcome::Claimed => format!("claimed, but could not be verified: {} ({work})", error_of(result)),
        Outcome::NotProved => format!("not proved: {} ({work})", result.stop_detail),
        Outcome::Refused => format!("refused: {}", result.stop_detail),
        Outcome::InfrastructureError => format!("failed: {}", error_of(result)),
        Outcome::Interrupted => format!("interrupted ({work})"),
    }
}

fn error_of(result: &AttemptResult) -> &str {
    result.infrastructure_error.as_deref().unwrap_or("unknown")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
