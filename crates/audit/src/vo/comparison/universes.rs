//! Checks whether the universes of two files can be identified.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::Difference;
use crate::vo::compiled::Library;
use crate::vo::compiled::term::{Constraints, Level, Order};

/// A universe of one of the files. Those of libraries are the same in both.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Node {
    Challenge(Level),
    Submission(Level),
    Shared(Level),
    /// A parameter of a declaration of the challenge or of a library, for some value, by the number of the declaration.
    Parameter(usize, u32),
    /// One that Rocq has introduced to compare values.
    Asked(Level),
}

/// What the parameters of two declarations have to do with each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Parameters {
    /// Each parameter of the one is that of the other with the same number, for all their values.
    Same,
    /// Those of the submission stand for universes of the challenge, which has no parameters.
    Instance,
    /// Each parameter of the one is one of the other, in whatever order: nobody has named them. The number is that of the theorem.
    Renamed(usize),
    /// Universes do not count.
    Any,
}

/// Which parameters of two theorems are the same.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Renaming {
    there: HashMap<u32, u32>,
    back: HashMap<u32, u32>,
}

impl Renaming {
    /// Makes two parameters the same one, unless one of them is another already.
    fn pair(&mut self, challenge: u32, submission: u32) -> bool {
        match (self.there.get(&challenge), self.back.get(&submission)) {
            (None, None) => {
                self.there.insert(challenge, submission);
                self.back.insert(submission, challenge);
                true
            }
            (there, back) => there == Some(&submission) && back == Some(&challenge),
        }
    }

    /// Whether each has the number of the other.
    pub(super) fn is_identity(&self) -> bool {
        self.there.iter().all(|(challenge, submission)| challenge == submission)
    }

    /// A parameter of the submission as the challenge numbers it.
    fn number(&self, submission: u32) -> Key {
        self.back.get(&submission).map_or(Key::Unknown(submission), |number| Key::Bound(*number))
    }
}

/// The universes of both files, their order, and the required identifications.
#[derive(Debug)]
pub(super) struct Universes {
    /// Of the declarations that are being compared.
    pub(super) parameters: Parameters,
    /// Of the theorems that are being compared, if their parameters are [renamed](Parameters::Renamed).
    pub(super) renaming: Renaming,
    /// Whether a statement mentions universes besides the smallest one.
    pub(super) are_mentioned: bool,
    /// The number of declarations whose parameters are ordered.
    declarations: usize,
    nodes: HashMap<Node, usize>,
    /// Constraints `<=`, or `<` where marked as strict.
    edges: Vec<(usize, usize, bool)>,
    /// Union-find parents: for each universe an equal one, or itself.
    same: Vec<usize>,
}

impl Universes {
    /// The universes of both files. What the declarations of the challenge require of their parameters belongs to its order: each
    /// of them holds for some values, at which what stands beside the theorems may use it.
    pub(super) fn new(challenge: &Constraints, contexts: &[Constraints], submission: &Constraints) -> Self {
        let mut universes = Self {
            parameters: Parameters::Same,
            renaming: Renaming::default(),
            are_mentioned: false,
            declarations: 0,
            nodes: HashMap::new(),
            edges: Vec::new(),
            same: Vec::new(),
        };
        universes.order(challenge, Node::Challenge);
        universes.order_contexts(contexts, Node::Challenge);
        universes.order(submission, Node::Submission);
        universes
    }

    /// Adds what Rocq requires of the universes of both files to find values equal, as a file says that compares them.
    pub(super) fn order_asked(&mut self, asked: &Library, challenge: &str, submission: &str) {
        let side = |level: Level| match level {
            Level::Library(library, worker, number) if *library == *challenge => {
                Node::Challenge(Level::Own(worker, number))
            }
            Level::Library(library, worker, number) if *library == *submission => {
                Node::Submission(Level::Own(worker, number))
            }
            level if level.is_own() => Node::Asked(level),
            level => Node::Shared(level),
        };
        for (left, order, right) in &asked.constraints {
            let [left, right] = [left, right].map(|level| self.of_node(side(level.clone())));
            self.edge(left, *order, right);
        }
    }

    fn order_contexts(&mut self, contexts: &[Constraints], side: fn(Level) -> Node) {
        for context in contexts {
            let declaration = self.declarations;
            self.declarations += 1;
            for (left, order, right) in context {
                let [left, right] = [left, right].map(|level| match level {
                    Level::Bound(number) => self.of_node(Node::Parameter(declaration, *number)),
                    level => self.node(level, side),
                });
                self.edge(left, *order, right);
            }
        }
    }

    fn edge(&mut self, left: usize, order: Order, right: usize) {
        self.edges.push((left, right, order == Order::Less));
        if order == Order::Equal {
            self.edges.push((right, left, false));
        }
    }

    fn order(&mut self, constraints: &Constraints, side: fn(Level) -> Node) {
        for (left, order, right) in constraints {
            let (left, right) = (self.node(left, side), self.node(right, side));
            self.edge(left, *order, right);
        }
    }

    fn node(&mut self, level: &Level, side: fn(Level) -> Node) -> usize {
        let is_shared = !level.is_own() && !matches!(level, Level::Bound(_));
        self.of_node(if is_shared { Node::Shared(level.clone()) } else { side(level.clone()) })
    }

    fn of_node(&mut self, node: Node) -> usize {
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
        self.are_mentioned |= *challenge != Level::Set || *submission != Level::Set;
        match (self.parameters, challenge, submission) {
            (Parameters::Any, ..) => return true,
            (Parameters::Renamed(_), Level::Bound(left), Level::Bound(right)) => {
                return self.renaming.pair(*left, *right);
            }
            (_, Level::Bound(left), Level::Bound(right)) => return left == right,
            (_, Level::Bound(_), _) | (Parameters::Same | Parameters::Renamed(_), _, Level::Bound(_)) => {
                return false;
            }
            (Parameters::Instance, _, Level::Bound(_)) | (_, Level::Own(..), _) | (_, _, Level::Own(..)) => {}
            _ => return challenge == submission,
        }
        let left = self.node(challenge, Node::Challenge);
        let right = self.node(submission, Node::Submission);
        let (left, right) = (self.representative(left), self.representative(right));
        self.same[left] = right;
        true
    }

    fn equal_parts(&mut self, challenge: &[(Level, u32)], submission: &[(Level, u32)]) -> bool {
        let is_own = |(level, _): &&(Level, u32)| level.is_own();
        let parts = |bound: &[(Level, u32)]| {
            let (own, mut others): (Vec<_>, Vec<_>) = bound.iter().cloned().partition(|l| is_own(&l));
            others.sort();
            (own, others)
        };
        let ((left, mut others), (right, mut same)) = (parts(challenge), parts(submission));
        if matches!(self.parameters, Parameters::Renamed(_)) {
            self.leave_known(&mut others, &mut same);
            return others.len() == same.len()
                && left.len() == right.len()
                && left
                    .iter()
                    .chain(&others)
                    .zip(right.iter().chain(&same))
                    .all(|(l, r)| l.1 == r.1 && self.equal(&l.0, &r.0));
        }
        others == same
            && left.len() == right.len()
            && left.iter().zip(&right).all(|(l, r)| l.1 == r.1 && self.equal(&l.0, &r.0))
    }

    /// Leaves out the parameters that are known to be the same.
    fn leave_known(&self, challenge: &mut Vec<(Level, u32)>, submission: &mut Vec<(Level, u32)>) {
        challenge.retain(|(level, steps)| {
            let Level::Bound(number) = level else { return true };
            let known = self.renaming.there.get(number).map(|there| (Level::Bound(*there), *steps));
            match submission.iter().position(|part| Some(part) == known.as_ref()) {
                Some(at) => {
                    submission.remove(at);
                    false
                }
                None => true,
            }
        });
    }

    /// Adds the constraints of a polymorphic theorem of the submission on the universes at which it is used. Several
    /// theorems share an instance, which is stricter than necessary.
    pub(super) fn instance(&mut self, constraints: &Constraints) {
        self.order(constraints, Node::Submission);
    }

    /// Identifies two bounds, part for part. Rocq would find more of them equal, but at one instance of what has parameters, and
    /// without telling what it requires of other universes.
    pub(super) fn equal_bounds(&mut self, challenge: &[(Level, u32)], submission: &[(Level, u32)]) -> bool {
        self.are_mentioned |= challenge.iter().chain(submission).any(|(level, _)| *level != Level::Set);
        if self.parameters == Parameters::Any {
            return true;
        }
        match (challenge, submission) {
            ([(left, left_steps)], [(right, right_steps)]) => {
                left_steps == right_steps && self.equal(left, right)
            }
            _ => self.equal_parts(challenge, submission),
        }
    }

    /// What a declaration of the submission requires of its parameters that one of the challenge does not: the positions of
    /// its constraints. All universes must have been identified before.
    pub(super) fn required(
        &mut self,
        challenge: &Constraints,
        submission: &Constraints,
        renaming: Option<&Renaming>,
    ) -> Vec<usize> {
        let given = self.keyed(challenge, Node::Challenge);
        let mut wanted = self.keyed(submission, Node::Submission);
        if let Some(renaming) = renaming {
            let renamed = |key: Key| match key {
                Key::Bound(number) => renaming.number(number),
                key => key,
            };
            wanted = wanted.into_iter().map(|(l, order, r)| (renamed(l), order, renamed(r))).collect();
        }
        unimplied(&given, &wanted, &self.key(&Level::Set, Node::Challenge))
    }

    /// What a declaration of the challenge requires of its parameters that one of the submission does not.
    pub(super) fn lacks(&mut self, challenge: &Constraints, submission: &Constraints) -> bool {
        let given = self.keyed(submission, Node::Submission);
        let wanted = self.keyed(challenge, Node::Challenge);
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

    /// The universes as they were identified, if that is consistent: with the order in both files, and with that of the
    /// libraries where these universes depend on it.
    pub(super) fn settle(
        mut self,
        libraries: impl Fn() -> Option<(Constraints, Vec<Constraints>)>,
    ) -> Result<Settled, Difference> {
        let smallest = self.node(&Level::Set, Node::Challenge);
        for (node, id) in &self.nodes {
            let strict = matches!(node, Node::Challenge(Level::Own(..)) | Node::Submission(Level::Own(..)));
            self.edges.push((smallest, *id, strict));
        }
        let settled = self.settled()?;
        if !settled.orders_libraries() {
            return Ok(settled);
        }
        let (known, contexts) = libraries().ok_or(Difference::Libraries)?;
        self.order(&known, Node::Shared);
        self.order_contexts(&contexts, Node::Shared);
        self.settled()
    }

    fn settled(&self) -> Result<Settled, Difference> {
        let nodes = self.same.len();
        let mut classes = vec![Class::default(); nodes];
        for (node, id) in &self.nodes {
            let class = &mut classes[self.representative(*id)];
            match node {
                Node::Shared(level) if class.shared.as_ref().is_some_and(|other| other != level) => {
                    return Err(Difference::Universes);
                }
                Node::Shared(level) => class.shared = Some(level.clone()),
                Node::Challenge(level) | Node::Submission(level) => class.is_own |= level.is_own(),
                Node::Parameter(..) | Node::Asked(_) => {}
            }
        }
        let of_class = |&(from, to, strict)| (self.representative(from), self.representative(to), strict);
        let edges: Vec<(usize, usize, bool)> = self.edges.iter().map(of_class).collect();
        let component = components(nodes, &edges);
        match edges.iter().any(|&(from, to, strict)| strict && component[from] == component[to]) {
            true => Err(Difference::Universes),
            false => Ok(Settled { classes, edges }),
        }
    }
}

/// Universes that are identified.
#[derive(Clone, Debug, Default)]
struct Class {
    /// The one of them that both files share: at most one, since nothing says that two are equal.
    shared: Option<Level>,
    /// Whether there is one of the files among them.
    is_own: bool,
}

/// Universes that are identified consistently.
#[derive(Debug)]
pub(super) struct Settled {
    /// By the numbers of representatives.
    classes: Vec<Class>,
    edges: Vec<(usize, usize, bool)>,
}

impl Settled {
    /// Whether the files put something above a universe of a library, so that it matters what the libraries put there.
    fn orders_libraries(&self) -> bool {
        let is_of_library = |class: &Class| matches!(class.shared, Some(Level::Library(..)));
        let from = (0..self.classes.len()).filter(|&at| is_of_library(&self.classes[at]));
        let above = self.above(from);
        above.into_iter().any(|at| self.classes[at].is_own || self.classes[at].shared.is_some())
    }

    /// The classes that lie above others, by one constraint or more.
    fn above(&self, from: impl Iterator<Item = usize>) -> HashSet<usize> {
        let mut steps: HashMap<usize, Vec<usize>> = HashMap::new();
        for &(lower, upper, _) in self.edges.iter().filter(|(lower, upper, _)| lower != upper) {
            steps.entry(lower).or_default().push(upper);
        }
        let (mut met, mut open): (HashSet<usize>, Vec<usize>) = (HashSet::new(), from.collect());
        while let Some(at) = open.pop() {
            open.extend(steps.get(&at).into_iter().flatten().filter(|upper| met.insert(**upper)));
        }
        met
    }

    /// The universes of libraries that are no universe of the files, nor below one, nor the smallest one.
    pub(super) fn unrelated(&self) -> HashSet<Level> {
        let mut below: HashMap<usize, Vec<usize>> = HashMap::new();
        for &(lower, upper, _) in &self.edges {
            below.entry(upper).or_default().push(lower);
        }
        let is_of_files = |class: &Class| class.is_own || class.shared == Some(Level::Set);
        let mut open: Vec<usize> =
            (0..self.classes.len()).filter(|&at| is_of_files(&self.classes[at])).collect();
        let mut related: HashSet<usize> = open.iter().copied().collect();
        while let Some(at) = open.pop() {
            open.extend(below.get(&at).into_iter().flatten().filter(|lower| related.insert(**lower)));
        }
        let unrelated = (0..self.classes.len()).filter(|at| !related.contains(at));
        unrelated.filter_map(|at| self.classes[at].shared.clone()).collect()
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Key {
    Bound(u32),
    /// A parameter that the statement does not mention.
    Unknown(u32),
    Class(usize),
}

/// The positions of the constraints that do not follow from others.
pub(crate) fn unimplied<L: Eq + Hash>(
    given: &[(L, Order, L)],
    wanted: &[(L, Order, L)],
    smallest: &L,
) -> Vec<usize> {
    let mut steps: HashMap<&L, Vec<(&L, bool)>> = HashMap::new();
    for (left, order, right) in given {
        steps.entry(left).or_default().push((right, *order == Order::Less));
        if *order == Order::Equal {
            steps.entry(right).or_default().push((left, false));
        }
    }
    let follows = |(left, order, right): &(L, Order, L)| match order {
        Order::Less => reaches(&steps, left, right, true),
        // Nothing is below the smallest universe, and parameters may equal it.
        Order::LessOrEqual => left == smallest || reaches(&steps, left, right, false),
        Order::Equal => {
            (left == smallest || reaches(&steps, left, right, false))
                && (right == smallest || reaches(&steps, right, left, false))
        }
    };
    (0..wanted.len()).filter(|&at| !follows(&wanted[at])).collect()
}

/// Whether one universe is at most another one; less than it if `strictly`.
fn reaches<L: Eq + Hash>(steps: &HashMap<&L, Vec<(&L, bool)>>, from: &L, to: &L, strictly: bool) -> bool {
    // A universe, and whether a step to it was strict.
    let (mut met, mut open) = (HashSet::from([(from, false)]), vec![(from, false)]);
    while let Some((at, strict)) = open.pop() {
        if at == to && (strict || !strictly) {
            return true;
        }
        let next = steps.get(at).into_iter().flatten().map(|&(to, is_strict)| (to, strict || is_strict));
        open.extend(next.filter(|step| met.insert(*step)));
    }
    false
}

#[cfg(test)]
mod tests;
