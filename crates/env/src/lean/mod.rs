//! The adapter of Lean 4: a worker over Lean's own language server, a checker over its compiler.
//!
//! `toolchain` finds Lean, its version and a project's modules, `premises` runs its programs. `goal` reads goals as Lean
//! prints them and as its server describes them. `lexer` reads Lean's text: for `screen`, which lets one tactic pass,
//! `source`, which finds the theorems of a file, and `outline`, which takes scripts apart.
//!
//! For finished proofs, `checker` goes through the levels: `commands` is the filter of files, `olean` reads compiled
//! files, and `judge` compares them.

mod checker;
pub mod commands;
pub mod goal;
mod judge;
pub mod keywords;
pub mod lexer;
mod olean;
mod premises;
pub mod screen;
pub mod toolchain;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::checker::Checker;
use checker::LeanChecker;
use premises::Premises;
use toolchain::Toolchain;

pub use judge::STANDARD_AXIOMS;

/// The configuration of Lean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeanConfig {
    /// The folder of a Lean project, whose toolchain and modules are used.
    pub project: Option<PathBuf>,
    /// The Lean to use. By default it is searched for.
    pub toolchain: Option<Toolchain>,
    /// Whether processes run in a sandbox, if one is available.
    pub sandbox: bool,
    /// Memory limit of each process, in bytes, without the modules that it maps.
    pub max_memory: Option<u64>,
    /// Wall-time and processor-time limit of each program used to verify a proof.
    pub check_limit: Duration,
    /// Names of allowed axioms besides the standard ones.
    pub allowed_axioms: Vec<String>,
}

impl Default for LeanConfig {
    fn default() -> Self {
        Self {
            project: None,
            toolchain: None,
            sandbox: true,
            max_memory: Some(8 << 30),
            check_limit: Duration::from_secs(120),
            allowed_axioms: Vec::new(),
        }
    }
}

/// Verifies finished proofs.
pub fn checker(config: LeanConfig) -> impl Checker {
    let premises = Arc::new(Premises::new(config.clone()));
    LeanChecker::new(config, premises)
}
