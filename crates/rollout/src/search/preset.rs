//! Searches that have names: each is a combination of a selector, an expander and a pruner.

use super::select::Widening;
use super::{Expand, Search, prune, select};

/// One branch, step after step, until it ends: what an agent does without search.
pub fn linear<S: Send + Sync + 'static>(expand: impl Expand<S> + 'static, max_steps: u64) -> Search<S> {
    Search { max_steps, ..Search::new(select::all_frontier(), expand) }
}

/// Beam search, as Kevin-32B does it: every node of the beam is expanded, and the `width` best children are the next beam.
pub fn beam<S: Send + Sync + 'static>(
    expand: impl Expand<S> + 'static,
    width: usize,
    max_steps: u64,
) -> Search<S> {
    Search { max_steps, prune: prune::beam(width), ..Search::new(select::all_frontier(), expand) }
}

/// Best-first search: the best node is expanded; nodes below the score, or as deep as the depth, are not.
pub fn best_first<S: Send + Sync + 'static>(
    expand: impl Expand<S> + 'static,
    min_score: f64,
    max_depth: u32,
    max_steps: u64,
) -> Search<S> {
    let prune = prune::compose([prune::threshold(min_score), prune::depth(max_depth)]);
    Search { max_steps, prune, ..Search::new(select::best(), expand) }
}

/// Monte-Carlo tree search: UCB1 with this exploration, and more children for nodes that are visited more often.
pub fn mcts<S: Send + Sync + 'static>(
    expand: impl Expand<S> + 'static,
    exploration: f64,
    max_steps: u64,
) -> Search<S> {
    Search { max_steps, ..Search::new(select::ucb(exploration, Widening::default()), expand) }
}
