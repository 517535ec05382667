//! Which server runs tactics.

use std::sync::Arc;

use andor_core::lemma::Lemma;
use andor_core::systems::LeanBackend;
use andor_core::theorem::Theorem;
use async_trait::async_trait;

use super::launch::{Launch, Program};
use super::pantograph::PantographWorker;
use super::premises::Premises;
use super::repl::ReplWorker;
use super::server::ServerWorker;
use andor_env::error::EnvError;
use andor_env::worker::{Grouping, Health, Opened, StateId, TacticLimits, TacticOutcome, Worker};

/// The server that was chosen: not `Auto`.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) backend: LeanBackend,
    /// Why, for `andor doctor`.
    pub(super) why: String,
}

impl Choice {
    /// Chooses a server. Pantograph must be built with exactly the Lean whose modules it loads, so it is tried out.
    pub(super) async fn make(premises: &Arc<Premises>) -> Self {
        let chosen = |backend, why: &str| Self { backend, why: why.to_owned() };
        match premises.config().backend {
            LeanBackend::Auto => {}
            named => return chosen(named, "as configured"),
        }
        let Some(program) = Program::Pantograph.find(premises.config().project.as_deref()) else {
            return chosen(LeanBackend::Server, "Pantograph is not found");
        };
        match try_out(premises).await {
            Ok(()) => chosen(LeanBackend::Pantograph, &format!("{} works", program.display())),
            Err(error) => {
                let why = format!("{} does not work with this Lean: {error}", program.display());
                tracing::info!("tactics run on Lean's own server, since {why}");
                chosen(LeanBackend::Server, &why)
            }
        }
    }

    /// The choice, as people read it.
    pub(super) fn shown(&self) -> String {
        let server = match self.backend {
            LeanBackend::Auto | LeanBackend::Server => "Lean's own server",
            LeanBackend::Pantograph => "Pantograph",
            LeanBackend::Repl => "the REPL",
        };
        format!("{server} ({})", self.why)
    }
}

/// Opens a theorem on Pantograph.
async fn try_out(premises: &Arc<Premises>) -> Result<(), EnvError> {
    let theorem = Theorem {
        id: "trial".to_owned(),
        name: "trial".to_owned(),
        system: crate::LEAN4,
        header: String::new(),
        statement: "theorem trial : True".to_owned(),
        footer: String::new(),
        extra_imports: Vec::new(),
    };
    let mut worker = new_worker(premises, LeanBackend::Pantograph, Grouping::Coupled);
    worker.open(&theorem).await.map(|_| ())
}

/// A worker over a server.
pub(super) fn new_worker(
    premises: &Arc<Premises>,
    backend: LeanBackend,
    grouping: Grouping,
) -> Box<dyn Worker> {
    let launch = |program| Arc::new(Launch::beside(Arc::clone(premises), program));
    match backend {
        LeanBackend::Auto => Box::new(AutoWorker { premises: Arc::clone(premises), grouping, chosen: None }),
        LeanBackend::Server => Box::new(ServerWorker::new(Arc::clone(premises), grouping)),
        LeanBackend::Pantograph => Box::new(PantographWorker::new(launch(Program::Pantograph), grouping)),
        LeanBackend::Repl => Box::new(ReplWorker::new(launch(Program::Repl), grouping)),
    }
}

/// A worker over the server that is chosen when the first theorem is opened.
struct AutoWorker {
    premises: Arc<Premises>,
    grouping: Grouping,
    chosen: Option<Box<dyn Worker>>,
}

impl AutoWorker {
    fn chosen(&mut self) -> Result<&mut Box<dyn Worker>, EnvError> {
        self.chosen.as_mut().ok_or(EnvError::Lost)
    }
}

#[async_trait]
impl Worker for AutoWorker {
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError> {
        let worker = match &mut self.chosen {
            Some(worker) => worker,
            none => {
                let backend = self.premises.choice().await.backend;
                none.insert(new_worker(&self.premises, backend, self.grouping))
            }
        };
        worker.open(theorem).await
    }

    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError> {
        self.chosen()?.apply(state, group, tactic, limits).await
    }

    async fn lookup(&mut self, symbols: &[String], most: usize) -> Result<Vec<Lemma>, EnvError> {
        self.chosen()?.lookup(symbols, most).await
    }

    fn release(&mut self, state: StateId) {
        if let Some(worker) = &mut self.chosen {
            worker.release(state);
        }
    }

    fn forget_theorem(&mut self) -> bool {
        self.chosen.as_mut().is_some_and(|worker| worker.forget_theorem())
    }

    fn shares(&self, header: &str) -> Option<usize> {
        self.chosen.as_ref()?.shares(header)
    }

    async fn wake(&mut self) -> Result<(), EnvError> {
        self.chosen()?.wake().await
    }

    fn health(&self) -> Health {
        self.chosen.as_ref().map(|worker| worker.health()).unwrap_or_default()
    }

    fn process_id(&self) -> Option<u32> {
        self.chosen.as_ref()?.process_id()
    }
}
