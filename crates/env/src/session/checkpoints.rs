//! The checkpoint tree.

use std::fmt;
use std::sync::Arc;

use super::pool::Slot;
use super::preview::ChildObligation;
use crate::worker::ProofState;

/// A proof state that can be returned to. The root's number is 0; further numbers are assigned at commit, in
/// ascending order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CheckpointId(u32);

impl CheckpointId {
    /// The initial state.
    pub const ROOT: Self = Self(0);

    /// The number in `cp<number>:<goal>`.
    pub fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for CheckpointId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cp{}", self.0)
    }
}

/// The content of an OR node: one group of goals at a checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Obligation {
    /// The proof state.
    pub checkpoint: CheckpointId,
    /// The index of the group.
    pub group: usize,
}

/// The name of a goal, unique in a search: `cp<checkpoint>:<the system's own goal name>`. Systems reuse their own
/// names after a rollback; checkpoint numbers are never reused.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ScopedGoalName(String);

impl ScopedGoalName {
    pub(super) fn new(checkpoint: CheckpointId, goal: &str) -> Self {
        Self(format!("{checkpoint}:{goal}"))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ScopedGoalName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The origin of a proof state, and its open goals.
pub(super) struct Checkpoint {
    /// The obligation that the tactic was applied to; `None` for the root.
    pub(super) parent: Option<Obligation>,
    pub(super) tactic: Arc<str>,
    pub(super) script: String,
    pub(super) proof_state: Arc<ProofState>,
    /// One per group.
    pub(super) children: Vec<ChildObligation>,
}

/// All checkpoints, in commit order.
#[derive(Default)]
pub(super) struct Checkpoints(Vec<Checkpoint>);

impl Checkpoints {
    pub(super) fn add(&mut self, checkpoint: Checkpoint) -> CheckpointId {
        let id = u32::try_from(self.0.len()).expect("fewer than 2^32 checkpoints");
        self.0.push(checkpoint);
        CheckpointId(id)
    }

    pub(super) fn get(&self, id: CheckpointId) -> &Checkpoint {
        &self.0[id.0 as usize]
    }

    pub(super) fn child(&self, obligation: Obligation) -> &ChildObligation {
        &self.get(obligation.checkpoint).children[obligation.group]
    }

    /// The checkpoints to rebuild, oldest first, on a worker with the states of `slot`.
    pub(super) fn replay(&self, id: CheckpointId, slot: &Slot) -> Vec<CheckpointId> {
        let mut missing = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at.filter(|id| !slot.holds(*id)) {
            missing.push(id);
            at = self.get(id).parent.map(|p| p.checkpoint);
        }
        missing.reverse();
        missing
    }

    pub(super) fn replay_length(&self, id: CheckpointId, slot: &Slot) -> usize {
        self.replay(id, slot).len()
    }
}
