//! What an attempt does with what is shared: it confirms what a file says, finds proofs, and offers its own.

use std::sync::Arc;

use andor_artifact::files::FileError;
use andor_artifact::progress::{FoundBy, ProvedSubgoal, SharingRecord, WithdrawnProof};
use andor_core::theorem::Theorem;
use andor_env::session::Limits;
use andor_env::workers::Workers;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::owner::{Added, Progress};
use super::replay::{Replayed, Replayer};

/// The side of the search.
#[derive(Clone)]
pub struct Sharing {
    progress: Arc<Progress>,
    statement_digest: String,
    found_by: FoundBy,
    offers: UnboundedSender<Offer>,
}

/// What a search tells.
enum Offer {
    Proved(Box<ProvedSubgoal>),
    Withdrawn(WithdrawnProof),
}

/// What a search has told, and is still to be taken in.
pub(crate) struct Offers(UnboundedReceiver<Offer>);

impl Sharing {
    /// The two ends of what an attempt shares.
    pub(crate) fn new(progress: Arc<Progress>, theorem: &Theorem, attempt: u32, seed: u64) -> (Self, Offers) {
        let (offers, taken) = unbounded_channel();
        let found_by = FoundBy { run: progress.run().map(str::to_owned), attempt, seed };
        (Self { progress, statement_digest: theorem.digest(), found_by, offers }, Offers(taken))
    }

    /// The digest of the theorem's statement.
    pub(crate) fn statement_digest(&self) -> &str {
        &self.statement_digest
    }

    /// Who the attempt is.
    pub(crate) fn found_by(&self) -> &FoundBy {
        &self.found_by
    }

    /// The best proof of a subgoal that holds.
    pub(crate) fn best(&self, signature: &str) -> Option<Arc<ProvedSubgoal>> {
        self.progress.best(&self.statement_digest, signature)
    }

    /// Offers a proof that the search found. It counts once it was replayed.
    pub(crate) fn offer(&self, proof: ProvedSubgoal) {
        // Nobody takes it in if the attempt is being stopped.
        let _ = self.offers.send(Offer::Proved(Box::new(proof)));
    }

    /// Takes a proof back.
    pub(crate) fn withdraw(&self, proof: WithdrawnProof) {
        let _ = self.offers.send(Offer::Withdrawn(proof));
    }
}

/// Replays what an attempt wants to use, and what it offers.
pub(crate) struct Replays {
    progress: Arc<Progress>,
    replayer: Replayer,
    theorem: Theorem,
    cancel: CancellationToken,
    record: SharingRecord,
}

impl Replays {
    /// `theorem` with the imports of the search.
    pub(crate) fn new(
        progress: Arc<Progress>,
        workers: Arc<Workers>,
        theorem: Theorem,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Self {
        let replayer = Replayer::new(workers, theorem.clone(), limits);
        Self { progress, replayer, theorem, cancel, record: SharingRecord::default() }
    }

    /// Replays the proofs for the theorem that were read from a file, unless another attempt has done so.
    pub(crate) async fn confirm(&mut self) {
        let progress = Arc::clone(&self.progress);
        let _alone = progress.confirming.lock().await;
        for proofs in progress.unconfirmed(&self.theorem.digest()) {
            for proof in proofs {
                match self.replay(&proof).await {
                    Some(Replayed::Holds) => {
                        progress.confirmed(&proof, true);
                        self.record.confirmed += 1;
                        break;
                    }
                    Some(Replayed::Fails(why)) => {
                        tracing::warn!("a shared proof of `{}` is left out: {why}", brief(&proof.goal));
                        progress.confirmed(&proof, false);
                        self.record.refused += 1;
                    }
                    Some(Replayed::Unsure(why)) => self.unchecked(&proof, &why),
                    None => return,
                }
            }
        }
    }

    /// Takes in what the search tells, until its end is dropped, and returns the counts.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(crate) async fn take_in(mut self, mut offers: Offers) -> Result<SharingRecord, FileError> {
        while let Some(offer) = offers.0.recv().await {
            match offer {
                Offer::Proved(proof) => self.take(*proof).await?,
                Offer::Withdrawn(proof) => {
                    self.record.withdrawn += u64::from(self.progress.withdraw(proof)?);
                }
            }
        }
        self.replayer.close();
        Ok(self.record)
    }

    async fn take(&mut self, proof: ProvedSubgoal) -> Result<(), FileError> {
        if !self.progress.wants(&proof) {
            self.record.known += 1;
            return Ok(());
        }
        match self.replay(&proof).await {
            Some(Replayed::Holds) => {
                let signature = proof.signature.clone();
                match self.progress.add(proof)? {
                    Added::Best => {
                        tracing::info!("the proof of subgoal {signature} is shared");
                        self.record.accepted += 1;
                    }
                    Added::Known => self.record.known += 1,
                }
            }
            Some(Replayed::Fails(why)) => {
                tracing::warn!("a proof of `{}` does not hold in another session: {why}", brief(&proof.goal));
                self.record.rejected += 1;
            }
            Some(Replayed::Unsure(why)) => self.unchecked(&proof, &why),
            None => self.record.unchecked += 1,
        }
        Ok(())
    }

    /// `None` if the attempt is cancelled.
    async fn replay(&mut self, proof: &ProvedSubgoal) -> Option<Replayed> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => None,
            replayed = self.replayer.replay(proof) => Some(replayed),
        }
    }

    fn unchecked(&mut self, proof: &ProvedSubgoal, why: &str) {
        tracing::warn!("a proof of `{}` could not be replayed: {why}", brief(&proof.goal));
        self.record.unchecked += 1;
    }
}

/// What a goal is about.
fn brief(goal: &str) -> &str {
    goal.rsplit_once("⊢ ").map_or(goal, |(_, target)| target)
}
