//! `rocq-versions.toml`: which packages the Rocqs of the tests are made of.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use andor_artifact::files::write_bytes;
use anyhow::{Context, bail};
use serde::Deserialize;

use super::OWN;
use super::apt::{self, Archive, Served};
use crate::root;
use crate::setup::cache;
use crate::step::say;

/// How the pins are made anew.
pub(crate) const RENEW: &str = "cargo xtask rocq-pin";

/// The package that holds the programs, whose version names the release.
pub(crate) const ROCQ: &str = "coq";

/// All pinned releases.
#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pins {
    pub(crate) release: Vec<Release>,
}

/// A release of Rocq.
#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Release {
    /// As in `9.2.0`.
    pub(crate) version: String,
    /// Debian's suite that has it.
    pub(crate) suite: String,
    /// The version of OCaml that it is compiled with, and after which its folder is named.
    pub(crate) ocaml: String,
    pub(crate) packages: BTreeMap<String, Package>,
}

/// A file of a Debian package.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Package {
    /// Debian's version, as in `9.2.0+dfsg-4`.
    pub(crate) version: String,
    /// The digest of the file, in hexadecimal digits.
    pub(crate) sha256: String,
}

impl Release {
    /// The release as the file states it.
    pub(crate) fn text(&self) -> String {
        let Release { version, suite, ocaml, packages } = self;
        let mut text =
            format!("[[release]]\nversion = \"{version}\"\nsuite = \"{suite}\"\nocaml = \"{ocaml}\"\n");
        text += "\n[release.packages]\n";
        for (name, Package { version, sha256 }) in packages {
            let line = format!("{name} = {{ version = \"{version}\", sha256 = \"{sha256}\" }}");
            writeln!(text, "{line}").expect("a string can be written to");
        }
        text
    }
}

fn path() -> PathBuf {
    root().join("xtask/rocq-versions.toml")
}

pub(crate) fn read() -> anyhow::Result<Pins> {
    let path = path();
    toml::from_str(&fs_err::read_to_string(&path)?).with_context(|| path.display().to_string())
}

/// Pins what the suites have now.
pub(crate) fn renew() -> anyhow::Result<u8> {
    if let Some(obstacle) = apt::obstacle() {
        bail!("packages of Debian's cannot be looked up on this machine: {obstacle}");
    }
    let mut pins = read()?;
    let place = cache()?.join("andor/rocq-pins");
    for release in &mut pins.release {
        let served = Archive::open(&place, &release.suite)?.served(release.packages.keys())?;
        for change in newest(release, &served)? {
            say(&format!("{}: {change}", release.suite));
        }
    }
    fs_err::remove_dir_all(&place)?;
    write_bytes(&path(), text(&pins).as_bytes())?;
    say(&format!("{} holds what Debian has now; `cargo xtask setup` installs it", path().display()));
    Ok(0)
}

/// Makes a release of the newest packages. Returns how they differ from the former ones.
fn newest(release: &mut Release, served: &Served) -> anyhow::Result<Vec<String>> {
    let mut changes = Vec::new();
    for (name, pinned) in &mut release.packages {
        let newest = served.newest(name)?;
        if newest != pinned {
            changes.push(format!("{name} {} (was {})", newest.version, pinned.version));
            *pinned = newest.clone();
        }
    }
    upstream(&served.newest(ROCQ)?.version).clone_into(&mut release.version);
    upstream(&served.newest("ocaml-base")?.version).clone_into(&mut release.ocaml);
    Ok(changes)
}

fn text(pins: &Pins) -> String {
    let mut text = format!(
        "# The Rocqs that `cargo xtask setup` installs for the tests from other suites of Debian, beside the machine's own\n\
         # {OWN}. Written by `{RENEW}`.\n"
    );
    for release in &pins.release {
        text += "\n";
        text += &release.text();
    }
    text
}

/// What Debian packaged: 9.2.0 for `9.2.0+dfsg-4`.
pub(crate) fn upstream(version: &str) -> &str {
    let version = version.split_once(':').map_or(version, |(_epoch, rest)| rest);
    let version = version.rsplit_once('-').map_or(version, |(upstream, _revision)| upstream);
    version.split('+').next().unwrap_or(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debian_adds_to_the_versions_of_others() {
        for (debian, others) in [
            ("9.2.0+dfsg-4", "9.2.0"),
            ("9.2.0-1+b2", "9.2.0"),
            ("2:6.3.0+dfsg-5+b2", "6.3.0"),
            ("2.41-12+deb13u5", "2.41"),
            ("9.3~rc1-1", "9.3~rc1"),
        ] {
            assert_eq!(upstream(debian), others);
        }
    }

    #[test]
    fn the_file_is_as_it_would_be_written() {
        assert_eq!(fs_err::read_to_string(path()).unwrap(), text(&read().unwrap()));
    }

    #[test]
    fn the_newest_packages_name_the_release() {
        let mut release = read().unwrap().release.remove(0);
        let all = |release: &Release| {
            let packages = release.packages.iter();
            Served(packages.map(|(name, package)| (name.clone(), vec![package.clone()])).collect())
        };
        let mut served = all(&release);
        assert_eq!(newest(&mut release, &served).unwrap(), Vec::<String>::new());
        let former = release.packages[ROCQ].version.clone();
        served.0.get_mut(ROCQ).unwrap()[0].version = "9.9.1+dfsg-1".into();
        served.0.get_mut("ocaml-base").unwrap()[0].version = "6.0.0-1".into();
        let changes = newest(&mut release, &served).unwrap();
        assert_eq!(changes[0], format!("coq 9.9.1+dfsg-1 (was {former})"));
        assert_eq!((release.version.as_str(), release.ocaml.as_str()), ("9.9.1", "6.0.0"));
        served.0.remove(ROCQ);
        assert!(newest(&mut release, &served).is_err());
    }
}
