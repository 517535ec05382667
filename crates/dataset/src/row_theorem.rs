//! Builds a theorem from a row.

use andor_core::theorem::System;
use andor_env::source::{self, joined};
use serde_json::{Map, Value};

use super::choice::canonical;
use super::{Problem, note_open_values};

/// The keys that may hold an id; the first one present is used.
const IDS: &[&str] = &["id", "name", "full_name", "problem_id", "uuid"];
/// The keys that may hold an English statement.
const INFORMAL: &[&str] = &[
    "informal",
    "informal_prefix",
    "informal_stmt",
    "informal_statement",
    "nl_statement",
    "natural_language_statement",
    "problem",
];

/// The problem of a row, or the reason why there is none.
pub(super) fn problem(
    mut row: Map<String, Value>,
    system: Option<System>,
    parts: &[&str],
    wanted: Option<System>,
) -> Result<Problem, String> {
    let said = take(&mut row, "system")?.map(|name| name.parse::<System>()).transpose();
    let said = said.map_err(|e| e.to_string())?;
    let informal = informal(&row);
    let id = IDS.iter().find_map(|key| row.get(*key).and_then(named));
    let texts = texts(&mut row, parts)?;
    let (statement, header) = texts.split_last().expect("every form has a statement");
    let mut header = joined(header);
    // If a row names its system, its header is kept byte for byte.
    if said.is_none() && !header.is_empty() && !header.ends_with('\n') {
        header.push('\n');
    }
    let theorem_name = take(&mut row, "theorem_name")?;
    let footer = take(&mut row, "footer")?.unwrap_or_default();
    let given = source::Row { header, statement: statement.clone(), footer, theorem_name };
    let language = match said.or(system) {
        Some(system) => system,
        None => language(&given.statement)?,
    };
    let mut theorem = match source::of(language) {
        Some(source) => source.row(given)?,
        None => given.theorem(language, String::new()),
    };
    if let Some(adopted) = wanted.and_then(source::of).and_then(|source| source.adopted(&theorem)) {
        theorem = adopted;
    }
    row.remove("id");
    theorem.id = id.unwrap_or_else(|| theorem.name.clone());
    // They would break tables or control a terminal.
    if theorem.id.contains(char::is_control) {
        return Err(format!("the id {:?} contains control characters; remove them", theorem.id));
    }
    if theorem.name.is_empty() {
        theorem.name.clone_from(&theorem.id);
    }
    if let Some(informal) = informal {
        row.insert("informal".to_owned(), informal.into());
    }
    note_open_values(&theorem, &mut row);
    if let Some(Value::String(split)) = row.get_mut("split") {
        *split = canonical(split);
    }
    Ok(Problem { theorem, fields: row, place: None })
}

/// The system of a statement, which states a theorem in its own way.
fn language(statement: &str) -> Result<System, String> {
    let states = |source: &&dyn source::Source| source.states(statement);
    source::all().into_iter().find(states).map(|source| source.system()).ok_or_else(|| {
        let forms: Vec<String> = source::all()
            .into_iter()
            .map(|source| source.system().language())
            .map(|language| format!("{} (`{}`)", language.title, language.theorem("name", "type")))
            .collect();
        format!("the statement is of none of the systems {}; set the key `system`", forms.join(", "))
    })
}

/// The texts under the given keys, without missing ones. A statement with imports is a complete file.
fn texts(row: &mut Map<String, Value>, parts: &[&str]) -> Result<Vec<String>, String> {
    let mut texts = Vec::new();
    for key in parts {
        texts.extend(take(row, key)?);
    }
    let statement = texts.last().ok_or("the row has no statement")?;
    if statement.trim().is_empty() {
        return Err("the statement is empty".to_owned());
    }
    if is_whole_file(statement) {
        texts.drain(..texts.len() - 1);
    }
    Ok(texts)
}

/// Removes the text under a key from a row.
fn take(row: &mut Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match row.remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("`{key}` should be a text")),
    }
}

/// Whether a text begins with the imports of a file, for a system where nothing can stand before these.
fn is_whole_file(text: &str) -> bool {
    source::all().into_iter().any(|source| source.is_whole_file(text))
}

/// A name as text, whether it is a JSON string or a number.
fn named(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The English statement of a row, without comment markers.
fn informal(row: &Map<String, Value>) -> Option<String> {
    let text = INFORMAL.iter().find_map(|key| row.get(*key)?.as_str())?;
    let bare = text.trim();
    let marked = ["/--", "/-!", "/-"].iter().find_map(|mark| bare.strip_prefix(mark)?.strip_suffix("-/"));
    Some(marked.map_or(text, str::trim).to_owned())
}
