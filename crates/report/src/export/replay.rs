//! A recorded search tried again, tactic by tactic, in a fresh session.

use std::sync::Arc;

use andor_artifact::trace::AttemptOutcome;
use andor_config::{Config, CycleRuleConfig};
use andor_core::goal::Goal;
use andor_core::theorem::Theorem;
use andor_env::error::EnvError;
use andor_env::session::{Attempted, Child, Obligation, Preview, Session};
use andor_env::workers::Workers;

use super::recorded::{Recorded, Trial};

/// How a theorem is opened again.
#[derive(Clone)]
pub(super) struct Opening {
    pub(super) workers: Arc<Workers>,
    pub(super) theorem: Theorem,
    pub(super) config: Config,
}

impl Opening {
    /// A fresh session on one worker.
    pub(super) async fn session(&self) -> Result<Arc<Session>, EnvError> {
        let limits = andor_env::session::Limits { workers: 1, ..self.config.limits() };
        Session::open(Arc::clone(&self.workers), self.theorem.clone(), limits).await
    }
}

/// How many recorded tactics were tried again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Counts {
    /// With the same outcome.
    pub(super) replayed: u64,
    /// With another, or not at all because of what is above them.
    pub(super) left_out: u64,
}

/// What came of a tactic that was tried again.
pub(super) enum Again {
    /// It applied as recorded, and left these goals.
    Applied(Vec<Goal>),
    /// The assistant refused it, or it ran over its time, as recorded.
    Failed,
    /// It lost its workers, as recorded. This says nothing about the goal.
    Crashed,
    /// Not what is recorded.
    Otherwise,
}

/// A search that is replayed.
pub(super) struct Replay<'a> {
    recorded: &'a Recorded,
    pub(super) session: Arc<Session>,
    /// Whether steps may lack children that the prover left.
    drops_children: bool,
    max_depth: Option<u32>,
    /// Where each node stands in the session, once a step that leads to it was committed again.
    places: Vec<Option<Obligation>>,
    pub(super) counts: Counts,
}

impl<'a> Replay<'a> {
    /// Opens the theorem. `None` when its goals are not those recorded.
    pub(super) async fn open(opening: &Opening, recorded: &'a Recorded) -> Result<Option<Self>, EnvError> {
        let session = opening.session().await?;
        let root = session.root();
        if recorded.nodes.first().is_none_or(|n| n.strict != session.signatures(root).strict.to_string()) {
            return Ok(None);
        }
        let mut places = vec![None; recorded.nodes.len()];
        places[0] = Some(root);
        let search = &opening.config.search;
        Ok(Some(Self {
            recorded,
            session,
            drops_children: search.cycle_rule == CycleRuleConfig::DropChild,
            max_depth: search.max_depth,
            places,
            counts: Counts::default(),
        }))
    }

    /// The goals of a node; `None` as long as nothing led to it.
    pub(super) fn goals(&self, node: usize) -> Option<Arc<[Goal]>> {
        self.places[node].map(|place| self.session.goals(place))
    }

    /// Tries a recorded tactic again, and commits it if it became a step.
    pub(super) async fn again(&mut self, trial: &Trial) -> Result<Again, EnvError> {
        let again = match self.places[trial.node] {
            Some(place) if trial.agreed => self.again_at(place, trial).await?,
            _ => Again::Otherwise,
        };
        match again {
            Again::Otherwise => self.counts.left_out += 1,
            _ => self.counts.replayed += 1,
        }
        Ok(again)
    }

    async fn again_at(&mut self, place: Obligation, trial: &Trial) -> Result<Again, EnvError> {
        let Some(mut preview) = preview(&self.session, place, &trial.tactic).await? else {
            return Ok(Again::Otherwise);
        };
        let attempted = Arc::clone(&preview.attempted);
        let (proof_state, children) = match (&*attempted, trial.outcome) {
            (Attempted::Applied { proof_state, children, .. }, _) => (proof_state, children),
            (attempted, outcome) => return Ok(failed(attempted, outcome)),
        };
        let as_recorded = match trial.outcome {
            AttemptOutcome::Success => self.commit(&mut preview, children, trial),
            AttemptOutcome::Cyclic => true,
            // What leads below the depth limit is recorded as a failure, and none of the prover's.
            AttemptOutcome::Failure => {
                self.max_depth.is_some_and(|max| self.recorded.nodes[trial.node].depth >= max)
            }
            AttemptOutcome::Timeout | AttemptOutcome::Blocked => false,
        };
        Ok(if as_recorded { Again::Applied(proof_state.goals.clone()) } else { Again::Otherwise })
    }

    /// Commits a step, if it leaves the nodes recorded.
    fn commit(&mut self, preview: &mut Preview, children: &[Child], trial: &Trial) -> bool {
        let step = &self.recorded.steps[trial.step.expect("a tactic that succeeded became a step")];
        let mut left = children.iter().enumerate();
        let mut groups = Vec::with_capacity(step.children.len());
        for &node in &step.children {
            let strict = &self.recorded.nodes[node].strict;
            match left.find(|(_, child)| child.signatures.strict.to_string() == *strict) {
                Some((group, _)) => groups.push((node, group)),
                None => return false,
            }
        }
        if groups.len() < children.len() && !self.drops_children {
            return false;
        }
        let committed = self.session.commit(preview);
        for (node, group) in groups {
            self.places[node].get_or_insert(committed.obligations[group]);
        }
        true
    }
}

/// Tries a tactic; `None` when the state at which it stands could not be rebuilt as it was.
pub(super) async fn preview(
    session: &Arc<Session>,
    place: Obligation,
    tactic: &str,
) -> Result<Option<Preview>, EnvError> {
    match session.lease(place).preview(tactic).await {
        Ok(preview) => Ok(Some(preview)),
        Err(error @ EnvError::ReplayDiverged { .. }) => {
            tracing::warn!("a recorded tactic is left out: {error}");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// What it means that a tactic did not apply.
pub(super) fn failed(attempted: &Attempted, recorded: AttemptOutcome) -> Again {
    match (attempted, recorded) {
        (Attempted::Rejected { .. }, AttemptOutcome::Failure)
        | (Attempted::OverTime { .. }, AttemptOutcome::Timeout) => Again::Failed,
        (Attempted::Crashed { .. }, AttemptOutcome::Failure) => Again::Crashed,
        _ => Again::Otherwise,
    }
}
