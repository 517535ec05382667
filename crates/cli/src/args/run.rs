//! Options of `andor run`.

use andor_config::positive_seconds;
use andor_run::orchestrate::Keep;
use andor_terminal::names;
use clap::Args;

use super::ProveArgs;
use super::cluster::ClusterArgs;
use super::help::RUN_HELP;

#[derive(Debug, Args)]
#[command(after_help = RUN_HELP)]
pub(crate) struct RunArgs {
    /// Maximum number of attempts at each theorem; a theorem is done once an attempt is accepted. Attempt N uses seed
    /// --seed + N - 1
    #[arg(long, value_name = "K", default_value_t = 1, help_heading = "Corpus runs",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) pass_k: u32,

    /// Wall time of the whole run. When it is up, running attempts are stopped and can be repeated with --resume. By
    /// default unlimited
    #[arg(long, value_name = "DURATION", value_parser = positive_seconds, help_heading = "Corpus runs")]
    pub(crate) total_time: Option<f64>,

    /// Which attempts keep files of their own (trace, tree, proof); results are always kept
    #[arg(long, value_parser = names!(Keep), default_value = Keep::All.name(), help_heading = "Corpus runs")]
    pub(crate) keep: Keep,

    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,

    #[command(flatten)]
    pub(crate) prove: ProveArgs,
}
