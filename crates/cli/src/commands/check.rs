//! `andor check`

use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_config::Config;
use andor_core::theorem::System;
use andor_dataset::project;
use andor_engine::judge::{self, Judgement, Level, Permission, Verdict};
use andor_engine::verification::why;
use anyhow::bail;
use serde_json::{Value, json};

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::{hint, report, settings, shown};

pub(crate) async fn run(args: &CheckArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    match judge(args, progress).await {
        // A program that reads the JSON finds the error there.
        Err(error) if args.json => {
            report::print(&format!("{}\n", unusable(args, &error)))?;
            Ok(Exit::Unusable)
        }
        judged => judged,
    }
}

async fn judge(args: &CheckArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let mut config = settings::check(args)?;
    let statement_from = args.statement_from.as_deref();
    if statement_from.is_some() && config.verify.wanted() < Level::Audited {
        bail!(
            "--statement-from: statements are compared only at level 2 (audited) and above; raise --verify"
        );
    }
    // The project of the trusted file: the file under judgement must not choose the bindings.
    let stating = statement_from.unwrap_or(&args.file);
    let mut prelude = String::new();
    if stating.extension().is_some_and(|e| e == "v") {
        let say = |text: &str| progress.lock().expect("progress does not panic").say(text);
        prelude = settings::apply_project(&mut config, stating, say)?;
    }
    let is_of_lean4 = stating.extension().is_some_and(|e| e == "lean") && project::lake(stating).is_some();
    let request = judge::Request {
        file: &args.file,
        system: args.system.or(is_of_lean4.then_some(System::Lean4)),
        theorems: &args.theorem,
        statement_from,
        prelude: &prelude,
    };
    // Dropping the judgement kills its processes and removes its folders.
    let judged = tokio::select! {
        judged = judge::file(request, &config) => judged?,
        () = interrupted() => return Ok(Exit::Interrupted),
    };
    if args.json {
        report::print(&format!("{}\n", record(&judged, &config, statement_from)))?;
    } else {
        let file = shown::line(&args.file.display().to_string());
        report::print(&format!("{file}: {}", text(&judged, statement_from)))?;
    }
    Ok(match &judged.verdict {
        Verdict::Accepted { level, .. } if *level < judged.least => Exit::Unusable,
        Verdict::Accepted { .. } => Exit::Success,
        Verdict::Rejected { .. } => Exit::NotProved,
        Verdict::Infrastructure { .. } => Exit::Unusable,
    })
}

/// Completes at Ctrl-C or SIGTERM.
async fn interrupted() {
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
            let verified = report::verified(*level, axioms, &report::features(trust), &trust.bugs);
            let statement = match statement_from {
                Some(_) if *level < Level::Audited => "not compared".to_owned(),
                Some(path) => format!("as in {}", shown::line(&path.display().to_string())),
                None => "taken from this file, header included; take it from a trusted file with --statement-from FILE"
                    .to_owned(),
            };
            if *level < judged.least {
                let (least, why) = (judged.least, shown::message(why(shortfall.as_deref())));
                let so_far = format!("accepted up to a lower level: {names} ({verified})");
                return format!(
                    "could not be judged at {least}: {why}\n  {so_far}\n  statement: {statement}\n"
                );
            }
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
            format!("could not be judged at {level}: {}\n", shown::message(&error.to_string()))
        }
    }
}

/// The fields common to both kinds of records; see `docs/formats/check.md`.
fn base_record(verdict: &str, theorems: &[String], statement_from: Option<&Path>) -> Value {
    json!({
        "verdict": verdict,
        "level": null,
        "demanded": null,
        "shortfall": null,
        "system": null,
        "theorems": theorems,
        "statement_from": statement_from.map(Path::to_string_lossy),
        "axioms": [],
        "features": [],
        "known_bugs": [],
        "reason": null,
        "allow_axioms": null,
        "trust": null,
        "message": null,
    })
}

/// The JSON record of a judgement that could not be made.
fn unusable(args: &CheckArgs, error: &anyhow::Error) -> Value {
    let mut record = base_record("unusable", &args.theorem, args.statement_from.as_deref());
    record["message"] = json!(format!("{error:#}"));
    record
}

/// The JSON record of a judgement.
fn record(judged: &Judgement, config: &Config, statement_from: Option<&Path>) -> Value {
    let mut record = base_record("accepted", &judged.theorems, statement_from);
    record["demanded"] = json!(config.verify.demanded.then(|| config.verify.wanted().number()));
    record["system"] = json!(judged.system.name());
    match &judged.verdict {
        Verdict::Accepted { level, axioms, trust, shortfall } => {
            record["level"] = json!(level.number());
            record["axioms"] = json!(axioms);
            record["features"] = json!(report::features(trust));
            record["known_bugs"] = json!(trust.bugs);
            record["shortfall"] = json!(shortfall);
            if *level < judged.least {
                record["verdict"] = json!("infrastructure");
                record["level"] = json!(judged.least.number());
                record["message"] = json!(format!("accepted only at {level}: {}", why(shortfall.as_deref())));
            }
        }
        Verdict::Rejected { level, reason, message, permission } => {
            record["verdict"] = json!("rejected");
            record["level"] = json!(level.number());
            record["reason"] = json!(reason.name());
            match permission {
                Some(Permission::Axioms(name)) => record["allow_axioms"] = json!(name),
                Some(Permission::Bug(name)) => record["trust"] = json!(name),
                None => {}
            }
            record["message"] = json!(message);
        }
        Verdict::Infrastructure { level, error } => {
            record["verdict"] = json!("infrastructure");
            record["level"] = json!(level.number());
            record["message"] = json!(error.to_string());
        }
    }
    record
}
