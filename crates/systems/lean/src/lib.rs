//! The adapter of Lean 4: a worker over Lean's own language server, a checker over its compiler.
//!
//! `toolchain` finds Lean, its version and a project's modules; `premises` runs its programs, in the sandbox if possible.
//! `lexer` reads Lean's text: for `screen`, which lets one tactic pass, `source`, which finds the theorems of a file, and
//! `outline`, which takes scripts apart; `modules` knows what can be imported. `goal` reads goals as Lean prints them, and
//! `explicit` their terms with everything shown. `server` is the worker, `suggested` reads what tactics
//! suggest in their own place, `script` writes finished proofs.
//!
//! [`repl`] and [`pantograph`] are workers over two other programs, which [`launch`] starts and [`exchange`] speaks with, and
//! `backend` chooses among the three; `lookup` finds lemmas;
//! [`dialect`] contains the differences between versions, `probes` tries out what all of them have in common.
//!
//! For finished proofs, `checker` goes through the levels: `commands` is the filter of files, `olean` reads compiled
//! files, and `judge` compares and exports them (both in `andor-audit`); `kernels` are other kernels that read an export.

mod backend;
mod block;
mod bugs;
mod checker;
pub mod commands;
mod compiler;
pub mod dialect;
pub mod exchange;
mod explicit;
pub mod goal;
mod heuristic;
mod kernels;
mod lake;
mod language;
pub mod launch;
mod lookup;
pub mod modules;
pub mod pantograph;
mod premises;
mod probes;
mod reader;
pub mod repl;
mod required;
pub mod screen;
mod script;
mod server;
mod suggested;
mod terms_kernel;
pub mod toolchain;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use andor_core::signature::Commutative;
use andor_core::theorem::{ExtraImport, System, Theorem};
use async_trait::async_trait;
use linkme::distributed_slice;

use andor_core::axioms::AllowedAxioms;
use andor_env::checker::{Checker, Claim};
use andor_env::environment::{Environment, Example, Finding, Script};
use andor_env::error::EnvError;
use andor_env::other_kernel::OtherKernel;
use andor_env::registry::{ENVIRONMENTS, KERNELS, Made};
use andor_env::screen::Refusal;
use andor_env::worker::{Grouping, Worker};
use andor_lean_language::commutative;
use andor_lean_language::script::Writer;

use checker::LeanChecker;
use premises::Premises;
use toolchain::Toolchain;

pub use andor_core::systems::LeanBackend;
pub use terms_kernel::TermsKernel;

/// Lean 4.
pub const LEAN4: System = System::of(&language::LANGUAGE);

/// The configuration of Lean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeanConfig {
    /// The folder of a Lean project, whose toolchain and modules are used.
    pub project: Option<PathBuf>,
    /// The Lean to use. By default it is searched for.
    pub toolchain: Option<Toolchain>,
    /// The server that runs tactics.
    pub backend: LeanBackend,
    /// Whether processes run in a sandbox, if one is available.
    pub sandbox: bool,
    /// Memory limit of each process, in bytes, without the modules that it maps.
    pub max_memory: Option<u64>,
    /// Wall-time and processor-time limit of each program used to verify a proof.
    pub check_limit: Duration,
    /// Allowed axioms; by default [`andor_audit::olean::judge::STANDARD_AXIOMS`] are among them.
    pub allowed_axioms: AllowedAxioms,
}

impl Default for LeanConfig {
    fn default() -> Self {
        Self {
            project: None,
            toolchain: None,
            backend: LeanBackend::default(),
            sandbox: true,
            max_memory: Some(8 << 30),
            check_limit: Duration::from_secs(120),
            allowed_axioms: AllowedAxioms::default(),
        }
    }
}

#[distributed_slice(ENVIRONMENTS)]
static MADE: Made = Made {
    system: LEAN4,
    environment: |settings| {
        Arc::new(Lean::new(LeanConfig {
            project: settings.project.clone(),
            backend: settings.lean_backend,
            sandbox: settings.sandbox,
            check_limit: settings.check_limit,
            allowed_axioms: settings.allowed_axioms.clone(),
            ..LeanConfig::default()
        }))
    },
};

#[distributed_slice(KERNELS)]
static KERNEL: fn() -> Arc<dyn OtherKernel> = || Arc::new(TermsKernel::default());

/// Verifies finished proofs.
pub fn checker(config: LeanConfig) -> impl Checker {
    let premises = Arc::new(Premises::new(config.clone()));
    LeanChecker::new(config, premises)
}

/// The Lean 4 environment.
pub struct Lean {
    premises: Arc<Premises>,
    checker: LeanChecker,
}

impl Lean {
    /// The Lean of a configuration.
    pub fn new(config: LeanConfig) -> Self {
        let premises = Arc::new(Premises::new(config.clone()));
        Self { checker: LeanChecker::new(config, Arc::clone(&premises)), premises }
    }
}

#[async_trait]
impl Environment for Lean {
    fn system(&self) -> System {
        LEAN4
    }

    fn commutative(&self) -> &'static Commutative {
        &commutative::OF_LEAN
    }

    fn new_worker(&self, grouping: Grouping) -> Box<dyn Worker> {
        backend::new_worker(&self.premises, self.premises.config().backend, grouping)
    }

    /// Over Lean's own server, whatever runs the tactics.
    async fn new_library(&self) -> Option<Box<dyn Worker>> {
        let is_ordinary = self.premises.choice().await.backend == LeanBackend::Server;
        let library = || backend::new_worker(&self.premises, LeanBackend::Server, Grouping::Coupled);
        (!is_ordinary).then(library)
    }

    fn screen(&self, tactic: &str) -> Result<(), Refusal> {
        screen::block(tactic).map(|_| ())
    }

    fn admit(&self, theorem: &Theorem) -> Result<(), EnvError> {
        script::admit(theorem)
    }

    fn checker(&self) -> &dyn Checker {
        &self.checker
    }

    fn assemble(&self, theorem: &Theorem, _imports: &[ExtraImport], script: &Script) -> Claim {
        script::assemble(theorem, script)
    }

    fn proof_text(&self, script: &Script) -> String {
        Writer::default().write(script)
    }

    async fn modules_of(&self, header: &str) -> Vec<PathBuf> {
        match self.premises.toolchain().await {
            Ok(toolchain) => required::required(toolchain, header),
            Err(_) => Vec::new(),
        }
    }

    async fn missing_modules(&self, headers: &[&str]) -> Result<Vec<Vec<String>>, EnvError> {
        let toolchain = self.premises.toolchain().await?;
        Ok(headers.iter().map(|header| modules::missing(toolchain, header)).collect())
    }

    fn example(&self) -> Option<Example> {
        Some(Example::LEAN)
    }

    fn is_optional(&self) -> bool {
        true
    }

    async fn probe(&self) -> Vec<Finding> {
        let finding =
            |what: &str, found| Finding { what: what.to_owned(), found, remedy: None, needed: false };
        let lean = match self.premises.toolchain().await {
            Ok(lean) => lean,
            // Everything else would be missing for the same reason.
            Err(error) => return vec![Finding { needed: true, ..finding("Lean 4", Err(error.to_string())) }],
        };
        let found = format!("{} ({})", lean.lean.display(), lean.version);
        let project = lean.project.as_ref().map_or("none".to_owned(), |folder| folder.display().to_string());
        vec![
            Finding { needed: true, ..finding("Lean 4", Ok(found)) },
            finding("project", Ok(project)),
            finding("tactics run on", Ok(self.premises.choice().await.shown())),
            self.checker.second_kernel().await,
            Finding::of_sandbox(self.premises.sandbox().await),
        ]
    }

    async fn try_out(&self) -> Vec<Finding> {
        self.try_all().await
    }
}

/// The beginning of a text, for messages.
fn shorten(text: &str) -> String {
    const KEPT: usize = 200;
    match text.char_indices().nth(KEPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
