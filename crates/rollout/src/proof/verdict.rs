//! The judge's verdicts.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use andor_artifact::result::{ProofStep, RejectedClaim};
use andor_core::view;
use andor_env::checker::{Permission, Verdict};
use serde::{Deserialize, Serialize};
use tokio::sync::OnceCell;

use super::{Judged, Proof};
use crate::environment::EnvironmentError;

/// Verdicts so far, by the source file: several branches may come to the same proof.
#[derive(Debug, Default)]
pub struct Verdicts(Mutex<HashMap<String, Arc<OnceCell<Finding>>>>);

impl Verdicts {
    fn of(&self, source: &str) -> Arc<OnceCell<Finding>> {
        let mut known = self.0.lock().expect("nothing panics with the lock");
        Arc::clone(known.entry(source.to_owned()).or_default())
    }
}

/// What the judge said of a proof.
type Finding = Result<Arc<Verified>, RejectedClaim>;

/// An accepted proof.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Verified {
    /// The level to which it was verified, by its number.
    pub level: u8,
    /// Why the level is lower than the one asked for, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortfall: Option<String>,
    /// The axioms that it depends on.
    pub axioms: Vec<String>,
    /// Those of them that are allowed because the statement depends on them.
    #[serde(default)]
    pub statement_axioms: Vec<String>,
    /// The kernel features that it uses beyond the core calculus.
    pub features: Vec<String>,
    /// The known bugs of this kernel that affect one of these.
    pub known_bugs: Vec<String>,
    /// Compiled libraries that it loads beside the prover's own.
    #[serde(default)]
    pub libraries: Vec<String>,
    /// Libraries whose universes bound those of the theorem.
    #[serde(default)]
    pub universes: Vec<String>,
    /// Other kernels that accept it as well.
    pub kernels: Vec<String>,
    /// What another system's kernel says: `accepted`, `silent` or `absent`.
    #[serde(default)]
    pub second_judge: Option<String>,
    /// Why it is silent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_judge_silence: Option<String>,
    /// Its tactics, in the order in which they were applied.
    pub tactics: Vec<String>,
    /// The complete source file.
    pub source: String,
}

impl Proof {
    /// Has the judge read the finished proof in a fresh process. What the judge says about the proof is kept; that it failed
    /// itself is an error.
    pub(super) async fn judge(&mut self) -> Result<(), EnvironmentError> {
        let source = self.proof.source();
        let finding = self.parts.verdicts.of(&source);
        self.judged = Some(match finding.get_or_try_init(|| self.finding(source)).await? {
            Ok(verified) => Judged::Accepted(Arc::clone(verified)),
            Err(claim) => {
                self.rejected.push(claim.clone());
                Judged::Rejected
            }
        });
        Ok(())
    }

    async fn finding(&self, source: String) -> Result<Finding, EnvironmentError> {
        match self.proof.check(self.parts.config.verify.demand()).await {
            Verdict::Accepted { level, axioms, trust, shortfall } => {
                let trust = *trust;
                let tactics = self.proof.steps().into_iter().map(|step| step.tactic.to_string());
                Ok(Ok(Arc::new(Verified {
                    level: level.number(),
                    shortfall,
                    axioms,
                    statement_axioms: trust.statement_axioms.into(),
                    features: trust.features.into_iter().map(|feature| feature.name().to_owned()).collect(),
                    known_bugs: trust.bugs.into(),
                    libraries: trust.libraries.into(),
                    universes: trust.universes.into(),
                    kernels: trust.second_judge.kernels(),
                    second_judge: Some(trust.second_judge.name().to_owned()),
                    second_judge_silence: trust.second_judge.silence().map(str::to_owned),
                    tactics: tactics.collect(),
                    source,
                })))
            }
            Verdict::Rejected { level, reason, message, permission, at } => {
                let message = at.map(|place| format!("{place}: {message}")).unwrap_or(message);
                let (allow_axioms, trust) = match permission {
                    Some(Permission::Axioms(name)) => (Some(name), None),
                    Some(Permission::Bug(name)) => (None, Some(name)),
                    Some(Permission::Universes) | None => (None, None),
                };
                let (level, reason) = (level.number(), reason.name().to_owned());
                Ok(Err(RejectedClaim { level, reason, message, allow_axioms, trust }))
            }
            Verdict::Infrastructure { error, .. } => Err(EnvironmentError::new(error)),
        }
    }

    /// The steps of the proof with the goals before each.
    pub(super) async fn steps_with_goals(&self) -> Result<Vec<ProofStep>, EnvironmentError> {
        let mut proof = self.beginning.clone();
        let mut steps = Vec::new();
        for step in self.proof.steps() {
            let obligations = proof.obligations();
            let goals = obligations.get(step.place).map(|goals| view::pp(goals)).unwrap_or_default();
            let tactic = step.tactic.to_string();
            steps.push(ProofStep { state: goals, tactic, log_prior: 0.0, took_ms: 0.0, graft: None });
            proof.redo(std::slice::from_ref(&step)).await?.map_err(EnvironmentError::new)?;
        }
        Ok(steps)
    }
}
