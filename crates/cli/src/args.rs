//! What the user may type. Nothing is interpreted here: [`crate::settings`] makes a configuration of it, whose rules
//! stand in [`andor_config::Config::validate`]. Options of a configuration have no default here, so that one can
//! tell which were given; their help texts say it.

mod corpus;
mod export;
mod help;
mod options;
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
use andor_env::synthetic::Preset;
use andor_lab::bench::quality::Seeds;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};

pub(crate) use corpus::{CorpusArgs, CorpusCommand, RocqStdlibArgs};
pub(crate) use export::ExportArgs;
use help::{AFTER_HELP, CHECK_HELP, PROVE_HELP, REPL_HELP};
use options::{All, ByHand, Checks, Judging, at_least_one};
pub(crate) use options::{Confinement, Given};
pub(crate) use results::{CompareArgs, ResultsArgs, RowFormat, RunsArgs};
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

    /// Say more on standard error; twice for details
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,

    /// Nothing on standard error but errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,

    /// Write progress and logs as `text` for people, or as `json`, an object per line
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t = LogFormat::Text,
        hide_possible_values = true)]
    pub(crate) log_format: LogFormat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search for proofs of a theorem, or of all of a file
    Prove(Box<ProveArgs>),
    /// Search for proofs of a corpus: attempts at each theorem, kept so that the run can go on later
    Run(Box<RunArgs>),
    /// Prove a theorem by hand: type tactics, see the goals
    Repl(ReplArgs),
    /// Judge finished proofs afresh
    Check(CheckArgs),
    /// List runs
    Runs(RunsArgs),
    /// Say what came of a run
    Results(ResultsArgs),
    /// Compare two runs over the same theorems
    Compare(CompareArgs),
    /// Show the search tree of a run
    Show(ShowArgs),
    /// Build a search again from its trace, and compare
    Replay(ReplayArgs),
    /// Look into a trace
    Trace(TraceArgs),
    /// Write training data: what replays of a run's proofs, or of all that it tried
    Export(ExportArgs),
    /// Say what is installed, and what is missing and how to get it
    Doctor(DoctorArgs),
    /// Measure searches
    Bench(BenchArgs),
    /// Simulate many agents on one tree, under all combinations of parameters, and plot it
    Simulate(Box<SimulateArgs>),
    /// Make a corpus of theorems from what is installed
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

    /// Take the configuration from a TOML file, or from the `run.json` of an earlier run; options given beside it
    /// override it
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) given: Given<All>,

    /// Attempts at work at once
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        value_parser = at_least_one,
        allow_negative_numbers = true,
        help_heading = "Workers"
    )]
    pub(crate) jobs: NonZeroUsize,

    /// Write how long providers and tactics really took, for `recorded:FILE`
    #[arg(long, value_name = "FILE", help_heading = "Clock")]
    pub(crate) record_latencies: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Where theorems come from.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct SourceArgs {
    /// A `.lean` or `.v` file, a folder of them, rows of JSON, or a list of names (`.txt`)
    #[arg(value_name = "FILE", conflicts_with = "statement", help_heading = None::<&'static str>)]
    pub(crate) file: Option<PathBuf>,

    /// A statement to prove
    #[arg(long, value_name = "TEXT")]
    pub(crate) statement: Option<String>,

    /// A header line for --statement: a whole command or, for Rocq, a library name; repeatable
    #[arg(long = "import", value_name = "LINE", conflicts_with = "file")]
    pub(crate) imports: Vec<String>,

    /// The system; unless given, what the data say. A `.lean` file without imports is for `mini`, and so is a --statement
    /// that begins with `theorem`, `lemma` or `example`; any other is for `rocq`. `mini` also tries statements of Lean 4
    #[arg(long, value_parser = PossibleValuesParser::new(System::ALL.map(System::name))
        .map(|s| s.parse::<System>().expect("listed systems are known")))]
    pub(crate) system: Option<System>,

    /// Rows of JSON that say where the theorems of FILE stand: `url`, `commit`, `file_path` and `full_name`, joined by `id`,
    /// or else by `full_name`. Results have these fields
    #[arg(long, value_name = "FILE", requires = "file")]
    pub(crate) locations: Option<PathBuf>,

    /// Only this theorem of the file
    #[arg(long, value_name = "NAME")]
    pub(crate) theorem: Option<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct InputArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,

    /// Only theorems of this split: `valid` (or `val`), `test`, `train`, or `generic` for all
    #[arg(long, value_name = "SPLIT", default_value = "generic", hide_default_value = true)]
    pub(crate) split: Split,

    /// Only theorems whose id contains TEXT, or whose row has this value in this field; repeatable
    #[arg(long, value_name = "TEXT|FIELD=VALUE")]
    pub(crate) filter: Vec<Filter>,

    /// Only the first N theorems that are left; 0 means all
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write traces, trees, proofs and results into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Go on with the run in --out; finished attempts are not repeated
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,

    /// With --resume: go on even though the run has another configuration
    #[arg(long, requires = "resume")]
    pub(crate) force: bool,

    /// One JSON object per theorem on standard output
    #[arg(long)]
    pub(crate) json: bool,

    /// Exit with 3 when a larger share of the attempts failed because of the machinery
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    pub(crate) infra_threshold: f64,
}

#[derive(Debug, Args)]
#[command(after_help = REPL_HELP)]
pub(crate) struct ReplArgs {
    #[command(flatten)]
    pub(crate) given: Given<ByHand>,

    /// One JSON object per reply
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

#[derive(Debug, Args)]
#[command(after_help = CHECK_HELP)]
pub(crate) struct CheckArgs {
    /// A `.v` or `.lean` file with finished proofs, made by anyone
    pub(crate) file: PathBuf,

    /// Judge this theorem. Unless given: all theorems of the file that states them. Repeatable
    #[arg(long, value_name = "NAME")]
    pub(crate) theorem: Vec<String>,

    /// The file that is trusted to state the theorems, with or without proofs; unless given, FILE itself
    #[arg(long, value_name = "FILE")]
    pub(crate) statement_from: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) given: Given<Judging>,

    /// The verdict as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// A run's folder, an attempt's folder, or a graph.json
    pub(crate) run: PathBuf,

    /// The theorem, when the run has several
    #[arg(long, value_name = "ID")]
    pub(crate) theorem: Option<String>,

    /// The attempt at the theorem, from 1; the first unless given
    #[arg(long, value_name = "N")]
    pub(crate) attempt: Option<u32>,

    /// Draw the tree for Graphviz: `andor show RUN --dot | dot -Tsvg > tree.svg`
    #[arg(long, conflicts_with = "json")]
    pub(crate) dot: bool,

    /// The tree as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Show exhausted parts too
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// The findings as JSON
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
    /// What searches find on the synthetic environment: solved instances by search, preset and budget
    Synthetic(SyntheticArgs),
    /// What searches cost: expansions per second and bytes per node, as ratios to a floor in the same run
    Speed(SpeedArgs),
    /// What agents cost: expansions per second and bytes per node of several agents, beside one that asks and tells by turns
    Agents(AgentsArgs),
    /// What a Rocq worker costs: previews, going back, starting again, and our own share of a search
    Rocq(ProverBenchArgs),
    /// What the embedded prover costs: previews per second, bytes per state, reading the prelude
    Mini(ProverBenchArgs),
    /// Whether cheats get through: every entry of the cheat corpus and its honest twin, at every level of verification
    Cheats(CheatsArgs),
    /// Whether the two comparisons of level 2 agree: honest files of the cheat corpus, each changed at a random place
    Mutants(MutantsArgs),
    /// What each level of verification costs, for small and large headers
    Ladder(ProverBenchArgs),
    /// Whether right proofs are refused: theorems of installed Rocq libraries, with their own proofs
    Stdlib(StdlibArgs),
    /// Whether the embedded prover keeps its limits: searches with tactics made to use up time and memory
    Hostile(HostileArgs),
    /// One measurement of `speed`, in this process
    #[command(hide = true)]
    Measure(MeasureArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SyntheticArgs {
    /// The presets
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_value = "easy,medium,hard")]
    pub(crate) presets: Vec<Preset>,

    /// The seeds of the instances
    #[arg(long, value_name = "FIRST..LAST", default_value = "1..50", value_parser = seeds)]
    pub(crate) seeds: Seeds,

    /// Budgets, as multiples of each preset's standard number of tactic applications
    #[arg(long, value_name = "X,…", value_delimiter = ',', default_value = "0.1,1")]
    pub(crate) budgets: Vec<f64>,

    /// Only searches whose name contains this
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,

    /// The table as JSON lines
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SpeedArgs {
    /// Tactic applications per measurement
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "100000,1000000")]
    pub(crate) applications: Vec<u64>,

    /// Measurements of each kind; the median is shown
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) repeat: usize,

    /// Measure writing traces too
    #[arg(long)]
    pub(crate) trace: bool,

    /// The table as JSON lines
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

    /// Measurements of each kind; the median is shown
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) repeat: usize,

    /// The table as JSON lines
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ProverBenchArgs {
    /// The figures as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = HOSTILE_HELP)]
pub(crate) struct HostileArgs {
    /// How many tactics
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) count: u64,

    /// The seed of the first; each further one has the next
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Wall time of each search, for example `500ms`
    #[arg(long, value_name = "DURATION", value_parser = positive_seconds, default_value = "250ms")]
    pub(crate) time: f64,

    /// A JSON line for each tactic instead of the summary
    #[arg(long)]
    pub(crate) json: bool,
}

const HOSTILE_HELP: &str = "\
Each tactic is searched with twice: up to the time limit, and cancelled after a third of it. A
search counts as over when nothing of it is still at work.

Exit codes:
  0  no search was over more than 0.5 s after its time
  1  some were; the summary names the slowest";

#[derive(Debug, Args)]
#[command(after_help = CHEATS_HELP)]
pub(crate) struct CheatsArgs {
    /// The folder that holds the corpus
    #[arg(long, value_name = "DIR", default_value = "corpus/cheats")]
    pub(crate) corpus: PathBuf,

    /// Only entries whose system and name, such as `rocq/admitted`, contain this
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,

    /// Only these levels, by number or name; what a search refuses by itself, level 0, is tried always
    #[arg(long, value_name = "LEVEL,…", value_delimiter = ',', default_value = "1,2,3,4")]
    pub(crate) levels: Vec<Level>,

    /// Entries tried at the same time
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) jobs: usize,

    /// The rows as JSON lines
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) json: bool,

    /// The table as it stands in docs/reference/cheats.md
    #[arg(long)]
    pub(crate) markdown: bool,
}

const CHEATS_HELP: &str = "\
Levels that this machine does not have are left out.

Exit codes:
  0  every cheat is stopped at its level and no earlier, and every honest twin is accepted
  1  something is not as its entry says; standard error says what
  2  something could not be judged, or the corpus is malformed";

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes:\n  0  the comparisons agree, and no other statement is taken for the one asked for\n  \
    1  they disagree, or such a statement is accepted; the list says which\n  2  something could not be judged"
)]
pub(crate) struct MutantsArgs {
    /// The folder that holds the corpus
    #[arg(long, value_name = "DIR", default_value = "corpus/cheats")]
    pub(crate) corpus: PathBuf,

    /// Only entries whose system and name, such as `rocq/seal`, contain this
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,

    /// How many changed files are judged
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) count: usize,

    /// The seed of the changes
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Files judged at the same time
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) jobs: usize,

    /// A JSON line for each changed file
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StdlibArgs {
    /// Draw the theorems from these libraries of `user-contrib`, such as `stdpp,Flocq`, or from all of them:
    /// `user-contrib`. Unless given, from Rocq's own
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) library: Vec<String>,

    /// How many theorems are judged
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) count: usize,

    /// The seed of their choice
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// The level, by number or name
    #[arg(long, value_name = "LEVEL", default_value = "3")]
    pub(crate) level: Level,

    /// Theorems judged at the same time
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) jobs: usize,

    /// A JSON line for each theorem
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

/// An error of usage, which is shown as the parser shows its own: with how to use the command.
pub(crate) fn usage(command: &str, message: impl Display) -> anyhow::Error {
    let mut program = Cli::command();
    program.build();
    let command = program.find_subcommand_mut(command).expect("the command exists");
    command.error(ErrorKind::ValueValidation, shown::message(&message.to_string())).into()
}

fn seeds(text: &str) -> Result<Seeds, String> {
    let bad = || format!("`{text}` is no range of seeds; write for example 1..50");
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
    /// Write one page per command into this folder instead of the main page to standard output
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
