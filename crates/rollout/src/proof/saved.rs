//! Proofs as they are written.

use andor_artifact::result::RejectedClaim;
use andor_engine::interactive::{Interactive, Step};
use serde::{Deserialize, Serialize};

use super::{Judged, Proof, Verified};
use crate::environment::EnvironmentError;

/// A tactic that failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Failed {
    /// The state in which it failed, by its short name.
    pub state: String,
    /// The goals of the state, as one text.
    pub goals: String,
    /// The tactic.
    pub tactic: String,
}

/// A proof in progress: the tactics that make it again, and what is known about it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Saved {
    /// Each tactic with the place of its goal among the open ones, from 0.
    pub steps: Vec<(usize, String)>,
    /// The tactics that failed, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<Failed>,
    /// What searches found states to be worth.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<(String, f64)>,
    /// The claims that were rejected, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<RejectedClaim>,
    /// Whether the last of them is this proof.
    #[serde(default)]
    pub is_rejected: bool,
    /// The verdict, if the proof was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<Verified>,
}

impl Proof {
    pub(super) fn save(&self) -> Saved {
        let step = |step: Step| (step.place, step.tactic.to_string());
        Saved {
            steps: self.proof.steps().into_iter().map(step).collect(),
            failed: self.failed.clone(),
            values: self.values.clone().into_iter().collect(),
            rejected: self.rejected.clone(),
            is_rejected: matches!(self.judged, Some(Judged::Rejected)),
            verified: match &self.judged {
                Some(Judged::Accepted(verified)) => Some(Verified::clone(verified)),
                _ => None,
            },
        }
    }

    /// The proof that was saved. Its tactics are made again.
    pub(super) async fn restored(&self, saved: Saved) -> Result<Self, EnvironmentError> {
        let step = |(place, tactic): &(usize, String)| Step { place: *place, tactic: tactic.as_str().into() };
        let steps: Vec<Step> = saved.steps.iter().map(step).collect();
        let mut proof = self.beginning.clone();
        proof.redo(&steps).await?.map_err(EnvironmentError::new)?;
        Ok(self.with(proof, saved))
    }

    /// What was saved, with its tactics made again.
    pub(super) fn with(&self, proof: Interactive, saved: Saved) -> Self {
        let Saved { failed, values, rejected, is_rejected, verified, .. } = saved;
        let judged = match verified {
            Some(verified) => Some(Judged::Accepted(verified.into())),
            None => is_rejected.then_some(Judged::Rejected),
        };
        let values = values.into_iter().collect();
        Self { proof, failed, values, rejected, judged, ..self.clone() }
    }
}
