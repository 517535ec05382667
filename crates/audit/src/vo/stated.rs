//! What the statements of a challenge leave open.

use super::compiled::Library;
use super::compiled::declaration::{Body, Constant, Field};
use super::compiled::term::{Path, Term};

/// What theorems of a challenge say of their universes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stated {
    /// They have no parameters.
    Fixed,
    /// One has parameters, and none is named: Rocq chose them.
    Open,
    /// One has named parameters, so that no definition can represent its statement.
    Named,
}

impl Stated {
    /// Of the theorems in a compiled challenge.
    pub fn of(challenge: &Library, theorems: &[String]) -> Self {
        let declared = challenge.index();
        let parameters = theorems.iter().filter_map(|name| match declared.get(&Path::named(name)) {
            Some(Field::Constant(constant)) => constant.polymorphic.as_ref(),
            _ => None,
        });
        parameters.fold(Self::Fixed, |stated, one| match (stated, one.is_named || one.qualities > 0) {
            (Self::Named, _) | (_, true) => Self::Named,
            (Self::Open, _) => Self::Open,
            (Self::Fixed, _) if one.parameters > 0 => Self::Open,
            (Self::Fixed, _) => Self::Fixed,
        })
    }
}

/// The first of some declarations of a challenge that is a type, or a function to types, and so no theorem: `Definition goal : Prop := …`.
pub fn type_among<'a>(challenge: &Library, names: &'a [String]) -> Option<&'a String> {
    let declared = challenge.index();
    let is_type = |name: &&String| {
        let Some(Field::Constant(constant)) = declared.get(&Path::named(name)) else { return false };
        let mut ty = constant.ty;
        loop {
            ty = match &challenge[ty] {
                Term::Prod(_, result) | Term::Let(.., result) => *result,
                Term::Const(name, _) => match declared.get(&*name.canonical) {
                    Some(Field::Constant(Constant { body: Body::Transparent(value), .. })) => *value,
                    _ => return false,
                },
                Term::Sort(_) => return true,
                _ => return false,
            };
        }
    };
    names.iter().find(is_type)
}
