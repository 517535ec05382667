//! The simplifier: terms from the bottom up, each step with a proof.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::lemma::{Key, Rule, is_before};
use super::matching::Match;
use crate::budget::{self, Account, Exceeded};
use crate::elab::context::{MetaContext, Result, beta};
use crate::elab::whnf::constant;
use crate::kernel::term::{Binder, Kind, Level, LocalId, Name, Term, deeper};

/// Maximum nesting depth of side conditions.
const MAX_CONDITIONS: u8 = 2;
/// Maximum number of rule applications in one term; more indicates a loop.
const MAX_REWRITES: u32 = 10_000;
/// Maximum depth of terms; deeper ones indicate a loop.
const MAX_DEPTH: u32 = 1_000;

/// The rules to simplify with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Rules by the head of what they rewrite.
    pub(crate) given: FxHashMap<Key, Vec<Arc<Rule>>>,
    /// Definitions to unfold.
    pub(crate) unfold: FxHashSet<Name>,
    /// Whether the default rules are used too.
    pub(crate) default: bool,
    /// Lemmas that are not used.
    pub(crate) without: FxHashSet<Name>,
}

impl Rules {
    /// Adds a rule.
    pub(crate) fn add(&mut self, rule: Rule) {
        self.given.entry(Key::of(&rule.from)).or_default().push(Arc::new(rule));
    }
}

/// A simplified term, with a proof of equality; `None` if both are equal by computation.
#[derive(Clone, Debug)]
pub(crate) struct Simplified {
    /// The simpler term.
    pub(crate) term: Term,
    /// A proof that the other one equals it.
    pub(crate) proof: Option<Term>,
}

impl Simplified {
    pub(super) fn computed(term: Term) -> Self {
        Self { term, proof: None }
    }

    /// Whether it is `True`.
    pub(crate) fn is_true(&self) -> bool {
        is_constant(&self.term, "True")
    }

    /// Whether it is `False`.
    pub(crate) fn is_false(&self) -> bool {
        is_constant(&self.term, "False")
    }
}

pub(crate) fn is_constant(term: &Term, name: &str) -> bool {
    matches!(term.kind(), Kind::Const(found, _) if &**found == name)
}

/// The state of the simplifier.
pub(crate) struct Simplifier<'c, 't, 'r> {
    /// Metavariables and variables.
    pub(crate) ctx: &'c mut MetaContext<'t>,
    /// The rules to simplify with.
    pub(crate) rules: &'r Rules,
    /// The hypothesis that is being simplified, which is not used as a rule.
    pub(crate) skip: Option<LocalId>,
    known: FxHashMap<Term, Simplified>,
    conditions: u8,
    depth: u32,
    rewrites: u32,
    /// The memory of the caches.
    memory: Account,
}

impl<'c, 't, 'r> Simplifier<'c, 't, 'r> {
    /// A simplifier.
    pub(crate) fn new(ctx: &'c mut MetaContext<'t>, rules: &'r Rules, skip: Option<LocalId>) -> Self {
        let (known, memory) = (FxHashMap::default(), Account::default());
        Self { ctx, rules, skip, known, conditions: 0, depth: 0, rewrites: 0, memory }
    }

    /// Simplifies a term.
    pub(crate) fn simplify(&mut self, term: &Term) -> Result<Simplified> {
        if matches!(term.kind(), Kind::Sort(_) | Kind::Lit(_) | Kind::Meta(_)) {
            return Ok(Simplified::computed(term.clone()));
        }
        if let Some(known) = self.known.get(term) {
            return Ok(known.clone());
        }
        budget::step();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            budget::exceed(Exceeded::Steps);
        }
        let mut done = Simplified::computed(term.clone());
        loop {
            let next = deeper(|| self.below(&done.term))?;
            done = self.then(term, done, next)?;
            let Some(next) = self.rewrite(&done.term)? else { break };
            self.rewrites += 1;
            if self.rewrites > MAX_REWRITES {
                budget::exceed(Exceeded::Steps);
            }
            done = self.then(term, done, next)?;
            if let Some(known) = self.known.get(&done.term) {
                let known = known.clone();
                done = self.then(term, done, known)?;
                break;
            }
        }
        self.depth -= 1;
        self.memory.take(2 * size_of::<(Term, Simplified)>());
        self.known.insert(done.term.clone(), Simplified::computed(done.term.clone()));
        self.known.insert(term.clone(), done.clone());
        Ok(done)
    }

    /// Composes two steps.
    fn then(&mut self, start: &Term, first: Simplified, second: Simplified) -> Result<Simplified> {
        let proof = match (first.proof, second.proof) {
            (Some(p), Some(q)) => {
                let alpha = self.type_of(start)?;
                let level = self.ctx.level_of(&alpha)?;
                let trans = Term::constant("Eq.trans", vec![level]);
                Some(Term::apps(trans, [alpha, start.clone(), first.term, second.term.clone(), p, q]))
            }
            (p, q) => p.or(q),
        };
        Ok(Simplified { term: second.term, proof })
    }

    pub(super) fn type_of(&mut self, term: &Term) -> Result<Term> {
        if self.is_surely_proposition(term) { Ok(Term::prop()) } else { self.ctx.infer(term) }
    }

    /// Whether the head alone shows that a term is a proposition.
    fn is_surely_proposition(&self, term: &Term) -> bool {
        let Kind::Const(name, _) = term.head().kind() else { return false };
        let Some(declaration) = self.ctx.theory.env.get(name) else { return false };
        let mut ty = &declaration.ty;
        while let Kind::Pi(_, _, to) = ty.kind() {
            ty = to;
        }
        matches!(ty.kind(), Kind::Sort(Level::Num(0)))
    }

    pub(super) fn is_proposition(&mut self, term: &Term) -> Result<bool> {
        Ok(self.is_surely_proposition(term) || self.ctx.is_proposition(term)?)
    }

    /// The term rewritten once at its head.
    fn rewrite(&mut self, term: &Term) -> Result<Option<Simplified>> {
        let key = Key::of(term);
        if let Kind::App(..) = term.kind()
            && matches!(term.head().kind(), Kind::Lambda(..))
        {
            let (head, args) = term.head_args();
            return Ok(Some(Simplified::computed(beta(
                head,
                &args.into_iter().cloned().collect::<Vec<_>>(),
            ))));
        }
        if let Some(next) = self.arithmetic(term)? {
            return Ok(Some(next));
        }
        let rules = self.rules;
        for rule in rules.given.get(&key).into_iter().flatten() {
            if let Some(next) = self.by_rule(rule, term)? {
                return Ok(Some(next));
            }
        }
        if let Key::Const(name) = &key
            && (rules.unfold.contains(name) || (rules.default && self.is_unfolded(name)))
            && let Some(next) = self.ctx.unfold(term)?
        {
            return Ok(Some(Simplified::computed(next)));
        }
        if let Some(next) = self.reflexive(term)? {
            return Ok(Some(next));
        }
        if rules.default {
            if let Some(next) = self.constructors(term)? {
                return Ok(Some(next));
            }
            let theory = self.ctx.theory;
            for rule in theory.simp_rules(&key) {
                if !rules.without.contains(&rule.name)
                    && let Some(next) = self.by_rule(rule, term)?
                {
                    return Ok(Some(next));
                }
            }
        }
        Ok(None)
    }

    fn is_unfolded(&self, name: &str) -> bool {
        self.ctx.theory.is_unfolded_by_simp(name) && !self.rules.without.contains(name)
    }

    /// `a = a` and `p ↔ p`.
    fn reflexive(&mut self, term: &Term) -> Result<Option<Simplified>> {
        let (head, args) = term.head_args();
        let Kind::Const(name, levels) = head.kind() else { return Ok(None) };
        let proof = match (&**name, args.as_slice()) {
            ("Eq", [alpha, a, b]) if self.is_same(a, b)? => {
                let lemma = Term::constant("eq_self", Arc::clone(levels));
                Term::apps(lemma, [(*alpha).clone(), (*a).clone()])
            }
            ("Iff", [a, b]) if self.is_same(a, b)? => Term::app(constant("iff_self"), (*a).clone()),
            _ => return Ok(None),
        };
        Ok(Some(Simplified { term: constant("True"), proof: Some(proof) }))
    }

    fn is_same(&mut self, a: &Term, b: &Term) -> Result<bool> {
        if a == b {
            return Ok(true);
        }
        Ok(!a.has_meta() && !b.has_meta() && self.ctx.unify_reducible(a, b)?)
    }

    fn by_rule(&mut self, rule: &Rule, term: &Term) -> Result<Option<Simplified>> {
        if rule.origin.is_some() && rule.origin == self.skip {
            return Ok(None);
        }
        // A rule about a function also applies to its values.
        let mut function = term;
        let mut more = Vec::new();
        for _ in rule.from.n_args()..term.n_args() {
            let Kind::App(f, x) = function.kind() else { return Ok(None) };
            more.push(x.clone());
            function = f;
        }
        let Some(next) = self.by_rule_alone(rule, function)? else { return Ok(None) };
        if more.is_empty() {
            return Ok(Some(next));
        }
        more.reverse();
        let value = beta(&next.term, &more);
        let Some(proof) = next.proof else { return Ok(Some(Simplified::computed(value))) };
        let (alpha, ty) = (self.type_of(function)?, self.type_of(term)?);
        let levels = vec![self.ctx.level_of(&alpha)?, self.ctx.level_of(&ty)?];
        let applied = Term::lambda(Binder::explicit("f"), alpha.clone(), Term::apps(Term::bound(0), more));
        let args = [alpha, ty, function.clone(), next.term, applied, proof];
        let proof = Term::apps(Term::constant("congrArg", levels), args);
        Ok(Some(Simplified { term: value, proof: Some(proof) }))
    }

    fn by_rule_alone(&mut self, rule: &Rule, term: &Term) -> Result<Option<Simplified>> {
        let n = rule.params.len();
        let mut found = Match::new(n, rule.n_levels);
        if !found.matches(&rule.from, term, n) {
            return Ok(None);
        }
        budget::step();
        if (rule.checks_types || !found.is_complete()) && !self.completed(rule, &mut found)? {
            return Ok(None);
        }
        let to = found.instantiate(&rule.to, n);
        if to == *term || (rule.is_permutation && !is_before(&to, term)) {
            return Ok(None);
        }
        let proof = rule.proof.as_ref().map(|p| found.instantiate(p, n));
        Ok(Some(Simplified { term: to, proof }))
    }

    /// Determines the remaining parameters, from types and by proving side conditions.
    fn completed(&mut self, rule: &Rule, found: &mut Match) -> Result<bool> {
        for (at, (_, ty)) in rule.params.iter().enumerate() {
            let Some(value) = found.values[at].clone() else { continue };
            let known = self.ctx.infer(&value)?;
            let known = self.ctx.instantiate(&known);
            if !found.matches(ty, &known, at) {
                let whnf = self.ctx.whnf(&known)?;
                if !found.matches(ty, &whnf, at) {
                    return Ok(false);
                }
            }
        }
        if found.levels.iter().any(Option::is_none) {
            return Ok(false);
        }
        for (at, (_, ty)) in rule.params.iter().enumerate() {
            if found.values[at].is_some() {
                continue;
            }
            if found.values[..at].iter().any(Option::is_none) {
                return Ok(false);
            }
            let condition = found.instantiate(ty, at);
            let Some(proof) = self.holds(&condition)? else { return Ok(false) };
            found.values[at] = Some(proof);
        }
        Ok(true)
    }

    /// The proof of a side condition, if it simplifies to `True`.
    fn holds(&mut self, condition: &Term) -> Result<Option<Term>> {
        if self.conditions >= MAX_CONDITIONS || !self.is_proposition(condition)? {
            return Ok(None);
        }
        self.conditions += 1;
        // Not cached: it may be solved elsewhere, at a smaller depth of conditions.
        let known = std::mem::take(&mut self.known);
        let simplified = self.simplify(condition);
        self.known = known;
        self.conditions -= 1;
        let simplified = simplified?;
        Ok(simplified.is_true().then(|| proof_of(condition, simplified.proof)))
    }
}

/// The proof of a proposition that equals `True`.
pub(crate) fn proof_of(p: &Term, equation: Option<Term>) -> Term {
    match equation {
        Some(equation) => Term::apps(constant("of_eq_true"), [p.clone(), equation]),
        None => constant("trivial"),
    }
}
