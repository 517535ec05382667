//! Traversals of terms. Terms share subterms, so a term of sixty nodes may have 2 ^ 60 when written out; traversals
//! of many nodes therefore remember shared ones.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Kind, MetaId, Name, Term, deeper};
use crate::budget;

impl Term {
    /// Replaces subterms by the result of `f`; where that is `None`, visits the children. `f` gets the
    /// number of binders above, and must be a pure function: a shared subterm is
    /// replaced once and stays shared in the result.
    pub fn replace(&self, f: &mut impl FnMut(&Self, u32) -> Option<Self>) -> Self {
        Replacer { f, visits: 0, known: FxHashMap::default() }.at(self, 0)
    }

    /// Whether some subterm satisfies a predicate.
    pub fn any(&self, mut predicate: impl FnMut(&Self) -> bool) -> bool {
        let mut walk = Walk::default();
        let mut waiting = vec![(self, 0)];
        while let Some((term, _)) = waiting.pop() {
            if walk.is_new(term, 0) {
                if predicate(term) {
                    return true;
                }
                term.push_children(0, &mut waiting);
            }
        }
        false
    }

    /// Whether it uses bound variable 0.
    pub fn uses_variable(&self) -> bool {
        self.uses_bound(0)
    }

    /// Whether it uses a given loose bound variable.
    pub fn uses_bound(&self, index: u32) -> bool {
        let mut walk = Walk::default();
        let mut waiting = vec![(self, index)];
        while let Some((term, depth)) = waiting.pop() {
            if term.0.loose <= depth || !walk.is_new(term, depth) {
                continue;
            }
            if matches!(term.kind(), Kind::Bound(i) if *i == depth) {
                return true;
            }
            term.push_children(depth, &mut waiting);
        }
        false
    }

    /// Pushes the children, each with the number of binders above it, so that the first one is popped first.
    fn push_children<'t>(&'t self, depth: u32, waiting: &mut Vec<(&'t Self, u32)>) {
        match self.kind() {
            Kind::App(a, b) => waiting.extend([(b, depth), (a, depth)]),
            Kind::Lambda(_, a, b) | Kind::Pi(_, a, b) => waiting.extend([(b, depth + 1), (a, depth)]),
            Kind::Let(_, a, b, c) => waiting.extend([(c, depth + 1), (b, depth), (a, depth)]),
            Kind::Bound(_)
            | Kind::Local(_)
            | Kind::Meta(_)
            | Kind::Sort(_)
            | Kind::Const(..)
            | Kind::Lit(_) => {}
        }
    }

    /// The metavariables in it, in order of appearance.
    pub fn metas(&self) -> Vec<MetaId> {
        let (mut walk, mut seen, mut found) = (Walk::default(), FxHashSet::default(), Vec::new());
        let mut waiting = vec![(self, 0)];
        while let Some((term, _)) = waiting.pop() {
            if !term.has_meta() || !walk.is_new(term, 0) {
                continue;
            }
            match term.kind() {
                Kind::Meta(id) if seen.insert(*id) => found.push(*id),
                _ => term.push_children(0, &mut waiting),
            }
        }
        found
    }

    /// Whether it mentions a constant.
    pub fn mentions(&self, name: &str) -> bool {
        self.any(|t| matches!(t.kind(), Kind::Const(n, _) if &**n == name))
    }
}

/// Number of nodes visited before visited nodes are recorded: most terms are smaller.
const SMALL: u32 = 32;

/// Replaces subterms.
struct Replacer<'f, F> {
    f: &'f mut F,
    visits: u32,
    /// The results for shared terms, by number of binders. The terms live as long as the whole term.
    known: FxHashMap<(*const (), u32), Term>,
}

impl<F: FnMut(&Term, u32) -> Option<Term>> Replacer<'_, F> {
    fn at(&mut self, term: &Term, depth: u32) -> Term {
        budget::visits(1);
        self.visits = self.visits.saturating_add(1);
        // A node with several owners may occur again.
        let is_shared = Arc::strong_count(&term.0) > 1 && term.kind().has_children();
        if is_shared && let Some(known) = self.known.get(&(term.address(), depth)) {
            return known.clone();
        }
        let replaced = deeper(|| match (self.f)(term, depth) {
            Some(replaced) => replaced,
            None => term.map(depth, &mut |child, depth| self.at(child, depth)),
        });
        if is_shared && self.visits > SMALL {
            self.known.insert((term.address(), depth), replaced.clone());
        }
        replaced
    }
}

/// A traversal that visits shared subterms once.
#[derive(Default)]
struct Walk {
    visits: u32,
    seen: FxHashSet<(*const (), u32)>,
}

impl Walk {
    /// Whether a subterm below this many binders was not yet visited.
    fn is_new(&mut self, term: &Term, depth: u32) -> bool {
        budget::visits(1);
        self.visits = self.visits.saturating_add(1);
        let is_shared = Arc::strong_count(&term.0) > 1 && term.kind().has_children();
        !is_shared || self.visits <= SMALL || self.seen.insert((term.address(), depth))
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        let (mut visits, mut seen) = (0u32, FxHashSet::default());
        let mut waiting = vec![(self, other)];
        while let Some((a, b)) = waiting.pop() {
            if a.is_same(b) {
                continue;
            }
            if a.0.hash != b.0.hash {
                return false;
            }
            budget::visits(1);
            visits = visits.saturating_add(1);
            if visits > SMALL && a.kind().has_children() && !seen.insert((a.address(), b.address())) {
                continue;
            }
            match (a.kind(), b.kind()) {
                (Kind::Bound(a), Kind::Bound(b)) if a == b => {}
                (Kind::Local(a), Kind::Local(b)) if a == b => {}
                (Kind::Meta(a), Kind::Meta(b)) if a == b => {}
                (Kind::Sort(a), Kind::Sort(b)) if a == b => {}
                (Kind::Const(a, ls), Kind::Const(b, ms)) if same_name(a, b) && ls == ms => {}
                (Kind::Lit(a), Kind::Lit(b)) if a == b => {}
                (Kind::App(a, b), Kind::App(c, d))
                | (Kind::Lambda(_, a, b), Kind::Lambda(_, c, d))
                | (Kind::Pi(_, a, b), Kind::Pi(_, c, d)) => waiting.extend([(a, c), (b, d)]),
                (Kind::Let(_, a, b, c), Kind::Let(_, d, e, f)) => {
                    waiting.extend([(a, d), (b, e), (c, f)]);
                }
                _ => return false,
            }
        }
        true
    }
}

/// Whether names are equal; usually they are the same object.
fn same_name(a: &Name, b: &Name) -> bool {
    Arc::ptr_eq(a, b) || a == b
}
