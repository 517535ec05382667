//! `andor learn`

use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_iterate::search::Searching;
use andor_iterate::{Learned, Loop, LoopError, learn};
use andor_terminal::exit::Exit;
use andor_terminal::folder::out_folder;
use andor_terminal::interrupt::cancel_on_interrupt;
use andor_terminal::progress::{Progress, say, say_lines};
use andor_terminal::{report, shown};
use tokio_util::sync::CancellationToken;

use crate::args::LearnArgs;

pub(crate) async fn run(args: &LearnArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let declared = Loop::read(&args.file)?;
    let out = out_folder(args.declared.out.as_deref(), &args.file)?;
    let cancel = CancellationToken::new();
    let _listening = cancel_on_interrupt(&cancel, Arc::clone(&progress));
    let sink: Arc<Mutex<Progress>> = Arc::clone(&progress);
    let with = Searching { jobs: args.declared.jobs.get(), cancel, sink };
    let mut tell = |line: &str| say(&progress, &shown::line(line));
    let learned = learn(&declared, &out, args.declared.resume, &with, &mut tell).await;
    progress.lock().expect("progress does not panic").close();
    let learned = match learned {
        Err(LoopError::Interrupted) => {
            say(&progress, &format!("to continue: --out {} --resume", out.display()));
            return Ok(Exit::Interrupted);
        }
        Err(error @ LoopError::Failed(_)) => {
            say_lines(&progress, &format!("error: {}", shown::text(&error.to_string())));
            return Ok(Exit::Infrastructure);
        }
        learned => learned?,
    };
    report::print(&written(&learned, &out, args.json)?)?;
    Ok(Exit::Success)
}

fn written(learned: &Learned, out: &Path, json: bool) -> anyhow::Result<String> {
    if json {
        let lines: Result<Vec<String>, _> = learned.models.iter().map(serde_json::to_string).collect();
        return Ok(lines?.join("\n") + "\n");
    }
    let (best, base) = (&learned.models[learned.best], &learned.models[0]);
    let page = out.join("lineage.md");
    Ok(format!(
        "the best model is {}: {} held-out theorems proved, {} by the first model; {} lists all models\n",
        out.join(&best.file).display(),
        best.score(),
        base.score(),
        page.display()
    ))
}
