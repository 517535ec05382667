//! Which libraries a compiled file loads.

use std::collections::BTreeSet;

/// The first parts of the names of modules, sorted, without those of the prover itself.
pub(crate) fn libraries<'a>(modules: impl Iterator<Item = &'a str>, own: &[&str]) -> Box<[String]> {
    let first = |module: &'a str| module.split('.').next().unwrap_or(module);
    let found: BTreeSet<&str> = modules.map(first).filter(|library| !own.contains(library)).collect();
    found.into_iter().map(str::to_owned).collect()
}
