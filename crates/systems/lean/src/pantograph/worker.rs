//! The worker over Pantograph.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use andor_core::theorem::Theorem;
use andor_process::error::ProcessError;
use async_trait::async_trait;
use serde_json::Value;

use super::goals;
use super::header::{Header, split};
use super::message::{Failed, Request, State as Made, Step, Unreadable, error_of, opened, said};
use crate::block::one_tactic;
use crate::dialect::{PantographError, PantographVersion, Unknown};
use crate::exchange::{Exchange, Framing};
use crate::launch::Launch;
use crate::script::step_text;
use crate::suggested::{Said, suggested};
use andor_env::error::EnvError;
use andor_env::worker::{Grouping, Health, Opened, ProofState, StateId, TacticLimits, TacticOutcome, Worker};
use andor_lean_language::script::bare;
use andor_process::limits::TimeLimit;
use andor_process::resident_bytes;
use andor_process::scratch::Scratch;

const HEADER: &str = "the header";
const STATEMENT: &str = "the statement";

/// What Pantograph says when it has loaded the imports.
const READY: &str = "ready.";

/// The module that Lean imports by itself, and Pantograph does not.
const BY_DEFAULT: &str = "Init";

/// What the end of a process that cannot find a module mentions.
const NO_MODULE: &[&str] = &["unknown module prefix", "of module", "unknown package"];

/// Time limit for loading the imports, reading a header or a statement.
const FOR_A_COMMAND: TacticLimits = TacticLimits { wall: Duration::from_secs(300), cpu: None };

/// Time limit for requests that run nothing.
const QUICK: TacticLimits = TacticLimits { wall: Duration::from_secs(20), cpu: None };

/// Time limit for a process that was idle for long, and how long that is.
const TO_WAKE: TacticLimits = TacticLimits { wall: Duration::from_secs(5), cpu: None };
const LONG_IDLE: Duration = Duration::from_secs(10);

/// How much later than Pantograph the worker enforces a limit on wall time.
const SLACK: Duration = Duration::from_millis(500);

/// The number of released states that are deleted together.
const BATCH: usize = 32;

/// A worker over one process of Pantograph.
pub struct PantographWorker {
    launch: Arc<Launch>,
    grouping: Grouping,
    server: Option<Server>,
    /// The header that was read last.
    base: Option<(String, Header)>,
    states: HashMap<StateId, State>,
    next_state: u64,
}

/// A running process.
struct Server {
    exchange: Exchange,
    version: PantographVersion,
    /// The limit that it enforces itself.
    timeout_ms: u64,
    /// Released states that it still holds.
    released: Vec<u64>,
    /// The highest number of a state so far; the next ones are higher.
    highest: Option<u64>,
    /// Its working folder. Outlives the process.
    _scratch: Scratch,
}

/// A proof state.
struct State {
    number: u64,
    proof_state: Arc<ProofState>,
    /// The states that contain only the goals of a group of several, by group.
    bundles: HashMap<usize, u64>,
}

/// A goal to work on.
struct Place {
    state: u64,
    goal: usize,
    /// Whether the other goals of the state stay visible.
    resumes: bool,
}

impl PantographWorker {
    /// A worker that starts its own process when a theorem is opened.
    pub fn new(launch: Arc<Launch>, grouping: Grouping) -> Self {
        Self { launch, grouping, server: None, base: None, states: HashMap::new(), next_state: 0 }
    }

    /// Asks the program for its version.
    async fn version(&self, scratch: &Scratch) -> Result<PantographVersion, EnvError> {
        let printed = self.launch.ask(&["--version"], scratch.path()).await?;
        printed.parse().map_err(|error: Unknown| EnvError::Handshake {
            program: self.launch.shown(),
            got: error.to_string(),
        })
    }

    /// Starts the process with the modules of a header.
    async fn start(&mut self, theorem: &Theorem, modules: &[String]) -> Result<(), EnvError> {
        let scratch = Scratch::new()?;
        let version = self.version(&scratch).await?;
        let modules = if modules.is_empty() { &[BY_DEFAULT.to_owned()] } else { modules };
        let spawned = self.launch.spawn(modules, scratch.path()).await?;
        let mut exchange = Exchange::new(spawned, Framing::Line);
        let greeting = exchange.greeting("loading the imports", FOR_A_COMMAND).await;
        match greeting {
            Ok(text) if text == READY => {}
            Ok(got) => return Err(EnvError::Handshake { program: self.launch.shown(), got }),
            Err(EnvError::Process(ProcessError::Died { stderr, .. }))
                if NO_MODULE.iter().any(|known| stderr.contains(known)) =>
            {
                return Err(refused(theorem, HEADER, &theorem.header, stderr.trim()));
            }
            Err(error) => return Err(error),
        }
        let mut server = Server {
            exchange,
            version,
            timeout_ms: 0,
            released: Vec::new(),
            highest: None,
            _scratch: scratch,
        };
        server.set_timeout(FOR_A_COMMAND.wall).await?;
        self.server = Some(server);
        Ok(())
    }

    /// Reads a header unless it was the last one read, and returns the time that took.
    async fn read_header(&mut self, theorem: &Theorem) -> Result<Duration, EnvError> {
        let is_read = self.base.as_ref().is_some_and(|(read, _)| *read == theorem.header);
        if is_read && self.server.is_some() {
            return Ok(Duration::ZERO);
        }
        (self.server, self.base) = (None, None);
        let refused = |message: &str| refused(theorem, HEADER, "", message);
        let header = split(&theorem.header).map_err(|error| refused(&error.to_string()))?;
        let started = Instant::now();
        self.start(theorem, &header.modules).await?;
        let server = self.server.as_mut().ok_or(EnvError::Lost)?;
        if !header.commands.trim().is_empty() {
            let doing = "reading the header";
            let request = Request::process(&header.commands, true, false);
            let reply = match server.ask(&request, doing, FOR_A_COMMAND, Duration::ZERO).await? {
                Ok(reply) => reply,
                Err(failed) => return Err(refused(&failed.text)),
            };
            let read = opened(&reply).map_err(|error| server.unreadable(doing, &error, &reply))?;
            read.map_err(|errors| refused(&errors[0]))?;
        }
        self.base = Some((theorem.header.clone(), header));
        Ok(started.elapsed())
    }

    /// Where a tactic on the first goal of a group runs. Goals that share metavariables are taken into a state of their own,
    /// since those out of sight would change with them.
    async fn place(&mut self, id: StateId, group: usize) -> Result<Place, EnvError> {
        let state = self.states.get_mut(&id).ok_or(EnvError::Lost)?;
        let ProofState { goals, groups } = &*state.proof_state;
        match &groups[group][..] {
            &[goal] => return Ok(Place { state: state.number, goal, resumes: false }),
            _ if groups.len() == 1 => return Ok(Place { state: state.number, goal: 0, resumes: true }),
            _ => {}
        }
        if let Some(&number) = state.bundles.get(&group) {
            return Ok(Place { state: number, goal: 0, resumes: true });
        }
        let names: Vec<&str> = groups[group].iter().map(|&goal| &*goals[goal].name).collect();
        let server = self.server.as_mut().ok_or(EnvError::Lost)?;
        let doing = "taking goals into a state of their own";
        let reply = server.ask_for(&Request::only(state.number, &names), doing, QUICK).await?;
        let made = Made::read(&reply, "nextStateId").map_err(|e| server.unreadable(doing, &e, &reply))?;
        server.take_number(made.number, doing)?;
        if made.goals.iter().map(|goal| &goal.name).ne(&names) {
            return Err(server.exchange.garbled(doing, &reply.to_string()));
        }
        state.bundles.insert(group, made.number);
        Ok(Place { state: made.number, goal: 0, resumes: true })
    }

    fn hold(&mut self, number: u64, proof_state: Arc<ProofState>) -> StateId {
        let id = StateId(self.next_state);
        self.next_state += 1;
        self.states.insert(id, State { number, proof_state, bundles: HashMap::new() });
        id
    }

    fn forget(&mut self, state: State) {
        if let Some(server) = &mut self.server {
            server.released.push(state.number);
            server.released.extend(state.bundles.into_values());
        }
    }
}

impl Server {
    /// Sends a request and reads the reply. The inner error is a failure that Pantograph reports and that may be the text's.
    async fn ask(
        &mut self,
        request: &Request,
        doing: &str,
        limits: TacticLimits,
        slack: Duration,
    ) -> Result<Result<Value, Failed>, EnvError> {
        let reply = self.exchange.ask(&request.encode(), doing, limits, slack).await?;
        match error_of(&reply) {
            Ok(None) => Ok(Ok(reply)),
            Ok(Some(Failed { error: PantographError::Request, text })) => {
                Err(self.exchange.garbled(doing, &text))
            }
            Ok(Some(failed)) => Ok(Err(failed)),
            Err(error) => Err(self.unreadable(doing, &error, &reply)),
        }
    }

    /// The reply to a request that cannot fail.
    async fn ask_for(
        &mut self,
        request: &Request,
        doing: &str,
        limits: TacticLimits,
    ) -> Result<Value, EnvError> {
        let asked = self.ask(request, doing, limits, Duration::ZERO).await?;
        asked.map_err(|failed| self.exchange.garbled(doing, &failed.text))
    }

    fn unreadable(&mut self, doing: &str, error: &Unreadable, reply: &Value) -> EnvError {
        self.exchange.garbled(doing, &format!("{error} in {reply}"))
    }

    async fn set_timeout(&mut self, wall: Duration) -> Result<(), EnvError> {
        let timeout_ms = u64::try_from(wall.as_millis()).unwrap_or(u64::MAX).max(1);
        if self.timeout_ms != timeout_ms {
            self.ask_for(&Request::options(timeout_ms), "setting options", QUICK).await?;
            self.timeout_ms = timeout_ms;
        }
        Ok(())
    }

    async fn delete_released(&mut self) -> Result<(), EnvError> {
        if self.released.len() >= BATCH {
            let released = std::mem::take(&mut self.released);
            self.ask_for(&Request::delete(&released), "deleting states", QUICK).await?;
        }
        Ok(())
    }

    /// Makes a state of the unfinished proof of a text. The inner error is the text's.
    async fn open(&mut self, text: &str) -> Result<Result<Made, String>, EnvError> {
        let doing = "reading the statement";
        let request = match self.version.distils() {
            true => Request::distil(text),
            false => Request::process(text, false, true),
        };
        let reply = match self.ask(&request, doing, FOR_A_COMMAND, Duration::ZERO).await? {
            Ok(reply) => reply,
            Err(failed) => return Ok(Err(failed.text)),
        };
        let made = match opened(&reply).map_err(|error| self.unreadable(doing, &error, &reply))? {
            Ok(made) => made,
            Err(errors) => return Ok(Err(errors[0].clone())),
        };
        for state in &made {
            self.take_number(state.number, doing)?;
        }
        let found = made.len();
        let [only] = match <[Made; 1]>::try_from(made) {
            Ok(only) if !only[0].goals.is_empty() => only,
            _ => return Ok(Err(format!("it has {found} proofs instead of one"))),
        };
        Ok(Ok(only))
    }

    /// Notes the number of a new state. Numbers only grow, so another one is not an answer to this request.
    fn take_number(&mut self, number: u64, doing: &str) -> Result<(), EnvError> {
        if self.highest.is_some_and(|highest| number <= highest) {
            return Err(self.exchange.garbled(doing, &format!("state {number} a second time")));
        }
        self.highest = Some(number);
        Ok(())
    }
}

#[async_trait]
impl Worker for PantographWorker {
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError> {
        self.forget_theorem();
        let importing = self.read_header(theorem).await?;
        let (_, header) = self.base.as_ref().ok_or(EnvError::Lost)?;
        // Every text begins without a scope.
        let text = format!("{}{}\n  := sorry", header.scope, bare(&theorem.statement));
        let server = self.server.as_mut().ok_or(EnvError::Lost)?;
        server.set_timeout(FOR_A_COMMAND.wall).await?;
        let opened = server.open(&text).await?;
        let made = opened.map_err(|error| refused(theorem, STATEMENT, &theorem.statement, &error))?;
        let proof_state = goals::proof_state(&made.goals).grouped(Grouping::Whole);
        let assistant = format!("lean (Pantograph {})", server.version);
        let state = self.hold(made.number, Arc::new(proof_state.clone()));
        Ok(Opened { state, proof_state, imports: Vec::new(), assistant, importing })
    }

    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError> {
        let tactic = tactic.trim();
        let doing = "applying a tactic";
        let Place { state, goal, resumes } = self.place(state, group).await?;
        let server = self.server.as_mut().ok_or(EnvError::Lost)?;
        server.delete_released().await?;
        server.set_timeout(limits.wall).await?;
        let text = match server.version.takes_blocks() {
            true => tactic.to_owned(),
            false => one_tactic(tactic),
        };
        let request = Request::tactic(state, goal, resumes, &text);
        let reply = match server.ask(&request, doing, limits, SLACK).await? {
            Ok(reply) => reply,
            Err(Failed { error: PantographError::OverLimit, .. }) => {
                return Ok(TacticOutcome::OverTime { limit: TimeLimit::Wall(limits.wall) });
            }
            Err(failed) => return Ok(TacticOutcome::rejected(failed.text)),
        };
        let step = Step::read(&reply).map_err(|error| server.unreadable(doing, &error, &reply))?;
        let suggestions = suggested(tactic, said(&reply).map(|message| Said { at: None, message }));
        let made = match step {
            Step::Made(made) => made,
            Step::Failed(message) => return Ok(TacticOutcome::Rejected { message, suggestions }),
        };
        server.take_number(made.number, doing)?;
        if let Some(why) = failure(&made, tactic, resumes) {
            server.released.push(made.number);
            return Ok(TacticOutcome::Rejected { message: why.to_owned(), suggestions });
        }
        let proof_state = Arc::new(goals::proof_state(&made.goals).grouped(self.grouping));
        let state = self.hold(made.number, Arc::clone(&proof_state));
        Ok(TacticOutcome::Applied { state, proof_state, script: step_text(tactic), suggestions })
    }

    fn release(&mut self, state: StateId) {
        if let Some(state) = self.states.remove(&state) {
            self.forget(state);
        }
    }

    fn forget_theorem(&mut self) -> bool {
        let states: Vec<State> = self.states.drain().map(|(_, state)| state).collect();
        states.into_iter().for_each(|state| self.forget(state));
        self.process_id().is_some()
    }

    /// Headers are read as a whole.
    fn shares(&self, header: &str) -> Option<usize> {
        let (read, _) = self.base.as_ref()?;
        (read == header).then_some(header.len())
    }

    async fn wake(&mut self) -> Result<(), EnvError> {
        let server = self.server.as_mut().ok_or(EnvError::Lost)?;
        if server.exchange.idle_for() >= LONG_IDLE {
            server.ask_for(&Request::count(), "waking Pantograph", TO_WAKE).await?;
        }
        Ok(())
    }

    fn health(&self) -> Health {
        Health { memory_bytes: self.process_id().and_then(resident_bytes), n_states: self.states.len() }
    }

    fn process_id(&self) -> Option<u32> {
        self.server.as_ref()?.exchange.process_id()
    }
}

/// Why a tactic that Pantograph reports as a success is none.
fn failure(made: &Made, tactic: &str, beside_others: bool) -> Option<&'static str> {
    if made.unsound {
        return Some("it uses `sorry`, or something unsafe");
    }
    if made.goals.iter().any(|goal| !goal.takes_tactics) {
        return Some("it leaves a goal in conversion or calculation mode");
    }
    // Lean refuses it: its placeholders are never goals.
    let is_exact = tactic.split_whitespace().next() == Some("exact") && !tactic.contains(['\n', ';']);
    (is_exact && !beside_others && !made.goals.is_empty()).then_some("it leaves placeholders undetermined")
}

fn refused(theorem: &Theorem, part: &'static str, text: &str, message: &str) -> EnvError {
    EnvError::TheoremRefused {
        theorem: theorem.id.clone(),
        part,
        text: text.trim().to_owned(),
        at: None,
        message: message.to_owned(),
    }
}
