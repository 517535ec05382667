//! The XML that `coqidetop` speaks, as a flat list of elements.
//!
//! The dialect: no header, several elements at top level, entities without a DTD (`&nbsp;` for every space
//! of the payload), and the two characters `&#` unescaped. Terms nest about six elements deep per level, so
//! nothing here is recursive.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// The place of an element in a [`Document`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ElementId(usize);

/// An element: tag, attributes, text directly inside.
#[derive(Debug)]
struct Element {
    tag: String,
    attributes: Vec<(String, String)>,
    text: String,
    first_child: Option<ElementId>,
    last_child: Option<ElementId>,
    next: Option<ElementId>,
}

/// The elements of one reply. The first is a root without a tag that holds those at top level.
#[derive(Debug)]
pub(super) struct Document {
    elements: Vec<Element>,
}

impl Document {
    /// Reads a reply; the error says what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader::from_str(text);
        reader.config_mut().allow_dangling_amp = true;
        let mut document = Self { elements: vec![Element::new(String::new())] };
        let mut open = vec![document.root()];
        loop {
            let top = *open.last().expect("the root is never closed");
            match reader.read_event().map_err(|e| e.to_string())? {
                Event::Start(start) => open.push(document.add(top, &start)?),
                Event::Empty(start) => {
                    document.add(top, &start)?;
                }
                Event::End(_) if open.len() > 1 => {
                    open.pop();
                }
                Event::End(end) => return Err(format!("unexpected </{}>", &*end)),
                Event::Text(content) => {
                    // Spaces of the payload come as `&nbsp;`; a raw space is an artefact of the printer.
                    let text = &mut document.elements[top.0].text;
                    text.extend(content.chars().filter(|&c| c != ' '));
                }
                Event::GeneralRef(entity) => {
                    let text = &mut document.elements[top.0].text;
                    match &*entity {
                        "nbsp" => text.push(' '),
                        "lt" => text.push('<'),
                        "gt" => text.push('>'),
                        "amp" => text.push('&'),
                        "apos" => text.push('\''),
                        "quot" => text.push('"'),
                        other => *text += &format!("&{other};"),
                    }
                }
                Event::Eof if open.len() == 1 => return Ok(document),
                Event::Eof => return Err(format!("<{}> is not closed", document.tag(top))),
                Event::CData(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {
                    return Err("an XML construct that coqidetop does not use".to_owned());
                }
            }
        }
    }

    pub(super) fn root(&self) -> ElementId {
        ElementId(0)
    }

    pub(super) fn tag(&self, id: ElementId) -> &str {
        &self.elements[id.0].tag
    }

    /// The text directly inside an element.
    pub(super) fn text(&self, id: ElementId) -> &str {
        &self.elements[id.0].text
    }

    pub(super) fn attribute(&self, id: ElementId, name: &str) -> Option<&str> {
        let mut attributes = self.elements[id.0].attributes.iter();
        attributes.find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The `val` attribute, which carries the constructor in this protocol.
    pub(super) fn val(&self, id: ElementId) -> &str {
        self.attribute(id, "val").unwrap_or("")
    }

    pub(super) fn children(&self, id: ElementId) -> impl Iterator<Item = ElementId> + '_ {
        std::iter::successors(self.elements[id.0].first_child, |c| self.elements[c.0].next)
    }

    /// The `index`-th child; the error names the element that lacks it.
    pub(super) fn child(&self, id: ElementId, index: usize) -> Result<ElementId, String> {
        let missing = || format!("<{}> has no child {index}", self.tag(id));
        self.children(id).nth(index).ok_or_else(missing)
    }

    /// All text below an element, in order.
    pub(super) fn full_text(&self, id: ElementId) -> String {
        let mut text = String::new();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            text += self.text(id);
            let first = stack.len();
            stack.extend(self.children(id));
            stack[first..].reverse();
        }
        text
    }

    fn add(&mut self, parent: ElementId, start: &BytesStart<'_>) -> Result<ElementId, String> {
        let mut element = Element::new(start.name().as_ref().to_string());
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|e| e.to_string())?;
            element.attributes.push((attribute.key.as_ref().to_string(), attribute.value.into_owned()));
        }
        let id = ElementId(self.elements.len());
        self.elements.push(element);
        match self.elements[parent.0].last_child.replace(id) {
            Some(last) => self.elements[last.0].next = Some(id),
            None => self.elements[parent.0].first_child = Some(id),
        }
        Ok(id)
    }
}

impl Element {
    fn new(tag: String) -> Self {
        Self {
            tag,
            attributes: Vec::new(),
            text: String::new(),
            first_child: None,
            last_child: None,
            next: None,
        }
    }
}

/// Escapes text for the way to Coq.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dialect_is_read() {
        let document = Document::parse(
            r#"<feedback object="state"><a/></feedback><value val="good"><string>x&nbsp;&lt;&nbsp;y &#&nbsp;&zzz;∀</string></value>"#,
        )
        .unwrap();
        let tags: Vec<&str> = document.children(document.root()).map(|c| document.tag(c)).collect();
        assert_eq!(tags, ["feedback", "value"]);
        let value = document.child(document.root(), 1).unwrap();
        assert_eq!(document.val(value), "good");
        assert_eq!(document.full_text(value), "x < y&# &zzz;∀");
    }

    #[test]
    fn malformed_replies_are_errors() {
        for text in ["<a>", "<a></b>", "</a>", "<a", "<?xml?><a/>"] {
            assert!(Document::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_no_problem() {
        let depth = 200_000;
        let text = format!("{}x{}", "<a>".repeat(depth), "</a>".repeat(depth));
        let document = Document::parse(&text).unwrap();
        assert_eq!(document.full_text(document.root()), "x");
    }
}
