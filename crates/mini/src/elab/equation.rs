//! Equations: decomposition, the involved types, and transport of terms along them.

use super::context::{MetaContext, Result, Transparency, fail};
use crate::budget;
use crate::kernel::term::{Binder, Kind, Level, Term, deeper};

impl MetaContext<'_> {
    /// The type and sides of an equation.
    pub fn equation(&mut self, ty: &Term) -> Result<Option<(Term, Term, Term)>> {
        let ty = self.whnf_reducible(ty)?;
        Ok(self.application_of::<3>(&ty, "Eq").map(|[alpha, a, b]| (alpha, a, b)))
    }

    /// The arguments of a constant applied to exactly `N` of them.
    pub fn application_of<const N: usize>(&self, term: &Term, name: &str) -> Option<[Term; N]> {
        let term = self.instantiate_head(term);
        let (head, args) = term.head_args();
        match head.kind() {
            Kind::Const(found, _) if &**found == name => {
                let args: Vec<Term> = args.into_iter().cloned().collect();
                args.try_into().ok()
            }
            _ => None,
        }
    }

    /// `a = b`
    pub fn make_equation(&mut self, alpha: &Term, a: Term, b: Term) -> Result<Term> {
        let level = self.level_of(alpha)?;
        Ok(Term::apps(Term::constant("Eq", vec![level]), [alpha.clone(), a, b]))
    }

    /// The proof of `a = a`.
    pub fn reflexivity(&mut self, alpha: &Term, a: Term) -> Result<Term> {
        let level = self.level_of(alpha)?;
        Ok(Term::apps(Term::constant("Eq.refl", vec![level]), [alpha.clone(), a]))
    }

    /// The proof of `b = a` from one of `a = b`.
    pub fn symmetric(&mut self, proof: &Term) -> Result<Term> {
        let ty = self.infer(proof)?;
        let Some((alpha, a, b)) = self.equation(&ty)? else {
            return fail("a proof of an equation is expected");
        };
        let level = self.level_of(&alpha)?;
        Ok(Term::apps(Term::constant("Eq.symm", vec![level]), [alpha, a, b, proof.clone()]))
    }

    /// The proof of `motive b` from `proof : motive a` and `equation : a = b`. The motive is the body of a binder.
    pub fn transported(
        &mut self,
        alpha: &Term,
        motive: &Term,
        equation: &Term,
        proof: Term,
        proof_ty: &Term,
    ) -> Result<Term> {
        let ty = self.infer(equation)?;
        let Some((_, a, b)) = self.equation(&ty)? else {
            return fail("a proof of an equation is expected");
        };
        let level = self.level_of(alpha)?;
        let target = self.level_of(proof_ty)?;
        // `motive x` for `x`, and the equation, which is not used.
        let over_equation = {
            let eq = Term::apps(
                Term::constant("Eq", vec![level.clone()]),
                [alpha.clone(), a.clone(), Term::bound(0)],
            );
            let inner = Term::lambda(Binder::explicit("h"), eq, motive.lifted(0, 1));
            Term::lambda(Binder::explicit("x"), alpha.clone(), inner)
        };
        // Eq.rec {α} {a} {motive} (refl) {b} (t)
        let rec = Term::constant("Eq.rec", self.rec_levels("Eq", &[level], target));
        Ok(Term::apps(rec, [alpha.clone(), a, over_equation, proof, b, equation.clone()]))
    }

    /// The levels of a recursor: those of the family, and the one it eliminates into, if that is variable.
    pub fn rec_levels(&self, family: &str, own: &[Level], target: Level) -> Vec<Level> {
        let n_levels = self.theory.env.get(&format!("{family}.rec")).map_or(0, |d| d.n_levels);
        let mut levels = own.to_vec();
        if n_levels > own.len() {
            levels.push(target);
        }
        levels
    }

    /// The term as the body of a binder: every instance of a pattern becomes the bound variable. Metavariables of the
    /// pattern are assigned at the first instance. Without an instance, the result has no bound variable.
    pub fn abstract_term(&mut self, term: &Term, pattern: &Term) -> Result<Term> {
        let term = self.instantiate(term);
        self.with_transparency(Transparency::Reducible, |c| c.abstract_below(&term, pattern, 0))
    }

    fn abstract_below(&mut self, term: &Term, pattern: &Term, depth: u32) -> Result<Term> {
        budget::step();
        if self.may_match(term, pattern) && self.unify(term, pattern)? {
            return Ok(Term::bound(depth));
        }
        deeper(|| {
            Ok(match term.kind() {
                Kind::App(f, x) => {
                    let f = self.abstract_below(f, pattern, depth)?;
                    let x = self.abstract_below(x, pattern, depth)?;
                    Term::app(f, x)
                }
                Kind::Lambda(binder, ty, body) => {
                    let ty = self.abstract_below(ty, pattern, depth)?;
                    Term::lambda(binder.clone(), ty, self.abstract_below(body, pattern, depth + 1)?)
                }
                Kind::Pi(binder, ty, body) => {
                    let ty = self.abstract_below(ty, pattern, depth)?;
                    Term::pi(binder.clone(), ty, self.abstract_below(body, pattern, depth + 1)?)
                }
                Kind::Let(binder, ty, value, body) => {
                    let ty = self.abstract_below(ty, pattern, depth)?;
                    let value = self.abstract_below(value, pattern, depth)?;
                    Term::let_in(binder.clone(), ty, value, self.abstract_below(body, pattern, depth + 1)?)
                }
                _ => term.clone(),
            })
        })
    }

    /// Whether a term is worth comparing with a pattern: closed, with the same head and number of arguments.
    fn may_match(&mut self, term: &Term, pattern: &Term) -> bool {
        if !term.is_closed() {
            return false;
        }
        let pattern = self.instantiate_head(pattern);
        let ((head, args), (other, others)) = (term.head_args(), pattern.head_args());
        match (head.kind(), other.kind()) {
            (_, Kind::Meta(_)) => true,
            (Kind::Const(x, _), Kind::Const(y, _)) if x == y => args.len() == others.len(),
            (Kind::Lit(_), _) | (_, Kind::Lit(_)) => {
                self.offset(term).is_some() && self.offset(&pattern).is_some()
            }
            (Kind::Const(..), Kind::Const(..)) => {
                // `n + 1` and `Nat.succ n`.
                self.offset(term).is_some() && self.offset(&pattern).is_some()
            }
            (Kind::Pi(..), Kind::Pi(..)) | (Kind::Lambda(..), Kind::Lambda(..)) => true,
            (x, y) => {
                args.len() == others.len()
                    && match (x, y) {
                        (Kind::Local(x), Kind::Local(y)) => x == y,
                        (Kind::Meta(x), Kind::Meta(y)) => x == y,
                        (Kind::Sort(_), Kind::Sort(_)) => true,
                        _ => false,
                    }
            }
        }
    }
}
