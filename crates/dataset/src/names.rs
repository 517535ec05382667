//! Lists of names: one theorem of the accompanying sources per line, finished or not.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use andor_core::theorem::System;

use super::folder::{self, Source};
use super::{Dataset, DatasetError, Problem, StatedTheorem};

/// A line of a list.
enum Entry<'a> {
    /// `Full.name`
    Name(&'a str),
    /// `path/File.v:Full.name`
    InFile(&'a str, &'a str),
    /// `path/File.v:LINE`: the theorem at this line.
    AtLine(&'a str, usize),
}

impl<'a> Entry<'a> {
    fn of(text: &'a str) -> Self {
        match text.rsplit_once(':') {
            Some((file, place)) => match place.trim().parse() {
                Ok(line) => Self::AtLine(file.trim(), line),
                Err(_) => Self::InFile(file.trim(), place.trim()),
            },
            None => Self::Name(text),
        }
    }

    fn means(&self, relative: &Path, stated: &StatedTheorem, end: Option<usize>) -> bool {
        let name = &stated.problem.theorem.name;
        match *self {
            Self::Name(wanted) => name == wanted,
            Self::InFile(file, wanted) => relative == Path::new(file) && name == wanted,
            Self::AtLine(file, line) => {
                relative == Path::new(file) && stated.line <= line && end.is_none_or(|end| line < end)
            }
        }
    }
}

pub(super) fn read(path: &Path, text: &str, wanted: Option<System>) -> Result<Dataset, DatasetError> {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let sources = folder::sources(parent, wanted)?.complete()?;
    let entries = text
        .lines()
        .zip(1..)
        .map(|(line, number)| (line.split('#').next().unwrap_or_default().trim(), number));
    let mut chosen: Vec<(usize, Problem)> = Vec::new();
    let mut lines: HashMap<(usize, usize), usize> = HashMap::new();
    for (entry, number) in entries.filter(|(entry, _)| !entry.is_empty()) {
        let malformed = |what: String| DatasetError::malformed(path, Some(number), what);
        let matching = matching(&sources.found, &Entry::of(entry));
        let place = match matching[..] {
            [place] => place,
            [] => {
                let hidden = sources.found.iter().flat_map(|source| &source.stated.hidden);
                return Err(malformed(match hidden.into_iter().find(|hidden| hidden.name == entry) {
                    Some(hidden) => format!("theorem `{entry}` is {}", hidden.why),
                    None => format!("no theorem `{entry}` in the sources of {}", parent.display()),
                }));
            }
            _ => {
                let files: Vec<String> = matching
                    .iter()
                    .map(|(file, _)| sources.found[*file].relative.display().to_string())
                    .collect();
                return Err(malformed(format!(
                    "`{entry}` occurs several times; write `FILE:{entry}` with one of the files {}",
                    files.join(", ")
                )));
            }
        };
        if let Some(first) = lines.insert(place, number) {
            return Err(malformed(format!(
                "`{entry}` repeats the theorem of line {first}; remove one of them"
            )));
        }
        chosen.push((place.0, sources.found[place.0].stated.theorems[place.1].problem.clone()));
    }
    if chosen.is_empty() {
        return Err(DatasetError::malformed(
            path,
            None,
            "the list is empty; write one theorem name per line",
        ));
    }
    let files: Vec<PathBuf> = sources.found.into_iter().map(|s| s.relative).collect();
    Ok(Dataset {
        form: format!("a list of names in {}", sources.form),
        problems: folder::with_files(chosen, &files),
        notes: Vec::new(),
        refused: Vec::new(),
    })
}

/// The theorems that an entry refers to, as indices of sources and of theorems in them.
fn matching(sources: &[Source], entry: &Entry<'_>) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for (file, source) in sources.iter().enumerate() {
        for (at, stated) in source.stated.theorems.iter().enumerate() {
            let end = source.stated.theorems.get(at + 1).map(|next| next.line);
            if entry.means(&source.relative, stated, end) {
                places.push((file, at));
            }
        }
    }
    places
}
