//! Admission: which previews may become steps (design, section 4.3).

use crate::policy::CycleRule;
use crate::signature::{GoalKey, GoalSig};
use crate::tree::{Child, Identity};

/// Whether a preview may be committed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Admission {
    /// It may.
    Novel,
    /// It may, without some of its children (only under [`CycleRule::DropChild`]).
    Without(Vec<usize>),
    /// It leads back to an obligation on the path.
    Cyclic,
    /// It leads below the depth limit.
    TooDeep,
}

/// Decides on the previews of one node (see [`super::Search::guard`]).
///
/// A preview is cyclic when one of its children has the coarse signature of an obligation on the path. Where
/// equal obligations share nodes ([`Identity::Strict`]) a node has many paths, and the graph itself breaks
/// cycles; then only a child that is the node itself makes a preview cyclic.
#[derive(Clone, Debug)]
pub struct Guard {
    pub(super) identity: Identity,
    pub(super) cycle_rule: CycleRule,
    pub(super) at_max_depth: bool,
    pub(super) own: GoalKey,
    /// The path's obligations, root first.
    pub(super) ancestors: Vec<GoalSig>,
}

impl Guard {
    /// Whether a preview that leaves `children` may be committed.
    pub fn admit(&self, children: &[Child]) -> Admission {
        if children.is_empty() {
            return Admission::Novel;
        }
        if self.at_max_depth {
            return Admission::TooDeep;
        }
        let repeats = |child: &Child| match self.identity {
            Identity::Strict => child.key == self.own,
            Identity::Checkpoint => self.ancestors.contains(&child.coarse),
        };
        match self.cycle_rule {
            CycleRule::Reject if children.iter().any(repeats) => Admission::Cyclic,
            CycleRule::Reject => Admission::Novel,
            CycleRule::DropChild => {
                let seen_before = |i: usize| children[..i].iter().any(|c| c.coarse == children[i].coarse);
                let drop = |&i: &usize| repeats(&children[i]) || seen_before(i);
                let dropped: Vec<usize> = (0..children.len()).filter(drop).collect();
                match dropped.len() {
                    0 => Admission::Novel,
                    n if n == children.len() => Admission::Cyclic,
                    _ => Admission::Without(dropped),
                }
            }
        }
    }
}
