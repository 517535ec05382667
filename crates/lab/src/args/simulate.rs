//! Options of `andor-lab simulate`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use andor_config::{Backup, Expansion, Identity, LatencySpec, ObstacleVisits, Selection, seconds, whole};
use andor_lab::bench::quality::Seeds;
use andor_lab::simulate::table::VARIED;
use andor_system_synthetic::WorldPreset;
use andor_terminal::names;
use andor_terminal::options::at_least_one;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::bench::seeds;

#[derive(Debug, Args)]
#[command(after_help = SIMULATE_HELP)]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    pub(crate) subjects: SubjectArgs,
    #[command(flatten)]
    pub(crate) varied: VariedArgs,
    #[command(flatten)]
    pub(crate) damage: DamageArgs,
    #[command(flatten)]
    pub(crate) search: SimulatedSearchArgs,
    #[command(flatten)]
    pub(crate) time: LatencyArgs,
    #[command(flatten)]
    pub(crate) budget: SimulatedBudgetArgs,
    #[command(flatten)]
    pub(crate) output: SimulationOutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Searches")]
pub(crate) struct SubjectArgs {
    /// Presets of the synthetic environment [default: `medium`, if no recorded search is given]
    #[arg(long = "preset", value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) presets: Vec<WorldPreset>,

    /// Recorded searches: traces, or folders written by `andor prove --out`
    #[arg(long, value_name = "RUN|TRACE", num_args = 1..)]
    pub(crate) recorded: Vec<PathBuf>,

    /// Seeds of the searches, of the interventions and of the synthetic instances
    #[arg(long, value_name = "FIRST..LAST", default_value = "1..50", value_parser = seeds)]
    pub(crate) seeds: Seeds,

    /// Use the critic of the synthetic environment
    #[arg(long)]
    pub(crate) critic: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Parameters to vary")]
pub(crate) struct VariedArgs {
    /// Number of agents that share a tree
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,4,16")]
    pub(crate) agents: Vec<u32>,

    /// Number of workers, which run the tactics
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "4")]
    pub(crate) workers: Vec<u32>,

    /// Weight of the virtual loss; with 0 agents may collide
    #[arg(
        long,
        value_name = "X,…",
        value_delimiter = ',',
        default_value = "1",
        allow_negative_numbers = true
    )]
    pub(crate) virtual_loss: Vec<f64>,

    /// Share of nodes that are blocked at an agent's first visit; 0 disables blocking
    #[arg(
        long,
        value_name = "P,…",
        value_delimiter = ',',
        default_value = "0",
        allow_negative_numbers = true
    )]
    pub(crate) block_fraction: Vec<f64>,

    /// Duration of a block in iterations; a negative number means forever
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        default_value = "-1",
        allow_negative_numbers = true
    )]
    pub(crate) block_duration: Vec<i64>,

    /// Number of alternative nodes an agent may try after it reaches a blocked or delayed node; with 0 its iteration
    /// ends
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "0")]
    pub(crate) reroute: Vec<u32>,

    /// Probability that a selected node is delayed; 0 disables delays
    #[arg(
        long,
        value_name = "P,…",
        value_delimiter = ',',
        default_value = "0",
        allow_negative_numbers = true
    )]
    pub(crate) delay_prob: Vec<f64>,

    /// Duration of a delay in iterations
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        default_value = "10",
        allow_negative_numbers = true
    )]
    pub(crate) delay_duration: Vec<i64>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Interventions (for all cells with blocks or delays)")]
pub(crate) struct DamageArgs {
    /// Block the same nodes under every seed; by default each search derives its own blocks from its seed
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub(crate) block_seed: Option<u64>,

    /// Share of blocks, from 0 to 1, that are permanent
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) block_immovable_fraction: Option<f64>,

    /// Lift a block at the N-th visit to the node or later [default: 1, if --unfreeze-prob is given]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub(crate) unfreeze_after: Option<u64>,

    /// Probability that such a visit lifts the block, above 0 [default: 1, if --unfreeze-after is given]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) unfreeze_prob: Option<f64>,

    /// Delay at the same nodes and visits under every seed; by default each search derives its own delays from its
    /// seed
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) delay_seed: Option<i64>,

    /// Which obstacles count as unsuccessful visits: `none`, the `last` one, at which the iteration ended, or `all`,
    /// including those that were bypassed [default: `last`]
    #[arg(long, value_name = "WHICH", value_parser = names!(ObstacleVisits))]
    pub(crate) obstacle_visits: Option<ObstacleVisits>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SimulatedSearchArgs {
    /// Selection policy
    #[arg(long, default_value = "puct", value_parser = walking())]
    pub(crate) policy: Selection,

    /// Weight of exploration [default: √2 for ucb1, 0.5 for puct]
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    pub(crate) exploration: Option<f64>,

    /// How values are backed up
    #[arg(long, default_value = "product", value_parser = names!(Backup))]
    pub(crate) backprop: Backup,

    /// How many candidates of a node become steps
    #[arg(long, default_value = "first-novel", value_parser = names!(Expansion))]
    pub(crate) expand: Expansion,

    /// When two obligations share a node
    #[arg(long, default_value = "checkpoint", value_parser = names!(Identity))]
    pub(crate) identity: Identity,

    /// Bonus for nodes on the agent's own previous path
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) path_bias: Option<f64>,

    /// Bonus per level of depth; needs --identity strict, since in a tree all nodes to choose from have equal depth
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) depth_bias: Option<f64>,

    /// Maximum number of reservations that the agents of a search hold together; by default the number of agents
    #[arg(long, value_name = "N")]
    pub(crate) inflight: Option<u32>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Time")]
pub(crate) struct LatencyArgs {
    /// Latency of a provider call: `200ms`, `lognormal:200ms:0.5` (median, standard deviation of the logarithm), or
    /// `recorded:FILE`
    #[arg(long, value_name = "SPEC", default_value = "200ms")]
    pub(crate) provider_latency: LatencySpec,

    /// Latency of a tactic, in the same format
    #[arg(long, value_name = "SPEC", default_value = "lognormal:50ms:0.5")]
    pub(crate) tactic_latency: LatencySpec,

    /// Number of calls that the model serves concurrently; by default unlimited
    #[arg(long, value_name = "N")]
    pub(crate) model_slots: Option<u32>,
}

#[derive(Debug, Args)]
#[command(
    next_help_heading = "Budget per search [default: the preset's standard number of tactic applications]"
)]
pub(crate) struct SimulatedBudgetArgs {
    /// Time limit on the virtual clock
    #[arg(long, value_name = "DURATION", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) virtual_time: Option<f64>,

    /// Maximum number of iterations (selection, expansion and backup)
    #[arg(long, value_name = "N")]
    pub(crate) max_iterations: Option<u64>,

    /// Maximum number of iterations that add a step
    #[arg(long, value_name = "N")]
    pub(crate) max_expansions: Option<u64>,

    /// Maximum number of nodes in the tree
    #[arg(long, value_name = "N")]
    pub(crate) max_nodes: Option<u64>,

    /// Maximum number of candidates tried
    #[arg(long, value_name = "N")]
    pub(crate) max_candidates: Option<u64>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct SimulationOutputArgs {
    /// The output folder for tables and plots
    #[arg(long, value_name = "DIR", default_value = "simulation")]
    pub(crate) out: PathBuf,

    /// Overwrite the files of an earlier sweep
    #[arg(long)]
    pub(crate) force: bool,

    /// The parameter on the horizontal axis of the plots; by default the one with the most values
    #[arg(long, value_name = "PARAMETER", value_parser = PossibleValuesParser::new(VARIED.map(|c| c.name)))]
    pub(crate) x: Option<String>,

    /// Number of searches to simulate concurrently; by default one per processor
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Print one JSON object per cell to standard output instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

/// The policies that several agents can follow.
fn walking() -> impl TypedValueParser<Value = Selection> {
    const ALL: [Selection; 2] = [Selection::Ucb1, Selection::Puct];
    PossibleValuesParser::new(ALL.map(Selection::name))
        .map(|text| ALL.into_iter().find(|policy| policy.name() == text).expect("only listed names pass"))
}

const SIMULATE_HELP: &str = "\
Searches run in virtual time, with any number of agents and workers; the same command writes the
same files on every machine. Each combination of parameter values is a cell, and each cell is
searched under every seed. See docs/guide/simulation.md for the model and the columns.

  DIR/searches.csv   a row per search
  DIR/cells.csv      a row per cell: shares with Wilson's 95 % intervals, means, medians
  DIR/*.svg          solve rate, virtual time to proof, duplicate work, collisions, utilisation of
                     workers and of the model, throughput

The horizontal axis of the plots is the parameter with the most values, or the one given by --x.
There is a line for each combination of the others.

Exit codes: 0 finished, 2 wrong usage or files that cannot be read, 130 interrupted (searches.csv
contains the finished searches).

Examples:
  andor-lab simulate --agents 1,4,16,64 --workers 4
  andor-lab simulate --preset hard --critic --agents 16 --virtual-loss 0,0.5,1,2
  andor-lab simulate --agents 8 --block-fraction 0,0.1,0.3,0.5 --reroute 0,3 --x block_fraction
  andor-lab simulate --agents 8 --block-fraction 0.3 --reroute 0,3 --block-seed 1 --obstacle-visits all
  andor-lab simulate --recorded RUN --agents 1,8 --workers 1,4 --tactic-latency recorded:RUN.jsonl";
