//! A prover that dies again and again.

use std::sync::Arc;

use andor_core::signature::Commutative;
use andor_core::theorem::{ExtraImport, System, Theorem};
use andor_env::checker::{Checker, Claim};
use andor_env::environment::{Environment, Finding, Script};
use andor_env::error::EnvError;
use andor_env::screen::Refusal;
use andor_env::worker::{Grouping, Health, Opened, StateId, TacticLimits, TacticOutcome, Worker};
use async_trait::async_trait;

use crate::contract::kill;

/// A prover, but a process is killed just before every tactic of its worker whose number is a multiple of `every`.
///
/// Each worker counts by itself: if they shared a count, one that has to replay a long path could be hit thrice in a
/// row by chance.
pub struct Mortal {
    prover: Arc<dyn Environment>,
    every: u64,
}

impl Mortal {
    /// The prover, of which every so many tactics cost its process.
    pub fn new(prover: Arc<dyn Environment>, every: u64) -> Self {
        Self { prover, every }
    }
}

#[async_trait]
impl Environment for Mortal {
    fn system(&self) -> System {
        self.prover.system()
    }

    fn commutative(&self) -> &'static Commutative {
        self.prover.commutative()
    }

    fn new_worker(&self, grouping: Grouping) -> Box<dyn Worker> {
        Box::new(MortalWorker { inner: self.prover.new_worker(grouping), every: self.every, applied: 0 })
    }

    fn screen(&self, tactic: &str) -> Result<(), Refusal> {
        self.prover.screen(tactic)
    }

    fn admit(&self, theorem: &Theorem) -> Result<(), EnvError> {
        self.prover.admit(theorem)
    }

    fn checker(&self) -> &dyn Checker {
        self.prover.checker()
    }

    fn assemble(&self, theorem: &Theorem, imports: &[ExtraImport], script: &Script) -> Claim {
        self.prover.assemble(theorem, imports, script)
    }

    async fn probe(&self) -> Vec<Finding> {
        self.prover.probe().await
    }
}

struct MortalWorker {
    inner: Box<dyn Worker>,
    every: u64,
    applied: u64,
}

#[async_trait]
impl Worker for MortalWorker {
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
        self.applied += 1;
        if self.applied.is_multiple_of(self.every) {
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
