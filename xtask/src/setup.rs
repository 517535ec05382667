//! Installing what is missing.

use anyhow::{Context, bail};

use crate::step::{cargo, program, quietly, say, succeeds};

/// Everything that andor and its tests need.
pub(crate) fn all() -> anyhow::Result<u8> {
    rocq()?;
    bubblewrap()?;
    python()?;
    test_runner()?;
    Ok(0)
}

/// The Debian package of Rocq.
pub(crate) fn rocq() -> anyhow::Result<()> {
    let server = on_path("coqidetop") || on_path("coqidetop.opt");
    if server && on_path("coqc") && (on_path("coqchk") || on_path("rocqchk")) {
        return Ok(());
    }
    debian(
        "coq",
        "Rocq",
        "Install Rocq 8.16 or later so that `coqidetop`, `coqc` and `coqchk` are on PATH (https://rocq-prover.org/install).",
    )
}

/// The Debian package of bubblewrap, which builds the sandbox.
pub(crate) fn bubblewrap() -> anyhow::Result<()> {
    if on_path("bwrap") {
        return Ok(());
    }
    debian(
        "bubblewrap",
        "bubblewrap",
        "Install bubblewrap 0.4 or later so that `bwrap` is on PATH (https://github.com/containers/bubblewrap).",
    )
}

/// Python, in which the example of a provider is written.
fn python() -> anyhow::Result<()> {
    if on_path("python3") {
        return Ok(());
    }
    debian(
        "python3",
        "Python",
        "Install Python 3.9 or later so that `python3` is on PATH (https://www.python.org).",
    )
}

/// Installs a Debian package that holds `what`; where that cannot be done, says `otherwise`.
fn debian(package: &str, what: &str, otherwise: &str) -> anyhow::Result<()> {
    if !on_path("apt-get") {
        bail!("{what} is not installed, and this machine has no apt-get to install it with.\n{otherwise}");
    }
    say(&format!("installing {what} (Debian package `{package}`)"));
    let apt = |args: &[&str]| {
        let mut command = if is_root() { program("apt-get") } else { program("sudo") };
        if !is_root() {
            command.arg("apt-get");
        }
        command.args(args).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    quietly("apt-get update", &mut apt(&["update"]))?;
    let install = ["install", "-y", "--no-install-recommends", package];
    quietly(&format!("apt-get install {package}"), &mut apt(&install))
        .with_context(|| format!("installing {what}; to do it by hand: apt-get install {package}"))
}

/// `cargo nextest`.
fn test_runner() -> anyhow::Result<()> {
    if succeeds(cargo().args(["nextest", "--version"])) {
        return Ok(());
    }
    say("installing the test runner cargo-nextest, which takes a few minutes");
    quietly("cargo install cargo-nextest", cargo().args(["install", "--locked", "cargo-nextest"]))
}

fn is_root() -> bool {
    program("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn on_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(name).is_file())
}
