//! What the files of theorems import.

use andor_config::Config;
use andor_core::theorem::{System, Theorem};
use andor_env::error::EnvError;
use andor_env::registry::environment;

use crate::registry::settings;

/// For each theorem, the modules that it imports and that its system does not have with this configuration, in order.
///
/// # Errors
///
/// The system is not installed, or cannot be asked.
pub async fn missing(theorems: &[&Theorem], config: &Config) -> Result<Vec<Vec<String>>, EnvError> {
    let mut missing = vec![Vec::new(); theorems.len()];
    let mut systems: Vec<System> = theorems.iter().map(|theorem| theorem.system).collect();
    systems.sort_unstable();
    systems.dedup();
    for system in systems {
        let own = theorems.iter().enumerate().filter(|(_, theorem)| theorem.system == system);
        let (places, headers): (Vec<usize>, Vec<&str>) =
            own.map(|(place, theorem)| (place, theorem.header.as_str())).unzip();
        // A program that brings an environment of its own knows what it imports.
        let Some(environment) = environment(system, &settings(config)) else { continue };
        let found = environment.missing_modules(&headers).await?;
        for (place, modules) in places.into_iter().zip(found) {
            missing[place] = modules;
        }
    }
    Ok(missing)
}
