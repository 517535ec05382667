//! Options of `andor prove` that no other search has.

use clap::Args;

use super::ProveArgs;
use super::help::PROVE_HELP;

#[derive(Clone, Debug, Args)]
#[command(after_help = PROVE_HELP)]
pub(crate) struct ProveCommandArgs {
    #[command(flatten)]
    pub(crate) in_place: InPlaceArgs,

    #[command(flatten)]
    pub(crate) prove: ProveArgs,
}

/// Proofs put into the files that state their theorems.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "In place")]
pub(crate) struct InPlaceArgs {
    /// Write each proof into its file as soon as it is accepted: in the place of `sorry`, `admit` or `Admitted`, or of an
    /// unfinished proof that cannot be filled. All else stays as it is, even if it has changed meanwhile
    #[arg(long, conflicts_with = "statement")]
    pub(crate) write: bool,

    /// With --write: keep the file as it was as FILE.orig, unless that exists
    #[arg(long, requires = "write", conflicts_with = "diff")]
    pub(crate) backup: bool,

    /// Print what --write would change, as a unified diff for `git apply` or `patch -p1`
    #[arg(long, conflicts_with_all = ["json", "statement", "write"])]
    pub(crate) diff: bool,

    /// Prove again whenever a file is saved, until you press Ctrl-C
    #[arg(long, requires = "files", conflicts_with_all = ["out", "diff", "resume"])]
    pub(crate) watch: bool,

    /// Neither begin with proofs found before nor keep new ones: for a source file `andor prove` remembers the proof of each
    /// statement, and tries it first when the file or the prover has changed. Without effect with --out
    #[arg(long)]
    pub(crate) no_cache: bool,
}

impl InPlaceArgs {
    /// Whether proofs are put into files.
    pub(crate) fn is_wanted(&self) -> bool {
        self.write || self.diff
    }
}
