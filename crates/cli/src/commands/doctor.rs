//! `andor doctor`

use std::path::Path;
use std::sync::Arc;

use andor_artifact::doctor::{DoctorModelRecord, DoctorRecord};
use andor_core::theorem::System;
use andor_dataset::project;
use andor_engine::{models, registry, trial};
use andor_env::checker::Level;
use andor_model::Capabilities;
use andor_process::sandbox::CountedSandbox;
use andor_terminal::exit::Exit;
use andor_terminal::{report, shown};

use crate::args::DoctorArgs;
use crate::settings;

pub(crate) async fn run(args: &DoctorArgs) -> anyhow::Result<Exit> {
    if !args.model.is_empty() {
        return models(args).await;
    }
    let config = settings::doctor(args)?;
    let mut records = Vec::new();
    let mut lines = vec![format!("andor {}", env!("CARGO_PKG_VERSION"))];
    let mut all_found = true;
    for system in System::all().into_iter().filter(|system| args.system.is_none_or(|only| only == *system)) {
        // The project of the current folder counts, as for its files.
        let mut config = config.clone();
        let notes = match project::apply(&mut config, Path::new("."), system) {
            Ok(applied) => applied.notes,
            Err(error) => vec![error.to_string()],
        };
        for note in notes {
            lines.push(format!("  note  {system}: {}", shown::message(&note)));
            records.push(DoctorRecord { found: Some(note), ..looked_for(system, "project") });
        }
        let environment = registry::environment(system, &config);
        let is_expected = args.system.is_some() || !environment.is_optional();
        let mut findings = environment.probe().await;
        let is_there = findings.iter().all(|finding| !finding.needed || finding.found.is_ok());
        if args.system.is_some() && is_there {
            findings.extend(environment.try_out().await);
        }
        for finding in findings {
            let what = &finding.what;
            match &finding.found {
                Ok(found) => lines.push(format!("  ok    {system}: {what}: {found}")),
                Err(missing) if !(finding.needed && is_expected) => {
                    lines.push(format!("  low   {system}: {what}: {missing}"))
                }
                Err(missing) => {
                    all_found = false;
                    lines.push(format!("  MISS  {system}: {what}: {missing}"));
                    lines.extend(finding.remedy.iter().map(|r| format!("        {r}")));
                }
            }
            let (found, missing) = split(finding.found);
            records.push(DoctorRecord {
                found,
                missing,
                remedy: finding.remedy,
                needed: finding.needed,
                ..looked_for(system, &finding.what)
            });
        }
        let reach = environment.checker().reach().await;
        // What is not there cannot be tried.
        let tried = match is_there && reach.highest > Level::Claimed {
            true => trial::run(Arc::clone(&environment), &config, reach.highest).await,
            false => Ok(()),
        };
        let why = reach.shortfall.as_ref().map(|why| format!("; no higher: {why}")).unwrap_or_default();
        lines.push(match &tried {
            Ok(()) => {
                let sign = if reach.highest < environment.checker().ceiling() { "low " } else { "ok  " };
                format!("  {sign}  {system}: proofs are verified up to {}{why}", reach.highest)
            }
            Err(failed) => {
                all_found = false;
                format!(
                    "  FAIL  {system}: proofs should be verified up to {}, but: {}",
                    reach.highest,
                    shown::message(failed)
                )
            }
        });
        if let Some(second) = environment.checker().second_judge().await {
            lines.push(match &second {
                Ok(kernels) => format!("  ok    {system}: second judge: {}", kernels.join(", ")),
                Err(why) => format!("  low   {system}: no second judge: {}", shown::message(why)),
            });
            let (found, missing) = split(second.map(|kernels| kernels.join(", ")));
            records.push(DoctorRecord { found, missing, ..looked_for(system, "second judge") });
        }
        records.push(DoctorRecord {
            level: Some(if tried.is_ok() { reach.highest.number() } else { 0 }),
            shortfall: tried.err().or(reach.shortfall),
            ..looked_for(system, "verification")
        });
    }
    if args.system.is_none() {
        let found = CountedSandbox::probe().await;
        lines.push(match &found {
            Ok(sandbox) => {
                format!("  ok    code: sandbox for programming tasks: {}, tested", sandbox.version())
            }
            Err(missing) => format!("  low   code: no sandbox for programming tasks: {missing}"),
        });
        let available = found.is_ok();
        let (found, missing) = split(found.map(|sandbox| sandbox.version().to_string()));
        records.push(DoctorRecord {
            system: "code".to_owned(),
            available,
            what: "sandbox for programming tasks".to_owned(),
            found,
            missing,
            ..DoctorRecord::default()
        });
    }
    if args.json {
        report::print(&format!("{}\n", serde_json::to_string(&records)?))?;
    } else {
        report::print(&format!("{}\n", lines.join("\n")))?;
    }
    Ok(if all_found { Exit::Success } else { Exit::Unusable })
}

/// The record of something of this system, not found yet.
fn looked_for(system: System, what: &str) -> DoctorRecord {
    DoctorRecord {
        system: system.name().to_owned(),
        available: true,
        what: what.to_owned(),
        ..DoctorRecord::default()
    }
}

/// What was found, or else what is missing.
fn split<E: ToString>(found: Result<String, E>) -> (Option<String>, Option<String>) {
    match found {
        Ok(found) => (Some(found), None),
        Err(missing) => (None, Some(missing.to_string())),
    }
}

/// What the servers of language models can do.
async fn models(args: &DoctorArgs) -> anyhow::Result<Exit> {
    let config = super::model::config("doctor", args.config.as_deref())?;
    let (mut text, mut records, mut exit) = (String::new(), Vec::new(), Exit::Success);
    for name in &args.model {
        let server = models::server(name, &config)?.without_waiting();
        let url = &server.config().base_url;
        let title = if name.contains("://") { name.clone() } else { format!("{name} at {url}") };
        let (model, url) = (name.clone(), url.clone());
        let mut record = DoctorModelRecord { model, url, capabilities: None, notes: Vec::new(), error: None };
        match server.probe().await {
            Ok(capabilities) => {
                text += &format!("{title}\n{}", table(&capabilities));
                record.notes = capabilities.notes().iter().map(ToString::to_string).collect();
                record.capabilities = Some(serde_json::to_value(capabilities)?);
            }
            Err(error) => {
                exit = Exit::Unusable;
                text += &format!("{title}\n  MISS  {}\n", shown::message(&error.to_string()));
                record.error = Some(error.to_string());
            }
        }
        records.push(record);
    }
    if args.json {
        text = format!("{}\n", serde_json::to_string(&records)?);
    }
    report::print(&text)?;
    Ok(exit)
}

fn table(capabilities: &Capabilities) -> String {
    let known = |known: Option<bool>| match known {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not known",
    };
    let rows = [
        ("server", capabilities.server.to_string()),
        ("models", capabilities.models.join(", ")),
        (
            "answers a request",
            match capabilities.choices.most() {
                u32::MAX => "any number".to_owned(),
                most => format!("at most {most}"),
            },
        ),
        (
            "log-probabilities",
            match capabilities.log_probs {
                Some(shape) => format!("yes ({})", serde_json::json!(shape).as_str().unwrap_or_default()),
                None => "no".to_owned(),
            },
        ),
        ("seeds", known(capabilities.seed).to_owned()),
        ("context", capabilities.context.map_or("not known".to_owned(), |tokens| format!("{tokens} tokens"))),
        ("grammar", known(capabilities.grammar).to_owned()),
        ("reasoning before answers", if capabilities.reasons { "yes" } else { "not seen" }.to_owned()),
        ("several prompts a request", known(Some(capabilities.prompt_lists)).to_owned()),
    ];
    let mut table: String =
        rows.iter().map(|(what, found)| format!("  {what:<26}{}\n", shown::line(found))).collect();
    for note in capabilities.notes() {
        table += &format!("  note: {note}\n");
    }
    table
}
