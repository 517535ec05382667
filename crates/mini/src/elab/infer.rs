//! Infers the types of terms that are assumed to be well-typed.

use super::context::{MetaContext, MetaKind, Result, fail};
use crate::budget;
use crate::kernel::term::{Kind, Level, Term, deeper};

impl MetaContext<'_> {
    /// The type of a term. The term is not checked.
    pub fn infer(&mut self, term: &Term) -> Result<Term> {
        budget::step();
        match term.kind() {
            Kind::Bound(_) => fail("a bound variable has no type by itself"),
            Kind::Local(id) => Ok(self.local(*id)?.ty.clone()),
            Kind::Meta(id) => Ok(self.meta(*id).ty.clone()),
            Kind::Lit(_) => Ok(nat()),
            Kind::Sort(level) => Ok(Term::sort(level.clone().succ())),
            Kind::Const(name, levels) => {
                let Some(declaration) = self.theory.env.get(name) else {
                    return fail(format!("unknown constant `{name}`"));
                };
                Ok(declaration.ty.with_levels(levels))
            }
            Kind::App(..) => deeper(|| self.infer_application(term)),
            Kind::Lambda(binder, ty, body) => deeper(|| {
                let local = self.new_binder(binder, ty.clone());
                let body = self.infer(&body.instantiated(&local.term()))?;
                Ok(Term::pi(binder.clone(), ty.clone(), body.abstracted(local.id)))
            }),
            Kind::Pi(binder, from, to) => deeper(|| {
                let local = self.new_binder(binder, from.clone());
                let from = self.level_of(from)?;
                let to = self.level_of(&to.instantiated(&local.term()))?;
                let (from, to) = (self.instantiate_level(&from), self.instantiate_level(&to));
                Ok(Term::sort(from.imax(to)))
            }),
            Kind::Let(_, _, value, body) => deeper(|| self.infer(&body.instantiated(value))),
        }
    }

    fn infer_application(&mut self, term: &Term) -> Result<Term> {
        let (head, args) = term.head_args();
        let mut ty = self.infer(head)?;
        // The arguments from `from` on are not yet substituted into the type.
        let mut from = 0;
        let values: Vec<Term> = args.iter().map(|a| (*a).clone()).collect();
        for i in 0..args.len() {
            if let Kind::Pi(_, _, to) = ty.kind() {
                ty = to.clone();
                continue;
            }
            let whole = ty.instantiated_all(&values[from..i]);
            from = i;
            match self.whnf(&whole)?.kind() {
                Kind::Pi(_, _, to) => ty = to.clone(),
                _ => return fail("something that is not a function is applied"),
            }
        }
        Ok(ty.instantiated_all(&values[from..]))
    }

    /// The universe level of a type.
    pub fn level_of(&mut self, ty: &Term) -> Result<Level> {
        let sort = self.infer(ty)?;
        match self.whnf(&sort)?.kind() {
            Kind::Sort(level) => Ok(level.clone()),
            Kind::Meta(id) if self.meta(*id).kind == MetaKind::Natural => {
                let level = self.new_level();
                self.assign(*id, Term::sort(level.clone()));
                Ok(level)
            }
            _ => fail("a type is expected"),
        }
    }

    /// Whether a term is a proposition.
    pub fn is_proposition(&mut self, term: &Term) -> Result<bool> {
        let sort = self.infer(term)?;
        let sort = self.whnf(&sort)?;
        Ok(matches!(sort.kind(), Kind::Sort(level) if self.instantiate_level(level).is_zero()))
    }

    /// Whether a term is a proof.
    pub fn is_proof(&mut self, term: &Term) -> Result<bool> {
        let ty = self.infer(term)?;
        self.is_proposition(&ty)
    }
}

/// The type of natural numbers.
pub fn nat() -> Term {
    Term::constant("Nat", Vec::new())
}
