//! `andor cache`

use andor_engine::registry::cache_folder;
use andor_run::proof_cache::{Holdings, ProofCache};
use andor_terminal::exit::Exit;
use andor_terminal::{report, shown};
use anyhow::Context;

use crate::args::CacheArgs;

/// The cache of proofs, if there is a folder for it.
pub(super) fn proofs() -> Option<ProofCache> {
    cache_folder().map(|folder| ProofCache::new(folder.join("proofs")))
}

pub(crate) fn run(args: &CacheArgs) -> anyhow::Result<Exit> {
    let cache = proofs().context("there is no cache folder: set XDG_CACHE_HOME or HOME")?;
    let Holdings { statements, proofs, bytes } = cache.holdings()?;
    let folder = shown::line(&cache.folder().display().to_string());
    let what = format!(
        "{} of {}, {} kB, in {folder}",
        report::count(proofs as u64, "proof"),
        report::count(statements as u64, "statement"),
        bytes.div_ceil(1000)
    );
    if args.clear {
        cache.clear()?;
    }
    report::print(&if args.clear { format!("removed {what}\n") } else { format!("{what}\n") })?;
    Ok(Exit::Success)
}
