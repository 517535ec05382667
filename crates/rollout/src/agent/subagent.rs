//! Agents that an agent spawns for a part of its task.

use std::sync::Arc;

use andor_model::request::{Message, Role, Tool};
use serde_json::{Map, Value, json};

use super::turn::Turn;
use super::{Agent, AgentError, AgentState, Idle, Limits, Stop, Subagents};
use crate::environment::Outcome;
use crate::tree::Child;

/// The name of the tool.
const SPAWN: &str = "spawn_subagent";

/// The tool, if the agent has it.
pub(super) fn tool(subagents: &Subagents) -> Option<Tool> {
    (subagents.depth > 0).then(|| Tool {
        name: SPAWN.to_owned(),
        description: "Has another agent work on a part of the task, in a copy of the environment. It knows nothing of \
                      this conversation, so say all that it needs. The result is what it says at its end."
            .to_owned(),
        parameters: json!({ "type": "object", "required": ["subtask"], "additionalProperties": false,
            "properties": {
                "subtask": { "type": "string", "description": "What it shall do." },
                "turns": { "type": "integer", "minimum": 1,
                    "description": format!("The most turns it may take, at most {}.", subagents.turns) },
                "tokens": { "type": "integer", "minimum": 1, "description": "The most tokens it may use." } } }),
    })
}

/// Whether a call is one of the tool.
pub(super) fn is_named(subagents: &Subagents, name: &str) -> bool {
    subagents.depth > 0 && name == SPAWN
}

/// Runs a subagent to its end. What it costs counts for the agent that spawns it.
pub(super) async fn spawn(
    turn: &mut Turn<'_>,
    arguments: &Map<String, Value>,
    seed: u64,
) -> Result<Outcome, AgentError> {
    let Subagents { depth, number, turns, tokens } = turn.agent.subagents;
    let left = number.saturating_sub(turn.state.subagents);
    if left == 0 {
        return Ok(Outcome::say(format!("No subagent is left: there may be {number}.")));
    }
    turn.state.subagents += 1;
    let asked = |name: &str| arguments.get(name).and_then(Value::as_u64);
    let turns = asked("turns").map_or(turns, |asked| turns.min(u32::try_from(asked).unwrap_or(u32::MAX)));
    let limits = Limits {
        turns,
        tokens: [tokens, asked("tokens"), turn.tokens_left()].into_iter().flatten().min(),
        time: turn.time_left(),
    };
    let agent = Agent {
        limits,
        idle: Idle::Stop,
        subagents: Subagents { depth: depth - 1, number: left - 1, ..turn.agent.subagents },
        ..turn.agent.clone()
    };
    let system = turn.state.messages.first().filter(|first| first.role == Role::System);
    let subtask = arguments.get("subtask").and_then(Value::as_str).unwrap_or_default();
    let messages = system.map(|system| Message::clone(system)).into_iter().chain([Message::user(subtask)]);
    let environment = Arc::from(turn.environment.fork().await?);
    let state = AgentState::new(messages, environment);
    let mut run = turn.run.clone();
    run.branch.seed = seed;
    // An agent may contain one that is run by the same function.
    let end: Child<AgentState> = Box::pin(agent.go(&state, None, turns, &run)).await?;
    turn.state.subagents += end.state.subagents;
    turn.state.spend(end.state.usage);
    let said = end.state.last_words();
    let how = match (&end.state.stop, end.verdict.terminal && end.verdict.valid) {
        (_, true) => "The subagent reached a solution in its copy.",
        (Some(Stop::Turns), _) => "The subagent had no turn left.",
        (Some(Stop::Tokens), _) => "The subagent had no token left.",
        (Some(Stop::Time), _) => "The subagent had no time left.",
        (Some(Stop::Context | Stop::Refused), _) => "The subagent could not go on.",
        _ => "The subagent is done.",
    };
    let feedback = end.verdict.feedback.as_deref().map(|text| format!("\n\nIts environment says:\n{text}"));
    Ok(Outcome::say(format!("{how} It said:\n{said}{}", feedback.unwrap_or_default())))
}
