//! Arguments of `andor learn`.

use std::path::PathBuf;

use andor_terminal::declared::DeclaredArgs;
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct LearnArgs {
    /// The declaration of the loop: a TOML file, see docs/formats/loop.md
    #[arg(value_name = "LOOP.toml")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) declared: DeclaredArgs,

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
