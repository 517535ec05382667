//! The data that the heuristics use: a goal, its locals with their types, and inferred types of terms.

use andor_core::goal::Goal;
use andor_core::theorem::Theorem;

use super::term::{Term, apply, base_of, fresh_by, is_accessible, read};

/// A local with an accessible name.
pub(super) struct Local {
    pub(super) name: String,
    pub(super) ty: Term,
    /// Whether it is a proof of its type, rather than an object.
    pub(super) is_proof: bool,
}

/// A goal in the form that the heuristics use.
pub(super) struct Situation {
    /// The locals in order, without those that are inaccessible or not supported.
    pub(super) locals: Vec<Local>,
    pub(super) target: Term,
    /// The names that the theorem's header defines.
    pub(super) own: Vec<String>,
    taken: Vec<String>,
    /// Whether target or hypotheses contain metavariables.
    pub(super) has_metas: bool,
}

impl Situation {
    /// `None` if the target is not supported.
    pub(super) fn of(theorem: &Theorem, goal: &Goal) -> Option<Self> {
        let target = read(goal.target.expr.as_ref()?)?;
        let mut taken: Vec<String> = goal.locals().map(|(n, _)| n.to_owned()).collect();
        let constants =
            |t: &Term| t.subterms().iter().filter_map(|(t, _)| Some(t.constant()?.0.to_owned())).collect();
        let mentioned: Vec<String> = constants(&target);
        taken.extend(mentioned);
        let mut situation =
            Self { locals: Vec::new(), target, own: own_definitions(theorem), taken, has_metas: false };
        let is_meta = |t: &Term| matches!(t, Term::Meta(_));
        situation.has_metas = situation.target.any(is_meta);
        for (name, hypothesis) in goal.locals().filter(|(n, _)| is_accessible(n)) {
            let Some(ty) = hypothesis.ty.expr.as_ref().and_then(read) else { continue };
            situation.has_metas |= ty.any(is_meta);
            let is_proof = situation.is_proposition(&ty);
            situation.locals.push(Local { name: name.to_owned(), ty, is_proof });
        }
        Some(situation)
    }

    /// The hypotheses: locals that are proofs, the latest first.
    pub(super) fn proofs(&self) -> impl Iterator<Item = &Local> {
        self.locals.iter().rev().filter(|l| l.is_proof)
    }

    /// The objects, without types.
    pub(super) fn objects(&self) -> impl Iterator<Item = &Local> {
        self.locals.iter().filter(|l| !l.is_proof && !matches!(l.ty, Term::Sort(_)))
    }

    /// The target, and what the hypotheses say, the latest first.
    pub(super) fn statements(&self) -> impl Iterator<Item = &Term> {
        std::iter::once(&self.target).chain(self.proofs().map(|l| &l.ty))
    }

    /// The name of a hypothesis with exactly this statement.
    pub(super) fn proof_of(&self, statement: &Term) -> Option<&str> {
        self.proofs().find(|l| l.ty == *statement).map(|l| l.name.as_str())
    }

    /// A name that differs from all locals and from `others`.
    pub(super) fn fresh(&self, base: &str, others: &[String]) -> String {
        fresh_by(base, |n| self.taken.iter().chain(others).any(|t| t == n))
    }

    /// `count` fresh names for hypotheses.
    pub(super) fn fresh_hypotheses(&self, count: usize) -> Vec<String> {
        let mut names = Vec::new();
        for _ in 0..count {
            names.push(self.fresh("h", &names));
        }
        names
    }

    /// A fresh name for a variable, based on its binder's name `hint`.
    pub(super) fn fresh_variable(&self, hint: &str, others: &[String]) -> String {
        self.fresh(base_of(hint, "x"), others)
    }

    /// The type of a term without bound variables, in simple cases.
    pub(super) fn type_of(&self, term: &Term) -> Option<Term> {
        self.type_below(term, &[])
    }

    /// The type of a term below binders of the given types (the innermost last).
    fn type_below(&self, term: &Term, bound: &[Term]) -> Option<Term> {
        let nat = || Term::Const("Nat".into());
        let (head, args) = term.head_args();
        let mut ty = match head {
            Term::Literal(_) => return Some(nat()),
            Term::Local(name) => self.locals.iter().rev().find(|l| l.name == **name)?.ty.clone(),
            Term::Bound(index) => {
                let place = bound.len().checked_sub(1 + *index as usize)?;
                bound[place].lift(*index + 1)
            }
            Term::Const(name) => {
                let list = |ty: &Term| apply(Term::Const("List".into()), vec![ty.clone()]);
                return match (&**name, args) {
                    ("Nat.zero", []) | ("Nat.succ" | "Nat.pred", [_]) => Some(nat()),
                    ("Nat.add" | "Nat.sub" | "Nat.mul" | "Nat.pow" | "List.length", [_, _]) => Some(nat()),
                    ("List.nil" | "List.reverse" | "List.append" | "List.cons" | "List.tail", [ty, ..]) => {
                        Some(list(ty))
                    }
                    ("List.replicate", [ty, _, _]) => Some(list(ty)),
                    ("List.map", [_, ty, _, _]) => Some(list(ty)),
                    ("List.foldr", [_, ty, ..]) | ("List.foldl", [ty, ..]) if args.len() == 5 => {
                        Some(ty.clone())
                    }
                    ("Prod.fst", [ty, _, _]) | ("Prod.snd", [_, ty, _]) => Some(ty.clone()),
                    ("Prod.mk", [a, b, _, _]) => {
                        Some(apply(Term::Const("Prod".into()), vec![a.clone(), b.clone()]))
                    }
                    _ => None,
                };
            }
            _ => return None,
        };
        for arg in args {
            let Term::Pi(_, _, body) = ty else { return None };
            ty = body.instantiate(arg);
        }
        Some(ty)
    }

    /// Whether a type is a proposition, in simple cases.
    pub(super) fn is_proposition(&self, ty: &Term) -> bool {
        self.is_proposition_below(ty, Vec::new())
    }

    /// Whether a type below binders of the given types (the innermost last) is a proposition.
    pub(super) fn is_proposition_below(&self, ty: &Term, mut bound: Vec<Term>) -> bool {
        let mut at = ty;
        while let Term::Pi(_, ty, body) = at {
            bound.push((**ty).clone());
            at = body;
        }
        match at.head_args() {
            (Term::Const(name), args) => {
                let data = ["Nat", "List", "Prod", "Bool", "Option"];
                let objects = ["Nat.", "List.", "Prod.", "Option.", "Bool."];
                let relations = ["Nat.le", "Nat.lt", "List.Mem"];
                let is_data = data.contains(&&**name)
                    || objects.iter().any(|o| name.starts_with(o)) && !relations.contains(&&**name);
                !is_data && (!args.is_empty() || matches!(&**name, "True" | "False"))
            }
            (Term::Local(_) | Term::Bound(_), _) => {
                matches!(self.type_below(at, &bound), Some(Term::Sort(sort)) if &*sort == "Prop")
            }
            _ => false,
        }
    }

    /// Whether a statement is about natural numbers, or, for `False`, whether the hypotheses are.
    pub(super) fn is_arithmetic(&self, statement: &Term) -> bool {
        match statement.constant() {
            Some(("False", [])) => self.proofs().any(|l| compares_numbers(&l.ty)),
            _ => compares_numbers(statement),
        }
    }
}

pub(super) fn compares_numbers(statement: &Term) -> bool {
    match statement.constant() {
        Some(("Nat.le" | "Nat.lt" | "GE.ge" | "GT.gt", _)) => true,
        Some(("Eq" | "Ne", [Term::Const(ty), _, _])) => &**ty == "Nat",
        Some(("Not", [p])) => compares_numbers(p),
        Some(("And" | "Or" | "Iff", [p, q])) => compares_numbers(p) && compares_numbers(q),
        _ => false,
    }
}

/// The names that the theorem's header defines.
fn own_definitions(theorem: &Theorem) -> Vec<String> {
    let words: Vec<&str> = theorem.header.split_whitespace().collect();
    let defines = |word: &str| matches!(word, "def" | "abbrev");
    words.windows(2).filter(|w| defines(w[0])).map(|w| w[1].to_owned()).collect()
}
