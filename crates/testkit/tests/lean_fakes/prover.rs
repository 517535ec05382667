//! The embedded prover behind one of the fakes: searches and checks as in `mini`, but its workers speak with the fake.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use andor_core::signature::Commutative;
use andor_core::theorem::{ExtraImport, System, Theorem};
use andor_env::checker::{Checker, Claim};
use andor_env::environment::{Environment, Finding, Script};
use andor_env::error::EnvError;
use andor_env::lean::launch::Launch;
use andor_env::lean::pantograph::PantographWorker;
use andor_env::lean::repl::ReplWorker;
use andor_env::mini::{Mini, MiniConfig};
use andor_env::screen::Refusal;
use andor_env::worker::{Grouping, Health, Opened, StateId, TacticLimits, TacticOutcome, Worker};
use andor_testkit::contract::kill;
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
    /// The process is killed before every tactic whose number is a multiple of this.
    every: u64,
    applied: Arc<AtomicU64>,
}

impl Behind {
    pub(crate) fn new(kind: Kind, args: &[&str]) -> Self {
        let mini = Mini::new(MiniConfig::default());
        Self { mini, kind, launch: launch(kind, args), every: u64::MAX, applied: Arc::default() }
    }

    pub(crate) fn killed_every(kind: Kind, every: u64) -> Self {
        Self { every, ..Self::new(kind, &[]) }
    }
}

#[async_trait]
impl Environment for Behind {
    fn system(&self) -> System {
        System::Mini
    }

    fn commutative(&self) -> &'static Commutative {
        self.mini.commutative()
    }

    fn new_worker(&self, grouping: Grouping) -> Box<dyn Worker> {
        let inner = worker(self.kind, Arc::clone(&self.launch), grouping);
        Box::new(Mortal { inner, every: self.every, applied: Arc::clone(&self.applied) })
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

struct Mortal {
    inner: Box<dyn Worker>,
    every: u64,
    applied: Arc<AtomicU64>,
}

#[async_trait]
impl Worker for Mortal {
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError> {
        self.inner.open(theorem).await
    }

    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError> {
        let number = self.applied.fetch_add(1, Ordering::Relaxed) + 1;
        if number.is_multiple_of(self.every) {
            kill(self.inner.process_id().expect("the theorem is open"));
        }
        self.inner.apply(state, group, tactic, limits).await
    }

    fn release(&mut self, state: StateId) {
        self.inner.release(state);
    }

    fn forget_theorem(&mut self) -> bool {
        self.inner.forget_theorem()
    }

    fn shares(&self, header: &str) -> Option<usize> {
        self.inner.shares(header)
    }

    async fn wake(&mut self) -> Result<(), EnvError> {
        self.inner.wake().await
    }

    fn health(&self) -> Health {
        self.inner.health()
    }

    fn process_id(&self) -> Option<u32> {
        self.inner.process_id()
    }
}
