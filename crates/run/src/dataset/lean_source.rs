//! `.lean` files, as far as `mini` reads them: every theorem whose proof is `sorry` is a problem.

use std::path::Path;

use andor_core::theorem::{System, Theorem};
use andor_env::mini::source::{SourceTheorem, statement_name, theorems};

use super::{DatasetError, Problem};

pub(super) fn read(path: &Path, text: &str) -> Result<Vec<Problem>, DatasetError> {
    let found = theorems(text).map_err(|e| DatasetError::Malformed {
        path: path.to_owned(),
        line: Some(e.line),
        what: format!("{} (column {}); the system `mini` reads a fragment of Lean 4", e.what, e.column),
    })?;
    let problems = found.iter().filter(|t| !t.finished).map(|t| Problem {
        theorem: Theorem {
            id: t.name.clone(),
            name: t.name.clone(),
            system: System::Mini,
            header: header(text, &found, t.command.start),
            statement: text[t.start..t.end].trim_end().to_owned(),
            footer: String::new(),
            extra_imports: Vec::new(),
        },
        fields: serde_json::Map::new(),
    });
    Ok(problems.collect())
}

/// What stands before a place, but for theorems without proof and the comments right above them: no proof may rest on
/// those.
fn header(text: &str, found: &[SourceTheorem], end: usize) -> String {
    let (mut kept, mut at) = (String::new(), 0);
    for open in found.iter().filter(|t| !t.finished && t.command.end <= end) {
        kept += &text[at..with_comment(text, open.command.start)];
        at = open.command.end;
        at += text[at..end].find(|c: char| !c.is_whitespace()).unwrap_or(end - at);
    }
    kept + &text[at..end]
}

/// Where the lines of comment begin that end right above a place; the place itself when there are none.
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

/// The name that a statement gives to its theorem, or what is wrong with it.
pub(super) fn name(header: &str, statement: &str) -> Result<String, String> {
    match statement_name(header, statement) {
        Ok(Some(name)) => Ok(name),
        Ok(None) => Err("it should state one theorem, like `theorem name : 1 = 1`".to_owned()),
        Err(error) => Err(format!("the statement cannot be read: {}", error.what)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theorems_before_are_in_the_header_only_when_they_are_proved() {
        let text = "-- A file.\n\n-- One.\ntheorem a : True := by\n  sorry\n\n/- two -/ theorem b : True := trivial\n\n\
                    -- Three,\n-- still.\n@[simp] theorem c : 1 = 1 := sorry\n-- Four.\nexample : 2 = 2 := by sorry\n";
        let problems = read(Path::new("f.lean"), text).unwrap();
        let header = |at: usize| problems[at].theorem.header.as_str();
        assert_eq!(header(0), "-- A file.\n\n-- One.\n");
        assert_eq!(
            header(1),
            "-- A file.\n\n/- two -/ theorem b : True := trivial\n\n-- Three,\n-- still.\n"
        );
        assert_eq!(header(2), "-- A file.\n\n/- two -/ theorem b : True := trivial\n\n-- Four.\n");
        assert_eq!(problems[1].theorem.statement, "theorem c : 1 = 1");
    }
}
