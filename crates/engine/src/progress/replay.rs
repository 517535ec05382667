//! Replays proofs of subgoals in a session of their own.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use andor_artifact::progress::{ProvedSubgoal, WayStep};
use andor_core::theorem::Theorem;
use andor_env::error::EnvError;
use andor_env::outline::Place;
use andor_env::session::{Attempted, Committed, Limits, Obligation, Session};
use andor_env::workers::Workers;

use super::names::names;
use crate::graft::{Grafter, Trial, left};

/// What became of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Replayed {
    /// The proof closes its subgoal.
    Holds,
    /// It does not.
    Fails(String),
    /// The assistant failed, or a tactic ran over its limit, which says nothing about the proof.
    Unsure(String),
}

enum Fault {
    Proof(String),
    Assistant(String),
}

impl From<String> for Fault {
    fn from(why: String) -> Self {
        Self::Proof(why)
    }
}

impl From<EnvError> for Fault {
    fn from(error: EnvError) -> Self {
        Self::Assistant(error.to_string())
    }
}

/// Replays proofs. Its session has nothing in common with that of the search.
pub(super) struct Replayer {
    workers: Arc<Workers>,
    theorem: Theorem,
    limits: Limits,
    session: Option<Arc<Session>>,
    /// The ways gone in it: what each tactic on them left.
    gone: HashMap<(Obligation, String), Committed>,
}

impl Replayer {
    /// `theorem` with the imports of the search.
    pub(super) fn new(workers: Arc<Workers>, theorem: Theorem, limits: Limits) -> Self {
        // What is replayed is known to succeed, so only a tactic that hangs is to be stopped.
        let limits = Limits { workers: 1, tactic: limits.replay, tactic_cpu: None, ..limits };
        Self { workers, theorem, limits, session: None, gone: HashMap::new() }
    }

    /// Goes the way to a subgoal, with the other goals left open, and applies the script there.
    pub(super) async fn replay(&mut self, proof: &ProvedSubgoal) -> Replayed {
        match self.outcome(proof).await {
            Ok(()) => Replayed::Holds,
            Err(Fault::Proof(why)) => Replayed::Fails(why),
            Err(Fault::Assistant(why)) => {
                // The next proof gets another session.
                self.session = None;
                self.gone.clear();
                Replayed::Unsure(why)
            }
        }
    }

    async fn outcome(&mut self, proof: &ProvedSubgoal) -> Result<(), Fault> {
        let session = match &self.session {
            Some(session) => Arc::clone(session),
            None => {
                let (workers, theorem) = (Arc::clone(&self.workers), self.theorem.clone());
                let session = Session::open(workers, theorem, self.limits).await?;
                Arc::clone(self.session.insert(session))
            }
        };
        let mut at = session.root();
        for WayStep { tactic, child } in &proof.way {
            let key = (at, tactic.clone());
            if !self.gone.contains_key(&key) {
                let committed = apply(&session, at, tactic).await?;
                self.gone.insert(key.clone(), committed.map_err(|message| format!("`{tactic}`: {message}"))?);
            }
            let committed = &self.gone[&key];
            let next = usize::try_from(*child).ok().and_then(|child| committed.obligations.get(child));
            at = *next.ok_or_else(|| format!("`{tactic}` leaves no goal number {child}"))?;
        }
        if format!("{:016x}", session.signatures(at).strict.0) != proof.signature {
            return Err("it is about another subgoal".to_owned().into());
        }
        if names(&session.goals(at)) != proof.names {
            return Err("it is written for other names".to_owned().into());
        }
        let mut open = HashSet::from([at]);
        let mut grafter = Grafter::new(&session, at, session.outline(&proof.script), Place::START);
        while let Some(Trial { at, tactic, .. }) = grafter.next() {
            match apply(&session, at, &tactic).await? {
                Ok(Committed { checkpoint, obligations }) => {
                    open.remove(&at);
                    open.extend(obligations);
                    grafter.held(left(&session, checkpoint, |_| true));
                }
                Err(message) => grafter.failed(message),
            }
        }
        match (grafter.finish().cuts.first(), open.len()) {
            (None, 0) => Ok(()),
            (Some(cut), _) => Err(format!("{}: {}", cut.place, cut.error).into()),
            (None, 1) => Err("it leaves a goal open".to_owned().into()),
            (None, n) => Err(format!("it leaves {n} goals open").into()),
        }
    }

    /// Gives the session's workers back.
    pub(super) fn close(self) {
        if let Some(session) = self.session {
            session.close();
        }
    }
}

/// Applies a tactic. The inner error is the message of the assistant that rejects it.
async fn apply(
    session: &Arc<Session>,
    at: Obligation,
    tactic: &str,
) -> Result<Result<Committed, String>, Fault> {
    let mut preview = session.lease(at).preview(tactic).await?;
    match &*preview.attempted {
        Attempted::Applied { .. } => Ok(Ok(session.commit(&mut preview))),
        Attempted::Screened { refusal } => Ok(Err(refusal.to_string())),
        Attempted::Rejected { message, .. } => Ok(Err(message.clone())),
        Attempted::OverTime { limit } => {
            Err(Fault::Assistant(format!("`{tactic}` exceeds its limit of {limit}")))
        }
        Attempted::Crashed { message } => Err(Fault::Assistant(message.clone())),
    }
}
