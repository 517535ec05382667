//! A search as its trace tells it: where it could go, where it went, and what stopped it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use andor_artifact::trace::{AttemptOutcome, Iteration, IterationReason, NewNode, TraceBlock, TraceEvent};
use andor_config::Identity;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::records::{Records, TraceError};

/// What identifies a node in all searches of a theorem, as for [damage](andor_core::schedule): in a tree the steps that lead to
/// it, in a graph its obligation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Place {
    Root,
    Child { parent: usize, tactic: Arc<str>, number: usize },
    Obligation(Arc<str>),
}

/// The places of a theorem's searches, numbered.
pub(super) struct Places {
    identity: Identity,
    numbers: FxHashMap<Place, usize>,
}

impl Places {
    pub(super) fn new(identity: Identity) -> Self {
        Self { identity, numbers: FxHashMap::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    fn number(&mut self, place: Place) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(place).or_insert(next)
    }

    fn root(&mut self, key: &Arc<str>) -> usize {
        match self.identity {
            Identity::Checkpoint => self.number(Place::Root),
            Identity::Strict => self.number(Place::Obligation(Arc::clone(key))),
        }
    }

    fn child(&mut self, parent: usize, tactic: &Arc<str>, number: usize, key: Option<&Arc<str>>) -> usize {
        match (self.identity, key) {
            (Identity::Strict, Some(key)) => self.number(Place::Obligation(Arc::clone(key))),
            _ => self.number(Place::Child { parent, tactic: Arc::clone(tactic), number }),
        }
    }
}

/// A blocked node.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Gate {
    /// The iteration that first came to it.
    pub(super) first: u64,
    /// How often agents came to it while it was blocked.
    pub(super) met: u64,
    /// The iteration from which on it was free; `None` if never.
    pub(super) until: Option<u64>,
    /// Steps between the root and it.
    pub(super) depth: u32,
}

/// A search that was read.
#[derive(Default)]
pub(super) struct Track {
    pub(super) root: usize,
    pub(super) edges: Vec<(usize, usize)>,
    /// The goals at which it worked, with their places.
    pub(super) goals: BTreeMap<Arc<str>, FxHashSet<usize>>,
    /// Iterations that worked at a node of this depth.
    pub(super) depths: BTreeMap<u32, u64>,
    /// Iterations that worked below this child of the root.
    pub(super) branches: FxHashMap<usize, u64>,
    pub(super) gates: BTreeMap<usize, Gate>,
    /// Iterations that ended at an obstacle.
    pub(super) stops: u64,
    /// Obstacles that agents went around.
    pub(super) detours: u64,
    /// The places of nodes, by their names.
    names: FxHashMap<Arc<str>, (usize, u32)>,
}

impl Track {
    pub(super) fn read(folder: &Path, places: &mut Places) -> Result<Self, TraceError> {
        let mut track = Self::default();
        for event in Records::open(folder)? {
            match event? {
                TraceEvent::Start(start) => {
                    track.root = places.root(&start.root.goal_key);
                    track.names.insert(start.root.mvar_id, (track.root, 0));
                }
                TraceEvent::Iteration(iteration) => track.iterate(&iteration, places),
                TraceEvent::GraftStep(step) => {
                    track.grow(&step.mvar_id, &step.tactic, &step.child_mvar_ids, &step.new_nodes, places);
                }
                _ => {}
            }
        }
        Ok(track)
    }

    /// The number of iterations that worked at a node.
    pub(super) fn visits(&self) -> u64 {
        self.depths.values().sum()
    }

    /// The mean depth of these; `None` if there are none.
    pub(super) fn depth(&self) -> Option<f64> {
        let sum: f64 = self.depths.iter().map(|(depth, n)| f64::from(*depth) * *n as f64).sum();
        (!self.depths.is_empty()).then(|| sum / self.visits() as f64)
    }

    fn iterate(&mut self, iteration: &Iteration, places: &mut Places) {
        for detour in &iteration.reroute {
            self.detours += 1;
            if detour.reason == IterationReason::Blocked {
                self.block(&detour.mvar_id, iteration.iteration, detour.block.as_ref());
            }
        }
        let node = &iteration.node;
        match iteration.reason {
            IterationReason::Blocked => {
                self.stops += 1;
                self.block(&node.mvar_id, iteration.iteration, iteration.block.as_ref());
                return;
            }
            IterationReason::Delayed => {
                self.stops += 1;
                return;
            }
            _ => {}
        }
        let Some(&(place, _)) = self.names.get(&node.mvar_id) else { return };
        self.goals.entry(Arc::clone(&node.goal_sig_strict)).or_default().insert(place);
        *self.depths.entry(node.depth).or_default() += 1;
        let branch = iteration.selected_path.get(1).and_then(|name| self.names.get(name));
        if let Some(&(branch, _)) = branch {
            *self.branches.entry(branch).or_default() += 1;
        }
        for attempt in iteration.attempts.iter().filter(|a| a.outcome == AttemptOutcome::Success) {
            let new = &iteration.new_nodes;
            self.grow(&node.mvar_id, &attempt.tactic, &attempt.child_mvar_ids, new, places);
        }
    }

    /// Adds the children of a step.
    fn grow(
        &mut self,
        at: &Arc<str>,
        tactic: &Arc<str>,
        children: &[Arc<str>],
        new: &[NewNode],
        places: &mut Places,
    ) {
        let Some(&(parent, depth)) = self.names.get(at) else { return };
        for (number, name) in children.iter().enumerate() {
            let place = match self.names.get(name) {
                Some(&(known, _)) => known,
                None => {
                    let key = new.iter().find(|node| node.mvar_id == *name).map(|node| &node.goal_key);
                    let place = places.child(parent, tactic, number, key);
                    self.names.insert(Arc::clone(name), (place, depth + 1));
                    place
                }
            };
            self.edges.push((parent, place));
        }
    }

    fn block(&mut self, name: &Arc<str>, iteration: u64, block: Option<&TraceBlock>) {
        let Some(&(place, depth)) = self.names.get(name) else { return };
        let until = block.and_then(|block| block.until);
        let gate = self.gates.entry(place).or_insert(Gate { first: iteration, met: 0, until, depth });
        gate.met += 1;
    }
}
