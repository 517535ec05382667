//! A program of the user's as a provider.
//!
//! The program reads requests and writes answers, one JSON object a line: `protocol`. It is started with the first
//! request, kept alive, and restarted when it ends: `program`. Several requests may wait for it at a time: `desk`.

mod desk;
mod program;
mod protocol;

use std::sync::Arc;
use std::time::Duration;

use andor_core::goal::Goal;
use andor_core::theorem::{System, Theorem};
use async_trait::async_trait;
use tokio::sync::Mutex;

use crate::contract::{Candidate, Provider, ProviderError, Request, Suggestions, Usage};
use crate::plan::{PlanRequest, PlanWriter};
use crate::ranker::Ranker;
use desk::Missed;
pub use program::{Callee, Reply, all_ended};
use program::{NotStarted, Running};
use protocol::{Answer, Question};

/// How often in a row a program may end without an answer before it is given up.
const MAX_FAILURES: u32 = 3;

/// How a program is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExecOptions {
    /// Time limit of a request.
    pub limit: Duration,
    /// How many lemmas each request carries.
    pub n_lemmas: usize,
}

/// The words of a command, split as a shell does, without its expansions.
///
/// # Errors
///
/// What is wrong with the command.
pub fn words(command: &str) -> Result<Vec<String>, &'static str> {
    match shlex::split(command) {
        None => Err("has an open quotation mark or ends in a backslash"),
        Some(words) if words.first().is_none_or(String::is_empty) => Err("needs a program to run"),
        Some(words) => Ok(words),
    }
}

/// Proposes what a program of the user's answers.
pub struct Exec {
    id: String,
    source: Source,
    system: System,
    options: ExecOptions,
    state: Mutex<State>,
}

/// Who answers.
enum Source {
    /// A program, by its words.
    Program(Vec<String>),
    /// One in this process.
    Callee(Arc<dyn Callee>),
}

/// The program now, and how it fared before.
#[derive(Default)]
struct State {
    running: Option<Arc<Running>>,
    /// How often in a row it ended without an answer.
    failures: u32,
    /// Why it is given up.
    unusable: Option<String>,
}

impl Exec {
    /// A provider `exec=COMMAND` for theorems of a system.
    ///
    /// # Errors
    ///
    /// The command has no words, or an open quotation mark.
    pub fn new(command: &str, system: System, options: ExecOptions) -> Result<Self, ProviderError> {
        Self::named(format!("exec={command}"), command, system, options)
    }

    /// The same under a name of its own.
    ///
    /// # Errors
    ///
    /// As [`Exec::new`].
    pub fn named(
        id: String,
        command: &str,
        system: System,
        options: ExecOptions,
    ) -> Result<Self, ProviderError> {
        let words = words(command).map_err(|reason| ProviderError::Unusable {
            provider: id.clone(),
            reason: format!("the command {reason}"),
        })?;
        Ok(Self { id, source: Source::Program(words), system, options, state: Mutex::default() })
    }

    /// One who answers in this process, under a name.
    pub fn within(id: String, callee: Arc<dyn Callee>, system: System, options: ExecOptions) -> Self {
        Self { id, source: Source::Callee(callee), system, options, state: Mutex::default() }
    }

    /// The running program, started if need be.
    async fn running(&self) -> Result<Arc<Running>, ProviderError> {
        let mut state = self.state.lock().await;
        self.settle(&mut state);
        self.usable(&state)?;
        if let Some(running) = &state.running {
            return Ok(Arc::clone(running));
        }
        let started = match &self.source {
            Source::Program(words) => Running::start(words, self.system).await,
            Source::Callee(callee) => Running::within(Arc::clone(callee), self.system),
        };
        match started {
            Ok(running) => Ok(Arc::clone(state.running.insert(Arc::new(running)))),
            Err(NotStarted::Unusable(reason)) => {
                state.unusable = Some(reason);
                Err(self.usable(&state).expect_err("it was just given up"))
            }
            Err(NotStarted::Ended(how)) => {
                state.failed(&how);
                self.usable(&state)?;
                Err(self.unavailable(how))
            }
        }
    }

    /// Asks, and gives back the answer with the name that candidates carry; `None` if the program answers no such questions.
    async fn ask(&self, question: Question<'_>) -> Result<Option<(Answer, Arc<str>)>, ProviderError> {
        let running = self.running().await?;
        if !running.answers.contains(&question.ask()) {
            return Ok(None);
        }
        let limit = self.options.limit;
        match running.ask(&question, limit).await {
            Ok(Answer::Error(reason)) => Err(self.no_answer(format!("it says: {reason}"))),
            Ok(answer) => Ok(Some((answer, Arc::clone(&running.name)))),
            Err(Missed::Malformed(what)) => Err(self.no_answer(what)),
            Err(Missed::Overdue) => {
                Err(self.unavailable(format!("it did not answer within {} s", limit.as_secs_f64())))
            }
            Err(Missed::Ended) => Err(self.after_end(&running).await),
        }
    }

    fn beside_the_point(&self) -> ProviderError {
        self.no_answer("its answer is to another question than was asked".to_owned())
    }

    /// What to report of a request that a program did not live to answer.
    async fn after_end(&self, running: &Running) -> ProviderError {
        let mut state = self.state.lock().await;
        self.settle(&mut state);
        match self.usable(&state) {
            Err(error) => error,
            Ok(()) => self.unavailable(running.desk.ended().unwrap_or_else(|| "it ended".to_owned())),
        }
    }

    /// Takes note of the end of the program, once.
    fn settle(&self, state: &mut State) {
        if let Some(how) = state.running.as_ref().and_then(|running| running.desk.ended())
            && let Some(running) = state.running.take()
        {
            tracing::warn!("provider `{}`: {how}", self.id);
            if running.desk.has_answered() {
                state.failures = 0;
            }
            state.failed(&how);
        }
    }

    fn usable(&self, state: &State) -> Result<(), ProviderError> {
        match &state.unusable {
            Some(reason) => {
                Err(ProviderError::Unusable { provider: self.id.clone(), reason: reason.clone() })
            }
            None => Ok(()),
        }
    }

    fn unavailable(&self, reason: String) -> ProviderError {
        ProviderError::Unavailable { provider: self.id.clone(), reason, usage: Usage::default() }
    }

    fn no_answer(&self, reason: String) -> ProviderError {
        ProviderError::NoAnswer { provider: self.id.clone(), reason, usage: Usage::default() }
    }
}

impl State {
    fn failed(&mut self, how: &str) {
        self.failures += 1;
        if self.failures >= MAX_FAILURES {
            self.unusable = Some(format!("it failed {MAX_FAILURES} times in a row without an answer: {how}"));
        }
    }
}

#[async_trait]
impl Provider for Exec {
    fn id(&self) -> &str {
        &self.id
    }

    fn speaks(&self, system: System) -> bool {
        system == self.system
    }

    fn n_lemmas(&self) -> usize {
        self.options.n_lemmas
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        match self.ask(Question::Tactics(request)).await? {
            Some((Answer::Proposed(proposed), name)) => Ok(proposed.suggestions(&name)),
            Some(_) => Err(self.beside_the_point()),
            None => Ok(Suggestions::default()),
        }
    }

    async fn evaluate(
        &self,
        theorem: &Theorem,
        obligations: &[&[Goal]],
    ) -> Result<Option<Vec<f64>>, ProviderError> {
        match self.ask(Question::Values(theorem, obligations)).await? {
            Some((Answer::Values(values), _)) if values.len() == obligations.len() => Ok(Some(values)),
            Some(_) => Err(self.beside_the_point()),
            None => Ok(None),
        }
    }
}

#[async_trait]
impl PlanWriter for Exec {
    fn id(&self) -> &str {
        &self.id
    }

    fn n_lemmas(&self) -> usize {
        self.options.n_lemmas
    }

    async fn write(&self, request: &PlanRequest<'_>) -> Result<String, ProviderError> {
        match self.ask(Question::Plan(request)).await? {
            Some((Answer::Plan(text), _)) => Ok(text),
            Some(_) => Err(self.beside_the_point()),
            None => Err(self.no_answer("it writes no plans".to_owned())),
        }
    }
}

#[async_trait]
impl Ranker for Exec {
    fn id(&self) -> &str {
        &self.id
    }

    async fn rank(
        &self,
        request: Request<'_>,
        candidates: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, ProviderError> {
        let order = match self.ask(Question::Order(request, &candidates)).await? {
            Some((Answer::Order(order), _)) => order,
            Some(_) => return Err(self.beside_the_point()),
            None => return Ok(candidates),
        };
        let mut left: Vec<Option<Candidate>> = candidates.into_iter().map(Some).collect();
        let ranked = order.iter().map(|&place| left.get_mut(place)?.take()).collect::<Option<Vec<_>>>();
        match ranked.filter(|ranked| ranked.len() == left.len()) {
            Some(ranked) => Ok(ranked),
            None => {
                Err(self.no_answer("its order does not name the place of each candidate once".to_owned()))
            }
        }
    }
}

#[cfg(test)]
mod tests;
