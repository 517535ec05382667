//! The arguments of `export`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use andor_report::export::{Benchmark, Format, View};
use andor_terminal::names;
use andor_terminal::options::{Confinement, Given, at_least_one};
use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = EXPORT_HELP)]
pub(crate) struct ExportArgs {
    /// A run's folder; with --dataset several
    #[arg(value_name = "RUN", required = true)]
    pub(crate) runs: Vec<PathBuf>,

    /// The content of each row; or `lean-term`, proofs as terms for Lean's kernel; of a run of agents, `trajectories` or
    /// `branch-pairs`
    #[arg(long, value_name = "FORMAT", value_parser = names!(Content))]
    pub(crate) format: Content,

    /// Write the rows to this file instead of standard output; with lean-term, one file per proof to this folder
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Write Parquet instead of JSON lines
    #[arg(long, requires = "out")]
    pub(crate) parquet: bool,

    /// How states are written: `pp` shows all goals, `pp1` only the first, without its case line and hypotheses of
    /// type `True` [default: pp]
    #[arg(long, value_name = "VIEW", value_parser = names!(View))]
    pub(crate) view: Option<View>,

    /// Text that ends a prompt [default: `:::`; with --chat none]
    #[arg(long, value_name = "TEXT")]
    pub(crate) separator: Option<String>,

    /// Write prompts and answers as chat messages; for sft and dpo
    #[arg(long)]
    pub(crate) chat: bool,

    /// Also try the remaining tactics at each goal of a proof, and pair those that fail; for dpo
    #[arg(long)]
    pub(crate) complete_pairs: bool,

    /// Export only this theorem; repeatable
    #[arg(long, value_name = "ID")]
    pub(crate) theorem: Vec<String>,

    /// Number of attempts to replay concurrently [default: 1]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Print a summary of the export as one JSON object to standard output
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) dataset: DatasetArgs,

    #[command(flatten)]
    pub(crate) sandbox: Given<Confinement>,
}

/// The arguments of a data set to share.
#[derive(Debug, Args)]
pub(crate) struct DatasetArgs {
    /// Write a data set in Hugging Face's layout to this new folder: Parquet by split, a data card, a report
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["out", "parquet"])]
    pub(crate) dataset: Option<PathBuf>,

    /// The licence of the data set, by the name that Hugging Face has for it [default: `unknown`]
    #[arg(long, value_name = "NAME", requires = "dataset", value_parser = licence)]
    pub(crate) licence: Option<String>,

    /// The part of the theorems without a split that goes to `validation` [default: 0]
    #[arg(long, value_name = "PART", requires = "dataset", value_parser = part)]
    pub(crate) validation: Option<f64>,

    /// The part of the theorems without a split that goes to `test` [default: 0]
    #[arg(long, value_name = "PART", requires = "dataset", value_parser = part)]
    pub(crate) test: Option<f64>,

    /// From this likeness on, rows with tactics of the same shapes are near duplicates [default: 0.95]
    #[arg(long, value_name = "PART", requires = "dataset", value_parser = part_above_0)]
    pub(crate) near_duplicate: Option<f64>,

    /// Leave out near duplicates, and rows that are equal up to names
    #[arg(long, requires = "dataset")]
    pub(crate) drop_near_duplicates: bool,

    /// Look for theorems of this benchmark, a data set; repeatable
    #[arg(long, value_name = "NAME=FILE", requires = "dataset", value_parser = benchmark)]
    pub(crate) benchmark: Vec<Benchmark>,

    /// Leave out rows that are those of a benchmark
    #[arg(long, requires = "benchmark")]
    pub(crate) drop_contaminated: bool,
}

fn licence(text: &str) -> Result<String, String> {
    let is_known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
    match !text.is_empty() && text.chars().all(is_known) {
        true => Ok(text.to_owned()),
        false => {
            Err("Hugging Face names licences in lower case, for example `cc-by-4.0`, `mit`, `other`"
                .to_owned())
        }
    }
}

fn part(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part| (0.0..=1.0).contains(part));
    part.ok_or_else(|| "give a number from 0 to 1".to_owned())
}

fn part_above_0(text: &str) -> Result<f64, String> {
    part(text).ok().filter(|part| *part > 0.0).ok_or_else(|| "give a number above 0, at most 1".to_owned())
}

fn benchmark(text: &str) -> Result<Benchmark, String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok(Benchmark { name: name.to_owned(), path: PathBuf::from(path) })
        }
        _ => Err("write NAME=FILE, for example `minif2f=test.jsonl`".to_owned()),
    }
}

/// What an export holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// Training data.
    Rows(Format),
    /// Proofs of `mini` as terms for Lean's kernel.
    LeanTerm,
    /// Conversations of agents that led to proofs.
    Trajectories,
    /// Branches of agents, each with a better one from the same node.
    BranchPairs,
}

impl Content {
    /// Everything that can be exported.
    const ALL: &[Self] = &[
        Self::Rows(Format::Sft),
        Self::Rows(Format::Dpo),
        Self::Rows(Format::Stepwise),
        Self::Rows(Format::Steps),
        Self::LeanTerm,
        Self::Trajectories,
        Self::BranchPairs,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rows(format) => format.name(),
            Self::LeanTerm => "lean-term",
            Self::Trajectories => "trajectories",
            Self::BranchPairs => "branch-pairs",
        }
    }
}

const EXPORT_HELP: &str = "\
Formats, with the fields that trainers read; each row also names its source
(docs/guide/training-data.md):
  sft       prompt, completion           a step of an accepted proof
  dpo       prompt, chosen, rejected     a step of an accepted proof, and a tactic that failed there
  stepwise  prompt, completions, labels  an accepted proof; its beginning and a tactic that failed
                                         after it
  steps     tactic, state_before, state_after, outcome, log_prior, error, in_proof, provider
                                         every tactic that was tried, in all attempts

Of runs of `andor agent`, as chat messages (docs/guide/agents.md):
  trajectories  messages, credits          a conversation that led to a proof, and for each of its
                                           answers a credit: the n-th of k nodes gets n/k
  branch-pairs  prompt, chosen, rejected   two branches from the same node, the better one first

Every tactic is first replayed in a fresh proof assistant, under the limits of the run. Tactics with
a different result are left out, with everything below them. So are tactics that were never sent to
the proof assistant, and duplicate rows.

A search stops at a goal when a tactic closes it. For each goal of a proof, --complete-pairs calls
the providers again, tries the remaining tactics, and pairs those that fail.

With lean-term, every accepted proof of mini becomes a Lean file of its own: terms with all
arguments, from constants of Lean's core alone, which Lean's kernel checks. Of several proofs of a
theorem the first is taken (docs/guide/mini.md).

With --dataset, the rows of all runs become a folder for Hugging Face: Parquet files by split, a
data card (README.md) and report.json, with the origin of the rows, what repeats, and with
--benchmark what they have in common with benchmarks: theorems with equal statements (but for
names, comments and space) or goals with equal strict signatures.

Exit codes:
  0    rows were written
  1    nothing to export; no file is written
  2    the run cannot be read or replayed
  130  interrupted; no file is written

Examples:
  andor export RUN --format sft --out sft.jsonl
  andor export RUN --format dpo --view pp1 --parquet --out train-00000-of-00001.parquet --jobs 2
  andor export RUN --format dpo --complete-pairs --out dpo.jsonl
  andor export RUN --format steps --theorem and_swap | head -1
  andor export RUN1 RUN2 --format sft --dataset DATA --licence cc-by-4.0 --validation 0.05 \\
    --benchmark minif2f=minif2f.jsonl --drop-contaminated
  andor export RUN --format trajectories --out sft.jsonl
  andor export RUN --format lean-term --theorem and_swap > and_swap.lean && lean and_swap.lean";
