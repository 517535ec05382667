//! A model that says what it is told to.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;

use crate::answer::Answer;
use crate::error::{ModelError, Unanswered};
use crate::model::Model;
use crate::request::Request;

type Script = dyn Fn(&Request, u64) -> Result<Answer, ModelError> + Send + Sync;

/// A model that says what it is told to, for tests and examples.
pub struct Scripted {
    name: String,
    script: Box<Script>,
    asked: AtomicU64,
}

impl Scripted {
    /// A model that answers by a function of the request and of the number of requests before.
    pub fn new(
        name: impl Into<String>,
        script: impl Fn(&Request, u64) -> Result<Answer, ModelError> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), script: Box::new(script), asked: AtomicU64::new(0) }
    }

    /// A model that gives the same texts to every request.
    pub fn always<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        let answer = Answer::of_texts(texts);
        Self::new("scripted", move |_, _| Ok(answer.clone()))
    }

    /// A model that gives these answers, one after the other, and has no more after that.
    pub fn sequence(answers: impl IntoIterator<Item = Result<Answer, ModelError>>) -> Self {
        let answers = Mutex::new(answers.into_iter().collect::<std::collections::VecDeque<_>>());
        Self::new("scripted", move |_, asked| {
            let next = answers.lock().expect("no script panics with the lock").pop_front();
            let exhausted =
                || ModelError::NotFound { message: format!("the script ends after {asked} answers") };
            next.unwrap_or_else(|| Err(exhausted()))
        })
    }

    /// The number of requests so far.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scripted").field("name", &self.name).finish_non_exhaustive()
    }
}

#[async_trait]
impl Model for Scripted {
    fn name(&self) -> &str {
        &self.name
    }

    async fn ask(&self, request: &Request) -> Result<Answer, Unanswered> {
        (self.script)(request, self.asked.fetch_add(1, Ordering::Relaxed)).map_err(Unanswered::from)
    }
}
