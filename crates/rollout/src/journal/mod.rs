//! Searches that survive the end of their program, and trees larger than memory.
//!
//! A journal is a file to which each branch is appended as soon as it has ended. A program that is killed, at whatever
//! instruction, loses the branches that were running; a search that is taken up again ends with the same tree as one that
//! was not interrupted, if the models answer the same. States are read back when they are needed, so a journal is also
//! the place of states that are [evicted](Journal::limit_memory) from memory.
//!
//! A journal has one owner: two programs must not write to the same one.

mod codec;
mod file;
mod laws;
mod memory;
mod record;
mod replay;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use andor_artifact::files::FileError;
use andor_artifact::rollout::{
    RolloutBranch, RolloutLine, RolloutNode, RolloutPruned, RolloutRoot, RolloutStep,
};
use andor_config::{AgentConfig, BudgetConfig};
use serde_json::Value;

pub use codec::{Agents, Codec, Plain, conversation};
use file::LinesFile;
pub(crate) use file::Place;
use memory::Memory;
pub(crate) use replay::{At, Pending, Progress};
use replay::{Replay, replayed};

use crate::configured::ruled;
use crate::environment::EnvironmentError;
use crate::search::{Expansion, expand_by};
use crate::tree::{Child, Held, Key, NodeId, PruneReason, Tree, TreeError};

/// Why a journal cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// An error of the operating system. The message names the file.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file cannot be opened.
    #[error(transparent)]
    File(#[from] FileError),
    /// The content is none of a journal.
    #[error("{}{}: {what}", path.display(), line.map_or(String::new(), |line| format!(", line {line}")))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: Option<usize>,
        /// What is wrong.
        what: String,
    },
    /// The root's score is none.
    #[error(transparent)]
    Root(#[from] TreeError),
    /// A state cannot be written or read.
    #[error("the state of node {node}")]
    State {
        /// The node.
        node: NodeId,
        /// Why.
        source: EnvironmentError,
    },
}

/// A search on disk.
pub struct Journal<S> {
    file: LinesFile,
    codec: Arc<dyn Codec<S>>,
    settings: Value,
    /// Where the states are, by keys.
    places: Vec<At>,
    memory: Memory,
    /// What the file says; `None` while a search goes on.
    progress: Option<Progress<S>>,
}

impl<S> fmt::Debug for Journal<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal").field("file", &self.file).finish_non_exhaustive()
    }
}

impl<S: Send + Sync + 'static> Journal<S> {
    /// Begins a journal. The settings are those of the search, for whoever takes it up again.
    ///
    /// # Errors
    ///
    /// If there is a file with this name, or it cannot be written.
    pub async fn create(
        path: &Path,
        codec: impl Codec<S> + 'static,
        settings: Value,
        root: Child<S>,
    ) -> Result<Self, JournalError> {
        let saved = encoded(&codec, &NodeId::root(), &root, None).await?;
        let mut file = LinesFile::create(path)?;
        let line = RolloutLine::Root(RolloutRoot { settings: settings.clone(), node: saved });
        let place = file.push(&line)?;
        let mut memory = Memory::default();
        memory.hold(Key::ROOT, place.length());
        let progress = Some(Progress::of_root(root.map(Held::here))?);
        let places = vec![At { place, child: 0 }];
        Ok(Self { file, codec: Arc::new(codec), settings, places, memory, progress })
    }

    /// Opens a journal, to go on with its search. No state is read before it is needed.
    pub fn open(path: &Path, codec: impl Codec<S> + 'static) -> Result<Self, JournalError> {
        let (recorded, end) = replayed(path, |_| Held::Away, None)?;
        let Replay { settings, places, progress } = recorded;
        let file = LinesFile::open(path, end)?;
        let (codec, memory) = (Arc::new(codec), Memory::default());
        Ok(Self { file, codec, settings, places, memory, progress: Some(progress) })
    }

    /// The same journal, that keeps states in memory up to about so many bytes, as they are written. Others are evicted: the
    /// least promising first, those that cannot be expanded before all.
    #[must_use]
    pub fn limit_memory(mut self, bytes: u64) -> Self {
        self.memory.limit = Some(bytes);
        self
    }

    /// What the search was begun with.
    pub fn settings(&self) -> &Value {
        &self.settings
    }

    /// How many states were evicted from memory, and how many were read back.
    pub fn traffic(&self) -> (u64, u64) {
        (self.memory.evicted, self.memory.recalled)
    }

    /// The state of a node, read from the file if it is not in memory.
    pub async fn state(&mut self, tree: &Tree<S>, key: Key) -> Result<Arc<S>, JournalError> {
        let mut chain = Vec::new();
        let mut above = None;
        for (at, node) in tree.ancestors(key) {
            if let Some(state) = node.state() {
                above = Some(Arc::clone(state));
                break;
            }
            chain.push(self.saved(at)?);
        }
        if chain.is_empty() {
            return Ok(above.expect("the node is in memory"));
        }
        chain.reverse();
        let state = self.codec.decode(above.as_deref(), &chain).await;
        state.map(Arc::new).map_err(|source| JournalError::State { node: tree.id(key), source })
    }

    fn saved(&mut self, key: Key) -> Result<Value, JournalError> {
        let At { place, child } = self.places[key.index()];
        match self.file.get(place)? {
            RolloutLine::Root(RolloutRoot { node, .. }) => Ok(node.state),
            RolloutLine::Branch(RolloutBranch { mut children, .. }) if child < children.len() => {
                Ok(children.swap_remove(child).state)
            }
            _ => Err(JournalError::Malformed {
                path: self.file.path().to_owned(),
                line: None,
                what: "the file was changed while it was in use".to_owned(),
            }),
        }
    }

    /// How far the search got, from memory or from the file.
    pub(crate) fn progress(&mut self) -> Result<Progress<S>, JournalError> {
        if let Some(progress) = self.progress.take() {
            return Ok(progress);
        }
        let path = self.file.path().to_owned();
        let (recorded, end) = replayed(&path, |_| Held::Away, None)?;
        self.file = LinesFile::open(&path, end)?;
        self.places = recorded.places;
        self.memory.forget();
        Ok(recorded.progress)
    }

    /// Takes back a search that is between two steps.
    pub(crate) fn keep(&mut self, tree: &Tree<S>, steps: u64) {
        self.progress = Some(Progress { tree: tree.clone(), steps, pending: None });
    }

    pub(crate) fn begin(&mut self, tree: &Tree<S>, step: u64, selected: &[Key]) -> Result<(), JournalError> {
        let selected = selected.iter().map(|key| tree.id(*key).to_string()).collect();
        self.file.push(&RolloutLine::Step(RolloutStep { step, selected }))?;
        Ok(())
    }

    /// Writes a branch that has ended. The place is the one to hand to [`took`](Self::took).
    pub(crate) async fn branch(
        &mut self,
        step: u64,
        of: &Expansion<S>,
        children: &[Child<S>],
    ) -> Result<Place, JournalError> {
        let mut saved = Vec::with_capacity(children.len());
        for child in children {
            saved.push(encoded(&*self.codec, &of.id, child, Some(&of.state)).await?);
        }
        let (parent, branch) = (of.id.to_string(), of.branch);
        self.file.push(&RolloutLine::Branch(RolloutBranch { step, parent, branch, children: saved }))
    }

    /// Notes where the nodes are that the tree has taken, in order.
    pub(crate) fn took(&mut self, tree: &Tree<S>, places: impl IntoIterator<Item = At>) {
        for at in places {
            let key = Key::of_index(self.places.len());
            if tree.node(key).state().is_some() {
                self.memory.hold(key, at.place.length());
            }
            self.places.push(at);
        }
    }

    pub(crate) fn end(
        &mut self,
        tree: &Tree<S>,
        step: u64,
        pruned: &[(Key, PruneReason)],
    ) -> Result<(), JournalError> {
        let pruned = pruned.iter().map(|(key, reason)| record::pruning(&tree.id(*key), reason)).collect();
        self.file.push(&RolloutLine::Pruned(RolloutPruned { step, pruned }))?;
        self.file.sync()
    }

    /// Reads the states of these nodes back into memory, where they are not there.
    pub(crate) async fn recall(&mut self, mut tree: Tree<S>, keys: &[Key]) -> Result<Tree<S>, JournalError> {
        for &key in keys {
            if tree.node(key).state().is_none() {
                let state = self.state(&tree, key).await?;
                tree = tree.recall(key, state);
                self.memory.recalled += 1;
                self.memory.hold(key, self.places[key.index()].place.length());
            }
        }
        Ok(tree)
    }

    /// Evicts states as far as the limit demands.
    pub(crate) fn evict(&mut self, tree: Tree<S>) -> Tree<S> {
        self.memory.evict(tree)
    }
}

async fn encoded<S>(
    codec: &dyn Codec<S>,
    node: &NodeId,
    child: &Child<S>,
    parent: Option<&S>,
) -> Result<RolloutNode, JournalError> {
    let state = codec.encode(&child.state, parent).await;
    let state = state.map_err(|source| JournalError::State { node: node.clone(), source })?;
    Ok(record::node(child, state))
}

/// A tree as it was written, without what is needed to go on with its search.
#[derive(Debug)]
pub struct Recorded {
    /// What the search was begun with.
    pub settings: Value,
    /// The tree of the complete steps. States are as the [`Codec`] wrote them.
    pub tree: Tree<Value>,
    /// The number of complete steps.
    pub steps: u64,
}

/// Reads a journal, to show or export its tree.
pub fn read(path: &Path) -> Result<Recorded, JournalError> {
    let (Replay { settings, progress, .. }, _) = replayed(path, Held::here, None)?;
    Ok(Recorded { settings, tree: progress.tree, steps: progress.steps })
}

/// Reads the journal of an agent, and makes the choices of its search again: what is selected and pruned, the seeds of
/// branches, the digests of states, costs.
///
/// # Errors
///
/// As [`read`], and [`Malformed`](JournalError::Malformed) if anything in the journal does not follow from what is before it.
pub fn follow(
    path: &Path,
    config: &AgentConfig,
    budget: &BudgetConfig,
    seed: u64,
) -> Result<Recorded, JournalError> {
    let search = ruled(expand_by(config.branch(), |_: &Expansion<Value>| Vec::new()), config, budget, seed);
    let (Replay { settings, progress, .. }, _) = replayed(path, Held::here, Some(&search))?;
    let Progress { tree, steps, .. } = progress;
    if let Some((node, what)) = laws::contradiction(&tree, seed, config.turns()) {
        let what = format!("node {node}: {what}");
        return Err(JournalError::Malformed { path: path.to_owned(), line: None, what });
    }
    Ok(Recorded { settings, tree, steps })
}
