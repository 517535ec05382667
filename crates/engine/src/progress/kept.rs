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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use andor_artifact::plan::PlanStepRecord;

    use andor_testkit::theorem;

    use super::*;
    use andor_system_mini::MINI;

    fn kept(path: &Path, statement: &str, attempt: u32, planner: &str) -> KeptPlan {
        let book = Arc::new(Mutex::new(PlanBook::open(path).unwrap()));
        KeptPlan::new(book, &theorem(MINI, "t", statement), attempt, planner)
    }

    fn plan(of: &KeptPlan, ended: PlanningEnd, statement: &str) -> PlanUnderWay {
        let model = ModelUsage { requests: 2, ..ModelUsage::default() };
        let planner = of.planner.to_string();
        PlanUnderWay {
            statement_digest: of.theorem.digest(),
            planning: Some(PlanningRecord { planner, ended, error: None, tries: Vec::new(), model }),
            steps: vec![PlanStepRecord { name: "h".to_owned(), statement: statement.to_owned() }],
            replanning: ModelUsage::default(),
        }
    }

    #[test]
    fn a_plan_is_found_by_the_attempt_that_asked_for_it_and_only_by_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plans.json");
        const ONE: &str = "theorem t : 1 = 1";
        let first = kept(&path, ONE, 1, "p");
        let wanted = plan(&first, PlanningEnd::Verified, "2 = 2");
        first.keep(wanted.clone()).unwrap();
        // Each reads the file anew.
        assert_eq!(kept(&path, ONE, 1, "p").found(), Some(wanted));
        assert_eq!(kept(&path, ONE, 2, "p").found(), None, "another attempt");
        assert_eq!(kept(&path, ONE, 1, "q").found(), None, "another planner");
        assert_eq!(kept(&path, "theorem t : 1 = 2", 1, "p").found(), None, "another statement");

        let mut book = PlanBook::open(&path).unwrap();
        assert!(!book.ended("t", 2) && book.ended("t", 1) && !book.ended("t", 1));
        book.save().unwrap();
        assert_eq!(kept(&path, ONE, 1, "p").found(), None, "it has ended");
        assert!(!fs_err::read_to_string(&path).unwrap().contains("under_way"));
    }

    #[test]
    fn a_planner_that_did_not_answer_and_a_plan_that_cannot_be_read_are_no_reason_not_to_ask() {
        let folder = tempfile::tempdir().unwrap();
        let of = kept(&folder.path().join("plans.json"), "theorem t : 1 = 1", 1, "p");
        of.keep(plan(&of, PlanningEnd::Failed, "2 = 2")).unwrap();
        assert_eq!(of.found(), None);
        of.keep(plan(&of, PlanningEnd::Verified, " ")).unwrap();
        assert_eq!(of.found(), None);
        let none = PlanUnderWay { steps: Vec::new(), ..plan(&of, PlanningEnd::NoPlan, "") };
        of.keep(none.clone()).unwrap();
        assert_eq!(of.found(), Some(none), "it was asked, and had no plan");
    }

    #[test]
    fn what_mends_a_plan_takes_its_place_and_all_that_was_paid_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let of = kept(&folder.path().join("plans.json"), "theorem t : 1 = 1", 1, "p");
        let cost = ModelUsage { requests: 3, ..ModelUsage::default() };
        let mended = [PlanStep { name: "g".to_owned(), statement: "3 = 3".to_owned() }];
        // The first plan was given: nobody was asked for it.
        of.asked_again(cost, None).unwrap();
        let found = of.found().unwrap();
        assert_eq!((found.planning, found.steps.len(), found.replanning.requests), (None, 0, 3));
        of.keep(plan(&of, PlanningEnd::Verified, "2 = 2")).unwrap();
        of.asked_again(cost, Some(&mended)).unwrap();
        of.asked_again(cost, None).unwrap();
        let found = of.found().unwrap();
        assert_eq!((found.planning.unwrap().model.requests, found.replanning.requests), (2, 6));
        assert_eq!(found.steps[0].name, "g");
    }
}
