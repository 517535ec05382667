//! Arguments of `andor study`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::options::at_least_one;

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct StudyArgs {
    /// The declaration of the study: a TOML file, see docs/guide/studies.md
    #[arg(value_name = "STUDY.toml")]
    pub(crate) file: PathBuf,

    /// Folder for the runs, tables, plots and the report [default: runs/NAME-N]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Go on with the study in --out: finished attempts are not repeated
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,

    /// Number of attempts to run concurrently
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(crate) jobs: NonZeroUsize,

    /// Print one JSON object per comparison
    #[arg(long)]
    pub(crate) json: bool,
}

const HELP: &str = "\
A study declares theorems, seeds, arms (configurations that are compared) and what is expected of
them. Every arm is run. The report tests each comparison, paired by theorem and seed, and says when
a difference may be chance. It is written to report.md and report.html, with tables/*.csv and
plots/*.svg.

Examples:
  andor study docs/experiments/studies/identity.toml --jobs 2 --out S
  andor study docs/experiments/studies/identity.toml --jobs 2 --out S --resume
  andor analyze S/runs/tree S/runs/dag --measure searches";
