//! Hierarchical names.

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
pub(in crate::lean) struct Name(Arc<str>);

impl Name {
    /// A name as users write it: `A.«b c».d`.
    pub(in crate::lean) fn written(text: &str) -> Self {
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
    pub(in crate::lean) fn from_text(text: &str) -> Self {
        Self(text.into())
    }

    pub(in crate::lean) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The names of a region that were read so far.
#[derive(Default)]
pub(in crate::lean) struct Names(HashMap<Address, Name>);

impl Names {
    /// The name that an object stands for.
    pub(in crate::lean) fn read(&mut self, node: Node<'_>) -> Result<Name, OleanError> {
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
            let part = rest.constructor("a name", 2, 8)?;
            let last = part.field(1)?;
            let component = match part.tag {
                1 => text_component(&last.text("a component of a name")?),
                2 => last.small().ok_or_else(|| last.unlike("a component of a name"))?.to_string(),
                _ => return Err(rest.unlike("a name")),
            };
            unknown.push((rest.address(), component));
            if unknown.len() > DEEPEST {
                return Err(OleanError::Beyond("a name has more than 4,096 components"));
            }
            rest = part.field(0)?;
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
