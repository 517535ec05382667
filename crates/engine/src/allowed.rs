//! The axioms that a user allows, before anything is proved.

use andor_config::Config;
use andor_core::axioms::AllowedAxioms;
use andor_core::theorem::System;
use andor_system_mini::MINI;
use andor_system_mini::{STANDARD_AXIOMS, source::has_axiom};
use andor_system_rocq::axioms::{SETS, expanded};

/// An allowed axiom that `mini` does not have and none of some files declares.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is no axiom of the file; `mini` itself has {}", STANDARD_AXIOMS.join(", "))]
pub struct UnknownAxiom {
    /// Its name.
    pub name: String,
}

/// Checks that each allowed axiom is one of `mini` or of some whole files: a name that nothing has would allow nothing, silently.
/// Where theorems of another system are among those to be proved, it may be that system's, and so may the axioms of Rocq's sets be
/// meant for others. What cannot be read is no reason to object.
///
/// # Errors
///
/// A name that is unknown.
pub fn known_to_mini(
    config: &Config,
    systems: impl IntoIterator<Item = System>,
    files: &[String],
) -> Result<(), UnknownAxiom> {
    let AllowedAxioms { named, .. } = AllowedAxioms::named(&config.allowed_axioms);
    if systems.into_iter().any(|system| system != MINI) {
        return Ok(());
    }
    let of_sets: Vec<String> = SETS.iter().flat_map(|(set, _)| expanded(&[(*set).to_owned()])).collect();
    let is_known = |name: &String| {
        STANDARD_AXIOMS.contains(&name.as_str())
            || of_sets.contains(name)
            || files.iter().any(|file| has_axiom(file, name) != Some(false))
    };
    match named.iter().find(|name| !is_known(name)) {
        Some(name) => Err(UnknownAxiom { name: name.clone() }),
        None => Ok(()),
    }
}
