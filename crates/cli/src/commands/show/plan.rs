//! `andor show --plan`

use std::fmt::Write as _;

use andor_artifact::plan::{PlanRun, SubgoalRecord, SubgoalStatus};
use andor_artifact::result::{AttemptResult, Role};
use andor_run::folder::{RunFolder, some_ids};
use andor_terminal::{report, shown};
use anyhow::bail;

use crate::args::ShowArgs;

/// The plan of an attempt: its statements with states and budgets, and how it was mended.
pub(super) fn text(args: &ShowArgs) -> anyhow::Result<String> {
    let run = RunFolder::read(&args.run)?;
    let attempt = args.attempt.unwrap_or(1);
    let is_it = |result: &&AttemptResult| result.role == Role::Configured && result.attempt == attempt;
    let with_plan: Vec<&AttemptResult> =
        run.results.iter().filter(is_it).filter(|result| result.plan.is_some()).collect();
    let wanted = |result: &&&AttemptResult| args.theorem.as_ref().is_none_or(|id| result.theorem == *id);
    let found: Vec<&&AttemptResult> = with_plan.iter().filter(wanted).collect();
    let ids = || some_ids(&with_plan.iter().map(|result| result.theorem.clone()).collect::<Vec<_>>());
    match found[..] {
        _ if with_plan.is_empty() => bail!("--plan: no attempt {attempt} of the run had a plan"),
        [] => bail!("--theorem: attempt {attempt} there had no plan; these had one: {}", ids()),
        [result] if args.json => Ok(serde_json::to_string_pretty(&result.plan)? + "\n"),
        [result] => Ok(table(result)),
        _ => bail!("the run has several theorems with plans; choose one with --theorem: {}", ids()),
    }
}

fn table(result: &AttemptResult) -> String {
    let Some(PlanRun { schedule, subgoals, replans, model, .. }) = &result.plan else { return String::new() };
    let proved = subgoals.iter().filter(|subgoal| subgoal.status == SubgoalStatus::Proved).count();
    let mut out = format!(
        "{}: {}, {schedule}: {proved} of {} proved\n",
        shown::line(&result.theorem),
        report::ending(result),
        subgoals.len()
    );
    let mut number = None;
    for subgoal in subgoals {
        if number.replace(subgoal.plan).is_some_and(|before| before != subgoal.plan) {
            let _ = writeln!(out, "plan {}", subgoal.plan);
        }
        line(&mut out, subgoal);
    }
    for replan in replans {
        let _ = writeln!(out, "asked for plan {}: {}", replan.number, report::replan(replan));
    }
    if !replans.is_empty() {
        let _ = writeln!(
            out,
            "the planner: {}, {} tokens sent and {} received",
            report::count(model.requests, "request"),
            model.prompt_tokens,
            model.completion_tokens
        );
    }
    out
}

fn line(out: &mut String, subgoal: &SubgoalRecord) {
    let (mark, status) = match subgoal.status {
        SubgoalStatus::Proved => ("✓", "proved"),
        SubgoalStatus::Stuck => ("✗", "stuck"),
        SubgoalStatus::Current => ("?", "at work"),
        SubgoalStatus::Waiting => ("?", "waiting"),
        SubgoalStatus::NotNeeded => ("-", "not needed"),
        SubgoalStatus::Replaced => ("-", "replaced"),
    };
    let what = match &subgoal.step {
        Some(step) => shown::line(&format!("{} : {}", step.name, step.statement)),
        None => "what is left to prove from them".to_owned(),
    };
    let why = subgoal.stuck.map_or(String::new(), |reason| format!(" ({})", report::reason(reason)));
    let of = |limit: Option<String>| limit.map_or(String::new(), |limit| format!(" of {limit}"));
    let seconds = |ms: f64| format!("{:.2}", ms / 1e3);
    let _ = writeln!(
        out,
        "  {mark} {what}  [{status}{why}; {}{} candidates, {}{} s in {}, {}]",
        subgoal.candidates,
        of(subgoal.budget_candidates.map(|n| n.to_string())),
        seconds(subgoal.focus_ms),
        of(subgoal.budget_ms.map(seconds)),
        report::count(subgoal.turns, "turn"),
        report::count(subgoal.proof.len() as u64, "step"),
    );
}
