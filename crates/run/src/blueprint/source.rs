//! Source files beside a blueprint.

use andor_system_lean::LEAN4;
use andor_system_rocq::ROCQ;
use std::path::{Component, Path};

use andor_artifact::input;
use andor_core::theorem::System;
use andor_system_lean as lean;
use andor_system_mini as mini;
use andor_system_rocq as rocq;

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
    // Start, end of the statement, end of the proof.
    let found: Vec<(usize, usize, usize)> = match system {
        _ if system == ROCQ => {
            let found = rocq::source::theorems(text).map_err(|error| failed(error.to_string()))?;
            found.into_iter().map(|t| (t.start, t.opened, t.proof_end)).collect()
        }
        _ if system == LEAN4 => {
            let found = lean::source::declarations(text).map_err(|error| failed(error.to_string()))?;
            found.into_iter().map(|t| (t.start, t.end, t.command.end)).collect()
        }
        _ => {
            let found = mini::source::theorems(text).map_err(|error| failed(error.to_string()))?;
            found.into_iter().map(|t| (t.start, t.end, t.command.end)).collect()
        }
    };
    let [(start, end, proof_end)] = found[..] else {
        return Err(failed(format!("the file must state one theorem, and it states {}", found.len())));
    };
    if !text[..start].trim().is_empty() || !text[proof_end..].trim().is_empty() {
        let what = "there is more in the file than a statement and its proof; move the rest to `header` or a definition";
        return Err(failed(what.to_owned()));
    }
    let proof = text[end..proof_end].trim();
    let proof = proof.strip_prefix(":=").unwrap_or(proof).trim();
    let words: Vec<&str> = proof.split_whitespace().collect();
    let is_gap = matches!(
        words[..],
        [] | ["by"] | ["sorry"] | ["by", "sorry"] | ["Admitted."] | ["Proof.", "Admitted."]
    );
    let proof = (!is_gap).then(|| proof.to_owned());
    Ok(Stated { statement: text[start..end].trim_end().to_owned(), proof })
}
