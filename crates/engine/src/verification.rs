//! How far proofs are verified: what is asked for, against what this machine allows.

use andor_config::VerifyConfig;
use andor_core::theorem::System;
use andor_env::checker::{Checker, Claim, Level, Reach, Verdict, judge};
use andor_env::environment::Environment;

/// A level that is demanded and cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{system}: {demanded} cannot be had here: {shortfall}; {}", remedy(*.highest))]
pub struct OutOfReach {
    /// The system.
    pub system: System,
    /// What is demanded.
    pub demanded: Level,
    /// The highest level to be had.
    pub highest: Level,
    /// Why not a higher one.
    pub shortfall: String,
}

fn remedy(highest: Level) -> String {
    match highest {
        Level::Claimed => "see `andor doctor`".to_owned(),
        highest => format!("the highest is --verify {} (see `andor doctor`)", highest.name()),
    }
}

/// The highest level that a system has on any machine.
pub fn ceiling(system: System) -> Level {
    match system {
        System::Rocq | System::Lean4 => Level::Judged,
        // It starts nothing and reads nothing, so there is nothing to confine.
        System::Mini => Level::Rechecked,
        System::Synthetic => Level::Compiled,
    }
}

/// Makes sure, before any search, that a demanded level can be had; warns when this machine lacks something for the
/// level wanted otherwise.
pub async fn ensure(environment: &dyn Environment, verify: VerifyConfig) -> Result<(), OutOfReach> {
    let (system, wanted) = (environment.system(), verify.wanted());
    let Reach { highest, shortfall } = environment.checker().reach().await;
    let shortfall = why(shortfall.as_deref()).to_owned();
    if highest < verify.least() {
        return Err(OutOfReach { system, demanded: wanted, highest, shortfall });
    }
    if highest < wanted.min(ceiling(system)) {
        tracing::warn!("{system}: proofs are verified up to {highest} only: {shortfall}");
    }
    Ok(())
}

/// Why a level is no higher, for people.
pub fn why(shortfall: Option<&str>) -> &str {
    shortfall.unwrap_or("no reason is known")
}

/// Judges a claim as far as wanted, or else says why no further.
pub async fn judged(checker: &dyn Checker, claim: &Claim, wanted: Level) -> Verdict {
    let mut verdict = judge(checker, claim, wanted).await;
    if let Verdict::Accepted { level, shortfall, .. } = &mut verdict
        && *level < wanted
    {
        let reach = checker.reach().await;
        if *level < reach.highest {
            tracing::warn!("a proof is verified to {level} only: {}", why(shortfall.as_deref()));
        }
        *shortfall = shortfall.take().or(reach.shortfall);
    }
    verdict
}
