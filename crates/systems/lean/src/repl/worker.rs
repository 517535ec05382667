//! The worker over the REPL.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use andor_core::theorem::Theorem;
use async_trait::async_trait;

use super::message::{Environment, Message, Reply, Request, Severity, Step};
use crate::block::{mentions, one_tactic};
use crate::dialect::{OLDEST_LEAN, ProofStatus, says_over_limit};
use crate::exchange::{Exchange, Framing};
use crate::goal::{NotAGoal, PrintedGoal, proof_state, read_goal, read_goals};
use crate::launch::Launch;
use crate::script::step_text;
use crate::suggested::{Said, suggested};
use andor_audit::olean::Version;
use andor_env::error::EnvError;
use andor_env::worker::{Grouping, Health, Opened, ProofState, StateId, TacticLimits, TacticOutcome, Worker};
use andor_lean_language::script::bare;
use andor_process::limits::TimeLimit;
use andor_process::resident_bytes;
use andor_process::scratch::Scratch;

const HEADER: &str = "the header";
const STATEMENT: &str = "the statement";

/// Time limit for a header, which may import large libraries and contain long proofs, and for a statement.
const FOR_A_COMMAND: Duration = Duration::from_secs(300);

/// Time limit for a process that was idle for long, and how long that is.
const TO_WAKE: Duration = Duration::from_secs(5);
const LONG_IDLE: Duration = Duration::from_secs(10);

/// The number of requests after which a worker is not kept for another theorem, since the REPL frees nothing.
const MAX_REQUESTS: u64 = 5_000;

/// What the REPL begins its message with if a tactic failed, and not the request.
const OF_LEAN: &str = "Lean error:";

/// Traces the goals with everything shown.
const SHOW_ALL: &str = "set_option pp.all true in trace_state";

/// A proof state that never exists.
const NO_STATE: u64 = u32::MAX as u64;

/// A worker over one process of the REPL.
pub struct ReplWorker {
    launch: Arc<Launch>,
    grouping: Grouping,
    server: Option<Server>,
    /// The header that was read last, and the number of its environment.
    base: Option<(String, u64)>,
    /// The name of the theorem.
    name: String,
    states: HashMap<StateId, State>,
    next_state: u64,
}

/// A running process.
struct Server {
    exchange: Exchange,
    version: Version,
    requests: u64,
    /// The highest number of a proof state so far; the next ones are higher.
    highest: Option<u64>,
    /// Its working folder. Outlives the process.
    _scratch: Scratch,
}

/// A proof state.
struct State {
    number: u64,
    proof_state: Arc<ProofState>,
    /// Whether goals were given up on the way, so that a finished proof still contains `sorry`.
    gave_up: bool,
    /// The branches in which all goals outside a group were given up, by group.
    branches: HashMap<usize, u64>,
}

impl ReplWorker {
    /// A worker that starts its own process when a theorem is opened.
    pub fn new(launch: Arc<Launch>, grouping: Grouping) -> Self {
        Self {
            launch,
            grouping,
            server: None,
            base: None,
            name: String::new(),
            states: HashMap::new(),
            next_state: 0,
        }
    }

    /// Starts the process and asks it for its version.
    async fn start(&mut self) -> Result<(), EnvError> {
        self.base = None;
        let scratch = Scratch::new()?;
        let spawned = self.launch.spawn(&[], scratch.path()).await?;
        let exchange = Exchange::new(spawned, Framing::EmptyLine);
        let unknown = Version { minor: 0, patch: 0 };
        let server = self.server.insert(Server {
            exchange,
            version: unknown,
            requests: 0,
            highest: None,
            _scratch: scratch,
        });
        let asked = server.command("#eval Lean.versionString", None, "asking for the version").await?;
        let said = asked.messages.first().map_or("", |message| message.text.trim_matches('"'));
        match said.parse::<Version>() {
            Ok(version) if version >= OLDEST_LEAN => server.version = version,
            _ => {
                let got = format!("`{said}`, which is not a version of Lean from {OLDEST_LEAN} on");
                self.server = None;
                return Err(EnvError::Handshake { program: self.launch.shown(), got });
            }
        }
        Ok(())
    }

    /// Reads a header unless it was the last one read, and returns the time that took.
    async fn read_header(&mut self, theorem: &Theorem) -> Result<(u64, Duration), EnvError> {
        match &self.base {
            Some((header, environment)) if *header == theorem.header && self.server.is_some() => {
                return Ok((*environment, Duration::ZERO));
            }
            Some(_) => self.server = None,
            None => {}
        }
        if self.server.is_none() {
            self.start().await?;
        }
        let started = Instant::now();
        let server = self.server.as_mut().ok_or(EnvError::Lost)?;
        let read = server.command(&theorem.header, None, "reading the header").await?;
        if let Some(error) = first_error(&read.messages) {
            return Err(refused(theorem, HEADER, &theorem.header, error));
        }
        self.base = Some((theorem.header.clone(), read.number));
        Ok((read.number, started.elapsed()))
    }

    /// The proof state in which only the goals of one group are left, and whether others were given up for it.
    async fn branch(
        &mut self,
        id: StateId,
        group: usize,
        limits: TacticLimits,
    ) -> Result<Result<(u64, bool), TacticOutcome>, EnvError> {
        let state = self.states.get_mut(&id).ok_or(EnvError::Lost)?;
        let ProofState { goals, groups } = &*state.proof_state;
        if groups.len() <= 1 {
            return Ok(Ok((state.number, state.gave_up)));
        }
        if let Some(&number) = state.branches.get(&group) {
            return Ok(Ok((number, true)));
        }
        let server = self.server.as_mut().ok_or(EnvError::Lost)?;
        // Each goal in turn is put behind the others, or given up.
        let turns =
            (0..goals.len()).map(|at| if groups[group].contains(&at) { "rotate_left" } else { "sorry" });
        let text = one_tactic(&turns.collect::<Vec<_>>().join("\n"));
        let step = match server.tactic(&text, state.number, "giving up the other goals", limits).await? {
            Ok(step) => step,
            Err(outcome) => return Ok(Err(outcome)),
        };
        if step.goals.len() != groups[group].len() || first_error(&step.messages).is_some() {
            let got = format!("{} goals instead of {}", step.goals.len(), groups[group].len());
            return Err(server.exchange.garbled("giving up the other goals", &got));
        }
        state.branches.insert(group, step.number);
        Ok(Ok((step.number, true)))
    }

    fn hold(&mut self, number: u64, proof_state: Arc<ProofState>, gave_up: bool) -> StateId {
        let id = StateId(self.next_state);
        self.next_state += 1;
        self.states.insert(id, State { number, proof_state, gave_up, branches: HashMap::new() });
        id
    }
}

impl Server {
    async fn ask(
        &mut self,
        request: &Request<'_>,
        doing: &str,
        limits: TacticLimits,
    ) -> Result<Reply, EnvError> {
        self.requests += 1;
        let reply = self.exchange.ask(&request.encode(), doing, limits, Duration::ZERO).await?;
        Reply::read(&reply).map_err(|error| self.exchange.garbled(doing, &format!("{error} in {reply}")))
    }

    async fn command(
        &mut self,
        text: &str,
        environment: Option<u64>,
        doing: &str,
    ) -> Result<Environment, EnvError> {
        let limits = TacticLimits::wall(FOR_A_COMMAND);
        let read = match self.ask(&Request::Command { text, environment }, doing, limits).await? {
            Reply::Environment(read) => read,
            other => return Err(self.exchange.garbled(doing, &format!("{other:?}"))),
        };
        for sorry in &read.sorries {
            self.take_number(sorry.state, doing)?;
        }
        Ok(read)
    }

    /// Runs a tactic. The inner error is its failure.
    async fn tactic(
        &mut self,
        text: &str,
        state: u64,
        doing: &str,
        limits: TacticLimits,
    ) -> Result<Result<Step, TacticOutcome>, EnvError> {
        let step = match self.ask(&Request::Tactic { text, state }, doing, limits).await? {
            Reply::Step(step) => step,
            Reply::Failed(message) if says_over_limit(&message) => {
                return Ok(Err(TacticOutcome::OverTime { limit: TimeLimit::Wall(limits.wall) }));
            }
            Reply::Failed(message) => match message.strip_prefix(OF_LEAN) {
                Some(message) => return Ok(Err(rejected(message.trim()))),
                None => return Err(self.exchange.garbled(doing, &message)),
            },
            Reply::Environment(_) => return Err(self.exchange.garbled(doing, "the reply to a command")),
        };
        for sorry in &step.sorries {
            self.take_number(sorry.state, doing)?;
        }
        self.take_number(step.number, doing)?;
        Ok(Ok(step))
    }

    /// Notes the number of a new proof state. Numbers only grow, so another one is not an answer to this request.
    fn take_number(&mut self, number: u64, doing: &str) -> Result<(), EnvError> {
        if self.highest.is_some_and(|highest| number <= highest) {
            return Err(self.exchange.garbled(doing, &format!("proof state {number} a second time")));
        }
        self.highest = Some(number);
        Ok(())
    }
}

#[async_trait]
impl Worker for ReplWorker {
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError> {
        self.states.clear();
        let (environment, importing) = self.read_header(theorem).await?;
        let server = self.server.as_mut().ok_or(EnvError::Lost)?;
        let text = format!("{}\n  := by sorry", bare(&theorem.statement));
        let read = server.command(&text, Some(environment), "reading the statement").await?;
        let refused = |message: &str| refused_without_place(theorem, STATEMENT, message);
        if let Some(error) = first_error(&read.messages) {
            return Err(refused(&error.text));
        }
        let [sorry] = &read.sorries[..] else {
            return Err(refused(&format!("it has {} proofs instead of one", read.sorries.len())));
        };
        let doing = "showing the goal";
        let limits = TacticLimits::wall(FOR_A_COMMAND);
        let step = match server.tactic(SHOW_ALL, sorry.state, doing, limits).await? {
            Ok(step) => step,
            Err(outcome) => return Err(server.exchange.garbled(doing, &format!("{outcome:?}"))),
        };
        let proof_state =
            goals_of(&step).map_err(|error| server.exchange.garbled(doing, &error.to_string()))?;
        let proof_state = proof_state.grouped(Grouping::Whole);
        let assistant = format!("lean {} (REPL)", server.version);
        self.name.clone_from(&theorem.name);
        let state = self.hold(step.number, Arc::new(proof_state.clone()), false);
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
        let (number, gave_up) = match self.branch(state, group, limits).await? {
            Ok(branch) => branch,
            Err(outcome) => return Ok(outcome),
        };
        // In parentheses of its own, so that a tactic that lacks its end does not take in what follows. Goals that another one's
        // tactic has solved are still listed until a tactic looks at them all.
        let text = one_tactic(&format!("{}\nall_goals skip\n{SHOW_ALL}", one_tactic(tactic)));
        let server = self.server.as_mut().ok_or(EnvError::Lost)?;
        let step = match server.tactic(&text, number, "applying a tactic", limits).await? {
            Ok(step) => step,
            Err(outcome) => return Ok(outcome),
        };
        let said = step.messages.iter().map(|message| Said { at: None, message: &message.text });
        let suggestions = suggested(tactic, said);
        if let Some(message) = failure(&step, gave_up) {
            return Ok(TacticOutcome::Rejected { message, suggestions });
        }
        if step.status.is_none() && mentions(tactic, &self.name) {
            return Ok(rejected("it refers to the theorem itself"));
        }
        let proof_state = match goals_of(&step) {
            Ok(proof_state) => Arc::new(proof_state.grouped(self.grouping)),
            Err(error) => return Err(server.exchange.garbled("reading goals", &error.to_string())),
        };
        let state = self.hold(step.number, Arc::clone(&proof_state), gave_up);
        Ok(TacticOutcome::Applied { state, proof_state, script: step_text(tactic), suggestions })
    }

    fn release(&mut self, state: StateId) {
        self.states.remove(&state);
    }

    fn forget_theorem(&mut self) -> bool {
        self.states.clear();
        let server = self.server.as_ref();
        server.is_some_and(|s| s.exchange.process_id().is_some() && s.requests < MAX_REQUESTS)
    }

    /// Headers are read as a whole.
    fn shares(&self, header: &str) -> Option<usize> {
        let (read, _) = self.base.as_ref()?;
        (read == header).then_some(header.len())
    }

    async fn wake(&mut self) -> Result<(), EnvError> {
        let server = self.server.as_mut().ok_or(EnvError::Lost)?;
        if server.exchange.idle_for() < LONG_IDLE {
            return Ok(());
        }
        // Refused, so it costs no memory.
        let request = Request::Tactic { text: "skip", state: NO_STATE };
        let reply = server.ask(&request, "waking the REPL", TacticLimits::wall(TO_WAKE)).await?;
        match reply {
            Reply::Failed(_) => Ok(()),
            other => Err(server.exchange.garbled("waking the REPL", &format!("{other:?}"))),
        }
    }

    fn health(&self) -> Health {
        Health { memory_bytes: self.process_id().and_then(resident_bytes), n_states: self.states.len() }
    }

    fn process_id(&self) -> Option<u32> {
        self.server.as_ref()?.exchange.process_id()
    }
}

/// The goals after a step, read from both forms. Without the second they are texts only.
fn goals_of(step: &Step) -> Result<ProofState, NotAGoal> {
    let pretty: Vec<PrintedGoal> =
        step.goals.iter().map(|goal| read_goal(goal)).collect::<Result<_, NotAGoal>>()?;
    let explicit = step.traces.last().and_then(|text| read_goals(text).ok());
    Ok(proof_state(pretty, explicit.as_deref()))
}

/// Why a tactic that the REPL reports as a success is none.
fn failure(step: &Step, gave_up: bool) -> Option<String> {
    if let Some(error) = first_error(&step.messages) {
        return Some(error.text.clone());
    }
    if !step.sorries.is_empty() {
        return Some("it gives up a goal".to_owned());
    }
    let why = match step.status? {
        ProofStatus::Wrong => "the kernel rejects the finished proof",
        ProofStatus::Metavariables => "it leaves a metavariable that no goal determines",
        ProofStatus::Sorry if !gave_up => "the finished proof contains `sorry`",
        ProofStatus::Sorry | ProofStatus::Open | ProofStatus::Unverified | ProofStatus::Completed => {
            return None;
        }
    };
    Some(why.to_owned())
}

fn first_error(messages: &[Message]) -> Option<&Message> {
    messages.iter().find(|message| message.severity == Severity::Error)
}

fn rejected(message: &str) -> TacticOutcome {
    TacticOutcome::rejected(message)
}

/// The refusal of a part of a theorem, with the line that the error is about.
fn refused(theorem: &Theorem, part: &'static str, text: &str, error: &Message) -> EnvError {
    let line = usize::try_from(error.at.line).ok().and_then(|line| text.lines().nth(line.checked_sub(1)?));
    EnvError::TheoremRefused {
        theorem: theorem.id.clone(),
        part,
        text: line.unwrap_or_default().trim().to_owned(),
        at: None,
        message: error.text.clone(),
    }
}

fn refused_without_place(theorem: &Theorem, part: &'static str, message: &str) -> EnvError {
    EnvError::TheoremRefused {
        theorem: theorem.id.clone(),
        part,
        text: theorem.statement.trim().to_owned(),
        at: None,
        message: message.to_owned(),
    }
}
