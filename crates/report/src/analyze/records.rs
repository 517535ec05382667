//! The traces of finished searches.

use std::path::Path;

use andor_artifact::files::{FileError, LinesReader};
use andor_artifact::trace::TraceEvent;
use andor_artifact::version::Kind;

/// Why a trace cannot be analyzed.
#[derive(Debug, thiserror::Error)]
pub(super) enum TraceError {
    #[error(transparent)]
    File(#[from] FileError),
    /// The search has ended, but its trace does not say so.
    #[error("trace.jsonl breaks off before the search ends")]
    BreaksOff,
}

/// The records of a trace, which ends with the end of the search.
pub(super) struct Records {
    lines: LinesReader<TraceEvent>,
    ended: bool,
}

impl Records {
    /// The trace of an attempt.
    pub(super) fn open(attempt: &Path) -> Result<Self, TraceError> {
        Ok(Self { lines: LinesReader::open(&attempt.join("trace.jsonl"), Kind::Trace)?, ended: false })
    }
}

impl Iterator for Records {
    type Item = Result<TraceEvent, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.lines.next() {
            Some(Ok(record)) => {
                self.ended = matches!(record, TraceEvent::Abort(_) | TraceEvent::Proved(_));
                Some(Ok(record))
            }
            Some(Err(error)) => {
                self.ended = true;
                Some(Err(error.into()))
            }
            None if !self.ended => {
                self.ended = true;
                Some(Err(TraceError::BreaksOff))
            }
            None => None,
        }
    }
}
