//! Tree search over the states of agents.
//!
//! A search is three functions: [`Select`] says which nodes are expanded, [`Expand`] makes their children, [`Prune`] says
//! which nodes are not expanded any more. The [`Tree`] is immutable data; nothing that a search goes by is hidden outside
//! it. Any state can be searched:
//!
//! ```
//! use andor_rollout::search::{expand_by, prune, select};
//! use andor_rollout::{Child, VerifyResult, run_search};
//!
//! // From 1 to 10 by doubling, or adding 3: 1, 4, 7, 10.
//! let expand = expand_by(2, |branch| {
//!     let n: u32 = if branch.branch == 0 { *branch.state * 2 } else { *branch.state + 3 };
//!     let verdict = match n {
//!         10 => VerifyResult::solved(),
//!         11.. => VerifyResult::invalid("too large"),
//!         _ => VerifyResult::scored(f64::from(n) / 10.0),
//!     };
//!     vec![Child::new(n, verdict)]
//! });
//! # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
//! # runtime.block_on(async {
//! let found = run_search(1, select::best(), expand, prune::depth(5), 100).await?;
//! let solution = found.tree.solution().unwrap();
//! assert_eq!(found.tree.id(solution).to_string(), "0.1.1.1");
//! # Ok::<(), andor_rollout::search::SearchError>(())
//! # }).unwrap();
//! ```
//!
//! Mostly, states are those of [agents](Agent): models that act in an [`Environment`] through tools. [`turns`] makes an
//! expander of an agent, and [`linear`], [`beam`], [`best_first`] and [`mcts`] make searches of expanders:
//!
//! ```
//! use std::sync::Arc;
//!
//! use andor_model::{Answer, Choice, Scripted, request::ToolCall};
//! use andor_rollout::puzzle::Puzzle;
//! use andor_rollout::{Agent, AgentState, Child, VerifyResult, beam, turns};
//!
//! // A model that doubles the number twice and hands it in. `Http` asks a server instead.
//! let call = |name: &str| ToolCall { id: String::new(), name: name.into(), arguments: "{}".into() };
//! let choice = Choice { tool_calls: ["double", "double", "submit"].map(call).to_vec(), ..Choice::default() };
//! let model = Scripted::new("doubler", move |_, _| {
//!     Ok(Answer { choices: vec![choice.clone()], ..Answer::default() })
//! });
//!
//! let puzzle = Puzzle::new(3, 12);
//! let state = AgentState::new([puzzle.task()], Arc::new(puzzle));
//! // Two turns an expansion, four branches, a beam of four.
//! let search = beam(turns(Agent::new(Arc::new(model)), 2, 4), 4, 8);
//! # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
//! # runtime.block_on(async {
//! let found = search.run(Child::new(state, VerifyResult::default())).await?;
//! assert!(found.tree.solution().is_some());
//! # Ok::<(), andor_rollout::search::SearchError>(())
//! # }).unwrap();
//! ```
//!
//! A search in a [`Journal`] survives the end of its program, and its tree may be larger than memory.

pub mod agent;
mod attempt;
pub mod code;
mod configured;
pub mod draw;
pub mod environment;
pub mod journal;
pub mod prefix;
pub mod proof;
pub mod puzzle;
pub mod search;
pub mod trajectory;
mod tree;

pub use agent::{Agent, AgentState, Stop, turns};
pub use environment::{Call, Environment, EnvironmentError, Outcome};
pub use journal::Journal;
pub use search::{
    Expand, Expansion, Prune, Search, SearchResult, Select, beam, best_first, linear, mcts, run_search,
};
pub use tree::{Child, Key, Node, NodeId, NotAnId, PruneReason, Tree, TreeError, VerifyResult, make_root};
