//! Arguments of `trace`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    #[command(subcommand)]
    pub(crate) what: TraceCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    /// Count iterations by reason and by agent, work in flight, collisions, attempts, duplicate work, obstacles and
    /// depths
    Stats(StatsArgs),
}

#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// A trace.jsonl, an attempt's folder, or a run's folder, for all of its traces together
    #[arg(value_name = "TRACE|RUN")]
    pub(crate) run: PathBuf,

    /// Use only the traces of this theorem
    #[arg(long, value_name = "ID")]
    pub(crate) theorem: Option<String>,

    /// Use only the traces of attempts with this number, from 1
    #[arg(long, value_name = "N")]
    pub(crate) attempt: Option<u32>,

    /// Print the counts as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
