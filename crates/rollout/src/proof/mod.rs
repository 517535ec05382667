//! Theorems as environments: an agent proves one with the sessions of its proof assistant.
//!
//! What the agent proposes passes the same filter and the same screen as a candidate of a search, and its proof is judged
//! like all others: the whole file, against the original statement, in a fresh process, at the level of the configuration.
//! Only that verdict makes a node a solution.

mod again;
mod attempt;
mod feedback;
mod prompt;
mod record;
mod saved;
mod tools;
mod verdict;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use andor_artifact::result::RejectedClaim;
use andor_config::Config;
use andor_core::clock::Latencies;
use andor_core::theorem::System;
use andor_engine::interactive::Interactive;
use andor_env::error::EnvError;
use andor_model::request::{Message, Tool};
use andor_provider::contract::Provider;
use andor_provider::filters::TacticFilter;
use andor_provider::ranker::Ranker;
use async_trait::async_trait;
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use crate::environment::{Call, Environment, EnvironmentError, Outcome};
use crate::tree::VerifyResult;

pub use crate::attempt::JOURNAL;
pub use crate::configured::preset;
pub use again::{again, contradictions};
pub use attempt::attempt;
pub use saved::{Failed, Saved};
pub use verdict::{Verdicts, Verified};

/// The score of a proof without open goals before it is judged. Unfinished ones score less.
const COMPLETE: f64 = 0.9;

/// What the proofs of a theorem share.
pub struct Parts {
    /// The configuration: limits, the level of verification, the search of the tools.
    pub config: Config,
    /// Proposes tactics to the tool that searches.
    pub provider: Arc<dyn Provider>,
    /// Reorders them.
    pub ranker: Option<Arc<dyn Ranker>>,
    /// Latencies on the virtual clock; `None` for the wall clock.
    pub latencies: Option<Latencies>,
    /// Which tactics are blocked.
    pub filter: TacticFilter,
    /// What the judge said so far.
    pub verdicts: Verdicts,
}

/// A theorem that is being proved.
#[derive(Clone)]
pub struct Proof {
    parts: Arc<Parts>,
    /// The proof of no tactic, from which others are restored.
    beginning: Interactive,
    proof: Interactive,
    /// The tactics that failed, oldest first.
    failed: Vec<Failed>,
    /// What searches found goals to be worth, by [`state`].
    values: BTreeMap<String, f64>,
    /// The claims that were rejected, oldest first.
    rejected: Vec<RejectedClaim>,
    /// The verdict on the proof as it is, if there is one.
    judged: Option<Judged>,
}

/// What the judge said.
#[derive(Clone, Debug)]
enum Judged {
    Accepted(Arc<Verified>),
    Rejected,
}

impl fmt::Debug for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = self.proof.obligations().len();
        f.debug_struct("Proof")
            .field("steps", &self.proof.n_steps())
            .field("open", &open)
            .finish_non_exhaustive()
    }
}

impl Proof {
    /// The environment of an open theorem.
    pub fn new(proof: Interactive, parts: Arc<Parts>) -> Self {
        Self {
            parts,
            beginning: proof.clone(),
            proof,
            failed: Vec::new(),
            values: BTreeMap::new(),
            rejected: Vec::new(),
            judged: None,
        }
    }

    /// What to tell an agent: who it is, and the theorem.
    pub fn task(&self) -> [Message; 2] {
        prompt::task(self.proof.session().theorem(), &self.goals())
    }

    /// The proof as far as it is.
    pub fn proof(&self) -> &Interactive {
        &self.proof
    }

    fn system(&self) -> System {
        self.proof.session().theorem().system
    }

    /// How far the proof is: closed goals count 1, open ones what a search found them to be worth, or nothing.
    fn score(&self) -> f64 {
        let (closed, open) = (self.proof.n_closed() as f64, self.proof.obligations());
        let worth: f64 = open.iter().filter_map(|goals| self.values.get(&state(goals))).sum();
        let all = closed + open.len() as f64;
        if all > 0.0 { COMPLETE * ((closed + worth) / all).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// What is to be said of the proof, as far as the judge has seen it.
    fn verdict(&self) -> VerifyResult {
        match &self.judged {
            Some(Judged::Accepted(verified)) => VerifyResult::solved().with_feedback(format!(
                "The proof was accepted. Its tactics are:\n{}",
                verified.tactics.join("\n")
            )),
            Some(Judged::Rejected) => {
                let why = self.rejected.last().map_or("", |claim| claim.message.as_str());
                VerifyResult::scored(self.score() / 2.0).with_feedback(format!(
                    "The judge rejects the proof: {why}\nUndo what is wrong, and prove it otherwise."
                ))
            }
            None => {
                let verdict = VerifyResult::scored(self.score());
                match self.reminder() {
                    Some(reminder) => verdict.with_feedback(reminder),
                    None => verdict,
                }
            }
        }
    }
}

/// A short name of goals, by which they are recognised in whatever order they were reached, and by another process.
fn state(goals: &[andor_core::goal::Goal]) -> String {
    let text: Vec<String> = goals.iter().map(ToString::to_string).collect();
    format!("{:016x}", xxh3_64(text.join("\n\n").as_bytes()))
}

impl From<EnvError> for EnvironmentError {
    fn from(error: EnvError) -> Self {
        Self::new(error)
    }
}

#[async_trait]
impl Environment for Proof {
    fn tools(&self) -> Vec<Tool> {
        tools::tools()
    }

    async fn exec(&mut self, call: Call<'_>) -> Result<Outcome, EnvironmentError> {
        match self.call(call).await {
            Err(Trouble::Assistant(EnvError::ReplayDiverged { detail, .. })) => Ok(Outcome::say(format!(
                "This state cannot be rebuilt, so nothing can be tried in it: {detail}. Undo a tactic, and go another way."
            ))),
            Err(Trouble::Assistant(error)) => Err(error.into()),
            Err(Trouble::Environment(error)) => Err(error),
            Ok(outcome) => Ok(outcome),
        }
    }

    /// Solved if the judge has accepted the proof. A proof without open goals that nobody has submitted is judged now.
    async fn verify(&mut self) -> Result<VerifyResult, EnvironmentError> {
        if self.judged.is_none() && self.proof.obligations().is_empty() {
            self.judge().await?;
        }
        Ok(self.verdict())
    }

    async fn fork(&self) -> Result<Box<dyn Environment>, EnvironmentError> {
        Ok(Box::new(self.clone()))
    }

    async fn serialize(&self) -> Result<Value, EnvironmentError> {
        serde_json::to_value(self.save()).map_err(EnvironmentError::new)
    }

    async fn restore(&self, saved: &Value) -> Result<Box<dyn Environment>, EnvironmentError> {
        let saved: Saved = serde_json::from_value(saved.clone()).map_err(EnvironmentError::new)?;
        Ok(Box::new(self.restored(saved).await?))
    }
}

/// Why a tool cannot be run.
enum Trouble {
    Assistant(EnvError),
    Environment(EnvironmentError),
}

impl From<EnvError> for Trouble {
    fn from(error: EnvError) -> Self {
        Self::Assistant(error)
    }
}

impl From<EnvironmentError> for Trouble {
    fn from(error: EnvironmentError) -> Self {
        Self::Environment(error)
    }
}
