//! What decides whether a submission meets a known bug. All of the file counts, not only what its theorems reach.

use std::collections::HashSet;
use std::rc::Rc;

use super::bugs::Trigger;
use super::casts;
use super::sections;
use super::submission::{Declared, Mark, Submission, own, roots};
use crate::vo::comparison::unimplied;
use crate::vo::compiled::declaration::*;
use crate::vo::compiled::libraries::standard;
use crate::vo::compiled::term::*;

/// Where a submission meets a trigger.
pub(super) fn met(trigger: Trigger, submission: &Submission) -> Option<Path> {
    match trigger {
        // What the checks of recursion say names its bugs itself.
        Trigger::FixNotStructural | Trigger::CofixTypeOpen | Trigger::CofixNestedMutual => None,
        Trigger::ConstructorLetSprop => let_beside_strict(submission),
        Trigger::ConstructorLetModule => let_in_module(submission),
        Trigger::ConstructorLetUniverse => first(submission, |declared| {
            let has = |term| submission.has(term, Mark::Bound);
            contexts(declared.field)
                .flatten()
                .any(|one| one.value.is_some_and(|value| has(value) || has(one.ty)))
        }),
        Trigger::WrongAlias => wrong_alias(submission),
        Trigger::PolymorphicWith => polymorphic_with(submission),
        Trigger::PrimitiveInModuleType => first(submission, |declared| {
            declared.place.signature
                && matches!(declared.field, Field::Constant(Constant { body: Body::Primitive(_), .. }))
        }),
        Trigger::FlagCommand => first(submission, |declared| is_unchecked(declared.field)),
        Trigger::VmCastInSection => sections::computed(submission),
        Trigger::VmCastIntShift => casts::int_shift(submission),
        Trigger::VmCastInline => None,
        Trigger::NativeCast => first(submission, |declared| contains(submission, declared, Mark::NativeCast)),
        Trigger::StrictMatch => strict_match(submission),
        Trigger::CumulativeSprop => first(submission, |declared| {
            matches!(declared.field, Field::Inductive(Block { variances: Some(_), .. }))
                && contains(submission, declared, Mark::Inverted)
        }),
        Trigger::UndischargedVariable => first(submission, |declared| {
            roots(declared.field).any(|root| {
                submission.has(root.term, Mark::Variable)
                    && root.proof.is_none_or(|proof| has_stray_variable(submission, root.term, proof))
            })
        }),
    }
}

/// The first declaration that something holds of.
pub(super) fn first(submission: &Submission, holds: impl Fn(&Declared) -> bool) -> Option<Path> {
    submission.declared.iter().find(|declared| holds(declared)).map(|declared| declared.path.clone())
}

/// Whether a check of the kernel was off for a declaration.
pub(super) fn is_unchecked(field: &Field) -> bool {
    let flags = match field {
        Field::Constant(constant) => constant.flags,
        Field::Inductive(block) => block.flags,
        Field::Module(_) | Field::ModuleType(_) => return false,
    };
    !(flags.guarded && flags.positive && flags.universes)
}

fn contains(submission: &Submission, declared: &Declared, mark: Mark) -> bool {
    roots(declared.field).any(|root| submission.has(root.term, mark))
}

/// The arities of inductive types and what their constructors take.
fn contexts(field: &Field) -> impl Iterator<Item = &Context> {
    let types = match field {
        Field::Inductive(block) => &block.types[..],
        _ => &[],
    };
    types.iter().flat_map(|one| one.takes.iter().chain([&one.arity]))
}

/// A type with a `let`, of the file or matched on in it, where the file has anything to do with strict propositions: what stands
/// outside a match is looked up in the wrong place, so that the proof may be bound anywhere.
fn let_beside_strict(submission: &Submission) -> Option<Path> {
    // These come with each type, whatever the file has to do with them.
    let eliminators = eliminators(submission);
    let is_strict = |declared: &Declared| {
        let binds = |declared: &Declared| contains(submission, declared, Mark::Strict);
        let is_one =
            |name: &Name| eliminators.contains(&name.canonical) && submission.at(&name.canonical).any(binds);
        contexts(declared.field).flatten().any(|one| one.irrelevant)
            || (!eliminators.contains(&declared.path)
                && (binds(declared) || submission.mentions(declared.field, is_one)))
    };
    let has_let = |field: &Field| contexts(field).flatten().any(|one| one.value.is_some());
    let of_library = |name: &Name| match &name.canonical.root {
        Root::Library(library) => {
            submission.declared_by(library).fields.get(&own(&name.canonical)).is_some_and(has_let)
        }
        Root::Own | Root::Parameter(_) => false,
    };
    first(submission, is_strict)?;
    first(submission, |declared| has_let(declared.field) || submission.mentions(declared.field, of_library))
}

/// A signature takes an inductive type for its own if the constructors agree, wherever their lets stand: the signature has
/// one, or a module has one in a type of the same name.
fn let_in_module(submission: &Submission) -> Option<Path> {
    let asked: HashSet<&str> = submission
        .declared
        .iter()
        .filter(|declared| declared.place.signature && matches!(declared.field, Field::Inductive(_)))
        .filter_map(|declared| declared.path.labels.last().map(|label| &**label))
        .collect();
    first(submission, |declared| {
        let labels = &declared.path.labels;
        let may_be_taken = labels.len() > 1 && labels.last().is_some_and(|label| asked.contains(&**label));
        (declared.place.signature || may_be_taken)
            && contexts(declared.field).flatten().any(|one| one.value.is_some())
    })
}

/// A module type with the value of a polymorphic constant, or a constant that asks less of universes than a module type does:
/// including the module type `with` a value leaves that trace only.
fn polymorphic_with(submission: &Submission) -> Option<Path> {
    let asked: Vec<(&Path, &Polymorphic)> = submission
        .declared
        .iter()
        .filter(|declared| declared.place.signature)
        .filter_map(|declared| match declared.field {
            Field::Constant(Constant { body: Body::Open { .. }, polymorphic: Some(asked), .. }) => {
                Some((&declared.path, asked))
            }
            _ => None,
        })
        .collect();
    first(submission, |declared| match declared.field {
        Field::Constant(Constant { body: Body::Transparent(_), polymorphic: Some(polymorphic), .. }) => {
            (declared.place.signature && polymorphic.is_proper())
                || asked.iter().any(|(path, asked)| {
                    path.labels.last() == declared.path.labels.last()
                        && !unimplied(&polymorphic.constraints, &asked.constraints, &Level::Set).is_empty()
                })
        }
        _ => false,
    })
}

/// The eliminators that come with an inductive type, by the ends of their names.
const ELIMINATORS: [&str; 4] = ["_rect", "_rec", "_ind", "_sind"];

/// The eliminators that come with the inductive types of the file.
fn eliminators(submission: &Submission) -> HashSet<Path> {
    submission
        .declared
        .iter()
        .filter_map(|declared| match declared.field {
            Field::Inductive(block) => Some((&declared.path, block)),
            _ => None,
        })
        .flat_map(|(path, block)| {
            let names = block
                .types
                .iter()
                .flat_map(|one| ELIMINATORS.iter().map(move |end| Rc::from(format!("{}{end}", one.name))));
            names.map(|label| path.beside(&label))
        })
        .collect()
}

/// A match on a strict proposition that may yield something else. The eliminators that come with a type count only where they
/// are mentioned.
fn strict_match(submission: &Submission) -> Option<Path> {
    let matches = |declared: &Declared| {
        [Mark::Inverted, Mark::Absurd].into_iter().any(|mark| contains(submission, declared, mark))
    };
    let eliminators = eliminators(submission);
    let of_library = |path: &Path| {
        let name = path.to_string();
        standard(&name)
            .and_then(|name| name.strip_prefix("Logic.StrictProp.sEmpty"))
            .is_some_and(|end| ELIMINATORS.contains(&end))
    };
    let is_strict =
        |path: &Path| of_library(path) || (eliminators.contains(path) && submission.at(path).any(matches));
    first(submission, |declared| {
        // One eliminator is made of another.
        !eliminators.contains(&declared.path)
            && (matches(declared)
                || submission
                    .mentions(declared.field, |name| is_strict(&name.user) || is_strict(&name.canonical)))
    })
}

/// A name that is said to be another of what does not exist, or of something else.
fn wrong_alias(submission: &Submission) -> Option<Path> {
    if let Some(path) = submission.misnamed() {
        return Some(path);
    }
    let mut met = HashSet::new();
    for declared in &submission.declared {
        let scope = declared.place.scope;
        // A proof that is still to be renamed was looked at in its functor.
        let roots = roots(declared.field).filter(|root| root.proof.is_none_or(|p| p.renamed.is_empty()));
        let mut open: Vec<TermId> = roots.map(|root| root.term).collect();
        while let Some(term) = open.pop() {
            if !submission.has(term, Mark::Alias) || !met.insert((term, scope)) {
                continue;
            }
            let term = &submission.library[term];
            let wrong = |name: &Name| name.user != name.canonical && !submission.agrees(name, scope);
            if term.name().is_some_and(wrong) {
                return Some(declared.path.clone());
            }
            term.each_part(|part| open.push(part));
        }
    }
    None
}

/// Whether an opaque proof has a variable that it is not closed over.
fn has_stray_variable(submission: &Submission, proof: TermId, opaque: &Opaque) -> bool {
    let known: HashSet<&str> = opaque.discharged.iter().map(|one| &*one.name).collect();
    let (mut open, mut met) = (vec![proof], HashSet::new());
    while let Some(term) = open.pop() {
        if submission.has(term, Mark::Variable) && met.insert(term) {
            match &submission.library[term] {
                Term::Var(name) if !known.contains(&**name) => return true,
                term => term.each_part(|part| open.push(part)),
            }
        }
    }
    false
}
