//! Facts about natural numbers, as parsed by `omega`.

use super::{equal, lemma};
use crate::budget;
use crate::elab::context::{MetaContext, Result};
use crate::elab::whnf::constant;
use crate::kernel::term::{Kind, Term, deeper};

/// A proposition built from comparisons of natural numbers.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    /// The proposition.
    pub(super) proposition: Term,
    /// Its form.
    pub(super) form: Form,
}

/// The forms of propositions. `≥`, `>` and `≠` are expanded.
#[derive(Clone, Debug)]
pub(super) enum Form {
    True,
    False,
    Le(Term, Term),
    Lt(Term, Term),
    Eq(Term, Term),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Imp(Box<Formula>, Box<Formula>),
    Iff(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// `a ≤ b`
    pub(super) fn le(a: Term, b: Term) -> Self {
        Self { proposition: lemma("Nat.le", [a.clone(), b.clone()]), form: Form::Le(a, b) }
    }

    /// `a < b`
    pub(super) fn lt(a: Term, b: Term) -> Self {
        Self { proposition: lemma("Nat.lt", [a.clone(), b.clone()]), form: Form::Lt(a, b) }
    }

    /// `a = b`
    pub(super) fn eq(a: Term, b: Term) -> Self {
        Self { proposition: equal(a.clone(), b.clone()), form: Form::Eq(a, b) }
    }

    /// `¬p`
    pub(super) fn not(p: Self) -> Self {
        Self { proposition: lemma("Not", [p.proposition.clone()]), form: Form::Not(p.into()) }
    }

    /// `p ∧ q`
    pub(super) fn and(p: Self, q: Self) -> Self {
        let proposition = lemma("And", [p.proposition.clone(), q.proposition.clone()]);
        Self { proposition, form: Form::And(p.into(), q.into()) }
    }

    /// `p → q`
    pub(super) fn imp(p: Self, q: Self) -> Self {
        let proposition = Term::arrow(p.proposition.clone(), q.proposition.clone());
        Self { proposition, form: Form::Imp(p.into(), q.into()) }
    }

    /// Parses a proposition without assigned metavariables; `None` if it contains anything else, or is nested too
    /// deeply.
    pub(super) fn read(ctx: &mut MetaContext<'_>, proposition: &Term) -> Result<Option<Self>> {
        Self::read_below(ctx, proposition, 0)
    }

    fn read_below(ctx: &mut MetaContext<'_>, proposition: &Term, depth: u32) -> Result<Option<Self>> {
        const MAX_DEPTH: u32 = 200;
        if depth > MAX_DEPTH {
            return Ok(None);
        }
        deeper(|| Self::read_form(ctx, proposition, depth + 1))
    }

    fn read_form(ctx: &mut MetaContext<'_>, proposition: &Term, depth: u32) -> Result<Option<Self>> {
        budget::step();
        let whole = |form| Ok(Some(Self { proposition: proposition.clone(), form }));
        if let Kind::Pi(_, from, to) = proposition.kind() {
            if !to.is_closed() {
                return Ok(None);
            }
            let (Some(p), Some(q)) = (Self::read_below(ctx, from, depth)?, Self::read_below(ctx, to, depth)?)
            else {
                return Ok(None);
            };
            return whole(Form::Imp(p.into(), q.into()));
        }
        let (head, args) = proposition.head_args();
        let name = match head.kind() {
            Kind::Const(name, _) => &**name,
            Kind::Lambda(..) | Kind::Let(..) => {
                let next = ctx.whnf_core(proposition)?;
                return if next == *proposition { Ok(None) } else { Self::read_below(ctx, &next, depth) };
            }
            _ => return Ok(None),
        };
        match (name, args.as_slice()) {
            ("True", []) => whole(Form::True),
            ("False", []) => whole(Form::False),
            ("Nat.le", [a, b]) | ("GE.ge", [b, a]) => whole(Form::Le((*a).clone(), (*b).clone())),
            ("Nat.lt", [a, b]) | ("GT.gt", [b, a]) => whole(Form::Lt((*a).clone(), (*b).clone())),
            ("Eq", [alpha, a, b]) if is_nat(ctx, alpha)? => whole(Form::Eq((*a).clone(), (*b).clone())),
            ("Ne", [alpha, a, b]) if is_nat(ctx, alpha)? => {
                whole(Form::Not(Self::eq((*a).clone(), (*b).clone()).into()))
            }
            ("Not", [p]) => match Self::read_below(ctx, p, depth)? {
                Some(p) => whole(Form::Not(p.into())),
                None => Ok(None),
            },
            ("And" | "Or" | "Iff", [p, q]) => {
                let (Some(p), Some(q)) = (Self::read_below(ctx, p, depth)?, Self::read_below(ctx, q, depth)?)
                else {
                    return Ok(None);
                };
                let (p, q) = (p.into(), q.into());
                whole(match name {
                    "And" => Form::And(p, q),
                    "Or" => Form::Or(p, q),
                    _ => Form::Iff(p, q),
                })
            }
            (name, _) if name != "Ne" && ctx.theory.is_reducible(name) => {
                let next = ctx.whnf_reducible(proposition)?;
                let next = ctx.instantiate(&next);
                if next == *proposition { Ok(None) } else { Self::read_below(ctx, &next, depth) }
            }
            _ => Ok(None),
        }
    }

    /// A proof that it holds or does not, without axioms.
    pub(super) fn decided(&self) -> Term {
        let both = |name: &str, p: &Self, q: &Self| {
            lemma(name, [p.proposition.clone(), q.proposition.clone(), p.decided(), q.decided()])
        };
        match &self.form {
            Form::True => constant("Nat.Linear.em_true"),
            Form::False => constant("Nat.Linear.em_false"),
            Form::Le(a, b) => lemma("Nat.Linear.em_le", [a.clone(), b.clone()]),
            Form::Lt(a, b) => lemma("Nat.Linear.em_lt", [a.clone(), b.clone()]),
            Form::Eq(a, b) => lemma("Nat.Linear.em_eq", [a.clone(), b.clone()]),
            Form::Not(p) => lemma("Nat.Linear.em_not", [p.proposition.clone(), p.decided()]),
            Form::And(p, q) => both("Nat.Linear.em_and", p, q),
            Form::Or(p, q) => both("Nat.Linear.em_or", p, q),
            Form::Imp(p, q) => both("Nat.Linear.em_imp", p, q),
            Form::Iff(p, q) => both("Nat.Linear.em_iff", p, q),
        }
    }
}

/// Whether a type is that of natural numbers.
pub(super) fn is_nat(ctx: &mut MetaContext<'_>, ty: &Term) -> Result<bool> {
    let ty = ctx.whnf_reducible(ty)?;
    Ok(matches!(ty.kind(), Kind::Const(name, _) if &**name == "Nat"))
}
