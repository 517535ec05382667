//! Tasks of development. `cargo xtask test` is what the README names and what the continuous integration runs.

mod cheats;
mod licences;
mod page;
mod rocq;
mod setup;
mod step;
mod system;
mod test;
mod trainers;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::Context;
use clap::{Parser, Subcommand};

use step::cargo;

/// Tasks of development
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Install what andor and its tests need: Rocq and two libraries of it, two more releases of Rocq for the tests (550 MB
    /// in the cache folder), a small Lean, bubblewrap, a browser, a server of language models and the test runner
    Setup,
    /// Format, licences, lints, documentation and all tests, after `setup`
    Test,
    /// The tests and examples of the Python package; a part of `test`
    Python,
    /// Train a tiny model by the example for TRL, which is installed (gigabytes); not a part of `test`
    Trainers,
    /// Prove theorems: all arguments go to `andor prove`; without any, a file of examples is proved. Rocq is installed
    /// when it is needed
    Prove {
        /// As for `andor prove`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Make the folder of a new system with its README and its test, which begins as the toy of the test kit, and enter it into the
    /// workspace and the program
    NewSystem {
        /// Its name: lower-case letters and digits
        name: String,
    },
    /// Measure by `andor-lab bench`: what searches cost and find, what the provers and verification cost, and false alarms; half an hour
    Bench,
    /// Make a corpus of theorems: all arguments go to `andor-lab corpus`. Unless `--out` says otherwise, `rocq-stdlib` is
    /// written to target/corpus/rocq-stdlib.jsonl, which is never committed
    Corpus {
        /// As for `andor-lab corpus`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        args: Vec<String>,
    },
    /// Try the cheat corpus at every level, and write the table of docs/reference/cheats.md
    Cheats,
    /// Run the tests of Rocq with each release that `setup` installs; leaves with 0 when all pass with all of them
    RocqVersions {
        /// Write the table of docs/reference/rocq-versions.md
        #[arg(long)]
        write: bool,
    },
    /// Pin what Debian has now of the releases of Rocq for the tests, in xtask/rocq-versions.toml
    RocqPin,
    /// Check that every dependency has a licence that deny.toml allows
    Licences,
    /// Write the schemas of all formats into docs/formats
    Schemas,
}

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        Task::Setup => setup::all(),
        Task::Test => test::run(),
        Task::Python => test::python_package().map(|()| 0),
        Task::Trainers => trainers::run(),
        Task::Prove { args } => prove(&args),
        Task::NewSystem { name } => system::new(&name),
        Task::Bench => bench(),
        Task::Corpus { args } => corpus(args),
        Task::Cheats => cheats::run(),
        Task::RocqVersions { write } => rocq::versions(write),
        Task::RocqPin => rocq::renew(),
        Task::Licences => licences::run(),
        Task::Schemas => write_schemas(),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            step::say(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn prove(args: &[String]) -> anyhow::Result<u8> {
    if args.is_empty() {
        return quick(EMBEDDED, "prove", &[root().join("examples/logic.lean").display().to_string()]);
    }
    if !is_for_mini(args) {
        setup::rocq()?;
    }
    quick(PROVER, "prove", args)
}

/// Whether what is to be proved is in Lean's syntax, which needs no installation. In doubt it is not.
fn is_for_mini(args: &[String]) -> bool {
    let keywords = ["theorem ", "lemma ", "example "];
    let lean = |a: &String| {
        a == "mini"
            || a == "--system=mini"
            || a.ends_with(".lean")
            || keywords.iter().any(|k| a.starts_with(k))
    };
    args.iter().any(lean)
}

fn bench() -> anyhow::Result<u8> {
    setup::rocq()?;
    let benches: [&[&str]; 6] =
        [&["speed", "--trace"], &["synthetic"], &["mini"], &["rocq"], &["ladder"], &["stdlib"]];
    for bench in benches {
        let args: Vec<String> = bench.iter().map(|a| (*a).to_owned()).collect();
        let code = step::status(&mut program("dist", LAB, "bench", &args)?)?;
        if code != 0 {
            return Ok(code);
        }
    }
    Ok(0)
}

fn corpus(mut args: Vec<String>) -> anyhow::Result<u8> {
    setup::rocq()?;
    let is_out = |arg: &String| arg == "--out" || arg.starts_with("--out=");
    if args[0] == "rocq-stdlib" && !args.iter().any(is_out) {
        args.extend(["--out", "target/corpus/rocq-stdlib.jsonl"].map(str::to_owned));
    }
    quick(LAB, "corpus", &args)
}

/// The program `andor`, as cargo finds it.
const ANDOR: &[&str] = &["--package", "andor-cli"];

/// The parts of it that `andor prove` needs.
const PROVER: &[&str] = &[
    "--package",
    "andor-cli",
    "--no-default-features",
    "--features",
    "lean,mini,models,parquet,rocq,synthetic",
];

/// The same, with the embedded prover alone.
const EMBEDDED: &[&str] = &["--package", "andor-cli", "--no-default-features", "--features", "mini"];

/// The program `andor-lab`.
const LAB: &[&str] = &["--package", "andor-lab"];

/// Runs a program in the current folder, built quickly rather than to be quick.
fn quick(which: &[&str], command: &str, args: &[String]) -> anyhow::Result<u8> {
    step::status(&mut program("quick", which, command, args)?)
}

/// A program, built with this profile, about to be run in the current folder.
fn program(profile: &str, which: &[&str], command: &str, args: &[String]) -> anyhow::Result<Command> {
    let manifest = root().join("Cargo.toml");
    let manifest = manifest.to_str().context("the path of this project is not valid Unicode")?;
    let mut program = cargo();
    program.args(["run", "--quiet", "--profile", profile]).args(which).args([
        "--manifest-path",
        manifest,
        "--",
    ]);
    program.arg(command).args(args);
    Ok(program)
}

fn write_schemas() -> anyhow::Result<u8> {
    let mut example = cargo();
    example.current_dir(root()).args(["run", "--quiet", "--package", "andor-report", "--example", "schemas"]);
    step::status(&mut example)
}

/// The root of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root").to_owned()
}
