//! Which pieces of its file a proof replaces.

use andor_core::theorem::System;
use andor_env::in_place::{Edit, Span, WrittenProof};
use andor_env::source::{self, Source};

/// A way to put a proof into a file.
pub(super) struct Way {
    /// The edits.
    pub(super) edits: Vec<Edit>,
    /// Whether the whole proof is replaced.
    pub(super) is_whole: bool,
    /// The imports that are put at the top of the file, and where.
    pub(super) imports: Option<Edit>,
    /// What to do to the file without the proof to see whether its imports change anything in it: those in a proof hold on
    /// behind it, too.
    pub(super) effect: Option<Edit>,
}

/// The ways to put a proof into the text of its file, the best first: only the holes of an unfinished proof are filled, or
/// the whole proof is replaced; each without imports, because the file may have them, with those at the top of the file, and
/// with them in the proof.
pub(super) fn ways(text: &str, at: &Span, proof: &WrittenProof, reader: &dyn Source) -> Vec<Way> {
    let without = WrittenProof { imports: Vec::new(), ..proof.clone() };
    let imports: Vec<String> = proof.imports.iter().map(|import| import.line.clone()).collect();
    let top = (!imports.is_empty()).then(|| reader.imports_at_top(text, &imports)).flatten();
    let inside = (!imports.is_empty()).then(|| reader.imports_in_proof(at, &imports)).flatten();
    let way = |is_whole: bool, proof: &WrittenProof, imports: Option<&Edit>, effect: Option<&Edit>| {
        let edits = match is_whole {
            false => reader.filled(text, at, proof)?,
            true => reader.whole(text, at, proof),
        };
        Some(Way { edits, is_whole, imports: imports.cloned(), effect: effect.cloned() })
    };
    let all = [false, true].into_iter().flat_map(|is_whole| {
        let at_top = top.as_ref().and_then(|top| way(is_whole, &without, Some(top), Some(top)));
        let in_proof = (!imports.is_empty()).then(|| way(is_whole, proof, None, inside.as_ref())).flatten();
        [way(is_whole, &without, None, None), at_top, in_proof]
    });
    all.flatten().collect()
}

/// Whether a piece of a file that stands for a proof has more than what leaves it open: steps or comments of its author.
pub(super) fn has_content(text: &str, system: System) -> bool {
    let outline = source::of(system).map(|reader| reader.outline(text)).unwrap_or_default();
    let mut comments = system.language().lexis.comment_marks();
    outline.has_tactics() || outline.unread.is_some() || comments.any(|begin| text.contains(begin))
}
