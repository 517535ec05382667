//! Replays a recorded search in a fresh session, tactic by tactic.

use std::collections::HashSet;
use std::sync::Arc;

use andor_artifact::trace::AttemptOutcome;
use andor_config::{Config, CycleRule};
use andor_core::goal::Goal;
use andor_core::theorem::Theorem;
use andor_engine::registry;
use andor_env::error::EnvError;
use andor_env::session::{Attempted, ChildObligation, Obligation, Preview, Session};
use andor_env::workers::Workers;
use andor_provider::contract::{Provider, ProviderError, Request, Suggestions, tidy};

use super::recorded::{Recorded, Trial, Unusable};

/// The parameters for opening a theorem again.
#[derive(Clone)]
pub(super) struct Opening {
    pub(super) workers: Arc<Workers>,
    pub(super) provider: Arc<dyn Provider>,
    pub(super) theorem: Theorem,
    pub(super) config: Config,
}

/// Why an attempt gives no rows.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Unusable(#[from] Unusable),
    #[error("its theorem has changed since it was recorded")]
    Restated,
    #[error("its theorem now opens with different goals")]
    OtherGoals,
    #[error("it cannot be replayed: {0}")]
    Env(#[from] EnvError),
    #[error("the tactics that the search did not try are not available: {0}")]
    Provider(#[from] ProviderError),
}

impl Opening {
    /// A fresh session on one worker.
    pub(super) async fn session(&self) -> Result<Arc<Session>, EnvError> {
        let limits = andor_env::session::Limits { workers: 1, ..self.config.limits() };
        Session::open(Arc::clone(&self.workers), self.theorem.clone(), limits).await
    }
}

/// Counts of the tactics that were replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Counts {
    /// Tactics with the same outcome.
    pub(super) replayed: u64,
    /// Tactics with a different outcome, or below one.
    pub(super) left_out: u64,
    /// Texts that the screen blocked.
    pub(super) screened: u64,
    /// Tactics tried that the search had left untried.
    pub(super) completed: u64,
}

impl Counts {
    pub(super) fn note(&mut self, again: &Again) {
        match again {
            Again::Applied(_) | Again::Failed | Again::Crashed => self.replayed += 1,
            Again::Otherwise => self.left_out += 1,
            Again::Screened => self.screened += 1,
        }
    }
}

/// The outcome of a replayed tactic.
pub(super) enum Again {
    /// It applied as recorded, and left these goals.
    Applied(Vec<Goal>),
    /// The assistant rejected it, or it exceeded its time limit, as recorded.
    Failed,
    /// Its workers crashed, as recorded. This says nothing about the goal.
    Crashed,
    /// The screen blocks it, so no assistant ever saw it.
    Screened,
    /// A different outcome than recorded.
    Otherwise,
}

/// A replay in progress.
pub(super) struct Replay<'a> {
    opening: &'a Opening,
    recorded: &'a Recorded,
    pub(super) session: Arc<Session>,
    /// Whether steps may lack children that the prover left.
    drops_children: bool,
    max_depth: Option<u32>,
    /// The obligation of each node in the session, once a step that leads to it has been committed.
    places: Vec<Option<Obligation>>,
    pub(super) counts: Counts,
}

impl<'a> Replay<'a> {
    /// Opens the theorem. `None` if its goals differ from those recorded.
    pub(super) async fn open(opening: &'a Opening, recorded: &'a Recorded) -> Result<Option<Self>, EnvError> {
        let session = opening.session().await?;
        let root = session.root();
        if recorded.nodes.first().is_none_or(|n| n.strict != session.signatures(root).strict.to_string()) {
            return Ok(None);
        }
        let mut places = vec![None; recorded.nodes.len()];
        places[0] = Some(root);
        let search = &opening.config.search;
        Ok(Some(Self {
            opening,
            recorded,
            session,
            drops_children: search.cycle_rule == CycleRule::DropChild,
            max_depth: search.max_depth,
            places,
            counts: Counts::default(),
        }))
    }

    /// The goals of a node; `None` until a step has led to it.
    pub(super) fn goals(&self, node: usize) -> Option<Arc<[Goal]>> {
        self.places[node].map(|place| self.session.goals(place))
    }

    /// Replays a recorded tactic, and commits it if it became a step.
    pub(super) async fn again(&mut self, trial: &Trial) -> Result<Again, EnvError> {
        let again = match self.places[trial.node] {
            Some(place) if trial.agreed => self.again_at(place, trial).await?,
            _ => Again::Otherwise,
        };
        self.counts.note(&again);
        Ok(again)
    }

    /// Tries the candidates that the search left untried at a node, because another one had closed it, and returns
    /// those that the assistant rejects. Timeouts are excluded: these candidates ran only once, while a recorded
    /// timeout was confirmed by the replay.
    pub(super) async fn refused_of_the_rest(&mut self, node: usize) -> Result<Vec<String>, Failure> {
        let Some(place) = self.places[node] else { return Ok(Vec::new()) };
        let Opening { provider, theorem, config, .. } = self.opening;
        let goals = self.session.goals(place);
        let request = Request::new(self.session.theorem(), &goals);
        let Suggestions { candidates, .. } = tidy(provider.id(), provider.suggest(request).await?)?;
        let filter = registry::tactic_filter(theorem.system, config);
        let here = self.recorded.trials.iter().filter(|trial| trial.node == node);
        let tried: HashSet<&str> = here.map(|trial| trial.tactic.trim()).collect();
        let mut refused = Vec::new();
        for candidate in candidates {
            if tried.contains(&*candidate.tactic) || filter.block_reason(&candidate.tactic).is_some() {
                continue;
            }
            let Some(preview) = preview(&self.session, place, &candidate.tactic).await? else { break };
            match &*preview.attempted {
                Attempted::Screened { .. } => continue,
                Attempted::Rejected { .. } => refused.push(candidate.tactic),
                Attempted::Applied { .. } | Attempted::OverTime { .. } | Attempted::Crashed { .. } => {}
            }
            self.counts.completed += 1;
        }
        Ok(refused)
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
            // Results below the depth limit are recorded as failures, but are not failures of the prover.
            AttemptOutcome::Failure => {
                self.max_depth.is_some_and(|max| self.recorded.nodes[trial.node].depth >= max)
            }
            AttemptOutcome::Timeout | AttemptOutcome::Blocked => false,
        };
        Ok(if as_recorded { Again::Applied(proof_state.goals.clone()) } else { Again::Otherwise })
    }

    /// Commits a step if it leaves the recorded nodes.
    fn commit(&mut self, preview: &mut Preview, children: &[ChildObligation], trial: &Trial) -> bool {
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

/// Runs a tactic; `None` if its state could not be rebuilt.
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

/// Interprets a tactic that did not apply.
pub(super) fn failed(attempted: &Attempted, recorded: AttemptOutcome) -> Again {
    let is_same = match attempted {
        Attempted::Applied { .. } => false,
        Attempted::Rejected { .. } | Attempted::Crashed { .. } | Attempted::Screened { .. } => {
            recorded == AttemptOutcome::Failure
        }
        Attempted::OverTime { .. } => recorded == AttemptOutcome::Timeout,
    };
    match attempted {
        _ if !is_same => Again::Otherwise,
        Attempted::Screened { .. } => Again::Screened,
        attempted if attempted.has_failed() => Again::Failed,
        _ => Again::Crashed,
    }
}
