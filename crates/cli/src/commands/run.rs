//! `andor run`

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use andor_artifact::folders::folder_name;
use andor_report::summary::{Failures, summarise};
use anyhow::{Context, bail};

use super::prove::{self, Ended, RunOutcome, Selected, say, say_lines};
use crate::args::{RunArgs, SourceArgs};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::ray::Driver;
use crate::{basin, report, summary};

/// The default folder for runs.
const RUNS: &str = "runs";

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

/// The folder of what is declared in a file: the given one, or a fresh one named after the file.
pub(super) fn out_folder(out: Option<&Path>, declaration: &Path) -> anyhow::Result<PathBuf> {
    if let Some(out) = out.filter(|out| out.exists() && !out.is_dir()) {
        anyhow::bail!("--out: `{}` is a file; give a folder, which need not exist", out.display());
    }
    let name = || folder_name(&declaration.file_stem().unwrap_or_default().to_string_lossy());
    out.map_or_else(|| fresh_folder(&name()), |out| Ok(out.to_owned()))
}

/// Creates the folder of a corpus run: `runs/CORPUS-N`, with the first free number N.
pub(super) fn fresh_folder(corpus: &str) -> anyhow::Result<PathBuf> {
    fs_err::create_dir_all(RUNS).context("--out names another folder for the run")?;
    for n in 1_u64.. {
        let folder = Path::new(RUNS).join(format!("{corpus}-{n}"));
        match fs_err::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).context("--out names another folder for the run"),
        }
    }
    unreachable!("folder numbers are unique")
}
