//! Hierarchical names.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::OleanError;
use super::region::{Address, Node};

/// The most components that a name may have.
const DEEPEST: usize = 1 << 12;

/// The most bytes that the beginning of a name may have.
const LONGEST: usize = 1 << 16;

/// A name, written so that different names have different texts: components with unusual characters are in `«»`, and
/// numbers stand bare.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(Arc<str>);

impl Name {
    /// A name as users write it: `A.«b c».d`.
    pub fn written(text: &str) -> Self {
        let mut components = Vec::new();
        let mut rest = text.strip_prefix("_root_.").unwrap_or(text);
        loop {
            let (component, after) = match rest.strip_prefix('«').and_then(|quoted| quoted.split_once('»'))
            {
                Some((component, after)) => (component, after.strip_prefix('.')),
                None => match rest.split_once('.') {
                    Some((component, after)) => (component, Some(after)),
                    None => (rest, None),
                },
            };
            components.push(text_component(component));
            match after {
                Some(after) => rest = after,
                None => break,
            }
        }
        Self(components.join(".").into())
    }

    /// The name with a text that [`Name::as_str`] returned.
    pub fn from_text(text: &str) -> Self {
        Self(text.into())
    }

    /// The name as a text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A component of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Component<'r> {
    /// A text.
    Text(Cow<'r, str>),
    /// A number.
    Number(u64),
}

impl<'r> Component<'r> {
    /// Reads the last component of a name, and what stands before it.
    pub fn read(node: Node<'r>) -> Result<(Node<'r>, Self), OleanError> {
        const WHAT: &str = "a component of a name";
        let part = node.constructor("a name", 2, 8)?;
        let last = part.field(1)?;
        let component = match part.tag {
            1 => Self::Text(last.text(WHAT)?),
            2 => Self::Number(last.small().ok_or_else(|| last.unlike(WHAT))?),
            _ => return Err(node.unlike("a name")),
        };
        Ok((part.field(0)?, component))
    }
}

/// The names of a region that were read so far.
#[derive(Default)]
pub struct Names(HashMap<Address, Name>);

impl Names {
    /// The name that an object stands for.
    pub fn read(&mut self, node: Node<'_>) -> Result<Name, OleanError> {
        if let Some(known) = self.0.get(&node.address()) {
            return Ok(known.clone());
        }
        // From the last component back to a name that is known; `Name.anonymous` is 0.
        let mut unknown = Vec::new();
        let mut rest = node;
        let mut name = loop {
            if let Some(known) = self.0.get(&rest.address()) {
                break Some(known.clone());
            }
            if rest.small() == Some(0) {
                break None;
            }
            let (before, last) = Component::read(rest)?;
            let component = match last {
                Component::Text(text) => text_component(&text),
                Component::Number(number) => number.to_string(),
            };
            unknown.push((rest.address(), component));
            if unknown.len() > DEEPEST {
                return Err(OleanError::Beyond("a name has more than 4,096 components"));
            }
            rest = before;
        };
        for (address, component) in unknown.into_iter().rev() {
            let longer = match &name {
                Some(name) if name.as_str().len() > LONGEST => {
                    return Err(OleanError::Beyond("a name has more than 65,536 bytes"));
                }
                Some(name) => Name([name.as_str(), ".", &component].concat().into()),
                None => Name(component.into()),
            };
            self.0.insert(address, longer.clone());
            name = Some(longer);
        }
        Ok(name.unwrap_or_else(|| Name("".into())))
    }
}

/// A component that is a text, as it is written in a [`Name`].
fn text_component(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '!' | '?');
    let bare = text.chars().all(plain) && text.starts_with(|c: char| !c.is_ascii_digit());
    let quoted = || text.escape_debug().to_string().replace('«', "\\u{ab}").replace('»', "\\u{bb}");
    if bare { text.to_owned() } else { format!("«{}»", quoted()) }
}
