//! A trial of a system: a small theorem is opened, proved and verified as in a run, with its limits and its sandbox.

use std::sync::Arc;

use andor_config::Config;
use andor_core::theorem::Theorem;
use andor_env::checker::{Demand, Level, Verdict};
use andor_env::environment::{Environment, Example};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;

use crate::interactive::Interactive;

/// Tries a system out up to a level; a system without an example has nothing to try.
///
/// # Errors
///
/// What failed, and how.
pub async fn run(environment: Arc<dyn Environment>, config: &Config, level: Level) -> Result<(), String> {
    let Some(Example { statement, tactic }) = environment.example() else { return Ok(()) };
    let theorem = Theorem {
        id: Example::NAME.to_owned(),
        name: Example::NAME.to_owned(),
        system: environment.system(),
        header: String::new(),
        statement: statement.to_owned(),
        footer: String::new(),
        extra_imports: Vec::new(),
    };
    let workers = Workers::new(environment, Grouping::Coupled);
    let opened = Interactive::begin(workers, theorem, config).await;
    let mut proof = opened.map_err(|error| format!("a theorem cannot be opened: {error}"))?;
    match proof.apply_to(0, tactic).await {
        Ok(Ok(())) => {}
        Ok(Err(message)) => return Err(format!("the tactic `{tactic}` is rejected: {message}")),
        Err(error) => return Err(format!("a tactic cannot be run: {error}")),
    }
    match proof.check(Demand { least: level, ..level.into() }).await {
        Verdict::Accepted { .. } => Ok(()),
        Verdict::Rejected { level, message, .. } => Err(format!("a proof is rejected at {level}: {message}")),
        Verdict::Infrastructure { level, error } => {
            Err(format!("a proof cannot be verified to {level}: {error}"))
        }
    }
}
