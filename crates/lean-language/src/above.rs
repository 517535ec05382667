//! What stands above the theorems of a file.

use std::collections::HashMap;
use std::ops::Range;

use crate::declarations::places_of_names;

/// The unfinished theorems of a file so far.
#[derive(Debug)]
pub struct OpenTheorems<'a> {
    text: &'a str,
    /// Where names stand in the text.
    names: HashMap<&'a str, Vec<usize>>,
    /// The theorems, and where they are first mentioned.
    theorems: Vec<(Range<usize>, Option<usize>)>,
}

impl<'a> OpenTheorems<'a> {
    /// None yet, of this file.
    pub fn of(text: &'a str) -> Self {
        Self { text, names: places_of_names(text), theorems: Vec::new() }
    }

    /// Adds one, with its command.
    pub fn add(&mut self, command: Range<usize>, name: &str) {
        let last = name.rsplit('.').next().unwrap_or_default();
        let mentioned = self.names.get(last).and_then(|at| at.iter().copied().find(|at| *at >= command.end));
        self.theorems.push((command, mentioned));
    }

    /// The text before the command of a theorem, given the ends of that text and of the theorem's statement. It is
    /// without unfinished theorems and the comments directly above them, since no proof may depend on those, unless
    /// something before the second end mentions them.
    pub fn header(&self, end: usize, of_statement: usize) -> String {
        let (mut kept, mut at) = (String::new(), 0);
        let is_mentioned = |mentioned: Option<usize>| mentioned.is_some_and(|at| at < of_statement);
        for (command, _) in self.theorems.iter().filter(|(_, mentioned)| !is_mentioned(*mentioned)) {
            kept += &self.text[at..with_comment(self.text, command.start).max(at)];
            at = command.end;
            at += self.text[at..end].find(|c: char| !c.is_whitespace()).unwrap_or(end - at);
        }
        kept + &self.text[at..end]
    }
}

/// The start of the comment lines that end directly above a position; the position itself if there are none.
fn with_comment(text: &str, place: usize) -> usize {
    let mut begin = place;
    while let Some(before) = text[..begin].strip_suffix('\n') {
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        if !before[line..].starts_with("--") {
            break;
        }
        begin = line;
    }
    begin
}
