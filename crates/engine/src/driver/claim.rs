//! Claimed proofs, and the checker's verdicts on them.

use andor_artifact::result::RejectedClaim;
use andor_artifact::trace::Rejection;
use andor_core::tree::extract::Proof;
use andor_core::verdict::Reason;
use andor_env::checker::{Claim, Level, Permission, Verdict, judge};
use andor_env::environment::{Script, ScriptStep};
use andor_env::session::Obligation;
use andor_env::trust::Trust;
use tokio::time::Instant;

use super::Driver;
use crate::event::Event;

/// A proof.
pub struct Found {
    /// The proof tree.
    pub proof: Proof,
    /// Its script.
    pub script: Script,
    /// The complete file, and the statement it was checked against.
    pub claim: Claim,
    /// The verdict, possibly at a lower level than demanded; `None` if the checker could not judge it.
    pub accepted: Option<Accepted>,
}

/// The verdict on an accepted proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The level that was reached.
    pub level: Level,
    /// The axioms that the proof depends on.
    pub axioms: Vec<String>,
    /// What else has to be trusted.
    pub trust: Trust,
    /// What this machine lacks for the level that was asked for, if that is higher.
    pub shortfall: Option<String>,
}

/// The outcome of a claim.
pub(super) enum Judged {
    /// Accepted at the demanded level.
    Accepted(Box<Found>),
    /// Rejected; its youngest step is marked as refuted.
    Rejected,
    /// The checker failed, or did not reach the demanded level.
    Unchecked(Box<Found>, String),
    /// The attempt was cancelled while the checker ran.
    Interrupted,
    /// The script would be too large: a proof graph shares subproofs that a script must repeat.
    Unwritable,
}

impl Driver<'_> {
    /// Has the checker verify the proof that the search claims.
    pub(super) async fn claim(&mut self) -> Judged {
        self.emit(&Event::Checking);
        let Some(proof) = self.search.tree().extract() else {
            return Judged::Unwritable;
        };
        let Some(script) = self.script(&proof) else {
            let message = "a step was committed without one of its children";
            let (level, reason) = (Level::Claimed.number(), Reason::Unproved.name().to_owned());
            let message = message.to_owned();
            let claim = RejectedClaim { level, reason, message, allow_axioms: None, trust: None };
            return self.reject(&proof, claim);
        };
        let mut scripts = self.named(&proof, &script).into_iter().chain([script]).peekable();
        let (script, claim, verdict) = loop {
            let script = scripts.next().expect("the loop ends at the last one");
            let claim = self.tools.session.assemble(&script);
            let began = Instant::now();
            let verdict = tokio::select! {
                biased;
                () = self.tools.cancel.cancelled() => return Judged::Interrupted,
                verdict = judge(self.checker, &claim, self.config.verify.demand()) => verdict,
            };
            self.checking += began.elapsed();
            if matches!(verdict, Verdict::Accepted { .. }) || scripts.peek().is_none() {
                break (script, claim, verdict);
            }
        };
        match verdict {
            Verdict::Accepted { level, axioms, trust, shortfall } => {
                let accepted = Some(Accepted { level, axioms, trust: *trust, shortfall });
                Judged::Accepted(Box::new(Found { proof, script, claim, accepted }))
            }
            Verdict::Rejected { level, reason, message, permission, at } => {
                let message = at.map(|place| format!("{place}: {message}")).unwrap_or(message);
                let (allow_axioms, trust) = match permission {
                    Some(Permission::Axioms(name)) => (Some(name), None),
                    Some(Permission::Bug(name)) => (None, Some(name)),
                    Some(Permission::Universes) | None => (None, None),
                };
                let (level, reason) = (level.number(), reason.name().to_owned());
                self.reject(&proof, RejectedClaim { level, reason, message, allow_axioms, trust })
            }
            Verdict::Infrastructure { level, error } => {
                let found = Found { proof, script, claim, accepted: None };
                Judged::Unchecked(Box::new(found), format!("{level} did not finish: {error}"))
            }
        }
    }

    /// Rejects the claim by refuting its youngest step, so that the search can continue.
    fn reject(&mut self, proof: &Proof, claim: RejectedClaim) -> Judged {
        let step = proof.youngest();
        let node = self.search.tree().step_node(step);
        let rejection = Rejection {
            iteration: self.search.spent().iterations,
            level: claim.level,
            reason: claim.reason.clone(),
            message: claim.message.clone(),
            mvar_id: self.ledger.name(node).to_string(),
            tactic: self.search.tactics().text(self.search.tree().tactic(step)).to_owned(),
        };
        self.emit(&Event::Rejection(rejection));
        self.rejected_claims.push(claim);
        self.search.refute(step);
        self.withdraw_refuted();
        Judged::Rejected
    }

    /// A script with names for hypotheses where a step needs one that the assistant made up for another; `None` if there is
    /// nothing to name.
    fn named(&self, proof: &Proof, script: &Script) -> Option<Script> {
        let session = &self.tools.session;
        let mut named = script.clone();
        for (at, step) in proof.steps.iter().enumerate() {
            let before = session.goals(self.ledger.obligation(step.node));
            let checkpoint = self.ledger.checkpoint(step.step);
            if script.steps[at].groups.len() != 1 {
                continue;
            }
            let after = session.goals(Obligation { checkpoint, group: 0 });
            let ([before], [after]) = (&before[..], &after[..]) else { continue };
            let is_new = |name: &&str| before.locals().all(|(known, _)| known != *name);
            let new: Vec<&str> = after.locals().map(|(name, _)| name).filter(is_new).collect();
            let others = || script.steps.iter().enumerate().filter(|(other, _)| *other != at);
            let is_made_up = |name: &&str| !mentions(&before.target.text, name);
            let is_needed = |name: &&str| others().any(|(_, step)| mentions(&step.text, name));
            if new.iter().any(|name| is_made_up(name) && is_needed(name))
                && let Some(text) = session.with_names(&script.steps[at].text, &new)
            {
                named.steps[at].text = text;
            }
        }
        (named != *script).then_some(named)
    }

    /// The script of a proof; `None` if a step lacks a child.
    pub(super) fn script(&self, proof: &Proof) -> Option<Script> {
        let steps = proof.steps.iter().map(|step| {
            let (text, groups) = self.tools.session.script_of(self.ledger.checkpoint(step.step));
            let complete = groups.len() == step.children.len();
            complete.then(|| ScriptStep { text, groups, children: step.children.clone() })
        });
        steps.collect::<Option<Vec<_>>>().map(|steps| Script { steps })
    }
}

/// Whether a text has a name as a word.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\''))).any(|word| word == name)
}
