//! Whether every dependency has a licence that `deny.toml` allows, and comes from crates.io. `cargo deny check` reads the same
//! file, and asks more; it takes too long to build for every machine that runs the tests.

use std::collections::BTreeSet;

use anyhow::{Context, bail};
use serde::Deserialize;

use crate::root;
use crate::step::{cargo, output, say};

/// What `deny.toml` says of licences; `cargo deny` reads the rest.
#[derive(Deserialize)]
struct Deny {
    licenses: Licences,
}

#[derive(Deserialize)]
struct Licences {
    allow: BTreeSet<String>,
}

/// What `cargo metadata` says.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    /// `None`: a crate of this project.
    source: Option<String>,
}

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Checks the dependencies of all crates.
pub(crate) fn run() -> anyhow::Result<u8> {
    let deny = fs_err::read_to_string(root().join("deny.toml"))?;
    let deny: Deny = toml::from_str(&deny).context("deny.toml")?;
    // Dependencies for other systems need not have been downloaded.
    let metadata = ["metadata", "--format-version", "1", "--locked", "--filter-platform", &host()?];
    let (code, text) = output(cargo().args(metadata).current_dir(root()))?;
    if code != 0 {
        bail!("cargo metadata failed");
    }
    let metadata: Metadata = serde_json::from_str(&text).context("cargo metadata")?;
    let wrong = objections(&metadata.packages, &deny.licenses.allow);
    if !wrong.is_empty() {
        bail!("dependencies that may not be used (deny.toml says which licences may):\n{}", wrong.join("\n"));
    }
    say(&format!("licences: ok ({} packages)", metadata.packages.len()));
    Ok(0)
}

/// The triple of the machine that compiles.
fn host() -> anyhow::Result<String> {
    let (_, text) = output(crate::step::program("rustc").arg("-vV"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("`rustc -vV` names no host")?.to_owned())
}

fn objections(packages: &[Package], allowed: &BTreeSet<String>) -> Vec<String> {
    let mut wrong = Vec::new();
    for Package { name, version, license, source } in packages {
        if source.as_deref().is_some_and(|source| source != CRATES_IO) {
            wrong.push(format!("{name} {version}: it does not come from crates.io"));
        }
        match license {
            None => wrong.push(format!("{name} {version}: it names no licence")),
            Some(licence) => match is_allowed(licence, allowed) {
                Some(true) => {}
                Some(false) => wrong.push(format!("{name} {version}: {licence}")),
                None => wrong.push(format!("{name} {version}: `{licence}` is no SPDX expression")),
            },
        }
    }
    wrong
}

/// Whether an SPDX expression can be fulfilled by allowed licences; `None` when it is none. A licence with an exception must be
/// allowed as such. Older crates write `/` for `OR`.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> Option<bool> {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let verdict = any(&mut words, allowed)?;
    words.next().is_none().then_some(verdict)
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> Option<bool> {
    let mut verdict = all(words, allowed)?;
    while words.next_if_eq(&"OR").is_some() {
        verdict |= all(words, allowed)?;
    }
    Some(verdict)
}

fn all(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> Option<bool> {
    let mut verdict = one(words, allowed)?;
    while words.next_if_eq(&"AND").is_some() {
        verdict &= one(words, allowed)?;
    }
    Some(verdict)
}

fn one(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> Option<bool> {
    match words.next()? {
        "(" => {
            let verdict = any(words, allowed)?;
            (words.next()? == ")").then_some(verdict)
        }
        "AND" | "OR" | "WITH" | ")" => None,
        licence => Some(match words.next_if_eq(&"WITH") {
            Some(_) => allowed.contains(&format!("{licence} WITH {}", words.next()?)),
            None => allowed.contains(licence),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed() -> BTreeSet<String> {
        ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned).into()
    }

    #[test]
    fn expressions_are_read_as_spdx_says() {
        for (expression, expected) in [
            ("MIT", Some(true)),
            ("GPL-3.0-only", Some(false)),
            ("GPL-3.0-only OR MIT", Some(true)),
            ("GPL-3.0-only/MIT", Some(true)),
            ("MIT AND GPL-3.0-only", Some(false)),
            ("MIT AND Zlib", Some(true)),
            ("(GPL-3.0-only OR MIT) AND Zlib", Some(true)),
            ("GPL-3.0-only OR MIT AND Zlib", Some(true)),
            ("MIT OR GPL-3.0-only AND Zlib", Some(true)),
            ("Zlib AND (GPL-3.0-only OR LGPL-3.0-only)", Some(false)),
            ("Apache-2.0 WITH LLVM-exception", Some(true)),
            ("Apache-2.0", Some(false)),
            ("MIT WITH LLVM-exception", Some(false)),
            ("MIT OR", None),
            ("(MIT", None),
            ("MIT Zlib", None),
            ("", None),
        ] {
            assert_eq!(is_allowed(expression, &allowed()), expected, "{expression}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_package_is_said() {
        let package = |license: Option<&str>, source: Option<&str>| Package {
            name: "p".to_owned(),
            version: "1.0.0".to_owned(),
            license: license.map(str::to_owned),
            source: source.map(str::to_owned),
        };
        let of = |package| objections(&[package], &allowed());
        assert_eq!(of(package(Some("MIT"), Some(CRATES_IO))), Vec::<String>::new());
        assert_eq!(of(package(Some("MIT"), None)), Vec::<String>::new());
        assert_eq!(of(package(Some("GPL-3.0-only"), Some(CRATES_IO))), ["p 1.0.0: GPL-3.0-only"]);
        assert_eq!(of(package(None, Some(CRATES_IO))), ["p 1.0.0: it names no licence"]);
        let elsewhere = of(package(Some("MIT"), Some("git+https://example.org/p")));
        assert_eq!(elsewhere, ["p 1.0.0: it does not come from crates.io"]);
    }
}
