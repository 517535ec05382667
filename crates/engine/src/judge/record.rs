//! Judgements as records: `docs/formats/check.md`.

use std::path::Path;

use andor_artifact::check::{CheckRecord, CheckVerdict};
use andor_config::Config;

use super::{Judgement, Permission, Reason, Verdict};

impl Judgement {
    /// The record of the judgement, made with a configuration. `statement_from` is the file that states the theorems, if it is
    /// another.
    pub fn record(&self, config: &Config, statement_from: Option<&Path>) -> CheckRecord {
        let base = CheckRecord {
            demanded: config.verify.demanded.then(|| config.verify.wanted().number()),
            system: Some(self.system.name().to_owned()),
            note: self.note.clone(),
            ..base(&self.theorems, statement_from)
        };
        match &self.verdict {
            Verdict::Accepted { level, axioms, trust, shortfall } => CheckRecord {
                verdict: CheckVerdict::Accepted,
                level: Some(level.number()),
                axioms: axioms.clone(),
                statement_axioms: trust.statement_axioms.to_vec(),
                features: trust.features.iter().map(|feature| feature.name().to_owned()).collect(),
                known_bugs: trust.bugs.to_vec(),
                libraries: trust.libraries.to_vec(),
                universes: trust.universes.to_vec(),
                kernels: trust.second_judge.kernels(),
                second_judge: Some(trust.second_judge.name().to_owned()),
                second_judge_silence: trust.second_judge.silence().map(str::to_owned),
                shortfall: shortfall.clone(),
                ..base
            },
            Verdict::Rejected { level, reason, message, permission, at } => {
                let message = at.map_or_else(|| message.clone(), |place| format!("{place}: {message}"));
                let (allow_axioms, trust) = match permission {
                    Some(Permission::Axioms(name)) => (Some(name.clone()), None),
                    Some(Permission::Bug(name)) => (None, Some(name.clone())),
                    Some(Permission::Universes) | None => (None, None),
                };
                CheckRecord {
                    verdict: CheckVerdict::Rejected,
                    level: Some(level.number()),
                    reason: Some(reason.name().to_owned()),
                    second_judge: (*reason == Reason::SecondJudge).then(|| "refused".to_owned()),
                    allow_axioms,
                    trust,
                    message: Some(message),
                    ..base
                }
            }
            Verdict::Infrastructure { level, error } => CheckRecord {
                verdict: CheckVerdict::Infrastructure,
                level: Some(level.number()),
                message: Some(error.to_string()),
                ..base
            },
        }
    }
}

/// The record of a judgement that could not be made, for this reason.
pub fn unusable(theorems: &[String], statement_from: Option<&Path>, message: &str) -> CheckRecord {
    CheckRecord { message: Some(message.to_owned()), ..base(theorems, statement_from) }
}

fn base(theorems: &[String], statement_from: Option<&Path>) -> CheckRecord {
    CheckRecord {
        theorems: theorems.to_vec(),
        statement_from: statement_from.map(|path| path.to_string_lossy().into_owned()),
        ..CheckRecord::default()
    }
}
