//! `andor check`

use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_core::theorem::System;
use andor_dataset::project::{self, Applied};
use andor_engine::judge::{self, Judgement, Level, Verdict, comparator};
use andor_env::axioms;

use crate::args::{self, CheckArgs};
use crate::exit::{Exit, with_causes};
use crate::progress::Progress;
use crate::{hint, report, settings, shown};

pub(crate) async fn run(args: &CheckArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    match judge(args, progress).await {
        // A program that reads the JSON finds the error there.
        Err(error) if args.json => {
            let message = with_causes(&error);
            let record = judge::unusable(&args.theorem, args.statement_from.as_deref(), &message);
            report::print(&format!("{record}\n"))?;
            Ok(Exit::Unusable)
        }
        judged => judged,
    }
}

async fn judge(args: &CheckArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let mut config = settings::check(args)?;
    let task = args.comparator.as_deref().map(comparator::read).transpose()?;
    let (file, theorems, statement_from) = match (&task, &args.file) {
        (Some(task), _) => (&task.solution, &task.theorems, Some(task.challenge.as_path())),
        (None, Some(file)) => (file, &args.theorem, args.statement_from.as_deref()),
        (None, None) => unreachable!("the parser requires one of them"),
    };
    let mut system = args.system;
    if let Some(task) = &task {
        if !config.allowed_axioms.is_empty() {
            return Err(args::usage("check", "--allow-axioms: the file of --comparator names the axioms"));
        }
        config.allowed_axioms.clone_from(&task.permitted_axioms);
        config.allowed_axioms.push(axioms::NONE.to_owned());
        config.validate().map_err(|error| args::usage("check", error))?;
        // Comparator is no judge for `mini`.
        let is_lean = file.extension().is_some_and(|extension| extension == "lean");
        system = system.or(is_lean.then_some(System::Lean4));
    }
    let stating = statement_from.unwrap_or(file);
    let (system, Applied { prelude, notes }) = project::apply_to_judge(&mut config, stating, system)?;
    for note in notes {
        progress.lock().expect("progress does not panic").say(&format!("note: {note}"));
    }
    let request = judge::Request { file, system, theorems, statement_from, prelude: &prelude };
    // Dropping the judgement kills its processes and removes its folders.
    let judged = tokio::select! {
        judged = judge::file(request, &config) => judged?,
        () = interrupted() => return Ok(Exit::Interrupted),
    };
    if args.json {
        report::print(&format!("{}\n", judged.record(&config, statement_from)))?;
    } else {
        let file = shown::line(&file.display().to_string());
        report::print(&format!("{file}: {}", text(&judged, statement_from)))?;
    }
    Ok(match &judged.verdict {
        Verdict::Accepted { .. } => Exit::Success,
        Verdict::Rejected { .. } => Exit::NotProved,
        Verdict::Infrastructure { .. } => Exit::Unusable,
    })
}

/// Completes at Ctrl-C or SIGTERM.
pub(super) async fn interrupted() {
    let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}

/// The judgement as text: the verdict, and the file that states the theorems.
fn text(judged: &Judgement, statement_from: Option<&Path>) -> String {
    match &judged.verdict {
        Verdict::Accepted { level, axioms, trust, shortfall } => {
            let names = shown::line(&judged.theorems.join(", "));
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
            format!("accepted: {names} ({verified})\n  statement: {statement}\n{further}")
        }
        Verdict::Rejected { level, message, permission, .. } => {
            let permission = hint::permission(permission.as_ref());
            format!("rejected at {level}: {}\n", shown::message(&format!("{message}{permission}")))
        }
        Verdict::Infrastructure { level, error } => {
            let (why, hint) = (shown::message(&error.to_string()), hint::unfinished(*level, error));
            format!("could not be judged at {level}: {why}\n{hint}")
        }
    }
}
