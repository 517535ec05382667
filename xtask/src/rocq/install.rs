//! Installing a release into its folder.

use std::collections::BTreeMap;
use std::path::Path;

use andor_artifact::files::write_bytes;
use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use super::apt::{self, Archive, Served, kept, sha256};
use super::pins::{Package, RENEW, ROCQ, Release, upstream};
use super::{about, ensure_release, tree};
use crate::step::{program, said, say};

/// Counts the changes of what is made of the packages, each of which has them unpacked anew.
const LAYOUT: u32 = 1;

/// The packages whose upstream release tests depend on.
const NEVER_ANOTHER: [&str; 2] = [ROCQ, "libcoq-stdlib"];

/// The file that is written last.
const MARKER: &str = "installed.toml";

/// Its content.
#[derive(Deserialize, Serialize)]
struct Marker {
    /// What the folder was made of.
    made_of: String,
    /// What is not as it is pinned.
    differs: Vec<String>,
}

/// Installs a release unless it is there.
pub(crate) fn release(release: &Release, root: &Path) -> anyhow::Result<()> {
    let version = &release.version;
    if let Some(obstacle) = apt::obstacle() {
        return made_by_hand(release, root, &obstacle);
    }
    let made_of = format!("layout {LAYOUT} in {root:?}\n{}", release.text());
    let marker = match installed(root, &made_of) {
        Some(marker) => marker,
        None => {
            fs_err::create_dir_all(root)?;
            // Another checkout may install the same.
            let lock = fs_err::File::create(root.join("lock"))?;
            lock.file().lock().with_context(|| format!("locking {}", root.join("lock").display()))?;
            match installed(root, &made_of) {
                Some(marker) => marker,
                None => make(release, root, made_of).with_context(|| format!("installing Rocq {version}"))?,
            }
        }
    };
    if !marker.differs.is_empty() {
        let differs = marker.differs.join(", ");
        say(&format!("WARNING: Rocq {version} is not as pinned: {differs}. `{RENEW}` pins what Debian has"));
    }
    Ok(())
}

/// Elsewhere than on Debian, whoever wants to run the tests installs it.
fn made_by_hand(release: &Release, root: &Path, obstacle: &str) -> anyhow::Result<()> {
    let Release { version, suite, .. } = release;
    let programs = root.join("usr/bin");
    let found = about(&programs.join("coqc")).and_then(|about| ensure_release(&about, version));
    found.with_context(|| {
        format!(
            "the tests need Rocq {version}. It is made from packages of Debian's suite {suite}, which cannot be had on this \
             machine: {obstacle}.\nTo do it by hand: install Rocq {version} and its standard library (for example with opam), and \
             make {} a link to the folder that has its `coqc`, `coqchk` and `coqidetop`",
            programs.display()
        )
    })
}

/// The marker of a finished installation that is made of this.
fn installed(root: &Path, made_of: &str) -> Option<Marker> {
    let text = fs_err::read_to_string(root.join(MARKER)).ok()?;
    let marker: Marker = toml::from_str(&text).ok()?;
    (marker.made_of == made_of && root.join("usr/bin/coqc").is_file()).then_some(marker)
}

/// Makes the folder of a release anew.
fn make(release: &Release, root: &Path, made_of: String) -> anyhow::Result<Marker> {
    ensure!(root.to_str().is_some(), "the path {} is not valid Unicode", root.display());
    say(&format!("installing Rocq {} for the tests into {}", release.version, root.display()));
    let (work, packages, file) = (root.join("work"), root.join("packages"), root.join(MARKER));
    if file.exists() {
        fs_err::remove_file(&file)?;
    }
    for rest in [&work, &root.join("usr")] {
        if rest.exists() {
            fs_err::remove_dir_all(rest)?;
        }
    }
    for folder in [&work, &packages] {
        fs_err::create_dir_all(folder)?;
    }
    let Choice { chosen, mut differs } = fetch(release, &work.join("apt"), &packages)?;
    let unpacked = work.join("unpacked");
    for name in chosen.keys() {
        said(program("dpkg-deb").arg("--extract").arg(kept(&packages, name)).arg(&unpacked))?;
    }
    tree::arrange(&unpacked, root)?;
    differs.extend(try_out(release, root, &work)?);
    fs_err::remove_dir_all(&work)?;
    let marker = Marker { made_of, differs };
    write_bytes(&file, toml::to_string(&marker)?.as_bytes())?;
    Ok(marker)
}

/// Gets the packages that are not there yet.
fn fetch<'a>(release: &'a Release, work: &Path, packages: &Path) -> anyhow::Result<Choice<'a>> {
    let is_kept = |name: &str, package: &Package| {
        let file = kept(packages, name);
        anyhow::Ok(file.is_file() && sha256(&file)? == package.sha256)
    };
    let mut missing = BTreeMap::new();
    for (name, package) in &release.packages {
        if !is_kept(name, package)? {
            missing.insert(name.as_str(), package);
        }
    }
    if missing.is_empty() {
        return Ok(Choice::pinned(release));
    }
    let archive = Archive::open(work, &release.suite)?;
    let choice = choose(release, &missing, &archive.served(release.packages.keys())?)?;
    let mut wanted = BTreeMap::new();
    for (name, package) in &choice.chosen {
        if !is_kept(name, package)? {
            wanted.insert(*name, package);
        }
    }
    if !wanted.is_empty() {
        archive.download(&wanted, packages)?;
    }
    Ok(choice)
}

/// The packages that a release is made of here.
#[derive(Debug)]
struct Choice<'a> {
    chosen: BTreeMap<&'a str, Package>,
    differs: Vec<String>,
}

impl<'a> Choice<'a> {
    fn pinned(release: &'a Release) -> Choice<'a> {
        let chosen =
            release.packages.iter().map(|(name, package)| (name.as_str(), package.clone())).collect();
        Choice { chosen, differs: Vec::new() }
    }
}

/// The pinned packages, or where one of those that are missing cannot be had any more, the newest of all: packages that were built
/// at different times do not fit together.
fn choose<'a>(
    release: &'a Release,
    missing: &BTreeMap<&str, &Package>,
    served: &Served,
) -> anyhow::Result<Choice<'a>> {
    let mut choice = Choice::pinned(release);
    if missing.iter().all(|(name, package)| served.has(name, package)) {
        return Ok(choice);
    }
    for (name, package) in &mut choice.chosen {
        let newest = served.newest(name)?;
        let (now, pinned) = (&newest.version, &package.version);
        if NEVER_ANOTHER.contains(name) && upstream(now) != upstream(pinned) {
            bail!(
                "Debian's suite {} no longer has {name} {pinned}, which is pinned, but {now}, another release. \
                 `{RENEW}` pins what it has",
                release.suite
            );
        }
        if now == pinned && newest.sha256 != package.sha256 {
            bail!(
                "the SHA-256 of {name} {now} in Debian's suite {} is not the pinned one. `{RENEW}` pins it anew, if it is right",
                release.suite
            );
        }
        if now != pinned {
            choice.differs.push(format!("{name} {now} (pinned {pinned})"));
        }
        *package = newest.clone();
    }
    Ok(choice)
}

/// Has a new installation say what it is, and prove something with a plugin. Returns how it differs from what is pinned.
fn try_out(release: &Release, root: &Path, work: &Path) -> anyhow::Result<Option<String>> {
    let coqc = root.join("usr/bin/coqc");
    let about = about(&coqc)?;
    ensure_release(&about, &release.version)?;
    let theory = "From Coq Require Import Lia.\nGoal forall n : nat, n < n + 1. Proof. lia. Qed.\n";
    fs_err::write(work.join("trial.v"), theory)?;
    said(program(coqc).args(["-q", "trial.v"]).current_dir(work))?;
    let differs = about.ocaml != release.ocaml;
    Ok(differs.then(|| format!("OCaml {} (pinned {})", about.ocaml, release.ocaml)))
}

#[cfg(test)]
mod tests {
    use super::super::pins;
    use super::*;

    /// A release with its packages, as if they were served.
    fn release() -> (Release, Served) {
        let release = pins::read().unwrap().release.remove(0);
        let served =
            release.packages.iter().map(|(name, package)| (name.clone(), vec![package.clone()])).collect();
        (release, Served(served))
    }

    fn chosen<'a>(release: &'a Release, served: &Served) -> anyhow::Result<Choice<'a>> {
        let all = release.packages.iter().map(|(name, package)| (name.as_str(), package)).collect();
        choose(release, &all, served)
    }

    fn package(version: &str) -> Package {
        Package { version: version.into(), sha256: "0".into() }
    }

    #[test]
    fn pinned_packages_are_taken_as_long_as_they_are_served() {
        let (release, mut served) = release();
        served.0.get_mut("libc6").unwrap().insert(0, package("9.99-1"));
        let choice = chosen(&release, &served).unwrap();
        assert_eq!(choice.chosen["libc6"], release.packages["libc6"]);
        assert!(choice.differs.is_empty());
    }

    #[test]
    fn another_build_of_the_same_release_is_told() {
        let (release, mut served) = release();
        let pinned = &release.packages[ROCQ].version;
        let again = format!("{}+dfsg-99", upstream(pinned));
        served.0.insert(ROCQ.into(), vec![package(&again)]);
        let choice = chosen(&release, &served).unwrap();
        assert_eq!(choice.differs, [format!("coq {again} (pinned {pinned})")]);
        // What is kept already need not be served.
        let kept = choose(&release, &BTreeMap::new(), &served).unwrap();
        assert!(kept.differs.is_empty());
    }

    #[test]
    fn another_release_and_another_file_are_refused() {
        let (release, mut served) = release();
        for (name, other) in [("libcoq-stdlib", "99.1-1"), (ROCQ, "99.1+dfsg-1")] {
            let before = served.0.insert(name.into(), vec![package(other)]).unwrap();
            let error = chosen(&release, &served).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(RENEW), "{error}");
            served.0.insert(name.into(), before);
        }
        served.0.get_mut("libc6").unwrap()[0].sha256 = "0".into();
        let error = chosen(&release, &served).unwrap_err().to_string();
        assert!(error.contains("SHA-256 of libc6"), "{error}");
        served.0.remove("libc6");
        assert!(chosen(&release, &served).is_err());
    }
}
