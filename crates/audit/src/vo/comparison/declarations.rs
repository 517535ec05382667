//! Comparing declarations.

use super::universes::{Parameters, Renaming};
use super::{Bounded, Comparison, Difference, Required};
use crate::vo::compiled::declaration::*;
use crate::vo::compiled::term::*;

impl<'a> Comparison<'a> {
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
                let differ = || Difference::Inductive(challenge.to_string());
                self.universes.parameters = Parameters::Same;
                if !self.blocks(challenge, left, right)? {
                    return Err(differ());
                }
                self.contexts_agree(challenge, (&left.polymorphic, &right.polymorphic), None, differ)
            }
            _ => Err(Difference::Kind(challenge.to_string())),
        }
    }

    fn constants(
        &mut self,
        (name, challenge): (&Path, &'a Constant),
        (there, submission): (&Path, &'a Constant),
    ) -> Result<(), Difference> {
        let contexts = (&challenge.polymorphic, &submission.polymorphic);
        let instantiates = match contexts {
            // Any instance of a universe-polymorphic theorem will do, but not of a quality-polymorphic one, whose
            // statement mentions them.
            (None, Some(right)) if self.judged.contains(name) && right.qualities == 0 => {
                Some(&right.constraints)
            }
            _ => None,
        };
        // Which number a parameter has that nobody names depends on the proof.
        let is_renamed = self.judged.contains(name)
            && !matches!(challenge.body, Body::Transparent(_))
            && matches!(contexts, (Some(left), Some(right)) if !left.is_named && !right.is_named);
        self.universes.parameters = match instantiates {
            Some(_) => Parameters::Instance,
            None if is_renamed => Parameters::Renamed(self.required.len()),
            None => Parameters::Same,
        };
        if !self.terms(challenge.ty, submission.ty)? {
            self.universes.parameters = Parameters::Any;
            return Err(match self.terms(challenge.ty, submission.ty)? {
                true => Difference::Levels(name.to_string()),
                false => Difference::Type(name.to_string()),
            });
        }
        let renaming = is_renamed.then(|| std::mem::take(&mut self.universes.renaming));
        if renaming.as_ref().is_some_and(|renaming| !renaming.is_identity()) {
            self.renumbered.insert(name.clone());
        }
        match instantiates {
            Some(constraints) => self.universes.instance(constraints),
            None => {
                self.contexts_agree(name, contexts, renaming, || Difference::Polymorphic(name.to_string()))?
            }
        }
        match (&challenge.body, &submission.body) {
            // How it is proved does not matter, unless the challenge shows it to what stands behind it.
            (Body::Open { .. } | Body::Opaque(_), _) if self.judged.contains(name) => {
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
                if self.terms(*left, *right)? {
                    return Ok(());
                }
                // Rocq would compare them at one instance.
                if challenge.polymorphic.as_ref().is_some_and(Polymorphic::is_proper) {
                    return Err(Difference::Value(name.to_string()));
                }
                self.compared.values.push((name.to_string(), there.to_string()));
                Ok(())
            }
            (Body::Primitive(left), Body::Primitive(right)) if left == right => Ok(()),
            (Body::Transparent(_) | Body::Primitive(_), _) => Err(Difference::Value(name.to_string())),
        }
    }

    /// Compares the parameters of two declarations; their constraints are compared when all universes are identified.
    fn contexts_agree(
        &mut self,
        name: &Path,
        (challenge, submission): (&'a Option<Polymorphic>, &'a Option<Polymorphic>),
        renaming: Option<Renaming>,
        differ: impl Fn() -> Difference,
    ) -> Result<(), Difference> {
        let (left, right) = match (challenge, submission) {
            (None, None) => return Ok(()),
            (Some(left), Some(right)) => (left, right),
            _ => return Err(differ()),
        };
        let is_judged = self.judged.contains(name);
        let eliminations = match is_judged {
            true => right.eliminations.is_subset(&left.eliminations),
            false => right.eliminations == left.eliminations,
        };
        if left.qualities != right.qualities || left.parameters != right.parameters || !eliminations {
            return Err(differ());
        }
        self.required.push(Required {
            name: name.clone(),
            difference: differ(),
            renaming,
            challenge: left,
            submission: right,
        });
        Ok(())
    }

    /// Compares what polymorphic declarations require of their parameters: a theorem holds for all universes that its
    /// constraints allow, so that the challenge must allow no more. What a theorem may depend on must require the same.
    /// Returns what theorems require of their parameters besides: to be at most universes of libraries.
    pub(super) fn requirements(&mut self) -> Result<Vec<Bounded>, Difference> {
        let required = std::mem::take(&mut self.required);
        // Rocq compares values one by one, each for the universes that suit it.
        if let Some(proper) = required.iter().find(|required| required.challenge.is_proper())
            && !self.compared.values.is_empty()
        {
            return Err(proper.difference.clone());
        }
        let mut bounded = Vec::new();
        for Required { name, difference, renaming, challenge, submission } in required {
            let (left, right) = (&challenge.constraints, &submission.constraints);
            for at in self.universes.required(left, right, renaming.as_ref()) {
                let (Level::Bound(_), Order::Less | Order::LessOrEqual, by @ Level::Library(..), true) =
                    (&right[at].0, right[at].1, &right[at].2, self.judged.contains(&name))
                else {
                    return Err(difference);
                };
                // Its proof instantiates a constant of the library with a type of the theorem.
                bounded.push(Bounded {
                    theorem: name.clone(),
                    by: by.clone(),
                    difference: difference.clone(),
                });
            }
            if !self.judged.contains(&name) && self.universes.lacks(left, right) {
                return Err(difference);
            }
        }
        Ok(bounded)
    }

    fn blocks(
        &mut self,
        name: &Path,
        challenge: &'a Block,
        submission: &'a Block,
    ) -> Result<bool, Difference> {
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
            (Some(left), Some(right)) => self.templates(name, left, right),
            _ => false,
        })
    }

    fn templates(&mut self, name: &Path, challenge: &'a Template, submission: &'a Template) -> bool {
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
                let same = left.len() == right.len()
                    && left.iter().zip(right).all(|(left, right)| match (left, right) {
                        (None, None) => true,
                        (Some(left), Some(right)) => self.sorts(left, right),
                        _ => false,
                    })
                    && self.sorts(l_result, r_result)
                    && (l.qualities, l.parameters) == (r.qualities, r.parameters)
                    && l.eliminations == r.eliminations
                    && self.instances(l_defaults, r_defaults);
                // What it requires of universes of the file is compared when these are identified.
                self.required.push(Required {
                    name: name.clone(),
                    difference: Difference::Inductive(name.to_string()),
                    renaming: None,
                    challenge: l,
                    submission: r,
                });
                same
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
