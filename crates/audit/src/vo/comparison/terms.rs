//! Comparing terms.

use super::{Comparison, Difference};
use crate::vo::compiled::term::{Instance, Level, Sort, Term, TermId};

/// Terms may be deeply nested: with less stack than this, the comparison continues on a new segment.
const RED_ZONE_BYTES: usize = 64 << 10;
const STACK_PIECE_BYTES: usize = 4 << 20;

impl Comparison<'_> {
    /// Whether two terms are equal up to casts and definitions of the files.
    pub(super) fn terms(&mut self, challenge: TermId, submission: TermId) -> Result<bool, Difference> {
        let known = (challenge, submission, self.universes.parameters);
        if self.equal.contains(&known) {
            return Ok(true);
        }
        let same =
            stacker::maybe_grow(RED_ZONE_BYTES, STACK_PIECE_BYTES, || self.new_terms(challenge, submission))?;
        if same {
            self.equal.insert(known);
        }
        Ok(same)
    }

    fn new_terms(&mut self, challenge: TermId, submission: TermId) -> Result<bool, Difference> {
        let (left, left_arguments) = self.challenge.head(challenge);
        let (right, right_arguments) = self.submission.head(submission);
        let same = left_arguments.len() == right_arguments.len()
            && self.heads(left, right)?
            && self.all_terms(&left_arguments, &right_arguments)?;
        if same || self.unfoldings == 0 {
            return Ok(same);
        }
        self.unfoldings -= 1;
        match (self.challenge.unfolded(challenge), self.submission.unfolded(submission)) {
            (None, None) => Ok(false),
            (Some(left), None) => self.terms(left, submission),
            (None, Some(right)) => self.terms(challenge, right),
            (Some(left), Some(right)) => Ok(self.terms(challenge, right)?
                || self.terms(left, submission)?
                || self.terms(left, right)?),
        }
    }

    /// Compares terms that are neither casts nor applications.
    fn heads(&mut self, challenge: TermId, submission: TermId) -> Result<bool, Difference> {
        Ok(match (&self.challenge.get(challenge), &self.submission.get(submission)) {
            (Term::Rel(l), Term::Rel(r)) => l == r,
            (Term::Var(l), Term::Var(r)) => l == r,
            (Term::Sort(l), Term::Sort(r)) => self.sorts(l, r),
            (Term::Prod(l, l_body), Term::Prod(r, r_body))
            | (Term::Lambda(l, l_body), Term::Lambda(r, r_body)) => {
                self.terms(*l, *r)? && self.terms(*l_body, *r_body)?
            }
            (Term::Let(l, l_type, l_body), Term::Let(r, r_type, r_body)) => {
                self.all_terms(&[*l, *l_type, *l_body], &[*r, *r_type, *r_body])?
            }
            (Term::Const(l, l_levels), Term::Const(r, r_levels)) => {
                if self.judged.contains(&*l.canonical) && !l_levels.is_empty() {
                    self.mentioned.insert((*l.canonical).clone());
                }
                self.names(l, r)? && self.instances(l_levels, r_levels)
            }
            (Term::Inductive(l, l_number, l_levels), Term::Inductive(r, r_number, r_levels)) => {
                l_number == r_number && self.names(l, r)? && self.instances(l_levels, r_levels)
            }
            (
                Term::Constructor(l, l_number, l_constructor, l_levels),
                Term::Constructor(r, r_number, r_constructor, r_levels),
            ) => {
                (l_number, l_constructor) == (r_number, r_constructor)
                    && self.names(l, r)?
                    && self.instances(l_levels, r_levels)
            }
            (Term::Case(l), Term::Case(r)) => {
                let shape = l.inductive.1 == r.inductive.1
                    && l.returns.0 == r.returns.0
                    && l.branches.len() == r.branches.len()
                    && l.branches.iter().zip(&r.branches).all(|(l, r)| l.0 == r.0);
                let indices = match (&l.indices, &r.indices) {
                    (None, None) => true,
                    (Some(l), Some(r)) => self.all_terms(l, r)?,
                    _ => false,
                };
                let bodies = |branches: &[(u32, TermId)]| branches.iter().map(|b| b.1).collect::<Vec<_>>();
                shape
                    && indices
                    && self.names(&l.inductive.0, &r.inductive.0)?
                    && self.instances(&l.instance, &r.instance)
                    && self.all_terms(&l.parameters, &r.parameters)?
                    && self.terms(l.returns.1, r.returns.1)?
                    && self.terms(l.scrutinee, r.scrutinee)?
                    && self.all_terms(&bodies(&l.branches), &bodies(&r.branches))?
            }
            (Term::Fix(l), Term::Fix(r)) => {
                l.structural == r.structural
                    && l.index == r.index
                    && self.all_terms(&l.types, &r.types)?
                    && self.all_terms(&l.bodies, &r.bodies)?
            }
            (Term::CoFix(l), Term::CoFix(r)) => {
                l.index == r.index
                    && self.all_terms(&l.types, &r.types)?
                    && self.all_terms(&l.bodies, &r.bodies)?
            }
            (
                Term::Projection(l, l_number, l_field, _, l_of),
                Term::Projection(r, r_number, r_field, _, r_of),
            ) => {
                (l_number, l_field) == (r_number, r_field) && self.names(l, r)? && self.terms(*l_of, *r_of)?
            }
            (Term::Int(l), Term::Int(r)) => l == r,
            (Term::Float(l), Term::Float(r)) => l == r,
            (Term::Text(l), Term::Text(r)) => l == r,
            (
                Term::Array(l_levels, l_elements, l_default, l_type),
                Term::Array(r_levels, r_elements, r_default, r_type),
            ) => {
                self.instances(l_levels, r_levels)
                    && self.all_terms(l_elements, r_elements)?
                    && self.all_terms(&[*l_default, *l_type], &[*r_default, *r_type])?
            }
            _ => false,
        })
    }

    pub(super) fn all_terms(
        &mut self,
        challenge: &[TermId],
        submission: &[TermId],
    ) -> Result<bool, Difference> {
        if challenge.len() != submission.len() {
            return Ok(false);
        }
        for (&l, &r) in challenge.iter().zip(submission) {
            if !self.terms(l, r)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn sorts(&mut self, challenge: &Sort, submission: &Sort) -> bool {
        match (challenge, submission) {
            (Sort::Type(l), Sort::Type(r)) => self.universes.equal_bounds(l, r),
            (Sort::Quality(l, l_universe), Sort::Quality(r, r_universe)) => {
                l == r && self.universes.equal_bounds(l_universe, r_universe)
            }
            // A universe that the challenge leaves to Rocq may have become the smallest one; whether that is valid is
            // checked at the end.
            (Sort::Type(l), Sort::Set) => self.universes.equal_bounds(l, &[(Level::Set, 0)]),
            (Sort::Set, Sort::Type(r)) => self.universes.equal_bounds(&[(Level::Set, 0)], r),
            _ => challenge == submission,
        }
    }

    /// Compares qualities. The only names of qualities that files choose are declared ones, which must be the same.
    pub(super) fn instances(&mut self, challenge: &Instance, submission: &Instance) -> bool {
        challenge.qualities == submission.qualities
            && challenge.levels.len() == submission.levels.len()
            && challenge.levels.iter().zip(&*submission.levels).all(|(l, r)| self.universes.equal(l, r))
    }
}
