//! Lemmas from the header and the libraries of a theorem.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use andor_core::lemma::{self, Lemma};
use andor_core::theorem::Theorem;
use tokio::sync::{Mutex as AsyncMutex, OnceCell};

use super::{Obligation, Session};
use crate::error::EnvError;
use crate::worker::Worker;

/// How often a lookup is tried before it finds nothing.
const TRIES: u32 = 2;

type Known = HashMap<(Vec<String>, usize), Arc<OnceCell<Arc<[Lemma]>>>>;

/// A worker for lookups alone, started with the first of them, and what was found.
///
/// It is none of the pool, whose workers may all be leased by tasks that wait for the one that looks something up. It opens
/// the theorem without extra imports: what only these provide cannot be used in a proof.
#[derive(Default)]
pub(super) struct Library {
    /// With whether it may become an ordinary worker.
    worker: AsyncMutex<Option<(Box<dyn Worker>, bool)>>,
    known: Mutex<Known>,
}

impl Library {
    /// Takes the worker out if it may become an ordinary one, unless it is at work.
    pub(super) fn take_worker(&self) -> Option<Box<dyn Worker>> {
        let (worker, is_ordinary) = self.worker.try_lock().ok()?.take()?;
        is_ordinary.then_some(worker)
    }

    /// The process id of the idle worker.
    pub(super) fn process_id(&self) -> Option<u32> {
        self.worker.try_lock().ok()?.as_ref()?.0.process_id()
    }

    fn cell(&self, symbols: &[String], most: usize) -> Arc<OnceCell<Arc<[Lemma]>>> {
        let mut known = self.known.lock().expect("nothing panics while holding the lemmas");
        Arc::clone(known.entry((symbols.to_vec(), most)).or_default())
    }
}

impl Session {
    /// Lemmas about some symbols, best first, at most `most`: [`Worker::lookup`]. Equal lookups are answered from a cache.
    /// A lookup that fails twice finds nothing, since a search can do without.
    pub async fn lookup(&self, symbols: &[String], most: usize) -> Arc<[Lemma]> {
        if symbols.is_empty() || most == 0 {
            return Arc::new([]);
        }
        let cell = self.library.cell(symbols, most);
        Arc::clone(cell.get_or_init(|| self.look_up(symbols, most)).await)
    }

    /// Lemmas about the symbols of an obligation's first goal. One with the name of a hypothesis is left out, since the name
    /// does not refer to it there.
    pub async fn lemmas_at(&self, obligation: Obligation, most: usize) -> Vec<Lemma> {
        let goals = self.goals(obligation);
        let Some(goal) = goals.first() else { return Vec::new() };
        let lemmas = self.lookup(&lemma::symbols(goal), most).await;
        let is_usable = |lemma: &&Lemma| goal.locals().all(|(name, _)| name != lemma.name);
        lemmas.iter().filter(is_usable).cloned().collect()
    }

    async fn look_up(&self, symbols: &[String], most: usize) -> Arc<[Lemma]> {
        for _ in 0..TRIES {
            match self.ask_library(symbols, most).await {
                Ok(lemmas) => return lemmas.into(),
                Err(error) => tracing::warn!("lemmas could not be looked up: {error}"),
            }
        }
        Arc::new([])
    }

    async fn ask_library(&self, symbols: &[String], most: usize) -> Result<Vec<Lemma>, EnvError> {
        let mut place = self.library.worker.lock().await;
        // A worker is put back only if it has answered.
        let (mut worker, is_ordinary) = match place.take() {
            Some(known) => known,
            None => {
                let theorem = Theorem { extra_imports: Vec::new(), ..self.theorem.clone() };
                let (mut worker, is_ordinary) = self.workers.library(&theorem.header).await;
                worker.open(&theorem).await?;
                (worker, is_ordinary)
            }
        };
        worker.wake().await?;
        let lemmas = worker.lookup(symbols, most).await?;
        *place = Some((worker, is_ordinary));
        Ok(lemmas)
    }
}
