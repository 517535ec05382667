//! `andor prove --write` and `--diff`

use std::path::Path;
use std::sync::Mutex;

use andor_config::Config;
use andor_dataset::Problem;
use andor_engine::written::WrittenProof;
use andor_run::in_place::{InPlaceError, Sources};
use andor_run::orchestrate::RunRequest;
use tokio::sync::mpsc::UnboundedReceiver;

use super::prove::say;
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
        mut coming: UnboundedReceiver<(String, WrittenProof)>,
        request: &RunRequest,
        progress: &Mutex<Progress>,
    ) {
        while let Some((theorem, proof)) = coming.recv().await {
            if let Some(problem) = request.problems.iter().find(|p| p.theorem.id == theorem) {
                self.put(problem, &proof, &request.config, progress).await;
            }
        }
    }

    async fn put(
        &mut self,
        problem: &Problem,
        proof: &WrittenProof,
        config: &Config,
        progress: &Mutex<Progress>,
    ) {
        let name = shown::line(&problem.theorem.id);
        let file = problem.place.as_ref().map_or(Path::new(""), |place| &place.file);
        let put = match self.sources.put(problem, proof, config).await {
            Ok(()) if self.write => self.sources.write(file, self.backup),
            put => put,
        };
        match put {
            Ok(()) if self.write => say(progress, &format!("{name}: written to {}", file.display())),
            Ok(()) => {}
            Err(error) => {
                self.lacks_some = true;
                say(progress, &format!("{name}: proved, but not put into {}: {error}", file.display()));
            }
        }
    }

    /// Prints the changes, unless they are written.
    pub(super) fn print_diff(&self) -> std::io::Result<()> {
        if self.write { Ok(()) } else { report::print_exactly(&self.sources.diff()) }
    }
}
