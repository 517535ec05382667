//! `andor agent code`, and the results of its runs.

use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_artifact::basin::Estimate;
use andor_artifact::code::{CodeOutcome, CodeResult};
use andor_engine::event::{AgentStep, Event, Sink as _};
use andor_rollout::code::Task;
use andor_run::code::{self, CodeRun, CodeSummary, Told};
use andor_run::folder::some_ids;
use andor_terminal::exit::Exit;
use andor_terminal::progress::{Progress, say, say_lines};
use andor_terminal::report::{self, Align};
use andor_terminal::shown;
use anyhow::bail;
use serde_json::Value;

use super::super::prove::{Ended, limited};
use crate::args::{AgentCodeArgs, ResultsArgs, usage};
use crate::settings;

pub(crate) async fn run(args: &AgentCodeArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let config = settings::agent("agent code", args.attempts.config.as_deref(), &args.agent, &args.given)?;
    let request = CodeRun {
        tasks: tasks(&args.tasks, &args.task)?,
        config,
        pass_k: args.attempts.pass_k,
        jobs: args.attempts.jobs.get(),
        out: args.output.out.clone(),
        resume: args.output.resume,
        force: args.output.force,
    };
    let make = async |stop, progress: Arc<Mutex<Progress>>| {
        let telling: Arc<Mutex<dyn Told>> = Arc::new(Mutex::new(Telling(progress)));
        code::run(&request, &stop, telling).await
    };
    let (results, ended) = limited(None, &progress, make).await?;
    if args.output.json {
        let lines = results.iter().map(|result| Ok(serde_json::to_string(result)? + "\n"));
        report::print(&lines.collect::<anyhow::Result<String>>()?)?;
    } else {
        report::print(&solutions(&results, request.tasks.len() > 1))?;
    }
    let ids: Vec<String> = request.tasks.iter().map(|task| task.id.clone()).collect();
    let summary = code::summarise(&ids, request.pass_k, &results);
    if ids.len() > 1 {
        say_lines(&progress, &told(&summary));
    }
    let share = summary.failed as f64 / results.len().max(1) as f64;
    if share > args.output.infra_threshold {
        let text = format!(
            "error: {} of {} failed for technical reasons, more than --infra-threshold {} allows; they say nothing \
             about the tasks; after fixing the cause, repeat them with --resume (needs --out)",
            summary.failed,
            report::count(results.len() as u64, "attempt"),
            args.output.infra_threshold
        );
        say(&progress, &text);
    }
    Ok(match ended {
        Ended::Interrupted => Exit::Interrupted,
        _ if share > args.output.infra_threshold => Exit::Infrastructure,
        _ if summary.solved == summary.tasks => Exit::Success,
        _ => Exit::NotProved,
    })
}

/// The tasks of a path, or those with these ids.
fn tasks(path: &Path, ids: &[String]) -> anyhow::Result<Vec<Arc<Task>>> {
    let mut tasks = Task::all(path)?;
    if let Some(unknown) = ids.iter().find(|id| tasks.iter().all(|task| task.id != **id)) {
        let known: Vec<String> = tasks.iter().map(|task| task.id.clone()).collect();
        bail!("--task: there is no task `{unknown}`; there are: {}", some_ids(&known));
    }
    tasks.retain(|task| ids.is_empty() || ids.contains(&task.id));
    Ok(tasks.into_iter().map(Arc::new).collect())
}

/// Tells of attempts on the display.
struct Telling(Arc<Mutex<Progress>>);

impl Telling {
    fn event(&self, name: &str, event: &Event) {
        self.0.lock().expect("progress does not panic").event(name, event);
    }
}

impl Told for Telling {
    fn began(&mut self, name: &str) {
        self.event(name, &Event::AttemptStarted { attempt: 1 });
    }

    fn step(&mut self, name: &str, step: AgentStep) {
        self.event(name, &Event::AgentStep(step));
    }

    fn ended(&mut self, name: &str, result: &CodeResult) {
        self.event(name, &Event::AttemptDropped);
        say(&self.0, &format!("{}: {}", shown::line(name), ending(result)));
    }
}

/// How an attempt ended, in a line.
fn ending(result: &CodeResult) -> String {
    let outcome = match result.outcome {
        CodeOutcome::Solved => "solved".to_owned(),
        CodeOutcome::NotSolved => {
            let passed = (result.score * result.tests as f64).round() as u64;
            let tests = report::count(result.tests, "test");
            format!("not solved, {passed} of {tests} pass: {}", result.ended_by)
        }
        CodeOutcome::InfrastructureError => format!("failed: {}", result.ended_by),
        CodeOutcome::Interrupted => "interrupted".to_owned(),
    };
    let (steps, nodes) = (report::count(result.steps, "step"), report::count(result.nodes, "node"));
    let seconds = result.total_ms / 1e3;
    format!("{outcome} ({seconds:.1} s, {steps}, {nodes}, {})", report::models(&result.model))
}

/// The files of the first solution of each task.
fn solutions(results: &[CodeResult], named: bool) -> String {
    let mut text = String::new();
    let mut last = None;
    for result in results.iter().filter(|result| result.outcome == CodeOutcome::Solved) {
        if last.replace(&result.task) == Some(&result.task) {
            continue;
        }
        for (path, contents) in &result.solution {
            let of = if named { format!("{}: ", result.task) } else { String::new() };
            let _ = writeln!(text, "--- {of}{path}\n{}", contents.trim_end());
        }
    }
    text
}

/// A summary in words.
fn told(summary: &CodeSummary) -> String {
    let mut text = format!("{} of {} solved", summary.solved, report::count(summary.tasks as u64, "task"));
    for at in &summary.pass_at {
        let estimate = Estimate { value: at.value, low: at.low, high: at.high };
        let _ = write!(text, ", pass@{} {}", at.k, report::share(Some(estimate)));
    }
    if summary.failed > 0 {
        let _ = write!(text, ", {} failed", report::count(summary.failed as u64, "attempt"));
    }
    text
}

/// `andor results` of a run over programming tasks; `None` if it is none.
pub(crate) fn results(args: &ResultsArgs) -> anyhow::Result<Option<Exit>> {
    let Some((record, mut results)) = code::results(&args.run)? else { return Ok(None) };
    for (option, is_given) in [("--format", args.format.is_some()), ("--only", args.only.is_some())] {
        if is_given {
            return Err(usage("results", format!("{option} applies to runs over theorems only")));
        }
    }
    let mut ids = record.theorems;
    if let Some(id) = &args.theorem {
        if !ids.contains(id) {
            bail!("--theorem: the run has no task `{id}`; it has: {}", some_ids(&ids));
        }
        ids.retain(|other| other == id);
        results.retain(|result| result.task == *id);
    }
    let summary = code::summarise(&ids, record.pass_k, &results);
    let text = if args.json {
        let line = |kind: &str, mut value: Value| {
            value["kind"] = Value::from(kind);
            format!("{value}\n")
        };
        let lines = results.iter().map(|result| Ok(line("attempt", serde_json::to_value(result)?)));
        let lines: String = lines.collect::<anyhow::Result<_>>()?;
        lines + &line("summary", serde_json::to_value(&summary)?)
    } else if args.theorem.is_some() {
        let attempts = results.iter().map(|result| {
            let (seed, ending) = (result.seed, shown::message(&ending(result)));
            format!("attempt {} (seed {seed}): {ending}\n", result.attempt)
        });
        attempts.collect::<String>() + &solutions(&results, false)
    } else {
        table(&ids, &results) + &told(&summary) + "\n"
    };
    report::print(&text)?;
    Ok(Some(Exit::Success))
}

fn table(ids: &[String], results: &[CodeResult]) -> String {
    let headings = ["task", "solved by", "attempts", "best score", "nodes", "tokens"];
    let mut rows = vec![headings.map(str::to_owned)];
    for id in ids {
        let own: Vec<&CodeResult> = results.iter().filter(|result| result.task == *id).collect();
        let solved = own.iter().find(|result| result.outcome == CodeOutcome::Solved);
        let best = own.iter().map(|result| result.score).max_by(f64::total_cmp);
        let tokens = own.iter().map(|result| result.model.prompt_tokens + result.model.completion_tokens);
        rows.push([
            id.clone(),
            solved.map_or("–".to_owned(), |result| format!("attempt {}", result.attempt)),
            own.len().to_string(),
            best.map_or(String::new(), |best| format!("{best:.2}")),
            own.iter().map(|result| result.nodes).sum::<u64>().to_string(),
            tokens.fold(0, u64::saturating_add).to_string(),
        ]);
    }
    report::aligned(&rows, Align::Left).join("\n") + "\n"
}
