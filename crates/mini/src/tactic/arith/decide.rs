//! `decide`: closed propositions that computation decides.

use super::compute::Comparison;
use super::formula::is_nat;
use super::{lemma, reflexive};
use crate::budget;
use crate::elab::context::{Result, fail};
use crate::elab::infer::nat;
use crate::elab::whnf::constant;
use crate::kernel::term::{Binder, Kind, Level, MetaId, Term, deeper};
use crate::tactic::Tactics;

/// Quantifiers over more numbers than this are not decided.
const MAX_BOUND: u32 = 1000;

/// Whether a proposition holds, with a proof of it or of its negation.
pub(super) struct Verdict {
    pub(super) holds: bool,
    pub(super) proof: Term,
}

impl Tactics<'_, '_> {
    /// Proves a closed proposition by computation.
    pub(in crate::tactic) fn decide(&mut self, goal: MetaId) -> Result<()> {
        let decl = self.decl(goal);
        if decl.ty.has_local() || decl.ty.has_meta() {
            let ty = self.ctx.show(&decl.ty);
            return fail(format!("unsupported: `decide` for a proposition with variables\n  {ty}"));
        }
        let verdict = self.verdict(&decl.ty)?;
        if !verdict.holds {
            let ty = self.ctx.show(&decl.ty);
            return fail(format!("the proposition is false\n  {ty}"));
        }
        self.replace(goal, verdict.proof, [])
    }

    fn verdict(&mut self, proposition: &Term) -> Result<Verdict> {
        budget::step();
        deeper(|| self.verdict_of_form(proposition))
    }

    fn verdict_of_form(&mut self, proposition: &Term) -> Result<Verdict> {
        if let Kind::Pi(_, from, to) = proposition.kind() {
            if !to.is_closed() {
                return self.for_all(proposition, from, to);
            }
            return self.implication(proposition, from, to);
        }
        let (head, args) = proposition.head_args();
        let args: Vec<Term> = args.into_iter().cloned().collect();
        let name = match head.kind() {
            Kind::Const(name, _) => &**name,
            Kind::Lambda(..) | Kind::Let(..) => {
                let next = self.ctx.whnf_core(proposition)?;
                return if next == *proposition {
                    self.unsupported(proposition)
                } else {
                    self.verdict(&next)
                };
            }
            _ => return self.unsupported(proposition),
        };
        match (name, args.as_slice()) {
            ("True", []) => Ok(Verdict { holds: true, proof: constant("True.intro") }),
            ("False", []) => Ok(Verdict { holds: false, proof: constant("not_false") }),
            ("Nat.le", [a, b]) | ("GE.ge", [b, a]) => self.comparison(Comparison::Le, a, b),
            ("Nat.lt", [a, b]) | ("GT.gt", [b, a]) => self.comparison(Comparison::Lt, a, b),
            ("Eq", [alpha, a, b]) => match is_nat(self.ctx, alpha)? {
                true => self.comparison(Comparison::Eq, a, b),
                false => self.equality(proposition, alpha, a, b),
            },
            ("Ne", [alpha, a, b]) => {
                let equation = self.ctx.make_equation(alpha, a.clone(), b.clone())?;
                self.negation(&equation)
            }
            ("Not", [p]) => self.negation(p),
            ("And", [p, q]) => {
                let first = self.verdict(p)?;
                if !first.holds {
                    let proof = lemma("not_and_of_not_left", [p.clone(), q.clone(), first.proof]);
                    return Ok(Verdict { holds: false, proof });
                }
                let second = self.verdict(q)?;
                let proof = match second.holds {
                    true => lemma("And.intro", [p.clone(), q.clone(), first.proof, second.proof]),
                    false => lemma("not_and_of_not_right", [p.clone(), q.clone(), second.proof]),
                };
                Ok(Verdict { holds: second.holds, proof })
            }
            ("Or", [p, q]) => {
                let first = self.verdict(p)?;
                if first.holds {
                    let proof = lemma("Or.inl", [p.clone(), q.clone(), first.proof]);
                    return Ok(Verdict { holds: true, proof });
                }
                let second = self.verdict(q)?;
                if second.holds {
                    let proof = lemma("Or.inr", [p.clone(), q.clone(), second.proof]);
                    return Ok(Verdict { holds: true, proof });
                }
                let elim =
                    [p.clone(), q.clone(), constant("False"), Term::bound(0), first.proof, second.proof];
                Ok(Verdict { holds: false, proof: assuming(proposition, lemma("Or.elim", elim)) })
            }
            ("Iff", [p, q]) => self.equivalence(proposition, p, q),
            ("Exists", [alpha, p]) if is_nat(self.ctx, alpha)? => self.there_is(proposition, p),
            (name, _) if self.ctx.theory.is_reducible(name) => {
                let next = self.ctx.whnf_reducible(proposition)?;
                let next = self.ctx.instantiate(&next);
                if next == *proposition { self.unsupported(proposition) } else { self.verdict(&next) }
            }
            _ => self.unsupported(proposition),
        }
    }

    pub(super) fn unsupported<T>(&mut self, term: &Term) -> Result<T> {
        let shown = self.ctx.show(term);
        fail(format!("unsupported: `decide` does not compute\n  {shown}"))
    }

    fn negation(&mut self, p: &Term) -> Result<Verdict> {
        let Verdict { holds, proof } = self.verdict(p)?;
        let proof = if holds { lemma("not_not_intro", [p.clone(), proof]) } else { proof };
        Ok(Verdict { holds: !holds, proof })
    }

    fn implication(&mut self, proposition: &Term, p: &Term, q: &Term) -> Result<Verdict> {
        let first = self.verdict(p)?;
        if !first.holds {
            let absurd = Term::constant("absurd", vec![Level::Num(0)]);
            let proof = Term::apps(absurd, [p.clone(), q.clone(), Term::bound(0), first.proof]);
            return Ok(Verdict { holds: true, proof: assuming(p, proof) });
        }
        let second = self.verdict(q)?;
        let proof = match second.holds {
            true => assuming(p, second.proof),
            false => assuming(proposition, Term::app(second.proof, Term::app(Term::bound(0), first.proof))),
        };
        Ok(Verdict { holds: second.holds, proof })
    }

    fn equivalence(&mut self, proposition: &Term, p: &Term, q: &Term) -> Result<Verdict> {
        let (first, second) = (self.verdict(p)?, self.verdict(q)?);
        let (x, y) = (first.proof, second.proof);
        let way = |name: &str, of: Term| Term::app(lemma(name, [p.clone(), q.clone(), Term::bound(0)]), of);
        let both = |name: &str, x: Term, y: Term| lemma(name, [p.clone(), q.clone(), x, y]);
        let proof = match (first.holds, second.holds) {
            (true, true) => both("iff_of_true", x, y),
            (false, false) => both("iff_of_false", x, y),
            (true, false) => assuming(proposition, Term::app(y, way("Iff.mp", x))),
            (false, true) => assuming(proposition, Term::app(x, way("Iff.mpr", y))),
        };
        Ok(Verdict { holds: first.holds == second.holds, proof })
    }

    /// `∀ x, x < n → p x`
    fn for_all(&mut self, proposition: &Term, from: &Term, to: &Term) -> Result<Verdict> {
        let Kind::Pi(_, condition, body) = to.kind() else { return self.unsupported(proposition) };
        let bound = below(condition).filter(|_| is_free(body));
        let Some(bound) = bound.filter(|_| matches!(is_nat(self.ctx, from), Ok(true))) else {
            return self.unsupported(proposition);
        };
        // What is below the hypothesis, as the body of the binder of the number.
        let body = body.instantiated(&constant("True.intro"));
        let n = self.bound(proposition, &bound)?;
        let p = Term::lambda(Binder::explicit("x"), nat(), body.clone());
        let mut proofs = Vec::new();
        for x in 0..n {
            let verdict = self.verdict(&body.instantiated(&Term::lit(x)))?;
            if !verdict.holds {
                let instance = Term::apps(Term::bound(0), [Term::lit(x), less(x, n)]);
                let proof = assuming(proposition, Term::app(verdict.proof, instance));
                return Ok(Verdict { holds: false, proof });
            }
            proofs.push(verdict.proof);
        }
        Ok(Verdict { holds: true, proof: all_below(&p, proofs) })
    }

    /// `∃ x, x < n ∧ p x`
    fn there_is(&mut self, proposition: &Term, predicate: &Term) -> Result<Verdict> {
        let parts = match predicate.kind() {
            Kind::Lambda(_, _, both) => match both.head_args() {
                (head, args) if matches!(head.kind(), Kind::Const(name, _) if &**name == "And") => match args
                    .as_slice()
                {
                    [condition, body] => below(condition).map(|n| ((*condition).clone(), n, (*body).clone())),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        let Some((condition, bound, body)) = parts else { return self.unsupported(proposition) };
        let n = self.bound(proposition, &bound)?;
        let mut proofs = Vec::new();
        for x in 0..n {
            let at = Term::lit(x);
            let instance = body.instantiated(&at);
            let verdict = self.verdict(&instance)?;
            if verdict.holds {
                let sides = [condition.instantiated(&at), instance, less(x, n), verdict.proof];
                let intro = Term::constant("Exists.intro", vec![Level::Num(1)]);
                let proof = Term::apps(intro, [nat(), predicate.clone(), at, lemma("And.intro", sides)]);
                return Ok(Verdict { holds: true, proof });
            }
            proofs.push(verdict.proof);
        }
        let binder = Binder::explicit("x");
        let not = Term::lambda(binder.clone(), nat(), Term::app(constant("Not"), body.clone()));
        let p = Term::lambda(binder, nat(), body);
        let proof = lemma("Nat.Linear.not_exists", [p, Term::lit(n), all_below(&not, proofs)]);
        Ok(Verdict { holds: false, proof })
    }

    fn bound(&mut self, proposition: &Term, bound: &Term) -> Result<u32> {
        let (n, proof) = self.number(bound)?;
        match u32::try_from(n) {
            Ok(n) if n <= MAX_BOUND && proof.is_none() => Ok(n),
            _ => self.unsupported(proposition),
        }
    }
}

/// The closed bound of a condition `x < n` on the innermost bound variable.
fn below(condition: &Term) -> Option<Term> {
    let (head, args) = condition.head_args();
    let Kind::Const(name, _) = head.kind() else { return None };
    let (x, n) = match (&**name, args.as_slice()) {
        ("Nat.lt", [x, n]) | ("GT.gt", [n, x]) => (x, n),
        _ => return None,
    };
    (matches!(x.kind(), Kind::Bound(0)) && n.is_closed()).then(|| (*n).clone())
}

/// Whether the innermost bound variable does not occur.
fn is_free(body: &Term) -> bool {
    !body.uses_bound(0)
}

/// A proof under a hypothesis, which is the innermost bound variable in it.
fn assuming(hypothesis: &Term, proof: Term) -> Term {
    Term::lambda(Binder::explicit("h"), hypothesis.clone(), proof)
}

/// The proof of `x < n`.
fn less(x: u32, n: u32) -> Term {
    let rest = n - x - 1;
    lemma("Nat.le.intro", [Term::lit(x + 1), Term::lit(n), Term::lit(rest), reflexive(&Term::lit(n))])
}

/// The proof of `∀ x, x < n → p x` from those for each number.
fn all_below(p: &Term, proofs: Vec<Term>) -> Term {
    let mut all = lemma("Nat.Linear.forall_zero", [p.clone()]);
    for (n, proof) in (0u32..).zip(proofs) {
        let next = Term::lit(n + 1);
        let terms = [p.clone(), Term::lit(n), next.clone(), reflexive(&next), all, proof];
        all = lemma("Nat.Linear.forall_succ", terms);
    }
    all
}
