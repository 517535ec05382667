//! The demanded level of verification, compared with what this machine supports.

use andor_config::VerifyConfig;
use andor_core::theorem::System;
use andor_env::checker::{Level, Reach};
use andor_env::environment::Environment;

/// What is demanded is unavailable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutOfReach {
    /// The level.
    #[error("{system}: {demanded} is not available here: {shortfall}; {}", remedy(*.highest))]
    Level {
        /// The system.
        system: System,
        /// The demanded level.
        demanded: Level,
        /// The highest available level.
        highest: Level,
        /// Why no higher level is available.
        shortfall: String,
    },
    /// A second judge.
    #[error("{system}: no second judge, which --second-judge requires: {why}")]
    SecondJudge {
        /// The system.
        system: System,
        /// Why there is none.
        why: String,
    },
}

fn remedy(highest: Level) -> String {
    match highest {
        Level::Claimed => "see `andor doctor`".to_owned(),
        highest => format!("the highest is --verify {} (see `andor doctor`)", highest.name()),
    }
}

/// Checks before a search that what is demanded is available; warns if this machine lacks something for the default
/// level.
pub async fn ensure(environment: &dyn Environment, verify: VerifyConfig) -> Result<(), OutOfReach> {
    let (system, wanted) = (environment.system(), verify.wanted());
    let Reach { highest, shortfall } = environment.checker().reach().await;
    let shortfall = why(shortfall.as_deref()).to_owned();
    if highest < verify.least() {
        return Err(OutOfReach::Level { system, demanded: wanted, highest, shortfall });
    }
    if verify.demand().second_judge {
        let found = environment.checker().second_judge().await;
        let found = found.unwrap_or_else(|| Err("the system has none".to_owned()));
        found.map_err(|why| OutOfReach::SecondJudge { system, why })?;
    }
    if highest < wanted.min(environment.checker().ceiling()) {
        tracing::warn!("{system}: proofs are verified only up to {highest}: {shortfall}");
    }
    Ok(())
}

/// The reason for a shortfall, as text.
fn why(shortfall: Option<&str>) -> &str {
    shortfall.unwrap_or("no reason is known")
}
