//! The lines of the tree: every item that is not hidden in a folded one, from the top.

use std::collections::HashSet;

use andor_view::search::{Child, Item, Moment, Search};

/// Items that are unfolded at first, besides the proof.
const AT_FIRST: usize = 60;

/// A line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Row {
    /// What stands there; of a link, the goal that stands elsewhere.
    pub(super) item: Item,
    pub(super) is_link: bool,
    pub(super) depth: u32,
    /// Whether anything stands below it.
    pub(super) has_more: bool,
}

/// Lines in the order in which a reader meets them. `opens` says which items are unfolded.
pub(super) fn rows(search: &Search, now: &Moment, opens: impl Fn(Item) -> bool) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut agenda: Vec<(Child, u32)> = search.root().map(|root| (Child::Own(root), 0)).into_iter().collect();
    while let Some((child, depth)) = agenda.pop() {
        let item = match child {
            Child::Own(item) => item,
            Child::Link(node) => {
                rows.push(Row { item: Item::Node(node), is_link: true, depth, has_more: false });
                continue;
            }
        };
        let first = agenda.len();
        agenda.extend(below(search, now, item).map(|child| (child, depth + 1)));
        rows.push(Row { item, is_link: false, depth, has_more: agenda.len() > first });
        if opens(item) {
            agenda[first..].reverse();
        } else {
            agenda.truncate(first);
        }
    }
    rows
}

/// What stands below an item by now.
pub(super) fn below<'s>(search: &'s Search, now: &'s Moment, item: Item) -> impl Iterator<Item = Child> + 's {
    search.children(item).filter(|child| match child {
        Child::Own(item) => search.born(*item) <= now.moves,
        Child::Link(_) => true,
    })
}

/// What is unfolded at first: the proof, and the top of the tree as far as it fits a screen.
pub(super) fn at_first(search: &Search, now: &Moment, proof: &[Item]) -> HashSet<Item> {
    let mut unfolded: HashSet<Item> = proof.iter().copied().collect();
    let mut level: Vec<Item> = search.root().into_iter().collect();
    let mut count = level.len();
    while !level.is_empty() {
        let own = |item: &Item| below(search, now, *item).filter_map(own).collect::<Vec<_>>();
        let next: Vec<Item> = level.iter().flat_map(own).collect();
        count += next.len();
        if count > AT_FIRST {
            break;
        }
        unfolded.extend(level);
        level = next;
    }
    unfolded
}

pub(super) fn own(child: Child) -> Option<Item> {
    match child {
        Child::Own(item) => Some(item),
        Child::Link(_) => None,
    }
}
