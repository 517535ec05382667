//! `.lean` files: every theorem whose proof is `sorry`, or has one in it, is a problem. A file with imports is for
//! Lean 4, since `mini` has no imports; any other is for `mini`, unless Lean 4 is requested.

use std::ops::Range;
use std::path::Path;

use andor_core::theorem::{System, Theorem};
use andor_env::mini::outline::outline;
use andor_env::mini::source::{FileError, statement_name, theorems};
use serde_json::Map;

use super::{DatasetError, Problem, Stated, drafts, lean, line_of, row_theorem};

pub(super) fn read(path: &Path, text: &str, wanted: Option<System>) -> Result<Vec<Stated>, DatasetError> {
    match wanted.filter(|s| matches!(s, System::Lean4 | System::Mini)).unwrap_or_else(|| system(text)) {
        System::Lean4 => Ok(of_lean(text)),
        _ => of_mini(text).map_err(|e| {
            let what =
                format!("{} (column {}); the system `mini` reads a fragment of Lean 4", e.what, e.column);
            DatasetError::malformed(path, Some(e.line), what)
        }),
    }
}

/// The system of a file.
pub(super) fn system(text: &str) -> System {
    if lean::imports(text) { System::Lean4 } else { System::Mini }
}

fn of_mini(text: &str) -> Result<Vec<Stated>, FileError> {
    let found = theorems(text)?;
    let open: Vec<Range<usize>> = found.iter().filter(|t| !t.finished).map(|t| t.command.clone()).collect();
    let stated = found.into_iter().map(|t| {
        let theorem = Theorem {
            id: t.name.clone(),
            name: t.name,
            system: System::Mini,
            header: header(text, &open, t.command.start),
            statement: text[t.start..t.end].trim_end().to_owned(),
            footer: String::new(),
            extra_imports: Vec::new(),
        };
        let mut fields = Map::new();
        if !t.finished && outline(&text[t.end..t.command.end]).has_tactics() {
            fields.insert(drafts::FIELD.to_owned(), drafts::field(text, t.end, t.command.end));
        }
        let problem = Problem { theorem, fields };
        Stated { problem, finished: t.finished, line: line_of(text, t.start) }
    });
    Ok(stated.collect())
}

fn of_lean(text: &str) -> Vec<Stated> {
    let found = lean::theorems(text);
    let open: Vec<Range<usize>> = found.iter().filter(|t| !t.finished).map(|t| t.command.clone()).collect();
    let stated = found.into_iter().map(|t| {
        let name = t.name.unwrap_or_else(|| "_instance".to_owned());
        let theorem = Theorem {
            id: name.clone(),
            name,
            system: System::Lean4,
            // Whatever precedes `theorem` in its command, such as attributes, is needed.
            header: header(text, &open, t.command.start) + &text[t.command.start..t.start],
            statement: text[t.start..t.end].trim_end().to_owned(),
            footer: t.closers,
            extra_imports: Vec::new(),
        };
        let mut fields = Map::new();
        row_theorem::note_holes(&theorem, &mut fields);
        Stated { problem: Problem { theorem, fields }, finished: t.finished, line: line_of(text, t.start) }
    });
    stated.collect()
}

/// The text before a position, without unfinished theorems and the comments directly above them, since no proof may
/// depend on those.
fn header(text: &str, open: &[Range<usize>], end: usize) -> String {
    let (mut kept, mut at) = (String::new(), 0);
    for command in open.iter().filter(|c| c.end <= end) {
        kept += &text[at..with_comment(text, command.start).max(at)];
        at = command.end;
        at += text[at..end].find(|c: char| !c.is_whitespace()).unwrap_or(end - at);
    }
    kept + &text[at..end]
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

/// The name of the theorem in a statement, or the reason why there is none.
pub(super) fn name(header: &str, statement: &str) -> Result<String, String> {
    match statement_name(header, statement) {
        Ok(Some(name)) => Ok(name),
        Ok(None) => Err("it should state one theorem, like `theorem name : 1 = 1`".to_owned()),
        Err(error) => Err(format!("cannot parse the statement: {}", error.what)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theorems_before_are_in_the_header_only_when_they_are_proved() {
        let text = "-- A file.\n\n-- One.\ntheorem a : True := by\n  sorry\n\n/- two -/ theorem b : True := trivial\n\n\
                    -- Three,\n-- still.\n@[simp] theorem c : 1 = 1 := sorry\n-- Four.\nexample : 2 = 2 := by sorry\n";
        let mut problems: Vec<Stated> = read(Path::new("f.lean"), text, None).unwrap();
        problems.retain(|s| !s.finished);
        let header = |at: usize| problems[at].problem.theorem.header.as_str();
        assert_eq!(header(0), "-- A file.\n\n-- One.\n");
        assert_eq!(
            header(1),
            "-- A file.\n\n/- two -/ theorem b : True := trivial\n\n-- Three,\n-- still.\n"
        );
        assert_eq!(header(2), "-- A file.\n\n/- two -/ theorem b : True := trivial\n\n-- Four.\n");
        assert_eq!(problems[1].problem.theorem.statement, "theorem c : 1 = 1");
    }
}
