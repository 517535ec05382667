//! The options of plans, as rows of the table.

use andor_core::plan::PlanSchedule;

use super::notation::Notation::{self, Duration, OneOf, Text, Whole};
use super::row::*;
use super::{ConfigOption, Section, Setting};

pub(super) const PLANNER: ConfigOption = option!(
    "--planner",
    plan.planner,
    Models,
    Text,
    "NAME|URL",
    "Ask this language model for a plan of each theorem that has none in --plan, and begin with it"
);
pub(super) const PROMPT: ConfigOption = option!(
    "--plan-prompt",
    plan.prompt,
    Models,
    Notation::File,
    "FILE",
    "Prompt template of the planner, in place of its own"
);
pub(super) const RETRIES: ConfigOption = option!(
    "--plan-retries",
    plan.retries,
    Models,
    Whole(ANY_32),
    "N",
    "Ask the planner again this often if its plan is wrong"
);
pub(super) const REPLANS: ConfigOption = option!(
    "--replans",
    plan.replans,
    Models,
    Whole(ANY_32),
    "N",
    "Ask the planner this often to mend a plan with a statement that could not be proved"
);
pub(super) const SUBGOAL_REPLANS: ConfigOption = option!(
    "--subgoal-replans",
    plan.subgoal_replans,
    Models,
    Whole(ANY_32),
    "N",
    "Of these, at most this many for the same statement"
);
pub(super) const FILE: ConfigOption = option!(
    "--plan",
    plan.file,
    Search,
    Notation::File,
    "FILE",
    "Begin with the plans of theorems in this file. The search tries other ways too"
);
pub(super) const SCHEDULE: ConfigOption = option!(
    "--plan-schedule",
    plan.schedule,
    Search,
    OneOf(PlanSchedule::names),
    "SCHEDULE",
    "Work on the statements of a plan one after the other, or on all of them in turn"
);
pub(super) const SUBGOAL_CANDIDATES: ConfigOption = option!(
    "--plan-subgoal-candidates",
    plan.subgoal_candidates,
    Search,
    Whole(AT_LEAST_ONE),
    "N",
    "Candidates for one statement of a plan, and at most an equal share of what the search has left"
);
pub(super) const SUBGOAL_TIME: ConfigOption = option!(
    "--plan-subgoal-time",
    plan.subgoal_time_s,
    Search,
    Duration,
    "DURATION",
    "Time for one statement of a plan, on the search's clock"
);
