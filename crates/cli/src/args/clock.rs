//! Options of the clock.

use std::path::PathBuf;

use andor_config::{Clock, LatencySpec};
use clap::Args;

use super::values::names;

#[derive(Debug, Args)]
#[command(next_help_heading = "Clock")]
pub(crate) struct ClockArgs {
    /// What agents and workers live by: measured time, or modelled time, with which equal runs write equal traces. Unless
    /// given, `virtual` with one worker in centralized mode, and `wall` otherwise, since on the virtual clock several
    /// workers wait for each other
    #[arg(long, value_parser = names!(Clock))]
    pub(crate) clock: Option<Clock>,

    /// Virtual clock: how long a provider takes; `5ms`, `lognormal:MEDIAN:SIGMA` as in `lognormal:200ms:0.5`, or
    /// `recorded:FILE` [default: 5ms]
    #[arg(long, value_name = "SPEC")]
    pub(crate) provider_latency: Option<LatencySpec>,

    /// Virtual clock: how long a tactic takes, in the same notation [default: 1ms]
    #[arg(long, value_name = "SPEC")]
    pub(crate) tactic_latency: Option<LatencySpec>,

    /// Write how long providers and tactics really took, for `recorded:FILE`
    #[arg(long, value_name = "FILE")]
    pub(crate) record_latencies: Option<PathBuf>,
}
