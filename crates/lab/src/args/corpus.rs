//! Options of `andor-lab corpus`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use andor_lab::corpus::FOLDERS;
use andor_terminal::options::{Confinement, Given, at_least_one};
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct CorpusArgs {
    #[command(subcommand)]
    pub(crate) of: CorpusCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CorpusCommand {
    /// Theorems of Rocq's standard library, each extracted from its file and verified with its own proof
    RocqStdlib(RocqStdlibArgs),
}

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct RocqStdlibArgs {
    /// Write the rows to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,

    /// Overwrite the file of an earlier corpus
    #[arg(long)]
    pub(crate) force: bool,

    /// Folders of the library to use
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_values = FOLDERS)]
    pub(crate) folders: Vec<String>,

    /// Number of theorems to draw at random; by default all
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<usize>,

    /// Seed of the random choice
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Number of theorems to verify concurrently
    #[arg(long, value_name = "N", default_value = "2", value_parser = at_least_one)]
    pub(crate) jobs: NonZeroUsize,

    /// Include theorems that depend on these axioms: names, or the sets that `andor prove` accepts
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) allow_axioms: Vec<String>,

    /// Print a summary as one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) sandbox: Given<Confinement>,
}

const HELP: &str = "\
The field `category` of a row says how much of the original file its header contains: A only the
imports, L also the definitions, P everything before the theorem. Each row has the smallest header
under which the theorem's own proof is accepted. The library is licensed under the LGPL; its terms
apply if you distribute the file.

Examples:
  andor-lab corpus rocq-stdlib --out stdlib.jsonl --sample 200 --seed 1
  andor prove stdlib.jsonl --time 30s --jobs 2 --out RUN
  andor prove stdlib.jsonl --filter category=A";
