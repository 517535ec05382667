//! One module per command.

pub(crate) mod bench;
pub(crate) mod corpus;
pub(crate) mod simulate;
pub(crate) mod study;

use std::path::Path;

/// Refuses to overwrite one of the files that a command writes, unless `--force` asks for it.
fn keep_existing<P: AsRef<Path>>(
    files: impl IntoIterator<Item = P>,
    force: bool,
    choose: &str,
) -> anyhow::Result<()> {
    match files.into_iter().find(|file| !force && file.as_ref().exists()) {
        Some(file) => anyhow::bail!(
            "--out: {} exists; choose {choose}, or overwrite it with --force",
            file.as_ref().display()
        ),
        None => Ok(()),
    }
}
