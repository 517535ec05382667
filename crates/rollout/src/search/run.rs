//! The loop.

use std::collections::HashSet;
use std::sync::Arc;

use andor_model::seed::derived;
use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt, stream};

use super::expand::{Expand, ExpandError, Expansion};
use super::take::{Done, take_in};
use super::{Prune, Select, prune};
use crate::journal::{Journal, JournalError, Pending, Progress};
use crate::tree::{Child, Held, Key, NodeId, PruneReason, Tree, TreeError, VerifyResult};

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
    /// it in its cache. Every other step goes backwards: it begins with the conversations that the server saw last, and
    /// has not displaced yet.
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
    /// The journal cannot be written or read.
    #[error(transparent)]
    Journal(#[from] JournalError),
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
        self.drive(Progress::of_root(root.map(Held::here))?, None).await
    }

    /// Runs it from where its journal ends. The search must be the one that the journal was begun with; it may have more
    /// steps. States may be missing from the tree of the result: the [journal](Journal::state) has them.
    ///
    /// After an error it can be run again.
    pub async fn run_in(&self, journal: &mut Journal<S>) -> Result<SearchResult<S>, SearchError> {
        let progress = journal.progress()?;
        self.drive(progress, Some(journal)).await
    }

    async fn drive(
        &self,
        progress: Progress<S>,
        mut journal: Option<&mut Journal<S>>,
    ) -> Result<SearchResult<S>, SearchError> {
        let Progress { mut tree, mut steps, mut pending } = progress;
        let end = loop {
            let Pending { selected, done } = match pending.take() {
                Some(pending) => pending,
                None if tree.solutions().next().is_some() => break End::Solved,
                None if steps >= self.max_steps => break End::Steps,
                None => {
                    let selected = (self.select)(&tree);
                    if selected.is_empty() {
                        break End::Exhausted;
                    }
                    check(&tree, &selected)?;
                    if let Some(journal) = journal.as_deref_mut() {
                        journal.begin(&tree, steps, &selected)?;
                    }
                    Pending { selected, done: Vec::new() }
                }
            };
            tree = self.step(tree, steps, &selected, done, journal.as_deref_mut()).await?;
            steps += 1;
        };
        if let Some(journal) = journal {
            journal.keep(&tree, steps);
        }
        Ok(SearchResult { tree, steps, end })
    }

    /// Expands the selected nodes, but for the branches that are done, and prunes.
    async fn step(
        &self,
        mut tree: Tree<S>,
        step: u64,
        selected: &[Key],
        mut done: Vec<Done<S>>,
        mut journal: Option<&mut Journal<S>>,
    ) -> Result<Tree<S>, SearchError> {
        if let Some(journal) = journal.as_deref_mut() {
            tree = journal.recall(tree, selected).await?;
        }
        let known: HashSet<(Key, u32)> = done.iter().map(|done| (done.key, done.branch)).collect();
        let mut branches = self.branches(&tree, selected);
        branches.retain(|branch| !known.contains(&(branch.key, branch.branch)));
        if self.order == CallOrder::Prefix {
            branches.sort_by(|a, b| (&a.id, a.place).cmp(&(&b.id, b.place)));
            if step % 2 == 1 {
                branches.reverse();
            }
        }
        let result = |branch| {
            async move {
                let branch: &Expansion<S> = branch;
                let children = self.expand.expand(branch).await;
                let failed = |source| SearchError::Expand { node: branch.id.clone(), source };
                children.map(|children| (branch, children)).map_err(failed)
            }
            .boxed()
        };
        // Collected first: a stream of an iterator with a closure cannot be sent to another thread.
        let results: Vec<BoxFuture<'_, _>> = branches.iter().map(result).collect();
        let mut results = stream::iter(results).buffer_unordered(self.expand.width());
        while let Some(result) = results.next().await {
            let (of, children) = result?;
            let place = match journal.as_deref_mut() {
                Some(journal) => Some(journal.branch(step, of, &children).await?),
                None => None,
            };
            let children = children.into_iter().map(|child| child.map(Held::here)).collect();
            done.push(Done { key: of.key, branch: of.branch, children, place });
        }
        drop(results);
        drop(branches);

        let (tree, places) = take_in(tree, selected, done)?;
        let (mut tree, pruned) = self.pruned(tree, selected);
        if let Some(journal) = journal {
            journal.took(&tree, places);
            journal.end(&tree, step, &pruned)?;
            tree = journal.evict(tree);
        }
        Ok(tree)
    }

    /// The tree after a step without the nodes that are not expanded any more, and which these are.
    pub(crate) fn pruned(&self, mut tree: Tree<S>, selected: &[Key]) -> (Tree<S>, Vec<(Key, PruneReason)>) {
        let barren = selected.iter().filter(|key| tree.node(**key).n_children() == 0);
        let mut pruned: Vec<_> = barren.map(|key| (*key, PruneReason::Barren)).collect();
        tree = prune::apply(tree, &pruned);
        if tree.solutions().next().is_none() {
            let gone = (self.prune)(&tree);
            tree = prune::apply(tree, &gone);
            pruned.extend(gone);
        }
        (tree, pruned)
    }

    fn branches(&self, tree: &Tree<S>, selected: &[Key]) -> Vec<Expansion<S>> {
        let of_node = |key: Key| {
            let (node, id) = (tree.node(key), tree.id(key));
            let state = Arc::clone(node.state().expect("states of selected nodes are recalled"));
            (0..self.expand.branches()).map(move |branch| {
                let place = node.n_children() + branch;
                Expansion {
                    key,
                    state: Arc::clone(&state),
                    feedback: node.verdict().feedback.clone(),
                    branch,
                    place,
                    seed: branch_seed(self.seed, &id, place),
                    id: id.clone(),
                }
            })
        };
        selected.iter().flat_map(|key| of_node(*key)).collect()
    }
}

/// Where the random numbers of a branch begin: the branch at a place among those of a node, in a search with this seed.
pub(crate) fn branch_seed(search: u64, node: &NodeId, place: u32) -> u64 {
    derived(derived(search, node.number()), u64::from(place))
}

/// What is selected must be open, and no node may be selected twice.
fn check<S>(tree: &Tree<S>, selected: &[Key]) -> Result<(), TreeError> {
    let mut seen = HashSet::new();
    match selected.iter().find(|key| !tree.node(**key).is_open() || !seen.insert(**key)) {
        Some(key) => Err(TreeError::NotOpen(tree.id(*key))),
        None => Ok(()),
    }
}
