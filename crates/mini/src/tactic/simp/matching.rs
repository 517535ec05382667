//! Syntactic matching of a rule's left side with a term, without metavariables, so that it fails quickly.

use num_bigint::BigUint;

use crate::budget;
use crate::elab::context::beta;
use crate::elab::whnf::with_offset;
use crate::kernel::term::{Binder, Kind, Level, Term, deeper};

/// The assignments of a rule's parameters and levels.
pub(crate) struct Match {
    /// For each parameter, outermost first.
    pub(crate) values: Vec<Option<Term>>,
    /// For each level.
    pub(crate) levels: Vec<Option<Level>>,
}

/// The binders of the term above the current position.
type Above<'a> = Vec<(&'a Binder, &'a Term)>;

impl Match {
    /// An empty assignment.
    pub(crate) fn new(n_params: usize, n_levels: usize) -> Self {
        Self { values: vec![None; n_params], levels: vec![None; n_levels] }
    }

    /// Matches a pattern below the first `n_params` parameters with a term.
    pub(crate) fn matches(&mut self, pattern: &Term, term: &Term, n_params: usize) -> bool {
        self.at(pattern, term, n_params, &mut Vec::new())
    }

    fn at<'a>(&mut self, pattern: &Term, term: &'a Term, n: usize, above: &mut Above<'a>) -> bool {
        budget::visits(1);
        deeper(|| self.forms(pattern, term, n, above))
    }

    fn forms<'a>(&mut self, pattern: &Term, term: &'a Term, n: usize, above: &mut Above<'a>) -> bool {
        let depth = u32::try_from(above.len()).expect("fewer than 2^32 binders");
        if pattern.is_closed() && !pattern.has_param() && pattern == term {
            return true;
        }
        if let Kind::Bound(i) = pattern.head().kind()
            && *i >= depth
            && let Some(param) = n.checked_sub(1 + (*i - depth) as usize)
            && let Some(answer) = self.parameter(param, pattern, term, above)
        {
            return answer;
        }
        match (pattern.kind(), term.kind()) {
            (Kind::Bound(i), Kind::Bound(j)) => i == j,
            (Kind::Local(x), Kind::Local(y)) => x == y,
            (Kind::Meta(x), Kind::Meta(y)) => x == y,
            (Kind::Sort(x), Kind::Sort(y)) => self.level(x, y),
            (Kind::Const(x, ls), Kind::Const(y, ms)) if x == y => {
                ls.iter().zip(ms.iter()).all(|(l, m)| self.level(l, m))
            }
            (Kind::Lit(x), Kind::Lit(y)) => x == y,
            (Kind::Lambda(_, from, x), Kind::Lambda(binder, other, y))
            | (Kind::Pi(_, from, x), Kind::Pi(binder, other, y)) => {
                if !self.at(from, other, n, above) {
                    return false;
                }
                above.push((binder, other));
                let answer = self.at(x, y, n, above);
                above.pop();
                answer
            }
            (Kind::App(f, x), Kind::App(g, y)) => {
                if depth == 0
                    && (matches!(x.kind(), Kind::Lit(_)) || matches!(f.kind(), Kind::Const(..)))
                    && let Some((Some(base), p)) = offset(pattern)
                    && p > BigUint::ZERO
                {
                    return self.offsets(&base, p, term, n);
                }
                self.at(f, g, n, above) && self.at(x, y, n, above)
            }
            // `P` where the pattern is `fun x => ?p x`.
            (Kind::Lambda(_, _, body), _) if term.is_closed() => {
                let Kind::App(f, x) = body.kind() else { return false };
                matches!(x.kind(), Kind::Bound(0))
                    && !f.uses_bound(0)
                    && above.is_empty()
                    && self.at(&f.instantiated(&Term::prop()), term, n, above)
            }
            _ => match offset(pattern) {
                Some((None, p)) => offset(term).is_some_and(|(base, t)| base.is_none() && p == t),
                Some((Some(base), p)) if depth == 0 && p > BigUint::ZERO => self.offsets(&base, p, term, n),
                _ => false,
            },
        }
    }

    /// A parameter, alone or applied to different variables that are bound above. `None` when it is neither.
    fn parameter(&mut self, param: usize, pattern: &Term, term: &Term, above: &Above<'_>) -> Option<bool> {
        let args = pattern.head_args().1;
        if let (Some(value), []) = (&self.values[param], args.as_slice()) {
            return Some(value == term);
        }
        let mut over: Vec<usize> = Vec::new();
        for arg in args {
            let Kind::Bound(i) = arg.kind() else { return None };
            let level = above.len().checked_sub(1 + *i as usize)?;
            if over.contains(&level) {
                return None;
            }
            over.push(level);
        }
        let value = function_over(term, &over, above)?;
        match &self.values[param] {
            Some(known) => Some(*known == value),
            None => {
                self.values[param] = Some(value);
                Some(true)
            }
        }
    }

    /// `n + 1` with `5`, `x + 3` or `Nat.succ x`.
    fn offsets(&mut self, base: &Term, p: BigUint, term: &Term, n: usize) -> bool {
        match offset(term) {
            Some((other, t)) if p <= t => self.at(base, &with_offset(other, t - p), n, &mut Vec::new()),
            _ => false,
        }
    }

    fn level(&mut self, pattern: &Level, level: &Level) -> bool {
        match (pattern, level) {
            (Level::Meta(i), _) if (*i as usize) < self.levels.len() => match &mut self.levels[*i as usize] {
                Some(known) => known.equals(level),
                unknown => {
                    *unknown = Some(level.clone());
                    true
                }
            },
            (Level::Succ(p), Level::Succ(l)) => self.level(p, l),
            (Level::Succ(p), Level::Num(n)) => *n > 0 && self.level(p, &Level::Num(n - 1)),
            // The kernel checks the result.
            (Level::Max(..) | Level::IMax(..), _) => true,
            _ => pattern.equals(level),
        }
    }

    /// Whether everything is assigned.
    pub(crate) fn is_complete(&self) -> bool {
        self.values.iter().all(Option::is_some) && self.levels.iter().all(Option::is_some)
    }

    /// Instantiates a term of the rule below its first `n` parameters, with beta reduction.
    pub(crate) fn instantiate(&self, term: &Term, n: usize) -> Term {
        let term = if self.levels.is_empty() {
            term.clone()
        } else {
            let mut leaf = |leaf: &Level| match leaf {
                Level::Meta(i) => self.levels.get(*i as usize).cloned().flatten(),
                _ => None,
            };
            term.map_levels(&mut |level| level.replaced(&mut leaf))
        };
        self.put(&term, n, 0)
    }

    fn put(&self, term: &Term, n: usize, below: u32) -> Term {
        term.replace(&mut |t, depth| {
            let depth = below + depth;
            let value = |i: u32| self.values[n - 1 - (i - depth) as usize].as_ref();
            match t.kind() {
                _ if t.is_closed_below(depth) => Some(t.clone()),
                Kind::Bound(i) => value(*i).map(|v| v.lifted(0, depth)),
                Kind::App(..) => {
                    let (head, args) = t.head_args();
                    let Kind::Bound(i) = head.kind() else { return None };
                    if *i < depth {
                        return None;
                    }
                    let args: Vec<Term> = args.into_iter().map(|a| self.put(a, n, depth)).collect();
                    value(*i).map(|v| beta(&v.lifted(0, depth), &args))
                }
                _ => None,
            }
        })
    }
}

/// A number as a base and an offset, below binders.
fn offset(term: &Term) -> Option<(Option<Term>, BigUint)> {
    let (head, args) = term.head_args();
    match (head.kind(), args.as_slice()) {
        (Kind::Lit(n), []) => Some((None, n.clone())),
        (Kind::Const(name, _), []) if &**name == "Nat.zero" => Some((None, BigUint::ZERO)),
        (Kind::Const(name, _), [a]) if &**name == "Nat.succ" => {
            let (base, n) = deeper(|| offset(a)).unwrap_or_else(|| (Some((*a).clone()), BigUint::ZERO));
            Some((base, n + 1u32))
        }
        (Kind::Const(name, _), [a, b]) if &**name == "Nat.add" => {
            let Kind::Lit(m) = b.kind() else { return None };
            let (base, n) = deeper(|| offset(a)).unwrap_or_else(|| (Some((*a).clone()), BigUint::ZERO));
            Some((base, n + m))
        }
        _ => None,
    }
}

/// A term as a function of variables bound above it, given by the number of binders above theirs; `None` when it
/// mentions others.
fn function_over(term: &Term, over: &[usize], above: &Above<'_>) -> Option<Term> {
    if over.is_empty() {
        return term.is_closed().then(|| term.clone());
    }
    // `fun x => f x` is `f`.
    if let ([only], Kind::App(f, x)) = (over, term.kind())
        && matches!(x.kind(), Kind::Bound(i) if above.len() == *only + 1 + *i as usize)
        && f.is_closed()
    {
        return Some(f.clone());
    }
    let mut body = moved(term, above.len(), over)?;
    for (at, level) in over.iter().enumerate().rev() {
        let (binder, ty) = above[*level];
        body = Term::lambda(binder.clone(), moved(ty, *level, &over[..at])?, body);
    }
    Some(body)
}

/// Moves a term from below `n` binders to below the given ones of them, in their order.
fn moved(term: &Term, n: usize, over: &[usize]) -> Option<Term> {
    let mut stays = true;
    let term = term.replace(&mut |t, depth| {
        if t.is_closed() {
            return Some(t.clone());
        }
        let Kind::Bound(i) = t.kind() else { return None };
        let i = (*i).checked_sub(depth)? as usize;
        let place = n.checked_sub(1 + i).and_then(|level| over.iter().position(|o| *o == level));
        match place {
            Some(place) => {
                let index = u32::try_from(over.len() - 1 - place).expect("fewer than 2^32 binders");
                Some(Term::bound(index + depth))
            }
            None => {
                stays = false;
                Some(t.clone())
            }
        }
    });
    stays.then_some(term)
}
