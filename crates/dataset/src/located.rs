//! Rows that say where a theorem is, as LeanDojo writes them: its file in a Lean project, its full name, and often the
//! place of its first and last character.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Component, Path};

use andor_env::source::Source;
use serde_json::{Map, Value};

use super::choice::canonical;
use super::rows::{Read, Row};
use super::{Dataset, Problem, RefusedRow, StatedTheorem, content, stated};

/// The proof of a theorem, recorded step by step. It is no part of the problem.
const PROOF: &str = "traced_tactics";

/// The theorems that rows locate in the sources of a project, finished or not.
pub(super) fn read(form: &str, rows: Vec<Read>, project: &Path, reader: &dyn Source) -> Dataset {
    let mut found: Vec<(usize, Result<Problem, RefusedRow>)> = Vec::with_capacity(rows.len());
    // One file at a time, since each of its theorems has the text above it as its header.
    let mut of_files: BTreeMap<String, Vec<(usize, Row)>> = BTreeMap::new();
    for (at, row) in rows.into_iter().enumerate() {
        let named = row.and_then(|row| Ok((text(&row.fields, "file_path").map_err(row.refusal())?, row)));
        match named {
            Ok((file, row)) => of_files.entry(file).or_default().push((at, row)),
            Err(refusal) => found.push((at, Err(refusal))),
        }
    }
    for (file, rows) in of_files {
        let theorems = theorems(project, &file, reader);
        found.extend(rows.into_iter().map(|(at, row)| {
            let refused = row.refusal();
            let theorems = theorems.as_deref().map_err(Clone::clone);
            (at, theorems.and_then(|theorems| problem(row.fields, &file, theorems)).map_err(refused))
        }));
    }
    found.sort_by_key(|(at, _)| *at);
    let (mut problems, mut refused) = (Vec::new(), Vec::new());
    for (_, found) in found {
        match found {
            Ok(problem) => problems.push(problem),
            Err(refusal) => refused.push(refusal),
        }
    }
    let notes = vec![format!(
        "the theorems are taken from the files of {} as they are; their commit is not compared with that of the rows",
        project.display()
    )];
    Dataset { form: form.to_owned(), problems, notes, refused }
}

/// The theorem of a row, among those of its file.
fn problem(
    mut fields: Map<String, Value>,
    file: &str,
    theorems: &[StatedTheorem],
) -> Result<Problem, String> {
    let name = text(&fields, "full_name")?;
    let lines = lines(&fields)?;
    let called = bare(&name);
    let of_name: Vec<&StatedTheorem> =
        theorems.iter().filter(|stated| stated.problem.theorem.name == called).collect();
    let Some(first) = of_name.first() else {
        return Err(format!(
            "no theorem `{name}` in {file} that andor can take; it takes none of a `mutual` block, and none that an attribute \
             such as `to_additive` makes"
        ));
    };
    let is_there = |stated: &&&StatedTheorem| lines.as_ref().is_none_or(|lines| lines.contains(&stated.line));
    let Some(stated) = of_name.iter().find(is_there) else {
        return Err(format!(
            "`{name}` is at line {} of {file}, and the row says otherwise; check out the project at the row's commit",
            first.line
        ));
    };
    let mut theorem = stated.problem.theorem.clone();
    theorem.id = text(&fields, "id").unwrap_or(name);
    fields.remove(PROOF);
    // What the file tells about the theorem, such as its unfinished proof.
    fields.extend(stated.problem.fields.clone());
    if let Some(Value::String(split)) = fields.get_mut("split") {
        *split = canonical(split);
    }
    Ok(Problem { theorem, fields, place: None })
}

fn text(fields: &Map<String, Value>, key: &str) -> Result<String, String> {
    match fields.get(key) {
        Some(Value::String(text)) => Ok(text.clone()),
        _ => Err(format!("`{key}` should be a text")),
    }
}

/// The theorems of a file, or why there are none.
fn theorems(project: &Path, file: &str, reader: &dyn Source) -> Result<Vec<StatedTheorem>, String> {
    let relative = Path::new(file);
    if !relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(format!("`file_path` should lead into the project: {file}"));
    }
    let path = project.join(relative);
    if !path.is_file() {
        return Err(format!(
            "no file {file} in {}; check out the project at the row's commit, and fetch the packages that it needs",
            project.display()
        ));
    }
    let text = content::text(&path).map_err(|error| error.to_string())?;
    Ok(stated(&path, &text, reader).map_err(|error| error.to_string())?.theorems)
}

/// The lines from `start` to `end`, if the row states them. Both are pairs of a line and a column, from 1.
fn lines(fields: &Map<String, Value>) -> Result<Option<RangeInclusive<usize>>, String> {
    let line = |key: &str| match fields.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(place) => match place.get(0).and_then(Value::as_u64).and_then(|line| usize::try_from(line).ok())
        {
            Some(line) => Ok(Some(line)),
            None => Err(format!("`{key}` should be a line and a column, like [27, 1]")),
        },
    };
    let Some(start) = line("start")? else { return Ok(None) };
    Ok(Some(start..=line("end")?.unwrap_or(usize::MAX)))
}

/// A full name without what Lean puts before a private one: `_private.Mathlib.Logic.Basic.0.P.a` is `P.a`.
fn bare(name: &str) -> &str {
    match name.strip_prefix("_private.").and_then(|rest| rest.split_once(".0.")) {
        Some((_, name)) => name,
        None => name,
    }
}
