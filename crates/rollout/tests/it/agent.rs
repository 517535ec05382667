//! Agents with models whose behaviour is known.

use std::sync::Arc;

use andor_config::ToolCalls;
use andor_model::request::{Message, Role};
use andor_model::{Choice, Finish, Model, ModelError, Scripted};
use andor_rollout::agent::{Agent, AgentError, Idle, Limits, Subagents, Vary};
use andor_rollout::puzzle::Puzzle;
use andor_rollout::search::{End, linear};
use andor_rollout::{AgentState, Child, Search, SearchResult, Stop, VerifyResult, turns};

use crate::models::{answer, calling, model};

pub(crate) fn start(number: u64, target: u64) -> Child<AgentState> {
    let puzzle = Puzzle::new(number, target);
    let state = AgentState::new([Message::system("You count."), puzzle.task()], Arc::new(puzzle));
    Child::new(state, VerifyResult::default())
}

async fn alone(agent: Agent, root: Child<AgentState>) -> SearchResult<AgentState> {
    linear(turns(agent, 1, 1), 50).run(root).await.unwrap()
}

/// The texts of a conversation.
fn said(state: &AgentState) -> Vec<&str> {
    state.messages.iter().map(|m| m.content.as_str()).collect()
}

fn end(result: &SearchResult<AgentState>) -> &AgentState {
    result.tree.node(result.tree.best_terminal().unwrap()).state().unwrap()
}

#[tokio::test]
async fn an_agent_calls_tools_until_it_submits() {
    let counter = model("counter", |asked| match asked.number() {
        8 => calling(&[("submit", "{}")]),
        _ => calling(&[("double", "{}")]),
    });
    let result = alone(Agent::new(counter), start(1, 8)).await;
    assert_eq!((result.end, result.steps), (End::Solved, 4));
    let solution = result.tree.node(result.tree.solution().unwrap());
    let state = solution.state().unwrap();
    assert_eq!((state.turns, state.stop.clone()), (4, Some(Stop::Submitted)));
    assert_eq!(state.usage.tokens(), 4 * 15);
    assert_eq!(said(state).iter().filter(|text| text.starts_with("The number is")).count(), 4);
}

#[tokio::test]
async fn right_number_and_no_submission_is_no_solution() {
    let talker = model("talker", |asked| match asked.number() {
        8 => Choice::of_text("It is 8 now."),
        _ => calling(&[("double", "{}")]),
    });
    let result = alone(Agent::new(talker), start(1, 8)).await;
    assert_eq!((result.end, result.tree.solution()), (End::Exhausted, None));
    assert_eq!(end(&result).stop, Some(Stop::Answered));
}

/// The document has the field and never says it to the agent.
#[tokio::test]
async fn feedback_is_said_and_a_model_that_needs_it_solves() {
    let needs_feedback = model("listener", |asked| match asked.told() {
        told if told.contains("4 to go") => calling(&[("double", "{}"), ("submit", "{}")]),
        _ => calling(&[("add", r#"{"what": 1}"#)]),
    });
    let result = alone(Agent::new(needs_feedback), start(3, 8)).await;
    assert_eq!(result.end, End::Solved);
    assert!(said(end(&result)).contains(&"4 to go. Steps so far: 1."));
}

#[tokio::test]
async fn broken_calls_are_answered_and_do_not_end_the_agent() {
    let broken = Arc::new(Scripted::sequence(
        [
            calling(&[("triple", "{}")]),
            calling(&[("add", "{what: 1}")]),
            calling(&[("add", r#"{"what": 9}"#)]),
            calling(&[("add", r#"{"by": 1}"#)]),
            calling(&[("add", "[1]")]),
            Choice { finish: Finish::Length, ..Choice::of_text("I think that") },
            calling(&[("add", r#"{"what": 1}"#), ("submit", ""), ("double", "{}")]),
        ]
        .map(|choice| Ok(answer(choice))),
    ));
    let result = alone(Agent::new(broken), start(7, 8)).await;
    assert_eq!(result.end, End::Solved);
    let said = said(end(&result)).join("\n");
    for text in [
        "There is no tool `triple`. Tools: double, add, submit.",
        "The call of `add` is wrong: the arguments are not valid JSON",
        "`what` must be one of 1, 2, 3",
        "`what` is missing; there is no `by`; there are: what",
        "must be of type object",
        "Your message was cut off",
        "This call was not executed",
    ] {
        assert!(said.contains(text), "{text} in {said}");
    }
}

#[tokio::test]
async fn an_agent_that_loops_ends_at_its_limits() {
    let looping = || Agent::new(model("loop", |_| calling(&[("add", r#"{"what": 4}"#)])));
    let limits = Limits { turns: 5, ..Limits::default() };
    let result = alone(Agent { limits, ..looping() }, start(1, 8)).await;
    assert_eq!((end(&result).stop.clone(), end(&result).turns), (Some(Stop::Turns), 5));

    let limits = Limits { tokens: Some(40), ..Limits::default() };
    let result = alone(Agent { limits, ..looping() }, start(1, 8)).await;
    assert_eq!((end(&result).stop.clone(), end(&result).turns), (Some(Stop::Tokens), 3));

    let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let result = alone(Agent { limits, ..looping() }, start(1, 8)).await;
    assert_eq!((end(&result).stop.clone(), end(&result).turns), (Some(Stop::Time), 0));
}

#[tokio::test]
async fn an_idle_agent_stops_or_is_reminded() {
    let idle = || {
        model("idle", |asked| match asked.told() {
            "Call a tool." => calling(&[("double", "{}"), ("submit", "{}")]),
            _ => Choice::of_text("Let me think."),
        })
    };
    assert_eq!(end(&alone(Agent::new(idle()), start(4, 8)).await).stop, Some(Stop::Answered));
    let reminded = Agent { idle: Idle::Remind("Call a tool.".into()), ..Agent::new(idle()) };
    // The feedback of the puzzle comes after the reminder, unless both turns are of one expansion.
    let result = linear(turns(reminded, 2, 1), 5).run(start(4, 8)).await.unwrap();
    assert_eq!(result.end, End::Solved);
}

#[tokio::test]
async fn an_environment_may_act_on_a_message() {
    let quitter = model("quitter", |_| Choice { text: "I give up.".into(), ..calling(&[("double", "{}")]) });
    let result = alone(Agent::new(quitter), start(4, 8)).await;
    let state = end(&result);
    assert_eq!(state.stop, Some(Stop::GaveUp));
    assert!(said(state).contains(&"This call was not executed: the agent had stopped before."));
}

#[tokio::test]
async fn tools_can_be_called_by_text() {
    let writer = model("writer", |asked| {
        assert!(asked.request.tools.is_empty());
        assert!(asked.messages().iter().all(|m| m.role != Role::Tool && m.tool_calls.is_empty()));
        Choice::of_text(match asked.told() {
            told if told.starts_with("This is no") || told.contains("is no call") => {
                "```tool\n{\"name\": \"double\"}\n```\n```tool\n{\"name\": \"submit\", \"arguments\": {}}\n```"
            }
            _ => "```tool\ndouble()\n```",
        })
    });
    let agent = Agent { tool_calls: ToolCalls::Text, ..Agent::new(writer) };
    let result = linear(turns(agent, 4, 1), 1).run(start(4, 8)).await.unwrap();
    assert_eq!(
        result.end,
        End::Solved,
        "{:?}",
        said(result.tree.node(result.tree.nodes().last().unwrap().0).state().unwrap())
    );
}

/// In the document the agent runs once, and its state is copied as often as there are branches.
#[tokio::test]
async fn branches_of_one_expansion_differ() {
    let by_seed =
        model("by-seed", |asked| calling(&[("add", &format!(r#"{{"what": {}}}"#, asked.seed() % 3 + 1))]));
    let search = Search { max_steps: 1, seed: 3, ..linear(turns(Agent::new(by_seed), 1, 8), 1) };
    let tree = search.run(start(1, 100)).await.unwrap().tree;
    let states: Vec<_> = tree.frontier().map(|(_, node)| node.state().unwrap()).collect();
    let mut seeds: Vec<u64> = states.iter().map(|state| state.branch.as_ref().unwrap().seed).collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 8);
    let mut results: Vec<&str> = states.iter().map(|state| *said(state).last().unwrap()).collect();
    results.sort_unstable();
    results.dedup();
    assert_eq!(results, ["The number is 2.", "The number is 3.", "The number is 4."]);
}

#[tokio::test]
async fn branches_may_differ_by_temperature_and_model() {
    let named = |name: &str| model(name, |_| calling(&[("double", "{}")]));
    let vary = Vary { temperatures: vec![0.0, 0.5, 1.0], models: vec![named("a"), named("b")] };
    let expand = turns(Agent::new(named("own")), 1, 6).varying(vary);
    let tree = linear(expand, 1).run(start(1, 100)).await.unwrap().tree;
    let branches: Vec<(f64, String)> = tree
        .frontier()
        .map(|(_, node)| node.state().unwrap().branch.clone().unwrap())
        .map(|branch| (branch.temperature, branch.model))
        .collect();
    let expected = [(0.0, "a"), (0.5, "b"), (1.0, "a"), (0.0, "b"), (0.5, "a"), (1.0, "b")];
    assert_eq!(branches, expected.map(|(temperature, model)| (temperature, model.to_owned())));
}

/// In the document the first branch acts in the environment of its parent.
#[tokio::test]
async fn no_branch_shares_an_environment() {
    let doubling = model("doubling", |_| calling(&[("double", "{}")]));
    let root = start(1, 64);
    let before = root.state.environment.serialize().await.unwrap();
    let tree = linear(turns(Agent::new(doubling), 1, 2), 2).run(root).await.unwrap().tree;
    assert_eq!(tree.len(), 7);
    let mut environments: Vec<*const ()> = Vec::new();
    for (_, node) in tree.nodes() {
        let state = node.state().unwrap();
        let saved = state.environment.serialize().await.unwrap();
        assert_eq!(saved["number"], 1 << node.depth());
        environments.push(Arc::as_ptr(&state.environment).cast());
    }
    let root = tree.nodes().next().unwrap().1.state().unwrap();
    assert_eq!(root.environment.serialize().await.unwrap(), before);
    environments.sort_unstable();
    environments.dedup();
    assert_eq!(environments.len(), 7);
}

#[tokio::test]
async fn a_subagent_works_in_a_copy_and_its_cost_counts() {
    let boss = model("boss", |asked| match asked.told() {
        told if told.starts_with("Count for me") => Choice::of_text("Doubling it is right."),
        told if told.starts_with("The subagent is done. It said:\nDoubling") => {
            calling(&[("double", "{}"), ("submit", "{}")])
        }
        _ => calling(&[("spawn_subagent", r#"{"subtask": "Count for me. The number is 4.", "turns": 2}"#)]),
    });
    let subagents = Subagents { depth: 1, number: 2, turns: 4, tokens: None };
    let agent = Agent { subagents, ..Agent::new(Arc::clone(&boss)) };
    let result = linear(turns(agent, 2, 1), 1).run(start(4, 8)).await.unwrap();
    assert_eq!(result.end, End::Solved);
    let state = end(&result);
    assert_eq!((state.subagents, state.usage.requests, state.turns), (1, 3, 2));
    // Without leave there is no such tool.
    let result = linear(turns(Agent::new(boss), 1, 1), 1).run(start(4, 8)).await.unwrap();
    let state = result.tree.nodes().last().unwrap().1.state().unwrap();
    assert!(said(state).last().unwrap().starts_with("There is no tool `spawn_subagent`"));
}

/// Every agent spawns another, for ever, if it may.
#[tokio::test]
async fn subagents_are_bounded_in_depth_and_number() {
    let spawner = model("spawner", |_| calling(&[("spawn_subagent", r#"{"subtask": "The number is 1."}"#)]));
    let subagents = Subagents { depth: 3, number: 5, turns: 2, tokens: None };
    let agent = Agent { subagents, ..Agent::new(spawner) };
    let result = linear(turns(agent, 4, 1), 1).run(start(4, 8)).await.unwrap();
    let state = result.tree.nodes().last().unwrap().1.state().unwrap();
    assert_eq!((state.subagents, state.turns), (5, 4));
    assert!(said(state).contains(&"No subagent is left: there may be 5."));
}

#[tokio::test]
async fn what_the_model_refuses_ends_the_branch_and_what_may_pass_ends_the_search() {
    let failing = |error: ModelError| -> Arc<dyn Model> {
        Arc::new(Scripted::new("failing", move |_, _| Err(error.clone())))
    };
    let long = ModelError::ContextTooLong { prompt: None, limit: None, message: String::new() };
    assert_eq!(end(&alone(Agent::new(failing(long)), start(1, 8)).await).stop, Some(Stop::Context));
    let refused = ModelError::BadRequest { status: 400, message: "no".into() };
    assert_eq!(end(&alone(Agent::new(failing(refused)), start(1, 8)).await).stop, Some(Stop::Refused));

    let late =
        ModelError::Timeout { phase: andor_model::Phase::Total, limit: std::time::Duration::from_secs(1) };
    let slow = Agent::new(failing(late));
    assert!(linear(turns(slow.clone(), 1, 1), 5).run(start(1, 8)).await.is_err());
    let limits = Limits { time: Some(std::time::Duration::from_secs(3600)), ..Limits::default() };
    assert_eq!(end(&alone(Agent { limits, ..slow }, start(1, 8)).await).stop, Some(Stop::Time));

    let down = ModelError::Unreachable { message: "refused".into() };
    let agent = Agent::new(failing(down));
    let error = agent.go(&start(1, 8).state, None, 1, &agent.run(1)).await.unwrap_err();
    assert!(matches!(error, AgentError::Model { .. }), "{error}");
    assert!(linear(turns(agent, 1, 1), 5).run(start(1, 8)).await.is_err());
}
