//! JSON Lines rows with `id`, `system`, `statement`, and optionally `header`, `footer` and `theorem_name`. Other
//! keys can be filtered by.

use std::path::Path;

use andor_core::theorem::{System, Theorem};
use andor_env::rocq::source::statement_name;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{DatasetError, Problem};

#[derive(Deserialize)]
struct Row {
    id: String,
    system: String,
    #[serde(default)]
    header: String,
    statement: String,
    #[serde(default)]
    footer: String,
    theorem_name: Option<String>,
    #[serde(flatten)]
    fields: Map<String, Value>,
}

pub(super) fn read(path: &Path, text: &str) -> Result<Vec<Problem>, DatasetError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(index, line)| read_row(path, index + 1, line)).collect()
}

fn read_row(path: &Path, line: usize, text: &str) -> Result<Problem, DatasetError> {
    let malformed = |what: String| DatasetError::Malformed { path: path.to_owned(), line: Some(line), what };
    let row: Row = serde_json::from_str(text).map_err(|e| {
        malformed(format!("{e}; a row needs `id`, `system`, `statement`, and may have `header`, `footer`"))
    })?;
    let system: System =
        row.system.parse().map_err(|e: andor_core::theorem::UnknownSystem| malformed(e.to_string()))?;
    let name = match (row.theorem_name, system) {
        (Some(name), _) => name,
        (None, System::Rocq) => statement_name(&row.statement).ok_or_else(|| {
            malformed("the statement names no theorem; it should begin like `Theorem name`".into())
        })?,
        (None, System::Mini) => super::lean_source::name(&row.header, &row.statement).map_err(malformed)?,
        (None, System::Lean4 | System::Synthetic) => row.id.clone(),
    };
    Ok(Problem {
        theorem: Theorem {
            id: row.id,
            name,
            system,
            header: row.header,
            statement: row.statement,
            footer: row.footer,
            extra_imports: Vec::new(),
        },
        fields: row.fields,
    })
}
