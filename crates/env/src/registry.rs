//! Environments by their systems. A system's crate enters how it is made into [`ENVIRONMENTS`]; a kernel that can judge the proofs of
//! another system is entered into [`KERNELS`].

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use andor_core::axioms::AllowedAxioms;
use andor_core::load_path::LoadPath;
use andor_core::systems::{LeanBackend, Universes};
use andor_core::theorem::System;
use linkme::distributed_slice;

use crate::environment::Environment;
use crate::other_kernel::OtherKernel;

/// How the environments of the systems that are linked into a program are made.
#[distributed_slice]
pub static ENVIRONMENTS: [Made];

/// The kernels that are linked into a program to judge proofs of other systems.
#[distributed_slice]
pub static KERNELS: [fn() -> Arc<dyn OtherKernel>];

/// How the environment of a system is made.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// The system.
    pub system: System,
    /// Makes it. Nothing starts yet.
    pub environment: fn(&Settings) -> Arc<dyn Environment>,
}

/// What environments are made with. Each system takes what concerns it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of a project, whose programs and modules are used.
    pub project: Option<PathBuf>,
    /// Folders of compiled modules besides the system's own library.
    pub load_path: Vec<LoadPath>,
    /// The server that runs Lean's tactics.
    pub lean_backend: LeanBackend,
    /// Whether processes run in a sandbox, if one is available.
    pub sandbox: bool,
    /// Wall-time and processor-time limit of each program used to verify a proof.
    pub check_limit: Duration,
    /// Allowed axioms, besides those that the system always allows.
    pub allowed_axioms: AllowedAxioms,
    /// Known bugs, such as `rocq#20455`, that a proof is trusted not to exploit.
    pub trusted_bugs: Vec<String>,
    /// For which universes a polymorphic theorem of Rocq has to be proved.
    pub universes: Universes,
    /// Whether level 3 also checks libraries.
    pub recheck_deps: bool,
    /// Where checked libraries are recorded; `None` disables this.
    pub cache: Option<PathBuf>,
}

/// The environment of a system; `None` if the program has none of it.
pub fn environment(system: System, settings: &Settings) -> Option<Arc<dyn Environment>> {
    let made = ENVIRONMENTS.iter().find(|made| made.system == system)?;
    Some((made.environment)(settings))
}

/// A kernel of another system, if one is linked.
pub fn other_kernel() -> Option<Arc<dyn OtherKernel>> {
    KERNELS.first().map(|kernel| kernel())
}
