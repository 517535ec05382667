//! Arguments of the commands that carry out a declaration in a TOML file: `learn` and `study`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use crate::options::at_least_one;

/// Where a declaration is carried out.
#[derive(Debug, Args)]
pub struct DeclaredArgs {
    /// Folder for all that is made: runs, reports, models [default: runs/NAME-N]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Go on with what is in --out: what is finished is not repeated
    #[arg(long, requires = "out")]
    pub resume: bool,

    /// Number of attempts to run concurrently
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one, allow_negative_numbers = true)]
    pub jobs: NonZeroUsize,
}
