//! Arguments of `verify`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use andor_terminal::options::{Confinement, Given, at_least_one};
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = VERIFY_HELP)]
pub(crate) struct VerifyArgs {
    /// A run's folder, the folder of a theorem or an attempt in it, or a trace.jsonl
    #[arg(value_name = "RUN|TRACE")]
    pub(crate) run: PathBuf,

    /// Only this theorem
    #[arg(long, value_name = "ID")]
    pub(crate) theorem: Option<String>,

    /// Only attempts with this number, from 1
    #[arg(long, value_name = "N")]
    pub(crate) attempt: Option<u32>,

    /// Compare the theorems of the run with those of this file, which you trust: the one that was given to `andor run`
    #[arg(long, value_name = "FILE")]
    pub(crate) statement_from: Option<PathBuf>,

    /// Follow the recorded choices instead of repeating the selection; for traces of another version of andor, which
    /// may select differently
    #[arg(long)]
    pub(crate) follow: bool,

    /// Require this digest of the rebuilt tree, which you have from elsewhere; for a single trace
    #[arg(long, value_name = "DIGEST")]
    pub(crate) expect: Option<String>,

    /// The number of proofs to judge at the same time
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(crate) jobs: NonZeroUsize,

    #[command(flatten)]
    pub(crate) sandbox: Given<Confinement>,

    /// Print what was found as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

const VERIFY_HELP: &str = "\
Every search is rebuilt from its trace, and every accepted proof is judged again, as by
`andor check`, against the theorem in run.db, at the level that the run claims. No digest in the
folder is trusted. Theorems and configuration are: compare the former by --statement-from. See
docs/guide/verification.md.

Exit codes:
  0  everything holds
  1  something does not hold; each is a line on standard output
  2  the run or the trace cannot be read
  3  everything else holds, but a proof could not be judged here";
