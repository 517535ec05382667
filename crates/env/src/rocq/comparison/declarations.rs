//! Comparing declarations.

use super::universes::{reaches, unimplied};
use super::{Comparison, Difference};
use crate::rocq::compiled::declaration::*;
use crate::rocq::compiled::term::*;

impl Comparison<'_> {
    /// Compares the declarations of two names.
    pub(super) fn declarations(&mut self, challenge: &Path, submission: &Path) -> Result<(), Difference> {
        let missing = || Difference::Missing(submission.to_string());
        let left = *self.challenge.declared.get(challenge).ok_or_else(missing)?;
        let right = *self.submission.declared.get(submission).ok_or_else(missing)?;
        match (left, right) {
            (Field::Constant(left), Field::Constant(right)) => {
                self.constants((challenge, left), (submission, right))
            }
            (Field::Inductive(left), Field::Inductive(_)) if left.private.is_some() => {
                Err(Difference::Private(challenge.to_string()))
            }
            (Field::Inductive(left), Field::Inductive(right)) => {
                let required = required(&left.polymorphic, &right.polymorphic);
                match self.blocks(left, right)? && required.is_some_and(|required| required.is_empty()) {
                    true => Ok(()),
                    false => Err(Difference::Inductive(challenge.to_string())),
                }
            }
            _ => Err(Difference::Kind(challenge.to_string())),
        }
    }

    fn constants(
        &mut self,
        (name, challenge): (&Path, &Constant),
        (there, submission): (&Path, &Constant),
    ) -> Result<(), Difference> {
        if !self.terms(challenge.ty, submission.ty)? {
            return Err(Difference::Type(name.to_string()));
        }
        let differ = || Difference::Polymorphic(name.to_string());
        match (&challenge.polymorphic, &submission.polymorphic) {
            // Any instance of a universe-polymorphic theorem will do, but not of a quality-polymorphic one, whose
            // statement mentions them.
            (None, Some(right)) if self.judged.contains(name) && right.qualities == 0 => {
                self.universes.instance(&right.constraints);
            }
            (left, right) => {
                for constraint in required(left, right).ok_or_else(differ)? {
                    let library = self.bound(name, constraint).ok_or_else(differ)?;
                    self.compared.bounds.insert((name.to_string(), library));
                }
            }
        }
        match (&challenge.body, &submission.body) {
            // Its value must not matter on either side.
            _ if self.judged.contains(name) => {
                self.kept_open.insert(there.clone());
                Ok(())
            }
            (Body::Open { .. }, Body::Open { .. }) | (Body::Opaque(_), Body::Opaque(_)) => {
                self.kept_open.insert(there.clone());
                Ok(())
            }
            (Body::Open { .. }, _) => Err(Difference::Defined(name.to_string())),
            (Body::Opaque(_), _) => Err(Difference::Shown(name.to_string())),
            (Body::Transparent(left), Body::Transparent(right)) => {
                if !self.terms(*left, *right)? {
                    self.compared.values.push((name.to_string(), there.to_string()));
                }
                Ok(())
            }
            (Body::Primitive(left), Body::Primitive(right)) if left == right => Ok(()),
            (Body::Transparent(_) | Body::Primitive(_), _) => Err(Difference::Value(name.to_string())),
        }
    }

    /// The library of a universe that a theorem requires to be above one of its own: its proof instantiates a constant of
    /// the library with a type of the theorem. `None` for any other requirement.
    fn bound(&self, theorem: &Path, constraint: &Constraint) -> Option<String> {
        let (Level::Bound(_), Order::Less | Order::LessOrEqual, upper @ Level::Library(library, ..)) =
            constraint
        else {
            return None;
        };
        // The submission may have made it the smallest one.
        let is_smallest = reaches(&self.submission.library.constraints, upper, &Level::Set, false);
        (self.judged.contains(theorem) && !is_smallest).then(|| library.to_string())
    }

    fn blocks(&mut self, challenge: &Block, submission: &Block) -> Result<bool, Difference> {
        let shape = challenge.types.len() == submission.types.len()
            && challenge.finite == submission.finite
            && challenge.parameters == submission.parameters
            && challenge.uniform == submission.uniform
            && challenge.variances == submission.variances
            && challenge.private == submission.private
            && challenge.flags == submission.flags;
        if !shape {
            return Ok(false);
        }
        for (left, right) in challenge.types.iter().zip(&submission.types) {
            if !self.inductives(left, right)? {
                return Ok(false);
            }
        }
        Ok(match (&challenge.template, &submission.template) {
            (None, None) => true,
            (Some(left), Some(right)) => self.templates(left, right),
            _ => false,
        })
    }

    fn templates(&mut self, challenge: &Template, submission: &Template) -> bool {
        match (challenge, submission) {
            (Template::Levels(left), Template::Levels(right)) => {
                left.len() == right.len()
                    && left.iter().zip(right).all(|(left, right)| match (left, right) {
                        (None, None) => true,
                        (Some(left), Some(right)) => self.universes.equal(left, right),
                        _ => false,
                    })
            }
            (Template::Flags(left), Template::Flags(right)) => left == right,
            (
                Template::Sorts { parameters: left, result: l_result, context: l, defaults: l_defaults },
                Template::Sorts { parameters: right, result: r_result, context: r, defaults: r_defaults },
            ) => {
                // Everything in the context has a number.
                left == right && l_result == r_result && l == r && self.instances(l_defaults, r_defaults)
            }
            _ => false,
        }
    }

    fn inductives(
        &mut self,
        challenge: &OneInductive,
        submission: &OneInductive,
    ) -> Result<bool, Difference> {
        let same = challenge.elimination == submission.elimination
            && self.sorts(&challenge.sort, &submission.sort)
            && self.contexts(&challenge.arity, &submission.arity)?
            && self.fields(&challenge.constructors, &submission.constructors)?;
        Ok(same
            && match (&challenge.projections, &submission.projections) {
                (None, None) => true,
                (Some(left), Some(right)) => {
                    left.eta == right.eta && self.fields(&left.fields, &right.fields)?
                }
                _ => false,
            })
    }

    /// Compares the types of constructors or projections, in order. Their names do not matter.
    fn fields<N>(
        &mut self,
        challenge: &[(N, TermId)],
        submission: &[(N, TermId)],
    ) -> Result<bool, Difference> {
        let types = |fields: &[(N, TermId)]| fields.iter().map(|field| field.1).collect::<Vec<_>>();
        self.all_terms(&types(challenge), &types(submission))
    }

    fn contexts(&mut self, challenge: &Context, submission: &Context) -> Result<bool, Difference> {
        if challenge.len() != submission.len() {
            return Ok(false);
        }
        for (left, right) in challenge.iter().zip(submission) {
            let values = match (left.value, right.value) {
                (None, None) => true,
                (Some(left), Some(right)) => self.terms(left, right)?,
                _ => false,
            };
            if !values || !self.terms(left.ty, right.ty)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What a polymorphic declaration requires of its universes that the challenge does not; `None` if their parameters
/// differ. It holds for all universes that its constraints allow, so that the challenge must allow no more.
fn required<'a>(
    challenge: &Option<Polymorphic>,
    submission: &'a Option<Polymorphic>,
) -> Option<Vec<&'a Constraint>> {
    match (challenge, submission) {
        (None, None) => Some(Vec::new()),
        (Some(left), Some(right)) => {
            let same = left.qualities == right.qualities
                && right.eliminations.is_subset(&left.eliminations)
                && left.parameters == right.parameters;
            same.then(|| unimplied(&left.constraints, &right.constraints))
        }
        _ => None,
    }
}
