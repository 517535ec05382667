//! Congruence: simplifies the parts of a term, and proves that the whole is equal.

use super::rewrite::{Simplified, Simplifier};
use crate::elab::context::{MetaContext, Result, beta};
use crate::kernel::term::{Binder, Kind, Level, Term};

impl Simplifier<'_, '_, '_> {
    /// The term with its parts simplified.
    pub(super) fn below(&mut self, term: &Term) -> Result<Simplified> {
        match term.kind() {
            Kind::App(..) => self.application(term),
            Kind::Lambda(binder, ty, body) => self.function(term, binder, ty, body),
            Kind::Pi(binder, from, to) if to.uses_variable() => self.universal(term, binder, from, to),
            Kind::Pi(binder, from, to) => self.implication(term, binder, from, to),
            Kind::Let(_, _, value, body) => {
                let body = body.instantiated(value);
                self.simplify(&body)
            }
            _ => Ok(Simplified::computed(term.clone())),
        }
    }

    /// Simplifies the arguments on which the types of others do not depend.
    fn application(&mut self, term: &Term) -> Result<Simplified> {
        let (head, args) = term.head_args();
        if matches!(head.kind(), Kind::Lambda(..)) {
            let args: Vec<Term> = args.into_iter().cloned().collect();
            return Ok(Simplified::computed(beta(head, &args)));
        }
        let head_ty = self.ctx.infer(head)?;
        let mut ty = head_ty.clone();
        let mut changed: Vec<(usize, Simplified)> = Vec::new();
        let mut new: Vec<Term> = args.iter().map(|a| (*a).clone()).collect();
        let mut from = 0;
        for (at, arg) in args.iter().enumerate() {
            if !matches!(ty.kind(), Kind::Pi(..)) {
                // The type is a definition, or an argument.
                ty = ty.instantiated_all(&new[from..at]);
                ty = self.ctx.whnf(&ty)?;
                from = at;
            }
            let Kind::Pi(_, _, to) = ty.kind() else { break };
            if !to.uses_variable() {
                let simplified = self.simplify(arg)?;
                if simplified.term != **arg {
                    new[at] = simplified.term.clone();
                    changed.push((at, simplified));
                }
            }
            ty = to.clone();
        }
        if changed.is_empty() {
            return Ok(Simplified::computed(term.clone()));
        }
        let result = Term::apps(head.clone(), new.iter().cloned());
        changed.retain(|(_, s)| s.proof.is_some());
        let proof = self.congruence(head, head_ty, &args, &new, changed)?;
        Ok(Simplified { term: result, proof })
    }

    /// The proof that applications are equal whose arguments are.
    pub(super) fn congruence(
        &mut self,
        head: &Term,
        head_ty: Term,
        args: &[&Term],
        new: &[Term],
        changed: Vec<(usize, Simplified)>,
    ) -> Result<Option<Term>> {
        if let [(at, only)] = changed.as_slice() {
            // One function of that argument.
            let Some(proof) = &only.proof else { return Ok(None) };
            let (alpha, beta) = (self.type_of(args[*at])?, {
                let whole = Term::apps(head.clone(), new.iter().cloned());
                self.type_of(&whole)?
            });
            let function = if *at + 1 == args.len() {
                Term::apps(head.clone(), new[..*at].iter().cloned())
            } else {
                let with =
                    new.iter().enumerate().map(|(i, a)| if i == *at { Term::bound(0) } else { a.clone() });
                Term::lambda(Binder::explicit("x"), alpha.clone(), Term::apps(head.clone(), with))
            };
            let levels = vec![self.ctx.level_of(&alpha)?, self.ctx.level_of(&beta)?];
            let lemma = Term::constant("congrArg", levels);
            let args = [alpha, beta, args[*at].clone(), only.term.clone(), function, proof.clone()];
            return Ok(Some(Term::apps(lemma, args)));
        }
        let mut changed = changed.into_iter().peekable();
        let (mut before, mut after) = (head.clone(), head.clone());
        let mut so_far: Option<Term> = None;
        let mut ty = head_ty;
        for (at, arg) in args.iter().enumerate() {
            if !matches!(ty.kind(), Kind::Pi(..)) {
                ty = self.ctx.whnf(&ty)?;
            }
            let Kind::Pi(binder, from, to) = ty.kind() else { break };
            let (binder, from, to) = (binder.clone(), from.clone(), to.clone());
            let simplified = changed.next_if(|(i, _)| *i == at).and_then(|(_, s)| s.proof);
            let result = to.instantiated(&new[at]);
            if so_far.is_some() || simplified.is_some() {
                let alpha = from.clone();
                let levels = vec![self.ctx.level_of(&alpha)?, self.ctx.level_of(&result)?];
                so_far = Some(match (so_far, simplified) {
                    (None, Some(h)) => Term::apps(
                        Term::constant("congrArg", levels),
                        [alpha, result.clone(), (*arg).clone(), new[at].clone(), after.clone(), h],
                    ),
                    (Some(f), Some(h)) => Term::apps(
                        Term::constant("congr", levels),
                        [
                            alpha,
                            result.clone(),
                            before.clone(),
                            after.clone(),
                            (*arg).clone(),
                            new[at].clone(),
                            f,
                            h,
                        ],
                    ),
                    (Some(f), None) => {
                        let family = Term::lambda(binder, alpha.clone(), to.clone());
                        Term::apps(
                            Term::constant("congrFun", levels),
                            [alpha, family, before.clone(), after.clone(), f, new[at].clone()],
                        )
                    }
                    (None, None) => return Ok(None),
                });
            }
            before = Term::app(before, (*arg).clone());
            after = Term::app(after, new[at].clone());
            ty = result;
        }
        Ok(so_far)
    }

    fn function(&mut self, term: &Term, binder: &Binder, ty: &Term, body: &Term) -> Result<Simplified> {
        let local = self.ctx.new_binder(binder, ty.clone());
        let body = body.instantiated(&local.term());
        let simplified = self.simplify(&body)?;
        if simplified.term == body {
            return Ok(Simplified::computed(term.clone()));
        }
        let close = |t: &Term| Term::lambda(binder.clone(), ty.clone(), t.abstracted(local.id));
        let result = close(&simplified.term);
        let Some(proof) = simplified.proof else { return Ok(Simplified::computed(result)) };
        let beta = self.type_of(&body)?;
        let levels = vec![self.ctx.level_of(ty)?, self.ctx.level_of(&beta)?];
        let args = [ty.clone(), close(&beta), term.clone(), result.clone(), close(&proof)];
        let proof = Term::apps(Term::constant("funext", levels), args);
        Ok(Simplified { term: result, proof: Some(proof) })
    }

    fn universal(&mut self, term: &Term, binder: &Binder, ty: &Term, body: &Term) -> Result<Simplified> {
        let local = self.ctx.new_binder(binder, ty.clone());
        let body = body.instantiated(&local.term());
        if !self.is_proposition(&body)? {
            return Ok(Simplified::computed(term.clone()));
        }
        let simplified = self.simplify(&body)?;
        if simplified.term == body {
            return Ok(Simplified::computed(term.clone()));
        }
        let close = |t: &Term| Term::lambda(binder.clone(), ty.clone(), t.abstracted(local.id));
        let result = Term::pi(binder.clone(), ty.clone(), simplified.term.abstracted(local.id));
        let Some(proof) = simplified.proof else { return Ok(Simplified::computed(result)) };
        let lemma = Term::constant("forall_congr", vec![self.ctx.level_of(ty)?]);
        let proof = Term::apps(lemma, [ty.clone(), close(&body), close(&simplified.term), close(&proof)]);
        Ok(Simplified { term: result, proof: Some(proof) })
    }

    fn implication(&mut self, term: &Term, binder: &Binder, from: &Term, to: &Term) -> Result<Simplified> {
        if !self.is_proposition(from)? {
            return self.universal(term, binder, from, to);
        }
        let to = to.instantiated(&Term::prop());
        if !self.is_proposition(&to)? {
            return Ok(Simplified::computed(term.clone()));
        }
        let (p, q) = (self.simplify(from)?, self.simplify(&to)?);
        if p.term == *from && q.term == to {
            return Ok(Simplified::computed(term.clone()));
        }
        let result = Term::pi(binder.clone(), p.term.clone(), q.term.lifted(0, 1));
        if p.proof.is_none() && q.proof.is_none() {
            return Ok(Simplified::computed(result));
        }
        let alpha = Term::prop();
        let refl = |c: &mut MetaContext<'_>, t: &Term| c.reflexivity(&alpha, t.clone());
        let (p_proof, q_proof) = (
            p.proof.map_or_else(|| refl(self.ctx, from), Ok)?,
            q.proof.map_or_else(|| refl(self.ctx, &to), Ok)?,
        );
        let lemma = Term::constant("implies_congr", vec![Level::Num(0), Level::Num(0)]);
        let args = [from.clone(), p.term, to, q.term, p_proof, q_proof];
        Ok(Simplified { term: result, proof: Some(Term::apps(lemma, args)) })
    }
}
