//! Recorded exchanges: pairs of a request and its response, one a line, with the session that they belong to, in order.

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

/// Reads the sessions of a file, in order, with their names. Panics if it is not one: the files are part of the tests.
pub fn read(path: &Path) -> Vec<(String, Vec<Pair>)> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut sessions: Vec<(String, Vec<Pair>)> = Vec::new();
    for line in text.lines() {
        let (session, pair) = pair(line).unwrap_or_else(|| panic!("{}: {line}", path.display()));
        match sessions.last_mut() {
            Some((last, pairs)) if *last == session => pairs.push(pair),
            _ => sessions.push((session, vec![pair])),
        }
    }
    sessions
}

fn pair(line: &str) -> Option<(String, Pair)> {
    let Value::Object(mut pair) = serde_json::from_str(line).ok()? else { return None };
    let session = pair.remove("session")?.as_str()?.to_owned();
    Some((session, Pair { request: pair.remove("request")?, response: pair.remove("response")? }))
}

/// Plays a recorded session: each request must be the next one.
pub struct Player {
    pairs: std::vec::IntoIter<Pair>,
}

impl Player {
    /// A player of a session, given as `FILE#SESSION`.
    pub fn new(place: &str) -> Self {
        let (file, session) = place.rsplit_once('#').expect("a session is FILE#SESSION");
        let found = read(Path::new(file)).into_iter().find(|(name, _)| name == session);
        let (_, pairs) = found.unwrap_or_else(|| panic!("{file} has no session {session}"));
        Self { pairs: pairs.into_iter() }
    }

    /// The response to a request, or what was expected instead.
    pub fn answer(&mut self, request: &str) -> Result<Value, String> {
        let next = self
            .pairs
            .next()
            .ok_or_else(|| format!("nothing more was recorded, but asked was: {request}"))?;
        match serde_json::from_str::<Value>(request) {
            Ok(asked) if asked == next.request => Ok(next.response),
            _ => Err(format!("expected: {}\nasked: {request}", next.request)),
        }
    }
}
