//! Agents: language models that prove theorems with tools, and the search over their states.

use andor_core::choice;
use serde::{Deserialize, Serialize};

use crate::rules::broken;
use crate::{Config, ConfigError};

choice!(
    /// How the tree of an agent's states is searched.
    #[derive(Default)]
    AgentPreset {
        /// One branch, until it ends: no search.
        #[default]
        Linear = "linear",
        /// Every node of the beam is expanded, and the best children are the next beam.
        Beam = "beam",
        /// The node with the best score is expanded.
        BestFirst = "best-first",
        /// Monte-Carlo tree search by UCB1.
        Mcts = "mcts",
    }
);

choice!(
    /// How an agent calls tools.
    #[derive(Default)]
    ToolCalls {
        /// By the server's own interface.
        #[default]
        Native = "native",
        /// By blocks in the text, for servers without such an interface.
        Text = "text",
    }
);

/// Agents, and the search over their states. Values that are not given have defaults, which depend on the preset.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AgentConfig {
    /// The model: a name of `models`, a URL, or `replay=RUN` for the answers recorded in a run.
    pub model: String,
    /// The search.
    pub preset: AgentPreset,
    /// How tools are called.
    pub tool_calls: ToolCalls,
    /// Branches of each expansion.
    pub branch: Option<u32>,
    /// Turns of a branch in one expansion.
    pub turns: Option<u32>,
    /// Turns of an agent from the root on.
    pub max_turns: Option<u32>,
    /// Steps of the search.
    pub max_steps: Option<u64>,
    /// Nodes of the beam.
    pub width: Option<u32>,
    /// Nodes below this score are not expanded.
    pub min_score: Option<f64>,
    /// Nodes as deep as this are not expanded.
    pub max_depth: Option<u32>,
    /// The weight of exploration.
    pub exploration: Option<f64>,
    /// Temperatures of the branches of an expansion, in turn.
    pub temperatures: Vec<f64>,
    /// Branches that run at the same time.
    pub parallel: Option<u32>,
    /// Subagents that there may be in a branch.
    pub subagents: Option<u32>,
}

impl AgentConfig {
    /// Branches of each expansion.
    pub fn branch(&self) -> u32 {
        self.branch.unwrap_or(match self.preset {
            AgentPreset::Linear | AgentPreset::Mcts => 1,
            AgentPreset::Beam | AgentPreset::BestFirst => 4,
        })
    }

    /// Turns of a branch in one expansion.
    pub fn turns(&self) -> u32 {
        self.turns.unwrap_or(1)
    }

    /// Turns of an agent from the root on.
    pub fn max_turns(&self) -> u32 {
        self.max_turns.unwrap_or(40)
    }

    /// Steps of the search.
    pub fn max_steps(&self) -> u64 {
        self.max_steps.unwrap_or(match self.preset {
            AgentPreset::Linear | AgentPreset::Beam => 40,
            AgentPreset::BestFirst | AgentPreset::Mcts => 100,
        })
    }

    /// Nodes of the beam.
    pub fn width(&self) -> u32 {
        self.width.unwrap_or(4)
    }

    /// Nodes below this score are not expanded.
    pub fn min_score(&self) -> f64 {
        self.min_score.unwrap_or(0.0)
    }

    /// Nodes as deep as this are not expanded.
    pub fn max_depth(&self) -> u32 {
        self.max_depth.unwrap_or(u32::MAX)
    }

    /// The weight of exploration.
    pub fn exploration(&self) -> f64 {
        self.exploration.unwrap_or(std::f64::consts::SQRT_2)
    }

    /// Branches that run at the same time.
    pub fn parallel(&self) -> u32 {
        self.parallel.unwrap_or(1)
    }

    /// The run whose recorded answers take the place of the model's.
    pub fn replayed(&self) -> Option<&str> {
        self.model.strip_prefix("replay=")
    }
}

/// The first rule that the agent breaks.
pub(super) fn check(config: &Config) -> Result<(), ConfigError> {
    let Some(agent) = &config.agent else { return Ok(()) };
    if agent.model.is_empty() || agent.replayed() == Some("") {
        return broken("--model", "needs the name or URL of a model, or replay=RUN");
    }
    let (beam, best_first, mcts) = (AgentPreset::Beam, AgentPreset::BestFirst, AgentPreset::Mcts);
    let of_preset = [
        ("--width", agent.width.is_some(), beam, "needs --preset beam"),
        ("--min-score", agent.min_score.is_some(), best_first, "needs --preset best-first"),
        ("--max-depth", agent.max_depth.is_some(), best_first, "needs --preset best-first"),
        ("--exploration", agent.exploration.is_some(), mcts, "needs --preset mcts"),
    ];
    if let Some((option, _, _, rule)) =
        of_preset.into_iter().find(|(_, given, preset, _)| *given && *preset != agent.preset)
    {
        return broken(option, rule);
    }
    if agent.preset == AgentPreset::Linear && agent.branch() != 1 {
        return broken(
            "--branch",
            "must be 1 with --preset linear, which has a single branch; choose another",
        );
    }
    if agent.preset == AgentPreset::Linear && agent.temperatures.len() > 1 {
        return broken(
            "--branch-temperature",
            "needs a --preset with several branches; give one temperature",
        );
    }
    let counts = [
        ("--branch", agent.branch.map(u64::from)),
        ("--turns", agent.turns.map(u64::from)),
        ("--max-turns", agent.max_turns.map(u64::from)),
        ("--max-steps", agent.max_steps),
        ("--width", agent.width.map(u64::from)),
        ("--max-depth", agent.max_depth.map(u64::from)),
        ("--parallel", agent.parallel.map(u64::from)),
    ];
    if let Some((option, _)) = counts.into_iter().find(|(_, count)| *count == Some(0)) {
        return broken(option, "must be at least 1");
    }
    if agent.min_score.is_some_and(|score| !(0.0..=1.0).contains(&score)) {
        return broken("--min-score", "must be between 0 and 1");
    }
    if agent.exploration.is_some_and(|c| !(0.0..=1e6).contains(&c)) {
        return broken("--exploration", "must be at least 0 and at most 1000000");
    }
    if agent.temperatures.iter().any(|t| !(0.0..=100.0).contains(t)) {
        return broken("--branch-temperature", "must be between 0 and 100");
    }
    Ok(())
}
