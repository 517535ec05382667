//! Casts by the virtual machine: who made them, and the shifts that it computes wrongly.

use super::submission::{Mark, Submission, roots};
use crate::vo::comparison::Walk;
use crate::vo::compiled::Library;
use crate::vo::compiled::libraries::standard;
use crate::vo::compiled::term::*;

/// The number of `addmuldiv` among the operations of the kernel.
pub(super) const SHIFT: i64 = 22;
/// Shifts by less than this are computed rightly: the length of a machine integer.
const BITS: i64 = 63;
/// What the library's procedures compute to prove something, without the name of the whole library: `lia`, `nia`, `lra`, `nra` and `psatz`;
/// `nsatz`; `btauto`; `ring`, `field` and `cring`; `ncring`.
const PROCEDURES: [&str; 15] = [
    "micromega.ZMicromega.ZTautoChecker",
    "micromega.QMicromega.QTautoChecker",
    "micromega.RMicromega.RTautoChecker",
    "nsatz.NsatzTactic.check",
    "btauto.Algebra.reduce",
    "setoid_ring.Ring_polynom.Peq",
    "setoid_ring.Ring_polynom.norm_subst",
    "setoid_ring.Ring_polynom.mk_monpol_list",
    "setoid_ring.Ring_polynom.interp_PElist",
    "setoid_ring.Field_theory.Fnorm",
    "setoid_ring.Field_theory.Fapp",
    "setoid_ring.Field_theory.Fcons2",
    "setoid_ring.Field_theory.split",
    "setoid_ring.Ncring_polynom.Peq",
    "setoid_ring.Ncring_polynom.norm_subst",
];

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
                let name = name.canonical.to_string();
                return standard(&name).is_some_and(|name| PROCEDURES.contains(&name));
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

/// A shift that a cast by the virtual machine may come to compute. Those of the library's procedures count: they can be given
/// functions to compute with.
pub(super) fn int_shift(submission: &Submission) -> Option<Path> {
    let mut walk = Walk::new(submission.library);
    // What a parameter stands for is known only where the functor is applied.
    let mut asks_parameter = false;
    let is_shift = |field| roots(field).any(|root| submission.has(root.term, Mark::Shift));
    for declared in &submission.declared {
        if roots(declared.field).any(|root| submission.has(root.term, Mark::VmCast)) {
            if is_shift(declared.field) {
                return Some(declared.path.clone());
            }
            walk.field(declared.field);
            asks_parameter |=
                submission.mentions(declared.field, |name| matches!(name.user.root, Root::Parameter(_)));
        }
    }
    if asks_parameter
        && let Some(shift) = submission.declared.iter().find(|declared| is_shift(declared.field))
    {
        return Some(shift.path.clone());
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
