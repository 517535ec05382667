//! Arguments of `runs`, `results`, `compare`, `analyze` and `show`, which read the files of finished runs.

use std::path::PathBuf;

use andor_core::choice::UnknownChoice;
use andor_report::analyze::{Label, Measure};
use andor_report::summary::{Standing, TheoremSummary, has_failed};
use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(after_help = RUNS_HELP)]
pub(crate) struct RunsArgs {
    /// The folder to search for runs, including its subfolders
    #[arg(value_name = "DIR", default_value = "runs")]
    pub(crate) folder: PathBuf,

    /// Print one JSON object per run
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// A run's folder, an attempt's folder, a graph.json, or the rollout.jsonl of an agent's search
    pub(crate) run: PathBuf,

    /// The theorem, if the run has several
    #[arg(long, value_name = "ID")]
    pub(crate) theorem: Option<String>,

    /// The number of the attempt at the theorem, from 1; by default the first
    #[arg(long, value_name = "N")]
    pub(crate) attempt: Option<u32>,

    /// Print the tree for Graphviz: `andor show RUN --dot | dot -Tsvg > tree.svg`
    #[arg(long, conflicts_with = "json")]
    pub(crate) dot: bool,

    /// Print the tree as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print the tree as GraphML, for Gephi, yEd, Cytoscape or NetworkX
    #[arg(long, conflicts_with_all = ["dot", "json"])]
    pub(crate) graphml: bool,

    /// Print the tree as the JSON of Cytoscape.js, which Cytoscape and NetworkX read too
    #[arg(long, conflicts_with_all = ["dot", "json", "graphml"])]
    pub(crate) cytoscape: bool,

    /// Include exhausted subtrees; of an agent's search, whole messages
    #[arg(long)]
    pub(crate) all: bool,

    /// Print the plan with the states and budgets of its statements
    #[arg(long, conflicts_with_all = ["dot", "graphml", "cytoscape", "all"])]
    pub(crate) plan: bool,

    /// Look at the tree in this terminal: fold, find, and replay the search. Press ? for the keys
    #[arg(long, conflicts_with_all = ["dot", "json", "graphml", "all", "plan"])]
    pub(crate) tui: bool,
}

const RUNS_HELP: &str = "\
To continue a run that is `resumable`, repeat its command with --resume and --out FOLDER.

Examples:
  andor runs
  andor runs . --json | jq -r 'select(.finished | not).folder'";

#[derive(Debug, Args)]
#[command(after_help = RESULTS_HELP)]
pub(crate) struct ResultsArgs {
    /// A run's folder
    pub(crate) run: PathBuf,

    /// Show the details of one theorem: its attempts, proof, rejected claims and errors
    #[arg(long, value_name = "ID", conflicts_with = "format")]
    pub(crate) theorem: Option<String>,

    /// List only these theorems; the summary covers all of them
    #[arg(long, value_name = "WHICH", conflicts_with = "theorem")]
    pub(crate) only: Option<Only>,

    /// Print one JSON object per theorem, and one summary object
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// Print a row per theorem: as CSV, or as JSON with the field names of another prover
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<RowFormat>,
}

const RESULTS_HELP: &str = "\
pass@K is an unbiased estimate of the probability that one of K attempts proves a theorem, with its
95 % confidence interval. Attempts that failed for technical reasons, were interrupted, or whose
theorem the assistant rejects, do not count. See docs/guide/results.md.

Examples:
  andor results RUN
  andor results RUN --only proved --json | jq -r '.theorem // empty'
  andor results RUN --theorem and_swap
  andor results RUN --format csv > results.csv
  andor results RUN --format bfs-prover > results.jsonl";

/// A subset of the theorems of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Only {
    /// A proof was accepted
    Proved,
    /// A proof was claimed, but none was accepted
    Claimed,
    /// A proof is stored that does not fit the theorem
    Unverified,
    /// The proofs that were found depend on axioms that are not allowed
    AxiomNotAllowed,
    /// Attempted without success
    #[value(alias = "failed")]
    NotProved,
    /// The assistant rejects the statement
    Refused,
    /// At least one attempt failed for technical reasons, whatever the others found
    Infra,
    /// Every attempt was interrupted
    Interrupted,
    /// Not yet attempted
    NotBegun,
}

impl Only {
    /// Whether this subset contains the theorem.
    pub(crate) fn admits(self, theorem: &TheoremSummary<'_>) -> bool {
        let standing = match self {
            Self::Infra => return theorem.results.iter().any(|r| has_failed(r)),
            Self::Proved => Standing::Proved,
            Self::Claimed => Standing::Claimed,
            Self::Unverified => Standing::Unverified,
            Self::AxiomNotAllowed => Standing::AxiomNotAllowed,
            Self::NotProved => Standing::NotProved,
            Self::Refused => Standing::Refused,
            Self::Interrupted => Standing::Interrupted,
            Self::NotBegun => Standing::NotBegun,
        };
        theorem.standing == standing
    }
}

/// How results are printed for other programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum RowFormat {
    /// A table with a line of headings
    Csv,
    /// The names of BFS-Prover
    BfsProver,
    /// The names of ReProver
    Reprover,
}

#[derive(Debug, Args)]
#[command(after_help = COMPARE_HELP)]
pub(crate) struct CompareArgs {
    /// A run's folder
    #[arg(value_name = "RUN_A")]
    pub(crate) a: PathBuf,

    /// The folder of another run over the same theorems
    #[arg(value_name = "RUN_B")]
    pub(crate) b: PathBuf,

    /// Print the comparison as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

const COMPARE_HELP: &str = "\
A theorem is solved if one of its attempts has an accepted proof. Theorems without a counted attempt
in one of the runs are left out and listed.

p is the two-sided p-value of McNemar's exact test on the theorems that only one run solves. It is
an error if theorems with the same id have different statements. See docs/guide/results.md.

Examples:
  andor run lemmas.v --preset mcts --out A
  andor run lemmas.v --preset best-first --out B
  andor compare A B";

#[derive(Debug, Args)]
#[command(after_help = ANALYZE_HELP)]
pub(crate) struct AnalyzeArgs {
    /// The folders of runs over the same theorems, or of theorems or attempts in them; the first is the baseline
    #[arg(value_name = "RUN", required = true)]
    pub(crate) runs: Vec<PathBuf>,

    /// What to measure: any of `costs`, `survival`, `proofs`, `searches`, `paths`, `access` [default: the first four]
    #[arg(long = "measure", value_name = "NAME", value_delimiter = ',', value_parser = measure)]
    pub(crate) measures: Vec<Measure>,

    /// What makes two nodes equal, for `proofs` and `searches`: `strict` or `coarse` goals, or `tactic` [default: strict]
    #[arg(long, value_name = "LABEL", value_parser = label)]
    pub(crate) label: Option<Label>,

    /// Only this theorem; repeat it for more
    #[arg(long = "theorem", value_name = "ID")]
    pub(crate) theorems: Vec<String>,

    /// Write all tables as CSV and Parquet files, and plots as SVG files, into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Print one JSON object per row, with the name of its table
    #[arg(long)]
    pub(crate) json: bool,

    /// The seed of the bootstrap intervals
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) seed: u64,
}

fn measure(text: &str) -> Result<Measure, UnknownChoice> {
    text.parse()
}

fn label(text: &str) -> Result<Label, UnknownChoice> {
    text.parse()
}

const ANALYZE_HELP: &str = "\
costs     for theorems that both runs prove: B / A as a geometric mean with its 95 % bootstrap
          interval, and the p-value of Wilcoxon's signed-rank test of their logarithms
survival  the median cost of a proof, where unproved theorems count as needing more; log-rank test
proofs    tree edit distances between proofs of a theorem, and which are equal (basins)
searches  graph edit distance, common goals, and the first iteration that differs
paths     depth, revisits, switches and entropy of every agent; with --out every iteration, and a
          map of the goals
access    goals missed because of blocked nodes, and what the ways around cost, for runs with blocks
          or delays against the run that differs in nothing else

See docs/guide/analysis.md for the columns.

Examples:
  andor analyze A B
  andor analyze A --measure proofs --label tactic      # how different are the attempts of one run?
  andor analyze A B --measure searches --theorem and_swap
  andor analyze A B --measure costs,survival,paths --out TABLES";
