//! `calc`

use super::Tactics;
use crate::elab::app::Given;
use crate::elab::context::{Failure, Result, Scope, fail};
use crate::kernel::term::{Kind, MetaId, Term};
use crate::syntax::ast::Expr;

impl Tactics<'_, '_> {
    pub(super) fn calc(&mut self, goal: MetaId, steps: &[(Expr, Expr)]) -> Result<()> {
        let decl = self.decl(goal);
        let mut so_far: Option<(Term, Term)> = None;
        let mut made = Vec::new();
        for (relation, proof) in steps {
            let mut elaborator = self.elaborator(&decl.scope);
            let ty = elaborator.ty(relation)?;
            if let Some((_, before)) = &so_far {
                let (left, right) = (sides(self.ctx.instantiate(before)), sides(self.ctx.instantiate(&ty)));
                let (Some((_, middle)), Some((next, _))) = (left, right) else {
                    return fail("a step of `calc` needs a relation between two terms");
                };
                if !self.ctx.unify(&next, &middle)? {
                    let (next, middle) = (self.ctx.show(&next), self.ctx.show(&middle));
                    let what =
                        format!("the step begins with\n  {next}\nbut the one before ends in\n  {middle}");
                    return Err(Failure::new(what).at(relation.span()));
                }
            }
            let ty = self.ctx.instantiate(&ty);
            let mut elaborator = self.elaborator(&decl.scope);
            let value = elaborator.whole(proof, Some(&ty))?;
            elaborator.no_holes(&value, proof.span())?;
            made.append(&mut elaborator.goals);
            so_far = Some(match so_far {
                None => (value, ty),
                Some((before, before_ty)) => self.chained(&decl.scope, before, &before_ty, value, &ty)?,
            });
        }
        let Some((value, ty)) = so_far else { return fail("`calc` has no steps") };
        if !self.ctx.unify(&ty, &decl.ty)? {
            let (ty, goal) = (self.ctx.show(&ty), self.ctx.show(&decl.ty));
            return fail(format!("`calc` proves\n  {ty}\nbut the goal is\n  {goal}"));
        }
        let made = self.tagged_anew(made, &decl.tag, "calc_");
        let value = self.ctx.instantiate(&value);
        self.replace(goal, value, made)
    }

    /// `a R c` from `a S b` and `b T c`.
    fn chained(
        &mut self,
        scope: &Scope,
        first: Term,
        first_ty: &Term,
        second: Term,
        second_ty: &Term,
    ) -> Result<(Term, Term)> {
        let name = |ty: &Term| match ty.head().kind() {
            Kind::Const(name, _) => name.to_string(),
            _ => String::new(),
        };
        let lemma = match (&*name(first_ty), &*name(second_ty)) {
            ("Eq", "Eq") => "Eq.trans",
            ("Iff", "Iff") => "Iff.trans",
            ("Nat.le", "Nat.le") => "Nat.le_trans",
            ("Nat.lt", "Nat.lt") => "Nat.lt_trans",
            ("Nat.lt", "Nat.le") => "Nat.lt_of_lt_of_le",
            ("Nat.le", "Nat.lt") => "Nat.lt_of_le_of_lt",
            ("Eq", _) => {
                // Along the first, in the left side of the second.
                let Some((alpha, a, _)) = self.ctx.equation(first_ty)? else { return fail("an equation") };
                let (Kind::App(f, right), equation) = (second_ty.kind(), self.ctx.symmetric(&first)?) else {
                    return fail("a step of `calc` needs a relation between two terms");
                };
                let Kind::App(relation, _) = f.kind() else {
                    return fail("a step of `calc` needs a relation between two terms");
                };
                let motive = Term::apps(relation.lifted(0, 1), [Term::bound(0), right.lifted(0, 1)]);
                let ty = motive.instantiated(&a);
                return Ok((self.ctx.transported(&alpha, &motive, &equation, second, second_ty)?, ty));
            }
            (_, "Eq") => {
                let Some((alpha, _, c)) = self.ctx.equation(second_ty)? else { return fail("an equation") };
                let Kind::App(f, _) = first_ty.kind() else { return fail("a relation is expected") };
                let motive = Term::app(f.lifted(0, 1), Term::bound(0));
                let ty = motive.instantiated(&c);
                return Ok((self.ctx.transported(&alpha, &motive, &second, first, first_ty)?, ty));
            }
            (a, b) => return fail(format!("unsupported: `calc` with `{a}` before `{b}`")),
        };
        let mut elaborator = self.elaborator(scope);
        let head = elaborator.constant(lemma)?;
        let given = vec![Given::Term(first), Given::Term(second)];
        let term = elaborator.apply(head, given, Vec::new(), false, None)?;
        let term = self.ctx.instantiate(&term);
        let ty = self.ctx.infer(&term)?;
        Ok((term, self.ctx.instantiate(&ty)))
    }
}

/// The sides of a relation: its last two arguments.
fn sides(ty: Term) -> Option<(Term, Term)> {
    let Kind::App(f, b) = ty.kind() else { return None };
    let Kind::App(_, a) = f.kind() else { return None };
    Some((a.clone(), b.clone()))
}
