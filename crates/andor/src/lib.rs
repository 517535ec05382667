//! Proof search over proof assistants.
//!
//! andor takes theorems stated in a proof assistant, asks *providers* for tactics, grows an AND/OR tree of proof obligations,
//! and returns proofs that a fresh proof assistant has accepted. This crate is what other programs depend on; the program
//! `andor` is made from the same parts, and leaves the same records.
//!
//! # Prove a statement
//!
//! ```
//! use andor::{Outcome, Prover, System};
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let theorem = andor::theorem(System::Mini, "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p", &[])?;
//! let result = Prover::default().prove(&theorem).await?;
//! assert_eq!(result.outcome, Outcome::Accepted);
//! println!("{}", result.source.unwrap());
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! An [`AttemptResult`] is accepted only when a checker that started afresh accepted the whole file; it says to which level
//! the proof was verified, what it rests on, and what was spent.
//!
//! # Find the proof yourself
//!
//! ```
//! use andor::{Prover, System};
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let theorem = andor::theorem(System::Mini, "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q", &[])?;
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
//! [`run`] makes attempts at many theorems, several at once, and stores what comes of them, so that a run that was interrupted
//! goes on where it was; [`read_run`] reads it back. `examples/corpus.rs` is a whole program.
//!
//! # Bring your own parts
//!
//! A [`Provider`] proposes tactics; a language model behind any protocol is one. An [`Environment`] is a proof assistant. Give
//! them to a [`Prover`] or, as [`OwnParts`], to a run: `examples/provider.rs`.
//!
//! # Stability
//!
//! What is public here follows semantic versions. The crates below (`andor-core`, `andor-env`, …) are made for this one, and
//! may change with every release.

use std::path::Path;
use std::sync::Arc;

pub use andor_artifact::result::{AttemptResult, Outcome, Role};
pub use andor_config::{Config, ConfigError, Policy, Preset, ProviderConfig, VerifyConfig, VerifyLevel};
pub use andor_core::goal::Goal;
pub use andor_core::theorem::{ExtraImport, System, Theorem};
pub use andor_dataset::{Dataset, DatasetError, Problem};
pub use andor_engine::event::{Event, Outlook, Sink};
pub use andor_engine::interactive::{Interactive, OpenError};
pub use andor_engine::registry::{OwnParts, RegistryError};
pub use andor_env::checker::{Checker, Claim, Level, Reason, Verdict};
pub use andor_env::environment::Environment;
pub use andor_provider::contract::{Candidate, Provider, ProviderError, Request, Suggestions};
pub use andor_run::folder::{FolderError, RunFolder};
pub use andor_run::orchestrate::{Keep, Plan as RunRequest, RunError, run};
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

/// Why no attempt was made. What goes wrong in an attempt is part of its result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The configuration breaks a rule.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Something that the configuration names cannot be had.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Prover {
    /// A prover with this configuration. [`Config::default`] asks the heuristic provider, for a minute.
    pub fn new(config: Config) -> Self {
        Self { config, own: OwnParts::default() }
    }

    /// Asks this provider, and no other but those added like it.
    #[must_use]
    pub fn with_provider(mut self, provider: Arc<dyn Provider>) -> Self {
        if self.own.providers.is_empty() {
            self.config.providers.clear();
        }
        self.config.providers.push(ProviderConfig::Program { name: provider.id().to_owned() });
        self.own.providers.push(provider);
        self
    }

    /// Uses this environment for the system that it is of.
    #[must_use]
    pub fn with_environment(mut self, environment: Arc<dyn Environment>) -> Self {
        self.own.environments.push(environment);
        self
    }

    /// Searches for a proof.
    ///
    /// # Errors
    /// No attempt could be made. That there is no proof, or that the proof assistant failed, is part of the result.
    pub async fn prove(&self, theorem: &Theorem) -> Result<AttemptResult, ProveError> {
        self.attempt(theorem, None, &mut |_: &str, _: &Event| {}).await
    }

    /// Searches for a proof, leaves trace, tree and proof in a folder, and tells what happens.
    ///
    /// # Errors
    /// As [`Prover::prove`], or the files cannot be written.
    pub async fn attempt(
        &self,
        theorem: &Theorem,
        folder: Option<&Path>,
        sink: &mut dyn Sink,
    ) -> Result<AttemptResult, ProveError> {
        self.config.validate()?;
        let means = registry::means(theorem.system, &self.config, 1, &self.own)?;
        let request = attempt::Request {
            theorem: theorem.clone(),
            attempt: 1,
            role: Role::Configured,
            config: self.config.clone(),
            directory: folder.map(Path::to_owned),
        };
        Ok(attempt::run(&request, &means, sink).await?)
    }

    /// Opens a theorem, to be proved tactic by tactic.
    ///
    /// # Errors
    /// The proof assistant refuses the theorem, or cannot be had.
    pub async fn open(&self, theorem: &Theorem) -> Result<Interactive, OpenError> {
        Interactive::open(theorem, &self.config, &self.own).await
    }

    /// What a run with this prover's configuration and parts needs, for these problems.
    pub fn run_request(&self, problems: Vec<Problem>) -> RunRequest {
        RunRequest { own: self.own.clone(), ..RunRequest::new(problems, self.config.clone()) }
    }
}

/// A theorem given by its statement: a sentence such as `Theorem t : 1 = 1.` or `theorem t : 1 = 1`, or a bare proposition.
/// `imports` are lines before it; for Rocq the names of libraries will do.
///
/// # Errors
/// The text is no statement.
pub fn theorem(system: System, statement: &str, imports: &[String]) -> Result<Theorem, DatasetError> {
    andor_dataset::from_statement(system, statement, imports).map(|problem| problem.theorem)
}

/// Reads theorems: a `.lean` or `.v` file, a folder of them, rows of JSON, or another form of data set.
///
/// # Errors
/// The data cannot be read, or hold no theorem.
pub fn read_dataset(path: &Path, system: Option<System>) -> Result<Dataset, DatasetError> {
    andor_dataset::read(path, system)
}

/// Reads back what [`run`] left in a folder.
///
/// # Errors
/// The folder holds no run, or one of another version.
pub fn read_run(folder: &Path) -> Result<RunFolder, FolderError> {
    RunFolder::read(folder)
}
