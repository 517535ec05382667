//! How often planners had to be asked for a plan that holds.

use std::collections::BTreeMap;

use andor_artifact::plan::{PlanningEnd, PlanningRecord};
use serde::Serialize;

/// The plans that planners were asked for, by how it ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanTotals {
    /// Plans that hold, by the number of tries that it took.
    pub held: BTreeMap<u64, u64>,
    /// No plan held in all tries.
    pub refused: u64,
    /// The planner's answer had no plan.
    pub no_plan: u64,
    /// The planner did not answer.
    pub failed: u64,
}

impl PlanTotals {
    /// Counts how one plan was asked for.
    pub fn add(&mut self, planning: &PlanningRecord) {
        match planning.ended {
            PlanningEnd::Verified => *self.held.entry(planning.tries.len() as u64).or_default() += 1,
            PlanningEnd::Refused => self.refused += 1,
            PlanningEnd::NoPlan => self.no_plan += 1,
            PlanningEnd::Failed => self.failed += 1,
        }
    }

    /// The counts in a line; `None` if no plan was asked for.
    pub fn line(&self) -> Option<String> {
        let n_held: u64 = self.held.values().sum();
        let n = n_held + self.refused + self.no_plan + self.failed;
        let at_try = self.held.iter().map(|(number, n)| format!("{n} at try {number}"));
        let others =
            [(self.refused, "wrong"), (self.no_plan, "without a plan"), (self.failed, "not answered")];
        let others = others.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
        let parts: Vec<String> = at_try.chain(others).collect();
        (n > 0).then(|| format!("plans: {n_held} of {n} hold ({})", parts.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use andor_artifact::plan::PlanTryRecord;

    use super::*;

    #[test]
    fn plans_are_counted_by_tries() {
        let planning = |ended, tries| PlanningRecord {
            planner: "p".to_owned(),
            ended,
            error: None,
            tries: vec![PlanTryRecord { steps: Vec::new(), faulty: Vec::new() }; tries],
            model: Default::default(),
        };
        let mut totals = PlanTotals::default();
        assert_eq!(totals.line(), None);
        for (ended, tries) in [
            (PlanningEnd::Verified, 1),
            (PlanningEnd::Verified, 3),
            (PlanningEnd::Verified, 1),
            (PlanningEnd::Refused, 3),
            (PlanningEnd::NoPlan, 1),
        ] {
            totals.add(&planning(ended, tries));
        }
        let expected = "plans: 3 of 5 hold (2 at try 1, 1 at try 3, 1 wrong, 1 without a plan)";
        assert_eq!(totals.line().as_deref(), Some(expected));
    }
}
