//! Induction and case analysis on inductive data.

use andor_core::expr::{Expr, ExprId, ExprNode};
use andor_core::goal::Hypothesis;

use super::shape::{Shape, head, is_statement, shape, shape_at};
use super::{Proposals, Situation};

pub(super) fn propose(s: &Situation<'_>, out: &mut Proposals) {
    let Some(expr) = &s.goal.target.expr else { return };
    if let Shape::Pi { .. } = shape(expr) {
        quantified(expr, out);
        return;
    }
    generalised(s, expr, out);
    derivations(s, out);
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
                out.add(-2.1 + bonus, format!("induction {name}; simpl in *; {FINISH}"));
                out.add(-2.7 + bonus, format!("destruct {name}; simpl in *; {FINISH}"));
                out.add(-2.0 + bonus, format!("induction {name}"));
                out.add(-2.6 + bonus, format!("destruct {name}"));
            }
            Kind::Finite => out.add(-1.9, format!("destruct {name}")),
        }
    }
}

/// Closes easy goals after a case analysis.
const FINISH: &str = "auto; try congruence; try lia";

/// Induction after generalising all other data of the target.
fn generalised(s: &Situation<'_>, expr: &Expr, out: &mut Proposals) {
    let data: Vec<(&str, Kind)> = s
        .goal
        .locals()
        .filter(|(name, h)| h.body.is_none() && expr.mentions_local(expr.root(), name))
        .filter_map(|(name, h)| Some((name, data_type(h.ty.expr.as_ref()?, h.ty.expr.as_ref()?.root())?)))
        .take(4)
        .collect();
    let recursive = data.iter().filter(|(_, kind)| *kind == Kind::Recursive).take(2);
    for (index, (name, _)) in recursive.enumerate() {
        let others: Vec<String> = data
            .iter()
            .filter(|(other, _)| other != name)
            .map(|(other, _)| format!("generalize dependent {other}"))
            .collect();
        if !others.is_empty() {
            let later = 0.2 * index as f64;
            let general = format!("{}; induction {name}", others.join("; "));
            out.add(-2.3 - later, format!("{general}; intros; simpl in *; {FINISH}"));
            out.add(-2.6 - later, general);
        }
    }
    if data.len() > 1 {
        let names: Vec<&str> = data.iter().map(|(name, _)| *name).collect();
        out.add(-2.8, format!("destruct {}; simpl in *; {FINISH}", names.join(", ")));
    }
}

/// Induction on, and inversion of, hypotheses that may be inductive predicates.
fn derivations(s: &Situation<'_>, out: &mut Proposals) {
    let inductive = |h: &&Hypothesis| {
        h.ty.expr.as_ref().is_some_and(|e| {
            is_statement(h)
                && matches!(shape(e), Shape::Other)
                && matches!(e.head_args(e.root()).0, ExprNode::Const(_))
        })
    };
    for (index, hypothesis) in s.goal.hypotheses.iter().filter(inductive).take(4).enumerate() {
        let later = 0.2 * index as f64;
        for name in hypothesis.names.iter().take(2) {
            out.add(-1.9 - later, format!("induction {name}; simpl in *; eauto"));
            out.add(-2.0 - later, format!("inversion {name}; subst; simpl in *; {FINISH}"));
            out.add(-2.5 - later, format!("induction {name}"));
            out.add(-2.9 - later, format!("red in {name}"));
        }
    }
}

/// Induction on a variable that is still quantified, so that the later ones stay general.
fn quantified(expr: &Expr, out: &mut Proposals) {
    let mut at = expr.root();
    let (mut index, mut premise) = (0, 0);
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
            let later = 0.2 * f64::from(index);
            out.add(log_prior - later, format!("{verb} {name}"));
            out.add(-1.5 - later, format!("{verb} {name}; intros; simpl in *; {FINISH}"));
            index += 1;
        } else if matches!(shape_at(expr, *ty), Shape::Other)
            && !expr.mentions_bound(*body, 0)
            && matches!(expr.head_args(*ty), (ExprNode::Const(_), [_, ..]))
            && premise < 2
        {
            premise += 1;
            let later = 0.3 * f64::from(premise);
            out.add(-1.4 - later, format!("induction {premise}; intros; simpl in *; eauto"));
            out.add(-1.8 - later, format!("destruct {premise}; intros; simpl in *; auto"));
            out.add(-1.9 - later, format!("induction {premise}"));
            out.add(-2.0 - later, format!("inversion {premise}; subst; auto"));
        }
        at = *body;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Recursive,
    Finite,
}

/// The kind of inductive data of a type, judged by its name: unknown types count as recursive.
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

/// Whether a local is an argument of a function in the expression.
fn recursed_on(expr: &Expr, name: &str) -> bool {
    expr.nodes().iter().any(|node| match node {
        ExprNode::App { args, .. } => {
            expr.list(*args).iter().any(|&a| matches!(expr.node(a), ExprNode::Local(n) if &**n == name))
        }
        _ => false,
    })
}
