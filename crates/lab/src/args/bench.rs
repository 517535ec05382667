//! The arguments of `andor-lab bench`.

use std::path::PathBuf;

use andor_config::positive_seconds;
use andor_engine::judge::Level;
use andor_lab::bench::quality::Seeds;
use andor_system_synthetic::WorldPreset;
use andor_terminal::options::{Checks, Given};
use clap::{Args, Subcommand};

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
    /// The same for a Lean worker
    Lean(ProverBenchArgs),
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

pub(super) fn seeds(text: &str) -> Result<Seeds, String> {
    let bad = || format!("`{text}` is not a range of seeds; write, for example, 1..50");
    let (first, last) = text.split_once("..").ok_or_else(bad)?;
    let seeds = Seeds { first: first.parse().map_err(|_| bad())?, last: last.parse().map_err(|_| bad())? };
    if seeds.first > seeds.last { Err(bad()) } else { Ok(seeds) }
}
