//! Options of workers, and of how far proofs are verified.

use std::num::NonZeroUsize;

use clap::Args;

use super::values::{Verify, seconds, verify};

#[derive(Debug, Args)]
#[command(next_help_heading = "Soundness")]
pub(crate) struct SoundnessArgs {
    /// Axioms that proofs may rest on: names or, for Rocq, the sets reals, classical, funext, propext,
    /// proof-irrelevance, choice, eq-rect-eq, primitives (machine numbers, arrays and strings). None unless given, but mini's propext, funext and Classical.em
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) allow_axioms: Vec<String>,

    /// Known bugs of Rocq's kernel that a proof may come near, such as rocq#20455; from level 2 on, a proof that does what
    /// one of them needs is refused otherwise. docs/known-bugs.md lists them
    #[arg(long, value_name = "BUG,…", value_delimiter = ',')]
    pub(crate) trust: Vec<String>,

    /// Verify proofs to this level or fail: 1 `compiled`, 2 `audited`, 3 `rechecked`, 4 `judged`. `best` goes as far up
    /// as this machine can. Unless given, up to 3, or as far as this machine can
    #[arg(long, value_name = "LEVEL", value_parser = verify)]
    pub(crate) verify: Option<Verify>,

    /// At level 3, run the independent kernel over the libraries too, once per set of libraries; what was found is
    /// remembered in $XDG_CACHE_HOME/andor or ~/.cache/andor
    #[arg(long)]
    pub(crate) recheck_deps: bool,

    /// Time for checking one proof; in Rocq, for each program that is run for it [default: 120s]
    #[arg(long, value_name = "DURATION", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) check_timeout: Option<f64>,

    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

/// What confines the programs that read what nobody trusts.
#[derive(Debug, Args)]
#[command(next_help_heading = "Soundness")]
pub(crate) struct SandboxArgs {
    /// Run proof assistants without a sandbox. Otherwise each runs in one where bubblewrap can build it, in searches and in
    /// checks; level 4 asks for it
    #[arg(long)]
    pub(crate) no_sandbox: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Workers")]
pub(crate) struct WorkerArgs {
    /// Proof assistants at work on one theorem [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) workers: Option<usize>,

    /// Start new workers for every theorem. Otherwise idle ones are kept for theorems whose headers begin with what they
    /// have read already, as many as work at once
    #[arg(long)]
    pub(crate) fresh_workers: bool,

    /// Attempts at work at once
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true)]
    pub(crate) jobs: NonZeroUsize,

    /// Time for one tactic [default: 5s]
    #[arg(long, value_name = "DURATION", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) tactic_timeout: Option<f64>,

    /// Processor time for one tactic, over all processes of its worker; that of --tactic-timeout unless given
    #[arg(long, value_name = "DURATION", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) tactic_cpu_timeout: Option<f64>,

    /// Replace a worker that holds more megabytes [default: 2048]
    #[arg(long, value_name = "MB")]
    pub(crate) max_memory: Option<u64>,

    /// Give an attempt up after losing this many workers in a row [default: 3]
    #[arg(long, value_name = "N")]
    pub(crate) max_restarts: Option<u32>,
}
