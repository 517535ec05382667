//! Command-line arguments, as parsed by clap. [`crate::settings`] turns them into a configuration, and
//! [`andor_config::Config::validate`] checks it. Configuration options have no clap default, so that the options
//! that were given can be told from those that were not; their help texts state the defaults.

mod agent;
mod corpus;
mod export;
mod help;
mod learn;
mod model;
mod options;
mod plan;
mod results;
mod run;
mod simulate;
mod trace;

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use andor_config::positive_seconds;
use andor_core::theorem::System;
use andor_dataset::{Filter, Split};
use andor_engine::judge::Level;
use andor_env::synthetic::WorldPreset;
use andor_lab::bench::quality::Seeds;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};

pub(crate) use agent::{AgentArgs, AgentCodeArgs, AgentCommand, AgentOptions, AgentProveArgs};
pub(crate) use corpus::{CorpusArgs, CorpusCommand, RocqStdlibArgs};
pub(crate) use export::{Content, ExportArgs};
use help::{AFTER_HELP, CHECK_HELP, PLAN_HELP, PROVE_HELP, REPL_HELP};
pub(crate) use learn::LearnArgs;
pub(crate) use model::{AskArgs, ModelArgs, ModelCommand, ServeCommandArgs};
use options::{All, ByHand, Checks, Finding, Judging, at_least_one};
pub(crate) use options::{Confinement, Given};
pub(crate) use plan::PlanArgs;
pub(crate) use results::{AnalyzeArgs, CompareArgs, ResultsArgs, RowFormat, RunsArgs, ShowArgs};
pub(crate) use run::RunArgs;
pub(crate) use simulate::{SimulateArgs, SimulationOutputArgs};
pub(crate) use trace::{ReplayArgs, StatsArgs, TraceArgs, TraceCommand};

use crate::logging::LogFormat;
use crate::shown;

/// Proof search over proof assistants.
///
/// andor takes theorems stated in a proof assistant, asks tactic providers for tactics, grows an AND/OR tree of
/// proof obligations, and prints proofs that a fresh proof assistant has accepted.
#[derive(Debug, Parser)]
#[command(name = "andor", version, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print more to standard error; give it twice for details
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,

    /// Print only errors to standard error
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,

    /// Write progress and logs as `text`, or as `json` (one object per line)
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t = LogFormat::Text,
        hide_possible_values = true)]
    pub(crate) log_format: LogFormat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search for proofs of one theorem, or of every theorem in a file
    Prove(Box<ProveArgs>),
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
    /// Rebuild a search from its trace and compare the two
    Replay(ReplayArgs),
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
    /// Run benchmarks
    Bench(BenchArgs),
    /// Simulate agents that share a tree, over all combinations of parameters, and plot the results
    Simulate(Box<SimulateArgs>),
    /// Build a corpus of theorems from installed libraries
    Corpus(CorpusArgs),
    /// Print a shell completion script
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
}

#[derive(Debug, Args)]
#[command(after_help = PROVE_HELP)]
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
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct SourceArgs {
    /// A `.lean` or `.v` file, a folder of them, rows of JSON or Parquet, a list of names (`.txt`), or for `run` a
    /// blueprint
    #[arg(value_name = "FILE", conflicts_with = "statement", help_heading = None::<&'static str>)]
    pub(crate) file: Option<PathBuf>,

    /// A statement to prove
    #[arg(long, value_name = "TEXT")]
    pub(crate) statement: Option<String>,

    /// A header line for --statement: a complete command or, for Rocq, the name of a library; repeatable
    #[arg(long = "import", value_name = "LINE", conflicts_with = "file")]
    pub(crate) imports: Vec<String>,

    /// The system; by default inferred from the input. A `.lean` file without imports is for `mini`, and so is a
    /// --statement that begins with `theorem`, `lemma` or `example`; any other is for `rocq`. `mini` also accepts
    /// statements of Lean 4
    #[arg(long, value_parser = PossibleValuesParser::new(System::ALL.map(System::name))
        .map(|s| s.parse::<System>().expect("listed systems are known")))]
    pub(crate) system: Option<System>,

    /// JSON rows that locate the theorems of FILE: `url`, `commit`, `file_path` and `full_name`, joined by `id`, or
    /// else by `full_name`. The results carry these fields
    #[arg(long, value_name = "FILE", requires = "file")]
    pub(crate) locations: Option<PathBuf>,

    /// Use only this theorem of the file
    #[arg(long, value_name = "NAME")]
    pub(crate) theorem: Option<String>,
}

#[derive(Debug, Args)]
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

#[derive(Debug, Args)]
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
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
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
    /// A `.v` or `.lean` file with finished proofs, from any source; for Lean, also the proof of one theorem alone
    pub(crate) file: PathBuf,

    /// The system: `lean4` for `.lean` files with imports or in a Lake project, else `mini`; `rocq` for `.v` files
    #[arg(long, value_name = "SYSTEM")]
    pub(crate) system: Option<System>,

    /// Verify this theorem; repeatable. By default, every theorem of the file that states them
    #[arg(long, value_name = "NAME")]
    pub(crate) theorem: Vec<String>,

    /// A trusted file that states the theorems, with or without proofs; by default FILE itself
    #[arg(long, value_name = "FILE")]
    pub(crate) statement_from: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) given: Given<Judging>,

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
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    pub(crate) what: BenchCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// Search quality on the synthetic environment: solved instances by search, preset and budget
    Synthetic(SyntheticArgs),
    /// Search speed: expansions per second and bytes per node, relative to a minimal implementation measured in the
    /// same run
    Speed(SpeedArgs),
    /// Cost of several agents: expansions per second and bytes per node, compared with one agent that alternates
    /// between asking and telling
    Agents(AgentsArgs),
    /// Cost of a Rocq worker: previews, backtracking, restarts, and the overhead of andor
    Rocq(ProverBenchArgs),
    /// Cost of the embedded prover: previews per second, bytes per state, loading the prelude
    Mini(ProverBenchArgs),
    /// Soundness of verification: every entry of the cheat corpus and its honest twin, at every level
    Cheats(CheatsArgs),
    /// Agreement of the two comparisons of level 2, on honest files of the cheat corpus with a random mutation
    Mutants(MutantsArgs),
    /// Cost of each level of verification, for small and large headers
    Ladder(ProverBenchArgs),
    /// False rejections: theorems of installed Rocq libraries, with their own proofs
    Stdlib(StdlibArgs),
    /// Limits of the embedded prover: searches with tactics designed to exhaust time and memory
    Hostile(HostileArgs),
    /// A single measurement of `speed`, in this process
    #[command(hide = true)]
    Measure(MeasureArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SyntheticArgs {
    /// Presets of the synthetic environment
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_value = "easy,medium,hard")]
    pub(crate) presets: Vec<WorldPreset>,

    /// Seeds of the instances
    #[arg(long, value_name = "FIRST..LAST", default_value = "1..50", value_parser = seeds)]
    pub(crate) seeds: Seeds,

    /// Budgets, as multiples of each preset's standard number of tactic applications
    #[arg(long, value_name = "X,…", value_delimiter = ',', default_value = "0.1,1")]
    pub(crate) budgets: Vec<f64>,

    /// Run only searches whose name contains TEXT
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,

    /// Print the table as JSON lines
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SpeedArgs {
    /// Tactic applications per measurement
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "100000,1000000")]
    pub(crate) applications: Vec<u64>,

    /// Number of measurements of each kind; the median is shown
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) repeat: usize,

    /// Also measure searches that write traces
    #[arg(long)]
    pub(crate) trace: bool,

    /// Print the table as JSON lines
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AgentsArgs {
    /// Numbers of agents
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,4,16", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) agents: Vec<u32>,

    /// Tactic applications per measurement
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) applications: u64,

    /// Number of measurements of each kind; the median is shown
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) repeat: usize,

    /// Print the table as JSON lines
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ProverBenchArgs {
    /// Print the figures as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = HOSTILE_HELP)]
pub(crate) struct HostileArgs {
    /// Number of tactics
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) count: u64,

    /// Seed of the first tactic; each further tactic uses the next seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Wall time of each search, such as `500ms`
    #[arg(long, value_name = "DURATION", value_parser = positive_seconds, default_value = "250ms")]
    pub(crate) time: f64,

    /// Print a JSON line for each tactic instead of the summary
    #[arg(long)]
    pub(crate) json: bool,
}

const HOSTILE_HELP: &str = "\
Each tactic is tested in two searches: one runs up to the time limit, the other is cancelled after a
third of it. A search has ended when none of its threads is still running.

Exit codes:
  0  no search exceeded its time limit by more than 0.5 s
  1  some did; the summary names the slowest";

#[derive(Debug, Args)]
#[command(after_help = CHEATS_HELP)]
pub(crate) struct CheatsArgs {
    /// The folder of the corpus
    #[arg(long, value_name = "DIR", default_value = "corpus/cheats")]
    pub(crate) corpus: PathBuf,

    /// Run only entries whose system and name, such as `rocq/admitted`, contain TEXT
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,

    /// Levels to test, by number or name; what the search itself rejects (level 0) is always tested
    #[arg(long, value_name = "LEVEL,…", value_delimiter = ',', default_value = "1,2,3,4")]
    pub(crate) levels: Vec<Level>,

    /// Number of entries to test concurrently
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) jobs: usize,

    /// Print the rows as JSON lines
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) json: bool,

    /// Print the table in the format of docs/reference/cheats.md
    #[arg(long)]
    pub(crate) markdown: bool,
}

const CHEATS_HELP: &str = "\
Levels that this machine does not support are skipped.

Exit codes:
  0  every cheat is rejected at its level and no earlier, and every honest twin is accepted
  1  some result differs from its entry; see standard error
  2  something could not be verified, or the corpus is malformed";

#[derive(Debug, Args)]
#[command(after_help = "Exit codes:\n  0  the comparisons agree, and no changed statement is accepted\n  \
    1  they disagree, or a changed statement is accepted; see the list\n  2  something could not be verified")]
pub(crate) struct MutantsArgs {
    /// The folder of the corpus
    #[arg(long, value_name = "DIR", default_value = "corpus/cheats")]
    pub(crate) corpus: PathBuf,

    /// Run only entries whose system and name, such as `rocq/seal`, contain TEXT
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,

    /// Number of mutated files to verify
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) count: usize,

    /// Seed of the mutations
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Number of files to verify concurrently
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) jobs: usize,

    /// Print a JSON line for each mutated file
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StdlibArgs {
    /// Draw the theorems from these libraries of `user-contrib`, such as `stdpp,Flocq`; `user-contrib` means all of
    /// them. By default, from Rocq's standard library
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) library: Vec<String>,

    /// Number of theorems to verify
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) count: usize,

    /// Seed of the random choice of theorems
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// The level of verification, by number or name
    #[arg(long, value_name = "LEVEL", default_value = "3")]
    pub(crate) level: Level,

    /// Number of theorems to verify concurrently
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) jobs: usize,

    /// Print a JSON line for each theorem
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) given: Given<Checks>,
}

#[derive(Debug, Args)]
pub(crate) struct MeasureArgs {
    pub(crate) runner: String,
    pub(crate) applications: u64,
    pub(crate) scratch: PathBuf,
}

/// A usage error, shown in the same form as clap's own errors, with the usage of the command.
pub(crate) fn usage(command: &str, message: impl Display) -> anyhow::Error {
    let mut program = Cli::command();
    program.build();
    let of = |at, name| clap::Command::find_subcommand_mut(at, name).expect("the command exists");
    let command = command.split(' ').fold(&mut program, of);
    command.error(ErrorKind::ValueValidation, shown::message(&message.to_string())).into()
}

fn seeds(text: &str) -> Result<Seeds, String> {
    let bad = || format!("`{text}` is not a range of seeds; write, for example, 1..50");
    let (first, last) = text.split_once("..").ok_or_else(bad)?;
    let seeds = Seeds { first: first.parse().map_err(|_| bad())?, last: last.parse().map_err(|_| bad())? };
    if seeds.first > seeds.last { Err(bad()) } else { Ok(seeds) }
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

#[cfg(test)]
mod tests {
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
}
