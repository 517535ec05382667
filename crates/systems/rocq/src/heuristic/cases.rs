//! Case analysis on match subjects, comparisons, booleans and binary numbers.

use andor_core::expr::{Expr, ExprNode};

use super::shape::{Shape, goal_mentions, locals_of_type, shape, write};
use super::{Proposals, Situation};

pub(super) fn propose(s: &Situation<'_>, out: &mut Proposals) {
    let Some(expr) = &s.goal.target.expr else { return };
    if matches!(shape(expr), Shape::Pi { .. } | Shape::Let) {
        return;
    }
    matches(s, expr, out);
    comparisons(s, out);
    let truth_values = locals_of_type(s.goal, "bool").count();
    if truth_values > 0 {
        let all = "repeat match goal with b : bool |- _ => destruct b end";
        out.add(-1.5, format!("{all}; simpl in *; intuition (auto; try discriminate)"));
    }
    numbers(s, expr, out);
}

fn matches(s: &Situation<'_>, expr: &Expr, out: &mut Proposals) {
    const FINISH: &str = "simpl in *; auto; try congruence; try lia";
    let some = |expr: &Expr| {
        expr.nodes()
            .iter()
            .any(|n| matches!(n, ExprNode::Other { tag, .. } if matches!(&**tag, "match" | "if")))
    };
    if some(expr) {
        let split = "match goal with |- context [match ?x with _ => _ end] => destruct x eqn:? end";
        out.add(-1.3, split);
        out.add(-1.6, format!("repeat {split}; {FINISH}"));
    }
    for hypothesis in s.goal.hypotheses.iter().filter(|h| h.ty.expr.as_ref().is_some_and(some)).take(2) {
        let name = &hypothesis.names[0];
        let split =
            format!("match type of {name} with context [match ?x with _ => _ end] => destruct x eqn:? end");
        out.add(-1.9, format!("{split}; {FINISH}"));
        out.add(-2.0, split);
    }
}

/// Case analysis on comparison functions by their specification lemmas.
fn comparisons(s: &Situation<'_>, out: &mut Proposals) {
    const MOST: usize = 3;
    let mut specified: Vec<String> = Vec::new();
    let terms = [&s.goal.target].into_iter().chain(s.goal.hypotheses.iter().map(|h| &h.ty));
    for expr in terms.filter_map(|t| t.expr.as_ref()) {
        for id in (0..expr.nodes().len()).filter_map(|i| expr.id_at(i)) {
            let (ExprNode::Const(name), [a, b]) = expr.head_args(id) else { continue };
            let Some((domain, "compare" | "eqb" | "leb" | "ltb")) = super::shape::short(name).split_once('.')
            else {
                continue;
            };
            let function = name.rsplit('.').next().unwrap_or(name);
            if let ("Nat" | "Z" | "N" | "Pos", Some(a), Some(b)) = (domain, write(expr, *a), write(expr, *b))
            {
                let case = format!("destruct ({domain}.{function}_spec {a} {b})");
                if !specified.contains(&case) {
                    specified.push(case);
                }
            }
        }
    }
    for (index, case) in specified.iter().take(MOST).enumerate() {
        let later = 0.2 * index as f64;
        out.add(-1.4 - later, format!("{case}; simpl in *; try lia; try congruence; auto"));
        out.add(-1.7 - later, case.clone());
    }
}

/// Case analysis on binary numbers by constructors. It helps if they are destructed, and little for calculations.
fn numbers(s: &Situation<'_>, expr: &Expr, out: &mut Proposals) {
    const MOST: usize = 4;
    const TYPES: [&str; 3] = ["Z", "N", "positive"];
    let calculated = goal_mentions(s.goal, &["Z.mul", "Z.div", "Z.modulo", "Z.pow"]);
    let malus = if calculated { 0.6 } else { 0.0 };
    let of_type = |ty| locals_of_type(s.goal, ty).filter(|x| expr.mentions_local(expr.root(), x));
    let all: Vec<&str> = TYPES.into_iter().flat_map(of_type).take(MOST).collect();
    if all.is_empty() {
        return;
    }
    out.add(-1.9 - malus, format!("destruct {}; simpl; auto", all.join(", ")));
    out.add(
        -2.6 - malus,
        format!("destruct {}; simpl in *; try lia; try discriminate; auto", all.join(", ")),
    );
    for (index, x) in all.iter().enumerate() {
        out.add(-2.4 - malus - 0.2 * index as f64, format!("destruct {x}"));
    }
    for (index, x) in of_type("positive").take(2).enumerate() {
        let later = malus + 0.2 * index as f64;
        out.add(-2.1 - later, format!("induction {x}; simpl; auto; try congruence"));
        out.add(-2.5 - later, format!("induction {x}"));
        out.add(-2.9 - later, format!("induction {x} using Pos.peano_ind"));
    }
}
