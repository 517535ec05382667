//! What the files of theorems import.

use andor_config::Config;
use andor_core::theorem::Theorem;
use andor_env::error::EnvError;
use andor_system_lean::LEAN4;
use andor_system_lean::modules;
use andor_system_lean::toolchain::Toolchain;

/// For each theorem, the modules that it imports and that the Lean of the configuration does not have, in order. Only
/// theorems of Lean 4 are looked at.
///
/// # Errors
///
/// There is no Lean, or it cannot be asked.
pub async fn missing(theorems: &[&Theorem], config: &Config) -> Result<Vec<Vec<String>>, EnvError> {
    let is_lean = |theorem: &&Theorem| theorem.system == LEAN4;
    if !theorems.iter().any(is_lean) {
        return Ok(vec![Vec::new(); theorems.len()]);
    }
    let toolchain = Toolchain::find(config.project.as_deref()).await?;
    let of = |theorem: &&Theorem| match is_lean(theorem) {
        true => modules::missing(&toolchain, &theorem.header),
        false => Vec::new(),
    };
    Ok(theorems.iter().map(of).collect())
}
