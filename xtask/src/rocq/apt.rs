//! A suite of Debian's archive, read with apt through lists of our own: the machine's are neither used nor changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use super::pins::Package;
use crate::setup::on_path;
use crate::step::{program, quietly, said};

/// What Debian's archive is signed with.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// Why packages of Debian's cannot be had on this machine.
pub(crate) fn obstacle() -> Option<String> {
    if std::env::consts::ARCH != "x86_64" {
        return Some(format!("its processor is {}, and not x86_64", std::env::consts::ARCH));
    }
    if let Some(missing) =
        ["apt-get", "apt-cache", "dpkg-deb", "sha256sum"].into_iter().find(|name| !on_path(name))
    {
        return Some(format!("it has no `{missing}`, so it is no Debian"));
    }
    if !Path::new(KEYRING).is_file() {
        return Some(format!("it has no {KEYRING} (the Debian package debian-archive-keyring)"));
    }
    None
}

/// A suite whose lists are there.
pub(crate) struct Archive {
    place: PathBuf,
    suite: String,
}

impl Archive {
    /// Downloads the lists of a suite into a folder that is made anew.
    pub(crate) fn open(place: &Path, suite: &str) -> anyhow::Result<Archive> {
        if place.exists() {
            fs_err::remove_dir_all(place)?;
        }
        fs_err::create_dir_all(place.join("lists/partial"))?;
        fs_err::create_dir_all(place.join("cache/archives/partial"))?;
        fs_err::write(place.join("status"), "")?;
        let source =
            format!("deb [arch=amd64 target=Packages signed-by={KEYRING}] {} {suite} main\n", mirror()?);
        fs_err::write(place.join("sources.list"), source)?;
        let archive = Archive { place: place.to_owned(), suite: suite.to_owned() };
        quietly(&format!("lists of Debian's suite {suite}"), archive.apt("apt-get").arg("update"))
            .with_context(|| format!("the lists of Debian's suite {suite} cannot be had"))?;
        Ok(archive)
    }

    /// All versions that the suite has of these packages.
    pub(crate) fn served<'a>(&self, names: impl IntoIterator<Item = &'a String>) -> anyhow::Result<Served> {
        let text = said(self.apt("apt-cache").arg("show").args(names))
            .with_context(|| format!("Debian's suite {} lacks a package", self.suite))?;
        Ok(served(&text))
    }

    /// Downloads packages of these versions into a folder, where each has its own name.
    pub(crate) fn download(&self, wanted: &BTreeMap<&str, &Package>, into: &Path) -> anyhow::Result<()> {
        let place = self.place.join("downloads");
        fs_err::create_dir_all(&place)?;
        let packages = wanted.iter().map(|(name, package)| format!("{name}={}", package.version));
        let mut download = self.apt("apt-get");
        download.arg("download").args(packages).current_dir(&place);
        quietly(&format!("download of {} packages", wanted.len()), &mut download)?;
        for entry in fs_err::read_dir(&place)? {
            let entry = entry?;
            let file = entry.file_name().into_string().ok().context("Debian's names are Unicode")?;
            let name = file.split('_').next().unwrap_or(&file).to_owned();
            let Some(package) = wanted.get(name.as_str()) else {
                bail!("apt-get downloaded {file}, unasked")
            };
            let digest = sha256(&entry.path())?;
            ensure!(
                digest == package.sha256,
                "{file} of Debian's suite {} is not the right file: its SHA-256 is {digest}, and not {}",
                self.suite,
                package.sha256
            );
            fs_err::rename(entry.path(), kept(into, &name))?;
        }
        Ok(())
    }

    /// One of apt's programs, with the lists of this folder alone. The machine's other settings, such as a proxy, hold.
    fn apt(&self, name: &str) -> Command {
        let mut command = program(name);
        let mut option = |key: &str, value: &str| {
            command.args(["-o", &format!("{key}={value}")]);
        };
        for (key, file) in [
            ("Dir::Etc::SourceList", "sources.list"),
            ("Dir::State::Lists", "lists"),
            ("Dir::State::status", "status"),
            ("Dir::Cache", "cache"),
        ] {
            option(key, &self.place.join(file).display().to_string());
        }
        for (key, value) in [
            ("Dir::Etc::SourceParts", "/dev/null"),
            ("Dir::Etc::Preferences", "/dev/null"),
            ("Dir::Etc::PreferencesParts", "/dev/null"),
            ("Acquire::Check-Valid-Until", "false"),
            ("Acquire::Languages", "none"),
            ("Acquire::Retries", "3"),
            ("APT::Update::Error-Mode", "any"),
            // The user of apt's own cannot write into a cache folder.
            ("APT::Sandbox::User", "root"),
        ] {
            option(key, value);
        }
        command
    }
}

/// Where a folder of packages keeps this one.
pub(crate) fn kept(folder: &Path, package: &str) -> PathBuf {
    folder.join(format!("{package}.deb"))
}

/// Versions of packages, the newest first.
pub(crate) struct Served(pub(crate) BTreeMap<String, Vec<Package>>);

impl Served {
    /// The newest version of a package.
    pub(crate) fn newest(&self, name: &str) -> anyhow::Result<&Package> {
        let versions = self.0.get(name).and_then(|versions| versions.first());
        versions
            .with_context(|| format!("Debian has no package {name} any more; see xtask/rocq-versions.toml"))
    }

    /// Whether exactly this file can be had.
    pub(crate) fn has(&self, name: &str, package: &Package) -> bool {
        self.0.get(name).is_some_and(|versions| versions.contains(package))
    }
}

/// Reads what `apt-cache show` prints.
fn served(text: &str) -> Served {
    let mut served = Served(BTreeMap::new());
    for paragraph in text.split("\n\n") {
        let field = |key: &str| {
            let value = |line: &str| Some(line.strip_prefix(key)?.strip_prefix(": ")?.trim().to_owned());
            paragraph.lines().find_map(value)
        };
        if let (Some(name), Some(version), Some(sha256)) =
            (field("Package"), field("Version"), field("SHA256"))
        {
            served.0.entry(name).or_default().push(Package { version, sha256 });
        }
    }
    served
}

/// The address of the archive that the machine itself uses.
fn mirror() -> anyhow::Result<String> {
    let text = said(program("apt-get").args(["indextargets", "--format", "$(ORIGIN)|$(LABEL)|$(REPO_URI)"]))?;
    let mirror = mirror_in(&text).context(
        "apt-get indextargets names no archive of Debian's. If this machine is a Debian, run `apt-get update` and try again",
    )?;
    Ok(mirror.to_owned())
}

/// The security archive has another label, and no other suites.
fn mirror_in(targets: &str) -> Option<&str> {
    targets.lines().find_map(|line| line.strip_prefix("Debian|Debian|"))
}

/// The digest of a file, in hexadecimal digits.
pub(crate) fn sha256(file: &Path) -> anyhow::Result<String> {
    let text = said(program("sha256sum").arg("--").arg(file))?;
    // A name with odd characters makes the line begin with a backslash.
    let digest = text.split_whitespace().next().unwrap_or_default().trim_start_matches('\\');
    Ok(digest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_apt_shows() {
        let text = "Package: coq\nVersion: 9.2.0+dfsg-4\nDescription: a\n b\nSHA256: ab\n\n\
                    Package: coq\nVersion: 9.1.0+dfsg-1\nSHA256: cd\n\nPackage: libc6\nVersion: 2.43-7\nSHA256: ef\n\n";
        let served = served(text);
        let package =
            |version: &str, sha256: &str| Package { version: version.into(), sha256: sha256.into() };
        assert_eq!(served.newest("coq").unwrap(), &package("9.2.0+dfsg-4", "ab"));
        assert!(served.has("coq", &package("9.1.0+dfsg-1", "cd")));
        assert!(!served.has("coq", &package("9.1.0+dfsg-1", "ab")));
        assert!(served.newest("libgmp10").is_err());
    }

    #[test]
    fn the_mirror_is_debians_main_archive() {
        let line = |origin: &str, label: &str, place: &str| format!("{origin}|{label}|http://{place}/\n");
        let others =
            line("Debian", "Debian-Security", "a/security") + &line("Node Source", "Node Source", "b");
        assert_eq!(mirror_in(&others), None);
        let targets = others + &line("Debian", "Debian", "c/debian");
        assert_eq!(mirror_in(&targets), Some("http://c/debian/"));
    }
}
