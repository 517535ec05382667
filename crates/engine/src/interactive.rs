//! An interactive proof: one tactic after the other, in the same kind of session that searches use.

use std::sync::Arc;

use andor_config::Config;
use andor_core::goal::Goal;
use andor_core::lemma::Lemma;
use andor_core::theorem::{System, Theorem};
use andor_env::checker::{Level, Verdict};
use andor_env::environment::{Environment, Script, ScriptStep};
use andor_env::error::EnvError;
use andor_env::session::{Attempted, CheckpointId, Committed, Obligation, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;

use crate::graft::{Given, Grafted, Grafter, Trial, left};
use crate::registry::{self, OwnParts, RegistryError};
use crate::{attempt, verification};

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

/// An interactive proof in progress.
pub struct Interactive {
    environment: Arc<dyn Environment>,
    session: Arc<Session>,
    /// The successful tactics, oldest first. The first one was applied to the root.
    done: Vec<Done>,
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

impl Interactive {
    /// Begins the proof of a theorem.
    pub async fn open(theorem: &Theorem, config: &Config, own: &OwnParts) -> Result<Self, OpenError> {
        let theorem = theorem.clone();
        let environment = registry::environment_with(theorem.system, config, own);
        let session =
            attempt::begin(Workers::new(Arc::clone(&environment), Grouping::Coupled), theorem, config)
                .await?;
        let open = vec![session.root()];
        Ok(Self { environment, session, done: Vec::new(), open })
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
        let Some(&at) = self.open.first() else { return Ok(Grafted::default()) };
        let outline = self.session.outline(&given.script);
        let mut grafter = Grafter::new(&self.session, at, outline, given.start);
        while let Some(Trial { at, tactic, .. }) = grafter.next() {
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
        match &*preview.attempted {
            Attempted::Applied { .. } => {}
            Attempted::Screened { refusal } => return Ok(Err(refusal.to_string())),
            Attempted::Rejected { message, .. } => return Ok(Err(message.clone())),
            Attempted::OverTime { limit } => return Ok(Err(format!("it exceeds its limit of {limit}"))),
            Attempted::Crashed { message } => return Ok(Err(message.clone())),
        }
        let Committed { checkpoint, obligations } = self.session.commit(&mut preview);
        let before = self.open.clone();
        let place = before.iter().position(|&open| open == at).expect("tactics apply to open obligations");
        self.open.splice(place..=place, obligations);
        self.done.push(Done { at, checkpoint, before });
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
        self.open = last.before;
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

    /// Verifies the finished proof in a fresh process, up to `level`.
    pub async fn check(&self, level: Level) -> Verdict {
        let claim = self.session.assemble(&self.script());
        verification::judged(self.environment.checker(), &claim, level).await
    }

    /// The tactics as a tree, with placeholders for open goals.
    fn script(&self) -> Script {
        let mut steps: Vec<ScriptStep> = Vec::new();
        let placeholder = match self.environment.system() {
            System::Rocq => "admit.",
            System::Lean4 | System::Mini | System::Synthetic => "sorry",
        };
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
