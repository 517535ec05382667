//! Recorded exchanges: pairs of a request and its response, one a line, in order.

use std::path::Path;

use serde_json::Value;

/// A request and its response.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// What was sent.
    pub request: Value,
    /// What came back.
    pub response: Value,
}

/// Reads a file of pairs. Panics if it is not one: the files are part of the tests.
pub fn read(path: &Path) -> Vec<Pair> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| pair(line).unwrap_or_else(|| panic!("{}: {line}", path.display()))).collect()
}

fn pair(line: &str) -> Option<Pair> {
    let Value::Object(mut pair) = serde_json::from_str(line).ok()? else { return None };
    Some(Pair { request: pair.remove("request")?, response: pair.remove("response")? })
}

/// Plays recorded exchanges: each request must be the next one.
pub struct Player {
    pairs: std::vec::IntoIter<Pair>,
}

impl Player {
    /// A player of a file.
    pub fn new(path: &Path) -> Self {
        Self { pairs: read(path).into_iter() }
    }

    /// The response to a request, or what was expected instead.
    pub fn answer(&mut self, request: &str) -> Result<Value, String> {
        let next = self.pairs.next().ok_or_else(|| format!("nothing more was recorded, but asked was: {request}"))?;
        match serde_json::from_str::<Value>(request) {
            Ok(asked) if asked == next.request => Ok(next.response),
            _ => Err(format!("expected: {}\nasked: {request}", next.request)),
        }
    }
}
