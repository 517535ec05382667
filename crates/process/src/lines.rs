//! Lines of bounded length from a program.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// A line of a program's output, without its line break.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A complete line.
    Whole(Vec<u8>),
    /// A line beyond the limit; it is not kept.
    TooLong,
}

/// Reads lines, and forgets those that are too long.
#[derive(Debug)]
pub struct Lines<R> {
    source: R,
    max: usize,
    /// The current line so far; `None` once it is too long.
    line: Option<Vec<u8>>,
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    /// Reads lines of at most `max` bytes each.
    pub fn new(source: R, max: usize) -> Self {
        Self { source, max, line: Some(Vec::new()) }
    }

    /// The next line; `None` at the end of the output. What follows the last line break counts as a line. If the future is
    /// dropped, nothing is lost.
    pub async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let read = self.source.fill_buf().await?;
            let (part, end) = match read.iter().position(|&byte| byte == b'\n') {
                Some(at) => (&read[..at], Some(at + 1)),
                None => (read, None),
            };
            let is_last = read.is_empty();
            if let Some(line) = &mut self.line {
                line.extend_from_slice(part);
            }
            self.line.take_if(|line| line.len() > self.max);
            let used = end.unwrap_or(part.len());
            self.source.consume(used);
            if end.is_some() || is_last {
                let line = self.line.replace(Vec::new());
                return Ok(match line {
                    Some(line) if is_last && line.is_empty() => None,
                    Some(line) => Some(Line::Whole(line)),
                    None => Some(Line::TooLong),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::BufReader;

    use super::*;

    /// The limit in these tests.
    const MAX: usize = 1 << 20;

    async fn lines(text: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new(BufReader::with_capacity(7, text), MAX);
        let mut found = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            found.push(line);
        }
        found
    }

    #[tokio::test]
    async fn lines_end_at_breaks_and_at_the_end() {
        let whole = |text: &str| Line::Whole(text.into());
        assert_eq!(lines(b"").await, []);
        assert_eq!(lines(b"one\n\nanother line\n").await, [whole("one"), whole(""), whole("another line")]);
        assert_eq!(lines(b"one\ntwo").await, [whole("one"), whole("two")]);
    }

    #[tokio::test]
    async fn a_line_beyond_the_limit_is_skipped_and_the_next_one_read() {
        let longest = "a".repeat(MAX);
        let text = format!("{longest}\n{longest}a\nnext\n{longest}a");
        let next = Line::Whole("next".into());
        assert_eq!(
            lines(text.as_bytes()).await,
            [Line::Whole(longest.into()), Line::TooLong, next, Line::TooLong]
        );
    }
}
