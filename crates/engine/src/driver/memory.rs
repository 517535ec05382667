//! What agents remember (`--mcts-history-cache`, `--mcts-goal-cache`): proposals and failures by goal. At an obligation equal
//! to one that was worked on before, the proposals are used again, and the tactics that failed are skipped.
//!
//! A memory that several agents share also knows what is under way. A job that would repeat it waits for the outcome: the
//! same question is asked once, and no tactic that fails is tried twice at equal obligations.

use std::collections::{HashMap, HashSet};

use andor_config::{Agents, MemoryOf};
use andor_core::ids::{AgentId, JobId};
use andor_core::signature::GoalKey;
use rustc_hash::FxHashMap;

use super::operation::Proposal;

/// The memories of all agents.
pub(super) enum Memories {
    /// Nobody remembers anything.
    None,
    /// One for each agent.
    Own(Vec<Memory>),
    /// One for all.
    Shared(Memory),
}

impl Memories {
    pub(super) fn new(agents: &Agents) -> Self {
        match agents.memory {
            MemoryOf::Nobody => Self::None,
            MemoryOf::EachAgent => {
                Self::Own(std::iter::repeat_with(Memory::default).take(agents.count as usize).collect())
            }
            MemoryOf::AllAgents => Self::Shared(Memory::default()),
        }
    }

    /// The memory that the agent uses, if there is one.
    pub(super) fn of(&mut self, agent: AgentId) -> Option<&mut Memory> {
        match self {
            Self::None => None,
            Self::Own(memories) => memories.get_mut(agent.0 as usize),
            Self::Shared(memory) => Some(memory),
        }
    }
}

/// The memory of one agent, or of all.
#[derive(Default)]
pub(super) struct Memory {
    goals: FxHashMap<GoalKey, Remembered>,
}

#[derive(Default)]
struct Remembered {
    proposal: Option<Proposal>,
    /// Who waits for the answer of the provider that is being asked, if one is.
    asking: Option<Vec<JobId>>,
    failed: HashSet<String>,
    /// The tactics being tried, with who waits for the outcome.
    trying: HashMap<String, Vec<JobId>>,
}

/// What to do about proposals for an obligation.
pub(super) enum Question {
    /// Use these.
    Known(Proposal),
    /// Wait for the answer that another job has asked for.
    Waits,
    /// Ask the provider.
    Asks,
}

/// What to do about a tactic at an obligation.
pub(super) enum Chance {
    /// Skip it: it failed.
    Failed,
    /// Wait for the outcome of another job that is trying it.
    Waits,
    /// Try it.
    Tries,
}

impl Memory {
    /// What a job does that needs proposals for an obligation. If it asks, [`Memory::answered`] follows.
    pub(super) fn ask(&mut self, key: GoalKey, job: JobId) -> Question {
        let goal = self.goals.entry(key).or_default();
        match (&goal.proposal, &mut goal.asking) {
            (Some(proposal), _) => Question::Known(proposal.clone()),
            (None, Some(waiting)) => {
                waiting.push(job);
                Question::Waits
            }
            (None, asking) => {
                *asking = Some(Vec::new());
                Question::Asks
            }
        }
    }

    /// Keeps the answer to a question, if it is one to keep, and returns who waits for it.
    pub(super) fn answered(&mut self, key: GoalKey, proposal: Option<&Proposal>) -> Vec<JobId> {
        let goal = self.goals.entry(key).or_default();
        if let Some(proposal) = proposal {
            goal.proposal = Some(proposal.clone());
        }
        goal.asking.take().unwrap_or_default()
    }

    /// Whether the assistant rejected the tactic at an equal obligation.
    pub(super) fn has_failed(&self, key: GoalKey, tactic: &str) -> bool {
        self.goals.get(&key).is_some_and(|goal| goal.failed.contains(tactic))
    }

    /// What a job does that would try a tactic. If it tries it, [`Memory::tried`] follows.
    pub(super) fn begin(&mut self, key: GoalKey, tactic: &str, job: JobId) -> Chance {
        let goal = self.goals.entry(key).or_default();
        if goal.failed.contains(tactic) {
            return Chance::Failed;
        }
        match goal.trying.get_mut(tactic) {
            Some(waiting) => {
                waiting.push(job);
                Chance::Waits
            }
            None => {
                goal.trying.insert(tactic.to_owned(), Vec::new());
                Chance::Tries
            }
        }
    }

    /// Keeps whether a tactic failed that was tried, and returns who waits for the outcome.
    pub(super) fn tried(&mut self, key: GoalKey, tactic: &str, has_failed: bool) -> Vec<JobId> {
        let goal = self.goals.entry(key).or_default();
        if has_failed {
            goal.failed.insert(tactic.to_owned());
        }
        goal.trying.remove(tactic).unwrap_or_default()
    }
}
