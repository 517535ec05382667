//! The worker: a table of proof states.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use andor_core::goal::Goal;
use andor_core::lemma::{Lemma, best};
use andor_core::theorem::Theorem;
use andor_mini::budget::{self, Exceeded, Limits, StopOnDrop};
use andor_mini::prover::{FileError, MAX_TACTIC_BYTES, State, TacticError, Theory};
use andor_process::error::ProcessError;
use async_trait::async_trait;

use super::assistant;
use super::source::undocumented;
use andor_env::error::EnvError;
use andor_env::outline::Place;
use andor_env::worker::{Grouping, Health, Opened, ProofState, StateId, TacticLimits, TacticOutcome, Worker};
use andor_process::limits::TimeLimit;

/// Steps per second of a tactic's time limit. The prover counts steps instead of reading a clock, so that limits are
/// reproducible on every machine. Steps differ in length; this number takes from 0.03 s to 1 s.
const STEPS_PER_SECOND: f64 = 2e6;

/// After this many steps (a few milliseconds), a tactic is restarted on a separate thread, where it can be stopped.
const SHORT: u64 = 10_000;

/// A worker without a process.
pub(super) struct MiniWorker {
    grouping: Grouping,
    /// The current header, and its theory.
    read: Option<(String, Theory)>,
    /// What no lookup may find: the theorem, and the hypotheses that it begins with.
    hidden: HashSet<String>,
    states: HashMap<StateId, State>,
    next_state: u64,
}

impl MiniWorker {
    pub(super) fn new(grouping: Grouping) -> Self {
        Self { grouping, read: None, hidden: HashSet::new(), states: HashMap::new(), next_state: 0 }
    }

    fn hold(&mut self, state: State) -> StateId {
        let id = StateId(self.next_state);
        self.next_state += 1;
        self.states.insert(id, state);
        id
    }
}

#[async_trait]
impl Worker for MiniWorker {
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError> {
        let refused = |part: Part, error: FileError| {
            let (name, text, start) = match part {
                Part::Header => ("the header", &theorem.header, Place::START),
                Part::Statement => {
                    let start = Place::of(&theorem.header, theorem.header.len());
                    ("the statement", &theorem.statement, start)
                }
            };
            let at = Place { line: error.line, column: error.column };
            EnvError::TheoremRefused {
                theorem: theorem.id.clone(),
                part: name,
                text: text.lines().nth(error.line.saturating_sub(1)).unwrap_or_default().trim().to_owned(),
                at: Some(at.within(start)),
                message: error.what,
            }
        };
        self.states.clear();
        let (header, statement) = (theorem.header.clone(), theorem.statement.clone());
        let known = self.read.as_ref().filter(|(read, _)| *read == header);
        let theory = known.map(|(_, theory)| theory.clone());
        // A header may contain long proofs.
        let opened = stoppable("opening the theorem", move || {
            budget::within(Limits::NONE, || open(theory, &header, &statement))
        });
        let opened = opened.await?.map_err(|exceeded| broken_off("opening the theorem", exceeded))?;
        let Ready { theory, importing, state, proof_state } =
            opened.map_err(|(part, error)| refused(part, error))?;
        self.read = Some((theorem.header.clone(), theory));
        let locals = proof_state.goals.iter().flat_map(Goal::locals).map(|(name, _)| name);
        self.hidden = std::iter::once(theorem.name.as_str()).chain(locals).map(str::to_owned).collect();
        let state = self.hold(state);
        Ok(Opened { state, proof_state, imports: Vec::new(), assistant: assistant(), importing })
    }

    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError> {
        // Most tactics take less time than a handover to another thread, so they run on the calling one, which yields
        // from time to time.
        tokio::task::coop::consume_budget().await;
        let from = self.states.get(&state).ok_or(EnvError::Lost)?.clone();
        let tactic = tactic.trim();
        let trial = Trial { from, group, grouping: self.grouping, tactic: tactic.to_owned() };
        let steps = (limits.wall.as_secs_f64() * STEPS_PER_SECOND) as u64;
        // States are immutable, so a panic leaves no broken state.
        let tried = catch_unwind(AssertUnwindSafe(|| trial.run(steps.min(SHORT))));
        let tried = match tried.map_err(|_| panicked("applying a tactic"))? {
            Err(Exceeded::Steps) if steps > SHORT => {
                stoppable("applying a tactic", move || trial.run(steps)).await?
            }
            tried => tried,
        };
        Ok(match tried {
            Ok(Ok((next, proof_state))) => {
                let (state, proof_state) = (self.hold(next), Arc::new(proof_state));
                let (script, suggestions) = (tactic.to_owned(), Vec::new());
                TacticOutcome::Applied { state, proof_state, script, suggestions }
            }
            Ok(Err(message)) => TacticOutcome::rejected(message),
            Err(Exceeded::Steps) => TacticOutcome::OverTime { limit: TimeLimit::Wall(limits.wall) },
            Err(Exceeded::Memory) => {
                let most = MAX_TACTIC_BYTES >> 20;
                TacticOutcome::rejected(format!("the tactic uses more than {most} MB of memory"))
            }
            Err(other) => return Err(broken_off("applying a tactic", other)),
        })
    }

    async fn lookup(&mut self, symbols: &[String], most: usize) -> Result<Vec<Lemma>, EnvError> {
        let doing = "looking up lemmas";
        let (_, theory) = self.read.as_ref().ok_or(EnvError::Lost)?;
        let (theory, wanted) = (theory.clone(), symbols.to_vec());
        // A header may declare large statements.
        let found = stoppable(doing, move || budget::within(Limits::NONE, || theory.lemmas(&wanted)));
        let mut found = found.await?.map_err(|exceeded| broken_off(doing, exceeded))?;
        found.retain(|found| !self.hidden.contains(&found.lemma.name));
        Ok(best(found, symbols, most))
    }

    fn release(&mut self, state: StateId) {
        self.states.remove(&state);
    }

    fn forget_theorem(&mut self) -> bool {
        self.states.clear();
        self.read.is_some()
    }

    /// Headers are read as a whole.
    fn shares(&self, header: &str) -> Option<usize> {
        let (read, _) = self.read.as_ref()?;
        (read == header).then_some(header.len())
    }

    fn health(&self) -> Health {
        let held = self.states.values().map(State::bytes).sum();
        Health { memory_bytes: Some(held), n_states: self.states.len() }
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

/// An opened theorem.
struct Ready {
    theory: Theory,
    importing: Duration,
    state: State,
    proof_state: ProofState,
}

/// Reads a statement and, unless its theory is given, the header.
fn open(theory: Option<Theory>, header: &str, statement: &str) -> Result<Ready, (Part, FileError)> {
    let (theory, importing) = match theory {
        Some(theory) => (theory, Duration::ZERO),
        None => {
            let started = Instant::now();
            let theory = Theory::prelude().extended(undocumented(header)).map_err(|e| (Part::Header, e))?;
            (theory, started.elapsed())
        }
    };
    let state = theory.open(statement).map_err(|e| (Part::Statement, e))?;
    let too_large = |error: TacticError| FileError { what: error.to_string(), line: 1, column: 1 };
    let (goals, groups) = state.shown().map_err(|e| (Part::Statement, too_large(e)))?;
    // The root is a single obligation, however many goals it has.
    let proof_state = ProofState { goals, groups }.grouped(Grouping::Whole);
    Ok(Ready { theory, importing, state, proof_state })
}

/// A tactic to try on some goals of a state.
struct Trial {
    from: State,
    group: usize,
    grouping: Grouping,
    tactic: String,
}

impl Trial {
    /// Runs the tactic. States are immutable, so a failure leaves nothing behind. The inner error is the prover's
    /// message.
    fn run(&self, steps: u64) -> Result<Result<(State, ProofState), String>, Exceeded> {
        let applied = budget::within(Limits { steps, bytes: MAX_TACTIC_BYTES }, || {
            let next = match self.grouping {
                Grouping::Coupled => self.from.focused(self.group).apply(&self.tactic, steps)?,
                Grouping::Whole => self.from.apply(&self.tactic, steps)?,
            };
            let (goals, groups) = next.shown()?;
            Ok((next, ProofState { goals, groups }.grouped(self.grouping)))
        })?;
        match applied {
            Ok(applied) => Ok(Ok(applied)),
            Err(TacticError::Failed(message)) => Ok(Err(message)),
            Err(TacticError::Exceeded(exceeded)) => Err(exceeded),
        }
    }
}

/// Runs work on another thread, which stops when the caller is dropped.
async fn stoppable<T: Send + 'static>(
    doing: &str,
    work: impl FnOnce() -> Result<T, Exceeded> + Send + 'static,
) -> Result<Result<T, Exceeded>, EnvError> {
    let waiting = StopOnDrop::default();
    let stop = waiting.stop();
    let done = tokio::task::spawn_blocking(move || budget::until(&stop, Limits::NONE, work).flatten());
    done.await.map_err(|_| panicked(doing))
}

/// The error of work that was stopped from outside.
fn broken_off(doing: &str, why: Exceeded) -> EnvError {
    EnvError::Process(ProcessError::Died {
        doing: doing.to_owned(),
        status: why.to_string(),
        stderr: String::new(),
    })
}

fn panicked(doing: &str) -> EnvError {
    EnvError::Process(ProcessError::Died {
        doing: doing.to_owned(),
        status: "a panic".to_owned(),
        stderr: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::task::Poll;

    use tokio::runtime::Builder;

    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    async fn opened(statement: &str) -> (MiniWorker, StateId) {
        let theorem = Theorem {
            id: "t".to_owned(),
            system: crate::MINI,
            name: "t".to_owned(),
            header: String::new(),
            statement: format!("theorem t {statement}"),
            footer: String::new(),
            extra_imports: Vec::new(),
        };
        let mut worker = MiniWorker::new(Grouping::Coupled);
        let opened = worker.open(&theorem).await.unwrap();
        (worker, opened.state)
    }

    #[test]
    fn a_tactic_ends_when_nobody_waits_for_it() {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        runtime.block_on(async {
            let (mut worker, root) = opened("(p : Prop) : p").await;
            let mut endless = worker.apply(root, 0, "repeat skip", TacticLimits::wall(HOUR));
            let first = poll_fn(|context| Poll::Ready(endless.as_mut().poll(context))).await;
            assert!(first.is_pending());
        });
        // Waits for the thread that tries the tactic.
        drop(runtime);
    }

    #[tokio::test]
    async fn a_long_tactic_comes_to_what_a_short_one_does() {
        let (mut worker, root) = opened("(n : Nat) (h : n = 7) : n < 9").await;
        for (tactic, applies) in [("subst h; decide", true), ("omega", true), ("exact h", false)] {
            // More steps than run on the calling thread.
            let slow = format!("try (have e : ∀ x, x < 100 → x * x < 9999 := by decide)\n{tactic}");
            for text in [tactic, &slow] {
                let outcome = worker.apply(root, 0, text, TacticLimits::wall(HOUR)).await.unwrap();
                assert_eq!(matches!(outcome, TacticOutcome::Applied { .. }), applies, "{text}: {outcome:?}");
            }
        }
    }

    #[tokio::test]
    async fn a_worker_tells_what_its_states_hold() {
        let (mut worker, root) = opened("(n : Nat) : n = n").await;
        let before = worker.health().memory_bytes.unwrap();
        let many = "let x := n + n\n".repeat(100);
        let outcome = worker.apply(root, 0, &many, TacticLimits::wall(HOUR)).await.unwrap();
        let TacticOutcome::Applied { state, .. } = outcome else { panic!("{outcome:?}") };
        let after = worker.health().memory_bytes.unwrap();
        assert!(after > before + 100 * 64, "{before} {after}");
        worker.release(state);
        assert_eq!(worker.health().memory_bytes, Some(before));
    }
}
