//! Arguments of `andor-lab study`.

use std::path::PathBuf;

use andor_terminal::declared::DeclaredArgs;
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct StudyArgs {
    /// The declaration of the study: a TOML file, see docs/guide/studies.md
    #[arg(value_name = "STUDY.toml")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) declared: DeclaredArgs,

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
  andor-lab study docs/experiments/studies/identity.toml --jobs 2 --out S
  andor-lab study docs/experiments/studies/identity.toml --jobs 2 --out S --resume
  andor analyze S/runs/tree S/runs/dag --measure searches";
