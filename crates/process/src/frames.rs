//! Splitting a byte stream into frames, with a bound on their size.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// Reads frames that end in a fixed byte string, or whose length is known. A read that is dropped loses nothing, since its bytes stay in the
/// buffer.
#[derive(Debug)]
pub struct FrameReader<R> {
    source: R,
    end: &'static [u8],
    max: usize,
    buffer: Vec<u8>,
    /// Length of the buffer's prefix that was already searched.
    searched: usize,
    /// Length of the buffer's prefix that was already returned.
    taken: usize,
}

/// Why no frame could be read.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The stream ended, possibly within a frame.
    #[error("the stream ended")]
    End,
    /// The frame exceeds the size limit.
    #[error("a frame of more than {0} bytes")]
    TooLarge(usize),
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl<R: AsyncRead + Unpin> FrameReader<R> {
    /// Reads frames that end in `end` (part of the frame), each at most `max` bytes long.
    pub fn new(source: R, end: &'static [u8], max: usize) -> Self {
        Self { source, end, max, buffer: Vec::new(), searched: 0, taken: 0 }
    }

    /// The next frame.
    pub async fn next(&mut self) -> Result<&[u8], FrameError> {
        self.buffer.drain(..self.taken);
        self.searched = self.searched.saturating_sub(self.taken);
        self.taken = 0;
        loop {
            if let Some(end) = self.find_end() {
                self.taken = end;
                self.searched = end;
                return Ok(&self.buffer[..end]);
            }
            if self.buffer.len() > self.max {
                return Err(FrameError::TooLarge(self.max));
            }
            self.buffer.reserve(64 * 1024);
            if self.source.read_buf(&mut self.buffer).await? == 0 {
                return Err(FrameError::End);
            }
        }
    }

    /// The next `length` bytes, for frames whose length is told beforehand.
    pub async fn next_bytes(&mut self, length: usize) -> Result<&[u8], FrameError> {
        if length > self.max {
            return Err(FrameError::TooLarge(self.max));
        }
        self.buffer.drain(..self.taken);
        (self.taken, self.searched) = (0, 0);
        while self.buffer.len() < length {
            self.buffer.reserve((length - self.buffer.len()).max(64 * 1024));
            if self.source.read_buf(&mut self.buffer).await? == 0 {
                return Err(FrameError::End);
            }
        }
        (self.taken, self.searched) = (length, length);
        Ok(&self.buffer[..length])
    }

    /// The bytes read but not returned, for error messages.
    pub fn pending(&self) -> &[u8] {
        &self.buffer[self.taken..]
    }

    fn find_end(&mut self) -> Option<usize> {
        // The end may begin in bytes that were already searched.
        let from = self.searched.saturating_sub(self.end.len() - 1);
        let last = *self.end.last().expect("frames end in something");
        let mut at = from;
        while let Some(offset) = self.buffer[at..].iter().position(|&b| b == last) {
            at += offset + 1;
            if self.buffer[..at].ends_with(self.end) {
                return Some(at);
            }
        }
        self.searched = self.buffer.len();
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads all frames when the stream arrives in pieces of the given size.
    fn frames(stream: &str, piece: usize) -> Vec<String> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (mut writer, reader) = tokio::io::duplex(piece);
            let bytes = stream.as_bytes().to_vec();
            tokio::spawn(async move { tokio::io::AsyncWriteExt::write_all(&mut writer, &bytes).await });
            let mut reader = FrameReader::new(reader, b"</value>", 100);
            let mut found = Vec::new();
            while let Ok(frame) = reader.next().await {
                found.push(String::from_utf8(frame.to_vec()).unwrap());
            }
            found
        })
    }

    #[test]
    fn frames_are_found_at_every_split() {
        let stream = "<value>∀ a</value><feedback/><value></valu</value>rest";
        for piece in 1..stream.len() + 1 {
            assert_eq!(
                frames(stream, piece),
                ["<value>∀ a</value>", "<feedback/><value></valu</value>"],
                "pieces of {piece}"
            );
        }
    }

    #[test]
    fn frames_of_a_told_length_follow_those_with_an_end() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut reader = FrameReader::new(&b"5</value>12345</value>rest"[..], b"</value>", 100);
            assert_eq!(reader.next().await.unwrap(), b"5</value>");
            assert_eq!(reader.next_bytes(5).await.unwrap(), b"12345");
            assert_eq!(reader.next().await.unwrap(), b"</value>");
            assert!(matches!(reader.next_bytes(101).await, Err(FrameError::TooLarge(100))));
            assert!(matches!(reader.next_bytes(5).await, Err(FrameError::End)));
        });
    }

    #[test]
    fn an_endless_frame_is_an_error() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let result = runtime.block_on(async {
            let mut reader = FrameReader::new(tokio::io::repeat(b'x'), b"</value>", 1000);
            reader.next().await.map(<[u8]>::to_vec)
        });
        assert!(matches!(result, Err(FrameError::TooLarge(1000))));
    }
}
