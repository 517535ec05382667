//! The kernel features that the proofs of given theorems use.

use std::collections::BTreeSet;

use super::casts;
use super::submission::{Declared, Submission};
use super::triggers::is_unchecked;
use crate::vo::comparison::Walk;
use crate::vo::compiled::declaration::*;
use crate::vo::compiled::libraries::standard;
use crate::vo::compiled::term::*;
use andor_core::verdict::Feature;

/// The features of everything that theorems of a submission depend on in it, also behind seals. A field of a
/// functor's result without a value may come from any functor: then all functors count.
pub(super) fn used(submission: &Submission, theorems: &[String]) -> Vec<Feature> {
    let mut features = BTreeSet::new();
    let mut walk = Walk::new(submission.library);
    theorems.iter().for_each(|name| walk.name(&Path::named(name)));
    let mut all_functors = false;
    loop {
        while let Some(path) = walk.names.pop() {
            for declared in submission.at(&path) {
                walk.field(declared.field);
                of_declaration(submission, declared, &mut features);
                all_functors |= declared.place.applied && is_open(declared.field);
            }
        }
        if !std::mem::take(&mut all_functors) {
            break;
        }
        for declared in submission.declared.iter().filter(|declared| declared.place.functor) {
            walk.field(declared.field);
            of_declaration(submission, declared, &mut features);
        }
        // Visited once.
        if walk.names.is_empty() {
            break;
        }
    }
    for &term in &walk.reached {
        of_term(submission, term, &mut features);
    }
    features.into_iter().collect()
}

fn is_open(field: &Field) -> bool {
    matches!(field, Field::Constant(Constant { body: Body::Open { .. }, .. }))
}

fn of_declaration(submission: &Submission, declared: &Declared, features: &mut BTreeSet<Feature>) {
    if declared.place.applied {
        features.insert(Feature::Functor);
    }
    if is_unchecked(declared.field) {
        features.insert(Feature::Unchecked);
    }
    if declared.recursion.iter().any(|reason| !reason.is_corecursive()) {
        features.insert(Feature::Fix);
    }
    let polymorphic = match declared.field {
        Field::Constant(constant) => {
            match &constant.body {
                // From a functor, or from an included module.
                Body::Opaque(proof) if !proof.renamed.is_empty() => drop(features.insert(Feature::Functor)),
                Body::Primitive(operation) => drop(features.insert(of_operation(*operation))),
                _ => {}
            }
            &constant.polymorphic
        }
        Field::Inductive(block) => {
            if block.uniform < block.parameters {
                features.insert(Feature::NonUniform);
            }
            if block.types.iter().any(|one| submission.library.trees.is_nested(one.tree)) {
                features.insert(Feature::Nested);
            }
            if block.types.iter().any(|one| one.sort == Sort::SProp) {
                features.insert(Feature::SProp);
            }
            &block.polymorphic
        }
        Field::Module(_) | Field::ModuleType(_) => &None,
    };
    if polymorphic.as_ref().is_some_and(Polymorphic::is_proper) {
        features.insert(Feature::Polymorphism);
    }
}

/// The primitive operations are in this order: on integers, floats, arrays, and, since 8.20, strings.
fn of_operation(operation: i64) -> Feature {
    match operation {
        ..30 => Feature::Int,
        30..49 => Feature::Float,
        49..55 => Feature::Array,
        55.. => Feature::String,
    }
}

fn of_term(submission: &Submission, id: TermId, features: &mut BTreeSet<Feature>) {
    let term = &submission.library[id];
    let feature = match term {
        Term::Cast(_, CastKind::Vm, ty) if !casts::is_of_library_procedure(submission.library, *ty) => {
            Some(Feature::Vm)
        }
        Term::Cast(_, CastKind::Native, _) => Some(Feature::Native),
        Term::CoFix(_) => Some(Feature::CoFix),
        Term::Int(_) => Some(Feature::Int),
        Term::Float(_) => Some(Feature::Float),
        Term::Array(..) => Some(Feature::Array),
        Term::Text(_) => Some(Feature::String),
        Term::Sort(Sort::SProp) => Some(Feature::SProp),
        term => term.name().and_then(|name| of_library(&name.canonical.root)),
    };
    features.extend(feature);
    if submission.library.binds_irrelevant(id) {
        features.insert(Feature::SProp);
    }
}

/// The feature that a library provides.
fn of_library(root: &Root) -> Option<Feature> {
    let Root::Library(library) = root else { return None };
    let library = standard(library)?;
    let about = [
        ("Numbers.Cyclic.Int63.", Feature::Int),
        ("Floats.", Feature::Float),
        ("Array.", Feature::Array),
        ("Strings.PString", Feature::String),
        ("Strings.PrimString", Feature::String),
        ("Logic.StrictProp", Feature::SProp),
    ];
    about.into_iter().find(|(prefix, _)| library.starts_with(prefix)).map(|(_, feature)| feature)
}
