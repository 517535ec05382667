//! Command-line arguments, as parsed by clap. [`crate::settings`] turns them into a configuration, and
//! [`andor_config::Config::validate`] checks it. Configuration options have no clap default, so that the options
//! that were given can be told from those that were not; their help texts state the defaults.

mod agent;
mod cache;
mod cluster;
mod export;
mod help;
mod lab;
mod learn;
mod model;
mod plan;
mod prove;
mod results;
mod run;
mod source;
mod trace;
mod verify;
mod view;

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use andor_core::theorem::System;
use andor_dataset::{Filter, Split};
use andor_report::summary::TOLERATED_FAILURES;
use andor_terminal::command;
use andor_terminal::options::{All, ByHand, Finding, Given, Judging, Verbosity, at_least_one};
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};

pub(crate) use agent::{AgentArgs, AgentCodeArgs, AgentCommand, AgentOptions, AgentProveArgs};
pub(crate) use cache::CacheArgs;
pub(crate) use export::{Content, ExportArgs};
use help::{AFTER_HELP, CHECK_HELP, PLAN_HELP, REPL_HELP};
use lab::LabArgs;
pub(crate) use learn::LearnArgs;
pub(crate) use model::{AskArgs, ModelArgs, ModelCommand, ServeCommandArgs};
pub(crate) use plan::PlanArgs;
pub(crate) use prove::{InPlaceArgs, ProveCommandArgs};
pub(crate) use results::{AnalyzeArgs, CompareArgs, ResultsArgs, RowFormat, RunsArgs, ShowArgs};
pub(crate) use run::RunArgs;
pub(crate) use source::{Part, SourceFile};
pub(crate) use trace::{StatsArgs, TraceArgs, TraceCommand};
pub(crate) use verify::VerifyArgs;
pub(crate) use view::ViewArgs;

/// Proof search over proof assistants.
///
/// andor takes theorems stated in a proof assistant, asks tactic providers for tactics, grows an AND/OR tree of
/// proof obligations, and prints proofs that a fresh proof assistant has accepted.
#[derive(Debug, Parser)]
#[command(name = "andor", version, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search for proofs of one theorem, or of every theorem in a file
    Prove(Box<ProveCommandArgs>),
    /// Attempt every theorem of a corpus, and keep the results so that the run can be resumed
    Run(Box<RunArgs>),
    /// Have agents work with tools: language models over whose states andor searches
    Agent(AgentArgs),
    /// Prove a theorem by hand: type tactics, see the goals
    Repl(ReplArgs),
    /// Ask a language model for plans of theorems, or check plans, without searching
    Plan(Box<PlanArgs>),
    /// Verify finished proofs in a fresh process
    Check(CheckArgs),
    /// Say which proofs `andor prove` remembers, or forget them
    Cache(CacheArgs),
    /// List runs
    Runs(RunsArgs),
    /// Show the results of a run
    Results(ResultsArgs),
    /// Compare two runs over the same theorems
    Compare(CompareArgs),
    /// Measure how runs differ: costs, proofs, searches
    Analyze(AnalyzeArgs),
    /// Show the search tree of a run
    Show(ShowArgs),
    /// Look at runs in a browser: results, search trees, proofs
    View(ViewArgs),
    /// Recompute what a run says: rebuild its searches from their traces, and judge its proofs again
    Verify(VerifyArgs),
    /// Inspect a trace
    Trace(TraceArgs),
    /// Export training data from a run: its replayed proofs, or every tactic it tried
    Export(ExportArgs),
    /// Train a model of tactics by its own proofs
    Learn(LearnArgs),
    /// Report what is installed, what is missing, and how to get it
    Doctor(DoctorArgs),
    /// Ask a language model, or show how to serve one
    Model(ModelArgs),
    /// Simulate agents that share a tree, over all combinations of parameters, and plot the results (by andor-lab)
    Simulate(LabArgs),
    /// Run a declared experiment, test its comparisons, and write a report (by andor-lab)
    Study(LabArgs),
    /// Run benchmarks (by andor-lab)
    #[command(hide = true)]
    Bench(LabArgs),
    /// Build a corpus of theorems from installed libraries (by andor-lab)
    #[command(hide = true)]
    Corpus(LabArgs),
    /// Print a shell completion script
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
}

impl Command {
    /// Whether `andor-lab` runs it.
    pub(crate) fn is_of_lab(&self) -> bool {
        matches!(self, Self::Simulate(_) | Self::Study(_) | Self::Bench(_) | Self::Corpus(_))
    }
}

#[derive(Clone, Debug, Args)]
pub(crate) struct ProveArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Read the configuration from a TOML file, or from the `run.json` of an earlier run; options on the command
    /// line override it
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) given: Given<All>,

    /// Number of attempts to run concurrently
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        value_parser = at_least_one,
        allow_negative_numbers = true,
        help_heading = "Workers"
    )]
    pub(crate) jobs: NonZeroUsize,

    /// Record the measured time of providers and tactics in FILE, for use with `recorded:FILE`
    #[arg(long, value_name = "FILE", help_heading = "Clock")]
    pub(crate) record_latencies: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Where theorems come from.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct SourceArgs {
    /// `.lean` or `.v` files, folders of them, rows of JSON or Parquet, lists of names (`.txt`), or for `run` a
    /// blueprint. FILE:LINE is the theorem at that line, FILE#NAME the one with that name, and `-` standard input, which
    /// needs --system
    #[arg(value_name = "FILE", conflicts_with = "statement", help_heading = None::<&'static str>,
        value_parser = PathBufValueParser::new().map(SourceFile::of))]
    pub(crate) files: Vec<SourceFile>,

    /// A statement to prove
    #[arg(long, value_name = "TEXT")]
    pub(crate) statement: Option<String>,

    /// A header line for --statement: a complete command or, for Rocq, the name of a library; repeatable
    #[arg(long = "import", value_name = "LINE", conflicts_with = "files")]
    pub(crate) imports: Vec<String>,

    /// The system; by default inferred from the input. A `.lean` file without imports is for `mini`, and so is a
    /// --statement that begins with `theorem`, `lemma` or `example`, or is written with symbols such as `∀`; any other
    /// is for `rocq`. `mini` also accepts statements of Lean 4
    #[arg(long, value_parser = PossibleValuesParser::new(System::all().into_iter().map(System::name))
        .map(|s| s.parse::<System>().expect("listed systems are known")))]
    pub(crate) system: Option<System>,

    /// JSON rows that locate the theorems of FILE: `url`, `commit`, `file_path` and `full_name`, joined by `id`, or
    /// else by `full_name`. The results carry these fields
    #[arg(long, value_name = "FILE", requires = "files")]
    pub(crate) locations: Option<PathBuf>,

    /// Use only this theorem of the file
    #[arg(long, value_name = "NAME")]
    pub(crate) theorem: Option<String>,
}

impl SourceArgs {
    /// The file or folder; the first of several.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.files.first().map(|file| file.path.as_path())
    }
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct InputArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,

    /// Use only theorems of this split: `valid` (or `val`), `test`, `train`, or `generic` for all
    #[arg(long, value_name = "SPLIT", default_value = "generic", hide_default_value = true)]
    pub(crate) split: Split,

    /// Use only theorems whose id contains TEXT, or whose row has this value in this field; repeatable
    #[arg(long, value_name = "TEXT|FIELD=VALUE")]
    pub(crate) filter: Vec<Filter>,

    /// Use only the first N of the selected theorems; 0 means no limit
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write traces, trees, proofs and results to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Resume the run in --out; finished attempts are not repeated
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,

    /// With --resume: continue even if the configuration of the run differs
    #[arg(long, requires = "resume")]
    pub(crate) force: bool,

    /// Print one JSON object per theorem to standard output
    #[arg(long)]
    pub(crate) json: bool,

    /// Exit with code 3 if more than this share of the attempts failed for technical reasons
    #[arg(long, value_name = "SHARE", default_value_t = TOLERATED_FAILURES)]
    pub(crate) infra_threshold: f64,
}

#[derive(Debug, Args)]
#[command(after_help = REPL_HELP)]
pub(crate) struct ReplArgs {
    #[command(flatten)]
    pub(crate) given: Given<ByHand>,

    /// Print one JSON object per reply
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

#[derive(Debug, Args)]
#[command(after_help = CHECK_HELP)]
pub(crate) struct CheckArgs {
    /// Files with finished proofs, from any source: `.v`, `.lean`, Markdown with a block of code, or the proof of one
    /// theorem alone; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "comparator")]
    pub(crate) files: Vec<PathBuf>,

    /// Judge what a configuration of Lean's or Rocq's comparator names: its solution against its challenge
    #[arg(long, value_name = "CONFIG", conflicts_with_all = ["files", "theorem", "statement_from"])]
    pub(crate) comparator: Option<PathBuf>,

    /// The system: `lean4` for `.lean` files with imports or in a Lake project, else `mini`; `rocq` for `.v` files
    #[arg(long, value_name = "SYSTEM")]
    pub(crate) system: Option<System>,

    /// Verify this theorem; repeatable. By default, every theorem of the file that states them
    #[arg(long, value_name = "NAME")]
    pub(crate) theorem: Vec<String>,

    /// A trusted file that states the theorems, with or without proofs, or a data set whose row does; by default FILE itself
    #[arg(long, value_name = "FILE")]
    pub(crate) statement_from: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) given: Given<Judging>,

    /// Write theorems of Lean 4 that are accepted, with all that they need, for other kernels: lean4export's format 3.1.0
    #[arg(long, value_name = "OUT")]
    pub(crate) export_ndjson: Option<PathBuf>,

    /// Print the verdict as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Look only for this system
    #[arg(long, value_name = "SYSTEM", conflicts_with = "model")]
    pub(crate) system: Option<System>,

    #[command(flatten)]
    pub(crate) given: Given<Finding>,

    /// Ask this language model's server what it can do, by the model's name in --config, its URL, or URL#NAME; repeatable
    #[arg(long, value_name = "NAME|URL")]
    pub(crate) model: Vec<String>,

    /// Read the models' configurations from a TOML file
    #[arg(long, value_name = "FILE", requires = "model")]
    pub(crate) config: Option<PathBuf>,

    /// Print the findings as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Write one page per command to this folder, instead of the main page to standard output
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// A usage error of a command.
pub(crate) fn usage(command: &str, message: impl Display) -> anyhow::Error {
    command::usage::<Cli>(command, message)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        <Cli as CommandFactory>::command().debug_assert();
    }

    #[test]
    fn texts_after_the_help_fit_the_width_of_the_help() {
        let program = <Cli as CommandFactory>::command();
        let mut waiting = vec![&program];
        while let Some(command) = waiting.pop() {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            for line in text.lines() {
                assert!(line.chars().count() <= 100, "{}: {line}", command.get_name());
            }
            waiting.extend(command.get_subcommands());
        }
    }

    #[test]
    fn only_near_names_are_suggested() {
        let told = |flag: &str| {
            let error = command::read::<Cli>(["andor", "prove", flag]).unwrap_err();
            error.to_string().lines().find(|line| line.contains("similar")).map(str::to_owned)
        };
        for (flag, near) in [("--sytem", "--system"), ("--tim", "--time"), ("--timeout", "--time")] {
            assert!(told(flag).is_some_and(|line| line.contains(near)), "{flag}: {:?}", told(flag));
        }
        assert_eq!((told("--axioms"), told("--retry")), (None, None));
    }

    #[test]
    fn the_short_help_of_the_main_commands_fits_a_screen() {
        let mut program = command::shortened(Cli::command());
        program.build();
        for name in ["prove", "run"] {
            let command = program.find_subcommand_mut(name).unwrap();
            let (short, long) = (command.render_help().to_string(), command.render_long_help().to_string());
            assert!(short.lines().count() <= 64, "{name}: {}\n{short}", short.lines().count());
            assert!(short.contains("--time") && !short.contains("--mcts-mode"), "{short}");
            assert!(
                long.contains("--mcts-mode") && long.contains("Input is one of") || name == "run",
                "{long}"
            );
        }
    }
}
