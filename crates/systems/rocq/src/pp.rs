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

/// The parts of a printed hypothesis.
#[derive(Debug)]
pub(super) struct Hypothesis {
    pub(super) names: Vec<ElementId>,
    pub(super) body: Option<Vec<ElementId>>,
    pub(super) ty: ElementId,
}

/// Takes a hypothesis apart. Its type is the last part of the outer glue. Glues before it differ between releases, so only
/// what they contain counts: names, then `:`, or names, `:=`, body, and `:`.
///
/// | release | without body | with body |
/// | --- | --- | --- |
/// | 8.16 | `[glue[n , ] m " : " type]` | `[glue[x " := " body _] " : " type]` |
/// | 8.20 to 9.2 | `[glue[box[n , m] " :" _] type]` | `[glue[glue[box[x] " :=" _] body _] ": " type]` |
pub(super) fn split_hypothesis(document: &Document, id: ElementId) -> Option<Hypothesis> {
    let mut at = id;
    while let "box" | "tag" = document.val(at) {
        at = document.child(document.child(at, 0).ok()?, 1).ok()?;
    }
    let parts: Vec<ElementId> = document.children(document.child(at, 0).ok()?).collect();
    let (&ty, before) = parts.split_last()?;
    let mut stack: Vec<ElementId> = before.iter().rev().copied().collect();
    let mut flat = Vec::new();
    while let Some(part) = stack.pop() {
        match document.val(part) {
            "glue" => push_children(document, document.child(part, 0).ok()?, &mut stack),
            "break" | "empty" => {}
            _ => flat.push(part),
        }
    }
    let is = |part: ElementId, symbol: &str| {
        document.val(part) == "string" && document.full_text(part).trim() == symbol
    };
    let colon = flat.pop()?;
    if !is(colon, ":") {
        return None;
    }
    let body = flat.iter().position(|&part| is(part, ":=")).map(|at| {
        let body = flat.split_off(at + 1);
        flat.pop();
        body
    });
    Some(Hypothesis { names: flat, body, ty })
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
