//! Results taken into the tree.

use std::collections::HashMap;

use crate::journal::{At, Place};
use crate::tree::{Child, Held, Key, Tree, TreeError, VerifyResult};

/// A branch that has ended.
#[derive(Debug)]
pub(crate) struct Done<S> {
    /// The node that was expanded.
    pub(crate) key: Key,
    /// The number of the branch among those of the node in this step.
    pub(crate) branch: u32,
    /// The children that it made.
    pub(crate) children: Vec<Child<Held<S>>>,
    /// Where the journal has them, if there is one.
    pub(crate) place: Option<Place>,
}

/// The tree with the results of a step, taken in the order of selection, then of the branches, in whatever order they ended.
/// Every child is backed up. Also returns where the journal has the new nodes, in their order.
pub(crate) fn take_in<S>(
    mut tree: Tree<S>,
    selected: &[Key],
    mut done: Vec<Done<S>>,
) -> Result<(Tree<S>, Vec<At>), TreeError> {
    let order: HashMap<Key, usize> = selected.iter().enumerate().map(|(i, key)| (*key, i)).collect();
    done.sort_by_key(|done| (order.get(&done.key).copied(), done.branch));
    let mut places = Vec::new();
    for Done { key, children, place, .. } in done {
        places.extend(place.into_iter().flat_map(|place| {
            let of_line = 0..children.len();
            of_line.map(move |child| At { place, child })
        }));
        let values: Vec<Option<f64>> = children.iter().map(|child| worth(&child.verdict)).collect();
        let first = tree.len();
        tree = tree.add_held(key, children)?;
        for (i, value) in values.into_iter().enumerate() {
            tree = tree.back_up(Key::of_index(first + i), value);
        }
    }
    Ok((tree, places))
}

/// What a verdict is worth when it is backed up: an illegal state 0, a solution without score 1.
fn worth(verdict: &VerifyResult) -> Option<f64> {
    match verdict {
        VerifyResult { valid: false, .. } => Some(0.0),
        VerifyResult { terminal: true, score: None, .. } => Some(1.0),
        VerifyResult { score, .. } => *score,
    }
}
