//! An attempt as data, and where it is made: a job is all that it takes to make the attempt in any process that has the parts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use andor_artifact::files::FileError;
use andor_artifact::graft::GraftOrigin;
use andor_artifact::plan::PlanStepRecord;
use andor_artifact::result::{AttemptResult, Role};
use andor_config::{BudgetConfig, Config, VerifyConfig};
use andor_core::plan::PlanStep;
use andor_core::theorem::{System, Theorem, UnknownSystem};
use andor_engine::attempt::{self, AttemptRequest, Means, Shared};
use andor_engine::event::Sink;
use andor_engine::graft::Given;
use andor_engine::models::{self, Acting};
use andor_engine::plan::record;
use andor_engine::registry::{self, OwnParts, RegistryError};
use andor_engine::verification;
use andor_env::outline::Place;
use andor_rollout::proof as rollout;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::orchestrate::{RunError, probe, ready};

/// An attempt that is to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The theorem.
    pub theorem: Theorem,
    /// The attempt's number, from 1.
    pub attempt: u32,
    /// Whether this is the configured search or the blind one.
    pub role: Role,
    /// The configuration, with the seed of this attempt.
    pub config: Config,
    /// The script that the search begins with.
    pub given: Option<Given>,
    /// The digest of the compiled modules that the theorem requires.
    pub modules_digest: Option<String>,
}

impl Job {
    /// The attempt as the engine takes it. With a folder, it keeps its files there.
    pub(crate) fn request(&self, directory: Option<PathBuf>) -> AttemptRequest {
        AttemptRequest {
            theorem: self.theorem.clone(),
            attempt: self.attempt,
            role: self.role,
            config: self.config.clone(),
            directory,
        }
    }

    /// Whether a result is one of this attempt.
    pub(crate) fn is_of(&self, result: &AttemptResult) -> bool {
        let AttemptResult { theorem, attempt, role, statement_digest, config_digest, .. } = result;
        (theorem, *attempt, *role) == (&self.theorem.id, self.attempt, self.role)
            && *statement_digest == self.theorem.digest()
            && *config_digest == self.config.digest()
    }
}

/// A job as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JobRecord {
    id: String,
    name: String,
    system: String,
    header: String,
    statement: String,
    footer: String,
    attempt: u32,
    role: Role,
    config: Config,
    given: Option<GivenRecord>,
    modules_digest: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GivenRecord {
    script: String,
    line: usize,
    column: usize,
    origin: GraftOrigin,
    plan: Vec<PlanStepRecord>,
}

impl Serialize for Job {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Imports that providers need are added where the attempt is made.
        let Theorem { id, name, system, header, statement, footer, extra_imports: _ } = self.theorem.clone();
        let given = self.given.clone().map(|Given { script, start, origin, plan }| {
            let plan = plan.iter().map(record::step).collect();
            GivenRecord { script, line: start.line, column: start.column, origin, plan }
        });
        JobRecord {
            id,
            name,
            system: system.name().to_owned(),
            header,
            statement,
            footer,
            attempt: self.attempt,
            role: self.role,
            config: self.config.clone(),
            given,
            modules_digest: self.modules_digest.clone(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Job {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let record = JobRecord::deserialize(deserializer)?;
        let JobRecord { id, name, header, statement, footer, attempt, role, config, .. } = record;
        let system = record.system.parse().map_err(|error: UnknownSystem| serde::de::Error::custom(error))?;
        let theorem = Theorem { id, name, system, header, statement, footer, extra_imports: Vec::new() };
        let step = |PlanStepRecord { name, statement }| PlanStep { name, statement };
        let given = record.given.map(|GivenRecord { script, line, column, origin, plan }| Given {
            script,
            start: Place { line, column },
            origin,
            plan: plan.into_iter().map(step).collect(),
        });
        Ok(Self { theorem, attempt, role, config, given, modules_digest: record.modules_digest })
    }
}

/// The parts with which a process makes the attempts of a run. Provers are reused from one attempt to the next.
pub struct Workshop {
    means: BTreeMap<System, Means>,
    acting: Option<Acting>,
    /// The limits of attempts.
    budget: BudgetConfig,
}

impl Workshop {
    /// The parts of a configuration for `jobs` concurrent attempts at theorems of some systems.
    ///
    /// # Errors
    ///
    /// Something that the configuration names is unavailable.
    pub fn new(
        systems: impl IntoIterator<Item = System>,
        config: &Config,
        jobs: usize,
        own: &OwnParts,
    ) -> Result<Self, RegistryError> {
        let systems: BTreeSet<System> = systems.into_iter().collect();
        let of = |system| Ok((system, registry::means(system, config, jobs, own)?));
        let means = systems.into_iter().map(of).collect::<Result<_, RegistryError>>()?;
        let acting = models::acting(config, own.record.as_ref())?;
        Ok(Self { means, acting, budget: config.budget })
    }

    /// The parts by system.
    pub(crate) fn means(&self) -> &BTreeMap<System, Means> {
        &self.means
    }

    /// Finds the proof assistants, and says what was found of each.
    ///
    /// # Errors
    ///
    /// One is missing or fails, or a demanded level of verification is out of reach.
    pub async fn probe(&self, verify: VerifyConfig) -> Result<BTreeMap<String, String>, RunError> {
        let found = probe(&self.means).await?;
        for means in self.means.values() {
            verification::ensure(&**means.workers.environment(), verify).await?;
        }
        Ok(found)
    }

    /// Whether there are language models to ask.
    pub(crate) fn asks_models(&self) -> bool {
        self.acting.is_some() || self.means.values().any(|means| !means.models.is_empty())
    }

    /// Waits until all language models are ready.
    ///
    /// # Errors
    ///
    /// One is not, within its limit.
    pub async fn ready(&self) -> Result<(), RunError> {
        ready(&self.means, self.acting.as_ref(), &self.budget).await
    }

    /// Makes an attempt, which shares with others what is given. With a folder, it keeps its files there. Returns an
    /// error only if these cannot be written.
    ///
    /// # Errors
    ///
    /// As said.
    ///
    /// # Panics
    ///
    /// If the theorem is of a system that was not asked for.
    pub async fn make(
        &self,
        job: Job,
        directory: Option<PathBuf>,
        shared: Shared,
        cancel: CancellationToken,
        sink: &mut dyn Sink,
    ) -> Result<AttemptResult, FileError> {
        let means = Means { cancel, ..self.means[&job.theorem.system].clone() };
        let request = job.request(directory);
        let result = match &self.acting {
            Some(acting) => rollout::attempt(&request, &means, acting, sink).await?,
            None => attempt::run_sharing(&request, &means, job.given, shared, sink).await?,
        };
        Ok(AttemptResult { modules_digest: job.modules_digest, ..result })
    }
}
