//! Options of `andor cache`.

use clap::Args;

/// Without an option, it says how many proofs are kept, and where.
#[derive(Debug, Args)]
pub(crate) struct CacheArgs {
    /// Remove all proofs
    #[arg(long)]
    pub(crate) clear: bool,
}
