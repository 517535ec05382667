//! Failures in starting and running children.

use std::io;
use std::time::Duration;

/// Why a child could not be started, or gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// The program could not be started.
    #[error("cannot start `{program}`: {source}")]
    Spawn {
        /// The program.
        program: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The program fails in the sandbox, and is not run without it.
    #[error("{message} (mend that or, if you trust all texts, switch the sandbox off)")]
    Unconfined {
        /// The failure.
        message: String,
    },
    /// The process ended.
    #[error("the process ended ({status}) while {doing}{}", stderr_note(.stderr))]
    Died {
        /// The operation in progress.
        doing: String,
        /// How it ended.
        status: String,
        /// The end of its standard error.
        stderr: String,
    },
    /// No answer in time. A process that owed it, and did not answer an interrupt either, was killed.
    #[error("no answer after {after:?} while {doing}")]
    Overdue {
        /// The operation in progress.
        doing: String,
        /// The time limit.
        after: Duration,
    },
    /// The process used up its processor time, did not answer an interrupt if it had one, and was killed.
    #[error("used more than {limit:?} of processor time while {doing}, and was killed")]
    OverCpu {
        /// The operation in progress.
        doing: String,
        /// The limit.
        limit: Duration,
    },
    /// An answer exceeded the size limit.
    #[error("an answer of more than {limit} bytes while {doing}")]
    TooLarge {
        /// The operation in progress.
        doing: String,
        /// The limit.
        limit: usize,
    },
    /// Reading from or writing to the process failed.
    #[error("lost the connection while {doing}: {source}")]
    Io {
        /// The operation in progress.
        doing: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// No folder for temporary files could be made.
    #[error("cannot create a folder for temporary files (set by TMPDIR) in `{path}`: {source}")]
    NoScratch {
        /// The folder that it would have been in.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl ProcessError {
    /// Whether the same may succeed with a fresh process.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Died { .. } | Self::Io { .. } | Self::TooLarge { .. } => true,
            Self::Spawn { .. }
            | Self::Unconfined { .. }
            | Self::Overdue { .. }
            | Self::OverCpu { .. }
            | Self::NoScratch { .. } => false,
        }
    }
}

fn stderr_note(stderr: &str) -> String {
    match stderr.trim() {
        "" => String::new(),
        text => format!("; the last it wrote to standard error: {text}"),
    }
}
