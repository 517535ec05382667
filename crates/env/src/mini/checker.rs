//! Judging files from scratch, on a thread of their own; `docs/adr/0008-mini-in-process.md` says why no process.

use std::collections::BTreeMap;

use andor_mini::prover::{self, FileError};
use async_trait::async_trait;
use tokio::sync::oneshot;

use super::source::with_named_examples;
use super::{MiniConfig, STANDARD_AXIOMS};
use crate::checker::{Checker, Claim, Level, Reason, Verdict};
use crate::error::EnvError;

/// On which everything rests that is not proved. Nobody can allow it.
const SORRY: &str = "sorryAx";

/// Stated while a file is checked, for messages.
const DOING: &str = "checking a proof";

/// Judges files by reading them anew, the prelude included.
pub(super) struct MiniChecker {
    config: MiniConfig,
}

impl MiniChecker {
    pub(super) fn new(config: MiniConfig) -> Self {
        Self { config }
    }

    fn allows(&self, axiom: &str) -> bool {
        axiom != SORRY
            && (STANDARD_AXIOMS.contains(&axiom) || self.config.allowed_axioms.iter().any(|a| a == axiom))
    }

    /// Accepts when every theorem named is proved from allowed axioms.
    fn judge(&self, file: &Claim, rests_on: &BTreeMap<String, Vec<String>>) -> Verdict {
        let mut axioms: Vec<String> = Vec::new();
        for theorem in &file.theorems {
            let Some(used) = rests_on.get(theorem) else {
                return rejected(Reason::Missing, format!("the file proves no theorem `{theorem}`"));
            };
            if used.iter().any(|a| a == SORRY) {
                return rejected(Reason::Unproved, format!("`{theorem}` is not proved: it uses `sorry`"));
            }
            if let Some(bad) = used.iter().find(|a| !self.allows(a)) {
                return rejected(
                    Reason::Axiom,
                    format!(
                        "`{theorem}` rests on `{bad}`, which is not an allowed axiom (--allow-axioms {bad} allows it)"
                    ),
                );
            }
            axioms.extend(used.iter().cloned());
        }
        axioms.sort();
        axioms.dedup();
        Verdict::accepted(Level::Compiled, axioms)
    }
}

#[async_trait]
impl Checker for MiniChecker {
    async fn check(&self, file: &Claim, _level: Level) -> Verdict {
        let text = file.submission.clone();
        let failed = |error| Verdict::Infrastructure { level: Level::Compiled, error };
        let limit = self.config.check_limit;
        match tokio::time::timeout(limit, afresh(move || check(&text))).await {
            Err(_) => failed(EnvError::Overdue { doing: DOING.to_owned(), after: limit }),
            Ok(Err(error)) => failed(error),
            Ok(Ok(Err(error))) => rejected(Reason::Refused, format!("the prover refuses it: {error}")),
            Ok(Ok(Ok(rests_on))) => self.judge(file, &rests_on),
        }
    }
}

/// Each theorem of a file with the axioms that it rests on.
fn check(text: &str) -> Result<BTreeMap<String, Vec<String>>, FileError> {
    prover::check(&with_named_examples(text)?)
}

/// Runs on a new thread, with which everything that it has come to know ends.
async fn afresh<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, EnvError> {
    let (sender, receiver) = oneshot::channel();
    let spawned = std::thread::Builder::new().name("mini-check".to_owned()).spawn(move || {
        // Nobody listens when the checker was given up.
        let _ = sender.send(work());
    });
    spawned.map_err(|source| EnvError::Spawn { program: "a thread".to_owned(), source })?;
    receiver.await.map_err(|_| EnvError::Died {
        doing: DOING.to_owned(),
        status: "a panic".to_owned(),
        stderr: String::new(),
    })
}

fn rejected(reason: Reason, message: String) -> Verdict {
    Verdict::rejected(Level::Compiled, reason, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim() -> Claim {
        Claim { submission: String::new(), challenge: String::new(), theorems: vec!["t".to_owned()] }
    }

    fn verdict(allowed: &[&str], used: &[&str]) -> Verdict {
        let allowed_axioms = allowed.iter().map(|a| (*a).to_owned()).collect();
        let checker = MiniChecker::new(MiniConfig { allowed_axioms, ..MiniConfig::default() });
        let file = claim();
        let used = used.iter().map(|a| (*a).to_owned()).collect();
        checker.judge(&file, &BTreeMap::from([("t".to_owned(), used)]))
    }

    #[test]
    fn standard_axioms_and_named_ones_are_allowed() {
        for (allowed, used) in [(&[][..], &["propext", "Classical.em"][..]), (&["mine"], &["mine", "funext"])]
        {
            assert!(matches!(verdict(allowed, used), Verdict::Accepted { axioms, .. } if axioms.len() == 2));
        }
        let Verdict::Rejected { message: reason, .. } = verdict(&[], &["mine"]) else {
            panic!("it is not allowed")
        };
        assert!(reason.contains("(--allow-axioms mine allows it)"), "{reason}");
    }

    #[test]
    fn nobody_can_allow_sorry() {
        let Verdict::Rejected { message: reason, .. } = verdict(&["sorryAx"], &["sorryAx"]) else {
            panic!("never")
        };
        assert!(reason.contains("uses `sorry`"), "{reason}");
    }

    #[test]
    fn a_theorem_that_is_not_there_is_not_proved() {
        let checker = MiniChecker::new(MiniConfig::default());
        let file = claim();
        assert!(matches!(checker.judge(&file, &BTreeMap::new()), Verdict::Rejected { .. }));
    }
}
