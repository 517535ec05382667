//! Why a loop cannot go on.

use std::path::PathBuf;

use andor_artifact::files::FileError;
use andor_config::{ConfigError, ConfigFileError};
use andor_dataset::DatasetError;
use andor_learn::file::ModelError;
use andor_learn::shape::NotAShape;
use andor_learn::train::TrainError;
use andor_process::error::ProcessError;
use andor_report::export::ExportError;
use andor_report::summary::Failures;
use andor_run::folder::{FolderError, some_ids};
use andor_run::orchestrate::RunError;

/// Why a loop cannot be begun, or cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoopError {
    /// The declaration is malformed.
    #[error("{}: {what}; docs/formats/loop.md lists the keys", path.display())]
    Declaration {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The configuration of searches in the declaration is malformed.
    #[error("the table `config`: {}", .0.without_place())]
    ConfigFile(ConfigFileError),
    /// The configuration breaks a rule.
    #[error("the table `config`: {0}")]
    Config(#[from] ConfigError),
    /// Theorems cannot be read.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A run cannot be made.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A run cannot be read back.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A run cannot be exported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A model cannot be used.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A file of shapes is malformed.
    #[error("{}: {why}", path.display())]
    Shapes {
        /// The file.
        path: PathBuf,
        /// Its first wrong line.
        why: NotAShape,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The built-in trainer found no model.
    #[error("the table `train`: {0}")]
    Training(TrainError),
    /// The trainer cannot be run.
    #[error("the trainer: {0}")]
    Trainer(#[from] ProcessError),
    /// The trainer failed.
    #[error("the trainer `{command}` failed ({status}){}", tail(stderr))]
    TrainerFailed {
        /// The command.
        command: String,
        /// How it ended.
        status: String,
        /// The end of its standard error.
        stderr: String,
    },
    /// The trainer wrote no model.
    #[error("the trainer `{command}` wrote no model to {}", path.display())]
    NoModel {
        /// The command.
        command: String,
        /// Where the model was to be.
        path: PathBuf,
    },
    /// The server of a model ended while it was needed.
    #[error("the server `{command}` ended during the search ({status}){}", tail(stderr))]
    ServerEnded {
        /// The command.
        command: String,
        /// How it ended.
        status: String,
        /// The end of its standard error.
        stderr: String,
    },
    /// An output of a finished stage is not what it was.
    #[error(
        "{}: the file was changed after its stage was finished; restore it, or delete {} to repeat the stage and all that follow it",
        path.display(), receipt.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// The stage's receipt.
        receipt: PathBuf,
    },
    /// The folder holds another loop.
    #[error(
        "{}: the folder has a loop with another declaration: {} differ; undo that, or choose another --out folder", path.display(),
        keys.join(", ")
    )]
    OtherLoop {
        /// The folder.
        path: PathBuf,
        /// The keys that differ and may not.
        keys: Vec<String>,
    },
    /// The folder holds this loop.
    #[error("{}: the loop was begun there; go on with --resume, or choose another --out folder", .0.display())]
    Resumable(PathBuf),
    /// The folder holds something else.
    #[error("{}: the folder has no loop and is not empty; choose another --out folder", .0.display())]
    Occupied(PathBuf),
    /// Too many attempts of a search failed for technical reasons. They are made again when the loop goes on.
    #[error(
        "{0}\nafter fixing the cause, --resume repeats these attempts; if it is a model, delete the train.stage.json beside it, too"
    )]
    Failed(Failures),
    /// The training set has theorems of the held-out set.
    #[error(
        "{}: {}; a model must be tested on theorems that it does not learn from", path.display(), overlapping(held_out)
    )]
    Overlap {
        /// The file of the held-out theorems.
        path: PathBuf,
        /// Ids of the held-out theorems that are also to be learned from.
        held_out: Vec<String>,
    },
    /// The user interrupted.
    #[error("interrupted")]
    Interrupted,
}

impl From<std::io::Error> for LoopError {
    fn from(error: std::io::Error) -> Self {
        Self::File(error.into())
    }
}

fn overlapping(held_out: &[String]) -> String {
    let stand = if held_out.len() == 1 { "theorem stands" } else { "theorems stand" };
    format!("{} {stand} among those to train on, too: {}", held_out.len(), some_ids(held_out))
}

fn tail(stderr: &str) -> String {
    if stderr.trim().is_empty() { String::new() } else { format!(":\n{}", stderr.trim_end()) }
}
