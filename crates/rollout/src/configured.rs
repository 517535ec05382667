//! The search over an agent's states that a configuration asks for.

use andor_config::{AgentConfig, AgentPreset, BudgetConfig};
use andor_engine::models::Acting;

use crate::agent::{Agent, AgentState, Idle, Limits, Subagents, Vary, turns};
use crate::search::{Expand, Search, beam, best_first, linear, mcts, parallel, prune};

/// The most turns of a subagent.
const TURNS_OF_SUBAGENT: u32 = 12;

/// The agent of a configuration. If it calls no tool, it is reminded by this text.
pub(crate) fn agent(config: &AgentConfig, acting: &Acting, reminder: &str) -> Agent {
    let number = config.subagents.unwrap_or(0);
    Agent {
        sampling: acting.sampling.clone(),
        tool_calls: config.tool_calls,
        limits: Limits { turns: config.max_turns(), tokens: None, time: None },
        idle: Idle::Remind(reminder.to_owned()),
        subagents: Subagents { depth: u32::from(number > 0), number, turns: TURNS_OF_SUBAGENT, tokens: None },
        ..Agent::new(std::sync::Arc::clone(&acting.model))
    }
}

/// The search of a configuration, with the limits of an attempt on nodes and tokens.
pub fn preset(agent: Agent, config: &AgentConfig, budget: &BudgetConfig, seed: u64) -> Search<AgentState> {
    let vary = Vary { temperatures: config.temperatures.clone(), models: Vec::new() };
    let branches = turns(agent, config.turns(), config.branch()).varying(vary);
    ruled(parallel(config.parallel() as usize, branches), config, budget, seed)
}

/// The search of a configuration, over states of any kind.
pub(crate) fn ruled<S: Send + Sync + 'static>(
    expand: impl Expand<S> + 'static,
    config: &AgentConfig,
    budget: &BudgetConfig,
    seed: u64,
) -> Search<S> {
    let steps = config.max_steps();
    let search = match config.preset {
        AgentPreset::Linear => linear(expand, steps),
        AgentPreset::Beam => beam(expand, config.width() as usize, steps),
        AgentPreset::BestFirst => best_first(expand, config.min_score(), config.max_depth(), steps),
        AgentPreset::Mcts => mcts(expand, config.exploration(), steps),
    };
    let mut pruners = vec![prune::duplicates(), search.prune];
    if let Some(nodes) = budget.max_nodes {
        pruners.push(prune::budget(usize::try_from(nodes).unwrap_or(usize::MAX)));
    }
    if let Some(tokens) = budget.max_tokens_total {
        pruners.push(prune::spent(tokens));
    }
    Search { prune: prune::compose(pruners), seed, ..search }
}
