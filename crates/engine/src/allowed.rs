//! The axioms that a user allows, before anything is proved.

use andor_config::Config;
use andor_core::axioms::AllowedAxioms;
use andor_core::theorem::System;
use andor_env::source;

/// An allowed axiom that no system has and none of some files declares.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownAxiom(String);

/// Checks that each allowed axiom is one of a system or of some whole files, as far as the systems know without running: a name that
/// nothing has would allow nothing, silently. Sets of axioms may be meant for other systems, and what cannot be read is no reason to
/// object.
///
/// # Errors
///
/// A name that is unknown.
pub fn known(
    config: &Config,
    systems: impl IntoIterator<Item = System>,
    files: &[String],
) -> Result<(), UnknownAxiom> {
    let AllowedAxioms { named, .. } = AllowedAxioms::named(&config.allowed_axioms);
    let systems: Vec<System> = systems.into_iter().collect();
    let sets = source::all().into_iter().flat_map(|source| source.axiom_sets());
    let of_sets: Vec<&str> = sets.flat_map(|(_, axioms)| axioms.iter().copied()).collect();
    for name in named.iter().filter(|name| !of_sets.contains(&name.as_str())) {
        let lacks = |system: &System| source::of(*system)?.lacks_axiom(name, files);
        // It is known if one of the systems may have it.
        let unknown: Option<Vec<String>> = systems.iter().map(lacks).collect();
        if let Some(first) = unknown.and_then(|unknown| unknown.into_iter().next()) {
            return Err(UnknownAxiom(first));
        }
    }
    Ok(())
}
