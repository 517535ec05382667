//! Joins the locations of theorems in a repository (rows of `url`, `commit`, `file_path`, `full_name`) to problems by
//! id.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Map, Value};

use super::{Dataset, DatasetError, content, rows};

/// The fields of a location. A row without `id` refers to the theorem `full_name`.
const KEYS: [&str; 4] = ["url", "commit", "file_path", "full_name"];

/// Adds to each problem the fields of the row with its id in the file at `path`. Existing fields are kept. A note
/// states how many problems and how many rows have no match.
///
/// # Errors
///
/// The file cannot be read, a row lacks one of the four fields, two rows refer to the same theorem, or no row matches
/// any problem.
pub fn join(dataset: &mut Dataset, path: &Path) -> Result<(), DatasetError> {
    let mut places = places(path)?;
    let all = places.len();
    let mut without = Vec::new();
    for problem in &mut dataset.problems {
        let id = &problem.theorem.id;
        match places.remove(id) {
            Some(fields) => {
                for (key, value) in fields {
                    problem.fields.entry(key).or_insert(value);
                }
            }
            None => without.push(id.clone()),
        }
    }
    if places.len() == all {
        let what = "none of its rows matches the id of a theorem; `id` (or `full_name`) must equal the id of the statement";
        return Err(DatasetError::malformed(path, None, what));
    }
    if let Some(first) = without.first() {
        let count = without.len();
        dataset.notes.push(format!("{count} theorems, such as `{first}`, have no row in {}", path.display()));
    }
    if !places.is_empty() {
        let count = places.len();
        dataset.notes.push(format!("{count} of the {all} rows in {} match no theorem", path.display()));
    }
    Ok(())
}

fn places(path: &Path) -> Result<HashMap<String, Map<String, Value>>, DatasetError> {
    let mut places = HashMap::new();
    for row in rows::rows(path, content::read(path)?)? {
        let row = row.map_err(|refused| DatasetError::malformed(path, refused.line, refused.what))?;
        let (line, number, mut fields) = (row.line, row.number, row.fields);
        let place = if line.is_none() { format!("row {number}: ") } else { String::new() };
        let malformed = |what: String| DatasetError::malformed(path, line, place.clone() + &what);
        if let Some(missing) = KEYS.iter().find(|key| !fields.get(**key).is_some_and(Value::is_string)) {
            return Err(malformed(format!("a row of locations needs `{missing}`, a text")));
        }
        let id = fields.remove("id").unwrap_or_else(|| fields["full_name"].clone());
        let Value::String(id) = id else { return Err(malformed("`id` should be a text".to_owned())) };
        fields.retain(|key, _| KEYS.contains(&key.as_str()) || key == "split");
        if places.insert(id.clone(), fields).is_some() {
            return Err(malformed(format!("a second row with the id `{id}`; remove one of them")));
        }
    }
    Ok(places)
}
