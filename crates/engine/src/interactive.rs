//! An interactive proof: one tactic after the other, in the same kind of session that searches use.

use std::sync::Arc;

use andor_config::Config;
use andor_core::clock::Latencies;
use andor_core::goal::Goal;
use andor_core::lemma::Lemma;
use andor_core::policy::{Spent, StopReason};
use andor_core::theorem::Theorem;
use andor_env::checker::{Demand, Verdict, judge};
use andor_env::environment::{Environment, Script, ScriptStep};
use andor_env::error::EnvError;
use andor_env::session::{Attempted, CheckpointId, Committed, Obligation, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::contract::{Provider, Usage};
use andor_provider::ranker::Ranker;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::attempt;
use crate::driver::{self, Searched, Tools};
use crate::event::Event;
use crate::graft::{Given, Grafted, Grafter, Trial, left};
use crate::registry::{self, OwnParts, RegistryError};

/// Why an interactive proof cannot begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Something named in the configuration is unavailable.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The proof assistant rejects the theorem, or fails.
    #[error(transparent)]
    Env(#[from] EnvError),
}

/// An interactive proof in progress. A clone is a proof of its own, in the same session: they share what was done before.
#[derive(Clone)]
pub struct Interactive {
    environment: Arc<dyn Environment>,
    session: Arc<Session>,
    /// The successful tactics, oldest first. The first one was applied to the root.
    done: Vec<Arc<Done>>,
    /// The open obligations, in order. Tactics apply to the first.
    open: Vec<Obligation>,
}

/// A successful tactic.
struct Done {
    at: Obligation,
    checkpoint: CheckpointId,
    /// The open obligations before it.
    before: Vec<Obligation>,
}

/// A step of an interactive proof: enough to make it again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The place of the obligation among the open ones, from 0.
    pub place: usize,
    /// The tactic.
    pub tactic: Arc<str>,
}

/// The parts that a search within a proof works with.
pub struct Seeking<'a> {
    /// The search and its limits.
    pub config: &'a Config,
    /// Proposes tactics.
    pub provider: Arc<dyn Provider>,
    /// Reorders the candidates.
    pub ranker: Option<Arc<dyn Ranker>>,
    /// Latencies on the virtual clock; `None` for the wall clock.
    pub latencies: Option<Latencies>,
}

/// What came of a search within a proof.
#[derive(Clone, PartialEq, Debug)]
pub struct Sought {
    /// Why it ended. If the obligation is proved, the steps of its proof are applied.
    pub stop: StopReason,
    /// What it spent.
    pub spent: Spent,
    /// What language models cost.
    pub usage: Usage,
    /// Its estimate of the probability that the obligation can be proved.
    pub value: f64,
    /// The technical failure that ended it, if any.
    pub failure: Option<String>,
}

impl Interactive {
    /// Begins the proof of a theorem with the workers of a run.
    ///
    /// # Errors
    ///
    /// The proof assistant rejects the theorem, or fails.
    pub async fn begin(workers: Arc<Workers>, theorem: Theorem, config: &Config) -> Result<Self, EnvError> {
        let environment = Arc::clone(workers.environment());
        let session = attempt::begin(workers, theorem, config).await?;
        let open = vec![session.root()];
        Ok(Self { environment, session, done: Vec::new(), open })
    }

    /// The session that the proof is made in.
    pub fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// The open obligations, in order, each with its goals: those that share metavariables belong together. Tactics apply to
    /// the first goal of an obligation.
    pub fn obligations(&self) -> Vec<Arc<[Goal]>> {
        self.open.iter().map(|&at| self.session.goals(at)).collect()
    }

    /// Tries a tactic on the open obligation at a place, and changes nothing. Returns the obligations that it leaves, or why
    /// it fails.
    ///
    /// # Panics
    ///
    /// If no obligation is open at the place.
    pub async fn preview(
        &self,
        place: usize,
        tactic: &str,
    ) -> Result<Result<Vec<Arc<[Goal]>>, String>, EnvError> {
        let preview = self.session.lease(self.open[place]).preview(tactic).await?;
        Ok(match failure(&preview.attempted) {
            Some(message) => Err(message),
            None => match &*preview.attempted {
                Attempted::Applied { children, .. } => {
                    Ok(children.iter().map(|child| Arc::clone(&child.goals)).collect())
                }
                _ => unreachable!("what is not applied has failed"),
            },
        })
    }

    /// Applies a tactic to the open obligation at a place. If it fails, returns why and changes nothing.
    ///
    /// # Panics
    ///
    /// If no obligation is open at the place.
    pub async fn apply_to(&mut self, place: usize, tactic: &str) -> Result<Result<(), String>, EnvError> {
        Ok(self.apply_at(self.open[place], tactic).await?.map(|_| ()))
    }

    /// The steps so far, for [`redo`](Self::redo).
    pub fn steps(&self) -> Vec<Step> {
        let step = |done: &Arc<Done>| Step {
            place: done.before.iter().position(|open| *open == done.at).expect("it was open then"),
            tactic: self.session.tactic_of(done.checkpoint),
        };
        self.done.iter().map(step).collect()
    }

    /// Makes steps again that were made in another proof of the theorem.
    ///
    /// # Errors
    ///
    /// Which step fails now, and why.
    pub async fn redo(&mut self, steps: &[Step]) -> Result<Result<(), String>, EnvError> {
        for Step { place, tactic } in steps {
            let Some(&at) = self.open.get(*place) else {
                return Ok(Err(format!("`{tactic}` had goal {} open", place + 1)));
            };
            if let Err(message) = self.apply_at(at, tactic).await? {
                return Ok(Err(format!("`{tactic}` does not hold any more: {message}")));
            }
        }
        Ok(Ok(()))
    }

    /// The number of obligations that were closed by a step which left none.
    pub fn n_closed(&self) -> usize {
        let closes = |done: &&Arc<Done>| self.session.script_of(done.checkpoint).1.is_empty();
        self.done.iter().filter(closes).count()
    }

    /// Searches for a proof of the open obligation at a place, and applies the one that it finds.
    ///
    /// # Panics
    ///
    /// If no obligation is open at the place.
    pub async fn search(&mut self, place: usize, seeking: Seeking<'_>) -> Result<Sought, EnvError> {
        let at = self.open[place];
        let tools = Tools {
            session: Arc::clone(&self.session),
            provider: seeking.provider,
            models: Vec::new(),
            ranker: seeking.ranker,
            latencies: seeking.latencies,
            cancel: CancellationToken::new(),
            began: Instant::now(),
            attempt: 1,
            follow: None,
            given: None,
            planner: None,
            priority: None,
            kept: None,
            sharing: None,
            part: Some(at),
        };
        let mut ignored = |_: &str, _: &Event| {};
        let checker = self.environment.checker();
        let searched = driver::search(&tools, seeking.config, checker, &mut ignored).await;
        let search = searched.ledger.search();
        let mut sought = Sought {
            stop: searched.stop,
            spent: searched.spent,
            usage: searched.tally.usage,
            value: f64::from(search.value(search.tree().root())).clamp(0.0, 1.0),
            failure: searched.failure.clone(),
        };
        if sought.stop == StopReason::Proved {
            let before = self.clone();
            if let Err(message) = self.take(at, &searched).await? {
                *self = before;
                (sought.stop, sought.failure) = (StopReason::Infrastructure, Some(message));
            }
        }
        Ok(sought)
    }

    /// Applies the proof that a search found.
    async fn take(&mut self, at: Obligation, searched: &Searched) -> Result<Result<(), String>, EnvError> {
        let search = searched.ledger.search();
        let Some(proof) = search.tree().extract() else {
            return Ok(Err("the proof found is too large to write".to_owned()));
        };
        let mut left = vec![(at, 0)];
        while let Some((at, index)) = left.pop() {
            let step = &proof.steps[index];
            let tactic = search.tactics().text(search.tree().tactic(step.step)).to_owned();
            let checkpoint = match self.apply_at(at, &tactic).await? {
                Ok((checkpoint, _)) => checkpoint,
                Err(message) => return Ok(Err(message)),
            };
            if self.session.script_of(checkpoint).1.len() != step.children.len() {
                return Ok(Err("a step was committed without one of its children".to_owned()));
            }
            let children = step.children.iter().enumerate().rev();
            left.extend(children.map(|(group, &child)| (Obligation { checkpoint, group }, child)));
        }
        Ok(Ok(()))
    }

    /// The names of lemmas most similar to a name, most similar first, among those about the goal at a place. Empty if there
    /// is a lemma of this name.
    pub async fn similar(&self, place: usize, name: &str) -> Vec<String> {
        const LOOKED_AT: usize = 200;
        const SHOWN: usize = 3;
        const LEAST: f64 = 0.7;
        let lemmas = self.session.lemmas_at(self.open[place], LOOKED_AT).await;
        if lemmas.iter().any(|lemma| lemma.name == name) {
            return Vec::new();
        }
        let mut near: Vec<(f64, String)> = lemmas
            .into_iter()
            .map(|lemma| (strsim::normalized_damerau_levenshtein(name, &lemma.name), lemma.name))
            .filter(|(similarity, _)| *similarity >= LEAST)
            .collect();
        near.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        near.into_iter().take(SHOWN).map(|(_, name)| name).collect()
    }

    /// Begins the proof of a theorem.
    pub async fn open(theorem: &Theorem, config: &Config, own: &OwnParts) -> Result<Self, OpenError> {
        let environment = registry::environment_with(theorem.system, config, own);
        let workers = Workers::new(environment, Grouping::Coupled);
        Ok(Self::begin(workers, theorem.clone(), config).await?)
    }

    /// The open goals, in order. A tactic applies to the first one, and sees the goals that share metavariables with
    /// it.
    pub fn goals(&self) -> Vec<Goal> {
        self.open.iter().flat_map(|&at| self.session.goals(at).to_vec()).collect()
    }

    /// Applies a tactic, and returns the one that the script gets: that itself or, if it suggests others in its place, the first
    /// of these that succeeds. If it fails, returns the assistant's message and changes nothing.
    pub async fn apply(&mut self, tactic: &str) -> Result<Result<Arc<str>, String>, EnvError> {
        match self.open.first() {
            Some(&at) => Ok(self.apply_at(at, tactic).await?.map(|(_, applied)| applied)),
            None => Ok(Err("no goals remain".to_owned())),
        }
    }

    /// Applies a script to the first goal as far as it holds. Says which tactics were cut off; the goals that it leaves are open.
    ///
    /// # Errors
    ///
    /// If the proof assistant fails. The steps made until then stay.
    pub async fn graft(&mut self, given: &Given) -> Result<Grafted, EnvError> {
        self.graft_unless(given, |_| None).await
    }

    /// The same, where some tactics are blocked: the function says why one is.
    ///
    /// # Errors
    ///
    /// As [`graft`](Self::graft).
    pub async fn graft_unless(
        &mut self,
        given: &Given,
        blocked: impl Fn(&str) -> Option<String> + Send,
    ) -> Result<Grafted, EnvError> {
        let Some(&at) = self.open.first() else { return Ok(Grafted::default()) };
        let outline = self.session.outline(&given.script);
        let mut grafter = Grafter::new(&self.session, at, outline, given.start);
        while let Some(Trial { at, tactic, .. }) = grafter.next() {
            if let Some(reason) = blocked(&tactic) {
                grafter.failed(reason);
                continue;
            }
            match self.apply_at(at, &tactic).await? {
                Ok((checkpoint, _)) => grafter.held(left(&self.session, checkpoint, |_| true)),
                Err(message) => grafter.failed(message),
            }
        }
        Ok(grafter.finish())
    }

    /// Applies a tactic to an open obligation. Returns the tactic that the script gets.
    async fn apply_at(
        &mut self,
        at: Obligation,
        tactic: &str,
    ) -> Result<Result<(CheckpointId, Arc<str>), String>, EnvError> {
        let mut preview = self.session.lease(at).preview_as_suggested(tactic, |_| true).await?;
        if let Some(message) = failure(&preview.attempted) {
            return Ok(Err(message));
        }
        let Committed { checkpoint, obligations } = self.session.commit(&mut preview);
        let before = self.open.clone();
        let place = before.iter().position(|&open| open == at).expect("tactics apply to open obligations");
        self.open.splice(place..=place, obligations);
        self.done.push(Arc::new(Done { at, checkpoint, before }));
        Ok(Ok((checkpoint, preview.tactic)))
    }

    /// The number of tactics applied and not undone.
    pub fn n_steps(&self) -> usize {
        self.done.len()
    }

    /// Lemmas about these symbols, or about those of the first goal if there are none; the best first, at most `most`.
    pub async fn lookup(&self, symbols: &[String], most: usize) -> Vec<Lemma> {
        match (self.open.first(), symbols.is_empty()) {
            (Some(&at), true) => self.session.lemmas_at(at, most).await,
            _ => self.session.lookup(symbols, most).await.to_vec(),
        }
    }

    /// Undoes the last tactic; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(last) = self.done.pop() else { return false };
        self.open.clone_from(&last.before);
        true
    }

    /// Moves a goal to the front, given its number in [`Self::goals`], from 1; `false` if there is no such goal.
    pub fn choose(&mut self, number: usize) -> bool {
        let mut rest = number.wrapping_sub(1);
        for place in 0..self.open.len() {
            let size = self.session.goals(self.open[place]).len();
            if rest < size {
                self.open[..=place].rotate_right(1);
                return true;
            }
            rest -= size;
        }
        false
    }

    /// The complete source file, with a placeholder at every open goal.
    pub fn source(&self) -> String {
        self.session.assemble(&self.script()).submission
    }

    /// Verifies the finished proof in a fresh process.
    pub async fn check(&self, demand: impl Into<Demand>) -> Verdict {
        let claim = self.session.assemble(&self.script());
        judge(self.environment.checker(), &claim, demand).await
    }

    /// Lemmas about symbols of the goals at a place, best first.
    pub async fn lemmas_at(&self, place: usize, most: usize) -> Vec<Lemma> {
        self.session.lemmas_at(self.open[place], most).await
    }

    /// The tactics as a tree, with placeholders for open goals.
    fn script(&self) -> Script {
        let mut steps: Vec<ScriptStep> = Vec::new();
        let placeholder = self.environment.system().language().tactics.placeholder;
        let open = || ScriptStep { text: placeholder.to_owned(), groups: Vec::new(), children: Vec::new() };
        for done in &self.done {
            let (text, groups) = self.session.script_of(done.checkpoint);
            steps.push(ScriptStep { text, groups, children: Vec::new() });
        }
        for (index, done) in self.done.iter().enumerate() {
            for group in 0..steps[index].groups.len() {
                let child = Obligation { checkpoint: done.checkpoint, group };
                let place = self.done.iter().position(|d| d.at == child).unwrap_or(steps.len());
                if place == steps.len() {
                    steps.push(open());
                }
                steps[index].children.push(place);
            }
        }
        if steps.is_empty() {
            steps.push(open());
        }
        Script { steps }
    }
}

/// Why a tactic was not applied, if it was not.
fn failure(attempted: &Attempted) -> Option<String> {
    match attempted {
        Attempted::Applied { .. } => None,
        Attempted::Screened { refusal } => Some(refusal.to_string()),
        Attempted::Rejected { message, .. } | Attempted::Crashed { message } => Some(message.clone()),
        Attempted::OverTime { limit } => Some(format!("it exceeds its limit of {limit}")),
    }
}
