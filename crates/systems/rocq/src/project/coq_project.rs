//! Parser of `_CoqProject` and `_RocqProject`, compatible with `coq_makefile` (`lib/coqProject_file.ml` in Rocq's
//! sources): words separated by white space, comments from `#` to the end of the line, double quotes around whole
//! words, and single quotes within the argument of `-arg`.

use std::path::{Path, PathBuf};

use andor_core::load_path::Binding;

use super::{ProjectError, Said, Stated};

/// A word and its line, from 1.
type Word = (usize, String);

/// The contents of a project file.
pub(super) fn read(text: &str, file: &Path) -> Result<Said, ProjectError> {
    let malformed = |line, what: String| ProjectError::Malformed { path: file.to_owned(), line, what };
    let folder = file.parent().unwrap_or(Path::new("/"));
    let words = words(text).map_err(|line| malformed(line, "a quoted word is not closed".to_owned()))?;
    let mut said = Said::default();
    let mut rest = words.into_iter();
    while let Some((line, word)) = rest.next() {
        let mut argument = || match rest.next() {
            Some((_, argument)) => Ok(argument),
            None => Err(malformed(line, format!("`{word}` needs a value after it"))),
        };
        match word.as_str() {
            "-Q" | "-R" => {
                let binding = if word == "-Q" { Binding::Q } else { Binding::R };
                // Removes `.` components.
                let sources: PathBuf = folder.join(argument()?).components().collect();
                let name = argument()?;
                said.bindings.push(Stated { binding, compiled: sources.clone(), sources, name });
            }
            "-arg" => said.options.extend(unquoted(&argument()?)),
            "-I" => said.options.extend([word.clone(), argument()?]),
            "-native-compiler" | "-docroot" | "-generate-meta-for-package" | "=" => drop(argument()?),
            option if option.starts_with('-') => said.options.push(word),
            // A source, or a variable of the makefile.
            _ => {}
        }
    }
    Ok(said)
}

/// The words of a project file, or the line of an unclosed quote.
fn words(text: &str) -> Result<Vec<Word>, usize> {
    let is_space = |c: char| matches!(c, ' ' | '\n' | '\r' | '\t');
    let (mut words, mut line, mut rest) = (Vec::new(), 1, text);
    while let Some(first) = rest.chars().next() {
        let (length, word) = match first {
            c if is_space(c) => (1, None),
            '#' => (rest.find('\n').unwrap_or(rest.len()), None),
            '"' => {
                let length = rest[1..].find('"').ok_or(line)?;
                (length + 2, Some(&rest[1..=length]))
            }
            _ => {
                let length = rest.find(|c| is_space(c) || c == '#').unwrap_or(rest.len());
                (length, Some(&rest[..length]))
            }
        };
        words.extend(word.map(|word| (line, word.to_owned())));
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    Ok(words)
}

/// The options in the argument of `-arg`, separated by spaces outside single quotes.
fn unquoted(argument: &str) -> Vec<String> {
    let (mut options, mut option, mut is_quoted) = (Vec::new(), None::<String>, false);
    for c in argument.chars() {
        match c {
            '\'' => {
                is_quoted = !is_quoted;
                option.get_or_insert_default();
            }
            ' ' if !is_quoted => options.extend(option.take()),
            c => option.get_or_insert_default().push(c),
        }
    }
    options.extend(option);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_coq_makefile() {
        let text = "-R theories Proj # -Q no No\n-Q \"a b\" \"\"\t-arg -w#comment\n\n\"x";
        assert_eq!(words(text), Err(4));
        let text = text.trim_end_matches("\"x");
        let expected = ["-R", "theories", "Proj", "-Q", "a b", "", "-arg", "-w"];
        assert_eq!(words(text).unwrap().iter().map(|(_, word)| word.as_str()).collect::<Vec<_>>(), expected);
        assert_eq!(unquoted("-w 'a  b'c '' d"), ["-w", "a  bc", "", "d"]);
    }

    #[test]
    fn bindings_and_options_are_read() {
        let text = "-R ./theories Proj\n-Q ../other Other.Lib\n-arg \"-w all\"\n-arg -impredicative-set\n-I src\n\
                    -docroot Proj\nVARIABLE = value\ntheories/A.v\n";
        let said = read(text, Path::new("/p/_CoqProject")).unwrap();
        let bound = |binding, folder: &str, name: &str| Stated {
            binding,
            sources: folder.into(),
            compiled: folder.into(),
            name: name.to_owned(),
        };
        assert_eq!(
            said.bindings,
            [bound(Binding::R, "/p/theories", "Proj"), bound(Binding::Q, "/p/../other", "Other.Lib")]
        );
        assert_eq!(said.options, ["-w", "all", "-impredicative-set", "-I", "src"]);
        let error = read("\n-Q theories\n", Path::new("/p/_CoqProject")).unwrap_err().to_string();
        assert!(error.starts_with("/p/_CoqProject, line 2: `-Q` needs a value"), "{error}");
    }
}
