//! Admission: which previews may become steps.

use crate::policy::CycleRule;
use crate::signature::{GoalKey, GoalSig};
use crate::tree::{Child, Identity};

/// Whether a preview may be committed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Admission {
    /// Yes.
    Novel,
    /// Yes, but without some of its children (only under [`CycleRule::DropChild`]).
    Without(Vec<usize>),
    /// No: it leads back to an obligation on the path.
    Cyclic,
    /// No: it leads below the depth limit.
    TooDeep,
}

/// Decides which previews of a node may be committed (see [`super::Search::guard`]).
///
/// A preview is cyclic if one of its children has the coarse signature of an obligation on the path. If equal
/// obligations share nodes ([`Identity::Strict`]), a node has many paths, and the graph itself handles cycles; then a
/// preview is cyclic only if a child is the node itself.
#[derive(Clone, Debug)]
pub struct Guard {
    pub(super) identity: Identity,
    pub(super) cycle_rule: CycleRule,
    pub(super) at_max_depth: bool,
    pub(super) own: GoalKey,
    /// The obligations on the path, root first.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn child(coarse: u64, key: u64) -> Child {
        Child { coarse: GoalSig(coarse), key: GoalKey(key), value: None }
    }

    fn guard(identity: Identity, cycle_rule: CycleRule) -> Guard {
        // On the way from obligation 1 to 2, which is expanded.
        let ancestors = vec![GoalSig(1), GoalSig(2)];
        Guard { identity, cycle_rule, at_max_depth: false, own: GoalKey(20), ancestors }
    }

    #[test]
    fn a_tree_rejects_what_is_on_the_path_by_coarse_signature() {
        let guard = guard(Identity::Checkpoint, CycleRule::Reject);
        assert_eq!(guard.admit(&[]), Admission::Novel);
        assert_eq!(guard.admit(&[child(3, 30), child(4, 40)]), Admission::Novel);
        assert_eq!(guard.admit(&[child(3, 30), child(1, 50)]), Admission::Cyclic);
        assert_eq!(guard.admit(&[child(2, 60)]), Admission::Cyclic, "the node itself is on the path");
    }

    #[test]
    fn a_graph_rejects_only_the_node_itself() {
        let guard = guard(Identity::Strict, CycleRule::Reject);
        assert_eq!(guard.admit(&[child(1, 10)]), Admission::Novel);
        assert_eq!(guard.admit(&[child(3, 30), child(2, 20)]), Admission::Cyclic);
    }

    #[test]
    fn dropping_keeps_the_other_children() {
        let guard = guard(Identity::Checkpoint, CycleRule::DropChild);
        assert_eq!(guard.admit(&[child(1, 10), child(3, 30)]), Admission::Without(vec![0]));
        assert_eq!(guard.admit(&[child(3, 30), child(3, 31)]), Admission::Without(vec![1]), "a repeated one");
        assert_eq!(guard.admit(&[child(1, 10), child(2, 20)]), Admission::Cyclic, "nothing would be left");
    }

    #[test]
    fn at_the_depth_limit_only_closing_steps_pass() {
        let guard = Guard { at_max_depth: true, ..guard(Identity::Checkpoint, CycleRule::Reject) };
        assert_eq!(guard.admit(&[child(3, 30)]), Admission::TooDeep);
        assert_eq!(guard.admit(&[]), Admission::Novel);
    }
}
