//! What can go wrong between us and a proof assistant. A rejected tactic is none of it.

use std::io;
use std::time::Duration;

/// A failure of the channel, not of the mathematics.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnvError {
    /// The program could not be started.
    #[error("cannot start `{program}`: {source}")]
    Spawn {
        /// The program.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// The program is not installed.
    #[error("`{program}` was not found on PATH ({hint})")]
    Missing {
        /// The program.
        program: String,
        /// How to get it.
        hint: String,
    },
    /// The program started but did not introduce itself as expected.
    #[error("`{program}` did not introduce itself as expected: {got}")]
    Handshake {
        /// The program.
        program: String,
        /// What it said instead.
        got: String,
    },
    /// The process ended.
    #[error("the process ended ({status}) while {doing}{}", stderr_note(.stderr))]
    Died {
        /// What we were doing.
        doing: String,
        /// How it ended.
        status: String,
        /// The end of what it wrote to standard error.
        stderr: String,
    },
    /// There was no answer in time, not even to an interrupt. A process that owed it was killed.
    #[error("no answer within {after:?} while {doing}")]
    Overdue {
        /// What we were doing.
        doing: String,
        /// How long we waited.
        after: Duration,
    },
    /// The process used up its processor time and did not answer an interrupt. It was killed.
    #[error("more than {limit:?} of processor time, and no answer to an interrupt, while {doing}")]
    OverCpu {
        /// What we were doing.
        doing: String,
        /// The limit.
        limit: Duration,
    },
    /// The process said something that is not in its protocol.
    #[error("unexpected answer while {doing}: {got}")]
    Garbled {
        /// What we were doing.
        doing: String,
        /// What it said, shortened.
        got: String,
    },
    /// An answer grew beyond the bound.
    #[error("an answer of more than {limit} bytes while {doing}")]
    TooLarge {
        /// What we were doing.
        doing: String,
        /// The bound.
        limit: usize,
    },
    /// Reading from or writing to the process failed.
    #[error("lost the connection while {doing}: {source}")]
    Io {
        /// What we were doing.
        doing: String,
        /// Why.
        source: io::Error,
    },
    /// The worker was lost earlier.
    #[error("the worker was lost earlier")]
    Lost,
    /// The theorem itself is refused: its header or statement is wrong. Trying again does not help.
    #[error("{part} of theorem `{theorem}` is refused: {message}{}", place(.text))]
    TheoremRefused {
        /// The theorem's id.
        theorem: String,
        /// Which part of it.
        part: &'static str,
        /// The piece at fault.
        text: String,
        /// The assistant's message.
        message: String,
    },
    /// Rebuilding a checkpoint gave other goals than before.
    #[error("replaying to checkpoint {checkpoint} gave other goals than before: {detail}")]
    ReplayDiverged {
        /// The checkpoint.
        checkpoint: String,
        /// What differed.
        detail: String,
    },
    /// The worker died again and again.
    #[error("gave up after {restarts} restarts in a row; the last failure: {last}")]
    RestartsExhausted {
        /// How many.
        restarts: u32,
        /// The last failure.
        last: String,
    },
    /// The kernel alone refuses the libraries that a proof builds on.
    #[error("the libraries do not stand a second check: {message}")]
    LibrariesRefused {
        /// What the kernel says.
        message: String,
    },
    /// A compiled file is not one that we can read.
    #[error("cannot read the compiled file of {of}: {message}")]
    CompiledFile {
        /// Of what.
        of: String,
        /// What is wrong with it.
        message: String,
    },
    /// A file could not be written or read.
    #[error("{action} `{path}`: {source}")]
    File {
        /// What we tried.
        action: &'static str,
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
}

impl EnvError {
    /// Whether the worker that returned this is unusable and must be dropped.
    pub fn loses_worker(&self) -> bool {
        match self {
            Self::TheoremRefused { .. } | Self::ReplayDiverged { .. } => false,
            Self::Spawn { .. }
            | Self::Missing { .. }
            | Self::Handshake { .. }
            | Self::Died { .. }
            | Self::Overdue { .. }
            | Self::OverCpu { .. }
            | Self::Garbled { .. }
            | Self::TooLarge { .. }
            | Self::Io { .. }
            | Self::Lost
            | Self::RestartsExhausted { .. }
            | Self::LibrariesRefused { .. }
            | Self::CompiledFile { .. }
            | Self::File { .. } => true,
        }
    }

    /// Whether the same call on a fresh worker may succeed.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Died { .. }
            | Self::Garbled { .. }
            | Self::Io { .. }
            | Self::Lost
            | Self::TooLarge { .. } => true,
            Self::Spawn { .. }
            | Self::Missing { .. }
            | Self::Handshake { .. }
            | Self::Overdue { .. }
            | Self::OverCpu { .. }
            | Self::TheoremRefused { .. }
            | Self::ReplayDiverged { .. }
            | Self::RestartsExhausted { .. }
            | Self::LibrariesRefused { .. }
            | Self::CompiledFile { .. }
            | Self::File { .. } => false,
        }
    }
}

fn place(text: &str) -> String {
    match text.trim() {
        "" => String::new(),
        text => format!("\n  in: {text}"),
    }
}

fn stderr_note(stderr: &str) -> String {
    match stderr.trim() {
        "" => String::new(),
        text => format!("; the last it wrote to standard error: {text}"),
    }
}
