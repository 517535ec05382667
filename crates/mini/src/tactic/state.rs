//! Proofs in progress, as values.

use std::collections::BTreeMap;
use std::sync::Arc;

use andor_core::expr::{Expr, ExprBuilder, ExprId, ExprNode};
use andor_core::goal::{Goal, Hypothesis, Term as Shown};

use super::Tactics;
use crate::budget::{self, Account, Kept};
use crate::elab::context::{Delayed, Local, MetaContext, MetaDecl, MetaKind, Result, Scope};
use crate::elab::delab::{Names, digits, shown_names};
use crate::elab::theory::Theory;
use crate::kernel::term::{Kind, Level, LocalId, MetaId, Term, deeper};
use crate::syntax::print::print;
use crate::syntax::tactic::Block;

/// Open goals and the metavariables in them. Clones are cheap and independent. Nothing else of the proof is kept,
/// since the finished script is read and checked from scratch.
#[derive(Clone, Debug)]
pub struct State {
    theory: Theory,
    inner: Arc<Inner>,
    kept: Arc<Kept>,
}

#[derive(Debug)]
struct Inner {
    goals: Vec<MetaId>,
    /// Goals, and the unassigned metavariables in them.
    metas: Vec<(MetaId, Arc<MetaDecl>)>,
    delayed: Vec<(MetaId, Arc<Delayed>)>,
    /// Partial values for delayed assignments.
    assigned: Vec<(MetaId, Term)>,
    next: u64,
    next_level: u32,
    /// The name of the theorem, which opens namespaces.
    within: Option<crate::kernel::term::Name>,
}

impl State {
    /// A proof with one initial goal.
    pub fn new(theory: &Theory, mut ctx: MetaContext<'_>, goal: MetaId) -> Self {
        let inner = Inner::of(&mut ctx, vec![goal]);
        drop(ctx);
        Self::of(theory.clone(), inner, None)
    }

    /// A state. `before` is the memory that the thread held before the work that led to it.
    fn of(theory: Theory, inner: Inner, before: Option<i64>) -> Self {
        let terms = before.map_or(0, |before| u64::try_from(budget::held() - before).unwrap_or(0));
        let kept = Kept::new(terms + inner.tables());
        Self { theory, inner: Arc::new(inner), kept: Arc::new(kept) }
    }

    /// The approximate memory that it added, in bytes.
    pub fn bytes(&self) -> u64 {
        self.kept.bytes()
    }

    /// The number of open goals.
    pub fn n_goals(&self) -> usize {
        self.inner.goals.len()
    }

    fn context(&self) -> MetaContext<'_> {
        let mut ctx = MetaContext::new(&self.theory, self.inner.next);
        ctx.skip_levels(self.inner.next_level);
        (ctx.within, ctx.is_statement) = (self.inner.within.clone(), false);
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

    /// Runs tactics on the goals.
    pub fn run(&self, block: &Block) -> Result<Self> {
        let before = budget::held();
        let mut ctx = self.context();
        let mut tactics = Tactics { ctx: &mut ctx, goals: self.inner.goals.clone() };
        tactics.block(block)?;
        let goals = tactics.goals;
        let inner = Inner::of(&mut ctx, goals);
        // Garbage is dropped before the remaining memory is measured.
        drop(ctx);
        Ok(Self::of(self.theory.clone(), inner, Some(before)))
    }

    /// The state with only some of its goals.
    pub fn with_goals(&self, places: &[usize]) -> Self {
        let goals = places.iter().filter_map(|at| self.inner.goals.get(*at).copied()).collect();
        let inner = Inner::of(&mut self.context(), goals);
        Self::of(self.theory.clone(), inner, None)
    }

    /// The open goals as text and trees.
    pub fn goals(&self) -> Vec<Goal> {
        let (mut ctx, memory) = (self.context(), Account::default());
        self.inner.goals.iter().map(|g| goal_of(&mut ctx, *g, &memory)).collect()
    }

    /// The indices of goals, grouped by shared metavariables.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let goals = &self.inner.goals;
        let ctx = self.context();
        let touched: Vec<Vec<MetaId>> = goals.iter().map(|g| touched(&ctx, *g)).collect();
        let mut group: Vec<usize> = (0..goals.len()).collect();
        for a in 0..goals.len() {
            for b in 0..a {
                budget::visits(touched[a].len() * touched[b].len());
                if touched[a].iter().any(|id| touched[b].contains(id)) {
                    let (low, high) = (group[a].min(group[b]), group[a].max(group[b]));
                    group.iter_mut().filter(|g| **g == high).for_each(|g| *g = low);
                }
            }
        }
        budget::visits(goals.len().pow(2) / 8);
        let firsts = (0..goals.len()).filter(|at| group[*at] == *at);
        firsts.map(|first| (0..goals.len()).filter(|at| group[*at] == first).collect()).collect()
    }
}

/// The metavariables in a goal, and itself.
fn touched(ctx: &MetaContext<'_>, goal: MetaId) -> Vec<MetaId> {
    let mut found = vec![goal];
    let mut at = 0;
    while let Some(id) = found.get(at).copied() {
        at += 1;
        let decl = ctx.meta(id);
        budget::visits(decl.scope.len() + found.len());
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

/// The types of variables, and their values if they have any.
fn terms_of(locals: &[Local]) -> impl Iterator<Item = &Term> {
    locals.iter().flat_map(|l| [Some(&l.ty), l.value.as_ref()]).flatten()
}

impl Inner {
    /// The open metavariables in a context, fully instantiated.
    fn of(ctx: &mut MetaContext<'_>, goals: Vec<MetaId>) -> Self {
        let mut metas: Vec<(MetaId, Arc<MetaDecl>)> = Vec::new();
        let (mut delayed, mut assigned) = (Vec::new(), Vec::new());
        let mut waiting = goals.clone();
        while let Some(id) = waiting.pop() {
            budget::visits(1 + metas.len());
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
        Self {
            goals,
            metas,
            delayed,
            assigned,
            next: ctx.next_id(),
            next_level: ctx.next_level(),
            within: ctx.within.clone(),
        }
    }

    /// The memory of everything but terms, in bytes; shared data counts in part.
    fn tables(&self) -> u64 {
        let of_scope = |scope: &Scope| scope.len() * size_of::<Local>() / Arc::strong_count(scope);
        let of_meta = |(_, decl): &(MetaId, Arc<MetaDecl>)| {
            (size_of::<MetaDecl>() + decl.tag.len()) / Arc::strong_count(decl) + of_scope(&decl.scope)
        };
        let delayed = self.delayed.iter().map(|(_, d)| d.over.len() * size_of::<Local>());
        let bytes = self.metas.iter().map(of_meta).chain(delayed).sum::<usize>() + size_of::<Self>();
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }
}

fn instantiated(ctx: &MetaContext<'_>, decl: Arc<MetaDecl>) -> Arc<MetaDecl> {
    budget::visits(decl.scope.len());
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

/// A variable with its type and value.
fn known(ctx: &MetaContext<'_>, local: &Local) -> Local {
    let value = local.value.as_ref().map(|v| ctx.instantiate(v));
    Local { ty: ctx.instantiate(&local.ty), value, ..local.clone() }
}

/// A goal as text and trees. Its memory is charged to an account.
pub(super) fn goal_of(ctx: &mut MetaContext<'_>, goal: MetaId, memory: &Account) -> Goal {
    let decl = Arc::clone(ctx.meta(goal));
    ctx.enter(&decl.scope);
    let names = shown_names(&decl.scope);
    let mut hypotheses: Vec<Hypothesis> = Vec::new();
    let mut last: Option<Term> = None;
    let mut metas: Vec<MetaId> = Vec::new();
    for local in decl.scope.iter() {
        let name = names.get(&local.id).unwrap_or(&local.name).to_string();
        memory.take(size_of::<Hypothesis>() + name.len());
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
        let body = body.map(|v| shown(ctx, &v, &names, memory));
        last = body.is_none().then(|| ty.clone());
        hypotheses.push(Hypothesis { names: vec![name], ty: shown(ctx, &ty, &names, memory), body });
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
        tag: None,
        hypotheses,
        target: shown(ctx, &target, &names, memory),
        metas: metas.into_iter().map(|m| format!("?m.{}", m.0)).collect(),
        // Each constant has only one name.
        canonical: BTreeMap::new(),
    }
}

fn shown(ctx: &mut MetaContext<'_>, term: &Term, names: &Names, memory: &Account) -> Shown {
    let text = print(&ctx.delab(term, names, memory));
    Shown { text, expr: Some(tree(ctx, term, names, memory)) }
}

/// A term in the vocabulary shared by all systems.
fn tree(ctx: &MetaContext<'_>, term: &Term, names: &Names, memory: &Account) -> Expr {
    let mut builder = ExprBuilder::new();
    let root = Tree { ctx, names, memory }.node(&mut builder, term);
    builder.finish(root)
}

struct Tree<'a, 't> {
    ctx: &'a MetaContext<'t>,
    names: &'a Names,
    memory: &'a Account,
}

impl Tree<'_, '_> {
    fn node(&self, out: &mut ExprBuilder, term: &Term) -> ExprId {
        budget::visits(1);
        self.memory.take(2 * size_of::<ExprNode>());
        deeper(|| self.form(out, term))
    }

    fn form(&self, out: &mut ExprBuilder, term: &Term) -> ExprId {
        match term.kind() {
            Kind::Bound(i) => out.push(ExprNode::Bound(*i)),
            Kind::Local(id) => out.push(ExprNode::Local(self.name_of(*id))),
            Kind::Meta(id) => out.push(ExprNode::Meta(format!("?m.{}", id.0).into())),
            Kind::Sort(level) => out.push(ExprNode::Sort(sort_name(level).into())),
            Kind::Const(name, _) => out.push(ExprNode::Const(Arc::clone(name))),
            Kind::Lit(n) => {
                self.memory.take(digits(n));
                out.push(ExprNode::Literal(n.to_string().into()))
            }
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
