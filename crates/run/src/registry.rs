//! From names in a configuration to the things themselves. A new proof assistant or provider is one line here.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use andor_core::theorem::System;
use andor_env::environment::Environment;
use andor_env::mini::{Mini, MiniConfig};
use andor_env::rocq::{Rocq, RocqConfig, axioms};
use andor_env::synthetic::Synthetic;
use andor_provider::composite::Composite;
use andor_provider::contract::{Provider, ProviderError};
use andor_provider::heuristic::Heuristic;
use andor_provider::ranker::{Ranker, ShortestFirst};
use andor_provider::scripted::Scripted;

use crate::config::{Config, ProviderConfig, RankerConfig};
use crate::synthetic::SyntheticPolicy;

/// Why something named in a configuration cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// The system is known but not part of this version.
    #[error("the system `{0}` is not available in this version (available: rocq, mini, synthetic)")]
    SystemNotAvailable(System),
    /// A provider does not speak the system's language.
    #[error("provider `{provider}` proposes no tactics for the system `{system}`")]
    WrongLanguage {
        /// The provider.
        provider: String,
        /// The system.
        system: System,
    },
    /// A provider cannot be set up.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// A provider's file cannot be read. The message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// The environment of a system.
pub fn environment(system: System, config: &Config) -> Result<Arc<dyn Environment>, RegistryError> {
    match system {
        System::Rocq => Ok(Arc::new(Rocq::new(RocqConfig {
            load_path: config.load_path.clone(),
            check_limit: Duration::from_secs_f64(config.workers.check_timeout_s),
            allowed_axioms: config.allowed_axioms.clone(),
            recheck_deps: config.verify.recheck_deps,
            cache: cache_folder(),
            ..RocqConfig::default()
        }))),
        System::Mini => Ok(Arc::new(Mini::new(MiniConfig {
            check_limit: Duration::from_secs_f64(config.workers.check_timeout_s),
            allowed_axioms: config.allowed_axioms.clone(),
        }))),
        System::Synthetic => Ok(Arc::new(Synthetic)),
        System::Lean4 => Err(RegistryError::SystemNotAvailable(system)),
    }
}

/// Where lies what one run remembers for the next: `$XDG_CACHE_HOME/andor`, or else `~/.cache/andor` (XDG Base Directory
/// Specification: a path that is not absolute is ignored).
fn cache_folder() -> Option<PathBuf> {
    let folder = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")));
    caches.map(|caches| caches.join("andor"))
}

/// The providers of a configuration, as one, for a system.
pub fn provider(system: System, config: &Config) -> Result<Arc<dyn Provider>, RegistryError> {
    let providers =
        config.providers.iter().map(|p| one_provider(system, p)).collect::<Result<Vec<_>, _>>()?;
    for provider in &providers {
        if !provider.speaks(system) {
            return Err(RegistryError::WrongLanguage { provider: provider.id().to_owned(), system });
        }
    }
    Ok(match <[Arc<dyn Provider>; 1]>::try_from(providers) {
        Ok([only]) => only,
        Err(several) => Arc::new(Composite::new(several)),
    })
}

fn one_provider(system: System, config: &ProviderConfig) -> Result<Arc<dyn Provider>, RegistryError> {
    Ok(match config {
        // The synthetic environment's own policy is what the heuristics are to a proof assistant.
        ProviderConfig::Heuristic if system == System::Synthetic => {
            Arc::new(SyntheticPolicy { critic: false })
        }
        ProviderConfig::Heuristic => Arc::new(Heuristic),
        ProviderConfig::Synthetic { critic } => Arc::new(SyntheticPolicy { critic: *critic }),
        ProviderConfig::Scripted { path } => Arc::new(Scripted::read(&fs_err::read_to_string(path)?, path)?),
    })
}

/// Axioms by name, the names of sets replaced by their members.
pub fn axioms(names: &[String]) -> Vec<String> {
    let mut axioms: Vec<String> = Vec::new();
    for name in names {
        match axioms::SETS.iter().find(|(set, _)| set == name) {
            Some((_, members)) => axioms.extend(members.iter().map(|m| (*m).to_owned())),
            None => axioms.push(name.clone()),
        }
    }
    axioms.sort();
    axioms.dedup();
    axioms
}

/// The ranker of a configuration.
pub fn ranker(config: &Config) -> Option<Arc<dyn Ranker>> {
    config.ranker.map(|ranker| match ranker {
        RankerConfig::ShortestFirst => Arc::new(ShortestFirst) as Arc<dyn Ranker>,
    })
}
