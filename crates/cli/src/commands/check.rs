//! `andor check`

use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_artifact::input::is_standard_input;
use andor_config::{Config, SecondJudgeConfig, Universes};
use andor_core::axioms;
use andor_core::theorem::System;
use andor_core::verdict::Reason;
use andor_dataset::project::{self, Applied};
use andor_dataset::{self as dataset, Choice, Problem};
use andor_engine::judge::comparator::{self, Task};
use andor_engine::judge::{self, JudgeError, Judgement, Level, Verdict};
use andor_engine::registry;
use andor_env::outline::Place;
use andor_env::source::{self, Source};
use andor_terminal::exit::{Exit, fail, with_causes};
use andor_terminal::interrupt::Signals;
use andor_terminal::located::Located;
use andor_terminal::progress::Progress;
use andor_terminal::{hint, report, shown};
use anyhow::{anyhow, bail};

use crate::args::{self, CheckArgs};
use crate::settings;

pub(crate) async fn run(args: &CheckArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let task = match args.comparator.as_deref().map(comparator::read).transpose() {
        Ok(task) => task,
        Err(error) => return unusable(args, &error.into()),
    };
    let files = match &task {
        Some(task) => std::slice::from_ref(&task.solution),
        None => &args.files,
    };
    if args.export_ndjson.is_some() && files.len() > 1 {
        return Err(args::usage("check", "--export-ndjson: theorems of one file can be exported at a time"));
    }
    let mut exit = Exit::Success;
    for file in files {
        let judged = match judge(file, args, task.as_ref(), &progress).await {
            Err(error) if files.len() > 1 || args.json => unusable(args, &error)?,
            judged => judged?,
        };
        if judged == Exit::Interrupted {
            return Ok(judged);
        }
        // The worst has the highest code.
        exit = if judged == Exit::Unusable || exit == Exit::Success { judged } else { exit };
    }
    Ok(exit)
}

/// Says why a file could not be judged: in the JSON that a program reads, or else as an error.
fn unusable(args: &CheckArgs, error: &anyhow::Error) -> anyhow::Result<Exit> {
    match args.json {
        true => {
            let record = judge::unusable(&args.theorem, args.statement_from.as_deref(), &with_causes(error));
            report::print(&(serde_json::to_string(&record)? + "\n"))?;
            Ok(Exit::Unusable)
        }
        false => {
            fail(error);
            Ok(Exit::Unusable)
        }
    }
}

async fn judge(
    file: &Path,
    args: &CheckArgs,
    task: Option<&Task>,
    progress: &Mutex<Progress>,
) -> anyhow::Result<Exit> {
    let mut config = settings::check(args)?;
    if (args.statement_from.is_some() || task.is_some()) && !args.given.has("--universes") {
        config.verify.universes = Universes::AsStated;
    }
    let mut system = args.system;
    let mut theorems = task.map_or(&args.theorem, |task| &task.theorems).clone();
    let statement_from = task.map(|task| task.challenge.as_path()).or(args.statement_from.as_deref());
    if let Some(task) = task {
        if !config.allowed_axioms.is_empty() {
            return Err(args::usage("check", "--allow-axioms: the file of --comparator names the axioms"));
        }
        config.allowed_axioms.clone_from(&task.permitted_axioms);
        config.allowed_axioms.push(axioms::NONE.to_owned());
        config.validate().map_err(|error| args::usage("check", error))?;
        // Among the systems of an extension, comparator judges for the one that has kernels of its own.
        let readers = of_extension(file).into_iter();
        system = system.or(readers.max_by_key(|reader| reader.kernels().len()).map(|reader| reader.system()));
    }
    let row = match statement_from.filter(|path| !is_source(path)) {
        Some(path) => Some(row_of(path, system, &theorems)?.theorem),
        None => None,
    };
    system = row.as_ref().map(|theorem| theorem.system).or(system);
    let stating = statement_from.unwrap_or(file);
    let (applied, Applied { prelude, notes }) = project::apply_to_judge(&mut config, stating, system)?;
    for note in notes {
        progress.lock().expect("progress does not panic").say(&format!("note: {note}"));
    }
    if let Some(task) = task {
        demand_kernels(task, system, &mut config).await?;
    }
    let row = row.map(|theorem| {
        let text = registry::environment(theorem.system, &config).challenge(&theorem);
        theorems = vec![theorem.name];
        (theorem.system, text)
    });
    let row = row.as_ref().map(|(system, text)| (*system, text.as_str()));
    let request = judge::Request {
        file,
        system: applied,
        theorems: &theorems,
        statement_from: statement_from.map(|path| judge::Stated { path, row }),
        prelude: &prelude,
    };
    let Some(judged) = within_interrupt(request, &config).await? else { return Ok(Exit::Interrupted) };
    if args.json {
        report::print(&(serde_json::to_string(&judged.record(&config, statement_from))? + "\n"))?;
    } else {
        let located = place(&judged).and_then(|at| Located::of(file, at));
        let name = located.as_ref().map_or_else(|| file.display().to_string(), Located::head);
        let caret = located.as_ref().map(Located::caret).unwrap_or_default();
        report::print(&format!("{}: {}{caret}", shown::line(&name), text(&judged, statement_from)))?;
        // A file that does not compile is rejected for the same reason whichever theorem is asked about.
        if let Verdict::Rejected { reason, .. } = judged.verdict
            && reason != Reason::Refused
            && judged.theorems.len() > 1
        {
            for theorem in judged.theorems.chunks(1) {
                let request = judge::Request { theorems: theorem, ..request };
                let Some(one) = within_interrupt(request, &config).await? else {
                    return Ok(Exit::Interrupted);
                };
                report::print(&format!("  {}: {}", shown::line(&theorem[0]), brief(&one)))?;
            }
        }
    }
    if let (Some(out), Verdict::Accepted { .. }) = (&args.export_ndjson, &judged.verdict) {
        let export = tokio::select! {
            export = judged.export(&config) => export.map_err(|error| anyhow!("--export-ndjson: {error}"))?,
            () = interrupted() => return Ok(Exit::Interrupted),
        };
        fs_err::write(out, export)?;
    }
    Ok(match &judged.verdict {
        Verdict::Accepted { .. } => Exit::Success,
        Verdict::Rejected { .. } => Exit::NotProved,
        Verdict::Infrastructure { .. } => Exit::Unusable,
    })
}

/// Has the kernels that a configuration of comparator names judge, too. They must be there.
async fn demand_kernels(task: &Task, system: Option<System>, config: &mut Config) -> anyhow::Result<()> {
    if task.kernels.is_empty() {
        return Ok(());
    }
    config.verify.second_judge = SecondJudgeConfig::Required;
    let found = match system {
        Some(system) => registry::environment(system, config).checker().second_judge().await,
        None => None,
    };
    let found = found.unwrap_or_else(|| Ok(Vec::new()));
    let has = |name: &str| found.as_ref().is_ok_and(|found| found.iter().any(|found| found == name));
    match task.kernels.iter().find(|(name, _)| !has(name)) {
        None => Ok(()),
        Some((name, program)) => {
            let why = found.as_ref().err().map(|why| format!(": {why}")).unwrap_or_default();
            bail!("--comparator: the kernel {name} (`{program}`) that it asks for is not here{why}")
        }
    }
}

/// Judges, unless the user interrupts. Dropping the judgement kills its processes and removes its folders.
async fn within_interrupt(
    request: judge::Request<'_>,
    config: &Config,
) -> Result<Option<Judgement>, JudgeError> {
    tokio::select! {
        judged = judge::file(request, config) => judged.map(Some),
        () = interrupted() => Ok(None),
    }
}

/// Whether a file is source text of a prover, or what is piped in is.
fn is_source(path: &Path) -> bool {
    is_standard_input(path) || !of_extension(path).is_empty()
}

/// The readers of files with the extension of a file.
fn of_extension(path: &Path) -> Vec<&'static dyn Source> {
    path.extension().and_then(OsStr::to_str).map(source::of_extension).unwrap_or_default()
}

/// The row of a data set that states the theorem.
fn row_of(path: &Path, system: Option<System>, theorems: &[String]) -> anyhow::Result<Problem> {
    let problems = dataset::read(path, system, None)?.problems;
    let theorem = theorems.first().cloned();
    if theorems.len() > 1 {
        bail!("--theorem: only one row of {} can state the theorem", path.display());
    }
    let n = problems.len();
    let mut chosen = Choice { theorem, ..Choice::default() }.of(problems)?.into_iter();
    match (chosen.next(), chosen.next()) {
        (Some(problem), None) => Ok(problem),
        _ => bail!("{} states {n} theorems; say with --theorem NAME which one is meant", path.display()),
    }
}

/// Completes at Ctrl-C or SIGTERM.
pub(super) async fn interrupted() {
    match Signals::new() {
        Ok(mut signals) => signals.next().await,
        Err(_) => std::future::pending().await,
    }
}

/// The place in the file that a rejection is about.
fn place(judged: &Judgement) -> Option<Place> {
    match judged.verdict {
        Verdict::Rejected { at, .. } => at,
        _ => None,
    }
}

/// The judgement as text: the verdict, and the file that states the theorems.
fn text(judged: &Judgement, statement_from: Option<&Path>) -> String {
    match &judged.verdict {
        Verdict::Accepted { level, axioms, trust, shortfall } => {
            let names = match &judged.theorems[..] {
                [name] => format!(" {}", shown::line(name)),
                names => names.iter().map(|name| format!("\n  {}", shown::line(name))).collect(),
            };
            let verified = report::verified(*level, axioms, trust);
            let statement = match statement_from {
                Some(_) if *level < Level::Audited => "not compared".to_owned(),
                Some(path) => format!("as in {}", shown::line(&path.display().to_string())),
                None => "taken from this file, header included; take it from a trusted file with --statement-from FILE"
                    .to_owned(),
            };
            let further = shortfall
                .as_ref()
                .map(|why| format!("  no further: {}\n", shown::message(why)))
                .unwrap_or_default();
            let lines = format!("  statement: {statement}\n{}{further}", note(judged));
            match judged.theorems.len() {
                1 => format!("accepted:{names} ({verified})\n{lines}"),
                n => format!("accepted: {n} theorems ({verified}){names}\n{lines}"),
            }
        }
        Verdict::Rejected { level, message, permission, .. } => {
            let permission = hint::permission(permission.as_ref());
            // Advice of other kinds stands on lines of its own.
            let (first, more) = message.split_once('\n').unwrap_or((message, ""));
            let message = shown::message(format!("{first}{permission}\n{more}").trim_end());
            format!("rejected at {level}: {message}\n{}", note(judged))
        }
        Verdict::Infrastructure { level, error } => {
            let (why, hint) = (shown::message(&error.to_string()), hint::unfinished(*level, error));
            format!("could not be judged at {level}: {why}\n{hint}")
        }
    }
}

/// The verdict on one theorem of several.
fn brief(judged: &Judgement) -> String {
    match &judged.verdict {
        Verdict::Accepted { level, axioms, trust, .. } => {
            format!("accepted ({})\n", report::verified(*level, axioms, trust))
        }
        _ => text(judged, None),
    }
}

/// What of the file was judged, as a line of its own.
fn note(judged: &Judgement) -> String {
    judged.note.as_ref().map_or(String::new(), |note| format!("  note: {}\n", shown::line(note)))
}
