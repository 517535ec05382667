//! The search: select, expand, prune, until a solution is found or a limit is reached.

mod expand;
mod preset;
pub mod prune;
mod run;
pub mod select;
mod take;

pub use expand::{Expand, ExpandError, Expansion, Parallel, expand_by, parallel};
pub use preset::{beam, best_first, linear, mcts};
pub(crate) use run::branch_seed;
pub use run::{CallOrder, End, Search, SearchError, SearchResult, run_search};
pub(crate) use take::{Done, take_in};

use crate::tree::{Key, PruneReason, Tree};

/// Which nodes are expanded next. They must be open; they need not be in the frontier.
pub type Select<S> = Box<dyn Fn(&Tree<S>) -> Vec<Key> + Send + Sync>;

/// Which nodes are not expanded any more, and why. A pruner returns them, and the search marks them: it cannot drop a node
/// silently.
pub type Prune<S> = Box<dyn Fn(&Tree<S>) -> Vec<(Key, PruneReason)> + Send + Sync>;
