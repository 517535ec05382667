//! `ring`: equations between polynomials.

use super::evaluate::{Evaluator, proven};
use super::{symmetric, transitive};
use crate::elab::context::{Result, fail};
use crate::elab::infer::nat;
use crate::kernel::term::MetaId;
use crate::tactic::Tactics;

impl Tactics<'_, '_> {
    /// Proves an equation of natural numbers whose sides have the same normal form.
    pub(in crate::tactic) fn ring(&mut self, goal: MetaId) -> Result<()> {
        let decl = self.decl(goal);
        let Some((alpha, a, b)) = self.ctx.equation(&decl.ty)? else {
            let ty = self.ctx.show(&decl.ty);
            return fail(format!("`ring` proves equations, not\n  {ty}"));
        };
        if !self.ctx.unify_reducible(&alpha, &nat())? {
            let alpha = self.ctx.show(&alpha);
            return fail(format!("`ring` proves equations of natural numbers, not of\n  {alpha}"));
        }
        let (a, b) = (self.ctx.instantiate(&a), self.ctx.instantiate(&b));
        let mut evaluator = Evaluator::default();
        let (x, left) = evaluator.evaluate(self.ctx, &a)?;
        let (y, right) = evaluator.evaluate(self.ctx, &b)?;
        if x.term() != y.term() {
            let (x, y) = (self.ctx.show(x.term()), self.ctx.show(y.term()));
            let ty = self.ctx.show(&decl.ty);
            return fail(format!("`ring` does not prove\n  {ty}\nThe sides' normal forms are\n  {x}\n  {y}"));
        }
        let (left, right) = (proven(left, &x), proven(right, &y));
        let proof = transitive(&a, x.term(), &b, left, symmetric(&b, y.term(), right));
        self.replace(goal, proof, [])
    }
}
