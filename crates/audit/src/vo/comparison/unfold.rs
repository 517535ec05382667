//! Unfolds definitions of the files where two terms differ syntactically.

use std::collections::HashMap;

use super::Side;
use crate::vo::compiled::declaration::{Body, Field};
use crate::vo::compiled::term::{Term, TermId};

/// Terms may be deeply nested: with less stack than this, substitution continues on a new segment.
const RED_ZONE_BYTES: usize = 64 << 10;
const STACK_PIECE_BYTES: usize = 4 << 20;

/// Maximum number of terms created by unfolding in one file; then unfolding stops.
const MOST_MADE: usize = 200_000;
/// Maximum number of terms looked at to unfold others in one file; then unfolding stops.
const MOST_VISITED: usize = 5_000_000;

/// A substitution for the loose variables of a term.
enum Change<'a> {
    /// They are shifted by this number.
    Lift(u32),
    /// The innermost ones are replaced; the first value is for the outermost of them.
    Put(&'a [TermId]),
}

impl Side<'_> {
    pub(super) fn get(&self, term: TermId) -> Term {
        match (term.0 as usize).checked_sub(self.library.count()) {
            None => self.library[term].clone(),
            Some(made) => self.made[made].clone(),
        }
    }

    fn make(&mut self, term: Term) -> Option<TermId> {
        let id = u32::try_from(self.library.count() + self.made.len()).ok()?;
        (self.made.len() < MOST_MADE).then(|| self.made.push(term))?;
        Some(TermId(id))
    }

    /// The head and arguments of an application. Casts are ignored.
    pub(super) fn head(&self, mut term: TermId) -> (TermId, Vec<TermId>) {
        let mut arguments = Vec::new();
        loop {
            match self.get(term) {
                Term::Cast(inner, ..) => term = inner,
                Term::App(function, more) => {
                    // Collected last to first, and reversed at the end.
                    arguments.extend(more.iter().rev());
                    term = function;
                }
                _ => break,
            }
        }
        arguments.reverse();
        (term, arguments)
    }

    /// One reduction step at the head of a term: unfolds a definition of the file, applies a function, or
    /// substitutes a `let`.
    pub(super) fn unfolded(&mut self, term: TermId) -> Option<TermId> {
        let (head, arguments) = self.head(term);
        match self.get(head) {
            // Universes would have to be substituted too.
            Term::Const(name, instance) if instance.is_empty() && name.canonical.is_own() => {
                let Some(Field::Constant(constant)) = self.declared.get(&*name.canonical) else {
                    return None;
                };
                let Body::Transparent(value) = constant.body else { return None };
                self.applied(value, &arguments)
            }
            Term::Lambda(..) if !arguments.is_empty() => self.applied(head, &arguments),
            Term::Let(value, _, body) => {
                let body = self.changed(body, 0, &Change::Put(&[value]), &mut HashMap::new())?;
                self.applied(body, &arguments)
            }
            _ => None,
        }
    }

    /// Applies a function to as many arguments as it has binders.
    fn applied(&mut self, function: TermId, arguments: &[TermId]) -> Option<TermId> {
        let (mut body, mut taken) = (function, 0);
        while taken < arguments.len() {
            match self.get(body) {
                Term::Lambda(_, inner) => (body, taken) = (inner, taken + 1),
                Term::Cast(inner, ..) if taken == 0 => body = inner,
                _ => break,
            }
        }
        let (put, rest) = arguments.split_at(taken);
        let body = self.changed(body, 0, &Change::Put(put), &mut HashMap::new())?;
        match rest {
            [] => Some(body),
            rest => self.make(Term::App(body, rest.into())),
        }
    }

    fn changed(
        &mut self,
        term: TermId,
        depth: u32,
        change: &Change<'_>,
        done: &mut HashMap<(TermId, u32), TermId>,
    ) -> Option<TermId> {
        if let Some(&known) = done.get(&(term, depth)) {
            return Some(known);
        }
        self.visited += 1;
        if self.visited > MOST_VISITED {
            return None;
        }
        let new = stacker::maybe_grow(RED_ZONE_BYTES, STACK_PIECE_BYTES, || {
            let old = self.get(term);
            if let Term::Rel(index) = old {
                return self.variable(term, index, depth, change);
            }
            let mut complete = true;
            let new = old.with_parts(&mut |part, under| {
                self.changed(part, depth + under, change, done).unwrap_or_else(|| {
                    complete = false;
                    part
                })
            });
            match complete {
                false => None,
                true if new == old => Some(term),
                true => self.make(new),
            }
        })?;
        done.insert((term, depth), new);
        Some(new)
    }

    fn variable(&mut self, term: TermId, index: u32, depth: u32, change: &Change<'_>) -> Option<TermId> {
        let Some(free) = index.checked_sub(depth + 1) else { return Some(term) };
        match change {
            Change::Lift(by) => self.make(Term::Rel(index + by)),
            Change::Put(values) => match values.len().checked_sub(free as usize + 1) {
                Some(at) => self.changed(values[at], 0, &Change::Lift(depth), &mut HashMap::new()),
                None => self.make(Term::Rel(index - u32::try_from(values.len()).ok()?)),
            },
        }
    }
}
