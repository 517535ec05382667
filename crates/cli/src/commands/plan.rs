//! `andor plan`

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use andor_artifact::plan::{PlanRecord, PlanStepRecord, PlanningRecord};
use andor_config::Config;
use andor_core::plan::PlanStep;
use andor_core::theorem::{System, Theorem};
use andor_dataset::Problem;
use andor_engine::attempt::Means;
use andor_engine::plan::{self, Earlier, Ended, Making, StepFault};
use andor_engine::progress::{PlanBook, read_with_progress};
use andor_engine::registry::{self, OwnParts};
use andor_report::summary::PlanTotals;
use andor_terminal::exit::{Exit, with_causes};
use andor_terminal::interrupt::cancel_on_interrupt;
use andor_terminal::progress::Progress;
use andor_terminal::{report, shown};
use anyhow::{Context as _, anyhow, bail};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::input;
use crate::args::{self, PlanArgs};
use crate::settings;

pub(crate) async fn run(args: &PlanArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let config = settings::plan(args)?;
    let say = |text: &str| progress.lock().expect("progress does not panic").say(text);
    if args.check.is_none() && config.plan.planner.is_none() {
        return Err(args::usage(
            "plan",
            "give --planner MODEL to ask for plans, or --check FILE to check some",
        ));
    }
    let problems = input::problems(&args.input, config.project.as_deref(), say)?.problems;
    let mut kept = args.out.as_deref().map(PlanBook::open).transpose()?;
    let has_plan = |id: &str| kept.as_ref().is_some_and(|kept| kept.has(id));
    let mut todo: Vec<&Problem> = problems.iter().filter(|p| !has_plan(&p.theorem.id)).collect();
    if todo.len() < problems.len() {
        say(&format!("{} of {} theorems have a plan already", problems.len() - todo.len(), problems.len()));
    }
    if let Some(file) = &args.check
        && todo.len() > 1
    {
        let n = todo.len();
        // What is wrong with a plan is said of its theorem.
        todo.retain(|Problem { theorem, .. }| {
            !matches!(plan::read(file, &theorem.id, theorem.system), Ok(None))
        });
        match n - todo.len() {
            0 => {}
            without if without == n => bail!("`{}` has no plan of any of the {n} theorems", file.display()),
            without => say(&format!("{without} of {n} theorems have no plan there")),
        }
    }
    let mut means: BTreeMap<System, Means> = BTreeMap::new();
    let systems: BTreeSet<System> = todo.iter().map(|problem| problem.theorem.system).collect();
    for system in systems {
        let found = registry::means(system, &config, args.jobs.get(), &OwnParts::default())?;
        for model in &found.models {
            let ready = andor_model::probe_all(&[model]).await;
            ready.map_err(|(url, error)| anyhow!("the model at {url} cannot be asked: {error}"))?;
        }
        means.insert(system, found);
    }
    let cancel = CancellationToken::new();
    let _listening = cancel_on_interrupt(&cancel, Arc::clone(&progress));
    let (means, config) = (&means, &config);
    let jobs = todo.iter().map(|problem| async move {
        (*problem, one(args, &problem.theorem, &means[&problem.theorem.system], config).await)
    });
    let mut done = futures_util::stream::iter(jobs).buffer_unordered(args.jobs.get());
    let (mut exit, mut totals) = (Exit::Success, PlanTotals::default());
    loop {
        let next = tokio::select! {
            biased;
            () = cancel.cancelled() => return Ok(Exit::Interrupted),
            next = done.next() => next,
        };
        let Some((problem, outcome)) = next else {
            if let Some(line) = totals.line().filter(|_| todo.len() > 1) {
                say(&line);
            }
            return Ok(exit);
        };
        let theorem = &problem.theorem;
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) if todo.len() == 1 => return Err(error),
            Err(error) => {
                say(&format!("{}: {}", theorem.id, with_causes(&error)));
                exit = Exit::Unusable;
                continue;
            }
        };
        if let Some(planning) = outcome.planning() {
            totals.add(&planning);
        }
        match &outcome.steps {
            Some(steps) => {
                if let Some(kept) = &mut kept {
                    kept.put(&theorem.id, theorem.system, record(steps, &outcome))?;
                }
            }
            None if exit == Exit::Success => exit = Exit::NotProved,
            None => {}
        }
        let text = if args.json { format!("{}\n", outcome.json(theorem)) } else { outcome.text(theorem) };
        report::print(&text)?;
    }
}

/// What became of the plan of a theorem.
struct Outcome {
    /// The plan, if it holds.
    steps: Option<Vec<PlanStep>>,
    /// What is wrong with it.
    faults: Vec<StepFault>,
    /// How it was asked for, and from whom.
    asked: Option<(String, Making)>,
    /// How many of its steps are proved, by the file that was checked.
    progress: u64,
}

async fn one(args: &PlanArgs, theorem: &Theorem, means: &Means, config: &Config) -> anyhow::Result<Outcome> {
    let environment = Arc::clone(means.workers.environment());
    let session = plan::open(theorem, environment, &*means.provider, config).await?;
    let refuter = (!args.no_refutation).then_some(&*means.provider);
    if let Some(file) = &args.check {
        let Some((steps, progress)) = read_with_progress(file, &theorem.id, theorem.system)? else {
            bail!("`{}` has no plan of `{}`", file.display(), theorem.id);
        };
        let faults = plan::verify(&session, theorem, &steps, refuter).await?;
        return Ok(Outcome { steps: faults.is_empty().then_some(steps), faults, asked: None, progress });
    }
    let planner = means.planner.as_ref().context("without --check there is a planner")?;
    let retries = config.plan.retries;
    let making =
        plan::make(&session, theorem, planner, refuter, &Earlier::default(), config.seed, retries).await?;
    let steps = match &making.ended {
        Ended::Verified(steps) => Some(steps.clone()),
        _ => None,
    };
    Ok(Outcome { steps, faults: Vec::new(), asked: Some((planner.id().to_owned(), making)), progress: 0 })
}

fn record(steps: &[PlanStep], outcome: &Outcome) -> PlanRecord {
    let asked = outcome.asked.as_ref();
    PlanRecord {
        steps: steps.iter().map(plan::record::step).collect(),
        planner: asked.map(|(planner, _)| planner.clone()),
        verified: true,
        tries: asked.map_or(0, |(_, making)| making.tries.len() as u64),
        model: asked.map(|(_, making)| andor_engine::attempt::model_usage(&making.usage)).unwrap_or_default(),
        progress: outcome.progress,
    }
}

impl Outcome {
    fn text(&self, theorem: &Theorem) -> String {
        let mut text = String::new();
        if let Some((_, making)) = &self.asked {
            for (number, one) in making.tries.iter().enumerate().filter(|(_, one)| !one.faulty.is_empty()) {
                text += &format!("{}: plan {} was refused:\n", shown::line(&theorem.id), number + 1);
                for refused in &one.faulty {
                    text += &format!("  {}", shown::line(&refused.step));
                    text += &format!(
                        "{}{}\n",
                        if refused.step.is_empty() { "" } else { ": " },
                        shown::message(&refused.error)
                    );
                }
            }
        }
        for StepFault { number, step, fault } in &self.faults {
            let tactic = step.tactic(theorem.system);
            let fault = shown::message(&fault.to_string());
            text +=
                &format!("{}: step {number}: {}: {fault}\n", shown::line(&theorem.id), shown::line(&tactic));
        }
        match (&self.steps, &self.asked) {
            (Some(steps), _) => {
                text += &format!("{}: a plan of {} steps holds\n", shown::line(&theorem.id), steps.len());
                for step in steps {
                    text += &format!("  {}\n", shown::line(&step.tactic(theorem.system)));
                }
            }
            (None, Some((planner, Making { ended: Ended::Failed(error), .. }))) => {
                let error = shown::message(error);
                text +=
                    &format!("{}: no plan: `{planner}` does not answer: {error}\n", shown::line(&theorem.id));
            }
            (None, Some((_, making @ Making { ended: Ended::NoPlan, .. }))) => {
                let answer = making.tries.last().map_or("", |one| one.answer.as_str());
                let answer = shown::message(answer);
                text += &format!(
                    "{}: no plan: there is no step in the answer: {answer}\n",
                    shown::line(&theorem.id)
                );
            }
            (None, _) => text += &format!("{}: no plan holds\n", shown::line(&theorem.id)),
        }
        text
    }

    /// The record of asking the planner.
    fn planning(&self) -> Option<PlanningRecord> {
        let (planner, making) = self.asked.as_ref()?;
        Some(plan::record::planning(planner, making, andor_engine::attempt::model_usage(&making.usage)))
    }

    fn json(&self, theorem: &Theorem) -> Value {
        let steps =
            |steps: &[PlanStep]| -> Vec<PlanStepRecord> { steps.iter().map(plan::record::step).collect() };
        let fault = |StepFault { number, step, fault }: &StepFault| json!({"number": number, "name": step.name, "statement": step.statement, "error": fault.to_string()});
        json!({
            "theorem": theorem.id,
            "steps": self.steps.as_deref().map(steps),
            "faults": self.faults.iter().map(fault).collect::<Vec<_>>(),
            "planning": self.planning(),
        })
    }
}
