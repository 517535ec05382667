//! Latencies on the virtual clock. Their bounds are checked with the other rules of a configuration.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Latencies on the virtual clock.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LatencyConfig {
    /// Of a provider call.
    pub provider: LatencySpec,
    /// Of a tactic.
    pub tactic: LatencySpec,
}

impl Default for LatencyConfig {
    fn default() -> Self {
        let ms = |ms| LatencySpec::Constant(Duration::from_millis(ms));
        Self { provider: ms(5), tactic: ms(1) }
    }
}

/// A distribution of latencies, written as `5ms`, `lognormal:50ms:0.5` (median, standard deviation of the logarithm),
/// or `recorded:FILE` (sampled uniformly from what `--record-latencies` wrote).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum LatencySpec {
    /// A constant latency.
    Constant(Duration),
    /// A log-normal distribution.
    LogNormal {
        /// The median.
        median: Duration,
        /// The standard deviation of the natural logarithm.
        sigma: f64,
    },
    /// A uniform sample of measured latencies.
    Recorded(PathBuf),
}

impl LatencySpec {
    /// Upper bound of constants and medians.
    pub const LONGEST: Duration = Duration::from_secs(1_000_000);
    /// Upper bound of the standard deviation of the logarithm.
    pub const WIDEST: f64 = 10.0;
}

impl fmt::Display for LatencySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |d: &Duration| d.as_secs_f64() * 1e3;
        match self {
            Self::Constant(latency) => write!(f, "{}ms", ms(latency)),
            Self::LogNormal { median, sigma } => write!(f, "lognormal:{}ms:{sigma}", ms(median)),
            Self::Recorded(path) => write!(f, "recorded:{}", path.display()),
        }
    }
}

impl FromStr for LatencySpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("recorded:") {
            return Ok(Self::Recorded(PathBuf::from(path)));
        }
        let Some(parameters) = text.strip_prefix("lognormal:") else {
            return milliseconds(text).map(Self::Constant);
        };
        let bad = || format!("`{text}`: write for example lognormal:50ms:0.5");
        let (median, sigma) = parameters.split_once(':').ok_or_else(bad)?;
        let sigma: f64 = sigma.parse().map_err(|_| bad())?;
        Ok(Self::LogNormal { median: milliseconds(median)?, sigma })
    }
}

impl From<LatencySpec> for String {
    fn from(spec: LatencySpec) -> Self {
        spec.to_string()
    }
}

impl TryFrom<String> for LatencySpec {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// Parses `5ms` or `0.2s`; a bare number is in milliseconds.
fn milliseconds(text: &str) -> Result<Duration, String> {
    let (number, factor) = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(number), _) => (number, 1.0),
        (None, Some(number)) => (number, 1e3),
        (None, None) => (text, 1.0),
    };
    let bad =
        || format!("`{text}` is not a latency; write for example 5ms, lognormal:50ms:0.5 or recorded:FILE");
    let ms = number.parse::<f64>().map_err(|_| bad())? * factor;
    Duration::try_from_secs_f64(ms / 1e3).map_err(|_| bad())
}
