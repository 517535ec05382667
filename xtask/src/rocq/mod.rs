//! The real Rocqs of the tests: the machine's own, and two more from other suites of Debian in the user's cache.

mod apt;
mod install;
mod pins;
mod tree;
mod versions;

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::setup::cache;
use crate::step::{program, said};

pub(crate) use pins::renew;
pub(crate) use versions::run as versions;

/// The release that the machine's own Rocq has, from the Debian that the tests are written on.
const OWN: &str = "8.16.1";

/// Installs the pinned releases that are missing.
pub(crate) fn install() -> anyhow::Result<()> {
    pins::read()?.release.iter().try_for_each(|release| install::release(release, &folder(&release.version)?))
}

/// Where a pinned release lies. The programs are in its `usr/bin`.
fn folder(release: &str) -> anyhow::Result<PathBuf> {
    Ok(cache()?.join("andor").join(format!("rocq-{release}")))
}

/// What a Rocq says that it is.
#[derive(Debug, PartialEq)]
struct About {
    release: String,
    ocaml: String,
}

/// Asks a `coqc`.
fn about(coqc: &Path) -> anyhow::Result<About> {
    let text = said(program(coqc).arg("--version"))?;
    about_in(&text).with_context(|| format!("`{} --version` names no releases: {text}", coqc.display()))
}

fn about_in(text: &str) -> Option<About> {
    let after = |label| text.split_once(label)?.1.split_whitespace().next().map(str::to_owned);
    Some(About { release: after(", version ")?, ocaml: after("compiled with OCaml ")? })
}

/// Fails where another release answers than the one that is wanted.
fn ensure_release(about: &About, wanted: &str) -> anyhow::Result<()> {
    let found = &about.release;
    ensure!(is_release(found, wanted), "the Rocq found is {found}, and not {wanted}");
    Ok(())
}

/// Whether a Rocq that names itself `found` is this release. Rocq 9.2.0 says 9.2.
fn is_release(found: &str, wanted: &str) -> bool {
    let short = |release: &str| release.strip_suffix(".0").unwrap_or(release).to_owned();
    short(found) == short(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rocq_says_what_it_is() {
        let old = "The Coq Proof Assistant, version 8.20.1\ncompiled with OCaml 5.3.0\n";
        let about = |release: &str, ocaml: &str| About { release: release.into(), ocaml: ocaml.into() };
        assert_eq!(about_in(old), Some(about("8.20.1", "5.3.0")));
        let new = "The Rocq Prover, version 9.2\ncompiled with OCaml 5.4.1\n";
        assert_eq!(about_in(new), Some(about("9.2", "5.4.1")));
        assert_eq!(about_in("coqc: not found"), None);
        assert!(is_release("9.2", "9.2.0") && is_release("9.2.0", "9.2.0"));
        assert!(!is_release("9.2.1", "9.2.0") && !is_release("8.16.1", "8.16.0"));
    }
}
