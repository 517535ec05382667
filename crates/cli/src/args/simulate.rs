//! The options of `andor simulate`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use andor_config::{
    Backprop, Expand, IdentityConfig, LatencySpec, ObstacleVisitsConfig, Policy, seconds, whole,
};
use andor_env::synthetic::Preset;
use andor_lab::bench::quality::Seeds;
use andor_lab::simulate::table::VARIED;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::options::{at_least_one, names};
use super::seeds;

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
#[command(next_help_heading = "What is searched")]
pub(crate) struct SubjectArgs {
    /// Presets of the synthetic environment; `medium` unless anything is given
    #[arg(long = "preset", value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) presets: Vec<Preset>,

    /// Searches that were recorded: traces, or folders that `andor prove --out` wrote
    #[arg(long, value_name = "RUN|TRACE", num_args = 1..)]
    pub(crate) recorded: Vec<PathBuf>,

    /// Seeds of the searches, of what is done to them and of the synthetic instances
    #[arg(long, value_name = "FIRST..LAST", default_value = "1..50", value_parser = seeds)]
    pub(crate) seeds: Seeds,

    /// Ask the synthetic environment's critic
    #[arg(long)]
    pub(crate) critic: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What is varied")]
pub(crate) struct VariedArgs {
    /// Agents that share a tree
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,4,16")]
    pub(crate) agents: Vec<u32>,

    /// Workers, which try tactics
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "4")]
    pub(crate) workers: Vec<u32>,

    /// The weight of work in flight; 0 lets agents collide
    #[arg(
        long,
        value_name = "X,…",
        value_delimiter = ',',
        default_value = "1",
        allow_negative_numbers = true
    )]
    pub(crate) virtual_loss: Vec<f64>,

    /// The share of nodes that are blocked when an agent first comes to them; 0: none
    #[arg(
        long,
        value_name = "P,…",
        value_delimiter = ',',
        default_value = "0",
        allow_negative_numbers = true
    )]
    pub(crate) block_fraction: Vec<f64>,

    /// For how many iterations; below 0 for good
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        default_value = "-1",
        allow_negative_numbers = true
    )]
    pub(crate) block_duration: Vec<i64>,

    /// How many other nodes an agent tries that runs into a blocked or delayed one; 0: its iteration ends
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "0")]
    pub(crate) reroute: Vec<u32>,

    /// The chance that a selected node is delayed; 0: none
    #[arg(
        long,
        value_name = "P,…",
        value_delimiter = ',',
        default_value = "0",
        allow_negative_numbers = true
    )]
    pub(crate) delay_prob: Vec<f64>,

    /// For how many iterations
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
#[command(next_help_heading = "Damage in all cells that are damaged")]
pub(crate) struct DamageArgs {
    /// Block the same places under every seed; unless given, each search blocks by its own
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub(crate) block_seed: Option<u64>,

    /// This share of blocks, between 0 and 1, neither ends nor is lifted
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) block_immovable_fraction: Option<f64>,

    /// Agents that come back to a blocked node lift the block from the N-th time on; 1 unless given, if --unfreeze-prob is
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub(crate) unfreeze_after: Option<u64>,

    /// The chance of each such time to lift it, above 0; 1 unless given, if --unfreeze-after is
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) unfreeze_prob: Option<f64>,

    /// Delay at the same places and times under every seed; unless given, each search delays by its own
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) delay_seed: Option<i64>,

    /// Which obstacles count as visits without success on the way there: none, the last one of an iteration that ended at
    /// it, or all, those that were gone round too; `last` unless given
    #[arg(long, value_name = "WHICH", value_parser = names!(ObstacleVisitsConfig))]
    pub(crate) obstacle_visits: Option<ObstacleVisitsConfig>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SimulatedSearchArgs {
    /// Where to work
    #[arg(long, default_value = "puct", value_parser = walking())]
    pub(crate) policy: Policy,

    /// The weight of exploration; √2 for ucb1 and 0.5 for puct unless given
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    pub(crate) exploration: Option<f64>,

    /// How values follow from results
    #[arg(long, default_value = "product", value_parser = names!(Backprop))]
    pub(crate) backprop: Backprop,

    /// How many candidates of a node become steps
    #[arg(long, default_value = "first-novel", value_parser = names!(Expand))]
    pub(crate) expand: Expand,

    /// When two obligations share a node
    #[arg(long, default_value = "checkpoint", value_parser = names!(IdentityConfig))]
    pub(crate) identity: IdentityConfig,

    /// Added to the score of a node on the agent's own previous path
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) path_bias: Option<f64>,

    /// Added to a node's score for each step of its depth; needs --identity strict, since in a tree all nodes of a choice
    /// stand equally deep
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) depth_bias: Option<f64>,

    /// Reservations that the agents of a search may hold together; as many as there are agents unless given
    #[arg(long, value_name = "N")]
    pub(crate) inflight: Option<u32>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Time")]
pub(crate) struct LatencyArgs {
    /// A call of the provider: `200ms`, `lognormal:200ms:0.5` (median, standard deviation of the logarithm), or
    /// `recorded:FILE`
    #[arg(long, value_name = "SPEC", default_value = "200ms")]
    pub(crate) provider_latency: LatencySpec,

    /// A tactic
    #[arg(long, value_name = "SPEC", default_value = "lognormal:50ms:0.5")]
    pub(crate) tactic_latency: LatencySpec,

    /// Calls that the model takes at once; any number unless given
    #[arg(long, value_name = "N")]
    pub(crate) model_slots: Option<u32>,
}

#[derive(Debug, Args)]
#[command(
    next_help_heading = "Budget per search (the preset's standard number of tactic applications unless given)"
)]
pub(crate) struct SimulatedBudgetArgs {
    /// Time on the virtual clock
    #[arg(long, value_name = "DURATION", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) virtual_time: Option<f64>,

    /// Rounds of selection, expansion and back-up
    #[arg(long, value_name = "N")]
    pub(crate) max_iterations: Option<u64>,

    /// Iterations that add a step
    #[arg(long, value_name = "N")]
    pub(crate) max_expansions: Option<u64>,

    /// Nodes of the tree
    #[arg(long, value_name = "N")]
    pub(crate) max_nodes: Option<u64>,

    /// Candidates tried
    #[arg(long, value_name = "N")]
    pub(crate) max_candidates: Option<u64>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct SimulationOutputArgs {
    /// The folder for tables and plots
    #[arg(long, value_name = "DIR", default_value = "simulation")]
    pub(crate) out: PathBuf,

    /// Overwrite what an earlier sweep left there
    #[arg(long)]
    pub(crate) force: bool,

    /// What stands at the horizontal axis of the plots; unless given, the parameter with the most values
    #[arg(long, value_name = "PARAMETER", value_parser = PossibleValuesParser::new(VARIED.map(|c| c.name)))]
    pub(crate) x: Option<String>,

    /// Searches simulated at the same time; one per processor unless given
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// A JSON object per cell on standard output instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

/// The policies that many agents can follow.
fn walking() -> impl TypedValueParser<Value = Policy> {
    const ALL: [Policy; 2] = [Policy::Ucb1, Policy::Puct];
    PossibleValuesParser::new(ALL.map(Policy::name))
        .map(|text| ALL.into_iter().find(|policy| policy.name() == text).expect("only listed names pass"))
}

const SIMULATE_HELP: &str = "\
Searches run in virtual time, with as many agents and workers as you like; the same command
writes the same bytes, whatever the machine. Each combination of the values listed is a cell, and
each cell is searched under every seed. docs/guide/simulation.md says what is modelled, and what each
column means.

  DIR/searches.csv   a row per search
  DIR/cells.csv      a row per cell: shares with Wilson's 95 % intervals, means, medians
  DIR/*.svg          solve rate, virtual time to proof, duplicate work, collisions, utilisation of
                     workers and of the model, throughput

Plots have the parameter with the most values at their horizontal axis, or what --x says, and a
line for each combination of the others.

Exit codes: 0 finished, 2 wrong usage or files that cannot be read, 130 interrupted (searches.csv
holds what was finished).

Examples:
  andor simulate --agents 1,4,16,64 --workers 4
  andor simulate --preset hard --critic --agents 16 --virtual-loss 0,0.5,1,2
  andor simulate --agents 8 --block-fraction 0,0.1,0.3,0.5 --reroute 0,3 --x block_fraction
  andor simulate --agents 8 --block-fraction 0.3 --reroute 0,3 --block-seed 1 --obstacle-visits all
  andor simulate --recorded RUN --agents 1,8 --workers 1,4 --tactic-latency recorded:RUN.jsonl";
