//! What a node holds.

use std::fmt;
use std::num::NonZeroU64;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::id::Key;

/// What an environment says about a state.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VerifyResult {
    /// How promising the state is, from 0 to 1. `None` is not 0: nothing is known. Selectors and pruners say what they do
    /// with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Whether the state is legal. An illegal one stays in the tree and is never expanded, nor is it a result.
    pub valid: bool,
    /// Whether the state is a solution. Only the environment can say so: an agent that stops has not solved anything.
    pub terminal: bool,
    /// What the agent is told at the beginning of its next turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<Arc<str>>,
}

impl Default for VerifyResult {
    /// Legal, no solution, with unknown score.
    fn default() -> Self {
        Self { score: None, valid: true, terminal: false, feedback: None }
    }
}

impl VerifyResult {
    /// A legal state with this score.
    pub fn scored(score: f64) -> Self {
        Self { score: Some(score), ..Self::default() }
    }

    /// A solution, with score 1.
    pub fn solved() -> Self {
        Self { terminal: true, ..Self::scored(1.0) }
    }

    /// An illegal state, and why.
    pub fn invalid(why: impl Into<Arc<str>>) -> Self {
        Self { valid: false, feedback: Some(why.into()), ..Self::default() }
    }

    /// The same result with this feedback.
    #[must_use]
    pub fn with_feedback(self, feedback: impl Into<Arc<str>>) -> Self {
        Self { feedback: Some(feedback.into()), ..self }
    }
}

/// A child before it is in a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Child<S> {
    /// Its state.
    pub state: S,
    /// What the environment says about it.
    pub verdict: VerifyResult,
    /// Whether nothing can follow: the agent has stopped. This alone makes no solution.
    pub stopped: bool,
    /// What making it cost, in any unit: tokens, where agents make it.
    pub cost: u64,
    /// A number that depends on the state and on nothing else. Siblings with equal numbers are duplicates. `None`: not known.
    pub digest: Option<NonZeroU64>,
}

impl<S> Child<S> {
    /// A child from which the search can go on if the verdict allows it.
    pub fn new(state: S, verdict: VerifyResult) -> Self {
        Self { state, verdict, stopped: false, cost: 0, digest: None }
    }

    /// The same child with another state.
    pub(crate) fn map<T>(self, change: impl FnOnce(S) -> T) -> Child<T> {
        let Self { state, verdict, stopped, cost, digest } = self;
        Child { state: change(state), verdict, stopped, cost, digest }
    }
}

/// Why a node was pruned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PruneReason {
    /// Others of its beam are better.
    Beam,
    /// Its score is below the threshold.
    Threshold,
    /// It is too deep.
    Depth,
    /// The budget of the search is used up.
    Budget,
    /// An older sibling has the same state.
    Duplicate,
    /// Its expansion made no children.
    Barren,
    /// A node above it was pruned.
    Above,
    /// Another reason, in the words of whoever pruned it.
    Other(Arc<str>),
}

impl PruneReason {
    /// Reasons with the names that they have in files. That of [`Other`](Self::Other) is `other`.
    pub(crate) const NAMED: [(Self, &'static str); 7] = [
        (Self::Beam, "beam"),
        (Self::Threshold, "threshold"),
        (Self::Depth, "depth"),
        (Self::Budget, "budget"),
        (Self::Duplicate, "duplicate"),
        (Self::Barren, "barren"),
        (Self::Above, "above"),
    ];

    /// Its name; `other` with words of its own.
    pub fn name(&self) -> &'static str {
        Self::NAMED.iter().find(|(known, _)| known == self).map_or("other", |(_, name)| name)
    }
}

impl fmt::Display for PruneReason {
    /// Its name, or the words of whoever pruned the node.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other(words) => f.write_str(words),
            known => f.write_str(known.name()),
        }
    }
}

/// A node of a tree. Everything that a selector or pruner goes by is in it.
#[derive(Debug)]
pub struct Node<S> {
    pub(super) state: Held<S>,
    pub(super) verdict: VerifyResult,
    pub(super) pruned: Option<PruneReason>,
    pub(super) total: f64,
    pub(super) cost: u64,
    pub(super) digest: Option<NonZeroU64>,
    pub(super) visits: u32,
    pub(super) scored: u32,
    pub(super) depth: u32,
    pub(super) place: u32,
    pub(super) n_children: u32,
    pub(super) parent: Option<Key>,
    pub(super) first: Option<Key>,
    pub(super) last: Option<Key>,
    pub(super) next: Option<Key>,
    pub(super) stopped: bool,
}

/// The state of a node, in memory or not.
#[derive(Debug)]
pub(crate) enum Held<S> {
    Here(Arc<S>),
    Away,
}

impl<S> Held<S> {
    pub(crate) fn here(state: S) -> Self {
        Self::Here(Arc::new(state))
    }
}

impl<S> Clone for Held<S> {
    fn clone(&self) -> Self {
        match self {
            Self::Here(state) => Self::Here(Arc::clone(state)),
            Self::Away => Self::Away,
        }
    }
}

impl<S> Clone for Node<S> {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            verdict: self.verdict.clone(),
            pruned: self.pruned.clone(),
            ..*self
        }
    }
}

impl<S> Node<S> {
    pub(super) fn new(child: Child<Held<S>>, parent: Option<Key>, depth: u32, place: u32) -> Self {
        Self {
            state: child.state,
            verdict: child.verdict,
            pruned: None,
            total: 0.0,
            cost: child.cost,
            digest: child.digest,
            visits: 0,
            scored: 0,
            depth,
            place,
            n_children: 0,
            parent,
            first: None,
            last: None,
            next: None,
            stopped: child.stopped,
        }
    }

    /// Its state; `None` while it is evicted from memory.
    pub fn state(&self) -> Option<&Arc<S>> {
        match &self.state {
            Held::Here(state) => Some(state),
            Held::Away => None,
        }
    }

    /// What the environment said about it.
    pub fn verdict(&self) -> &VerifyResult {
        &self.verdict
    }

    /// Its own score. See [`Tree::estimate`](super::Tree::estimate) for what stands in where there is none.
    pub fn score(&self) -> Option<f64> {
        self.verdict.score
    }

    /// Why it was pruned, if it was.
    pub fn pruned(&self) -> Option<&PruneReason> {
        self.pruned.as_ref()
    }

    /// How often it, or a node below it, was the outcome of an expansion.
    pub fn visits(&self) -> u32 {
        self.visits
    }

    /// The mean of the values that were backed up to it. `None` if none was known.
    pub fn mean(&self) -> Option<f64> {
        (self.scored > 0).then(|| self.total / f64::from(self.scored))
    }

    /// What making it cost.
    pub fn cost(&self) -> u64 {
        self.cost
    }

    /// A number that siblings with equal states share. `None`: not known.
    pub fn digest(&self) -> Option<NonZeroU64> {
        self.digest
    }

    /// The number of steps from the root.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Its place among its siblings, from 0.
    pub fn place(&self) -> u32 {
        self.place
    }

    /// The number of its children.
    pub fn n_children(&self) -> u32 {
        self.n_children
    }

    /// Its parent; `None` for the root.
    pub fn parent(&self) -> Option<Key> {
        self.parent
    }

    /// Whether the agent has stopped there.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Whether it may be expanded: it is legal, no solution, not stopped and not pruned.
    pub fn is_open(&self) -> bool {
        self.verdict.valid && !self.verdict.terminal && !self.stopped && self.pruned.is_none()
    }

    /// Whether it is a result: a solution by its verdict, legal and not pruned.
    pub fn is_solution(&self) -> bool {
        self.verdict.terminal && self.verdict.valid && self.pruned.is_none()
    }

    /// Whether a branch ended there by itself: solved or stopped, legal and not pruned.
    pub fn is_end(&self) -> bool {
        (self.verdict.terminal || self.stopped) && self.verdict.valid && self.pruned.is_none()
    }
}
