//! Files of plans.

use std::path::{Path, PathBuf};

use andor_artifact::input;
use andor_artifact::plan::Plans;
use andor_artifact::version::{Kind, Opening};
use andor_core::plan::PlanStep;
use andor_core::theorem::System;
use andor_provider::plan::parse::{self, PlanFault};
use serde_json::Value;

use super::record;

/// Why the plan of a theorem cannot be read from a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanFileError {
    /// The file cannot be read. The message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It is no file of plans.
    #[error("{}: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// The plan of the theorem cannot be read.
    #[error("{}: the plan of `{theorem}`: {fault}", path.display())]
    Plan {
        /// The file.
        path: PathBuf,
        /// The theorem.
        theorem: String,
        /// What is wrong with it.
        fault: PlanFault,
    },
}

/// The plan of a theorem in a file, if it has one: in our form ([`Plans`]) or that of BFS-Prover.
///
/// # Errors
///
/// The file cannot be read, or is no file of plans.
pub fn read(path: &Path, theorem: &str, system: System) -> Result<Option<Vec<PlanStep>>, PlanFileError> {
    let malformed = |message: String| PlanFileError::Malformed { path: path.to_owned(), message };
    let text = input::text(path)?;
    let value: Value = serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
    let fault = |fault| PlanFileError::Plan { path: path.to_owned(), theorem: theorem.to_owned(), fault };
    if value.get("opening").is_some() {
        let plans: Plans = serde_json::from_value(value).map_err(|error| malformed(error.to_string()))?;
        let Opening { kind, .. } = plans.opening;
        if kind != Kind::Plans {
            return Err(malformed(format!("it is a file of kind `{}`, not of plans", kind.name())));
        }
        let Some(plan) = plans.plans.get(theorem) else { return Ok(None) };
        let steps: Vec<PlanStep> = plan.steps.iter().map(record::read).collect();
        return parse::check(&steps, system).map(|()| Some(steps)).map_err(fault);
    }
    let form = "it has neither the form of andor's plans nor `{\"THEOREM\": {\"plan\": [\"have …\"]}}`";
    let entries = value.as_object().ok_or_else(|| malformed(form.to_owned()))?;
    let Some(entry) = entries.get(theorem) else { return Ok(None) };
    let lines: Option<Vec<&str>> =
        entry.get("plan").and_then(Value::as_array).and_then(|plan| plan.iter().map(Value::as_str).collect());
    let lines = lines.ok_or_else(|| malformed(format!("{form}, at `{theorem}`")))?;
    parse::steps(&lines.join("\n"), system).map(Some).map_err(fault)
}
