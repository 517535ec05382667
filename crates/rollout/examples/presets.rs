//! Every preset in one call: `cargo run -p andor-rollout --example presets`.
//!
//! The agent is a model that is told what to say: it doubles the number or adds to it, by its seed, and hands the number in
//! once it is right. With `Http` in its place, a real model plays.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::sync::Arc;

use andor_model::request::{Role, ToolCall};
use andor_model::{Answer, Choice, Input, Model, ModelError, Request, Scripted};
use andor_rollout::puzzle::Puzzle;
use andor_rollout::{Agent, AgentState, Child, Search, VerifyResult};
use andor_rollout::{beam, best_first, linear, mcts, turns};

const TARGET: u64 = 38;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agent = || Agent::new(Arc::new(Scripted::new("wanderer", wander)) as Arc<dyn Model>);
    let presets: [(&str, Search<AgentState>); 4] = [
        ("linear", linear(turns(agent(), 1, 1), 40)),
        ("beam", beam(turns(agent(), 2, 4), 4, 20)),
        ("best-first", best_first(turns(agent(), 1, 4), 0.05, 20, 200)),
        ("mcts", mcts(turns(agent(), 1, 1), 0.1, 400)),
    ];
    for (name, search) in presets {
        let puzzle = Puzzle::new(3, TARGET);
        let state = AgentState::new([puzzle.task()], Arc::new(puzzle));
        let result = search.run(Child::new(state, VerifyResult::default())).await?;
        let found = match result.tree.solution() {
            Some(solution) => format!("solved at {}", result.tree.id(solution)),
            None => "not solved".to_owned(),
        };
        println!("{name:10} {found}, {} nodes, {} steps", result.tree.len(), result.steps);
    }
    Ok(())
}

/// What the model says to a conversation.
fn wander(request: &Request, _: u64) -> Result<Answer, ModelError> {
    let Input::Messages(messages) = &request.input else { return Ok(Answer::default()) };
    let told = messages.iter().rev().filter(|message| message.role != Role::Assistant);
    let number = told.filter_map(|message| message.content.split("The number is ").nth(1)).next();
    let number = number.and_then(|text| text.split('.').next()).and_then(|text| text.parse().ok());
    let (name, arguments) = match (number, request.sampling.seed.unwrap_or_default() % 5) {
        (Some(TARGET), _) => ("submit", "{}".to_owned()),
        (_, 0 | 1) => ("double", "{}".to_owned()),
        (_, n) => ("add", format!(r#"{{"what": {}}}"#, n - 1)),
    };
    let call = ToolCall { id: String::new(), name: name.to_owned(), arguments };
    let choice = Choice { tool_calls: vec![call], ..Choice::default() };
    Ok(Answer { choices: vec![choice], ..Answer::default() })
}
