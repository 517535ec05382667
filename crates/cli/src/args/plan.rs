//! Arguments of `andor plan`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use andor_terminal::options::{Given, Planning, at_least_one};
use clap::Args;

use super::{InputArgs, PLAN_HELP};

#[derive(Debug, Args)]
#[command(after_help = PLAN_HELP)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Check the plans in this file, instead of asking a planner
    #[arg(long, value_name = "FILE", conflicts_with = "--planner")]
    pub(crate) check: Option<PathBuf>,

    /// Do not try to refute the steps of plans
    #[arg(long)]
    pub(crate) no_refutation: bool,

    /// Write the plans that hold to this file. Theorems that have one there already are passed over
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Number of theorems to plan concurrently
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(crate) jobs: NonZeroUsize,

    /// Read the models' configurations from a TOML file
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) given: Given<Planning>,

    /// Print one JSON object per theorem
    #[arg(long)]
    pub(crate) json: bool,
}
