//! Proof search over proof assistants.
//!
//! andor takes theorems stated in a proof assistant, asks *providers* for tactics, grows an AND/OR tree of proof
//! obligations, and returns proofs that a fresh proof assistant has accepted. Other programs depend on this crate;
//! the `andor` program is built from the same parts and writes the same records.
//!
//! # Prove a statement
//!
//! ```
//! use andor::{MINI, Outcome, Prover};
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let theorem = andor::theorem(MINI, "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p", &[])?;
//! let result = Prover::default().prove(&theorem).await?;
//! assert_eq!(result.outcome, Outcome::Accepted);
//! println!("{}", result.source.unwrap());
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! An [`AttemptResult`] is accepted only after a freshly started checker has accepted the whole file. It states the
//! level of verification, the axioms used, and the budget spent.
//!
//! # Find the proof yourself
//!
//! ```
//! use andor::{MINI, Prover};
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let theorem = andor::theorem(MINI, "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q", &[])?;
//! let mut session = Prover::default().open(&theorem).await?;
//! session.apply("constructor").await??;
//! assert_eq!(session.goals().len(), 2);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # Run a corpus
//!
//! [`run`] attempts many theorems concurrently and stores the results as they arrive, so that an interrupted run can
//! be resumed; [`read_run`] reads it back. `examples/corpus.rs` is a complete program.
//!
//! # Bring your own parts
//!
//! A [`Provider`] proposes tactics, for example by calling a language model. A [`Priority`] decides which goal comes next. An
//! [`Environment`] is a proof assistant. Pass them to a [`Prover`] or, as [`OwnParts`], to a run: see `examples/provider.rs`
//! and `examples/priority.rs`.
//!
//! # Stability
//!
//! The public items of this crate follow semantic versioning. The crates below (`andor-core`, `andor-env`, …) serve
//! this one, and may change with every release.

use std::path::Path;
use std::sync::Arc;

pub use andor_artifact::result::{AttemptResult, Outcome, Role};
pub use andor_config::{
    Config, ConfigError, ConfigFile, ConfigFileError, ConfigOption, LoadPath, Notation, OPTIONS, Preset,
    ProviderConfig, Selection, Setting, VerifyConfig,
};
pub use andor_core::goal::Goal;
pub use andor_core::lemma::Lemma;
pub use andor_core::policy::{Priority, Waiting};
pub use andor_core::theorem::{ExtraImport, System, Theorem};
pub use andor_core::verdict::Reason;
pub use andor_dataset::project;
pub use andor_dataset::{Dataset, DatasetError, Problem, system_of};
pub use andor_engine::attempt::Shared;
pub use andor_engine::event::{Event, Outlook, Sink};
pub use andor_engine::interactive::{Interactive, OpenError, Seeking, Sought};
pub use andor_engine::judge;
pub use andor_engine::progress::{Luggage, Progress};
pub use andor_engine::registry::{OwnParts, RegistryError};
pub use andor_env::checker::{Checker, Claim, Level, Verdict};
pub use andor_env::environment::Environment;
pub use andor_env::error::EnvError;
pub use andor_process::scratch::{Scratch, sweep};
pub use andor_provider::contract::{
    Candidate, Draft, DraftCut, DraftHistory, FailedDraft, Provider, ProviderError, Request, Suggestions,
};
pub use andor_provider::exec::{Callee, Exec, ExecOptions, Reply};
pub use andor_provider::plan::{PlanRequest, PlanWriter};
pub use andor_provider::ranker::Ranker;
pub use andor_run::folder::{FolderError, RunFolder};
pub use andor_run::job::{Job, Workshop};
pub use andor_run::orchestrate::{Keep, RunError, RunRequest, run};
pub use andor_run::remote::{Beginning, Remote};
pub use andor_system_lean::LEAN4;
pub use andor_system_mini::MINI;
pub use andor_system_rocq::ROCQ;
pub use andor_system_synthetic::SYNTHETIC;
pub use tokio_util::sync::CancellationToken;

use andor_artifact::files::FileError;
use andor_engine::attempt;
use andor_engine::registry;

/// Proves theorems, one at a time.
#[derive(Clone, Debug, Default)]
pub struct Prover {
    config: Config,
    own: OwnParts,
}

/// Why no attempt was made. Failures within an attempt are part of its result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The configuration violates a rule.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Something named in the configuration is unavailable.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The proof assistant fails.
    #[error(transparent)]
    Env(#[from] EnvError),
    /// The file of a draft or a plan cannot be read. The message names it.
    #[error(transparent)]
    Given(#[from] andor_dataset::GivenError),
}

impl Prover {
    /// A prover with this configuration. [`Config::default`] uses the heuristic provider with a time limit of one
    /// minute.
    pub fn new(config: Config) -> Self {
        Self { config, own: OwnParts::default() }
    }

    /// Uses this provider, together with others added in the same way, instead of the configured ones.
    #[must_use]
    pub fn with_provider(mut self, provider: Arc<dyn Provider>) -> Self {
        if self.own.providers.is_empty() {
            self.config.providers.clear();
        }
        self.config.providers.push(ProviderConfig::Program { name: provider.id().to_owned() });
        self.own.providers.push(provider);
        self
    }

    /// Searches best-first by this priority. The name stands for it in results and run folders.
    #[must_use]
    pub fn with_priority(mut self, name: &str, priority: Arc<dyn Priority>) -> Self {
        self.config.search.policy = Selection::BestFirst;
        self.config.search.priority = Some(name.to_owned());
        self.own.priority = Some((name.to_owned(), priority));
        self
    }

    /// Uses this environment for its system.
    #[must_use]
    pub fn with_environment(mut self, environment: Arc<dyn Environment>) -> Self {
        self.own.environments.push(environment);
        self
    }

    /// Uses these parts, which the configuration names.
    #[must_use]
    pub fn with_parts(mut self, own: OwnParts) -> Self {
        self.own = own;
        self
    }

    /// Searches for a proof.
    ///
    /// # Errors
    ///
    /// No attempt could be made. A missing proof or a failure of the proof assistant is part of the result.
    pub async fn prove(&self, theorem: &Theorem) -> Result<AttemptResult, ProveError> {
        self.attempt(theorem, None, &mut |_: &str, _: &Event| {}).await
    }

    /// Searches for a proof, writes trace, tree and proof to a folder, and reports events to a sink.
    ///
    /// # Errors
    ///
    /// Like [`Prover::prove`], or if the files cannot be written.
    pub async fn attempt(
        &self,
        theorem: &Theorem,
        folder: Option<&Path>,
        sink: &mut dyn Sink,
    ) -> Result<AttemptResult, ProveError> {
        self.config.validate()?;
        let means = registry::means(theorem.system, &self.config, 1, &self.own)?;
        let request = attempt::AttemptRequest {
            theorem: theorem.clone(),
            attempt: 1,
            role: Role::Configured,
            config: self.config.clone(),
            directory: folder.map(Path::to_owned),
        };
        let given = andor_dataset::given(&self.config, theorem, None)?;
        Ok(attempt::run_from(&request, &means, given, sink).await?)
    }

    /// Opens a theorem for an interactive proof.
    ///
    /// # Errors
    ///
    /// The proof assistant rejects the theorem, or is unavailable.
    pub async fn open(&self, theorem: &Theorem) -> Result<Interactive, OpenError> {
        Interactive::open(theorem, &self.config, &self.own).await
    }

    /// Searches for a proof of the open goals at a place of an interactive proof, and applies the one that it finds.
    ///
    /// # Errors
    ///
    /// The search could not be made. That it finds no proof is part of what came of it.
    ///
    /// # Panics
    ///
    /// If no obligation is open at the place.
    pub async fn search(&self, proof: &mut Interactive, place: usize) -> Result<Sought, ProveError> {
        self.config.validate()?;
        let means = registry::means(proof.session().theorem().system, &self.config, 1, &self.own)?;
        let seeking = Seeking {
            config: &self.config,
            provider: means.provider,
            ranker: means.ranker,
            latencies: means.latencies,
        };
        Ok(proof.search(place, seeking).await?)
    }

    /// A run request for these problems, with this prover's configuration and parts.
    pub fn run_request(&self, problems: Vec<Problem>) -> RunRequest {
        RunRequest { own: self.own.clone(), ..RunRequest::new(problems, self.config.clone()) }
    }
}

/// A theorem given by its statement: a sentence such as `Theorem t : 1 = 1.` or `theorem t : 1 = 1`, or a bare
/// proposition. `imports` are lines that precede it; for Rocq, names of libraries are accepted too.
///
/// # Errors
///
/// The text is not a statement.
pub fn theorem(system: System, statement: &str, imports: &[String]) -> Result<Theorem, DatasetError> {
    problem(system, statement, imports).map(|problem| problem.theorem)
}

/// The same as a [`Problem`], for [`run`].
///
/// # Errors
///
/// The text is not a statement.
pub fn problem(system: System, statement: &str, imports: &[String]) -> Result<Problem, DatasetError> {
    andor_dataset::from_statement(system, statement, imports)
}

/// Reads theorems from a `.lean` or `.v` file, a folder of them, rows, or another data format. `project` is the folder
/// of the Lean project with the theorems of rows that only say where a theorem is.
///
/// # Errors
///
/// The data cannot be read, or contain no theorem.
pub fn read_dataset(
    path: &Path,
    system: Option<System>,
    project: Option<&Path>,
) -> Result<Dataset, DatasetError> {
    andor_dataset::read(path, system, project)
}

/// Reads the results of [`run`] from a folder.
///
/// # Errors
///
/// The folder holds no run, or one of another version.
pub fn read_run(folder: &Path) -> Result<RunFolder, FolderError> {
    RunFolder::read(folder)
}
