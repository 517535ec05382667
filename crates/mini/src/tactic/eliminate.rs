//! Case analysis and induction.

use std::sync::Arc;

use super::context::mentions;
use super::contradiction::arguments;
use super::{Tactics, tag_with};
use crate::elab::context::{Failure, Local, MetaContext, Result, Scope, beta, fail, lambdas};
use crate::elab::whnf::constant;
use crate::kernel::env::Body;
use crate::kernel::term::{Binder, BinderInfo, Kind, Level, LocalId, MetaId, Name, Term};
use crate::syntax::ast::Expr;
use crate::syntax::tactic::{Alternative, AlternativeProof};

/// A case of an elimination. Its goal is a function of the constructor's fields, then of the induction hypotheses,
/// then of equations between indices, then of the reverted variables.
pub(super) struct Branch {
    pub(super) goal: MetaId,
    /// The last part of the constructor's name.
    pub(super) constructor: Name,
    pub(super) n_fields: usize,
    n_hypotheses: usize,
    n_equations: usize,
    again: Vec<Local>,
}

/// The target of an elimination.
struct Family {
    name: Name,
    levels: Arc<[Level]>,
    params: Vec<Term>,
    indices: Vec<Term>,
    constructors: Vec<Name>,
}

/// How `0` and `n + 1` are written in goals.
fn tidy(constructed: &Term) -> Term {
    let (head, args) = constructed.head_args();
    match (head.kind(), args.as_slice()) {
        (Kind::Const(name, _), []) if &**name == "Nat.zero" => Term::lit(0u32),
        (Kind::Const(name, _), [n]) if &**name == "Nat.succ" => {
            Term::apps(constant("Nat.add"), [(*n).clone(), Term::lit(1u32)])
        }
        _ => constructed.clone(),
    }
}

impl Tactics<'_, '_> {
    fn family_of(&mut self, ty: &Term) -> Result<Family> {
        let whnf = self.ctx.whnf(ty)?;
        let whnf = self.ctx.instantiate(&whnf);
        let (head, args) = whnf.head_args();
        if let Kind::Const(name, levels) = head.kind() {
            let theory = self.ctx.theory;
            if let Some(Body::Inductive { n_params, constructors }) = theory.env.get(name).map(|d| &d.body) {
                let args: Vec<Term> = args.into_iter().cloned().collect();
                return Ok(Family {
                    name: Arc::clone(name),
                    levels: Arc::clone(levels),
                    params: args[..*n_params].to_vec(),
                    indices: args[*n_params..].to_vec(),
                    constructors: constructors.clone(),
                });
            }
        }
        let shown = self.ctx.show(ty);
        fail(format!("this is not an inductive type\n  {shown}"))
    }

    /// Eliminates a variable: replaces the goal by one for each constructor.
    pub(super) fn eliminate(
        &mut self,
        goal: MetaId,
        major: &Local,
        by_induction: bool,
        generalizing: &[LocalId],
    ) -> Result<Vec<Branch>> {
        let decl = self.decl(goal);
        let family = self.family_of(&major.ty)?;
        let as_variable = |t: &Term| match t.kind() {
            Kind::Local(id) => decl.scope.iter().find(|l| l.id == *id && l.value.is_none()).map(|l| l.id),
            _ => None,
        };
        let index_ids: Option<Vec<LocalId>> = family.indices.iter().map(as_variable).collect();
        let is_general = |ids: &Vec<LocalId>| {
            let repeated = ids.iter().enumerate().any(|(at, id)| ids[..at].contains(id));
            !repeated && !family.params.iter().any(|p| mentions(p, ids))
        };
        let index_ids = index_ids.filter(is_general);
        if index_ids.is_none() && by_induction {
            return fail("unsupported: induction where the indices of the type are not different variables");
        }
        let mut taken: Vec<LocalId> = generalizing.to_vec();
        taken.extend(index_ids.iter().flatten());
        if index_ids.is_some() {
            taken.push(major.id);
        }
        let mut out = self.dependents(&decl.scope, &taken);
        out.retain(|l| l.id != major.id);
        let generalized = decl.scope.iter().filter(|l| generalizing.contains(&l.id)).cloned();
        let mut again: Vec<Local> = generalized.chain(out).collect();
        let place = |l: &Local| decl.scope.iter().position(|s| s.id == l.id);
        again.sort_by_key(place);
        let goal = self.revert_locals(goal, &again)?;
        let decl = self.decl(goal);

        // An induction keeps the variables that it generalizes from.
        let mut removed: Vec<LocalId> = index_ids.clone().filter(|_| !by_induction).unwrap_or_default();
        let is_needed =
            mentions(&decl.ty, &[major.id]) || !self.dependents(&decl.scope, &[major.id]).is_empty();
        if index_ids.is_some() || !is_needed {
            removed.push(major.id);
        }
        let scope = Self::without(&decl.scope, &removed);
        let variables = |ids: &[LocalId]| -> Vec<Local> {
            ids.iter().filter_map(|id| decl.scope.iter().find(|l| l.id == *id).cloned()).collect()
        };
        // The motive: the goal as a function of the indices and the target.
        let (over, body, n_equations) = match &index_ids {
            Some(ids) => {
                let mut over = variables(ids);
                over.push(major.clone());
                (over, decl.ty.clone(), 0)
            }
            None => self.with_equations(&family, &decl.ty)?,
        };
        let level = self.ctx.level_of(&decl.ty)?;
        let body = self.ctx.abstract_over(&body, &over)?;
        let motive = lambdas(&over, body);
        let cases = self.ctx.cases_of(&family, &motive, &level)?;
        let mut branches = Vec::new();
        for (constructor, (ty, n_fields, n_hypotheses)) in family.constructors.iter().zip(cases) {
            let short: Name = constructor.rsplit('.').next().unwrap_or(constructor).into();
            let tag = tag_with(&decl.tag, &short);
            let goal = self.new_goal(Scope::clone(&scope), ty, tag);
            branches.push(Branch {
                goal,
                constructor: short,
                n_fields,
                n_hypotheses,
                n_equations,
                again: again.clone(),
            });
        }
        let levels = self.ctx.rec_levels(&family.name, &family.levels, level);
        let rec = Term::constant(format!("{}.rec", family.name), levels);
        let goals: Vec<MetaId> = branches.iter().map(|b| b.goal).collect();
        let args = family.params.iter().cloned().chain([motive]);
        let args = args.chain(goals.iter().map(|g| Term::meta(*g)));
        let mut value = Term::apps(rec, args.chain(family.indices.iter().cloned()).chain([major.term()]));
        for index in family.indices.iter().filter(|_| n_equations > 0) {
            let alpha = self.ctx.infer(index)?;
            value = Term::app(value, self.ctx.reflexivity(&alpha, index.clone())?);
        }
        self.replace(goal, value, goals)?;
        Ok(branches)
    }

    /// For indices that are not variables: the goal under equations between new variables and the indices.
    fn with_equations(&mut self, family: &Family, goal: &Term) -> Result<(Vec<Local>, Term, usize)> {
        let mut over: Vec<Local> = Vec::new();
        let mut equations = Vec::new();
        for index in &family.indices {
            let alpha = self.ctx.infer(index)?;
            let variable = self.ctx.new_local(&"i".into(), false, alpha.clone(), None);
            equations.push(self.ctx.make_equation(&alpha, index.clone(), variable.term())?);
            over.push(variable);
        }
        let own = Term::constant(Arc::clone(&family.name), Arc::clone(&family.levels));
        let args = family.params.iter().cloned().chain(over.iter().map(Local::term));
        let major = self.ctx.new_local(&"t".into(), false, Term::apps(own, args), None);
        over.push(major);
        let n = equations.len();
        let body = equations.into_iter().rev().fold(goal.clone(), |body, e| Term::arrow(e, body));
        Ok((over, body, n))
    }

    /// Introduces the fields of a case, its induction hypotheses and the reverted variables. Without
    /// `keeps_hypotheses` the induction hypotheses are dropped. `None` if equations of indices show that the
    /// case is impossible.
    pub(super) fn enter_branch(
        &mut self,
        branch: &Branch,
        names: &[Option<Name>],
        keeps_hypotheses: bool,
    ) -> Result<Option<MetaId>> {
        let mut goal = branch.goal;
        let mut forgotten = Vec::new();
        for at in 0..branch.n_fields + branch.n_hypotheses {
            let is_hypothesis = at >= branch.n_fields;
            let name = names.get(at).cloned().flatten();
            let (next, local) =
                self.intro_one(goal, name.as_ref().filter(|_| !is_hypothesis || keeps_hypotheses))?;
            goal = next;
            if is_hypothesis && !keeps_hypotheses {
                forgotten.push(local.id);
            }
        }
        if !forgotten.is_empty() {
            goal = self.cleared(goal, &forgotten)?;
        }
        for _ in 0..branch.n_equations {
            let (next, equation) = self.intro_one(goal, None)?;
            match self.solve_equation(next, &equation)? {
                Some(next) => goal = next,
                None => return Ok(None),
            }
        }
        self.intro_again(goal, &branch.again).map(Some)
    }

    /// The target, as a variable of the scope.
    pub(super) fn as_major(
        &mut self,
        goal: MetaId,
        target: &Term,
        equation: Option<&Name>,
    ) -> Result<(MetaId, Local)> {
        let decl = self.decl(goal);
        if let Kind::Local(id) = target.kind()
            && equation.is_none()
            && let Some(local) = decl.scope.iter().find(|l| l.id == *id)
            && local.value.is_none()
        {
            let ty = self.ctx.instantiate(&local.ty);
            return Ok((goal, Local { ty, ..local.clone() }));
        }
        let ty = self.ctx.infer(target)?;
        let ty = self.ctx.instantiate(&ty);
        if equation.is_none() && self.ctx.is_proposition(&ty)? {
            return self.assert(goal, &"h".into(), false, ty, target.clone());
        }
        let goal = self.generalized(goal, target, equation.is_some())?;
        let (goal, local) = self.intro_one(goal, None)?;
        let goal = match equation {
            Some(name) => self.intro_one(goal, Some(name))?.0,
            None => goal,
        };
        Ok((goal, local))
    }

    pub(super) fn cases(
        &mut self,
        goal: MetaId,
        equation: Option<&Name>,
        target: &Expr,
        alternatives: Option<&[Alternative]>,
    ) -> Result<()> {
        let decl = self.decl(goal);
        let target = self.closed_term(&decl.scope, target, None)?;
        let (goal, major) = self.as_major(goal, &target, equation)?;
        let branches = self.eliminate(goal, &major, false, &[])?;
        self.finish(branches, alternatives, false)
    }

    pub(super) fn induction(
        &mut self,
        goal: MetaId,
        target: &Expr,
        generalizing: &[Name],
        alternatives: Option<&[Alternative]>,
    ) -> Result<()> {
        let decl = self.decl(goal);
        let target = self.closed_term(&decl.scope, target, None)?;
        let (goal, major) = self.as_major(goal, &target, None)?;
        let scope = self.decl(goal).scope;
        let ids =
            generalizing.iter().map(|n| Ok(self.local_named(&scope, n)?.id)).collect::<Result<Vec<_>>>()?;
        let branches = self.eliminate(goal, &major, true, &ids)?;
        self.finish(branches, alternatives, true)
    }

    /// Names for the fields and induction hypotheses of a case. Only explicit ones are named.
    fn named(&mut self, branch: &Branch, given: &[Name], with_hypotheses: bool) -> Result<Vec<Option<Name>>> {
        let n = branch.n_fields + if with_hypotheses { branch.n_hypotheses } else { 0 };
        let mut left = given.iter();
        let ty = self.decl(branch.goal).ty;
        let own = arguments(&ty).into_iter().take(n).map(|(_, info)| info == BinderInfo::Explicit);
        let name = |is_explicit: bool| {
            let name = if is_explicit { left.next() } else { None };
            name.filter(|name| &***name != "_").cloned()
        };
        let names = own.map(name).collect();
        match left.len() {
            0 => Ok(names),
            more => fail(format!(
                "the case `{}` has {} variables, and there are {} names",
                branch.constructor,
                given.len() - more,
                given.len()
            )),
        }
    }

    fn finish(
        &mut self,
        branches: Vec<Branch>,
        alternatives: Option<&[Alternative]>,
        keeps_hypotheses: bool,
    ) -> Result<()> {
        let Some(alternatives) = alternatives else {
            for branch in &branches {
                let _ = self.enter_branch(branch, &[], keeps_hypotheses)?;
            }
            return Ok(());
        };
        distinct(alternatives, &branches)?;
        for branch in &branches {
            let named = |a: &&Alternative| a.constructors.contains(&branch.constructor);
            let wildcard = |a: &&Alternative| a.constructors.iter().any(|c| &**c == "_");
            let found = alternatives.iter().find(named).or_else(|| alternatives.iter().find(wildcard));
            let given = found.map_or(&[][..], |a| a.names.as_slice());
            let names = self.named(branch, given, keeps_hypotheses)?;
            let Some(goal) = self.enter_branch(branch, &names, keeps_hypotheses)? else {
                if alternatives.iter().any(|a| a.constructors.contains(&branch.constructor)) {
                    return fail(format!(
                        "the case `{}` is impossible, so it needs no proof",
                        branch.constructor
                    ));
                }
                continue;
            };
            match found.map(|a| &a.proof) {
                Some(AlternativeProof::Goal) => {}
                Some(AlternativeProof::Block(block)) => self.closed_by(goal, block)?,
                None => return fail(format!("the case `{}` is missing", branch.constructor)),
            }
        }
        Ok(())
    }
}

impl MetaContext<'_> {
    /// The types of a recursor's cases, with the numbers of fields and of induction hypotheses.
    fn cases_of(
        &mut self,
        family: &Family,
        motive: &Term,
        level: &Level,
    ) -> Result<Vec<(Term, usize, usize)>> {
        let name = format!("{}.rec", family.name);
        let theory = self.theory;
        let Some(declaration) = theory.env.get(&name) else {
            return fail(format!("unknown constant `{name}`"));
        };
        let levels = self.rec_levels(&family.name, &family.levels, level.clone());
        if levels.len() == family.levels.len() && !self.instantiate_level(level).is_zero() {
            let what = format!("`{}` can only be taken apart to prove propositions", family.name);
            return Err(Failure::new(what));
        }
        let mut ty = declaration.ty.with_levels(&levels);
        for param in &family.params {
            let Kind::Pi(_, _, to) = ty.kind() else { return fail("a recursor begins with parameters") };
            ty = to.instantiated(param);
        }
        let Kind::Pi(binder, from, to) = ty.kind() else { return fail("a recursor has a motive") };
        let placeholder = self.new_binder(binder, from.clone());
        let mut rest = to.instantiated(&placeholder.term());
        let mut cases = Vec::new();
        for constructor in &family.constructors {
            let Kind::Pi(_, case, to) = rest.kind() else {
                return fail("a recursor has a case per constructor");
            };
            // Substituted parameters may be functions, which leaves redexes.
            let (case, next) = (reduced(case), to.instantiated(&Term::prop()));
            let (n_fields, n_hypotheses) = match theory.env.get(constructor).map(|d| &d.body) {
                Some(Body::Constructor { n_fields, .. }) => {
                    (*n_fields, n_arrows(&case).saturating_sub(*n_fields))
                }
                _ => return fail("a family has constructors"),
            };
            let is_nat = &*family.name == "Nat";
            let case = case.replace(&mut |t, _| {
                if !t.has_local() {
                    return Some(t.clone());
                }
                let (head, args) = t.head_args();
                if !matches!(head.kind(), Kind::Local(id) if *id == placeholder.id) {
                    return None;
                }
                let mut args: Vec<Term> = args.into_iter().cloned().collect();
                if let Some(last) = args.last_mut() {
                    *last = tidy(last);
                }
                Some(beta(motive, &args))
            });
            let case = if is_nat && n_hypotheses > 0 { with_anonymous_hypothesis(&case) } else { case };
            cases.push((case, n_fields, n_hypotheses));
            rest = next;
        }
        Ok(cases)
    }
}

/// Refuses alternatives that name no case or one that has its proof, and a last one `_` for which none is left.
fn distinct(alternatives: &[Alternative], branches: &[Branch]) -> Result<()> {
    let mut named: Vec<&Name> = Vec::new();
    for (at, name) in
        alternatives.iter().enumerate().flat_map(|(at, a)| a.constructors.iter().map(move |n| (at, n)))
    {
        if &**name == "_" {
            if at + 1 < alternatives.len() {
                return fail("the alternative `_` must be the last");
            }
            if branches.iter().all(|b| named.contains(&&b.constructor)) {
                return fail("no case is left for the alternative `_`");
            }
        } else if !branches.iter().any(|b| b.constructor == *name) {
            return fail(format!("there is no case `{name}`"));
        } else if named.contains(&name) {
            return fail(format!("there are two alternatives for the case `{name}`"));
        }
        named.push(name);
    }
    Ok(())
}

/// The beta normal form of a term.
pub(super) fn reduced(term: &Term) -> Term {
    term.replace(&mut |t, _| {
        let (head, args) = t.head_args();
        let is_redex = matches!(head.kind(), Kind::Lambda(..)) && !args.is_empty();
        is_redex.then(|| {
            let args: Vec<Term> = args.into_iter().map(reduced).collect();
            reduced(&beta(head, &args))
        })
    })
}

fn n_arrows(ty: &Term) -> usize {
    let (mut n, mut at) = (0, ty);
    while let Kind::Pi(_, _, to) = at.kind() {
        n += 1;
        at = to;
    }
    n
}

/// Names the induction hypothesis on natural numbers, which follows one field, `a`, as Lean does.
fn with_anonymous_hypothesis(case: &Term) -> Term {
    let Kind::Pi(field, ty, rest) = case.kind() else { return case.clone() };
    let Kind::Pi(_, hypothesis, to) = rest.kind() else { return case.clone() };
    let rest = Term::pi(Binder::explicit("a"), hypothesis.clone(), to.clone());
    Term::pi(field.clone(), ty.clone(), rest)
}
