//! The worker: a table of proof states.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use andor_core::theorem::Theorem;
use andor_mini::prover::{FileError, State, TacticError, Theory};
use async_trait::async_trait;

use super::assistant;
use crate::error::EnvError;
use crate::worker::{
    Grouping, Health, Opened, ProofState, StateId, TacticLimits, TacticOutcome, TimeLimit, Worker,
};

/// Steps for a second of a tactic's limit. The prover counts steps instead of reading a clock, so that what is
/// over the limit is so on every machine. Steps differ in length; this many were seen to take from 0.03 s to a second.
const STEPS_PER_SECOND: f64 = 2e6;

/// A worker without a process.
pub(super) struct MiniWorker {
    grouping: Grouping,
    /// The header that is read, and what it declares.
    read: Option<(String, Theory)>,
    states: HashMap<StateId, State>,
    next_state: u64,
}

impl MiniWorker {
    pub(super) fn new(grouping: Grouping) -> Self {
        Self { grouping, read: None, states: HashMap::new(), next_state: 0 }
    }

    fn hold(&mut self, state: State) -> (StateId, ProofState) {
        let id = StateId(self.next_state);
        self.next_state += 1;
        let proof_state = ProofState { goals: state.goals(), groups: state.groups() }.grouped(self.grouping);
        self.states.insert(id, state);
        (id, proof_state)
    }
}

#[async_trait]
impl Worker for MiniWorker {
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError> {
        let refused = |part: Part, error: FileError| {
            let (name, text) = match part {
                Part::Header => ("the header", &theorem.header),
                Part::Statement => ("the statement", &theorem.statement),
            };
            EnvError::TheoremRefused {
                theorem: theorem.id.clone(),
                part: name,
                text: text.lines().nth(error.line.saturating_sub(1)).unwrap_or_default().trim().to_owned(),
                message: error.to_string(),
            }
        };
        self.states.clear();
        let (header, statement) = (theorem.header.clone(), theorem.statement.clone());
        let known = self.read.as_ref().filter(|(read, _)| *read == header);
        let theory = known.map(|(_, theory)| theory.clone());
        // A header may hold long proofs.
        let opened = tokio::task::spawn_blocking(move || open(theory, &header, &statement)).await;
        let Ready { theory, importing, state } = opened
            .map_err(|_| panicked("opening the theorem"))?
            .map_err(|(part, error)| refused(part, error))?;
        self.read = Some((theorem.header.clone(), theory));
        let (state, proof_state) = self.hold(state);
        // The root is one obligation, however many goals it has.
        let proof_state = proof_state.grouped(Grouping::Whole);
        Ok(Opened { state, proof_state, imports: Vec::new(), assistant: assistant(), importing })
    }

    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError> {
        // Tactics run on the thread that asks, since handing them to another would take longer than most of
        // them do. Others get their turn from time to time.
        tokio::task::coop::consume_budget().await;
        let tactic = tactic.trim();
        let from = self.states.get(&state).ok_or(EnvError::Lost)?;
        let steps = (limits.wall.as_secs_f64() * STEPS_PER_SECOND) as u64;
        // States are values, so a panic leaves none half changed.
        let applied = catch_unwind(AssertUnwindSafe(|| match self.grouping {
            Grouping::Coupled => from.focused(group).apply(tactic, steps),
            Grouping::Whole => from.apply(tactic, steps),
        }));
        Ok(match applied.map_err(|_| panicked("applying a tactic"))? {
            Ok(next) => {
                let (state, proof_state) = self.hold(next);
                let script = tactic.to_owned();
                TacticOutcome::Applied { state, proof_state: Arc::new(proof_state), script }
            }
            Err(TacticError::Failed(message)) => TacticOutcome::Rejected { message },
            Err(TacticError::OutOfSteps) => TacticOutcome::OverTime { limit: TimeLimit::Wall(limits.wall) },
        })
    }

    fn release(&mut self, state: StateId) {
        self.states.remove(&state);
    }

    fn forget_theorem(&mut self) -> bool {
        self.states.clear();
        self.read.is_some()
    }

    /// A header is read as a whole.
    fn shares(&self, header: &str) -> Option<usize> {
        let (read, _) = self.read.as_ref()?;
        (read == header).then_some(header.len())
    }

    fn health(&self) -> Health {
        Health { memory_bytes: None, n_states: self.states.len() }
    }

    fn process_id(&self) -> Option<u32> {
        None
    }
}

/// A part of a theorem.
enum Part {
    Header,
    Statement,
}

/// A theorem that was read.
struct Ready {
    theory: Theory,
    importing: Duration,
    state: State,
}

/// Reads a statement, and before it the header unless there is a theory of it.
fn open(theory: Option<Theory>, header: &str, statement: &str) -> Result<Ready, (Part, FileError)> {
    let (theory, importing) = match theory {
        Some(theory) => (theory, Duration::ZERO),
        None => {
            let started = Instant::now();
            let theory = Theory::prelude().extended(header).map_err(|e| (Part::Header, e))?;
            (theory, started.elapsed())
        }
    };
    let state = theory.open(statement).map_err(|e| (Part::Statement, e))?;
    Ok(Ready { theory, importing, state })
}

fn panicked(doing: &str) -> EnvError {
    EnvError::Died { doing: doing.to_owned(), status: "a panic".to_owned(), stderr: String::new() }
}
