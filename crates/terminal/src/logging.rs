//! Logs on standard error: which events are written, and in what format. See docs/guide/logging.md.
//!
//! Only a sample of the search events is written. Whether an event is in the sample depends only on its attempt, its
//! kind and its number among the events of that kind in the attempt, so equal runs log equal events regardless of
//! what runs concurrently. A digest of the three is compared with the rate. Taking every hundredth event instead
//! would skip attempts with fewer events, and would always hit the same phase of a periodic search. Events logged at
//! a low rate are also logged at every higher rate.

use std::collections::HashMap;
use std::env;
use std::fmt::Debug;
use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};

use andor_engine::log::{ATTEMPT, FREQUENT, STANDARD, THEOREM};
use anyhow::bail;
use console::Style;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry, fmt};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::options::Verbosity;
use crate::progress::LogWriter;
use crate::shown;

/// The log target of messages to the user.
pub const PROGRESS: &str = "andor::progress";

/// How logs are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum LogFormat {
    /// Human-readable text.
    Text,
    /// One JSON object per line, for progress as well.
    Json,
}

/// Starts logging to standard error.
pub fn start(asked: Verbosity, writer: LogWriter) -> anyhow::Result<()> {
    let standard = rate("LOG_RATE", variable("LOG_RATE")?.as_deref())?;
    let frequent = rate("LOG_RATE_FREQUENT_EVENT", variable("LOG_RATE_FREQUENT_EVENT")?.as_deref())?;
    let rust_log = variable("RUST_LOG")?.unwrap_or_default();
    let directives = directives(asked, standard.is_some(), frequent.is_some(), &rust_log);
    let filter = match EnvFilter::builder().parse(directives) {
        Ok(filter) => filter,
        Err(error) => {
            bail!("RUST_LOG=`{rust_log}`: {error}; write for example `info` or `andor_process=debug`")
        }
    };
    let rates = LogRates { standard: standard.unwrap_or(0.01), frequent: frequent.unwrap_or(0.001) };
    let lines: Box<dyn Layer<_> + Send + Sync> = match asked.log_format {
        LogFormat::Text => {
            let colour = io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none();
            let lines = fmt::layer().with_ansi(colour).event_format(Lines);
            lines.with_writer(writer).boxed()
        }
        LogFormat::Json => fmt::layer().json().with_current_span(false).with_writer(writer).boxed(),
    };
    Registry::default().with(lines).with(Sample::new(rates)).with(filter).init();
    Ok(())
}

/// The format of text: warnings as the user reads them, with the theorem that they are about, and all else with its spans.
struct Lines;

impl<S, N> FormatEvent<S, N> for Lines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> std::fmt::Result {
        let (colour, word) = match *event.metadata().level() {
            Level::ERROR => (Style::new().red(), "error"),
            Level::WARN => (Style::new().yellow(), "warning"),
            _ => {
                return fmt::format().with_target(false).without_time().format_event(context, writer, event);
            }
        };
        let word = colour.force_styling(writer.has_ansi_escapes()).apply_to(word);
        write!(writer, "{word}: ")?;
        let spans = || context.event_scope().into_iter().flatten();
        let theorem = spans().find_map(|span| span.extensions().get::<Theorem>().map(|t| t.name.clone()));
        if let Some(name) = theorem {
            write!(writer, "{}: ", shown::line(&name))?;
        }
        context.format_fields(writer.by_ref(), event)?;
        writeln!(writer)
    }
}

fn variable(name: &str) -> anyhow::Result<Option<String>> {
    match env::var(name) {
        Ok(value) => Ok(Some(value)),
        Err(env::VarError::NotPresent) => Ok(None),
        Err(env::VarError::NotUnicode(_)) => bail!("{name} is not Unicode"),
    }
}

/// Parses the value of a rate variable; `None` if it is not set.
fn rate(name: &str, value: Option<&str>) -> anyhow::Result<Option<f64>> {
    let Some(value) = value.filter(|value| !value.is_empty()) else { return Ok(None) };
    match value.parse() {
        Ok(rate) if (0.0..=1.0).contains(&rate) => Ok(Some(rate)),
        _ => bail!("{name}=`{value}`: must be a number from 0 to 1, the share of events that are logged"),
    }
}

/// Log directives: those of the options, then the event classes whose rate is set. `RUST_LOG` overrides them.
fn directives(asked: Verbosity, standard: bool, frequent: bool, rust_log: &str) -> String {
    let level = match (asked.quiet, asked.verbose) {
        (true, _) => "error",
        (false, 0) => "warn",
        (false, 1) => "info",
        (false, _) => "debug",
    };
    let mut directives = level.to_owned();
    let json = asked.log_format == LogFormat::Json;
    for (on, target) in [(standard, STANDARD), (frequent, FREQUENT), (json, PROGRESS)] {
        if on && !asked.quiet {
            directives += &format!(",{target}={}", LevelFilter::DEBUG);
        }
    }
    if !rust_log.is_empty() {
        directives += &format!(",{rust_log}");
    }
    directives
}

/// The logged shares of search events, in [0, 1].
#[derive(Clone, Copy, PartialEq, Debug)]
struct LogRates {
    standard: f64,
    frequent: f64,
}

/// A filter that passes a sample of the search events, and all other events.
struct Sample {
    rates: LogRates,
    /// For events outside attempts, or if the spans of attempts are filtered out.
    outside: Counts,
}

/// The theorem of a span.
struct Theorem {
    name: String,
    digest: u64,
}

/// Event counts of an attempt.
struct Counts {
    /// A digest of theorem and attempt.
    identity: u64,
    /// Counts by kind of event.
    counts: Mutex<HashMap<&'static str, u64>>,
}

impl Counts {
    fn new(identity: u64) -> Self {
        Self { identity, counts: Mutex::default() }
    }

    /// Counts an event of this kind, and returns whether it is in the sample.
    fn admits(&self, kind: &'static str, rate: f64) -> bool {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(kind).or_default();
        *count += 1;
        is_sampled(self.identity, kind, *count, rate)
    }
}

/// Whether the `ordinal`-th event of a kind is in the sample.
fn is_sampled(identity: u64, kind: &str, ordinal: u64, rate: f64) -> bool {
    let digest = xxh3_64_with_seed(&ordinal.to_le_bytes(), xxh3_64_with_seed(kind.as_bytes(), identity));
    // 53 bits fill the mantissa of a float, which gives a number in [0, 1).
    ((digest >> 11) as f64) / ((1_u64 << 53) as f64) < rate
}

impl Sample {
    fn new(rates: LogRates) -> Self {
        Self { rates, outside: Counts::new(0) }
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Sample {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let name = attributes.metadata().name();
        let Some(span) = context.span(id).filter(|_| [THEOREM, ATTEMPT].contains(&name)) else { return };
        let theorem = span.parent().and_then(|p| p.extensions().get::<Theorem>().map(|t| t.digest));
        let mut fields = Fields { digest: theorem.unwrap_or_default(), last: String::new() };
        attributes.record(&mut fields);
        let Fields { digest, last } = fields;
        if name == THEOREM {
            span.extensions_mut().insert(Theorem { name: last, digest });
        } else {
            span.extensions_mut().insert(Counts::new(digest));
        }
    }

    fn event_enabled(&self, event: &Event<'_>, context: Context<'_, S>) -> bool {
        let metadata = event.metadata();
        let rate = match metadata.target() {
            STANDARD => self.rates.standard,
            FREQUENT => self.rates.frequent,
            _ => return true,
        };
        let mut spans = context.event_scope(event).into_iter().flatten();
        let counted =
            spans.find_map(|s| s.extensions().get::<Counts>().map(|c| c.admits(metadata.name(), rate)));
        counted.unwrap_or_else(|| self.outside.admits(metadata.name(), rate))
    }
}

/// The fields of a span: an incremental digest of their values, and the last value.
struct Fields {
    digest: u64,
    last: String,
}

impl Visit for Fields {
    fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
        self.last = format!("{value:?}");
        self.digest = xxh3_64_with_seed(self.last.as_bytes(), self.digest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_shares() {
        for (value, expected) in [("0", 0.0), ("1", 1.0), ("0.25", 0.25), ("1e-3", 0.001)] {
            assert_eq!(rate("LOG_RATE", Some(value)).unwrap(), Some(expected));
        }
        assert_eq!(rate("LOG_RATE", None).unwrap(), None);
        assert_eq!(rate("LOG_RATE", Some("")).unwrap(), None);
        for value in ["2", "-0.1", "NaN", "inf", "all", "10%", "0,5"] {
            let error = rate("LOG_RATE", Some(value)).unwrap_err().to_string();
            assert!(
                error.contains("LOG_RATE") && error.contains(value) && error.contains("0 to 1"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_sample_has_its_share_of_long_and_of_short_attempts() {
        for (rate, n, low, high) in
            [(0.01, 100_000, 900, 1100), (0.001, 1_000_000, 900, 1100), (0.5, 1000, 440, 560)]
        {
            let long = (1..=n).filter(|&i| is_sampled(7, "executed", i, rate)).count();
            assert!((low..=high).contains(&long), "{long} of {n} at {rate}");
            // As many attempts that have one event only.
            let short = (1..=n).filter(|&attempt| is_sampled(attempt, "executed", 1, rate)).count();
            assert!((low..=high).contains(&short), "{short} of {n} at {rate}");
        }
    }

    #[test]
    fn each_kind_of_event_has_a_sample_of_its_own() {
        let both = |&i: &u64| is_sampled(7, "executed", i, 0.1) && is_sampled(7, "expanded", i, 0.1);
        let n = (1..=100_000).filter(both).count();
        assert!((900..=1100).contains(&n), "{n} of 100000, where 0.1 of 0.1 is expected");
    }

    #[test]
    fn a_higher_rate_keeps_what_a_lower_one_shows() {
        for i in 1..10_000 {
            assert!(!is_sampled(3, "expanded", i, 0.0) && is_sampled(3, "expanded", i, 1.0));
            assert!(!is_sampled(3, "expanded", i, 0.01) || is_sampled(3, "expanded", i, 0.1));
        }
    }

    #[test]
    fn rates_that_are_set_show_their_events_unless_it_is_to_be_quiet() {
        let of = |verbose, quiet, log_format, standard, frequent, rust_log| {
            directives(Verbosity { verbose, quiet, log_format }, standard, frequent, rust_log)
        };
        assert_eq!(of(0, false, LogFormat::Text, false, false, ""), "warn");
        assert_eq!(of(1, false, LogFormat::Text, true, false, ""), "info,andor::standard=debug");
        assert_eq!(of(0, true, LogFormat::Text, true, true, ""), "error");
        assert_eq!(
            of(0, false, LogFormat::Text, false, true, "andor_env=trace"),
            "warn,andor::frequent=debug,andor_env=trace"
        );
        assert_eq!(of(0, false, LogFormat::Json, false, false, ""), "warn,andor::progress=debug");
    }
}
