//! Whether the universes of two files can be the same.

use std::collections::HashMap;

use super::Difference;
use crate::rocq::compiled::term::{Constraints, Level, Order};

/// A universe of one of the files. Those of libraries are the same in both.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Node {
    Challenge(Level),
    Submission(Level),
    Shared(Level),
}

/// A least upper bound: universes, each with a number of steps up.
type Bound = Vec<(Level, u32)>;

/// Universes of both files, how they are ordered, and which of them must be the same.
#[derive(Debug)]
pub(super) struct Universes {
    nodes: HashMap<Node, usize>,
    /// Less, and not equal where it says so.
    edges: Vec<(usize, usize, bool)>,
    /// For each universe another one that it is the same as, or itself.
    same: Vec<usize>,
    /// Bounds of several universes, which are looked at when everything else is known.
    bounds: Vec<(Bound, Bound)>,
}

impl Universes {
    pub(super) fn new(challenge: &Constraints, submission: &Constraints) -> Self {
        let mut universes =
            Self { nodes: HashMap::new(), edges: Vec::new(), same: Vec::new(), bounds: Vec::new() };
        for (constraints, side) in
            [(challenge, Node::Challenge as fn(Level) -> Node), (submission, Node::Submission)]
        {
            for (left, order, right) in constraints {
                let (left, right) = (universes.node(left, side), universes.node(right, side));
                universes.edges.push((left, right, *order == Order::Less));
                if *order == Order::Equal {
                    universes.edges.push((right, left, false));
                }
            }
        }
        universes
    }

    fn node(&mut self, level: &Level, side: fn(Level) -> Node) -> usize {
        let is_shared = !level.is_own() && !matches!(level, Level::Bound(_));
        let node = if is_shared { Node::Shared(level.clone()) } else { side(level.clone()) };
        let next = self.same.len();
        let id = *self.nodes.entry(node).or_insert(next);
        if id == next {
            self.same.push(next);
        }
        id
    }

    /// The one universe that stands for all that are the same as this.
    fn representative(&self, mut id: usize) -> usize {
        while self.same[id] != id {
            id = self.same[id];
        }
        id
    }

    /// Takes two universes for the same. Whether that can be is seen at the end, but for those of no file.
    pub(super) fn equal(&mut self, challenge: &Level, submission: &Level) -> bool {
        let is_instance = matches!(submission, Level::Bound(_)) && !matches!(challenge, Level::Bound(_));
        if !challenge.is_own() && !submission.is_own() && !is_instance {
            return challenge == submission;
        }
        let left = self.node(challenge, Node::Challenge);
        let right = self.node(submission, Node::Submission);
        let (left, right) = (self.representative(left), self.representative(right));
        self.same[left] = right;
        true
    }

    /// Adds what a polymorphic theorem of the submission asks of the universes that it is used at. Several theorems share their
    /// instance, which is more than need be.
    pub(super) fn instance(&mut self, constraints: &Constraints) {
        for (left, order, right) in constraints {
            let (left, right) = (self.node(left, Node::Submission), self.node(right, Node::Submission));
            self.edges.push((left, right, *order == Order::Less));
            if *order == Order::Equal {
                self.edges.push((right, left, false));
            }
        }
    }

    /// Takes two bounds for the same.
    pub(super) fn equal_bounds(&mut self, challenge: &[(Level, u32)], submission: &[(Level, u32)]) -> bool {
        match (challenge, submission) {
            ([(left, left_steps)], [(right, right_steps)]) => {
                left_steps == right_steps && self.equal(left, right)
            }
            _ if challenge.len() == submission.len() => {
                self.bounds.push((challenge.to_vec(), submission.to_vec()));
                true
            }
            _ => false,
        }
    }

    /// Whether all that was taken for the same can be.
    pub(super) fn settle(mut self) -> Result<(), Difference> {
        for (challenge, submission) in std::mem::take(&mut self.bounds) {
            let mut left: Vec<(usize, u32)> = self.ids(&challenge, Node::Challenge);
            let mut right: Vec<(usize, u32)> = self.ids(&submission, Node::Submission);
            left.retain(|one| match right.iter().position(|other| other == one) {
                Some(at) => {
                    right.remove(at);
                    false
                }
                None => true,
            });
            // One that nothing else names must be the one that is left over.
            match (&left[..], &right[..]) {
                ([], []) => {}
                ([(one, steps)], [(other, other_steps)]) if steps == other_steps => self.same[*one] = *other,
                _ => return Err(Difference::Universes),
            }
        }
        match self.is_consistent() {
            true => Ok(()),
            false => Err(Difference::Universes),
        }
    }

    fn ids(&mut self, bound: &Bound, side: fn(Level) -> Node) -> Vec<(usize, u32)> {
        let id = |(level, steps): &(Level, u32)| {
            let node = self.node(level, side);
            (self.representative(node), *steps)
        };
        bound.iter().map(id).collect()
    }

    /// No universe is less than itself; nothing is less than the smallest.
    fn is_consistent(&mut self) -> bool {
        let smallest = self.node(&Level::Set, Node::Challenge);
        let nodes = self.same.len();
        let mut edges: Vec<(usize, usize, bool)> = (0..nodes).map(|node| (smallest, node, false)).collect();
        edges.extend(self.edges.iter().copied());
        for edge in &mut edges {
            *edge = (self.representative(edge.0), self.representative(edge.1), edge.2);
        }
        let component = components(nodes, &edges);
        edges.iter().all(|&(from, to, strict)| !strict || component[from] != component[to])
    }
}

/// The strongly connected component of each node, by a number (Kosaraju's algorithm).
fn components(nodes: usize, edges: &[(usize, usize, bool)]) -> Vec<usize> {
    let (mut forward, mut backward) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
    for &(from, to, _) in edges {
        forward[from].push(to);
        backward[to].push(from);
    }
    let mut order = Vec::with_capacity(nodes);
    let mut seen = vec![false; nodes];
    for start in 0..nodes {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.last_mut() {
            if let Some(&to) = forward[*node].get(*next) {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    path.push((to, 0));
                }
            } else {
                order.push(*node);
                path.pop();
            }
        }
    }
    let mut component = vec![usize::MAX; nodes];
    for &start in order.iter().rev() {
        if component[start] != usize::MAX {
            continue;
        }
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            if component[node] == usize::MAX {
                component[node] = start;
                open.extend(&backward[node]);
            }
        }
    }
    component
}

/// Whether constraints on the parameters of a declaration follow from others.
pub(super) fn implies(given: &Constraints, wanted: &Constraints) -> bool {
    wanted.iter().all(|(left, order, right)| match order {
        Order::Less => reaches(given, left, right, true),
        Order::LessOrEqual => reaches(given, left, right, false),
        Order::Equal => reaches(given, left, right, false) && reaches(given, right, left, false),
    })
}

/// Whether one universe is said to be less than another, or equal to it unless `strictly`.
fn reaches(given: &Constraints, from: &Level, to: &Level, strictly: bool) -> bool {
    // A universe, and whether a step to it was strict.
    let mut met = vec![(from, false)];
    let mut next = 0;
    while let Some(&(at, strict)) = met.get(next) {
        next += 1;
        if at == to && (strict || !strictly) {
            return true;
        }
        for (left, order, right) in given {
            let steps = [
                (left == at).then_some((right, strict || *order == Order::Less)),
                (right == at && *order == Order::Equal).then_some((left, strict)),
            ];
            for step in steps.into_iter().flatten() {
                if !met.contains(&step) {
                    met.push(step);
                }
            }
        }
    }
    // Nothing lies below the smallest, and parameters may be it.
    *from == Level::Set && !strictly
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(number: u32) -> Level {
        Level::Own("".into(), number)
    }

    #[test]
    fn universes_that_are_ordered_cannot_be_one() {
        let ordered = vec![(own(1), Order::Less, own(2))];
        let mut universes = Universes::new(&ordered, &Vec::new());
        assert!(universes.equal(&own(1), &own(7)) && universes.equal(&own(2), &own(8)));
        assert_eq!(universes.settle(), Ok(()));
        let mut universes = Universes::new(&ordered, &Vec::new());
        assert!(universes.equal(&own(1), &own(7)) && universes.equal(&own(2), &own(7)));
        assert_eq!(universes.settle(), Err(Difference::Universes));
    }

    #[test]
    fn a_universe_above_the_smallest_is_not_the_smallest() {
        let above = vec![(Level::Set, Order::Less, own(1))];
        let mut universes = Universes::new(&above, &Vec::new());
        assert!(universes.equal_bounds(&[(own(1), 0)], &[(Level::Set, 0)]));
        assert_eq!(universes.settle(), Err(Difference::Universes));
    }

    #[test]
    fn what_is_left_over_of_two_bounds_is_the_same() {
        let mut universes = Universes::new(&Vec::new(), &vec![(own(8), Order::Less, own(9))]);
        assert!(universes.equal(&own(1), &own(8)));
        assert!(universes.equal_bounds(&[(own(2), 0), (own(1), 1)], &[(own(8), 1), (own(9), 0)]));
        assert!(universes.equal(&own(2), &own(1)));
        assert_eq!(universes.settle(), Ok(()));
    }

    #[test]
    fn constraints_follow_through_others() {
        let bound = Level::Bound;
        let given = vec![(bound(0), Order::Less, bound(1)), (bound(1), Order::Equal, bound(2))];
        assert!(implies(&given, &vec![(bound(0), Order::Less, bound(2))]));
        assert!(implies(&given, &vec![(bound(2), Order::LessOrEqual, bound(1))]));
        assert!(!implies(&given, &vec![(bound(2), Order::LessOrEqual, bound(0))]));
        assert!(!implies(&given, &vec![(bound(1), Order::Less, bound(2))]));
    }
}
