//! Verifies finished proofs: level 1, Lean's own compiler in a new process.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use super::premises::Premises;
use super::shorten;
use crate::checker::{Checker, Claim, Level, Reason, Step, Verdict};
use crate::error::EnvError;
use crate::process::scratch::Scratch;
use crate::process::{ChildSpec, ResourceLimits};

/// The axioms of Lean's own library, which are always allowed.
pub const STANDARD_AXIOMS: &[&str] = &["propext", "Classical.choice", "Quot.sound"];

/// Output limit of the compiler, in bytes.
const MAX_OUTPUT_BYTES: usize = 16 << 20;

/// Goes through the levels.
pub(super) struct LeanChecker {
    premises: Arc<Premises>,
}

impl LeanChecker {
    pub(super) fn new(premises: Arc<Premises>) -> Self {
        Self { premises }
    }

    /// The messages of the compiler about a file: severity, and text.
    async fn compile(&self, text: &str) -> Result<Vec<(String, String)>, EnvError> {
        let doing = "compiling the proof";
        let toolchain = self.premises.toolchain().await?;
        let folder = Scratch::new()?;
        let path = folder.path().join("Submission.lean");
        let unwritable =
            |source| EnvError::File { action: "cannot write", path: path.display().to_string(), source };
        std::fs::write(&path, text).map_err(unwritable)?;
        let spec = ChildSpec {
            program: toolchain.lean.to_string_lossy().into_owned(),
            args: ["--json", "-DmaxErrors=0", "Submission.lean"].map(str::to_owned).to_vec(),
            env: toolchain.environment(),
            directory: folder.path().to_owned(),
            limits: ResourceLimits::default(),
        };
        let limit = self.premises.config().check_limit;
        let finished = self.premises.run_to_end(spec, doing, limit, MAX_OUTPUT_BYTES).await?;
        let mut messages: Vec<(String, String)> = finished.stdout.lines().filter_map(message).collect();
        if finished.exit.code.is_none() {
            let exit = finished.exit;
            return Err(EnvError::Died { doing: doing.to_owned(), status: exit.status, stderr: exit.stderr });
        }
        if finished.exit.code != Some(0) && !messages.iter().any(|(severity, _)| severity == "error") {
            messages.push(("error".to_owned(), finished.exit.stderr));
        }
        Ok(messages)
    }

    async fn compiled(&self, claim: &Claim) -> Step<Vec<String>> {
        let level = Level::Compiled;
        let asked = claim.theorems.iter().map(|name| format!("#print axioms {name}\n"));
        let text = format!("{}\n{}", claim.submission, asked.collect::<String>());
        let messages = self.compile(&text).await.map_err(Verdict::failed(level))?;
        if let Some((_, error)) = messages.iter().find(|(severity, _)| severity == "error") {
            return Err(Verdict::rejected(level, Reason::Refused, error.clone()));
        }
        let mut axioms: Vec<String> = messages.iter().flat_map(|(_, text)| axioms_in(text)).collect();
        axioms.sort();
        axioms.dedup();
        if axioms.iter().any(|axiom| axiom == "sorryAx") {
            return Err(Verdict::rejected(level, Reason::Unproved, "the proof uses `sorry`"));
        }
        let allowed = &self.premises.config().allowed_axioms;
        let known = |axiom: &String| STANDARD_AXIOMS.contains(&axiom.as_str()) || allowed.contains(axiom);
        match axioms.iter().find(|axiom| !known(axiom)) {
            Some(axiom) => {
                let message = format!("the proof uses the axiom `{}`", shorten(axiom));
                Err(Verdict::rejected(level, Reason::Axiom, message))
            }
            None => Ok(axioms),
        }
    }
}

/// A message of the compiler.
fn message(line: &str) -> Option<(String, String)> {
    let value: Value = serde_json::from_str(line).ok()?;
    Some((value.get("severity")?.as_str()?.to_owned(), value.get("data")?.as_str()?.to_owned()))
}

/// The axioms in an answer to `#print axioms`.
fn axioms_in(text: &str) -> Vec<String> {
    let Some((_, list)) = text.split_once("depends on axioms: [") else { return Vec::new() };
    list.trim_end().trim_end_matches(']').split(',').map(|axiom| axiom.trim().to_owned()).collect()
}

#[async_trait]
impl Checker for LeanChecker {
    async fn check(&self, claim: &Claim, _level: Level) -> Verdict {
        match self.compiled(claim).await {
            Ok(axioms) => Verdict::accepted(Level::Compiled, axioms),
            Err(verdict) => verdict,
        }
    }
}
