//! Casts by the virtual machine, and what it computes wrongly.

use std::collections::HashSet;

use super::submission::{Mark, Submission, roots};
use super::triggers::first;
use crate::rocq::comparison::Walk;
use crate::rocq::compiled::Library;
use crate::rocq::compiled::declaration::*;
use crate::rocq::compiled::libraries::standard;
use crate::rocq::compiled::term::*;

/// The number of `addmuldiv` among the operations of the kernel.
pub(super) const SHIFT: i64 = 22;
/// Shifts by less than this are computed rightly: the length of a machine integer.
const BITS: i64 = 63;
/// Libraries of procedures that prove by computing: `lia`, `lra`, `nia`, `psatz`; `ring`, `field`, `nsatz`; `btauto`; `rtauto`.
const PROCEDURES: [&str; 5] = ["micromega.", "setoid_ring.", "nsatz.", "btauto.", "rtauto."];

/// Whether a library's procedure made a cast, by its type: a condition that it computed, perhaps under a local name for what
/// is not to be computed, or an equation, one side of which is a call to it.
pub(super) fn is_of_library_procedure(library: &Library, ty: TermId) -> bool {
    let Term::App(relation, arguments) = &library[ty] else { return false };
    if calls_procedure(library, *relation) {
        return true;
    }
    let known = match &library[*relation] {
        Term::Inductive(name, ..) => standard(&name.canonical.to_string()) == Some("Init.Logic.eq"),
        Term::Rel(_) => true,
        _ => false,
    };
    known && arguments.iter().any(|&side| calls_procedure(library, side))
}

fn calls_procedure(library: &Library, mut term: TermId) -> bool {
    loop {
        term = match &library[term] {
            Term::App(head, _) => *head,
            Term::Let(.., body) => *body,
            Term::Const(name, _) => {
                return matches!(&name.canonical.root, Root::Library(library)
                    if standard(library).is_some_and(|name| PROCEDURES.iter().any(|one| name.starts_with(one))));
            }
            _ => return false,
        };
    }
}

/// Whether a constant of a library is the shift of two machine integers, or has it.
pub(super) fn is_library_shift(path: &Path) -> bool {
    matches!(&path.root, Root::Library(library)
        if standard(library).is_some_and(|name| name.starts_with("Numbers.Cyclic.Int63."))
        && (library.ends_with(".Cyclic63") || path.labels.last().is_some_and(|label| **label == *"addmuldiv")))
}

/// The operation of a term that applies one to a number that is written out and, if it is a shift, too small to go wrong.
pub(super) fn small_shift(library: &Library, term: &Term) -> Option<TermId> {
    let Term::App(function, arguments) = term else { return None };
    let small = matches!(library[*function], Term::Const(..))
        && matches!(arguments.first().map(|&first| &library[first]), Some(Term::Int(0..BITS)));
    small.then_some(*function)
}

/// A cast that speaks of a variable of a section that has a value, or of a `let` that does.
pub(super) fn under_let(submission: &Submission) -> Option<Path> {
    first(submission, |declared| {
        roots(declared.field).any(|root| match root.proof {
            Some(proof) => about_variable(submission, root.term, proof),
            None => Prefix { submission, lets: Vec::new(), work: 0 }.is_met(root.term),
        })
    })
}

/// An opaque proof is not closed over the variables of its sections yet. What the library's procedures compute does not
/// mention them either, so that their casts need not be told apart here.
fn about_variable(submission: &Submission, proof: TermId, opaque: &Opaque) -> bool {
    let library = submission.library;
    let defined = |name: &str| opaque.discharged.iter().any(|(known, value)| *value && **known == *name);
    let (mut met, mut inside) = (HashSet::new(), HashSet::new());
    let (mut open, mut casts) = (vec![proof], Vec::new());
    while let Some(term) = open.pop() {
        if submission.has(term, Mark::AnyVmCast) && met.insert(term) {
            match library[term] {
                Term::Cast(_, CastKind::Vm, _) => casts.push(term),
                Term::Let(value, _, body) if submission.has(body, Mark::VmCast) => casts.push(value),
                _ => {}
            }
            library[term].each_part(|part| open.push(part));
        }
    }
    while let Some(term) = casts.pop() {
        if submission.has(term, Mark::Variable) && inside.insert(term) {
            if matches!(&library[term], Term::Var(name) if defined(name)) {
                return true;
            }
            library[term].each_part(|part| casts.push(part));
        }
    }
    false
}

/// The binders that a term begins with: those of its sections stand among them.
struct Prefix<'s, 'a> {
    submission: &'s Submission<'a>,
    /// Whether each has a value, outermost first.
    lets: Vec<bool>,
    /// The steps that were taken.
    work: usize,
}

/// A term that takes more steps than this is said to be met: nobody writes such terms.
const MAX_WORK: usize = 20_000_000;

impl Prefix<'_, '_> {
    fn is_met(&mut self, mut term: TermId) -> bool {
        loop {
            let (outside, value, body) = match self.submission.library[term] {
                Term::Prod(domain, body) | Term::Lambda(domain, body) => (vec![domain], false, body),
                Term::Let(value, ty, body) => (vec![value, ty], true, body),
                _ => return self.speaks_of_let(term),
            };
            if outside.into_iter().any(|part| self.speaks_of_let(part)) {
                return true;
            }
            self.lets.push(value);
            term = body;
        }
    }

    /// Whether a cast in a term under these binders mentions one that has a value.
    fn speaks_of_let(&mut self, term: TermId) -> bool {
        let submission = self.submission;
        let (mut met, mut inside) = (HashSet::new(), HashSet::new());
        let (mut open, mut casts) = (vec![(term, 0)], Vec::new());
        if !self.lets.contains(&true) {
            return false;
        }
        while let Some((term, under)) = open.pop() {
            self.work += 1;
            let within = submission.has(term, Mark::VmCast) && submission.free(term) > under;
            if self.work > MAX_WORK {
                return true;
            }
            if within && met.insert((term, under)) {
                match submission.library[term] {
                    Term::Cast(_, CastKind::Vm, ty) if !is_of_library_procedure(submission.library, ty) => {
                        casts.push((term, under));
                    }
                    Term::Let(value, _, body) if submission.has(body, Mark::VmCast) => {
                        casts.push((value, under));
                    }
                    _ => {}
                }
                submission.library[term].each_part_under(|part, more| open.push((part, under + more)));
            }
        }
        while let Some((term, under)) = casts.pop() {
            self.work += 1;
            if self.work > MAX_WORK {
                return true;
            }
            if submission.free(term) > under && inside.insert((term, under)) {
                if let Term::Rel(index) = submission.library[term] {
                    // Counted from the inside of the binders: 1 is the last.
                    let binder = self.lets.len().checked_sub((index - under) as usize);
                    if binder.is_some_and(|binder| self.lets[binder]) {
                        return true;
                    }
                }
                submission.library[term].each_part_under(|part, more| casts.push((part, under + more)));
            }
        }
        false
    }
}

/// A shift that a cast by the virtual machine may come to compute. Those of the library's procedures count: they can be given
/// functions to compute with.
pub(super) fn int_shift(submission: &Submission) -> Option<Path> {
    let mut walk = Walk::new(submission.library);
    let is_shift = |field| roots(field).any(|root| submission.has(root.term, Mark::Shift));
    for declared in &submission.declared {
        if roots(declared.field).any(|root| submission.has(root.term, Mark::AnyVmCast)) {
            if is_shift(declared.field) {
                return Some(declared.path.clone());
            }
            walk.field(declared.field);
        }
    }
    while let Some(path) = walk.names.pop() {
        for declared in submission.at(&path) {
            if is_shift(declared.field) {
                return Some(declared.path.clone());
            }
            walk.field(declared.field);
        }
    }
    None
}
