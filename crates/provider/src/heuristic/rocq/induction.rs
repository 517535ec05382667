//! Induction and case analysis on inductive data.

use andor_core::expr::{Expr, ExprId, ExprNode};

use super::shape::{Shape, head, shape, shape_at};
use super::{Proposals, Situation};

pub(super) fn propose(s: &Situation<'_>, out: &mut Proposals) {
    let Some(expr) = &s.goal.target.expr else { return };
    if let Shape::Pi { .. } = shape(expr) {
        quantified(expr, out);
        return;
    }
    for (name, hypothesis) in s.goal.locals() {
        let Some(ty) = &hypothesis.ty.expr else { continue };
        let Some(kind) = data_type(ty, ty.root()).filter(|_| hypothesis.body.is_none()) else { continue };
        if !expr.mentions_local(expr.root(), name) && kind != Kind::Finite {
            continue;
        }
        let recursed = recursed_on(expr, name);
        match kind {
            Kind::Recursive => {
                let bonus = if recursed { 0.6 } else { 0.0 };
                out.add(-2.0 + bonus, format!("induction {name}"));
                out.add(-2.6 + bonus, format!("destruct {name}"));
            }
            Kind::Finite => out.add(-1.9, format!("destruct {name}")),
        }
    }
}

/// Induction on a variable that is still quantified, so that the later ones stay general.
fn quantified(expr: &Expr, out: &mut Proposals) {
    let mut at = expr.root();
    let mut index = 0;
    while let ExprNode::Pi { name, ty, body } = expr.node(at) {
        if let Some(kind) = data_type(expr, *ty)
            && &**name != "_"
            && expr.mentions_bound(*body, 0)
        {
            let log_prior = match kind {
                Kind::Recursive => -1.6,
                Kind::Finite => -1.4,
            };
            let verb = if kind == Kind::Recursive { "induction" } else { "destruct" };
            out.add(log_prior - 0.2 * f64::from(index), format!("{verb} {name}"));
            index += 1;
        }
        at = *body;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Recursive,
    Finite,
}

/// What kind of inductive data a type is, as far as can be told from its name: types that are not known are
/// taken for recursive data unless they are known not to be.
fn data_type(expr: &Expr, ty: ExprId) -> Option<Kind> {
    if !matches!(shape_at(expr, ty), Shape::Other) {
        return None;
    }
    match head(expr, ty)? {
        "bool" | "option" | "prod" | "sum" | "unit" | "sumbool" | "comparison" => Some(Kind::Finite),
        "nat" | "list" => Some(Kind::Recursive),
        "Z" | "N" | "positive" | "Q" | "R" | "string" | "ascii" | "Int" => None,
        name => {
            let is_constant = matches!(expr.head_args(ty).0, ExprNode::Const(_));
            (is_constant && name.chars().next().is_some_and(char::is_lowercase)).then_some(Kind::Recursive)
        }
    }
}

/// Whether a local stands as an argument of a function in the expression.
fn recursed_on(expr: &Expr, name: &str) -> bool {
    expr.nodes().iter().any(|node| match node {
        ExprNode::App { args, .. } => {
            expr.list(*args).iter().any(|&a| matches!(expr.node(a), ExprNode::Local(n) if &**n == name))
        }
        _ => false,
    })
}
