//! Plans: checked in the theorem's own context, asked for until one holds, and laid out as a script to begin with.

mod file;
mod make;
pub mod record;
pub(crate) mod schedule;
mod verify;

pub use file::{PlanFileError, read};
pub use make::{Earlier, Ended, Making, Try, make};
pub use verify::{Fault, StepFault, verify};

use std::sync::Arc;

use andor_artifact::graft::GraftOrigin;
use andor_config::Config;
use andor_core::plan::{PlanStep, script};
use andor_core::theorem::{System, Theorem};
use andor_env::environment::Environment;
use andor_env::error::EnvError;
use andor_env::outline::Place;
use andor_env::session::Session;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::contract::Provider;

use crate::graft::Given;

/// Opens a theorem for checking plans of it. Extra imports are those of the refuter's tactics.
///
/// # Errors
///
/// The assistant rejects the theorem, or is unavailable.
pub async fn open(
    theorem: &Theorem,
    environment: Arc<dyn Environment>,
    refuter: &dyn Provider,
    config: &Config,
) -> Result<Arc<Session>, EnvError> {
    let mut theorem = theorem.clone();
    theorem.extra_imports.extend(refuter.imports(&theorem));
    Session::open(Workers::new(environment, Grouping::Coupled), theorem, config.limits()).await
}

/// A plan as the script that a search begins with: each step is stated and left open.
pub fn given(steps: &[PlanStep], system: System) -> Given {
    let script = script(steps, system);
    Given { script, start: Place::START, origin: GraftOrigin::Plan, plan: steps.to_vec() }
}
