//! All checks, the test runner's summary last.

use std::path::PathBuf;

use anyhow::Context;
use serde::Deserialize;

use crate::step::{cargo, output, program, quietly, status};
use crate::{licences, root, setup};

pub(crate) fn run() -> anyhow::Result<u8> {
    setup::all()?;
    quietly("format", cargo().args(["fmt", "--all", "--check"]))?;
    licences::run()?;
    quietly(
        "lints",
        cargo().args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    )?;
    let least =
        ["clippy", "--quiet", "--package", "andor-cli", "--no-default-features", "--", "-D", "warnings"];
    quietly("lints of the least program", cargo().args(least))?;
    let doc = ["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"];
    quietly("documentation", cargo().args(doc).env("RUSTDOCFLAGS", "-D warnings"))?;
    quietly("documentation tests", cargo().args(["test", "--quiet", "--workspace", "--doc"]))?;
    python_package()?;
    let nextest = ["nextest", "run", "--workspace", "--cargo-quiet", "--status-level", "fail"];
    status(cargo().args(nextest).args(["--final-status-level", "slow"]))
}

/// The tests and examples of the Python package, with the extension module of a development build: a wheel is the same files, but
/// would be compiled anew.
pub(crate) fn python_package() -> anyhow::Result<()> {
    #[derive(Deserialize)]
    struct Metadata {
        target_directory: PathBuf,
    }
    let python = setup::python_tests()?;
    let lean = setup::lean()?;
    let llama = setup::language_model()?;
    quietly("Python package", cargo().args(["build", "--quiet", "-p", "andor-python", "-p", "andor-cli"]))?;
    let bigram = ["build", "--quiet", "-p", "andor-testkit", "--example", "bigram"];
    quietly("a language model", cargo().args(bigram))?;
    let metadata = ["metadata", "--format-version", "1", "--no-deps", "--locked"];
    let (_, text) = output(cargo().args(metadata).current_dir(root()))?;
    let Metadata { target_directory } = serde_json::from_str(&text).context("cargo metadata")?;
    let built = target_directory.join("debug");
    // Beside the program, with which the tests compare it.
    let packages = built.join("python");
    let package = packages.join("andor");
    if package.exists() {
        fs_err::remove_dir_all(&package)?;
    }
    fs_err::create_dir_all(&package)?;
    for entry in fs_err::read_dir(root().join("python/andor"))? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs_err::copy(entry.path(), package.join(entry.file_name()))?;
        }
    }
    fs_err::copy(built.join("libandor_python.so"), package.join("_andor.abi3.so"))?;
    let model = packages.join("bigram.gguf");
    quietly("its file", program(built.join("examples/bigram")).arg(&model))?;
    let llama = serde_json::to_string(&[llama, root().join("crates/testkit/llama/serve.py"), model])?;
    let mut pytest = program(python);
    pytest.args(["-m", "pytest", "--import-mode=importlib", "python/tests"]).arg(&package);
    let pytest = pytest.current_dir(root()).env("PYTHONPATH", &packages).env("LEAN_SYSROOT", lean);
    let pytest = pytest.env("ANDOR_PROGRAM", built.join("andor")).env("ANDOR_LLAMA", llama);
    quietly("Python tests", pytest)
}
