//! `andor prove --write` and `--diff`

use std::sync::Mutex;

use andor_config::Config;
use andor_dataset::{Problem, SourcePlace};
use andor_run::in_place::{InPlaceError, Sources};
use andor_run::orchestrate::RunRequest;
use tokio::sync::mpsc::UnboundedReceiver;

use super::prove::say;
use super::telling::Passed;
use crate::args::InPlaceArgs;
use crate::progress::Progress;
use crate::{report, shown};

/// The source files of a run, into which accepted proofs are put.
pub(super) struct Written {
    sources: Sources,
    /// Whether the files on the disk are written.
    write: bool,
    backup: bool,
    /// Whether a proof could not be put into its place.
    pub(super) lacks_some: bool,
}

impl Written {
    pub(super) fn begin(request: &RunRequest, prelude: &str, args: &InPlaceArgs) -> anyhow::Result<Self> {
        let sources = Sources::read(&request.problems, prelude, args.write).map_err(|error| match error {
            InPlaceError::NoSource => anyhow::anyhow!(
                "--write and --diff need theorems of `.v` or `.lean` files; rows of data sets are not changed"
            ),
            error => error.into(),
        })?;
        Ok(Self { sources, write: args.write, backup: args.backup, lacks_some: false })
    }

    /// Puts proofs into their places as they come.
    pub(super) async fn put_all(
        &mut self,
        mut coming: UnboundedReceiver<Passed>,
        request: &RunRequest,
        progress: &Mutex<Progress>,
    ) {
        while let Some(passed) = coming.recv().await {
            if let Some(problem) = request.problems.iter().find(|p| p.theorem.id == passed.theorem) {
                self.put(problem, &passed, &request.config, progress).await;
            }
        }
        for compiled in self.sources.stale() {
            let compiled = shown::line(&compiled.display().to_string());
            say(
                progress,
                &format!("note: {compiled} is older than its source now: compile it and what depends on it"),
            );
        }
    }

    async fn put(&mut self, problem: &Problem, proof: &Passed, config: &Config, progress: &Mutex<Progress>) {
        let name = shown::line(&problem.theorem.id);
        let Some(SourcePlace { file, lines, .. }) = &problem.place else { return };
        let stated = format!("{}:{}", shown::line(&file.display().to_string()), lines.start());
        let put = match &proof.written {
            Some(written) => self.sources.put(problem, written, config).await,
            None => Err(InPlaceError::Earlier),
        };
        let put = match put {
            Ok(put) if self.write => self.sources.write(file, self.backup).map(|()| put),
            put => put,
        };
        match put {
            Ok(put) => {
                let what = if self.write { "is written" } else { "fits" };
                let how = if put.is_whole { ", in the place of the unfinished one" } else { "" };
                let imports = match put.imports.as_str() {
                    "" => String::new(),
                    lines => format!("; for it, the file begins with {}", shown::line(lines)),
                };
                say(progress, &format!("{stated}: the proof of {name} {what}{how}{imports}"));
            }
            Err(error) => {
                self.lacks_some = true;
                say(progress, &format!("{stated}: {name} is proved, but its proof is not put in: {error}"));
                // It must not be lost.
                let print = || report::print_exactly(&proof.text);
                let _ = progress.lock().expect("progress does not panic").above(print);
            }
        }
    }

    /// Prints the changes, unless they are written.
    pub(super) fn print_diff(&self) -> std::io::Result<()> {
        if self.write { Ok(()) } else { report::print_exactly(&self.sources.diff()) }
    }
}
