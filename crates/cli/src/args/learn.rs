//! Arguments of `andor learn`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::options::at_least_one;

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct LearnArgs {
    /// The declaration of the loop: a TOML file, see docs/formats/loop.md
    #[arg(value_name = "LOOP.toml")]
    pub(crate) file: PathBuf,

    /// Folder for the models, the runs and the page about them [default: runs/NAME-N]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Go on with the loop in --out: what is finished is not repeated
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,

    /// Number of attempts to run concurrently
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(crate) jobs: NonZeroUsize,

    /// Print one JSON object per model
    #[arg(long)]
    pub(crate) json: bool,
}

const HELP: &str = "\
Each iteration searches with the model in turn, selects tactics of the proofs found, trains the next
model on them, and evaluates it on held-out theorems. At a plateau, proofs of all theorems are
searched for again with the best model, and training begins again from the first model. The file
lineage.md in the folder lists all models with their data, parents and scores.

Examples:
  andor learn examples/loop.toml --jobs 2 --out LOOP
  andor learn examples/loop.toml --jobs 2 --out LOOP --resume
  andor prove examples/logic.lean --provider learned=LOOP/1.3/model.json";
