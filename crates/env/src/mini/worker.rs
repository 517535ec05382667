//! The worker: a table of proof states.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use andor_core::theorem::Theorem;
use andor_mini::prover::{FileError, State, TacticError, Theory};
use async_trait::async_trait;

use super::assistant;
use crate::error::EnvError;
use crate::worker::{Health, Opened, ProofState, StateId, TacticLimits, TacticOutcome, TimeLimit, Worker};

/// Steps for a second of a tactic's limit. The prover counts steps instead of reading a clock, so that what is
/// over the limit is so on every machine. Steps differ in length; this many were seen to take from 0.03 s to a second.
const STEPS_PER_SECOND: f64 = 2e6;

/// A worker without a process.
#[derive(Default)]
pub(super) struct MiniWorker {
    states: HashMap<StateId, State>,
    next_state: u64,
}

impl MiniWorker {
    fn hold(&mut self, state: State) -> (StateId, ProofState) {
        let id = StateId(self.next_state);
        self.next_state += 1;
        let proof_state = ProofState { goals: state.goals(), groups: state.groups() };
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
        let (header, statement) = (theorem.header.clone(), theorem.statement.clone());
        // A header may hold long proofs.
        let opened = tokio::task::spawn_blocking(move || open(&header, &statement)).await;
        let state = opened
            .map_err(|_| panicked("opening the theorem"))?
            .map_err(|(part, error)| refused(part, error))?;
        let (state, mut proof_state) = self.hold(state);
        // The root is one obligation, however many goals it has.
        proof_state.groups = vec![(0..proof_state.goals.len()).collect()];
        Ok(Opened { state, proof_state, imports: Vec::new(), assistant: assistant() })
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
        let applied = catch_unwind(AssertUnwindSafe(|| from.focused(group).apply(tactic, steps)));
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

fn open(header: &str, statement: &str) -> Result<State, (Part, FileError)> {
    let theory = Theory::prelude().extended(header).map_err(|e| (Part::Header, e))?;
    theory.open(statement).map_err(|e| (Part::Statement, e))
}

fn panicked(doing: &str) -> EnvError {
    EnvError::Died { doing: doing.to_owned(), status: "a panic".to_owned(), stderr: String::new() }
}
