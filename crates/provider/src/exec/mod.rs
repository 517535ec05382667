//! A program of the user's as a provider.
//!
//! The program reads requests and writes answers, one JSON object a line: `protocol`. It is started with the first
//! request, kept alive, and restarted when it ends: `program`. Several requests may wait for it at a time: `desk`.

mod desk;
mod lines;
mod program;
mod protocol;

use std::sync::Arc;
use std::time::Duration;

use andor_core::theorem::System;
use async_trait::async_trait;
use tokio::sync::Mutex;

use crate::contract::{Provider, ProviderError, Request, Suggestions, Usage};
use desk::Missed;
pub use program::all_ended;
use program::{NotStarted, Running};
use protocol::Answer;

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
    words: Vec<String>,
    system: System,
    options: ExecOptions,
    state: Mutex<State>,
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
        let id = format!("exec={command}");
        let words = words(command).map_err(|reason| ProviderError::Unusable {
            provider: id.clone(),
            reason: format!("the command {reason}"),
        })?;
        Ok(Self { id, words, system, options, state: Mutex::default() })
    }

    /// The running program, started if need be.
    async fn running(&self) -> Result<Arc<Running>, ProviderError> {
        let mut state = self.state.lock().await;
        self.settle(&mut state);
        self.usable(&state)?;
        if let Some(running) = &state.running {
            return Ok(Arc::clone(running));
        }
        match Running::start(&self.words, self.system).await {
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
        let running = self.running().await?;
        let limit = self.options.limit;
        match running.ask(&request, limit).await {
            Ok(Answer::Proposed(proposed)) => Ok(proposed.suggestions(&running.name)),
            Ok(Answer::Error(reason)) => Err(self.no_answer(format!("it says: {reason}"))),
            Err(Missed::Malformed(what)) => Err(self.no_answer(what)),
            Err(Missed::Overdue) => {
                Err(self.unavailable(format!("it did not answer within {} s", limit.as_secs_f64())))
            }
            Err(Missed::Ended) => Err(self.after_end(&running).await),
        }
    }
}

#[cfg(test)]
mod tests;
