//! `andor run`

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use andor_artifact::folders::folder_name;
use andor_report::summary::{Failures, summarise};
use andor_terminal::exit::Exit;
use andor_terminal::folder::fresh_folder;
use andor_terminal::progress::{Progress, say, say_lines};
use andor_terminal::report;
use anyhow::bail;

use super::prove::{self, Ended, RunOutcome, Selected};
use crate::args::{RunArgs, SourceArgs};
use crate::ray::Driver;
use crate::{basin, summary};

pub(crate) async fn run(args: &RunArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    if let Some(file) = args.prove.input.source.path().filter(|path| andor_run::blueprint::is_blueprint(path))
    {
        if args.prove.input.source.files.len() > 1 {
            bail!("`{}` is a blueprint, and is run alone; leave out the other files", file.display());
        }
        if args.cluster.on.is_some() {
            bail!("--on takes theorems, and `{}` is a blueprint; leave it out", file.display());
        }
        return super::blueprint::run(args, file, progress).await;
    }
    match prove::projects("run", &args.prove)?.len() {
        0 | 1 => {}
        n => bail!("the files belong to {n} projects, and a run to one; name the files of one"),
    }
    let Selected { mut request, refused, .. } = prove::request("run", &args.prove, &progress).await?;
    request.pass_k = args.pass_k;
    request.keep = args.keep;
    let out = match &args.prove.output.out {
        Some(out) => out.clone(),
        None => fresh_folder(&corpus(&args.prove.input.source))?,
    };
    request.out = Some(out.clone());
    let total_time = args.total_time.map(Duration::from_secs_f64);
    let driver = args.cluster.settings().map(|settings| Driver::start(&settings)).transpose()?;
    request.remote = driver.as_ref().map(|driver| Arc::clone(&driver.remote));
    let outcome = prove::execute(&request, total_time, &progress).await;
    if let Some(driver) = driver {
        driver.finish().await;
    }
    if outcome.is_err() && args.prove.output.out.is_none() {
        // Remove the folder again if it is empty, because the run could not begin.
        let _ = std::fs::remove_dir(&out);
    }
    let RunOutcome { results, basin, ended } = outcome?;
    if args.prove.output.json {
        prove::records(&results, basin.as_ref())?;
    } else {
        let summary = || summarise(&request.config, request.pass_k, &request.problems, &results);
        let table = basin.as_ref().map_or_else(|| summary::table(&summary()), basin::table);
        report::print(&(table + "\n"))?;
    }
    prove::hint_axioms(&results, &progress);
    let folder = out.display();
    say(&progress, &format!("the run is in {folder}; `andor results {folder}` shows its results"));
    let failures = Failures::among(&results);
    if let Some(text) = report::too_many_failures(&failures, args.prove.output.infra_threshold) {
        say_lines(&progress, &text);
    }
    if ended != Ended::Done {
        say(&progress, "to continue, repeat the command with --resume and --out as above");
    }
    prove::list_refused(&refused, &progress);
    let is_interrupted = ended == Ended::Interrupted;
    let exit = report::exit(&results, &request.problems, args.prove.output.infra_threshold, is_interrupted);
    Ok(prove::with_refused(exit, &refused))
}

/// The name of a corpus.
fn corpus(source: &SourceArgs) -> String {
    let name = source.path().and_then(Path::file_stem).map(|stem| stem.to_string_lossy());
    folder_name(name.as_deref().unwrap_or("statement"))
}
