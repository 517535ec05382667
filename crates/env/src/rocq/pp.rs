//! Flattening `ppdoc`, Coq's structured pretty-printer output, to one line of text.
//!
//! The format `--xml_format=Ppcmds` has no limit on depth or width; the other format replaces deep subterms
//! by `...`, so that different goals may print alike.

use super::xml::{Document, ElementId};

/// The text of a `ppdoc`, on one line.
pub(super) fn flatten(document: &Document, id: ElementId) -> String {
    let mut text = String::new();
    let mut stack = vec![id];
    while let Some(id) = stack.pop() {
        if document.tag(id) != "ppdoc" {
            // A list or pair: its parts in order.
            push_children(document, id, &mut stack);
            continue;
        }
        match document.val(id) {
            "string" => text += document.full_text(id).as_str(),
            "break" if break_width(document, id) > 0 => text.push(' '),
            "break" | "empty" => {}
            "newline" => text.push(' '),
            "comment" => text += &format!("(*{}*)", document.full_text(id)),
            // A glue holds a list; a box and a tag hold a pair whose second part is the content.
            "box" | "tag" => stack.extend(document.child(id, 0).and_then(|pair| document.child(pair, 1))),
            _ => push_children(document, id, &mut stack),
        }
    }
    with_own_universes(collapse(&text))
}

/// The module of the document; its unnamed universes are `Top.1`, `Top.2` and so on.
const MODULE: &str = "Top.";

/// Numbers the universes in order of appearance. Going back in the document does not reset Rocq's counter, so its
/// numbers depend on what the process did before.
fn with_own_universes(text: String) -> String {
    if !text.contains(MODULE) {
        return text;
    }
    let mut parts = text.split(MODULE);
    let mut numbered = parts.next().unwrap_or_default().to_owned();
    let mut seen: Vec<&str> = Vec::new();
    for part in parts {
        let is_name = numbered.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '.'));
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let (number, rest) = part.split_at(digits);
        numbered += MODULE;
        if is_name || number.is_empty() {
            numbered += part;
            continue;
        }
        let known = seen.iter().position(|seen| *seen == number);
        let index = known.unwrap_or_else(|| {
            seen.push(number);
            seen.len() - 1
        });
        numbered += &format!("{}{rest}", index + 1);
    }
    numbered
}

/// The parts of a top-level glue, for a hypothesis: everything before `" : "`, and the type.
pub(super) fn split_hypothesis(document: &Document, id: ElementId) -> Option<(Vec<ElementId>, ElementId)> {
    let mut at = id;
    while let "box" | "tag" = document.val(at) {
        at = document.child(document.child(at, 0).ok()?, 1).ok()?;
    }
    let list = document.child(at, 0).ok()?;
    let parts: Vec<ElementId> = document.children(list).collect();
    let [before @ .., _colon, ty] = &parts[..] else { return None };
    Some((before.to_vec(), *ty))
}

fn push_children(document: &Document, id: ElementId, stack: &mut Vec<ElementId>) {
    let first = stack.len();
    stack.extend(document.children(id));
    stack[first..].reverse();
}

fn break_width(document: &Document, id: ElementId) -> i64 {
    let width = document.child(id, 0).and_then(|pair| document.child(pair, 0));
    width.ok().and_then(|w| document.text(w).parse().ok()).unwrap_or(1)
}

/// Runs of white space become one space; none at the ends.
pub(super) fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::with_own_universes;

    #[test]
    fn universes_are_numbered_in_order_of_appearance() {
        let numbered = |text: &str| with_own_universes(text.to_owned());
        assert_eq!(
            numbered("Cannot enforce Top.17 < Top.5 because Top.5 <= Top.17."),
            "Cannot enforce Top.1 < Top.2 because Top.2 <= Top.1."
        );
        assert_eq!(numbered("Type@{Top.8+1} Top.f My.Top.3 Stop.4"), "Type@{Top.1+1} Top.f My.Top.3 Stop.4");
        assert_eq!(numbered("∀ x, x = 1.5"), "∀ x, x = 1.5");
    }
}
