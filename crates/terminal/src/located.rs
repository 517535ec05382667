//! Places in users' files: `file:line:column`, and the line itself with a caret below.

use std::path::{Path, PathBuf};

use andor_artifact::input;
use andor_artifact::result::TextPlace;
use andor_dataset::{Problem, SourcePlace};
use andor_env::in_place::Span;
use andor_env::outline::Place;
use console::measure_text_width;

use crate::shown;

/// A place in a file, with its line.
pub struct Located {
    file: PathBuf,
    place: Place,
    line: String,
}

impl Located {
    /// A place in a file. `None` if the file does not have it.
    pub fn of(file: &Path, place: Place) -> Option<Self> {
        let text = text(file)?;
        Self::within(file, &text, place)
    }

    fn within(file: &Path, text: &str, place: Place) -> Option<Self> {
        let line = text.lines().nth(place.line.checked_sub(1)?)?.to_owned();
        Some(Self { file: file.to_owned(), place, line })
    }

    /// The place in its file of what is refused of a theorem, given in its header and the statement behind it. The header may lack
    /// a part of the file.
    pub fn of_theorem(problem: &Problem, refused: &TextPlace) -> Option<Self> {
        let SourcePlace { file, at: Span { statement, .. }, .. } = problem.place.as_ref()?;
        let text = text(file)?;
        let header = &problem.theorem.header;
        let stated = Place::of(header, header.len());
        let at = Place {
            line: usize::try_from(refused.line).ok()?,
            column: usize::try_from(refused.column).ok()?,
        };
        if at >= stated {
            let column = if at.line == stated.line { at.column - stated.column + 1 } else { at.column };
            let within = Place { line: at.line - stated.line + 1, column };
            let start = Place::of(text.get(..statement.start)?, statement.start);
            return Self::within(file, &text, within.within(start));
        }
        let line = header.lines().nth(at.line - 1)?;
        // The options of a project stand before the first line.
        let own = text.lines().next().filter(|first| at.line == 1 && line.ends_with(*first));
        let column = at.column.checked_sub(line.chars().count() - own.unwrap_or(line).chars().count())?;
        let number = text.lines().skip(at.line - 1).position(|found| found == own.unwrap_or(line))?;
        Self::within(file, &text, Place { line: at.line + number, column })
    }

    /// `file:line:column`.
    pub fn head(&self) -> String {
        let Place { line, column } = self.place;
        format!("{}:{line}:{column}", self.file.display())
    }

    /// The line, or what of it surrounds the place, and a caret below, as two lines that end with a line break.
    pub fn caret(&self) -> String {
        const BEFORE: usize = 80;
        const BEHIND: usize = 40;
        let number = self.place.line.to_string();
        let at = self.place.column - 1;
        let first = at.saturating_sub(BEFORE);
        let mut line: String = self.line.chars().skip(first).take(at - first + BEHIND).collect();
        if first > 0 {
            line.insert(0, '…');
        }
        if self.line.chars().nth(at + BEHIND).is_some() {
            line.push('…');
        }
        let before = line.chars().take(at - first + usize::from(first > 0));
        let blank = |c: char| match c {
            '\t' => "\t".to_owned(),
            c => " ".repeat(measure_text_width(&shown::line(&c.to_string()))),
        };
        let indent: String = before.map(blank).collect();
        let line = shown::text(&line);
        format!("  {number} | {line}\n  {} | {indent}^\n", " ".repeat(number.len()))
    }
}

/// A file without a byte order mark, and with `\n` line ends.
fn text(file: &Path) -> Option<String> {
    if input::is_standard_input(file) {
        return None;
    }
    let text = input::text(file).ok()?;
    Some(text.trim_start_matches('\u{feff}').replace("\r\n", "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caret_stands_below_its_character() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.v");
        fs_err::write(&file, "one\r\n\tα 中 x\r\n").unwrap();
        let located = Located::of(&file, Place { line: 2, column: 6 }).unwrap();
        assert_eq!(located.head(), format!("{}:2:6", file.display()));
        assert_eq!(located.caret(), "  2 | \tα 中 x\n    | \t     ^\n");
        assert!(Located::of(&file, Place { line: 3, column: 1 }).is_none());
        fs_err::write(&file, "a".repeat(500) + "x" + &"b".repeat(500)).unwrap();
        let caret = Located::of(&file, Place { line: 1, column: 501 }).unwrap().caret();
        let (line, below) = caret.split_once('\n').unwrap();
        assert_eq!(line.chars().count(), "  1 | ".len() + 1 + 80 + 40 + 1, "{line}");
        assert_eq!(line.chars().position(|c| c == 'x'), below.find('^'));
    }
}
