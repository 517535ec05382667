//! The cheat corpus: attempts to pass off something false as proved. Each is tested at every level of verification,
//! together with an honest twin (`docs/reference/cheats.md`).

mod corpus;
mod table;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use andor_config::Config;
use andor_core::theorem::System;
use andor_core::verdict::Reason;
use andor_dataset::Problem;
use andor_engine::interactive::{Interactive, OpenError};
use andor_engine::registry::{self, OwnParts, RegistryError};
use andor_env::checker::{Claim, Level, Reach, Verdict, judge};
use andor_env::environment::Environment;
use andor_env::error::EnvError;
use andor_env::source;
use andor_system_rocq as rocq;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

pub use corpus::{Cheat, CheatError, Expected, Trick, read};
pub use table::{markdown, stated_levels, text};

/// The results for an entry.
#[derive(Clone, Debug)]
pub struct CheatRow {
    /// The entry.
    pub entry: Arc<Cheat>,
    /// The cheat at each tested level, lowest first.
    pub cheat: Vec<LevelTrial>,
    /// The honest twin, likewise.
    pub twin: Vec<LevelTrial>,
}

/// The result of a proof at a level.
#[derive(Clone, Debug)]
pub struct LevelTrial {
    /// The requested level.
    pub level: Level,
    /// What came of it.
    pub outcome: TrialOutcome,
}

/// The outcome of a proof at a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrialOutcome {
    /// It was accepted.
    Accepted,
    /// The search rejects it before a proof exists.
    Refused(String),
    /// It was rejected.
    Rejected {
        /// Why.
        reason: Reason,
        /// The message.
        message: String,
    },
    /// It could not be verified.
    Failed(String),
}

impl CheatRow {
    /// All deviations from the entry: a cheat that is accepted, or rejected at a lower level or for another reason
    /// than expected, and a twin that is rejected.
    pub fn faults(&self) -> Vec<String> {
        let expected = &self.entry.expected;
        let cheats = self.cheat.iter().filter_map(|LevelTrial { level, outcome }| match outcome {
            TrialOutcome::Failed(_) => None,
            TrialOutcome::Accepted => {
                (*level >= expected.rejected_at).then(|| format!("the cheat is accepted at {level}"))
            }
            TrialOutcome::Refused(message) => (expected.rejected_at != Level::Claimed)
                .then(|| format!("the cheat is refused before a search: {message}")),
            TrialOutcome::Rejected { message, .. } if *level < expected.rejected_at => {
                Some(format!("the cheat is rejected at {level} already: {message}"))
            }
            TrialOutcome::Rejected { reason, message } => (!expected.reasons.contains(reason))
                .then(|| format!("the cheat is rejected at {level} as {}: {message}", reason.name())),
        });
        let twins = self.twin.iter().filter_map(|LevelTrial { level, outcome }| match outcome {
            TrialOutcome::Failed(_) | TrialOutcome::Accepted => None,
            TrialOutcome::Refused(message) | TrialOutcome::Rejected { message, .. } => {
                Some(format!("the honest twin is rejected at {level}: {message}"))
            }
        });
        cheats.chain(twins).collect()
    }

    /// All results that could not be verified.
    pub fn failures(&self) -> Vec<String> {
        let failed = |who: &'static str, trials: &[LevelTrial]| -> Vec<String> {
            let failed = trials.iter().filter_map(|trial| match &trial.outcome {
                TrialOutcome::Failed(message) => Some(format!("{who} at {}: {message}", trial.level)),
                _ => None,
            });
            failed.collect()
        };
        let mut failures = failed("the cheat", &self.cheat);
        failures.extend(failed("the honest twin", &self.twin));
        failures
    }

    /// The result for the entry as a whole, in words.
    pub fn verdict(&self) -> &'static str {
        match (self.faults().is_empty(), self.failures().is_empty()) {
            (false, _) => "NOT as it should be",
            (true, false) => "not verified",
            (true, true) => "as it should be",
        }
    }

    /// The row as JSON.
    pub fn to_json(&self) -> Value {
        let trials =
            |trials: &[LevelTrial]| -> Vec<Value> { trials.iter().map(LevelTrial::to_json).collect() };
        json!({
            "system": self.entry.system.name(),
            "name": self.entry.name,
            "title": self.entry.title,
            "rejected_at": self.entry.expected.rejected_at.number(),
            "cheat": trials(&self.cheat),
            "twin": trials(&self.twin),
            "faults": self.faults(),
            "failures": self.failures(),
        })
    }
}

impl LevelTrial {
    fn to_json(&self) -> Value {
        let (outcome, reason, message) = match &self.outcome {
            TrialOutcome::Accepted => ("accepted", None, None),
            TrialOutcome::Refused(message) => ("refused", None, Some(message)),
            TrialOutcome::Rejected { reason, message } => ("rejected", Some(reason.name()), Some(message)),
            TrialOutcome::Failed(message) => ("infrastructure", None, Some(message)),
        };
        json!({ "level": self.level.number(), "outcome": outcome, "reason": reason, "message": message })
    }
}

/// Tests every entry, up to `jobs` concurrently, at those of the levels that its system supports here. What the search
/// itself rejects, level 0, is tested with them. An entry whose own level is not available counts as not verified, and so
/// does one that depends on the release of Rocq if that is not known. Calls `done` when an entry is done. The rows have the
/// order of the entries, and what those state for the installed release.
pub async fn run(
    entries: Vec<Cheat>,
    levels: &[Level],
    jobs: usize,
    mut done: impl FnMut(&CheatRow),
) -> Result<Vec<CheatRow>, RegistryError> {
    let mut reaches: BTreeMap<System, Reach> = BTreeMap::new();
    let permits = Arc::new(Semaphore::new(jobs.max(1)));
    let mut tasks = JoinSet::new();
    let differ = entries.iter().any(|entry| !entry.from.is_empty());
    let release = if differ { Some(rocq::installed_release().await) } else { None };
    for (place, mut entry) in entries.into_iter().enumerate() {
        let unknown = match &release {
            Some(Err(error)) if !entry.from.is_empty() => Some(error.to_string()),
            Some(Ok(release)) => {
                entry.settle(release);
                None
            }
            _ => None,
        };
        let config =
            Config { allowed_axioms: source::expanded_axioms(&entry.allow_axioms), ..Config::default() };
        let environment = registry::environment(entry.system, &config);
        let reach = match reaches.entry(entry.system) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(environment.checker().reach().await),
        };
        let mut wanted: Vec<Level> = levels.iter().copied().filter(|&l| l > Level::Claimed).collect();
        wanted.sort_unstable();
        let (levels, beyond): (Vec<Level>, Vec<Level>) =
            wanted.into_iter().partition(|&l| l <= reach.highest);
        // An entry that is not tried at the level that matters says nothing.
        let own_level = entry.expected.rejected_at;
        let missing = beyond.first().filter(|&&level| levels.is_empty() || level <= own_level);
        let missing = missing.map(|&level| {
            let why = reach.shortfall.clone().unwrap_or_default();
            LevelTrial { level, outcome: TrialOutcome::Failed(format!("the level is not available: {why}")) }
        });
        let (levels, missing) = match unknown {
            None => (levels, missing),
            Some(why) => {
                (Vec::new(), Some(LevelTrial { level: own_level, outcome: TrialOutcome::Failed(why) }))
            }
        };
        let permits = Arc::clone(&permits);
        tasks.spawn(async move {
            let _permit = permits.acquire().await.expect("the semaphore is never closed");
            let (mut cheat, mut twin) = (Vec::new(), Vec::new());
            if !levels.is_empty() || missing.is_none() {
                cheat = trials(&*environment, &config, &entry.cheat, &levels).await;
                twin = trials(&*environment, &config, &entry.twin, &levels).await;
            }
            cheat.extend(missing.clone());
            twin.extend(missing);
            (place, CheatRow { entry: Arc::new(entry), cheat, twin })
        });
    }
    let mut rows = BTreeMap::new();
    while let Some(joined) = tasks.join_next().await {
        let (place, row) = joined.expect("trials do not panic and are not cancelled");
        done(&row);
        rows.insert(place, row);
    }
    Ok(rows.into_values().collect())
}

async fn trials(
    environment: &dyn Environment,
    config: &Config,
    trick: &Trick,
    levels: &[Level],
) -> Vec<LevelTrial> {
    let mut trials = Vec::new();
    match trick {
        Trick::File(claim) => {
            for &level in levels {
                trials.push(LevelTrial { level, outcome: judged(environment, claim, level).await });
            }
        }
        Trick::Tactic { theorem, tactic } => {
            let problem =
                Problem { theorem: (**theorem).clone(), fields: serde_json::Map::new(), place: None };
            match searched(&problem, tactic, config).await {
                Err(outcome) => trials.push(LevelTrial { level: Level::Claimed, outcome }),
                Ok(proof) => {
                    trials.push(LevelTrial { level: Level::Claimed, outcome: TrialOutcome::Accepted });
                    for &level in levels {
                        let outcome = outcome(proof.check(level).await, level);
                        trials.push(LevelTrial { level, outcome });
                    }
                }
            }
        }
    }
    trials
}

async fn judged(environment: &dyn Environment, claim: &Claim, level: Level) -> TrialOutcome {
    outcome(judge(environment.checker(), claim, level).await, level)
}

fn outcome(verdict: Verdict, asked: Level) -> TrialOutcome {
    match verdict {
        Verdict::Accepted { level, .. } if level >= asked => TrialOutcome::Accepted,
        Verdict::Accepted { level, shortfall, .. } => {
            TrialOutcome::Failed(shortfall.unwrap_or_else(|| format!("only {level} was reached")))
        }
        Verdict::Rejected { reason, message, .. } => TrialOutcome::Rejected { reason, message },
        Verdict::Infrastructure { error, .. } => TrialOutcome::Failed(error.to_string()),
    }
}

/// Imitates a search: opens the theorem and runs the tactic. Returns the claimed proof if no goals remain.
async fn searched(problem: &Problem, tactic: &str, config: &Config) -> Result<Interactive, TrialOutcome> {
    let failed = |error: EnvError| match error {
        EnvError::TheoremRefused { .. } | EnvError::StatementAxioms { .. } => {
            TrialOutcome::Refused(error.to_string())
        }
        _ => TrialOutcome::Failed(error.to_string()),
    };
    let mut proof = Interactive::open(&problem.theorem, config, &OwnParts::default()).await.map_err(
        |error| match error {
            OpenError::Env(error) => failed(error),
            _ => TrialOutcome::Failed(error.to_string()),
        },
    )?;
    proof.apply(tactic).await.map_err(failed)?.map_err(TrialOutcome::Refused)?;
    match proof.goals().len() {
        0 => Ok(proof),
        left => Err(TrialOutcome::Refused(format!("{left} goals remain"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor_system_mini::MINI;

    fn row(rejected_at: Level, cheat: &[(Level, TrialOutcome)], twin: TrialOutcome) -> CheatRow {
        let claim = Claim { submission: String::new(), challenge: String::new(), theorems: Vec::new() };
        let entry = Cheat {
            name: "one".to_owned(),
            system: MINI,
            title: "One".to_owned(),
            tries: String::new(),
            source: String::new(),
            naive: None,
            expected: Expected { rejected_at, reasons: vec![Reason::Axiom] },
            from: BTreeMap::new(),
            allow_axioms: Vec::new(),
            cheat: Trick::File(claim.clone()),
            twin: Trick::File(claim),
        };
        let trial =
            |(level, outcome): &(Level, TrialOutcome)| LevelTrial { level: *level, outcome: outcome.clone() };
        CheatRow {
            entry: Arc::new(entry),
            cheat: cheat.iter().map(trial).collect(),
            twin: vec![LevelTrial { level: Level::Audited, outcome: twin }],
        }
    }

    fn rejected(reason: Reason) -> TrialOutcome {
        TrialOutcome::Rejected { reason, message: "so".to_owned() }
    }

    #[test]
    fn what_is_not_as_stated_is_a_fault() {
        use Level::{Audited, Compiled, Rechecked};
        let right = [(Compiled, TrialOutcome::Accepted), (Audited, rejected(Reason::Axiom))];
        assert_eq!(row(Audited, &right, TrialOutcome::Accepted).faults(), Vec::<String>::new());
        for (stated, cheat, twin, expected) in [
            (
                Audited,
                vec![(Audited, TrialOutcome::Accepted)],
                TrialOutcome::Accepted,
                "is accepted at level 2",
            ),
            (
                Audited,
                vec![(Rechecked, TrialOutcome::Accepted)],
                TrialOutcome::Accepted,
                "is accepted at level 3",
            ),
            (Rechecked, right.to_vec(), TrialOutcome::Accepted, "is rejected at level 2 (audited) already"),
            (Audited, vec![(Audited, rejected(Reason::Kernel))], TrialOutcome::Accepted, "as kernel"),
            (Audited, right.to_vec(), rejected(Reason::Axiom), "twin is rejected at level 2"),
            (
                Audited,
                vec![(Level::Claimed, TrialOutcome::Refused("x".into()))],
                TrialOutcome::Accepted,
                "is refused",
            ),
        ] {
            let faults = row(stated, &cheat, twin).faults();
            assert!(faults.len() == 1 && faults[0].contains(expected), "{expected}: {faults:?}");
        }
    }

    #[test]
    fn a_failure_is_neither_acceptance_nor_rejection() {
        let failed = TrialOutcome::Failed("no judge".to_owned());
        let row = row(Level::Audited, &[(Level::Audited, failed.clone())], failed);
        assert!(row.faults().is_empty());
        assert_eq!(row.failures().len(), 2);
    }
}
