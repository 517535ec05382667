//! The adapter of the embedded prover `mini`: Lean 4 syntax, nothing to install, no process.
//!
//! States are immutable values, so a worker is a table of states, and backtracking is free.

mod checker;
mod language;
mod reader;
mod screen;
mod script;
mod second;
pub mod source;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use andor_core::signature::Commutative;
use andor_core::theorem::{ExtraImport, System, Theorem};
use andor_mini::prover::Theory;
use async_trait::async_trait;
use checker::MiniChecker;
use linkme::distributed_slice;
pub use second::{LeanTermError, lean_term};
use worker::MiniWorker;

use andor_core::axioms::AllowedAxioms;
use andor_env::checker::{Checker, Claim};
use andor_env::environment::{Environment, Example, Finding, Script};
use andor_env::other_kernel::OtherKernel;
use andor_env::registry::{ENVIRONMENTS, Made, other_kernel};
use andor_env::screen::Refusal;
use andor_env::worker::{Grouping, Worker};
use andor_lean_language::commutative;

/// The embedded prover.
pub const MINI: System = System::of(&language::LANGUAGE);

/// The axioms that are always allowed. They are in the prelude; in Lean 4 they are axioms or follow from its three
/// axioms.
pub const STANDARD_AXIOMS: &[&str] = &["propext", "funext", "Classical.em"];

/// Limits and permissions.
#[derive(Clone, Debug)]
pub struct MiniConfig {
    /// Time limit for verifying a file.
    pub check_limit: Duration,
    /// Allowed axioms; by default [`STANDARD_AXIOMS`] are among them.
    pub allowed_axioms: AllowedAxioms,
    /// The kernel of Lean that is the second judge; if `None`, there is none.
    pub second_kernel: Option<Arc<dyn OtherKernel>>,
}

impl Default for MiniConfig {
    fn default() -> Self {
        Self {
            check_limit: Duration::from_secs(120),
            allowed_axioms: AllowedAxioms::default(),
            second_kernel: None,
        }
    }
}

#[distributed_slice(ENVIRONMENTS)]
static MADE: Made = Made {
    system: MINI,
    environment: |settings| {
        Arc::new(Mini::new(MiniConfig {
            check_limit: settings.check_limit,
            allowed_axioms: settings.allowed_axioms.clone(),
            second_kernel: other_kernel(),
        }))
    },
};

/// The environment of the embedded prover.
pub struct Mini {
    checker: MiniChecker,
}

impl Mini {
    /// The embedded prover.
    pub fn new(config: MiniConfig) -> Self {
        Self { checker: MiniChecker::new(config) }
    }
}

/// The name and version shown in results.
fn assistant() -> String {
    format!("mini {}", env!("CARGO_PKG_VERSION"))
}

#[async_trait]
impl Environment for Mini {
    fn system(&self) -> System {
        MINI
    }

    fn commutative(&self) -> &'static Commutative {
        &commutative::OF_MINI
    }

    fn new_worker(&self, grouping: Grouping) -> Box<dyn Worker> {
        Box::new(MiniWorker::new(grouping))
    }

    fn screen(&self, tactic: &str) -> Result<(), Refusal> {
        screen::block(tactic).map(|_| ())
    }

    fn checker(&self) -> &dyn Checker {
        &self.checker
    }

    fn assemble(&self, theorem: &Theorem, _imports: &[ExtraImport], script: &Script) -> Claim {
        script::assemble(theorem, script)
    }

    fn proof_text(&self, script: &Script) -> String {
        script::proof_text(script)
    }

    /// Always available. This loads and checks the prelude if that has not happened yet.
    fn example(&self) -> Option<Example> {
        Some(Example::LEAN)
    }

    async fn probe(&self) -> Vec<Finding> {
        Theory::prelude();
        let found = format!("{}, built in", assistant());
        vec![Finding { what: "embedded prover".to_owned(), found: Ok(found), remedy: None, needed: true }]
    }
}
