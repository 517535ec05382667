//! Parts of the program that a build may leave out.

use anyhow::{anyhow, bail};

/// What the user asked for is left out of this build.
pub(crate) fn missing(what: &str, feature: &str) -> anyhow::Error {
    anyhow!("{what} is left out of this build; build it with the feature `{feature}`")
}

/// Parquet is written.
pub(crate) fn parquet(option: &str) -> anyhow::Result<()> {
    if cfg!(not(feature = "parquet")) {
        bail!(missing(option, "parquet"));
    }
    Ok(())
}
