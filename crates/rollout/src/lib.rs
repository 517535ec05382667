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

pub mod agent;
pub mod environment;
pub mod journal;
pub mod prefix;
pub mod puzzle;
pub mod search;
mod tree;

pub use agent::{Agent, AgentState, Stop, turns};
pub use environment::{Call, Environment, EnvironmentError, Outcome};
pub use journal::Journal;
pub use search::{
    Expand, Expansion, Prune, Search, SearchResult, Select, beam, best_first, linear, mcts, run_search,
};
pub use tree::{Child, Key, Node, NodeId, NotAnId, PruneReason, Tree, TreeError, VerifyResult, make_root};
