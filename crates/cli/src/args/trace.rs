//! Arguments of `replay` and `trace`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Selects a trace.
#[derive(Debug, Args)]
pub(crate) struct TraceInputArgs {
    /// A trace.jsonl, a run's folder, or an attempt's folder
    #[arg(value_name = "TRACE|RUN")]
    pub(crate) run: PathBuf,

    /// The theorem, if the run has several
    #[arg(long, value_name = "ID")]
    pub(crate) theorem: Option<String>,

    /// The number of the attempt at the theorem, from 1; by default the first
    #[arg(long, value_name = "N")]
    pub(crate) attempt: Option<u32>,
}

#[derive(Debug, Args)]
#[command(after_help = REPLAY_HELP)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub(crate) input: TraceInputArgs,

    /// Follow the recorded choices instead of repeating the selection; for traces of another version of andor, which
    /// may select differently
    #[arg(long)]
    pub(crate) follow: bool,

    /// Require this digest of the tree, for truncated traces, which record none
    #[arg(long, value_name = "DIGEST")]
    pub(crate) expect: Option<String>,

    /// Print the tree for Graphviz: `andor replay RUN --dot | dot -Tsvg > tree.svg`
    #[arg(long, conflicts_with = "json")]
    pub(crate) dot: bool,

    /// Print statistics of the search as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const REPLAY_HELP: &str = "\
The tree is rebuilt from the trace alone, without prover or provider. The selection is repeated and
must give the recorded nodes, scores, obstacles and reroutes. The tree must match each line of the
trace and, at the end, the recorded digest.

Exit codes:
  0  the digest matches, or the trace is truncated and every line of it matches
  1  the trace contradicts the rebuilt tree; standard error names the line and the field
  2  the trace cannot be read";

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
