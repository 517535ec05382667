//! Options of agents, and of what is done to them on purpose (`distributed-mcts-guide`, "CLI Contract").

use andor_run::config::{MctsMode, ObstacleVisitsConfig};
use clap::Args;

use super::values::{names, whole};

#[derive(Debug, Args)]
#[command(next_help_heading = "Agents")]
pub(crate) struct AgentArgs {
    /// Who controls the search: one agent, or several that share the tree. All options below that begin with --mcts
    /// need `distributed` [default: centralized]
    #[arg(long, value_name = "MODE", value_parser = names!(MctsMode))]
    pub(crate) mcts_mode: Option<MctsMode>,

    /// Agents; required in distributed mode
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) mcts_agents: Option<u32>,

    /// Nodes that all agents together may have reserved at once; required in distributed mode
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) mcts_inflight: Option<u32>,

    /// How much work in flight counts against the nodes on its path; 0 lets agents collide [default: 1]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) mcts_virtual_loss: Option<f64>,

    /// Added to the score of a node for each step of its depth [default: 0]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) mcts_depth_bias: Option<f64>,

    /// Added to the score of a node on the agent's previous path [default: 0]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) mcts_path_bias: Option<f64>,

    /// Each agent remembers, goal by goal, what it was proposed and what failed
    #[arg(long)]
    pub(crate) mcts_history_cache: bool,
}

/// Time is counted in global iterations, those of all agents together.
#[derive(Debug, Args)]
#[command(next_help_heading = "Interventions (durations are in iterations of all agents together)")]
pub(crate) struct InterventionArgs {
    /// Block this share of the nodes, strictly between 0 and 1; each is decided when an agent first comes to it. Needs
    /// --mcts-block-duration and --mcts-block-seed
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub(crate) mcts_block_fraction: Option<f64>,

    /// How long a block lasts; below 0 for good
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) mcts_block_duration: Option<i64>,

    /// The seed of blocks
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub(crate) mcts_block_seed: Option<u64>,

    /// The share of blocks that neither end nor are lifted, from 0 to 1 [default: 0]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub(crate) mcts_block_immovable_fraction: Option<f64>,

    /// Agents that come back to a blocked node lift the block from the N-th time on; 1 unless given, if
    /// --mcts-unfreeze-prob is
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    pub(crate) mcts_unfreeze_after: Option<u64>,

    /// The chance of each such time to lift it, above 0; 1 unless given, if --mcts-unfreeze-after is
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) mcts_unfreeze_prob: Option<f64>,

    /// An agent that runs into a blocked or delayed node tries others; needs --mcts-reroute-max
    #[arg(long)]
    pub(crate) mcts_reroute_blocked: bool,

    /// How many others
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) mcts_reroute_max: Option<u32>,

    /// Which obstacles count as visits without success on the way there: none, the last one of an iteration that ended at
    /// it, or all, those that were gone round too; `last` unless given
    #[arg(long, value_name = "WHICH", value_parser = names!(ObstacleVisitsConfig))]
    pub(crate) mcts_obstacle_visits: Option<ObstacleVisitsConfig>,

    /// Delay selected nodes with this chance, strictly between 0 and 1; needs --mcts-delay-duration and --mcts-delay-seed
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) mcts_delay_prob: Option<f64>,

    /// How long a delay lasts
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) mcts_delay_duration: Option<i64>,

    /// The seed of delays
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) mcts_delay_seed: Option<i64>,
}
