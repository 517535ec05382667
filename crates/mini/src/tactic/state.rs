//! A proof under way, as a value.

use std::sync::Arc;

use andor_core::expr::{Expr, ExprBuilder, ExprId, ExprNode};
use andor_core::goal::{Goal, Hypothesis, Term as Shown};

use super::Tactics;
use crate::elab::context::{Delayed, Local, MetaContext, MetaDecl, MetaKind, Result};
use crate::elab::delab::{Names, shown_names};
use crate::elab::theory::Theory;
use crate::kernel::term::{Kind, Level, LocalId, MetaId, Term, deeper};
use crate::syntax::print::print;
use crate::syntax::tactic::Block;

/// Open goals and the metavariables that they mention. Clones are cheap and independent; nothing else is kept of the
/// proof, for the finished script is read and checked anew.
#[derive(Clone, Debug)]
pub struct State {
    theory: Theory,
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    goals: Vec<MetaId>,
    /// Goals, and metavariables without value that they mention.
    metas: Vec<(MetaId, Arc<MetaDecl>)>,
    delayed: Vec<(MetaId, Arc<Delayed>)>,
    /// What is known of values for which delayed assignments wait.
    assigned: Vec<(MetaId, Term)>,
    next: u64,
    next_level: u32,
}

impl State {
    /// A proof that begins with one goal.
    pub fn new(theory: &Theory, ctx: &mut MetaContext<'_>, goal: MetaId) -> Self {
        Self { theory: theory.clone(), inner: Arc::new(Inner::of(ctx, vec![goal])) }
    }

    /// The number of open goals.
    pub fn n_goals(&self) -> usize {
        self.inner.goals.len()
    }

    fn context(&self, steps: u64) -> MetaContext<'_> {
        let mut ctx = MetaContext::new(&self.theory, self.inner.next, steps);
        ctx.skip_levels(self.inner.next_level);
        for (id, decl) in &self.inner.metas {
            ctx.adopt(*id, Arc::clone(decl));
        }
        for (id, delayed) in &self.inner.delayed {
            ctx.adopt_delayed(*id, Arc::clone(delayed));
        }
        for (id, value) in &self.inner.assigned {
            ctx.assign(*id, value.clone());
        }
        ctx
    }

    /// Runs tactics on the goals, in at most so many steps.
    pub fn run(&self, block: &Block, steps: u64) -> Result<Self> {
        let mut ctx = self.context(steps);
        let mut tactics = Tactics { ctx: &mut ctx, goals: self.inner.goals.clone() };
        tactics.block(block)?;
        let goals = tactics.goals;
        Ok(Self { theory: self.theory.clone(), inner: Arc::new(Inner::of(&mut ctx, goals)) })
    }

    /// The state with some of its goals alone.
    pub fn with_goals(&self, places: &[usize]) -> Self {
        let goals = places.iter().filter_map(|at| self.inner.goals.get(*at).copied()).collect();
        let mut ctx = self.context(u64::MAX);
        Self { theory: self.theory.clone(), inner: Arc::new(Inner::of(&mut ctx, goals)) }
    }

    /// The open goals as text and trees.
    pub fn goals(&self) -> Vec<Goal> {
        let mut ctx = self.context(u64::MAX);
        self.inner.goals.iter().map(|g| goal_of(&mut ctx, *g)).collect()
    }

    /// The positions of goals that share metavariables, together.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let goals = &self.inner.goals;
        let ctx = self.context(u64::MAX);
        let touched: Vec<Vec<MetaId>> = goals.iter().map(|g| touched(&ctx, *g)).collect();
        let mut group: Vec<usize> = (0..goals.len()).collect();
        for a in 0..goals.len() {
            for b in 0..a {
                if touched[a].iter().any(|id| touched[b].contains(id)) {
                    let (low, high) = (group[a].min(group[b]), group[a].max(group[b]));
                    group.iter_mut().filter(|g| **g == high).for_each(|g| *g = low);
                }
            }
        }
        let firsts = (0..goals.len()).filter(|at| group[*at] == *at);
        firsts.map(|first| (0..goals.len()).filter(|at| group[*at] == first).collect()).collect()
    }
}

/// The metavariables that a goal mentions, and itself.
fn touched(ctx: &MetaContext<'_>, goal: MetaId) -> Vec<MetaId> {
    let mut found = vec![goal];
    let mut at = 0;
    while let Some(id) = found.get(at).copied() {
        at += 1;
        let decl = ctx.meta(id);
        for other in
            terms_of(&decl.scope).chain([&decl.ty]).chain(ctx.value(id)).flat_map(|t| ctx.open_metas(t))
        {
            if !found.contains(&other) {
                found.push(other);
            }
        }
        if let Some(delayed) = ctx.delayed(id)
            && !found.contains(&delayed.body)
        {
            found.push(delayed.body);
        }
    }
    found
}

/// The types of variables, and their values where they have some.
fn terms_of(locals: &[Local]) -> impl Iterator<Item = &Term> {
    locals.iter().flat_map(|l| [Some(&l.ty), l.value.as_ref()]).flatten()
}

impl Inner {
    /// What is open in a context, everything in it instantiated.
    fn of(ctx: &mut MetaContext<'_>, goals: Vec<MetaId>) -> Self {
        let mut metas: Vec<(MetaId, Arc<MetaDecl>)> = Vec::new();
        let (mut delayed, mut assigned) = (Vec::new(), Vec::new());
        let mut waiting = goals.clone();
        while let Some(id) = waiting.pop() {
            if metas.iter().any(|(known, _)| *known == id) {
                continue;
            }
            if let Some(value) = ctx.value(id) {
                let value = ctx.instantiate(value);
                waiting.extend(ctx.open_metas(&value));
                assigned.push((id, value));
            }
            let decl = Arc::clone(ctx.meta(id));
            let decl = instantiated(ctx, decl);
            for term in terms_of(&decl.scope).chain([&decl.ty]).filter(|t| t.has_meta()) {
                waiting.extend(ctx.open_metas(term));
            }
            metas.push((id, decl));
            if let Some(d) = ctx.delayed(id) {
                waiting.push(d.body);
                let over: Vec<Local> = d.over.iter().map(|l| known(ctx, l)).collect();
                waiting.extend(terms_of(&over).flat_map(|t| ctx.open_metas(t)));
                delayed.push((id, Arc::new(Delayed { over, body: d.body })));
            }
        }
        Self { goals, metas, delayed, assigned, next: ctx.next_id(), next_level: ctx.next_level() }
    }
}

fn instantiated(ctx: &MetaContext<'_>, decl: Arc<MetaDecl>) -> Arc<MetaDecl> {
    let unknown = |t: &Term| t.has_meta() || t.has_level_meta();
    let is_known = |l: &Local| !unknown(&l.ty) && !l.value.as_ref().is_some_and(unknown);
    if !unknown(&decl.ty) && decl.scope.iter().all(is_known) {
        return decl;
    }
    let scope = if decl.scope.iter().all(is_known) {
        Arc::clone(&decl.scope)
    } else {
        Arc::new(decl.scope.iter().map(|l| known(ctx, l)).collect())
    };
    Arc::new(MetaDecl { scope, ty: ctx.instantiate(&decl.ty), ..MetaDecl::clone(&decl) })
}

/// A variable with what is known of its type and value.
fn known(ctx: &MetaContext<'_>, local: &Local) -> Local {
    let value = local.value.as_ref().map(|v| ctx.instantiate(v));
    Local { ty: ctx.instantiate(&local.ty), value, ..local.clone() }
}

/// A goal as text and trees.
pub(super) fn goal_of(ctx: &mut MetaContext<'_>, goal: MetaId) -> Goal {
    let decl = Arc::clone(ctx.meta(goal));
    ctx.enter(&decl.scope);
    let names = shown_names(&decl.scope);
    let mut hypotheses: Vec<Hypothesis> = Vec::new();
    let mut last: Option<Term> = None;
    let mut metas: Vec<MetaId> = Vec::new();
    for local in decl.scope.iter() {
        let name = names.get(&local.id).unwrap_or(&local.name).to_string();
        let ty = ctx.instantiate(&local.ty);
        metas.extend(ctx.open_metas(&ty));
        if let Some(hypothesis) = hypotheses.last_mut()
            && last.as_ref() == Some(&ty)
            && local.value.is_none()
        {
            hypothesis.names.push(name);
            continue;
        }
        let body = local.value.as_ref().map(|v| ctx.instantiate(v));
        metas.extend(body.iter().flat_map(|v| ctx.open_metas(v)));
        let body = body.map(|v| shown(ctx, &v, &names));
        last = body.is_none().then(|| ty.clone());
        hypotheses.push(Hypothesis { names: vec![name], ty: shown(ctx, &ty, &names), body });
    }
    let target = ctx.instantiate(&decl.ty);
    metas.extend(ctx.open_metas(&target));
    if decl.kind == MetaKind::Natural {
        metas.push(goal);
    }
    metas.sort();
    metas.dedup();
    Goal {
        name: format!("?{}", goal.0),
        case: (!decl.tag.is_empty()).then(|| decl.tag.to_string()),
        hypotheses,
        target: shown(ctx, &target, &names),
        metas: metas.into_iter().map(|m| format!("?m.{}", m.0)).collect(),
    }
}

fn shown(ctx: &mut MetaContext<'_>, term: &Term, names: &Names) -> Shown {
    let text = print(&ctx.delab(term, names));
    Shown { text, expr: Some(tree(ctx, term, names)) }
}

/// A term in the vocabulary that all systems share.
fn tree(ctx: &MetaContext<'_>, term: &Term, names: &Names) -> Expr {
    let mut builder = ExprBuilder::new();
    let root = Tree { ctx, names }.node(&mut builder, term);
    builder.finish(root)
}

struct Tree<'a, 't> {
    ctx: &'a MetaContext<'t>,
    names: &'a Names,
}

impl Tree<'_, '_> {
    fn node(&self, out: &mut ExprBuilder, term: &Term) -> ExprId {
        deeper(|| self.form(out, term))
    }

    fn form(&self, out: &mut ExprBuilder, term: &Term) -> ExprId {
        match term.kind() {
            Kind::Bound(i) => out.push(ExprNode::Bound(*i)),
            Kind::Local(id) => out.push(ExprNode::Local(self.name_of(*id))),
            Kind::Meta(id) => out.push(ExprNode::Meta(format!("?m.{}", id.0).into())),
            Kind::Sort(level) => out.push(ExprNode::Sort(sort_name(level).into())),
            Kind::Const(name, _) => out.push(ExprNode::Const(Arc::clone(name))),
            Kind::Lit(n) => out.push(ExprNode::Literal(n.to_string().into())),
            Kind::App(..) => {
                let (head, args) = term.head_args();
                let head = self.node(out, head);
                let args: Vec<ExprId> = args.into_iter().map(|a| self.node(out, a)).collect();
                out.app(head, &args)
            }
            Kind::Lambda(binder, ty, body) => {
                let (ty, body) = (self.node(out, ty), self.node(out, body));
                out.push(ExprNode::Lambda { name: Arc::clone(&binder.name), ty, body })
            }
            Kind::Pi(binder, ty, body) => {
                let (ty, body) = (self.node(out, ty), self.node(out, body));
                out.push(ExprNode::Pi { name: Arc::clone(&binder.name), ty, body })
            }
            Kind::Let(binder, _, value, body) => {
                let (value, body) = (self.node(out, value), self.node(out, body));
                out.push(ExprNode::Let { name: Arc::clone(&binder.name), value, body })
            }
        }
    }

    fn name_of(&self, id: LocalId) -> Arc<str> {
        match self.names.get(&id) {
            Some(name) => Arc::clone(name),
            None => self.ctx.local(id).map_or_else(|_| "_".into(), |l| Arc::clone(&l.name)),
        }
    }
}

fn sort_name(level: &Level) -> String {
    match level {
        Level::Num(0) => "Prop".into(),
        Level::Num(1) => "Type".into(),
        Level::Num(n) => format!("Type {}", n - 1),
        level => format!("Sort {level:?}"),
    }
}
