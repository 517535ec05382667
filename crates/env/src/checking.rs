//! What the checkers of several systems have in common.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use andor_process::error::ProcessError;

use tokio::time::{Instant, timeout_at};

use crate::checker::{Level, Reach, Verdict};
use crate::error::EnvError;
use crate::screen::Refusal;
use andor_core::verdict::Reason;
use andor_process::sandbox::NoSandbox;
use andor_process::sandbox::tested::TestedSandbox;

/// Number of cached challenges.
const MAX_CHALLENGES: usize = 16;

/// Compiled challenges by source; the most recent last.
pub struct Challenges<S, C>(Mutex<VecDeque<(S, Arc<C>)>>);

impl<S, C> Default for Challenges<S, C> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<S: PartialEq, C> Challenges<S, C> {
    /// The challenge of a source, if it is known.
    pub fn find(&self, source: &S) -> Option<Arc<C>> {
        let known = self.0.lock().expect("nobody panics holding it");
        known.iter().find(|(other, _)| other == source).map(|(_, challenge)| Arc::clone(challenge))
    }

    /// Adds a challenge, in place of another one of the same source.
    pub fn add(&self, source: S, challenge: C) -> Arc<C> {
        let challenge = Arc::new(challenge);
        let mut known = self.0.lock().expect("nobody panics holding it");
        known.retain(|(other, _)| *other != source);
        known.push_back((source, Arc::clone(&challenge)));
        if known.len() > MAX_CHALLENGES {
            known.pop_front();
        }
        challenge
    }
}

/// What an operation of a checker comes to, up to the deadline. `limit` is the time that the checker had from the start.
pub async fn within<T>(
    deadline: Instant,
    limit: Duration,
    doing: &str,
    operation: impl Future<Output = Result<T, EnvError>>,
) -> Result<T, EnvError> {
    let overdue = |_| EnvError::Process(ProcessError::Overdue { doing: doing.to_owned(), after: limit });
    timeout_at(deadline, operation).await.map_err(overdue)?
}

/// The reach of a checker that has all its programs: the sandbox decides about the last level. A sandbox that fails is
/// an error, since the programs do not run without it then.
pub fn reach_with(sandbox: Result<&TestedSandbox, NoSandbox>) -> Result<Reach, NoSandbox> {
    match sandbox {
        Ok(_) => Ok(Reach { highest: Level::Judged, shortfall: None }),
        Err(failed @ NoSandbox::Failed(_)) => Err(failed),
        Err(why) => Ok(Reach { highest: Level::Rechecked, shortfall: Some(why.to_string()) }),
    }
}

/// The rejection of a submission for something in it that no proof needs.
pub fn forbidden(refusal: &Refusal, submission: &str) -> Verdict {
    let reason = match refusal {
        Refusal::Unclosed(_) => Reason::Malformed,
        Refusal::Unchecked { .. } => Reason::Unchecked,
        _ => Reason::Forbidden,
    };
    Verdict::rejected(Level::Compiled, reason, placed(refusal, submission))
}

/// What is refused of a file, and where.
pub fn placed(refusal: &Refusal, text: &str) -> String {
    match refusal.place(text) {
        Some(place) => format!("{place}: {refusal}"),
        None => refusal.to_string(),
    }
}

/// The error for a challenge that is refused. `id` names its theorem.
pub fn refused_challenge(id: &str) -> impl Fn(String) -> EnvError {
    let theorem = id.to_owned();
    move |message| EnvError::TheoremRefused {
        theorem: theorem.clone(),
        part: "the challenge",
        text: String::new(),
        at: None,
        message,
    }
}
