//! What can go wrong, by what can be done about it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::usage::Usage;

/// A question without an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{error}")]
pub struct Unanswered {
    /// Why.
    #[serde(flatten)]
    pub error: ModelError,
    /// What it cost nevertheless.
    #[serde(default)]
    pub usage: Usage,
}

impl From<ModelError> for Unanswered {
    fn from(error: ModelError) -> Self {
        Self { error, usage: Usage::default() }
    }
}

/// Why there is no answer. Messages of servers are theirs: text from outside, in their words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ModelError {
    /// The server has too much to do, or is still loading (408, 409, 429, 502, 503, 504, 529).
    #[error("the server is overloaded or not ready (HTTP {status}): {message}")]
    Overloaded {
        /// The HTTP status.
        status: u16,
        /// How long the server asks us to wait.
        retry_after: Option<Duration>,
        /// The server's words.
        message: String,
    },
    /// The prompt, or the prompt and the answer, is longer than the model's context.
    #[error("the request exceeds the model's context{}: {message}", tokens(*prompt, *limit))]
    ContextTooLong {
        /// The number of tokens of the prompt, if the server states it.
        prompt: Option<u64>,
        /// The number of tokens of the context, if the server states it.
        limit: Option<u64>,
        /// The server's words.
        message: String,
    },
    /// The key is missing, wrong or not allowed to do this (401, 403).
    #[error("the server refuses the API key, or its absence (HTTP {status}): {message}")]
    Unauthorized {
        /// The HTTP status.
        status: u16,
        /// The server's words.
        message: String,
    },
    /// The server has no such address, or no such model (404).
    #[error("the server has no such model or interface: {message}")]
    NotFound {
        /// The server's words.
        message: String,
    },
    /// The server, or the interface of it that is used, cannot do this (501).
    #[error("not supported: {message}")]
    NotSupported {
        /// What it cannot do.
        message: String,
    },
    /// The server finds fault with the request (another status between 400 and 499).
    #[error("the server refuses the request (HTTP {status}): {message}")]
    BadRequest {
        /// The HTTP status.
        status: u16,
        /// The server's words.
        message: String,
    },
    /// The answer is none that the interface allows.
    #[error("the server's answer cannot be read: {message}")]
    Malformed {
        /// What is wrong with it.
        message: String,
    },
    /// The answer is longer than is read.
    #[error("the server's answer is longer than {limit} bytes")]
    TooLarge {
        /// The number of bytes that are read.
        limit: u64,
    },
    /// A limit on time was reached.
    #[error("no {phase} within {:.1} s", .limit.as_secs_f64())]
    Timeout {
        /// What did not happen.
        phase: Phase,
        /// Within what time.
        limit: Duration,
    },
    /// The server did not get ready to take requests.
    #[error("the server is not ready{}: {message}", after(*waited))]
    NotReady {
        /// How long we waited.
        waited: Duration,
        /// The last error.
        message: String,
    },
    /// There is no connection to the server.
    #[error("cannot connect to the server: {message}")]
    Unreachable {
        /// Why.
        message: String,
    },
    /// The connection broke before the answer was complete.
    #[error("the connection broke before the answer was complete: {message}")]
    Interrupted {
        /// How.
        message: String,
    },
    /// The server failed (another status from 500 on, or an error in the middle of an answer sent in pieces).
    #[error("the server failed (HTTP {status}): {message}")]
    ServerError {
        /// The HTTP status.
        status: u16,
        /// The server's words.
        message: String,
    },
    /// The record that is replayed has no (further) answer to this request.
    #[error(
        "the record has no answer number {} to request {} of model `{model}` (it ends: {prompt}). \
         The record was made by other requests, or is incomplete", .asked + 1, .digest.short()
    )]
    MissingRecord {
        /// The digest of the request.
        digest: Digest,
        /// The model asked.
        model: String,
        /// The end of the prompt.
        prompt: String,
        /// How many answers to it were taken from the record before.
        asked: u64,
    },
    /// A recorded request or answer cannot be written or read.
    #[error("the record of requests: {message}")]
    Record {
        /// What went wrong, with the file.
        message: String,
    },
}

/// A stage of a request that has a limit on its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Until the server accepts the connection.
    Connect,
    /// Until the first byte of the answer.
    FirstByte,
    /// Until the answer is complete.
    Total,
}

impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Connect => "connection",
            Self::FirstByte => "first byte of the answer",
            Self::Total => "complete answer",
        })
    }
}

/// Whether the same request may succeed later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// It will not: the request, the key or the configuration is wrong.
    Never,
    /// It may, but the error may also be the request's fault: a few times only.
    Few,
    /// It will once the server has recovered.
    Patient,
}

impl ModelError {
    /// Whether the same request may succeed later.
    pub fn retry(&self) -> Retry {
        match self {
            Self::Overloaded { .. } | Self::Unreachable { .. } | Self::Interrupted { .. } => Retry::Patient,
            Self::Timeout { .. } => Retry::Patient,
            // Some servers answer 500 to a request that they do not understand.
            Self::ServerError { .. } | Self::Malformed { .. } => Retry::Few,
            Self::ContextTooLong { .. }
            | Self::Unauthorized { .. }
            | Self::NotFound { .. }
            | Self::NotSupported { .. }
            | Self::BadRequest { .. }
            | Self::TooLarge { .. }
            | Self::NotReady { .. }
            | Self::MissingRecord { .. }
            | Self::Record { .. } => Retry::Never,
        }
    }

    /// Whether every other request to this model would fail as well, so that a run may as well end.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Self::Unauthorized { .. } | Self::NotFound { .. } | Self::NotReady { .. })
    }

    /// Whether the error is the server's or the network's, and says nothing about the request.
    pub fn is_infrastructure(&self) -> bool {
        self.retry() != Retry::Never
    }

    /// A short name of the class, for traces and counts.
    pub fn class(&self) -> &'static str {
        match self {
            Self::Overloaded { .. } => "overloaded",
            Self::ContextTooLong { .. } => "context_too_long",
            Self::Unauthorized { .. } => "unauthorized",
            Self::NotFound { .. } => "not_found",
            Self::NotSupported { .. } => "not_supported",
            Self::BadRequest { .. } => "bad_request",
            Self::Malformed { .. } => "malformed",
            Self::TooLarge { .. } => "too_large",
            Self::Timeout { .. } => "timeout",
            Self::NotReady { .. } => "not_ready",
            Self::Unreachable { .. } => "unreachable",
            Self::Interrupted { .. } => "interrupted",
            Self::ServerError { .. } => "server_error",
            Self::MissingRecord { .. } => "missing_record",
            Self::Record { .. } => "record",
        }
    }

    /// Whether the server says that it is loading its model, as llama.cpp does.
    pub fn is_loading(&self) -> bool {
        matches!(self, Self::Overloaded { status: 503, message, .. } if message.to_lowercase().contains("loading"))
    }

    /// How long the server asks us to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Overloaded { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

fn after(waited: Duration) -> String {
    if waited < Duration::from_secs(1) {
        String::new()
    } else {
        format!(" after {:.0} s", waited.as_secs_f64())
    }
}

fn tokens(prompt: Option<u64>, limit: Option<u64>) -> String {
    match (prompt, limit) {
        (Some(prompt), Some(limit)) => format!(" ({prompt} of {limit} tokens)"),
        (None, Some(limit)) => format!(" of {limit} tokens"),
        (Some(prompt), None) => format!(" ({prompt} tokens)"),
        (None, None) => String::new(),
    }
}
