//! Unification: makes terms equal by assigning metavariables.

use num_bigint::BigUint;

use super::context::{Local, MetaContext, MetaKind, Result, Transparency, lambdas};
use super::whnf::with_offset;
use crate::budget;
use crate::kernel::env::Body;
use crate::kernel::term::{Kind, Level, LocalId, MetaId, Term, deeper};

impl MetaContext<'_> {
    /// Whether two terms of one type can be unified. If not, nothing is assigned.
    pub fn unify(&mut self, a: &Term, b: &Term) -> Result<bool> {
        let mark = self.mark();
        let equal = self.equate(a, b)?;
        if !equal {
            self.undo(mark);
        }
        Ok(equal)
    }

    /// Like [`Self::unify`], with reducible definitions only.
    pub fn unify_reducible(&mut self, a: &Term, b: &Term) -> Result<bool> {
        self.with_transparency(Transparency::Reducible, |c| c.unify(a, b))
    }

    fn equate(&mut self, a: &Term, b: &Term) -> Result<bool> {
        if a == b {
            return Ok(true);
        }
        budget::step();
        deeper(|| self.equate_forms(a, b))
    }

    /// Runs `f`, and undoes its assignments if it returns false.
    fn attempt(&mut self, f: impl FnOnce(&mut Self) -> Result<bool>) -> Result<bool> {
        let mark = self.mark();
        let answer = f(self)?;
        if !answer {
            self.undo(mark);
        }
        Ok(answer)
    }

    fn equate_forms(&mut self, a: &Term, b: &Term) -> Result<bool> {
        let (a, b) = (self.instantiate_head(a), self.instantiate_head(b));
        if a == b {
            return Ok(true);
        }
        // Before anything is reduced, so that values keep the form they are given in.
        if self.assign_flexible(&a, &b)? {
            return Ok(true);
        }
        let (mut a, mut b) = (self.whnf_core(&a)?, self.whnf_core(&b)?);
        loop {
            if let Some(answer) = self.equate_rigid(&a, &b)? {
                return Ok(answer);
            }
            if self.assign_flexible(&a, &b)? {
                return Ok(true);
            }
            if let Some(next) = self.reduce_operation(&a)? {
                a = next;
                continue;
            }
            if let Some(next) = self.reduce_operation(&b)? {
                b = next;
                continue;
            }
            if self.attempt(|c| c.equate_spines(&a, &b))? {
                return Ok(true);
            }
            // The younger definition is unfolded first.
            let (left, right) = match (self.height(&a), self.height(&b)) {
                (None, None) => break,
                (x, y) => (x >= y, y >= x),
            };
            let unfolded_a = if left { self.unfold(&a)? } else { None };
            let unfolded_b = if right { self.unfold(&b)? } else { None };
            match (unfolded_a, unfolded_b) {
                (None, None) => {
                    // The preferred one is stuck: try the other.
                    let other_a = if left { None } else { self.unfold(&a)? };
                    let other_b = if right { None } else { self.unfold(&b)? };
                    if other_a.is_none() && other_b.is_none() {
                        break;
                    }
                    a = other_a.unwrap_or(a);
                    b = other_b.unwrap_or(b);
                }
                (x, y) => {
                    a = x.unwrap_or(a);
                    b = y.unwrap_or(b);
                }
            }
        }
        if self.attempt(|c| c.equate_stuck(&a, &b))? || self.attempt(|c| c.equate_eta(&a, &b))? {
            return Ok(true);
        }
        self.equate_proofs(&a, &b)
    }

    /// The answer, if the forms of both terms decide it.
    fn equate_rigid(&mut self, a: &Term, b: &Term) -> Result<Option<bool>> {
        match (a.kind(), b.kind()) {
            (Kind::Sort(x), Kind::Sort(y)) => return Ok(Some(self.equate_levels(x, y))),
            (Kind::Lit(x), Kind::Lit(y)) => return Ok(Some(x == y)),
            (Kind::Local(x), Kind::Local(y)) if x == y => return Ok(Some(true)),
            (Kind::Lambda(binder, from, x), Kind::Lambda(_, other, y))
            | (Kind::Pi(binder, from, x), Kind::Pi(_, other, y)) => {
                if !self.equate(from, other)? {
                    return Ok(Some(false));
                }
                let local = self.new_binder(binder, from.clone()).term();
                return self.equate(&x.instantiated(&local), &y.instantiated(&local)).map(Some);
            }
            _ => {}
        }
        let (Some((x, n)), Some((y, m))) = (self.offset(a), self.offset(b)) else { return Ok(None) };
        let least = n.clone().min(m.clone());
        let impossible = (x.is_none() && n < m) || (y.is_none() && m < n);
        if impossible || (x.is_none() && y.is_none()) {
            return Ok(Some(!impossible));
        }
        if least == BigUint::ZERO {
            return Ok(None);
        }
        let (x, y) = (with_offset(x, n - &least), with_offset(y, m - &least));
        self.equate(&x, &y).map(Some)
    }

    fn equate_spines(&mut self, a: &Term, b: &Term) -> Result<bool> {
        let ((head, args), (other, others)) = (a.head_args(), b.head_args());
        if args.len() != others.len() {
            return Ok(false);
        }
        let alike = match (head.kind(), other.kind()) {
            (Kind::Const(x, ls), Kind::Const(y, ms)) => {
                x == y && ls.iter().zip(ms.iter()).all(|(l, m)| self.equate_levels(l, m))
            }
            (Kind::Local(x), Kind::Local(y)) => x == y,
            (Kind::Meta(x), Kind::Meta(y)) => x == y,
            _ => false,
        };
        if !alike {
            return Ok(false);
        }
        // Rigid arguments first: they may determine the others.
        let (mut later, pairs) = (Vec::new(), args.into_iter().zip(others));
        for (x, y) in pairs {
            let flexible =
                |t: &Term| matches!(t.head().kind(), Kind::Meta(_)) && matches!(t.kind(), Kind::App(..));
            if flexible(x) || flexible(y) {
                later.push((x, y));
            } else if !self.equate(x, y)? {
                return Ok(false);
            }
        }
        for (x, y) in later {
            if !self.equate(x, y)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether stuck recursive definitions are stuck at equal arguments.
    fn equate_stuck(&mut self, a: &Term, b: &Term) -> Result<bool> {
        if self.transparency == Transparency::Reducible {
            return Ok(false);
        }
        let (x, y) = (self.unfold_stuck(a)?, self.unfold_stuck(b)?);
        if x.is_none() && y.is_none() {
            return Ok(false);
        }
        self.equate_spines(x.as_ref().unwrap_or(a), y.as_ref().unwrap_or(b))
    }

    /// Eta: whether one is a function and the other equals it at every argument.
    fn equate_eta(&mut self, a: &Term, b: &Term) -> Result<bool> {
        let (function, other) = match (a.kind(), b.kind()) {
            (Kind::Lambda(..), Kind::Lambda(..)) => return Ok(false),
            (Kind::Lambda(..), _) => (a, b),
            (_, Kind::Lambda(..)) => (b, a),
            _ => return Ok(false),
        };
        let Kind::Lambda(binder, from, body) = function.kind() else { return Ok(false) };
        let ty = self.infer(other)?;
        let ty = self.whnf(&ty)?;
        let Kind::Pi(_, domain, _) = ty.kind() else { return Ok(false) };
        if !self.equate(from, domain)? {
            return Ok(false);
        }
        let local = self.new_binder(binder, from.clone()).term();
        self.equate(&body.instantiated(&local), &Term::app(other.clone(), local))
    }

    /// Whether both are proofs of equal propositions.
    fn equate_proofs(&mut self, a: &Term, b: &Term) -> Result<bool> {
        let certainly_none = |t: &Term| matches!(t.kind(), Kind::Sort(_) | Kind::Pi(..) | Kind::Lit(_));
        if certainly_none(a) || certainly_none(b) {
            return Ok(false);
        }
        let ty = self.infer(a)?;
        if !self.is_proposition(&ty)? {
            return Ok(false);
        }
        let other = self.infer(b)?;
        self.equate(&ty, &other)
    }

    /// Assigns a metavariable at the head of either term, if that makes them equal.
    fn assign_flexible(&mut self, a: &Term, b: &Term) -> Result<bool> {
        let assignable = |c: &Self, t: &Term| match t.head().kind() {
            Kind::Meta(id) => c.meta(*id).kind == MetaKind::Natural && c.delayed(*id).is_none(),
            _ => false,
        };
        let (left, right) = (assignable(self, a), assignable(self, b));
        if left && right && a.head() == b.head() {
            return self.attempt(|c| c.equate_spines(a, b));
        }
        // Between two variables, the younger one gets the value.
        let first = match (a.head().kind(), b.head().kind()) {
            (Kind::Meta(x), Kind::Meta(y)) if left && right => x >= y,
            _ => left,
        };
        if first && self.attempt(|c| c.assign_pattern(a, b))? {
            return Ok(true);
        }
        if right && self.attempt(|c| c.assign_pattern(b, a))? {
            return Ok(true);
        }
        if left && !first && self.attempt(|c| c.assign_pattern(a, b))? {
            return Ok(true);
        }
        // `?f x =?= g x`: unify functions and arguments.
        if left && self.attempt(|c| c.assign_first_order(a, b))? {
            return Ok(true);
        }
        if right && self.attempt(|c| c.assign_first_order(b, a))? {
            return Ok(true);
        }
        Ok(false)
    }

    /// `?m x y := t`, where `x` and `y` are different variables.
    fn assign_pattern(&mut self, flexible: &Term, value: &Term) -> Result<bool> {
        let (head, args) = flexible.head_args();
        let Kind::Meta(id) = head.kind() else { return Ok(false) };
        let mut over: Vec<Local> = Vec::new();
        for arg in args {
            let arg = self.instantiate(arg);
            let Kind::Local(local) = arg.kind() else { return Ok(false) };
            let local = self.local(*local)?.clone();
            if local.value.is_some() || over.iter().any(|l| l.id == local.id) {
                return Ok(false);
            }
            over.push(local);
        }
        let mut value = self.instantiate(value);
        let decl = self.meta(*id).clone();
        let mut known: Vec<Local> = Vec::new();
        known.extend(decl.scope.iter().cloned());
        known.extend(over.iter().cloned());
        if !self.is_in_scope(&value, *id, &known)? {
            // Reduction may make variables disappear.
            value = self.whnf_core(&value)?;
            value = self.instantiate(&value);
            if !self.is_in_scope(&value, *id, &known)? {
                return Ok(false);
            }
            value = self.instantiate(&value);
        }
        let ty = self.infer(&value)?;
        let expected = if over.is_empty() { decl.ty.clone() } else { self.infer(flexible)? };
        let same_type = self.with_transparency(Transparency::Default, |c| c.equate(&expected, &ty))?;
        if !same_type || self.is_assigned(*id) {
            return Ok(false);
        }
        let value = self.instantiate(&value);
        if self.open_metas(&value).contains(id) {
            return Ok(false);
        }
        self.keep_dependent(&decl.scope, &mut over, &value)?;
        self.assign(*id, lambdas(&over, value));
        Ok(true)
    }

    /// Of the variables to abstract in a value, those that may occur in the metavariable itself
    /// are kept if the type of another variable in the value depends on them.
    fn keep_dependent(&mut self, scope: &[Local], over: &mut [Local], value: &Term) -> Result<()> {
        let is_known = |id: LocalId| scope.iter().any(|l| l.id == id);
        if !over.iter().any(|l| is_known(l.id)) {
            return Ok(());
        }
        let mut needed = Vec::new();
        for local in scope.iter().filter(|l| over.iter().all(|o| o.id != l.id)) {
            if value.any(|t| matches!(t.kind(), Kind::Local(id) if *id == local.id)) {
                needed.push(self.instantiate(&local.ty));
            }
        }
        for local in over.iter_mut().filter(|l| is_known(l.id)) {
            let is_local = |t: &Term| matches!(t.kind(), Kind::Local(id) if *id == local.id);
            if needed.iter().any(|ty| ty.any(is_local)) {
                *local = self.new_binder(&local.binder(), local.ty.clone());
            }
        }
        Ok(())
    }

    /// Scope and occurs check: whether a value mentions only variables in a scope, and not the metavariable.
    /// Metavariables that could mention more are replaced by restricted ones.
    fn is_in_scope(&mut self, value: &Term, id: MetaId, known: &[Local]) -> Result<bool> {
        if value.has_local()
            && value.any(|t| matches!(t.kind(), Kind::Local(l) if known.iter().all(|k| k.id != *l)))
        {
            return Ok(false);
        }
        if !value.has_meta() {
            return Ok(true);
        }
        for other in self.open_metas(value) {
            if other == id {
                return Ok(false);
            }
            let decl = std::sync::Arc::clone(self.meta(other));
            if decl.scope.iter().all(|l| known.iter().any(|k| k.id == l.id)) {
                continue;
            }
            if decl.kind != MetaKind::Natural || self.delayed(other).is_some() {
                return Ok(false);
            }
            let narrow: Vec<Local> =
                decl.scope.iter().filter(|l| known.iter().any(|k| k.id == l.id)).cloned().collect();
            let ty = self.instantiate(&decl.ty);
            if ty.any(|t| matches!(t.kind(), Kind::Local(l) if narrow.iter().all(|k| k.id != *l))) {
                return Ok(false);
            }
            let tag = std::sync::Arc::clone(&decl.tag);
            let narrow = self.new_meta(std::sync::Arc::new(narrow), ty, MetaKind::Natural, tag);
            self.assign(other, Term::meta(narrow));
        }
        Ok(true)
    }

    fn assign_first_order(&mut self, flexible: &Term, other: &Term) -> Result<bool> {
        let (Kind::App(f, x), Kind::App(g, y)) = (flexible.kind(), other.kind()) else { return Ok(false) };
        let is_constructor_free = !matches!(g.head().kind(), Kind::Const(name, _)
            if matches!(self.theory.env.get(name).map(|d| &d.body), Some(Body::Recursor(_))));
        Ok(is_constructor_free && self.equate(f, g)? && self.equate(x, y)?)
    }

    /// Whether two levels can be unified. Cases with metavariables that are undecided count as equal; the kernel checks
    /// the result.
    pub(super) fn equate_levels(&mut self, a: &Level, b: &Level) -> bool {
        let (a, b) = (self.instantiate_level(a), self.instantiate_level(b));
        match (&a, &b) {
            _ if !a.has_meta() && !b.has_meta() => a.equals(&b),
            _ if a == b => true,
            (Level::Meta(id), other) | (other, Level::Meta(id)) => {
                if !mentions(other, *id) {
                    self.assign_level(*id, other.clone());
                }
                true
            }
            (Level::Succ(x), Level::Succ(y)) => self.equate_levels(x, y),
            (Level::Succ(_), Level::Num(0)) | (Level::Num(0), Level::Succ(_)) => false,
            (Level::Succ(x), other) | (other, Level::Succ(x)) if let Some(before) = predecessor(other) => {
                self.equate_levels(x, &before)
            }
            (Level::IMax(x, y), other) | (other, Level::IMax(x, y)) if matches!(**y, Level::Num(n) if n > 0) =>
            {
                let max = Level::Max(x.clone(), y.clone());
                self.equate_levels(&max, &other.clone())
            }
            (Level::Max(x, y), other) | (other, Level::Max(x, y))
                if matches!(**x, Level::Meta(_)) && **y == *other =>
            {
                self.equate_levels(x, &other.clone())
            }
            (Level::Max(x, y), other) | (other, Level::Max(x, y))
                if matches!(&**y, Level::Num(n) if *n <= 1) && matches!(other, Level::Num(n) if *n > 1) =>
            {
                self.equate_levels(x, &other.clone())
            }
            _ => true,
        }
    }
}

/// The level before one that is written as a maximum of positive ones.
fn predecessor(level: &Level) -> Option<Level> {
    match level {
        Level::Num(n) => n.checked_sub(1).map(Level::Num),
        Level::Succ(l) => Some((**l).clone()),
        Level::Max(a, b) | Level::IMax(a, b) => Some(predecessor(a)?.max(predecessor(b)?)),
        Level::Param(_) | Level::Meta(_) => None,
    }
}

fn mentions(level: &Level, id: u32) -> bool {
    let mut found = false;
    level.replaced(&mut |leaf| {
        found |= *leaf == Level::Meta(id);
        None
    });
    found
}
