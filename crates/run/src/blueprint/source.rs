//! Source files beside a blueprint.

use std::path::{Component, Path};

use andor_artifact::input;
use andor_core::theorem::System;
use andor_env::in_place::Span;
use andor_env::source::{self, SourceTheorem};

use super::read::BlueprintFault;

/// The text of a file beside a blueprint.
pub(super) fn beside(folder: &Path, name: &str) -> Result<String, BlueprintFault> {
    let path = Path::new(name);
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if name.is_empty() || !is_inside {
        let what = format!("`{name}` must name a file in the blueprint's folder, without `..`");
        return Err(BlueprintFault::Malformed(what));
    }
    let text = input::text(folder.join(path))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n"))
}

/// A statement of a file.
pub(super) struct Stated {
    /// The sentence.
    pub(super) statement: String,
    /// What follows it, if that is more than a gap.
    pub(super) proof: Option<String>,
}

/// The one statement of a file. Nothing may stand before it, since that would be left out.
pub(super) fn statement(text: &str, system: System) -> Result<Stated, BlueprintFault> {
    let failed = |what: String| BlueprintFault::Statement(what);
    let reader =
        source::of(system).ok_or_else(|| failed(format!("the system `{system}` is not written in files")))?;
    let found = reader.read(text).map_err(|error| failed(error.to_string()))?.theorems;
    let [SourceTheorem { at: Span { statement, proof }, is_finished, draft, .. }] = &found[..] else {
        return Err(failed(format!("the file must state one theorem, and it states {}", found.len())));
    };
    if !text[..statement.start].trim().is_empty() || !text[proof.end..].trim().is_empty() {
        let what = "there is more in the file than a statement and its proof; move the rest to `header` or a definition";
        return Err(failed(what.to_owned()));
    }
    let has_proof = *is_finished || draft.is_some();
    let written = text[proof.clone()].trim();
    let written = written.strip_prefix(":=").unwrap_or(written).trim();
    let proof = has_proof.then(|| written.to_owned());
    Ok(Stated { statement: text[statement.clone()].trim_end().to_owned(), proof })
}
