//! `andor prove --write`, `--diff` and `--json`: proofs put into the files that state their theorems.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use andor_artifact::input::is_standard_input;
use andor_artifact::result::SourceEdit;
use andor_config::Config;
use andor_dataset::{Problem, SourcePlace};
use andor_run::in_place::{InPlaceError, Sources};
use andor_run::orchestrate::RunRequest;
use andor_terminal::progress::{Progress, say};
use andor_terminal::{report, shown};
use anyhow::bail;
use tokio::sync::mpsc::UnboundedReceiver;

use super::telling::Passed;
use crate::args::InPlaceArgs;

/// What the program has made of files since it read them, as long as nobody else changed them.
pub(super) type OwnWrites = Arc<Mutex<BTreeMap<PathBuf, String>>>;

/// The source files of a run, into which accepted proofs are put.
pub(super) struct Written {
    sources: Sources,
    args: InPlaceArgs,
    /// Whether results are printed for programs.
    json: bool,
    /// Whether a proof could not be put into its place, though this was asked for.
    pub(super) lacks_some: bool,
    failed: Option<io::Error>,
    own: OwnWrites,
}

impl Written {
    /// `None` if nobody wants to know where proofs go.
    pub(super) fn begin(
        request: &RunRequest,
        prelude: &str,
        args: &InPlaceArgs,
        json: bool,
        own: &OwnWrites,
    ) -> anyhow::Result<Option<Self>> {
        if !json && !args.is_wanted() {
            return Ok(None);
        }
        let mut files = request.problems.iter().filter_map(|problem| problem.place.as_ref());
        if args.write && files.any(|place| is_standard_input(&place.file)) {
            bail!("--write: standard input cannot be written; --diff prints what would change");
        }
        let sources = match Sources::read(&request.problems, prelude, args.write) {
            Err(InPlaceError::NoSource) if !args.is_wanted() => return Ok(None),
            Err(InPlaceError::NoSource) => bail!(
                "--write and --diff need theorems of `.v` or `.lean` files; rows of data sets are not changed"
            ),
            sources => sources?,
        };
        let (args, own) = (args.clone(), Arc::clone(own));
        Ok(Some(Self { sources, args, json, lacks_some: false, failed: None, own }))
    }

    /// Puts proofs into their places as they come.
    pub(super) async fn put_all(
        &mut self,
        mut coming: UnboundedReceiver<Passed>,
        request: &RunRequest,
        progress: &Mutex<Progress>,
    ) {
        while let Some(mut passed) = coming.recv().await {
            if let Some(problem) = request.problems.iter().find(|p| p.theorem.id == passed.theorem) {
                passed.record.edits = self.put(problem, &passed, &request.config, progress).await;
            }
            if self.json {
                let print = || report::records(std::slice::from_ref(&*passed.record));
                self.print(progress, print);
            }
        }
        let written = self.sources.written().map(|(path, content)| (path.to_owned(), content.to_owned()));
        self.own.lock().expect("it does not panic").extend(written);
        for compiled in self.sources.stale() {
            let compiled = shown::line(&compiled.display().to_string());
            say(
                progress,
                &format!("note: {compiled} is older than its source now: compile it and what depends on it"),
            );
        }
    }

    async fn put(
        &mut self,
        problem: &Problem,
        proof: &Passed,
        config: &Config,
        progress: &Mutex<Progress>,
    ) -> Vec<SourceEdit> {
        let name = shown::line(&problem.theorem.id);
        let Some(SourcePlace { file, lines, .. }) = &problem.place else { return Vec::new() };
        let stated = format!("{}:{}", shown::line(&file.display().to_string()), lines.start());
        let put = match &proof.written {
            Some(written) if self.args.write => {
                self.sources.write(problem, written, config, self.args.backup).await
            }
            Some(written) => self.sources.put(problem, written, config).await,
            None => Err(InPlaceError::Earlier),
        };
        match put {
            Ok(put) => {
                let what = if self.args.write { "is written" } else { "fits" };
                let how = match (put.is_whole, put.has_replaced) {
                    (true, true) => {
                        "; your unfinished proof, whose holes cannot be filled where they are, is replaced as a whole"
                    }
                    (true, false) => ", in the place of the unfinished one",
                    (false, _) => "",
                };
                let imports = match put.imports.as_str() {
                    "" => String::new(),
                    lines => format!("; for it, the file begins with {}", shown::line(lines)),
                };
                if self.args.is_wanted() {
                    say(progress, &format!("{stated}: the proof of {name} {what}{how}{imports}"));
                }
                put.edits
            }
            Err(error) => {
                self.lacks_some |= self.args.is_wanted();
                if self.args.is_wanted() {
                    say(
                        progress,
                        &format!("{stated}: {name} is proved, but its proof is not put in: {error}"),
                    );
                }
                if !self.json {
                    // It must not be lost.
                    let print = || report::print_exactly(&proof.text);
                    self.print(progress, print);
                }
                Vec::new()
            }
        }
    }

    fn print(&mut self, progress: &Mutex<Progress>, print: impl FnOnce() -> io::Result<()>) {
        if let Err(error) = progress.lock().expect("progress does not panic").above(print) {
            self.failed.get_or_insert(error);
        }
    }

    /// Prints the changes, if this was asked for.
    ///
    /// # Errors
    ///
    /// Something could not be printed, here or before.
    pub(super) fn print_diff(&mut self) -> io::Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if self.args.diff { report::print_exactly(&self.sources.diff()) } else { Ok(()) }
    }
}
