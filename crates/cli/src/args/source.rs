//! Where theorems come from on the command line: a file, or one theorem in it.

use std::path::{Path, PathBuf};

/// `FILE`, `FILE:LINE` or `FILE#NAME`. A file of exactly that name goes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceFile {
    pub(crate) path: PathBuf,
    /// The theorem in it that is meant.
    pub(crate) part: Option<Part>,
}

/// A theorem in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The one at this line, from 1.
    Line(usize),
    /// The one with this name.
    Name(String),
}

impl SourceFile {
    pub(crate) fn of(given: PathBuf) -> Self {
        let whole = |path| Self { path, part: None };
        let Some(text) = given.to_str().filter(|_| !given.exists()) else { return whole(given) };
        let named = text.rsplit_once('#').map(|(path, name)| (path, Part::Name(name.to_owned())));
        let numbered = |text: &str| {
            let (path, line) = text.rsplit_once(':')?;
            Some((path.to_owned(), line.parse::<usize>().ok()?))
        };
        let line = numbered(text);
        // A column may follow, as in messages of compilers.
        let column = line.as_ref().and_then(|(path, _)| numbered(path));
        let lines = [line, column].into_iter().flatten().map(|(path, line)| (path, Part::Line(line)));
        let mut found = named.map(|(path, part)| (path.to_owned(), part)).into_iter().chain(lines);
        match found.find(|(path, _)| Path::new(path).is_file()) {
            Some((path, part)) => Self { path: path.into(), part: Some(part) },
            None => whole(given),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_be_followed_by_a_line_or_a_name() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.v", "b#c.v", "d:3"] {
            fs_err::write(folder.path().join(name), "").unwrap();
        }
        let of = |text: &str| {
            let SourceFile { path, part } = SourceFile::of(folder.path().join(text));
            (path.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned(), part)
        };
        let name = |text: &str| Some(Part::Name(text.to_owned()));
        for (given, path, part) in [
            ("a.v", "a.v", None),
            ("a.v:12", "a.v", Some(Part::Line(12))),
            ("a.v:12:7", "a.v", Some(Part::Line(12))),
            ("a.v#M.t", "a.v", name("M.t")),
            ("a.v:x", "a.v:x", None),
            ("b#c.v", "b#c.v", None),
            ("b#c.v:1", "b#c.v", Some(Part::Line(1))),
            ("b#c.v#t", "b#c.v", name("t")),
            ("d:3", "d:3", None),
            ("none.v:1", "none.v:1", None),
        ] {
            assert_eq!(of(given), (path.to_owned(), part), "{given}");
        }
    }
}
