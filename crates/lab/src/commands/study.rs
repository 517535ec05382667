//! `andor-lab study`

use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_lab::study::comparison::Outcome;
use andor_lab::study::{self, Running, Study, StudyError};
use andor_terminal::exit::Exit;
use andor_terminal::folder::out_folder;
use andor_terminal::interrupt::cancel_on_interrupt;
use andor_terminal::progress::{Progress, say};
use andor_terminal::report::{self, Align, aligned};
use andor_terminal::shown;
use tokio_util::sync::CancellationToken;

use crate::args::StudyArgs;

pub(crate) async fn run(args: &StudyArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let declared = Study::read(&args.file)?;
    let out = out_folder(args.declared.out.as_deref(), &args.file)?;
    let cancel = CancellationToken::new();
    let _listening = cancel_on_interrupt(&cancel, Arc::clone(&progress));
    let sink: Arc<Mutex<Progress>> = Arc::clone(&progress);
    let with = Running { jobs: args.declared.jobs.get(), cancel, sink };
    let mut tell = |line: &str| say(&progress, &shown::line(line));
    let finished = study::run(&declared, &out, args.declared.resume, &with, &mut tell).await;
    progress.lock().expect("progress does not panic").close();
    let finished = match finished {
        Err(StudyError::Interrupted) => {
            say(&progress, &format!("to continue: --out {} --resume", out.display()));
            return Ok(Exit::Interrupted);
        }
        finished => finished?,
    };
    report::print(&written(&finished.outcomes, &out, args.json)?)?;
    for (arm, failures) in &finished.failures {
        tracing::warn!("arm `{arm}`: {failures}");
    }
    for missing in &finished.missing {
        tracing::warn!("left out: {missing}");
    }
    if finished.failures.iter().any(|(_, failures)| failures.are_too_many()) {
        say(&progress, "after fixing the cause, --resume repeats the attempts that failed");
        return Ok(Exit::Infrastructure);
    }
    Ok(Exit::Success)
}

fn written(outcomes: &[Outcome], out: &Path, json: bool) -> anyhow::Result<String> {
    if json {
        let lines: Result<Vec<String>, _> = outcomes.iter().map(serde_json::to_string).collect();
        return Ok(lines?.into_iter().map(|line| line + "\n").collect());
    }
    let mut rows = Vec::new();
    if !outcomes.is_empty() {
        let heading = ["arm", "against", "measure", "theorems", "value", "corrected p", "finding"];
        rows.push(heading.map(str::to_owned).to_vec());
    }
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.3}"));
    rows.extend(outcomes.iter().map(|o| {
        vec![
            shown::line(&o.arm),
            shown::line(&o.with),
            o.measure.to_owned(),
            o.theorems.to_string(),
            number(o.value),
            number(o.corrected),
            o.finding.to_string(),
        ]
    }));
    let mut lines = aligned(&rows, Align::Left);
    lines.push(format!("report: {}", out.join("report.html").display()));
    Ok(lines.join("\n") + "\n")
}
