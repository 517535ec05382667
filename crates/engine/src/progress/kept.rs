//! The plan of an attempt, kept while the attempt is under way, so that nobody pays for it twice.

use std::sync::{Arc, Mutex, MutexGuard};

use andor_artifact::files::FileError;
use andor_artifact::plan::{PlanUnderWay, PlanningEnd, PlanningRecord};
use andor_artifact::result::ModelUsage;
use andor_core::plan::PlanStep;
use andor_core::theorem::Theorem;
use andor_provider::plan::parse;

use super::plans::PlanBook;
use crate::plan::record;

/// The place of an attempt's plan in the file of its run.
#[derive(Clone)]
pub struct KeptPlan {
    book: Arc<Mutex<PlanBook>>,
    theorem: Arc<Theorem>,
    attempt: u32,
    planner: Arc<str>,
}

impl KeptPlan {
    pub(crate) fn new(book: Arc<Mutex<PlanBook>>, theorem: &Theorem, attempt: u32, planner: &str) -> Self {
        Self { book, theorem: Arc::new(theorem.clone()), attempt, planner: planner.into() }
    }

    fn book(&self) -> MutexGuard<'_, PlanBook> {
        self.book.lock().expect("nothing panics while holding the plans")
    }

    /// The plan with which the attempt was interrupted, if the statement and the planner are still the same.
    pub(crate) fn found(&self) -> Option<PlanUnderWay> {
        let plan = self.book().under_way(&self.theorem.id, self.attempt)?.clone();
        let is_other = |planning: &PlanningRecord| *planning.planner != *self.planner;
        if plan.statement_digest != self.theorem.digest() || plan.planning.as_ref().is_some_and(is_other) {
            return None;
        }
        let steps: Vec<PlanStep> = plan.steps.iter().map(record::read).collect();
        match parse::check(&steps, self.theorem.system) {
            Err(fault) if !steps.is_empty() => {
                tracing::warn!("the plan of the interrupted attempt is left out: {fault}");
                None
            }
            _ => Some(plan),
        }
    }

    /// Keeps a plan. It is on disk when this returns. A planner that did not answer is asked again.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(crate) fn keep(&self, plan: PlanUnderWay) -> Result<(), FileError> {
        match &plan.planning {
            Some(planning) if planning.ended == PlanningEnd::Failed => Ok(()),
            _ => self.book().keep(&self.theorem.id, self.attempt, plan),
        }
    }

    /// Keeps what asking for another plan cost, and the plan, if there is one. It is on disk when this returns.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(crate) fn asked_again(&self, cost: ModelUsage, steps: Option<&[PlanStep]>) -> Result<(), FileError> {
        let mut plan = self.found().unwrap_or_else(|| PlanUnderWay {
            statement_digest: self.theorem.digest(),
            planning: None,
            steps: Vec::new(),
            replanning: ModelUsage::default(),
        });
        plan.replanning += cost;
        if let Some(steps) = steps {
            plan.steps = steps.iter().map(record::step).collect();
        }
        self.keep(plan)
    }
}
