//! Checks whether the universes of two files can be identified.

use std::collections::HashMap;

use super::Difference;
use crate::vo::compiled::term::{Constraints, Level, Order};

/// A universe of one of the files. Those of libraries are the same in both.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Node {
    Challenge(Level),
    Submission(Level),
    Shared(Level),
}

/// What the parameters of two declarations have to do with each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Parameters {
    /// Each parameter of the one is that of the other with the same number, for all their values.
    Same,
    /// Those of the submission stand for universes of the challenge, which has no parameters.
    Instance,
}

/// The universes of both files, their order, and the required identifications.
#[derive(Debug)]
pub(super) struct Universes {
    /// Of the declarations that are being compared.
    pub(super) parameters: Parameters,
    /// Whether something was inferred for all values of parameters from identified universes. It then takes values for
    /// these at which both files are right.
    is_relied_on: bool,
    /// Bounds of several universes of the files, which only Rocq has compared.
    bounds: Vec<[Vec<(Level, u32)>; 2]>,
    nodes: HashMap<Node, usize>,
    /// Constraints `<=`, or `<` where marked as strict.
    edges: Vec<(usize, usize, bool)>,
    /// Union-find parents: for each universe an equal one, or itself.
    same: Vec<usize>,
}

impl Universes {
    pub(super) fn new(challenge: &Constraints, submission: &Constraints) -> Self {
        let mut universes = Self {
            parameters: Parameters::Same,
            is_relied_on: false,
            bounds: Vec::new(),
            nodes: HashMap::new(),
            edges: Vec::new(),
            same: Vec::new(),
        };
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

    /// The representative of the universes equal to this one.
    fn representative(&self, mut id: usize) -> usize {
        while self.same[id] != id {
            id = self.same[id];
        }
        id
    }

    /// Identifies two universes. Consistency is checked at the end, except for universes that belong to no file.
    pub(super) fn equal(&mut self, challenge: &Level, submission: &Level) -> bool {
        match (self.parameters, challenge, submission) {
            (_, Level::Bound(left), Level::Bound(right)) => return left == right,
            (_, Level::Bound(_), _) | (Parameters::Same, _, Level::Bound(_)) => return false,
            (Parameters::Instance, _, Level::Bound(_)) | (_, Level::Own(..), _) | (_, _, Level::Own(..)) => {}
            _ => return challenge == submission,
        }
        let left = self.node(challenge, Node::Challenge);
        let right = self.node(submission, Node::Submission);
        let (left, right) = (self.representative(left), self.representative(right));
        self.same[left] = right;
        true
    }

    /// Identifies the universes in bounds that were left to Rocq. Of what has parameters it sees one instance, and it does
    /// not tell what it requires of other universes: what holds for all is decided here alone.
    pub(super) fn equal_remaining_bounds(&mut self) -> bool {
        let bounds = std::mem::take(&mut self.bounds);
        bounds.iter().all(|[challenge, submission]| self.equal_parts(challenge, submission))
    }

    fn equal_parts(&mut self, challenge: &[(Level, u32)], submission: &[(Level, u32)]) -> bool {
        let is_own = |(level, _): &&(Level, u32)| level.is_own();
        let parts = |bound: &[(Level, u32)]| {
            let (own, mut others): (Vec<_>, Vec<_>) = bound.iter().cloned().partition(|l| is_own(&l));
            others.sort();
            (own, others)
        };
        let ((left, others), (right, same)) = (parts(challenge), parts(submission));
        others == same
            && left.len() == right.len()
            && left.iter().zip(&right).all(|(l, r)| l.1 == r.1 && self.equal(&l.0, &r.0))
    }

    /// Adds the constraints of a polymorphic theorem of the submission on the universes at which it is used. Several
    /// theorems share an instance, which is stricter than necessary.
    pub(super) fn instance(&mut self, constraints: &Constraints) {
        for (left, order, right) in constraints {
            let (left, right) = (self.node(left, Node::Submission), self.node(right, Node::Submission));
            self.edges.push((left, right, *order == Order::Less));
            if *order == Order::Equal {
                self.edges.push((right, left, false));
            }
        }
    }

    /// Identifies two bounds. What Rocq checks of a theorem with parameters is one instance of it: bounds that contain
    /// parameters must be the same. Other bounds of several universes are left to Rocq.
    pub(super) fn equal_bounds(&mut self, challenge: &[(Level, u32)], submission: &[(Level, u32)]) -> bool {
        let is_bound = |(level, _): &(Level, u32)| matches!(level, Level::Bound(_));
        let has_parameters = challenge.iter().any(is_bound)
            || (self.parameters == Parameters::Same && submission.iter().any(is_bound));
        match (challenge, submission) {
            ([(left, left_steps)], [(right, right_steps)]) => {
                left_steps == right_steps && self.equal(left, right)
            }
            _ if !has_parameters => {
                self.bounds.push([challenge.to_vec(), submission.to_vec()]);
                true
            }
            _ => {
                self.is_relied_on |= challenge.iter().any(|(level, _)| level.is_own());
                self.equal_parts(challenge, submission)
            }
        }
    }

    /// What a declaration of the submission requires of its parameters that one of the challenge does not: the positions of
    /// its constraints. All universes must have been identified before.
    pub(super) fn required(&mut self, challenge: &Constraints, submission: &Constraints) -> Vec<usize> {
        let given = self.keyed(challenge, Node::Challenge);
        let wanted = self.keyed(submission, Node::Submission);
        self.is_relied_on |= submission.iter().any(|(left, _, right)| left.is_own() || right.is_own());
        unimplied(&given, &wanted, &self.key(&Level::Set, Node::Challenge))
    }

    /// What a declaration of the challenge requires of its parameters that one of the submission does not.
    pub(super) fn lacks(&mut self, challenge: &Constraints, submission: &Constraints) -> bool {
        let given = self.keyed(submission, Node::Submission);
        let wanted = self.keyed(challenge, Node::Challenge);
        self.is_relied_on |= challenge.iter().any(|(left, _, right)| left.is_own() || right.is_own());
        !unimplied(&given, &wanted, &self.key(&Level::Set, Node::Challenge)).is_empty()
    }

    fn keyed(&mut self, constraints: &Constraints, side: fn(Level) -> Node) -> Vec<(Key, Order, Key)> {
        let keyed = |(left, order, right): &(Level, Order, Level)| {
            (self.key(left, side), *order, self.key(right, side))
        };
        constraints.iter().map(keyed).collect()
    }

    fn key(&mut self, level: &Level, side: fn(Level) -> Node) -> Key {
        match level {
            Level::Bound(number) => Key::Bound(*number),
            level => {
                let node = self.node(level, side);
                Key::Class(self.representative(node))
            }
        }
    }

    /// Whether all identifications are consistent.
    pub(super) fn settle(mut self) -> Result<(), Difference> {
        match self.is_consistent() {
            true => Ok(()),
            false => Err(Difference::Universes),
        }
    }

    /// No universe that must be greater than the smallest one was identified with it. The order of the others is
    /// left to Rocq, unless it is relied on: Rocq knows where a smaller one suffices, and valid files may choose
    /// differently.
    fn is_consistent(&mut self) -> bool {
        let smallest = self.node(&Level::Set, Node::Challenge);
        let nodes = self.same.len();
        let mut edges: Vec<(usize, usize, bool)> = (0..nodes).map(|node| (smallest, node, false)).collect();
        edges.extend(self.edges.iter().copied());
        for edge in &mut edges {
            *edge = (self.representative(edge.0), self.representative(edge.1), edge.2);
        }
        let component = components(nodes, &edges);
        let smallest = component[self.representative(smallest)];
        let is_cycle = |from: usize, to: usize| component[from] == component[to];
        edges.iter().all(|&(from, to, strict)| {
            !strict || !is_cycle(from, to) || (component[from] != smallest && !self.is_relied_on)
        })
    }
}

/// The number of the strongly connected component of each node (Kosaraju's algorithm).
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

/// A universe in the constraints of a declaration: a parameter, or all those that are identified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Key {
    Bound(u32),
    Class(usize),
}

/// The positions of the constraints that do not follow from others.
pub(crate) fn unimplied<L: PartialEq>(
    given: &[(L, Order, L)],
    wanted: &[(L, Order, L)],
    smallest: &L,
) -> Vec<usize> {
    let follows = |(left, order, right): &(L, Order, L)| match order {
        Order::Less => reaches(given, left, right, true, smallest),
        Order::LessOrEqual => reaches(given, left, right, false, smallest),
        Order::Equal => {
            reaches(given, left, right, false, smallest) && reaches(given, right, left, false, smallest)
        }
    };
    (0..wanted.len()).filter(|&at| !follows(&wanted[at])).collect()
}

/// Whether one universe is at most another one; less than it if `strictly`.
pub(super) fn reaches<L: PartialEq>(
    given: &[(L, Order, L)],
    from: &L,
    to: &L,
    strictly: bool,
    smallest: &L,
) -> bool {
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
    // Nothing is below the smallest universe, and parameters may equal it.
    from == smallest && !strictly
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(number: u32) -> Level {
        Level::Own("".into(), number)
    }

    #[test]
    fn the_order_of_universes_is_left_to_rocq() {
        let ordered = vec![(own(1), Order::Less, own(2))];
        let mut universes = Universes::new(&ordered, &Vec::new());
        assert!(universes.equal(&own(1), &own(7)) && universes.equal(&own(2), &own(7)));
        assert_eq!(universes.settle(), Ok(()));
    }

    #[test]
    fn a_universe_above_the_smallest_is_not_the_smallest() {
        let above = vec![(Level::Set, Order::Less, own(1))];
        let mut universes = Universes::new(&above, &Vec::new());
        assert!(universes.equal_bounds(&[(own(1), 0)], &[(Level::Set, 0)]));
        assert_eq!(universes.settle(), Err(Difference::Universes));
    }

    #[test]
    fn a_parameter_is_no_universe_of_a_file() {
        let (bound, none) = (Level::Bound, Vec::new());
        let mut universes = Universes::new(&none, &none);
        assert!(universes.equal(&bound(0), &bound(0)) && !universes.equal(&bound(0), &bound(1)));
        assert!(!universes.equal(&bound(0), &own(1)) && !universes.equal(&own(1), &bound(0)));
        assert!(!universes.equal(&bound(0), &Level::Set));
        universes.parameters = Parameters::Instance;
        assert!(universes.equal(&own(1), &bound(0)) && !universes.equal(&bound(0), &own(1)));
    }

    #[test]
    fn bounds_with_parameters_are_the_same_or_differ() {
        let (bound, none) = (|n| (Level::Bound(n), 0), Vec::new());
        let mut universes = Universes::new(&none, &none);
        assert!(universes.equal_bounds(&[bound(0), bound(1)], &[bound(1), bound(0)]));
        assert!(!universes.equal_bounds(&[bound(1)], &[bound(0), bound(1)]));
        assert!(!universes.equal_bounds(&[bound(0), bound(1)], &[bound(1)]));
        assert!(!universes.equal_bounds(&[bound(0), (Level::Set, 1)], &[bound(0), (Level::Set, 2)]));
        assert!(!universes.equal_bounds(&[bound(0), (own(1), 0)], &[bound(0)]));
        // Whether the identification holds matters for all values of the parameter.
        let ordered = vec![(own(1), Order::Less, own(2))];
        let mut universes = Universes::new(&ordered, &none);
        assert!(universes.equal(&own(1), &own(7)));
        assert!(universes.equal_bounds(&[bound(0), (own(2), 0)], &[bound(0), (own(7), 0)]));
        assert_eq!(universes.settle(), Err(Difference::Universes));
    }

    #[test]
    fn constraints_on_other_universes_of_equal_number_do_not_follow() {
        let (bound, none) = (Level::Bound, Vec::new());
        let below = vec![(bound(0), Order::LessOrEqual, own(1))];
        let mut universes = Universes::new(&none, &none);
        assert_eq!(universes.required(&below, &below), [0]);
        assert!(universes.equal(&own(1), &own(1)));
        assert_eq!(universes.required(&below, &below), [0; 0]);
        assert!(!universes.lacks(&below, &below) && universes.lacks(&below, &none));
    }

    #[test]
    fn constraints_follow_through_others() {
        let bound = Level::Bound;
        let given = vec![(bound(0), Order::Less, bound(1)), (bound(1), Order::Equal, bound(2))];
        assert_eq!(unimplied(&given, &[(bound(0), Order::Less, bound(2))], &Level::Set).len(), 0);
        assert_eq!(unimplied(&given, &[(bound(2), Order::LessOrEqual, bound(1))], &Level::Set).len(), 0);
        assert_eq!(unimplied(&given, &[(bound(2), Order::LessOrEqual, bound(0))], &Level::Set).len(), 1);
        assert_eq!(unimplied(&given, &[(bound(1), Order::Less, bound(2))], &Level::Set).len(), 1);
    }
}
