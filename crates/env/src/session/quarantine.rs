//! Quarantine: a tactic that crashed two workers in a state is not tried a third time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use andor_core::signature::GoalKey;

use super::preview::Attempted;

/// Number of crashes by a tactic in a state before it is quarantined.
const MAX_LOSSES: u32 = 2;

/// The crashes by tactic. States are identified by their keys, so the quarantine also applies to other checkpoints
/// with the same goals.
#[derive(Default)]
pub(super) struct Quarantine(Mutex<HashMap<(GoalKey, Arc<str>), Losses>>);

struct Losses {
    count: u32,
    /// The result of the tactic at its last crash.
    last: Attempted,
}

impl Quarantine {
    /// The result of a quarantined tactic.
    pub(super) fn verdict(&self, state: GoalKey, tactic: &Arc<str>) -> Option<Attempted> {
        let losses = self.losses();
        let found = losses.get(&(state, Arc::clone(tactic)))?;
        (found.count >= MAX_LOSSES).then(|| found.last.clone())
    }

    /// Records a crash, and its result.
    pub(super) fn note(&self, state: GoalKey, tactic: &Arc<str>, last: Attempted) {
        let mut losses = self.losses();
        let before = losses.get(&(state, Arc::clone(tactic))).map_or(0, |losses| losses.count);
        losses.insert((state, Arc::clone(tactic)), Losses { count: before + 1, last });
    }

    /// Forgets the crashes of a tactic that now left the worker alive: it did not cause them.
    pub(super) fn acquit(&self, state: GoalKey, tactic: &Arc<str>) {
        self.losses().remove(&(state, Arc::clone(tactic)));
    }

    fn losses(&self) -> MutexGuard<'_, HashMap<(GoalKey, Arc<str>), Losses>> {
        self.0.lock().expect("nothing panics while holding the losses")
    }
}
