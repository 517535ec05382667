//! The digests behind the signatures.
//!
//! One pass over an expression's nodes digests it bottom-up. Bound variables are indices, so the digest of a subterm
//! does not depend on its context, and binder names are ignored.

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use super::{Commutative, Context, Local};
use crate::expr::{Expr, ExprId, ExprNode};

/// The numbers that replace the names of locals and metavariables in a digest.
#[derive(Default)]
struct Names<'a> {
    locals: HashMap<&'a str, u64>,
    metas: HashMap<&'a str, u64>,
}

/// The digest of the full structure and order; names are numbered by first appearance.
pub(super) fn strict(contexts: &[Context]) -> u64 {
    let mut metas = HashMap::new();
    let goals: Vec<u64> = contexts
        .iter()
        .map(|context| {
            let order: Vec<&Local> = context.locals.iter().collect();
            numbered(context, &order, &mut metas, &Commutative::default())
        })
        .collect();
    mix("goals", &goals)
}

/// The digest with hypotheses and arguments of commutative operators sorted by their own digests.
pub(super) fn coarse(contexts: &[Context], commutative: &Commutative) -> u64 {
    let mut metas = HashMap::new();
    let goals: Vec<u64> = contexts
        .iter()
        .map(|context| numbered(context, &by_shape(context, commutative), &mut metas, commutative))
        .collect();
    mix("goals", &goals)
}

/// The locals sorted by the digest of their types without names, refined once by replacing each local name by the
/// digest of its own type. Locals that are still equal keep their order. A local that is not mentioned and repeats
/// another, including names, is left out: a repeated hypothesis does not make a new goal.
fn by_shape<'a>(context: &'a Context, commutative: &Commutative) -> Vec<&'a Local> {
    let shapes = |names: &Names<'_>| -> Vec<u64> {
        context.locals.iter().map(|local| local_digest(local, names, commutative)).collect()
    };
    let exact = shapes(&Names::default());
    let locals = context.locals.iter().map(|l| l.name.as_str()).zip(exact.iter().copied()).collect();
    let refined = shapes(&Names { locals, metas: HashMap::new() });
    let mut order: Vec<(u64, u64, &Local)> =
        refined.into_iter().zip(exact).zip(&context.locals).map(|((r, e), l)| (r, e, l)).collect();
    order.sort_by_key(|&(shape, ..)| shape);
    let mentioned = mentioned(context);
    let mut stated = HashSet::new();
    // Sorting is stable, so the first of equal locals in the context is kept.
    order.retain(|(_, exact, local)| stated.insert(*exact) || mentioned.contains(local.name.as_str()));
    order.into_iter().map(|(.., local)| local).collect()
}

/// The locals mentioned in a type, a body or the target.
fn mentioned(context: &Context) -> HashSet<&str> {
    let parts = context.locals.iter().flat_map(|l| std::iter::once(&l.ty).chain(&l.body));
    let nodes = parts.chain([&context.target]).flat_map(Expr::nodes);
    nodes.filter_map(|n| if let ExprNode::Local(name) = n { Some(&**name) } else { None }).collect()
}

/// The digest of a goal whose locals are numbered in the given order, and whose metavariables are numbered
/// by first appearance after those already in `metas`.
fn numbered<'a>(
    context: &'a Context,
    order: &[&'a Local],
    metas: &mut HashMap<&'a str, u64>,
    commutative: &Commutative,
) -> u64 {
    let exprs = order.iter().flat_map(|l| std::iter::once(&l.ty).chain(&l.body)).chain([&context.target]);
    for node in exprs.flat_map(Expr::nodes) {
        if let ExprNode::Meta(name) = node {
            let next = metas.len() as u64;
            metas.entry(name).or_insert(next);
        }
    }
    let locals = order.iter().zip(0..).map(|(local, number)| (local.name.as_str(), number)).collect();
    let names = Names { locals, metas: metas.clone() };
    let mut parts: Vec<u64> = order.iter().map(|local| local_digest(local, &names, commutative)).collect();
    parts.push(expr_digest(&context.target, &names, commutative));
    mix("goal", &parts)
}

fn local_digest(local: &Local, names: &Names<'_>, commutative: &Commutative) -> u64 {
    let ty = expr_digest(&local.ty, names, commutative);
    match &local.body {
        Some(body) => mix("let", &[ty, expr_digest(body, names, commutative)]),
        None => ty,
    }
}

fn expr_digest(expr: &Expr, names: &Names<'_>, commutative: &Commutative) -> u64 {
    let mut digests: Vec<u64> = Vec::with_capacity(expr.nodes().len());
    let mut parts = Vec::new();
    for node in expr.nodes() {
        let of = |id: ExprId| digests[id.index()];
        let digest = match node {
            ExprNode::Const(name) => text("const", name),
            ExprNode::Local(name) => {
                mix("local", &[names.locals.get(&**name).copied().unwrap_or_else(|| text("free", name))])
            }
            ExprNode::Meta(name) => mix("meta", &[names.metas.get(&**name).copied().unwrap_or(u64::MAX)]),
            ExprNode::Bound(index) => mix("bound", &[u64::from(*index)]),
            ExprNode::Sort(name) => text("sort", name),
            ExprNode::Literal(name) => text("literal", name),
            ExprNode::Pi { ty, body, .. } => mix("pi", &[of(*ty), of(*body)]),
            ExprNode::Lambda { ty, body, .. } => mix("lambda", &[of(*ty), of(*body)]),
            ExprNode::Let { value, body, .. } => mix("let", &[of(*value), of(*body)]),
            ExprNode::App { head, args } => {
                parts.clear();
                parts.push(of(*head));
                parts.extend(expr.list(*args).iter().map(|&a| of(a)));
                if let ExprNode::Const(name) = expr.node(*head)
                    && commutative.arity(name) == Some(parts.len() - 1)
                    && parts.len() > 2
                {
                    let last_two = parts.len() - 2;
                    parts[last_two..].sort_unstable();
                }
                mix("app", &parts)
            }
            ExprNode::Other { tag, parts: list } => {
                parts.clear();
                parts.extend(expr.list(*list).iter().map(|&p| of(p)));
                let commutes = |i: &super::Infix| i.commutes && i.symbol == &**tag;
                if commutative.infix.iter().any(|level| level.iter().any(commutes)) {
                    parts.sort_unstable();
                }
                parts.push(text("tag", tag));
                mix("other", &parts)
            }
        };
        digests.push(digest);
    }
    digests[expr.root().index()]
}

fn text(tag: &str, name: &str) -> u64 {
    mix(tag, &[xxh3_64(name.as_bytes())])
}

/// One digest from a tag and digests in order.
fn mix(tag: &str, parts: &[u64]) -> u64 {
    let mut bytes = Vec::with_capacity(tag.len() + 1 + 8 * parts.len());
    bytes.extend_from_slice(tag.as_bytes());
    bytes.push(0);
    parts.iter().for_each(|p| bytes.extend_from_slice(&p.to_le_bytes()));
    xxh3_64(&bytes)
}
