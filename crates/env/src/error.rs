//! Failures in the communication with a proof assistant. A rejected tactic is not a failure.

use std::io;

use andor_process::error::ProcessError;

use crate::checker::Level;
use crate::outline::Place;

/// A technical failure, as opposed to a mathematical one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnvError {
    /// A process failed.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The program is not installed.
    #[error("`{program}` was not found on PATH ({hint})")]
    Missing {
        /// The program.
        program: String,
        /// How to get it.
        hint: String,
    },
    /// No file of the system can be checked on this machine.
    #[error("{why}")]
    NoChecker {
        /// Why.
        why: String,
    },
    /// The proof is accepted at a lower level only.
    #[error("accepted only at {reached}: {why}")]
    Short {
        /// The level that it reached.
        reached: Level,
        /// Its reason.
        why: String,
    },
    /// A second judge is required, and none accepted the proof.
    #[error("a second judge is required, but {why}")]
    NoSecondJudge {
        /// What it said instead.
        why: String,
    },
    /// Proofs of this system cannot be exported.
    #[error("only theorems of Lean 4 can be exported")]
    NoExport,
    /// A theorem is not exported, since its proof is not accepted.
    #[error("nothing is exported: {why}")]
    NotExported {
        /// Why it is not accepted.
        why: String,
    },
    /// The program started, but did not identify itself as expected.
    #[error("`{program}` gave an unexpected greeting: {got}")]
    Handshake {
        /// The program.
        program: String,
        /// Its output.
        got: String,
    },
    /// The process violated its protocol.
    #[error("unexpected answer while {doing}: {got}")]
    Garbled {
        /// The operation in progress.
        doing: String,
        /// Its output, shortened.
        got: String,
    },
    /// The worker was lost earlier.
    #[error("the worker was lost earlier")]
    Lost,
    /// The assistant rejects the theorem: its header or statement is wrong. Repeating does not help.
    #[error("{part} of theorem `{theorem}` is refused: {message}{}", place(.text))]
    TheoremRefused {
        /// The theorem's id.
        theorem: String,
        /// The part of the theorem.
        part: &'static str,
        /// The rejected text.
        text: String,
        /// Where it is wrong, in the header and the statement behind it, if this is known.
        at: Option<Place>,
        /// The assistant's message.
        message: String,
    },
    /// The statement itself depends on axioms that are not allowed, so that every proof would be rejected.
    #[error("the statement of `{theorem}` depends on {} not an allowed axiom", quoted(.axioms))]
    StatementAxioms {
        /// The theorem's id.
        theorem: String,
        /// The axioms.
        axioms: Vec<String>,
    },
    /// Rebuilding a checkpoint gave different goals.
    #[error("replaying to checkpoint {checkpoint} gave different goals: {detail}")]
    ReplayDiverged {
        /// The checkpoint.
        checkpoint: String,
        /// The difference.
        detail: String,
    },
    /// The worker failed repeatedly.
    #[error("gave up after {restarts} restarts in a row; the last failure: {last}")]
    RestartsExhausted {
        /// The number of restarts.
        restarts: u32,
        /// The last failure.
        last: String,
    },
    /// The separate run of the kernel rejects the libraries that a proof depends on.
    #[error("the installed libraries fail a second check: {message}")]
    LibrariesRefused {
        /// The kernel's message.
        message: String,
    },
    /// A compiled file is not in a supported format.
    #[error("cannot read the compiled file of {of}: {message}")]
    CompiledFile {
        /// The file's subject.
        of: String,
        /// What is wrong with it.
        message: String,
    },
    /// An installed library changed while a proof was checked with it.
    #[error(
        "the compiled file of `{module}` changed while a proof was checked; check it again when no build runs"
    )]
    LibraryChanged {
        /// The module.
        module: String,
    },
    /// A file could not be written or read.
    #[error("{action} `{path}`: {source}")]
    File {
        /// The operation.
        action: &'static str,
        /// The file.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl EnvError {
    /// Whether the worker that returned this error is unusable and must be dropped.
    pub fn loses_worker(&self) -> bool {
        match self {
            Self::TheoremRefused { .. } | Self::StatementAxioms { .. } | Self::ReplayDiverged { .. } => false,
            Self::Process(_)
            | Self::Missing { .. }
            | Self::NoChecker { .. }
            | Self::Short { .. }
            | Self::NoSecondJudge { .. }
            | Self::NoExport
            | Self::NotExported { .. }
            | Self::Handshake { .. }
            | Self::Garbled { .. }
            | Self::Lost
            | Self::RestartsExhausted { .. }
            | Self::LibrariesRefused { .. }
            | Self::CompiledFile { .. }
            | Self::LibraryChanged { .. }
            | Self::File { .. } => true,
        }
    }

    /// Whether a retry on a fresh worker may succeed.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Process(error) => error.is_retryable(),
            Self::Garbled { .. } | Self::Lost | Self::LibraryChanged { .. } => true,
            Self::Missing { .. }
            | Self::NoChecker { .. }
            | Self::Short { .. }
            | Self::NoSecondJudge { .. }
            | Self::NoExport
            | Self::NotExported { .. }
            | Self::Handshake { .. }
            | Self::TheoremRefused { .. }
            | Self::StatementAxioms { .. }
            | Self::ReplayDiverged { .. }
            | Self::RestartsExhausted { .. }
            | Self::LibrariesRefused { .. }
            | Self::CompiledFile { .. }
            | Self::File { .. } => false,
        }
    }
}

fn quoted(names: &[String]) -> String {
    match names {
        [name] => format!("`{name}`, which is"),
        names => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("{}, each of them", names.join(", "))
        }
    }
}

fn place(text: &str) -> String {
    match text.trim() {
        "" => String::new(),
        text => format!("\n  in: {text}"),
    }
}
