//! Writes lines in the background.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread::JoinHandle;

use serde::Serialize;

use crate::files::{FileError, LinesWriter};
use crate::version::Kind;

/// Maximum number of batches in the queue. If it is full, the sender waits.
const MAX_BATCHES: usize = 64;

/// Number of records per batch while the thread is busy.
const BATCH: usize = 64;

/// A [`LinesWriter`] on a separate thread: records are serialized and written while the caller continues.
/// If the thread is idle, a record is written at once. Queued records are written even if the
/// writer is dropped, but are lost if the program is killed.
pub struct BackgroundWriter<T> {
    batch: Vec<T>,
    batches: Option<SyncSender<Vec<T>>>,
    idle: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<(), FileError>>>,
}

impl<T: Serialize + Send + 'static> BackgroundWriter<T> {
    /// Starts a new file with its opening.
    pub fn create(path: &Path, kind: Kind) -> Result<Self, FileError> {
        let writer = LinesWriter::create(path, kind)?;
        let (batches, waiting) = sync_channel(MAX_BATCHES);
        let idle = Arc::new(AtomicBool::new(false));
        let is_idle = Arc::clone(&idle);
        let thread = std::thread::Builder::new()
            .name("line writer".into())
            .spawn(move || write_all(writer, &waiting, &is_idle))?;
        Ok(Self { batch: Vec::new(), batches: Some(batches), idle, thread: Some(thread) })
    }

    /// Adds a record. Errors are returned by [`BackgroundWriter::finish`].
    pub fn write(&mut self, record: T) {
        self.batch.push(record);
        if self.batch.len() >= BATCH || self.idle.load(Ordering::Relaxed) {
            self.hand_over();
        }
    }

    /// Waits until everything is passed to the operating system; returns the first error.
    pub fn finish(mut self) -> Result<(), FileError> {
        self.join()
    }
}

impl<T> BackgroundWriter<T> {
    fn hand_over(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        if let Some(batches) = &self.batches
            && batches.send(batch).is_err()
        {
            // The thread has ended with an error; nothing more can be written.
            self.batches = None;
        }
    }

    fn join(&mut self) -> Result<(), FileError> {
        self.hand_over();
        self.batches = None;
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(result)) => result,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        }
    }
}

impl<T> Drop for BackgroundWriter<T> {
    fn drop(&mut self) {
        if self.thread.is_some() && !std::thread::panicking() {
            let _ = self.join();
        }
    }
}

fn write_all<T: Serialize>(
    mut writer: LinesWriter<T>,
    batches: &Receiver<Vec<T>>,
    idle: &AtomicBool,
) -> Result<(), FileError> {
    loop {
        let batch = match batches.try_recv() {
            Ok(batch) => batch,
            Err(TryRecvError::Empty) => {
                writer.flush()?;
                idle.store(true, Ordering::Relaxed);
                let Ok(batch) = batches.recv() else { break };
                idle.store(false, Ordering::Relaxed);
                batch
            }
            Err(TryRecvError::Disconnected) => break,
        };
        for record in batch {
            writer.write(&record)?;
        }
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::read_lines;
    use crate::trace::Rejection;

    fn rejection(iteration: u64) -> Rejection {
        let text = || "x".repeat(1000);
        Rejection { iteration, level: 1, reason: text(), message: text(), mvar_id: text(), tactic: text() }
    }

    #[test]
    fn everything_is_written_in_order_also_on_drop() {
        let directory = tempfile::tempdir().unwrap();
        for (name, finish) in [("a.jsonl", true), ("b.jsonl", false)] {
            let path = directory.path().join(name);
            let mut writer = BackgroundWriter::create(&path, Kind::Trace).unwrap();
            (0..10_000).for_each(|i| writer.write(rejection(i)));
            if finish {
                writer.finish().unwrap();
            } else {
                drop(writer);
            }
            let records = read_lines::<Rejection>(&path, Kind::Trace).unwrap().records;
            assert!(records.iter().map(|r| r.iteration).eq(0..10_000));
        }
    }

    #[test]
    fn a_full_disk_is_an_error_in_the_end() {
        let mut writer = BackgroundWriter::create(Path::new("/dev/full"), Kind::Trace).unwrap();
        (0..10_000).for_each(|i| writer.write(rejection(i)));
        let error = writer.finish().unwrap_err().to_string();
        assert!(error.contains("/dev/full"), "{error}");
    }
}
