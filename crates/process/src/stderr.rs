//! A child's standard error: always drained, with the end kept.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt};

/// Number of bytes kept.
const KEPT: usize = 16 * 1024;

/// The end of a child's standard error.
#[derive(Clone, Debug, Default)]
pub(super) struct Ring(Arc<Mutex<VecDeque<u8>>>);

impl Ring {
    /// Drains `source` into the buffer in the background, until its end.
    pub(super) fn drain(
        &self,
        mut source: impl AsyncRead + Unpin + Send + 'static,
    ) -> tokio::task::JoinHandle<()> {
        let ring = self.clone();
        tokio::spawn(async move {
            let mut chunk = vec![0; 8 * 1024];
            while let Ok(n @ 1..) = source.read(&mut chunk).await {
                ring.push(&chunk[..n]);
            }
        })
    }

    fn push(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().expect("nothing panics while holding the ring");
        kept.extend(bytes);
        let excess = kept.len().saturating_sub(KEPT);
        kept.drain(..excess);
    }

    /// The kept text.
    pub(super) fn text(&self) -> String {
        let kept = self.0.lock().expect("nothing panics while holding the ring");
        String::from_utf8_lossy(&kept.iter().copied().collect::<Vec<u8>>()).into_owned()
    }
}
