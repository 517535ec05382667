//! Options of `andor run`.

use andor_config::positive_seconds;
use andor_run::orchestrate::Keep;
use clap::Args;

use super::ProveArgs;
use super::help::RUN_HELP;
use super::options::names;

#[derive(Debug, Args)]
#[command(after_help = RUN_HELP)]
pub(crate) struct RunArgs {
    /// Attempts at each theorem, until one is accepted; attempt N has the seed of --seed plus N - 1
    #[arg(long, value_name = "K", default_value_t = 1, help_heading = "Corpus runs",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) pass_k: u32,

    /// Wall time of the whole run; then nothing more begins, and attempts at work are stopped and can be made again
    /// with --resume. Unless given, there is no limit
    #[arg(long, value_name = "DURATION", value_parser = positive_seconds, help_heading = "Corpus runs")]
    pub(crate) total_time: Option<f64>,

    /// Which attempts leave files of their own (trace, tree, proof); all results are kept in any case
    #[arg(long, value_parser = names!(Keep), default_value = Keep::All.name(), help_heading = "Corpus runs")]
    pub(crate) keep: Keep,

    #[command(flatten)]
    pub(crate) prove: ProveArgs,
}
