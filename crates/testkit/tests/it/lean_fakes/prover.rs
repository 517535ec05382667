//! The embedded prover behind one of the fakes: searches and checks as in `mini`, but its workers speak with the fake.

use andor_system_mini::MINI;
use std::sync::Arc;

use andor_core::signature::Commutative;
use andor_core::theorem::{ExtraImport, System, Theorem};
use andor_env::checker::{Checker, Claim};
use andor_env::environment::{Environment, Finding, Script};
use andor_env::screen::Refusal;
use andor_env::worker::{Grouping, Worker};
use andor_system_lean::launch::Launch;
use andor_system_lean::pantograph::PantographWorker;
use andor_system_lean::repl::ReplWorker;
use andor_system_mini::{Mini, MiniConfig};
use async_trait::async_trait;

/// The fakes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Repl,
    /// The line of 2026.
    Pantograph,
    /// Version 0.3.4.
    OldPantograph,
}

pub(crate) const ALL: [Kind; 3] = [Kind::Repl, Kind::Pantograph, Kind::OldPantograph];

/// What ends the process of a fake, as it does that of Lean.
pub(crate) const CRASH: &str = "run_tac (IO.Process.exit 1)";

/// What takes an hour.
pub(crate) const SLEEP: &str = "sleep 3600000";

/// How a fake is started.
pub(crate) fn launch(kind: Kind, args: &[&str]) -> Arc<Launch> {
    let (program, version) = match kind {
        Kind::Repl => (env!("CARGO_BIN_EXE_fake-repl"), None),
        Kind::Pantograph => (env!("CARGO_BIN_EXE_fake-pantograph"), None),
        Kind::OldPantograph => (env!("CARGO_BIN_EXE_fake-pantograph"), Some("--fake-version=0.3.4")),
    };
    let args = version.iter().chain(args).map(|&arg| arg.to_owned()).collect();
    Arc::new(Launch::new(program.into(), args))
}

pub(crate) fn worker(kind: Kind, launch: Arc<Launch>, grouping: Grouping) -> Box<dyn Worker> {
    match kind {
        Kind::Repl => Box::new(ReplWorker::new(launch, grouping)),
        Kind::Pantograph | Kind::OldPantograph => Box::new(PantographWorker::new(launch, grouping)),
    }
}

pub(crate) struct Behind {
    mini: Mini,
    kind: Kind,
    launch: Arc<Launch>,
}

impl Behind {
    pub(crate) fn new(kind: Kind, args: &[&str]) -> Self {
        let mini = Mini::new(MiniConfig::default());
        Self { mini, kind, launch: launch(kind, args) }
    }
}

#[async_trait]
impl Environment for Behind {
    fn system(&self) -> System {
        MINI
    }

    fn commutative(&self) -> &'static Commutative {
        self.mini.commutative()
    }

    fn new_worker(&self, grouping: Grouping) -> Box<dyn Worker> {
        worker(self.kind, Arc::clone(&self.launch), grouping)
    }

    fn screen(&self, tactic: &str) -> Result<(), Refusal> {
        if [CRASH, SLEEP].contains(&tactic) { Ok(()) } else { self.mini.screen(tactic) }
    }

    fn checker(&self) -> &dyn Checker {
        self.mini.checker()
    }

    fn assemble(&self, theorem: &Theorem, imports: &[ExtraImport], script: &Script) -> Claim {
        self.mini.assemble(theorem, imports, script)
    }

    async fn probe(&self) -> Vec<Finding> {
        Vec::new()
    }
}
