//! From names in a configuration to implementations. A new proof assistant or provider is one line here.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use andor_artifact::files::{FileError, read_lines};
use andor_artifact::input;
use andor_artifact::latency::MeasuredLatency;
use andor_artifact::version::Kind;
use andor_core::axioms::AllowedAxioms;
use andor_core::clock::Work;
use andor_core::clock::{Latencies, Latency};
use andor_core::policy::Priority;
use andor_core::theorem::System;
use andor_env::environment::Environment;
use andor_env::registry::{self, Settings};
use andor_env::workers::Workers;
use andor_learn::Model;
use andor_learn::file::ModelError;
use andor_model::{Http, Record};
use andor_provider::composite::Composite;
use andor_provider::contract::{Policy, Provider, ProviderError};
use andor_provider::exec::{Exec, ExecOptions};
use andor_provider::filters::TacticFilter;
use andor_provider::heuristic::Heuristic;
use andor_provider::learned::Learned;
use andor_provider::plan::{PlanWriter, Planner};
use andor_provider::ranker::{Ranker, RoundRobin, ShortestFirst};
use andor_provider::scripted::Scripted;
use tokio_util::sync::CancellationToken;

use crate::attempt::Means;
use crate::models::{self, Asking, ModelsError, Planning};
use andor_config::{Clock, Config, LatencyConfig, LatencySpec, ProviderConfig, RankerConfig};

/// Why something named in a configuration is unavailable.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// A provider does not support the system.
    #[error("provider `{provider}` does not support the system `{system}`; choose another with --provider")]
    WrongLanguage {
        /// The provider.
        provider: String,
        /// The system.
        system: System,
    },
    /// The configuration names a provider that another program supplied.
    #[error(
        "the provider `{0}` is defined by the program that created this configuration, and only that program can use it"
    )]
    NotBrought(String),
    /// The configuration names a priority that another program supplied.
    #[error(
        "the priority `{0}` is defined by the program that created this configuration, and only that program can use it"
    )]
    NoPriority(String),
    /// The configuration names a ranker that another program supplied.
    #[error(
        "the ranker `{0}` is defined by the program that created this configuration, and only that program can use it"
    )]
    NoRanker(String),
    /// Lemmas are asked for, and no provider takes any.
    #[error(
        "--lemmas has no effect: no prompt shows lemmas; choose one that does, such as a chat-… one, or a file that uses \
         `lemmas`"
    )]
    NoLemmas,
    /// Drafts are asked for, and no provider writes any.
    #[error(
        "--draft-share: provider `{0}` writes no drafts, only tactics; leave the option out, or add a provider that does"
    )]
    NoDrafts(String),
    /// A provider cannot be set up.
    #[error(transparent)]
    Provider(Box<ProviderError>),
    /// A file of latencies cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file of latencies has no entry of the required kind.
    #[error("{}: it has no latencies of a {}; record it again with --record-latencies", path.display(), what.name())]
    NothingMeasured {
        /// The file.
        path: PathBuf,
        /// The kind that is required.
        what: Work,
    },
    /// A file of latencies has an invalid entry.
    #[error("{}: invalid duration {ms:?} ms of a {}: it must be from 0 to {} s", path.display(), what.name(), LatencySpec::LONGEST.as_secs())]
    NoDuration {
        /// The file.
        path: PathBuf,
        /// The kind of latency.
        what: Work,
        /// The value, in milliseconds.
        ms: f64,
    },
    /// A language model is unavailable.
    #[error(transparent)]
    Models(#[from] ModelsError),
    /// A learned model cannot be used.
    #[error(transparent)]
    Learned(#[from] ModelError),
    /// A provider's file cannot be read. The message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl From<ProviderError> for RegistryError {
    fn from(error: ProviderError) -> Self {
        Self::Provider(Box::new(error))
    }
}

/// The environment of a system, with the program's own instead of the built-in one if it supplies one.
pub fn environment_with(system: System, config: &Config, own: &OwnParts) -> Arc<dyn Environment> {
    match own.environments.iter().find(|own| own.system() == system) {
        Some(own) => Arc::clone(own),
        None => environment(system, config),
    }
}

/// The built-in environment of a system.
///
/// # Panics
///
/// The program has none of it.
pub fn environment(system: System, config: &Config) -> Arc<dyn Environment> {
    registry::environment(system, &settings(config)).unwrap_or_else(|| {
        panic!("the system `{system}` has no environment here: the program has to supply it")
    })
}

/// What a configuration says of environments.
pub fn settings(config: &Config) -> Settings {
    Settings {
        project: config.project.clone(),
        load_path: config.load_path.clone(),
        lean_backend: config.lean_backend,
        sandbox: config.workers.sandbox,
        check_limit: Duration::from_secs_f64(config.workers.check_timeout_s),
        allowed_axioms: AllowedAxioms::named(&config.allowed_axioms),
        trusted_bugs: config.trusted_bugs.clone(),
        universes: config.verify.universes,
        recheck_deps: config.verify.recheck_deps,
        cache: cache_folder(),
    }
}

/// Workers for `jobs` concurrent attempts. Up to twice as many workers may stay idle, since theorems with equal
/// headers need not be consecutive.
fn workers(environment: Arc<dyn Environment>, config: &Config, jobs: usize) -> Arc<Workers> {
    let at_work = jobs.max(1).saturating_mul(config.workers.workers);
    let max_idle = if config.workers.reuse { at_work.saturating_mul(2) } else { 0 };
    Workers::reusing(environment, config.search.obligation, max_idle)
}

/// The cache folder: `$XDG_CACHE_HOME/andor`, or else `~/.cache/andor` (XDG Base Directory Specification: relative
/// paths are ignored).
pub fn cache_folder() -> Option<PathBuf> {
    let folder = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")));
    caches.map(|caches| caches.join("andor"))
}

/// Parts that a program supplies itself. A configuration refers to its providers by [`ProviderConfig::Program`]; an
/// environment replaces the built-in one of its system.
#[derive(Clone, Default)]
pub struct OwnParts {
    /// Providers, looked up by id.
    pub providers: Vec<Arc<dyn Provider>>,
    /// Environments, looked up by system.
    pub environments: Vec<Arc<dyn Environment>>,
    /// The priority that the configuration names, under that name.
    pub priority: Option<(String, Arc<dyn Priority>)>,
    /// The ranker that the configuration names, under its id.
    pub ranker: Option<Arc<dyn Ranker>>,
    /// The planner that the configuration names, under its id.
    pub planner: Option<Arc<dyn PlanWriter>>,
    /// Where requests to language models and their answers are recorded.
    pub record: Option<Arc<Record>>,
}

impl fmt::Debug for OwnParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let providers: Vec<&str> = self.providers.iter().map(|provider| provider.id()).collect();
        let systems: Vec<&str> = self.environments.iter().map(|own| own.system().name()).collect();
        f.debug_struct("OwnParts")
            .field("providers", &providers)
            .field("environments", &systems)
            .field("priority", &self.priority)
            .field("ranker", &self.ranker.as_ref().map(|ranker| ranker.id()))
            .field("planner", &self.planner.as_ref().map(|planner| planner.id()))
            .finish_non_exhaustive()
    }
}

pub use andor_provider::exec::all_ended as programs_ended;

/// The parts for `jobs` concurrent attempts at theorems of a system.
pub fn means(system: System, config: &Config, jobs: usize, own: &OwnParts) -> Result<Means, RegistryError> {
    let Proposing { provider, mut models } = proposing(system, config, own)?;
    if config.drafts.share > 0.0 && !provider.writes_drafts() {
        return Err(RegistryError::NoDrafts(provider.id().to_owned()));
    }
    let named = config.plan.planner.as_deref();
    let planner = match own.planner.as_ref().filter(|own| named == Some(own.id())) {
        Some(own) => Some(Planner::own(Arc::clone(own))),
        None => models::planning(config, own.record.as_ref())?.map(|Planning { planner, server }| {
            models.extend(server);
            planner
        }),
    };
    let priority = match (&config.search.priority, &own.priority) {
        (None, _) => None,
        (Some(wanted), Some((name, priority))) if wanted == name => Some(Arc::clone(priority)),
        (Some(wanted), _) => return Err(RegistryError::NoPriority(wanted.clone())),
    };
    Ok(Means {
        priority,
        workers: workers(environment_with(system, config, own), config, jobs),
        provider,
        models,
        planner: planner.map(Arc::new),
        ranker: ranker_with(config, own)?,
        latencies: latencies(config)?,
        cancel: CancellationToken::new(),
    })
}

/// The providers of a configuration, combined into one, for a system.
pub fn provider(system: System, config: &Config, own: &OwnParts) -> Result<Arc<dyn Provider>, RegistryError> {
    Ok(proposing(system, config, own)?.provider)
}

/// Providers, combined into one, and the language models that they ask.
struct Proposing {
    provider: Arc<dyn Provider>,
    models: Vec<Arc<Http>>,
}

fn proposing(system: System, config: &Config, own: &OwnParts) -> Result<Proposing, RegistryError> {
    let (mut providers, mut models): (Vec<Arc<dyn Provider>>, _) = (Vec::new(), Vec::new());
    for provider in &config.providers {
        let asking = match provider {
            ProviderConfig::Llm { model } => {
                vec![models::asking(model, system, config, own.record.as_ref())?]
            }
            ProviderConfig::Replay { run } => models::replaying(run, system, config)?,
            provider => {
                providers.push(one_provider(system, provider, config, own)?);
                Vec::new()
            }
        };
        for Asking { provider, server } in asking {
            providers.push(Arc::new(provider));
            models.extend(server);
        }
    }
    for provider in &providers {
        if !provider.speaks(system) {
            return Err(RegistryError::WrongLanguage { provider: provider.id().to_owned(), system });
        }
    }
    // A record says itself what its requests had.
    let is_replay = config.providers.iter().any(|p| matches!(p, ProviderConfig::Replay { .. }));
    if config.llm.lemmas > 0 && !is_replay && providers.iter().all(|provider| provider.n_lemmas() == 0) {
        return Err(RegistryError::NoLemmas);
    }
    let provider = match <[Arc<dyn Provider>; 1]>::try_from(providers) {
        Ok([only]) => only,
        Err(several) => Arc::new(Composite::new(several)),
    };
    Ok(Proposing { provider, models })
}

fn one_provider(
    system: System,
    provider: &ProviderConfig,
    config: &Config,
    own: &OwnParts,
) -> Result<Arc<dyn Provider>, RegistryError> {
    Ok(match provider {
        ProviderConfig::Heuristic => match Policy::of(system) {
            Some(policy) => (policy.provider)(false),
            None => Arc::new(Heuristic),
        },
        ProviderConfig::Synthetic { critic } => match Policy::of(system) {
            Some(policy) => (policy.provider)(*critic),
            None => return Err(RegistryError::WrongLanguage { provider: "synthetic".to_owned(), system }),
        },
        ProviderConfig::Scripted { path } => Arc::new(Scripted::read(&input::text(path)?, path)?),
        ProviderConfig::Learned { path } => Arc::new(Learned::new(Model::read(path)?)),
        ProviderConfig::Llm { .. } | ProviderConfig::Replay { .. } => {
            unreachable!("`proposing` makes those of language models")
        }
        ProviderConfig::Exec { command } => {
            let limit = config.provider_timeout_s.unwrap_or(Config::PROVIDER_TIMEOUT_S);
            let options =
                ExecOptions { limit: Duration::from_secs_f64(limit), n_lemmas: config.llm.lemmas as usize };
            Arc::new(Exec::new(command, system, options)?)
        }
        ProviderConfig::Program { name } => {
            let found = own.providers.iter().find(|provider| provider.id() == name);
            Arc::clone(found.ok_or_else(|| RegistryError::NotBrought(name.clone()))?)
        }
    })
}

/// Latencies on the virtual clock; `None` for the wall clock.
pub fn latencies(config: &Config) -> Result<Option<Latencies>, RegistryError> {
    let LatencyConfig { provider, tactic } = &config.latencies;
    Ok(match config.clock {
        Clock::Wall => None,
        Clock::Virtual => Some(Latencies {
            provider: latency(provider, Work::Provider)?,
            tactic: latency(tactic, Work::Tactic)?,
        }),
    })
}

/// A distribution of latencies; from a recorded file, only entries of kind `what` are used.
pub fn latency(spec: &LatencySpec, what: Work) -> Result<Latency, RegistryError> {
    let us = |d: Duration| u64::try_from(d.as_micros()).unwrap_or(u64::MAX);
    Ok(match spec {
        LatencySpec::Constant(latency) => Latency::Constant(us(*latency)),
        LatencySpec::LogNormal { median, sigma } => Latency::LogNormal { median: us(*median), sigma: *sigma },
        LatencySpec::Recorded(path) => {
            let lines = read_lines::<MeasuredLatency>(path, Kind::Latencies)?.records;
            let measured = lines.into_iter().filter(|line| line.what == what);
            let duration = |line: MeasuredLatency| {
                let took = Duration::try_from_secs_f64(line.ms / 1e3).ok();
                let took = took.filter(|took| *took <= LatencySpec::LONGEST).map(us);
                took.ok_or_else(|| RegistryError::NoDuration { path: path.clone(), what, ms: line.ms })
            };
            let measured: Vec<u64> = measured.map(duration).collect::<Result<_, _>>()?;
            if measured.is_empty() {
                return Err(RegistryError::NothingMeasured { path: path.clone(), what });
            }
            Latency::Empirical(measured.into())
        }
    })
}

/// The filter that blocks tactics for a system.
pub fn tactic_filter(system: System, config: &Config) -> TacticFilter {
    let tactics = &config.tactics;
    let filter = TacticFilter::new(system, &tactics.block, &tactics.gate());
    if tactics.no_hygiene { filter } else { filter.with_hygiene(&tactics.hygiene) }
}

/// The ranker of a configuration, which may be the program's own.
fn ranker_with(config: &Config, own: &OwnParts) -> Result<Option<Arc<dyn Ranker>>, RegistryError> {
    match (&config.own_ranker, &own.ranker) {
        (None, _) => Ok(ranker(config)),
        (Some(wanted), Some(ranker)) if wanted == ranker.id() => Ok(Some(Arc::clone(ranker))),
        (Some(wanted), _) => Err(RegistryError::NoRanker(wanted.clone())),
    }
}

/// The ranker of a configuration.
pub fn ranker(config: &Config) -> Option<Arc<dyn Ranker>> {
    config.ranker.map(|ranker| match ranker {
        RankerConfig::ShortestFirst => Arc::new(ShortestFirst) as Arc<dyn Ranker>,
        RankerConfig::RoundRobin => Arc::new(RoundRobin),
    })
}
