//! `.lean` files: every theorem whose proof is `sorry`, or has one in it, is a problem. A file with imports, or in a Lake
//! project, is for Lean 4; any other is for `mini`, which has no imports, unless Lean 4 is requested.

use andor_system_lean::LEAN4;
use andor_system_mini::MINI;
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use andor_core::theorem::{System, Theorem};
use andor_env::outline::Place;
use andor_lean_language::lexer::readable;
use andor_lean_language::outline::outline;
use andor_system_lean::source::{Sort, SourceTheorem, declarations, imports, places_of_names};
use andor_system_mini::source::{FileError, statement_name, theorems};
use serde_json::Map;

use super::{DatasetError, Problem, RefusedRow, SourcePlace, Stated, drafts, line_of, project, row_theorem};

/// The theorems of a file.
#[derive(Default)]
pub(super) struct Found {
    /// Its theorems.
    pub(super) stated: Vec<Stated>,
    /// Unfinished declarations that cannot be proved.
    pub(super) refused: Vec<RefusedRow>,
}

pub(super) fn read(path: &Path, text: &str, wanted: Option<System>) -> Result<Found, DatasetError> {
    match wanted.filter(|s| [LEAN4, MINI].contains(s)).unwrap_or_else(|| system(path, text)) {
        system if system == LEAN4 => of_lean(path, text),
        _ => {
            let stated = of_mini(path, text).map_err(|e| {
                let what = format!("{}; the system `mini` reads a fragment of Lean 4", e.what);
                DatasetError::malformed_at(path, Place { line: e.line, column: e.column }, what)
            })?;
            Ok(Found { stated, refused: Vec::new() })
        }
    }
}

/// The system of a file.
pub(super) fn system(path: &Path, text: &str) -> System {
    let is_of_lean4 = !imports(text).is_empty() || project::lake(path).is_some();
    if is_of_lean4 { LEAN4 } else { MINI }
}

fn of_mini(path: &Path, text: &str) -> Result<Vec<Stated>, FileError> {
    let mut open = Open::of(text);
    let stated = theorems(text)?.into_iter().map(|mut t| {
        t.finished &= !leaves_open(&text[t.end..t.command.end]);
        let header = open.header(t.command.start, t.end);
        if !t.finished {
            open.add(t.command.clone(), &t.name);
        }
        let statement = text[t.start..t.end].trim_end().to_owned();
        // An `example` is named by its number, and the header lacks the open ones before it.
        let of_example = || name(&header, &statement).ok();
        let called = if statement.starts_with("example") { of_example() } else { None };
        let theorem = Theorem {
            name: called.unwrap_or_else(|| t.name.clone()),
            id: t.name,
            system: MINI,
            header,
            statement,
            footer: String::new(),
            extra_imports: Vec::new(),
        };
        let mut fields = Map::new();
        if !t.finished && outline(&text[t.end..t.command.end]).has_tactics() {
            fields.insert(drafts::FIELD.to_owned(), drafts::field(text, t.end, t.command.end));
        }
        let line = line_of(text, t.start);
        let (statement, proof) = (t.start..t.end, t.end..t.command.end);
        let lines = line..=line_of(text, proof.end);
        let place = Some(SourcePlace { file: path.to_owned(), lines, statement, proof });
        let problem = Problem { theorem, fields, place };
        Stated { problem, finished: t.finished, line }
    });
    Ok(stated.collect())
}

fn of_lean(path: &Path, text: &str) -> Result<Found, DatasetError> {
    let all = declarations(text).map_err(|unclosed| {
        DatasetError::malformed_at(path, Place::of(text, unclosed.at), unclosed.to_string())
    })?;
    let mut found = Found::default();
    let mut open = Open::of(text);
    for mut declared in all {
        if declared.sort == Sort::Theorem {
            declared.finished &= !leaves_open(&text[declared.end..declared.command.end]);
        }
        let line = line_of(text, declared.start);
        let is_theorem = declared.sort == Sort::Theorem;
        let is_open = !declared.finished && (is_theorem || declared.gives_up);
        let why = || unprovable(&declared).or_else(|| of_fields(&text[declared.end..], &declared));
        if let Some(why) = is_open.then(why).flatten() {
            // An abbreviation left open is an answer to be put in, which a note tells.
            let is_answer = text[declared.start..].starts_with("abbrev");
            found.refused.extend((!is_answer).then_some(RefusedRow { line: Some(line), what: why }));
            continue;
        }
        // The header of one in a `mutual` block would be a part of the block.
        if !is_theorem || declared.in_mutual {
            continue;
        }
        let Range { start, end } = declared.command.clone();
        let (before, statement) = parts(&text[start..end], &declared.within(start));
        let name = declared.name.clone().unwrap_or_default();
        let theorem = Theorem {
            id: name.clone(),
            name: name.clone(),
            system: LEAN4,
            header: open.header(start, declared.end) + &before,
            statement,
            footer: declared.closers,
            extra_imports: Vec::new(),
        };
        let mut fields = Map::new();
        row_theorem::note_holes(&theorem, &mut fields);
        if !declared.finished {
            if outline(&text[declared.end..end]).has_tactics() {
                fields.insert(drafts::FIELD.to_owned(), drafts::field(text, declared.end, end));
            }
            open.add(start..end, &name);
        }
        let place = Some(SourcePlace {
            file: path.to_owned(),
            lines: line..=line_of(text, end),
            statement: declared.start..declared.end,
            proof: declared.end..end,
        });
        let problem = Problem { theorem, fields, place };
        found.stated.push(Stated { problem, finished: declared.finished, line });
    }
    Ok(found)
}

/// Whether a proof ends with `?_` in a term, so that its goal stays open.
fn leaves_open(proof: &str) -> bool {
    proof.contains("?_") && outline(proof).has_holes()
}

/// Why a declaration cannot be proved as a theorem of its own, if so.
pub(super) fn unprovable(declared: &SourceTheorem) -> Option<String> {
    let name = declared.name.as_ref().map_or(String::new(), |name| format!(" `{name}`"));
    Some(match declared.sort {
        Sort::Instance => format!(
            "the instance{name} is left open; andor proves theorems: state what it needs as `theorem name : type`, and \
             give that to the instance"
        ),
        Sort::Definition => format!(
            "the definition{name} is left open; andor proves theorems, and chooses no definitions: put in its value"
        ),
        Sort::Theorem if declared.in_mutual => format!(
            "the theorem{name} is in a `mutual` block, whose other declarations may depend on it; state it outside"
        ),
        Sort::Theorem => return None,
    })
}

/// Why a theorem whose proof is this text cannot be proved, if its fields are given behind `where`.
fn of_fields(proof: &str, declared: &SourceTheorem) -> Option<String> {
    let name = declared.name.as_deref().unwrap_or_default();
    proof.starts_with("where").then(|| {
        format!("the proof of `{name}` is given by `where`, which andor does not read: write it as `:= ⟨…⟩` or `:= by …`")
    })
}

/// What stands in a text before a theorem in it, and its statement.
///
/// A private theorem is made public, since its name would be different in every file, and an example gets the name that
/// it has in results; neither changes what it states.
pub(super) fn parts(text: &str, declared: &SourceTheorem) -> (String, String) {
    let mut before = text[..declared.start].to_owned();
    let modifiers = declared.command.start..declared.start;
    if let Some(private) = readable(&text[modifiers.clone()]).0.iter().find(|token| token.is_word("private"))
    {
        let at = modifiers.start + private.start;
        let end = modifiers.start + private.end();
        let blank = text[end..].chars().next().filter(|c| c.is_whitespace()).map_or(0, char::len_utf8);
        before.replace_range(at..end + blank, "");
    }
    let mut statement = text[declared.start..declared.end].trim_end().to_owned();
    if let Some(rest) = statement.strip_prefix("example") {
        let name = declared.name.as_deref().and_then(|name| name.rsplit('.').next());
        statement = format!("theorem {}{rest}", name.unwrap_or("_example"));
    }
    (before, statement)
}

/// The unfinished theorems of a file so far.
struct Open<'a> {
    text: &'a str,
    /// Where names stand in the text.
    names: HashMap<&'a str, Vec<usize>>,
    /// The theorems, and where they are first mentioned.
    theorems: Vec<(Range<usize>, Option<usize>)>,
}

impl<'a> Open<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, names: places_of_names(text), theorems: Vec::new() }
    }

    fn add(&mut self, command: Range<usize>, name: &str) {
        let last = name.rsplit('.').next().unwrap_or_default();
        let mentioned = self.names.get(last).and_then(|at| at.iter().copied().find(|at| *at >= command.end));
        self.theorems.push((command, mentioned));
    }

    /// The text before the command of a theorem, given the ends of that text and of the theorem's statement. It is
    /// without unfinished theorems and the comments directly above them, since no proof may depend on those, unless
    /// something before the second end mentions them.
    fn header(&self, end: usize, of_statement: usize) -> String {
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
        let mut problems: Vec<Stated> = read(Path::new("f.lean"), text, None).unwrap().stated;
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

    #[test]
    fn an_unfinished_theorem_that_a_proof_above_mentions_is_in_the_header() {
        let text = "theorem a : True := sorry\ntheorem b : True := a\ntheorem c : True := sorry\n";
        for system in [MINI, LEAN4] {
            let found = read(Path::new("f.lean"), text, Some(system)).unwrap().stated;
            let headers: Vec<&str> = found.iter().map(|s| s.problem.theorem.header.as_str()).collect();
            let above = "theorem a : True := sorry\ntheorem b : True := a\n";
            assert_eq!(headers, ["", "", above], "{system}");
        }
    }

    #[test]
    fn a_proof_by_fields_is_told() {
        let text = "theorem a (p : Prop) (h : p) : p ∧ p where\n  left := h\n  right := sorry\n\
                    theorem b : True ∧ True where\n  left := trivial\n  right := trivial\ntheorem c : True := sorry\n";
        let found = read(Path::new("f.lean"), text, Some(LEAN4)).unwrap();
        let statements: Vec<&str> =
            found.stated.iter().map(|s| s.problem.theorem.statement.as_str()).collect();
        assert_eq!(statements, ["theorem b : True ∧ True", "theorem c : True"]);
        assert!(found.stated[0].finished && found.refused.len() == 1);
        assert!(
            found.refused[0].what.starts_with("the proof of `a` is given by `where`"),
            "{:?}",
            found.refused
        );
    }
}
