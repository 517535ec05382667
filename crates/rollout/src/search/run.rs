//! The loop.

use std::sync::Arc;

use andor_model::seed::derived;
use futures_util::StreamExt;
use futures_util::stream;

use super::expand::{Expand, ExpandError, Expansion};
use super::{Prune, Select, prune};
use crate::tree::{Child, Key, NodeId, PruneReason, Tree, TreeError, VerifyResult};

/// A search: three functions, and its limits.
pub struct Search<S> {
    /// Which nodes are expanded next.
    pub select: Select<S>,
    /// What makes their children.
    pub expand: Box<dyn Expand<S>>,
    /// Which nodes are not expanded any more.
    pub prune: Prune<S>,
    /// The most steps, each of which selects, expands and prunes.
    pub max_steps: u64,
    /// Where the random numbers of all branches begin.
    pub seed: u64,
    /// In which order branches are begun.
    pub order: CallOrder,
}

/// In which order the branches of a step are begun. It changes neither what they are asked nor the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallOrder {
    /// By their place in the tree, so that conversations which share a long beginning follow each other, and a server finds
    /// it in its cache.
    #[default]
    Prefix,
    /// As selected.
    Selected,
}

/// How a search ended, and all that it found.
#[derive(Clone, Debug)]
pub struct SearchResult<S> {
    /// The tree.
    pub tree: Tree<S>,
    /// The steps made.
    pub steps: u64,
    /// Why it ended.
    pub end: End,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A solution was found.
    Solved,
    /// Nothing was left to expand, or nothing was selected.
    Exhausted,
    /// It made as many steps as it may.
    Steps,
}

/// Why a search cannot go on now.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// A branch could not be run.
    #[error("node {node}")]
    Expand {
        /// The node that was expanded.
        node: NodeId,
        /// Why.
        source: ExpandError,
    },
    /// The selector or the expander broke the rules of trees.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

/// Runs a search from a state until there is a solution, nothing is left to expand, or the steps are used up.
pub async fn run_search<S: Send + Sync + 'static>(
    initial: S,
    select: Select<S>,
    expand: impl Expand<S> + 'static,
    prune: Prune<S>,
    max_steps: u64,
) -> Result<SearchResult<S>, SearchError> {
    let search = Search { prune, max_steps, ..Search::new(select, expand) };
    search.run(Child::new(initial, VerifyResult::default())).await
}

/// The steps of a search without a given limit.
const MAX_STEPS: u64 = 100;

impl<S: Send + Sync + 'static> Search<S> {
    /// A search that prunes nothing.
    pub fn new(select: Select<S>, expand: impl Expand<S> + 'static) -> Self {
        let (expand, order) = (Box::new(expand), CallOrder::default());
        Self { select, expand, prune: prune::none(), max_steps: MAX_STEPS, seed: 0, order }
    }

    /// Runs it from a state.
    pub async fn run(&self, root: Child<S>) -> Result<SearchResult<S>, SearchError> {
        let mut tree = Tree::of_root(root)?;
        for steps in 0.. {
            if let Some(end) = self.end(&tree, steps) {
                return Ok(SearchResult { tree, steps, end });
            }
            let selected = (self.select)(&tree);
            if selected.is_empty() {
                return Ok(SearchResult { tree, steps, end: End::Exhausted });
            }
            tree = self.step(tree, &selected).await?;
        }
        unreachable!("the steps are limited")
    }

    fn end(&self, tree: &Tree<S>, steps: u64) -> Option<End> {
        if tree.solutions().next().is_some() {
            Some(End::Solved)
        } else if steps >= self.max_steps {
            Some(End::Steps)
        } else {
            None
        }
    }

    /// Expands the selected nodes and prunes.
    async fn step(&self, tree: Tree<S>, selected: &[Key]) -> Result<Tree<S>, SearchError> {
        let branches = self.branches(&tree, selected)?;
        let mut begun: Vec<&Expansion<S>> = branches.iter().collect();
        if self.order == CallOrder::Prefix {
            begun.sort_by(|a, b| (&a.id, a.place).cmp(&(&b.id, b.place)));
        }
        let results = begun.into_iter().map(|branch| async move {
            let children = self.expand.expand(branch).await;
            let failed = |source| SearchError::Expand { node: branch.id.clone(), source };
            children.map(|children| (branch.key, branch.branch, children)).map_err(failed)
        });
        let mut results = stream::iter(results).buffer_unordered(self.expand.width());
        let mut done = Vec::with_capacity(branches.len());
        while let Some(result) = results.next().await {
            done.push(result?);
        }
        drop(results);
        drop(branches);
        Ok(self.take(tree, selected, done)?)
    }

    /// Takes in the results of a step, in the order of selection.
    fn take(
        &self,
        mut tree: Tree<S>,
        selected: &[Key],
        mut done: Vec<(Key, u32, Vec<Child<S>>)>,
    ) -> Result<Tree<S>, TreeError> {
        let place = |key: Key| selected.iter().position(|selected| *selected == key);
        done.sort_by_key(|(key, branch, _)| (place(*key), *branch));
        for (key, _, children) in done {
            let n = tree.node(key).n_children();
            tree = tree.add_children(key, children)?;
            let new: Vec<Key> = tree.children(key).skip(n as usize).map(|(key, _)| key).collect();
            for child in new {
                let value = worth(tree.node(child).verdict());
                tree = tree.back_up(child, value);
            }
        }
        for &key in selected {
            if tree.node(key).n_children() == 0 {
                tree = tree.prune_node(key, PruneReason::Barren);
            }
        }
        if tree.solutions().next().is_none() {
            let gone = (self.prune)(&tree);
            tree = prune::apply(tree, &gone);
        }
        Ok(tree)
    }

    fn branches(&self, tree: &Tree<S>, selected: &[Key]) -> Result<Vec<Expansion<S>>, TreeError> {
        let mut branches = Vec::new();
        for (i, &key) in selected.iter().enumerate() {
            let node = tree.node(key);
            let id = tree.id(key);
            if !node.is_open() || selected[..i].contains(&key) {
                return Err(TreeError::NotOpen(id));
            }
            let state = node.state().expect("it is in memory");
            let of_node = derived(self.seed, id.number());
            branches.extend((0..self.expand.branches()).map(|branch| {
                let place = node.n_children() + branch;
                Expansion {
                    key,
                    id: id.clone(),
                    state: Arc::clone(state),
                    feedback: node.verdict().feedback.clone(),
                    branch,
                    place,
                    seed: derived(of_node, u64::from(place)),
                }
            }));
        }
        Ok(branches)
    }
}

/// What a verdict is worth when it is backed up: an illegal state 0, a solution without score 1.
fn worth(verdict: &VerifyResult) -> Option<f64> {
    match verdict {
        VerifyResult { valid: false, .. } => Some(0.0),
        VerifyResult { terminal: true, score: None, .. } => Some(1.0),
        VerifyResult { score, .. } => *score,
    }
}
