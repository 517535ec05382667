//! Quarantine: a tactic that lost two workers in one state is not tried a third time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use andor_core::signature::GoalKey;

use super::preview::Attempted;

/// Losses of a worker by one tactic in one state, before it is not tried again.
const MAX_LOSSES: u32 = 2;

/// The workers that tactics lost. States are told apart by their keys, so that a tactic is not tried again where
/// another checkpoint holds the same goals.
#[derive(Default)]
pub(super) struct Quarantine(Mutex<HashMap<(GoalKey, Arc<str>), Losses>>);

struct Losses {
    count: u32,
    /// What came of the tactic when it lost the last worker.
    last: Attempted,
}

impl Quarantine {
    /// What came of a tactic that is not to be tried again.
    pub(super) fn verdict(&self, state: GoalKey, tactic: &Arc<str>) -> Option<Attempted> {
        let losses = self.losses();
        let found = losses.get(&(state, Arc::clone(tactic)))?;
        (found.count >= MAX_LOSSES).then(|| found.last.clone())
    }

    /// Notes a loss, and what came of it.
    pub(super) fn note(&self, state: GoalKey, tactic: &Arc<str>, last: Attempted) {
        let mut losses = self.losses();
        let before = losses.get(&(state, Arc::clone(tactic))).map_or(0, |losses| losses.count);
        losses.insert((state, Arc::clone(tactic)), Losses { count: before + 1, last });
    }

    /// Forgets the losses of a tactic that left the worker alive: they were not its doing.
    pub(super) fn acquit(&self, state: GoalKey, tactic: &Arc<str>) {
        self.losses().remove(&(state, Arc::clone(tactic)));
    }

    fn losses(&self) -> MutexGuard<'_, HashMap<(GoalKey, Arc<str>), Losses>> {
        self.0.lock().expect("nothing panics while holding the losses")
    }
}
