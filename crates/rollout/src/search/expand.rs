//! What makes children.

use std::sync::Arc;

use async_trait::async_trait;

use crate::agent::AgentError;
use crate::environment::EnvironmentError;
use crate::tree::{Child, Key, NodeId};

/// One branch of an expansion: the unit of work. Branches of one node, and of several nodes, may run at the same time.
#[derive(Debug)]
pub struct Expansion<S> {
    /// The node that is expanded.
    pub key: Key,
    /// Its name.
    pub id: NodeId,
    /// Its state.
    pub state: Arc<S>,
    /// What the environment told about it when it was made, to be said to the agent.
    pub feedback: Option<Arc<str>>,
    /// The number of the branch among those of this expansion, from 0.
    pub branch: u32,
    /// The number of the branch among all of this node, from 0: nodes may be expanded more than once.
    pub place: u32,
    /// Where the random numbers of the branch begin. It depends on the seed of the search, the node and the place, and on
    /// nothing else.
    pub seed: u64,
}

/// Something that makes children. Branches must differ by what depends on [`Expansion::branch`], [`Expansion::place`] or
/// [`Expansion::seed`].
#[async_trait]
pub trait Expand<S>: Send + Sync {
    /// How many branches a node gets at an expansion.
    fn branches(&self) -> u32 {
        1
    }

    /// How many branches may run at the same time.
    fn width(&self) -> usize {
        1
    }

    /// Runs a branch. Usually it makes one child; it may make several, or none.
    async fn expand(&self, branch: &Expansion<S>) -> Result<Vec<Child<S>>, ExpandError>;
}

#[async_trait]
impl<S: Send + Sync> Expand<S> for Box<dyn Expand<S>> {
    fn branches(&self) -> u32 {
        (**self).branches()
    }

    fn width(&self) -> usize {
        (**self).width()
    }

    async fn expand(&self, branch: &Expansion<S>) -> Result<Vec<Child<S>>, ExpandError> {
        (**self).expand(branch).await
    }
}

/// Why a branch cannot be run now. The search can be taken up again later.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ExpandError {
    /// The agent cannot go on.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The environment failed.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// Another reason.
    #[error("{0}")]
    Other(Arc<str>),
}

/// The same expander, with so many branches at a time. Results are taken in a fixed order, so the tree does not depend on
/// the number.
pub fn parallel<E>(width: usize, expander: E) -> Parallel<E> {
    Parallel { expander, width: width.max(1) }
}

/// An expander several of whose branches run at the same time.
#[derive(Clone, Debug)]
pub struct Parallel<E> {
    expander: E,
    width: usize,
}

#[async_trait]
impl<S: Send + Sync + 'static, E: Expand<S>> Expand<S> for Parallel<E> {
    fn branches(&self) -> u32 {
        self.expander.branches()
    }

    fn width(&self) -> usize {
        self.width
    }

    async fn expand(&self, branch: &Expansion<S>) -> Result<Vec<Child<S>>, ExpandError> {
        self.expander.expand(branch).await
    }
}

/// An expander of so many branches, by a function.
pub fn expand_by<S, F>(branches: u32, function: F) -> impl Expand<S>
where
    S: Send + Sync,
    F: Fn(&Expansion<S>) -> Vec<Child<S>> + Send + Sync,
{
    ByFunction { branches, function }
}

struct ByFunction<F> {
    branches: u32,
    function: F,
}

#[async_trait]
impl<S, F> Expand<S> for ByFunction<F>
where
    S: Send + Sync,
    F: Fn(&Expansion<S>) -> Vec<Child<S>> + Send + Sync,
{
    fn branches(&self) -> u32 {
        self.branches
    }

    async fn expand(&self, branch: &Expansion<S>) -> Result<Vec<Child<S>>, ExpandError> {
        Ok((self.function)(branch))
    }
}
