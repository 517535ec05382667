//! Typed ids: dense 32-bit indices in creation order.
//!
//! Each kind of object has its own type, so that the id of an OR node cannot be used for an AND node.

use std::fmt;
use std::num::NonZeroU32;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $tag:literal) => {
        $(#[$doc])*
        // Stored as index + 1, so that `Option` of an id costs no extra space.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The id of the item at `index`, from 0.
            ///
            /// # Panics
            ///
            /// If `index` does not fit in 32 bits.
            #[inline]
            pub fn from_index(index: usize) -> Self {
                let raw = u32::try_from(index).ok().and_then(|i| i.checked_add(1)).and_then(NonZeroU32::new);
                Self(raw.expect("fewer than 2^32 - 1 items of one kind"))
            }

            /// The index of the item in creation order, from 0.
            #[inline]
            pub fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($tag, "{}"), self.index())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

id!(
    /// An OR node of the tree: one obligation, solved by any one of its steps.
    NodeId, "n"
);
id!(
    /// An AND node of the tree: one tactic applied at a node, solved by all of its children.
    StepId, "s"
);
id!(
    /// A tactic text, interned (see [`crate::tactic::Tactics`]).
    TacticId, "t"
);
id!(
    /// A child slot: one child position of one step.
    SlotId, "c"
);

/// A logical controller that reserves nodes; several agents may share a tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct AgentId(pub u32);

/// A reservation returned by [`crate::search::Search::ask`], which must be told or abandoned exactly once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct JobId(pub u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_dense_small_and_print_their_kind() {
        assert_eq!(NodeId::from_index(17).to_string(), "n17");
        assert_eq!(format!("{:?}", StepId::from_index(0)), "s0");
        assert_eq!(NodeId::from_index(3).index(), 3);
        assert_eq!(size_of::<Option<NodeId>>(), 4);
        assert!(NodeId::from_index(1) < NodeId::from_index(2));
    }
}
