//! Judgements as records: `docs/formats/check.md`.

use std::path::Path;

use andor_config::Config;
use serde_json::{Value, json};

use super::{Judgement, Permission, Reason, Verdict};

impl Judgement {
    /// The record of the judgement, made with a configuration. `statement_from` is the file that states the theorems, if it is
    /// another.
    pub fn record(&self, config: &Config, statement_from: Option<&Path>) -> Value {
        let mut record = base("accepted", &self.theorems, statement_from);
        record["demanded"] = json!(config.verify.demanded.then(|| config.verify.wanted().number()));
        record["system"] = json!(self.system.name());
        record["note"] = json!(self.note);
        match &self.verdict {
            Verdict::Accepted { level, axioms, trust, shortfall } => {
                let features: Vec<&str> = trust.features.iter().map(|feature| feature.name()).collect();
                record["level"] = json!(level.number());
                record["axioms"] = json!(axioms);
                record["statement_axioms"] = json!(trust.statement_axioms);
                record["features"] = json!(features);
                record["known_bugs"] = json!(trust.bugs);
                record["libraries"] = json!(trust.libraries);
                record["universes"] = json!(trust.universes);
                record["kernels"] = json!(trust.second_judge.kernels());
                record["second_judge"] = json!(trust.second_judge.name());
                record["second_judge_silence"] = json!(trust.second_judge.silence());
                record["shortfall"] = json!(shortfall);
            }
            Verdict::Rejected { level, reason, message, permission } => {
                record["verdict"] = json!("rejected");
                record["level"] = json!(level.number());
                record["reason"] = json!(reason.name());
                if *reason == Reason::SecondJudge {
                    record["second_judge"] = json!("refused");
                }
                match permission {
                    Some(Permission::Axioms(name)) => record["allow_axioms"] = json!(name),
                    Some(Permission::Bug(name)) => record["trust"] = json!(name),
                    Some(Permission::Universes) | None => {}
                }
                record["message"] = json!(message);
            }
            Verdict::Infrastructure { level, error } => {
                record["verdict"] = json!("infrastructure");
                record["level"] = json!(level.number());
                record["message"] = json!(error.to_string());
            }
        }
        record
    }
}

/// The record of a judgement that could not be made, for this reason.
pub fn unusable(theorems: &[String], statement_from: Option<&Path>, message: &str) -> Value {
    let mut record = base("unusable", theorems, statement_from);
    record["message"] = json!(message);
    record
}

fn base(verdict: &str, theorems: &[String], statement_from: Option<&Path>) -> Value {
    json!({
        "verdict": verdict,
        "level": null,
        "demanded": null,
        "shortfall": null,
        "system": null,
        "theorems": theorems,
        "statement_from": statement_from.map(Path::to_string_lossy),
        "axioms": [],
        "statement_axioms": [],
        "features": [],
        "known_bugs": [],
        "libraries": [],
        "universes": [],
        "kernels": [],
        "second_judge": null,
        "second_judge_silence": null,
        "reason": null,
        "allow_axioms": null,
        "trust": null,
        "message": null,
        "note": null,
    })
}
