//! `andor prove`

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use andor_artifact::basin::BasinRecord;
use andor_artifact::result::AttemptResult;
use andor_config::Config;
use andor_dataset::{DatasetError, Problem, RefusedRow};
use andor_engine::event::Sink;
use andor_engine::registry::OwnParts;
use andor_report::summary::{Failures, summarise};
use andor_run::blueprint::is_blueprint;
use andor_run::orchestrate::{self, RunRequest};
use andor_run::proof_cache::ProofCache;
use andor_terminal::exit::{Exit, fail};
use andor_terminal::interrupt::cancel_on_interrupt;
use andor_terminal::progress::{Progress, say, say_lines};
use andor_terminal::report;
use anyhow::bail;
use tokio::sync::mpsc::unbounded_channel;
use tokio_util::sync::CancellationToken;

use super::cache;
use super::in_place::{OwnWrites, Written};
use super::input::{self, Chosen};
use super::telling::{Teller, Telling};
use super::watch;
use crate::args::{InputArgs, OutputArgs, ProveArgs, ProveCommandArgs, SourceFile};
use crate::{basin, settings, summary};

pub(crate) async fn run(args: &ProveCommandArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    match args.in_place.watch {
        true => watch::run(args, progress).await,
        false => once(args, progress, &OwnWrites::default()).await,
    }
}

/// Proves the theorems of all files, those of each project with its own options, and tells what it wrote.
pub(super) async fn once(
    args: &ProveCommandArgs,
    progress: Arc<Mutex<Progress>>,
    own: &OwnWrites,
) -> anyhow::Result<Exit> {
    let projects = projects("prove", &args.prove)?;
    if projects.len() < 2 {
        return in_project(args, progress, own).await;
    }
    if args.prove.output.out.is_some() {
        bail!(
            "--out: the files belong to {} projects, and a run to one; name the files of one",
            projects.len()
        );
    }
    let mut worst = Exit::Success;
    for files in projects {
        let mut args = args.clone();
        args.prove.input.source.files = files;
        let exit = match in_project(&args, Arc::clone(&progress), own).await {
            Err(error) => {
                fail(&error);
                Exit::Unusable
            }
            Ok(Exit::Interrupted) => return Ok(Exit::Interrupted),
            Ok(exit) => exit,
        };
        // As with one project: what could not be tried counts beside what was not proved.
        worst = match (worst, exit) {
            (Exit::Success, exit) | (exit, Exit::Success) => exit,
            (one, other) if one == other => one,
            _ => Exit::NotProved,
        };
    }
    Ok(worst)
}

/// The files of a command by project, unless the options of one are given for all.
pub(super) fn projects(command: &str, args: &ProveArgs) -> anyhow::Result<Vec<Vec<SourceFile>>> {
    let config = settings::prove(command, args)?;
    let is_given = config.project.is_some() || !config.load_path.is_empty();
    Ok(if is_given { vec![args.input.source.files.clone()] } else { input::by_project(&args.input.source) })
}

async fn in_project(
    args: &ProveCommandArgs,
    progress: Arc<Mutex<Progress>>,
    own: &OwnWrites,
) -> anyhow::Result<Exit> {
    let ProveCommandArgs { prove: args, in_place } = args;
    if let Some(file) = args.input.source.path().filter(|path| is_blueprint(path)) {
        bail!("`{}` is a blueprint; `andor run` proves its nodes", file.display());
    }
    let Selected { mut request, refused, prelude } = match request("prove", args, &progress).await {
        Err(error) if matches!(error.downcast_ref(), Some(DatasetError::Finished)) => {
            say(&progress, &error.to_string());
            return Ok(Exit::Success);
        }
        selected => selected?,
    };
    let written = Written::begin(&request, &prelude, in_place, args.output.json, own)?;
    // A recorded search does not depend on earlier ones.
    let cache = (!in_place.no_cache && args.output.out.is_none()).then(cache::proofs).flatten();
    if let Some(cache) = &cache {
        request.cached = cache.find(&request.problems);
    }
    tell(&request, &refused, &args.output, InPlace { written, cache }, progress).await
}

/// What becomes of proofs beside being printed.
#[derive(Default)]
pub(super) struct InPlace {
    /// The files they are put into.
    written: Option<Written>,
    /// Where they are kept.
    cache: Option<ProofCache>,
}

/// Executes a run and prints its proofs.
pub(super) async fn tell(
    request: &RunRequest,
    refused: &[RefusedRow],
    output: &OutputArgs,
    InPlace { mut written, cache }: InPlace,
    progress: Arc<Mutex<Progress>>,
) -> anyhow::Result<Exit> {
    {
        let mut shown = progress.lock().expect("progress does not panic");
        shown.tell_each();
        shown.is_about(&request.problems);
    }
    let (accepted, coming) = unbounded_channel();
    let telling = match &written {
        Some(_) => Telling::Pass { to: Some(accepted), for_programs: output.json },
        None if output.json => Telling::Records,
        None => Telling::Proofs,
    };
    let teller = Arc::new(Mutex::new(Teller::new(Arc::clone(&progress), &request.problems, telling, cache)));
    let run = async {
        let outcome = execute_telling(request, None, &progress, Arc::clone(&teller)).await;
        let results = outcome.as_ref().map_or(&[][..], |outcome| &outcome.results);
        teller.lock().expect("it does not panic").finish(results)?;
        outcome
    };
    let RunOutcome { results, basin, ended } = match &mut written {
        Some(written) => {
            let (outcome, ()) = tokio::join!(run, written.put_all(coming, request, &progress));
            written.print_diff()?;
            outcome?
        }
        None => run.await?,
    };
    if output.json {
        basin.as_ref().map_or(Ok(()), basin::records)?;
    }
    if let Some(basin) = &basin {
        say_lines(&progress, &basin::table(basin));
    } else if request.problems.len() > 1 {
        let summary = summarise(&request.config, request.pass_k, &request.problems, &results);
        say_lines(&progress, &summary::brief(&summary));
    }
    hint_axioms(&results, &progress);
    let failures = Failures::among(&results);
    if let Some(text) = report::too_many_failures(&failures, output.infra_threshold) {
        say_lines(&progress, &text);
    }
    list_refused(refused, &progress);
    let is_interrupted = ended == Ended::Interrupted;
    let mut exit = report::exit(&results, &request.problems, output.infra_threshold, is_interrupted);
    if exit == Exit::Success && written.is_some_and(|written| written.lacks_some) {
        exit = Exit::NotProved;
    }
    Ok(with_refused(exit, refused))
}

/// Lists the refused rows, since the results do not cover them.
pub(super) fn list_refused(refused: &[RefusedRow], progress: &Mutex<Progress>) {
    if !refused.is_empty() {
        let were = if refused.len() == 1 { "row was" } else { "rows were" };
        say(progress, &format!("{} {were} refused:", refused.len()));
    }
    for row in refused {
        say(progress, &format!("  {row}"));
    }
}

/// A run with refused rows did not prove every theorem.
pub(super) fn with_refused(exit: Exit, refused: &[RefusedRow]) -> Exit {
    match exit {
        Exit::Success if !refused.is_empty() => Exit::NotProved,
        other => other,
    }
}

/// A run request, and what it leaves out.
pub(super) struct Selected {
    pub(super) request: RunRequest,
    /// Rows that state no usable theorem.
    pub(super) refused: Vec<RefusedRow>,
    /// The text that was put before each header: the options of a project.
    pub(super) prelude: String,
}

/// The run request from the options common to `andor prove` and `andor run`.
pub(super) async fn request(
    command: &str,
    args: &ProveArgs,
    progress: &Mutex<Progress>,
) -> anyhow::Result<Selected> {
    let config = settings::prove(command, args)?;
    for sentence in config.without_effect() {
        say(progress, sentence);
    }
    let mut selected = selected(config, &args.input, &args.output, progress).await?;
    selected.request.jobs = args.jobs.get();
    selected.request.record_latencies.clone_from(&args.record_latencies);
    Ok(selected)
}

/// The request for a run of a configuration over the theorems of the input.
pub(super) async fn selected(
    mut config: Config,
    input: &InputArgs,
    output: &OutputArgs,
    progress: &Mutex<Progress>,
) -> anyhow::Result<Selected> {
    let mut prelude = String::new();
    let mut chosen = input::problems(input, config.project.as_deref(), |text| say(progress, text))?;
    if let Some((source, system)) = input::of_a_project(&input.source, &chosen.problems) {
        prelude = settings::apply_project(&mut config, source, system, |text| say(progress, text))?;
        chosen.problems.iter_mut().for_each(|problem| problem.theorem.header.insert_str(0, &prelude));
    }
    input::refuse_lacking(&mut chosen, &config).await?;
    input::refuse_unknown_axioms(&chosen.problems, &config)?;
    let Chosen { problems, refused } = chosen;
    warn_of_unknown_tactics(&config, &problems, |text| say(progress, text));
    let request = RunRequest {
        out: output.out.clone(),
        resume: output.resume,
        force: output.force,
        own: OwnParts::default(),
        ..RunRequest::new(problems, config)
    };
    Ok(Selected { request, refused, prelude })
}

/// The outcome of a run.
pub(super) struct RunOutcome {
    /// Ordered by theorem, then by number of the attempt.
    pub(super) results: Vec<AttemptResult>,
    /// The summary of a basin run.
    pub(super) basin: Option<BasinRecord>,
    /// Why the run ended.
    pub(super) ended: Ended,
}

/// Why a run ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// All attempts were made.
    Done,
    /// The time limit of the run was reached.
    TimeUp,
    /// The user interrupted.
    Interrupted,
}

/// Executes a run, and ends it early when its time is up or the user interrupts.
pub(super) async fn execute(
    request: &RunRequest,
    total_time: Option<Duration>,
    progress: &Arc<Mutex<Progress>>,
) -> anyhow::Result<RunOutcome> {
    execute_telling(request, total_time, progress, Arc::clone(progress)).await
}

/// The same, with the events told to somebody else.
pub(super) async fn execute_telling<S: Sink + 'static>(
    request: &RunRequest,
    total_time: Option<Duration>,
    progress: &Arc<Mutex<Progress>>,
    sink: Arc<Mutex<S>>,
) -> anyhow::Result<RunOutcome> {
    let run = async |stop, _| orchestrate::run(request, &stop, sink).await;
    let (results, ended) = limited(total_time, progress, run).await?;
    let basin = request.config.basin.seeds.map(|_| basin_record(request, &results));
    Ok(RunOutcome { results, basin, ended })
}

/// Makes a run, and ends it early when its time is up or the user interrupts.
pub(super) async fn limited<T, E>(
    total_time: Option<Duration>,
    progress: &Arc<Mutex<Progress>>,
    run: impl AsyncFnOnce(CancellationToken, Arc<Mutex<Progress>>) -> Result<T, E>,
) -> anyhow::Result<(T, Ended)>
where
    anyhow::Error: From<E>,
{
    let interrupt = CancellationToken::new();
    let _listening = cancel_on_interrupt(&interrupt, Arc::clone(progress));
    let stop = interrupt.child_token();
    let mut run = pin!(run(stop.clone(), Arc::clone(progress)));
    let time_up = async {
        match total_time {
            Some(time) => tokio::time::sleep(time).await,
            None => std::future::pending().await,
        }
    };
    let (made, ended) = tokio::select! {
        made = &mut run => (made, Ended::Done),
        () = time_up => {
            say(progress, "--total-time: the time limit of the run is reached");
            stop.cancel();
            (run.await, Ended::TimeUp)
        }
    };
    progress.lock().expect("progress does not panic").close();
    Ok((made?, if interrupt.is_cancelled() { Ended::Interrupted } else { ended }))
}

/// Prints the results as JSON lines, followed by the summary of a basin run.
pub(super) fn records(results: &[AttemptResult], basin: Option<&BasinRecord>) -> anyhow::Result<()> {
    report::records(results)?;
    basin.map_or(Ok(()), basin::records)?;
    Ok(())
}

/// Warns of names that are neither families nor known tactics: a misspelled name would block nothing, silently.
fn warn_of_unknown_tactics(config: &Config, problems: &[Problem], say: impl Fn(&str)) {
    let systems: BTreeSet<_> = problems.iter().map(|p| p.theorem.system).collect();
    for system in systems {
        for name in config.tactics.unknown(system) {
            say(&format!(
                "warning: `{name}` is not a family or known tactic of {system}; tactics that contain this word are blocked"
            ));
        }
    }
}

fn basin_record(request: &RunRequest, results: &[AttemptResult]) -> BasinRecord {
    let theorems: Vec<&str> = request.problems.iter().map(|p| p.theorem.id.as_str()).collect();
    andor_run::basin::summarise(&request.config, &theorems, results)
}

/// Prints which axioms to allow when proofs were rejected only for their axioms.
pub(super) fn hint_axioms(results: &[AttemptResult], progress: &Mutex<Progress>) {
    let rejected = results.iter().filter(|r| r.proof.is_none()).flat_map(|r| &r.rejected_claims);
    let mut options: Vec<&str> = rejected.filter_map(|claim| claim.allow_axioms.as_deref()).collect();
    options.sort_unstable();
    options.dedup();
    if !options.is_empty() {
        let hint = "hint: proofs were found that depend on axioms; --allow-axioms";
        say(progress, &format!("{hint} {} allows them", options.join(",")));
    }
}
