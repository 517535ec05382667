//! Dune projects: the theories declared in `dune` files (dune's manual, "coq.theory"). Dune compiles them in
//! `_build/default`, which mirrors the project's folders.

use std::path::{Path, PathBuf};

use andor_core::load_path::Binding;
use andor_env::source::ReadFile;
use walkdir::WalkDir;

use super::{ProjectError, Said, Stated};

/// Dune's build folder.
pub(super) const BUILT: &str = "_build";

/// Files at the root of a project or workspace.
const ROOTS: [&str; 2] = ["dune-project", "dune-workspace"];

/// Whether the folder is the root of a dune project.
pub(super) fn is_project(folder: &Path) -> bool {
    ROOTS.iter().any(|name| folder.join(name).is_file())
}

/// Whether the folder is the root of a dune project, and dune has built something there or above.
pub(super) fn is_built(folder: &Path) -> bool {
    is_project(folder) && root(folder).join(BUILT).is_dir()
}

/// The path of a source in the project, if it was generated or copied into the build folder.
fn as_written(root: &Path, source: &Path) -> PathBuf {
    let built = source.strip_prefix(root.join(BUILT)).ok();
    // The first component is the build context, usually `default`.
    built.map_or_else(|| source.to_owned(), |built| root.join(built.iter().skip(1).collect::<PathBuf>()))
}

/// The root that dune uses when it is called in `folder`: the outermost folder with a root file.
pub(super) fn root(folder: &Path) -> &Path {
    folder.ancestors().filter(|above| is_project(above)).last().unwrap_or(folder)
}

/// The theories of a project. Theories whose folder contains `source` or lies within it are bound as when dune
/// compiles them, with short module names; the others as dependencies.
pub(super) fn read(root: &Path, source: &Path, read: ReadFile<'_>) -> Result<Said, ProjectError> {
    let mut said = Said::default();
    let source = &as_written(root, source);
    let walk = WalkDir::new(root).sort_by_file_name().into_iter().filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !(name.starts_with('.') || name == BUILT)
    });
    for entry in walk.flatten().filter(|e| e.file_type().is_file() && e.file_name() == "dune") {
        let file = entry.path();
        let text = read(file)?;
        // Such a file is an OCaml program that generates stanzas.
        if text.starts_with("(* -*- tuareg -*- *)") {
            continue;
        }
        let malformed =
            |(line, what)| ProjectError::Malformed { path: file.to_owned(), line, what: str::to_owned(what) };
        let stanzas = read_all(&text).map_err(malformed)?;
        let sources = file.parent().unwrap_or(root);
        let compiled = root.join(BUILT).join("default").join(sources.strip_prefix(root).unwrap_or(sources));
        for theory in stanzas.iter().filter_map(|stanza| stanza.of(&["coq.theory", "rocq.theory"])) {
            let field = |name| theory.iter().find_map(|field| field.of(&[name]));
            let Some([Sexp::Atom(name)]) = field("name") else { continue };
            let is_own = source.starts_with(sources) || sources.starts_with(source);
            let binding = if is_own { Binding::R } else { Binding::Q };
            let (sources, compiled) = (sources.to_owned(), compiled.clone());
            said.bindings.push(Stated { binding, sources, compiled, name: name.clone() });
            if is_own {
                field("flags").unwrap_or_default().iter().for_each(|flag| flag.atoms(&mut said.options));
            }
        }
    }
    Ok(said)
}

/// An S-expression of a `dune` file.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Sexp {
    Atom(String),
    List(Vec<Sexp>),
}

impl Sexp {
    /// The rest of a list whose first word is one of `names`.
    fn of(&self, names: &[&str]) -> Option<&[Self]> {
        match self {
            Self::List(items) => match &items[..] {
                [Self::Atom(first), rest @ ..] if names.contains(&first.as_str()) => Some(rest),
                _ => None,
            },
            Self::Atom(_) => None,
        }
    }

    /// Appends its atoms in order.
    fn atoms(&self, words: &mut Vec<String>) {
        let mut waiting = vec![self];
        while let Some(next) = waiting.pop() {
            match next {
                Self::Atom(word) => words.push(word.clone()),
                Self::List(items) => waiting.extend(items.iter().rev()),
            }
        }
    }
}

/// The S-expressions of a file, or the line, from 1, and description of an error.
fn read_all(text: &str) -> Result<Vec<Sexp>, (usize, &'static str)> {
    let (mut line, mut rest) = (1, text);
    // The open lists, each with the line on which it begins; first the file itself.
    let mut open = vec![(0, Vec::new())];
    while let Some(first) = rest.chars().next() {
        let mut add = |item| open.last_mut().expect("the file stays open").1.push(item);
        let length = match first {
            '(' => {
                open.push((line, Vec::new()));
                1
            }
            ')' => {
                let (_, items) = open.pop().filter(|_| !open.is_empty()).ok_or((line, "`)` without `(`"))?;
                open.last_mut().expect("the file stays open").1.push(Sexp::List(items));
                1
            }
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '"' => {
                let length = quoted(rest).ok_or((line, "the string is not closed"))?;
                add(Sexp::Atom(rest[1..length - 1].replace("\\\"", "\"").replace("\\\\", "\\")));
                length
            }
            c if c.is_whitespace() => c.len_utf8(),
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | ';');
                let length = rest.find(ends).unwrap_or(rest.len());
                add(Sexp::Atom(rest[..length].to_owned()));
                length
            }
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    match open.pop() {
        Some((_, items)) if open.is_empty() => Ok(items),
        last => Err((last.map_or(line, |(line, _)| line), "`(` is not closed")),
    }
}

/// The length of the string at the beginning of a text, including its quotes.
fn quoted(text: &str) -> Option<usize> {
    // Skips the opening quote.
    let mut is_escaped = true;
    let end = text.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    });
    end.map(|end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read() {
        let text =
            "; a comment (\n(coq.theory\n (name A.B) ; another\n (flags (:standard \"-w\" \"a \\\"b\")))(x)";
        let stanzas = read_all(text).unwrap();
        assert_eq!(stanzas.len(), 2);
        let theory = stanzas[0].of(&["rocq.theory", "coq.theory"]).unwrap();
        assert_eq!(theory[0].of(&["name"]), Some(&[Sexp::Atom("A.B".to_owned())][..]));
        let mut flags = Vec::new();
        theory[1].atoms(&mut flags);
        assert_eq!(flags, ["flags", ":standard", "-w", "a \"b"]);
        assert_eq!(read_all("(a\n(b)\n"), Err((1, "`(` is not closed")));
        assert_eq!(read_all("a\n)"), Err((2, "`)` without `(`")));
        assert_eq!(read_all("\n\"x"), Err((2, "the string is not closed")));
    }
}
