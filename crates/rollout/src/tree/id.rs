//! Names of nodes.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Where a node is in its tree. Keys are in the order in which the nodes were made, so a parent's is below those of its
/// children. A key belongs to the tree that gave it and to the trees made from that one; outside, a node is named by its
/// [`NodeId`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key(NonZeroU32);

impl Key {
    /// The root's.
    pub const ROOT: Self = Self(NonZeroU32::MIN);

    pub(crate) fn of_index(index: usize) -> Self {
        let number = u32::try_from(index + 1).expect("a tree holds fewer than 2^32 nodes");
        Self(NonZeroU32::new(number).expect("1 was added"))
    }

    /// The number of nodes that were made before this one.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The name of a node: the path to it from the root, as places among siblings. The root is `0`, its children are `0.0`,
/// `0.1` and so on.
///
/// ```
/// use andor_rollout::NodeId;
/// let id: NodeId = "0.1.2".parse()?;
/// assert_eq!(id.to_string(), "0.1.2");
/// assert_eq!(id.depth(), 2);
/// assert_eq!(id.parent().unwrap().to_string(), "0.1");
/// # Ok::<(), andor_rollout::NotAnId>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct NodeId(Box<[u32]>);

impl NodeId {
    /// The root's.
    pub fn root() -> Self {
        Self::default()
    }

    /// From the places among siblings, below the root.
    pub fn of_places(places: impl IntoIterator<Item = u32>) -> Self {
        Self(places.into_iter().collect())
    }

    /// The places among siblings, below the root.
    pub fn places(&self) -> &[u32] {
        &self.0
    }

    /// The number of steps from the root.
    pub fn depth(&self) -> usize {
        self.0.len()
    }

    /// The parent's; `None` for the root.
    pub fn parent(&self) -> Option<Self> {
        let (_, above) = self.0.split_last()?;
        Some(Self(above.into()))
    }

    /// That of the child at a place.
    #[must_use]
    pub fn child(&self, place: u32) -> Self {
        Self(self.0.iter().copied().chain([place]).collect())
    }

    /// A number that belongs to the id, for seeds: it depends on nothing else.
    pub fn number(&self) -> u64 {
        self.0.iter().fold(0, |number, place| andor_model::seed::derived(number, u64::from(*place)))
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0")?;
        self.0.iter().try_for_each(|place| write!(f, ".{place}"))
    }
}

/// A text that names no node.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` names no node: an id is the path from the root, such as `0` or `0.1.2`")]
pub struct NotAnId(String);

impl FromStr for NodeId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let wrong = || NotAnId(text.chars().take(80).collect());
        let mut parts = text.split('.');
        if parts.next() != Some("0") {
            return Err(wrong());
        }
        let places: Result<Box<[u32]>, _> = parts.map(str::parse).collect();
        let id = Self(places.map_err(|_| wrong())?);
        // `0.01` and `0.+1` would be second names of a node.
        if id.to_string() == text { Ok(id) } else { Err(wrong()) }
    }
}

impl Serialize for NodeId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for NodeId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_one_spelling() {
        for text in ["0", "0.0", "0.1.2", "0.4294967295"] {
            assert_eq!(text.parse::<NodeId>().unwrap().to_string(), text);
        }
        for text in ["", "1", "0.", ".0", "0.01", "0.+1", "0.-1", "0.4294967296", "0 .1", "00"] {
            assert!(text.parse::<NodeId>().is_err(), "{text}");
        }
    }

    #[test]
    fn ids_are_in_the_order_of_a_walk() {
        let mut ids: Vec<NodeId> =
            ["0.1", "0.0.5", "0", "0.10", "0.0"].map(|text| text.parse().unwrap()).to_vec();
        ids.sort();
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        assert_eq!(ids, ["0", "0.0", "0.0.5", "0.1", "0.10"]);
    }
}
