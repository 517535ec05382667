//! The history cache of an agent (`--mcts-history-cache`): proposals and failures by goal. At an obligation equal to
//! one it worked on before, the agent reuses the proposals and skips the tactics that failed.

use std::collections::HashSet;

use andor_core::signature::GoalKey;
use rustc_hash::FxHashMap;

use super::operation::Proposal;

/// The history cache of one agent.
#[derive(Default)]
pub(super) struct Memory {
    goals: FxHashMap<GoalKey, Remembered>,
}

#[derive(Default)]
struct Remembered {
    proposal: Option<Proposal>,
    failed: HashSet<String>,
}

impl Memory {
    /// The proposals the agent received for an equal obligation.
    pub(super) fn proposal(&self, key: GoalKey) -> Option<&Proposal> {
        self.goals.get(&key)?.proposal.as_ref()
    }

    /// Whether the assistant rejected the tactic at an equal obligation.
    pub(super) fn has_failed(&self, key: GoalKey, tactic: &str) -> bool {
        self.goals.get(&key).is_some_and(|goal| goal.failed.contains(tactic))
    }

    pub(super) fn keep_proposal(&mut self, key: GoalKey, proposal: &Proposal) {
        self.goals.entry(key).or_default().proposal = Some(proposal.clone());
    }

    pub(super) fn keep_failure(&mut self, key: GoalKey, tactic: &str) {
        self.goals.entry(key).or_default().failed.insert(tactic.to_owned());
    }
}
