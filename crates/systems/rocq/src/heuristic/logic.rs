//! Connectives in the target and in the hypotheses.

use andor_core::expr::{Expr, ExprNode};
use andor_core::goal::Hypothesis;

use super::shape::{Domain, Shape, head, is_statement, locals_of_type, mentions, shape, shape_at, type_head};
use super::{Proposals, Situation};

pub(super) fn propose(s: &Situation<'_>, out: &mut Proposals) {
    target(s, out);
    for hypothesis in s.goal.hypotheses.iter().filter(|h| is_statement(h)) {
        for name in &hypothesis.names {
            if let Some(expr) = &hypothesis.ty.expr {
                use_hypothesis(s, name, expr, out);
            }
        }
    }
    closers(s, out);
}

fn target(s: &Situation<'_>, out: &mut Proposals) {
    let Some(expr) = &s.goal.target.expr else {
        for (log_prior, tactic) in [(-0.5, "intros"), (-1.0, "split"), (-2.0, "left"), (-2.0, "right")] {
            out.add(log_prior, tactic);
        }
        return;
    };
    match shape(expr) {
        Shape::Pi { .. } | Shape::Let => out.add(-0.1, "intros"),
        Shape::And => {
            out.add(-0.2, "split");
            out.add(-2.5, "repeat split");
            out.add(-2.4, "repeat split; auto");
        }
        Shape::Iff => out.add(-0.15, "split"),
        Shape::Or => {
            out.add(-1.2, "left");
            out.add(-1.25, "right");
        }
        Shape::Not => out.add(-0.1, "intro"),
        Shape::Exists { ty } => {
            let chooses = mentions(&s.goal.target, "or");
            witnesses(s, head(expr, ty), chooses, out);
        }
        Shape::True => out.add(-0.01, "exact I"),
        Shape::False => out.add(-2.0, "exfalso"),
        Shape::Eq { .. } => {}
        Shape::Order(_) => {}
        Shape::Other => {
            if matches!(head(expr, expr.root()), Some("sumbool" | "sumor" | "sum")) {
                out.add(-1.2, "left; auto");
                out.add(-1.25, "right; auto");
                out.add(-1.3, "decide equality; auto");
            }
            out.add(-1.4, "constructor");
            out.add(-1.9, "constructor; auto");
            out.add(-2.6, "econstructor");
            out.add(-2.5, "econstructor; eauto");
            out.add(-2.0, "red");
            out.add(-2.3, "red; intros");
            if let Some(name) = head(expr, expr.root()).filter(|n| is_own_definition(s, n)) {
                out.add(-1.2, format!("unfold {name}"));
            }
        }
    }
    if !matches!(shape(expr), Shape::False | Shape::Pi { .. } | Shape::Exists { .. } | Shape::And) {
        let contradictory =
            s.goal.hypotheses.iter().any(|h| type_head(h) == Some("not") || type_head(h) == Some("False"));
        if contradictory {
            out.add(-2.4, "exfalso");
        }
    }
}

/// Whether the theorem's header defines a name.
fn is_own_definition(s: &Situation<'_>, name: &str) -> bool {
    super::equality::own_definitions(s.theorem).iter().any(|d| d == name)
}

/// Candidate witnesses: objects of the right type in the context, small numbers, and a metavariable.
fn witnesses(s: &Situation<'_>, ty: Option<&str>, chooses: bool, out: &mut Proposals) {
    let Some(ty) = ty else { return out.add(-1.5, "eexists") };
    let mut candidates: Vec<(f64, String)> = Vec::new();
    let domain = Domain::of_type(ty);
    for (index, local) in locals_of_type(s.goal, ty).take(6).enumerate() {
        let later = 0.2 * index as f64;
        candidates.push((-1.2 - later, local.to_owned()));
        match domain {
            Some(Domain::Nat) => candidates.push((-2.2 - later, format!("(S {local})"))),
            Some(_) => candidates.push((-2.4 - later, format!("({local} + 1)"))),
            None => {}
        }
    }
    if domain.is_some() {
        candidates.extend((0..=3).map(|n| (-1.7 - 0.3 * f64::from(n), n.to_string())));
    }
    // After the right witness a decision procedure often closes the goal, so a wrong one costs one attempt.
    let closes = domain.is_some_and(Domain::is_discrete);
    for (log_prior, witness) in candidates {
        if closes {
            out.add(0.5 * log_prior, format!("exists {witness}; lia"));
        }
        out.add(log_prior, format!("exists {witness}"));
    }
    if closes {
        let locals: Vec<&str> = locals_of_type(s.goal, ty).take(3).collect();
        for (a, b) in locals.iter().flat_map(|a| locals.iter().map(move |b| (a, b))).filter(|(a, b)| a != b) {
            out.add(-1.9, format!("exists ({a} - {b}); lia"));
            out.add(-2.1, format!("exists ({a} + {b}); lia"));
        }
    }
    match ty {
        "bool" => ["true", "false"].iter().for_each(|b| out.add(-1.3, format!("exists {b}"))),
        "list" => out.add(-1.5, "exists nil"),
        _ => {}
    }
    // Unification instantiates a metavariable, but chooses no side of a disjunction.
    out.add(if chooses { -3.0 } else { -1.8 }, "eexists");
}

fn use_hypothesis(s: &Situation<'_>, name: &str, expr: &Expr, out: &mut Proposals) {
    match shape(expr) {
        Shape::And => out.add(-0.3, format!("destruct {name} as [? ?]")),
        Shape::Iff => {
            out.add(-1.3, format!("destruct {name} as [? ?]"));
            out.add(-1.6, format!("apply {name}"));
            out.add(-2.2, format!("rewrite {name}"));
        }
        Shape::Or => out.add(-0.7, format!("destruct {name} as [?|?]")),
        Shape::Exists { .. } => out.add(-0.3, format!("destruct {name} as [? ?]")),
        Shape::False => out.add(-0.01, "contradiction"),
        Shape::Not => {
            out.add(-2.0, format!("apply {name}"));
            if matches!(s.goal.target.expr.as_ref().map(shape), Some(Shape::False)) {
                out.add(-0.6, format!("apply {name}"));
            }
        }
        Shape::Pi { .. } => apply(s, name, expr, out),
        Shape::Other => {
            let predicate = matches!(expr.head_args(expr.root()).0, ExprNode::Const(_));
            if predicate {
                out.add(-2.3, format!("inversion {name}; subst; clear {name}"));
                out.add(-2.8, format!("destruct {name}"));
            }
        }
        Shape::True | Shape::Eq { .. } | Shape::Order(_) | Shape::Let => {}
    }
}

/// Applies a universally quantified statement or implication whose conclusion resembles the target.
fn apply(s: &Situation<'_>, name: &str, expr: &Expr, out: &mut Proposals) {
    let mut at = expr.root();
    let mut premises = Vec::new();
    while let Shape::Pi { ty, body, dependent } = shape_at(expr, at) {
        if !dependent {
            premises.push(ty);
        }
        at = body;
    }
    let conclusion = head(expr, at);
    let target = s.goal.target.expr.as_ref().and_then(|e| head(e, e.root()));
    let looks_alike = conclusion.is_some() && conclusion == target;
    let bonus = if looks_alike { 0.7 } else { 0.0 };
    out.add(-1.7 + bonus, format!("apply {name}"));
    out.add(-2.4 + bonus, format!("eapply {name}"));
    // A premise that is a hypothesis.
    let stands = |ty| s.goal.hypotheses.iter().filter(move |h| same_head(h, expr, ty));
    for premise in &premises {
        for other in stands(*premise).flat_map(|h| &h.names).take(3) {
            out.add(-1.9, format!("specialize ({name} {other})"));
            out.add(-2.1, format!("apply {name} in {other}"));
        }
    }
    if let Shape::Pi { ty, dependent: true, .. } = shape(expr)
        && let Some(ty) = head(expr, ty)
    {
        for (index, local) in locals_of_type(s.goal, ty).take(4).enumerate() {
            out.add(-2.5 - 0.2 * index as f64, format!("pose proof ({name} {local})"));
        }
    }
}

fn same_head(hypothesis: &Hypothesis, expr: &Expr, premise: andor_core::expr::ExprId) -> bool {
    let head = head(expr, premise);
    head.is_some() && type_head(hypothesis) == head
}

/// Tactics that close the goal or fail, cheapest first.
fn closers(s: &Situation<'_>, out: &mut Proposals) {
    let Some(expr) = &s.goal.target.expr else {
        for (log_prior, tactic) in [(-0.8, "easy"), (-1.2, "auto"), (-1.8, "tauto"), (-2.5, "eauto")] {
            out.add(log_prior, tactic);
        }
        return;
    };
    let shape = shape(expr);
    if matches!(shape, Shape::Pi { .. } | Shape::Let) {
        // After the introductions the same tactics are proposed again.
        out.add(-2.0, "easy");
        out.add(-2.4, "intuition lia");
        out.add(-2.6, "auto with *");
        out.add(-3.6, "firstorder");
        return;
    }
    let target_head = head(expr, expr.root());
    if s.goal.hypotheses.iter().any(|h| target_head.is_some() && type_head(h) == target_head) {
        out.add(-0.25, "assumption");
    }
    let propositional =
        |shape| matches!(shape, Shape::And | Shape::Or | Shape::Iff | Shape::Not | Shape::False);
    let some_connective = propositional(shape)
        || s.goal
            .hypotheses
            .iter()
            .any(|h| h.ty.expr.as_ref().is_some_and(|e| propositional(super::shape::shape(e))));
    out.add(if some_connective { -0.9 } else { -2.6 }, "tauto");
    out.add(-1.3, "easy");
    out.add(-1.6, "auto");
    out.add(-2.3, "eauto");
    out.add(if s.domains.is_empty() { -3.1 } else { -1.8 }, "intuition lia");
    out.add(-2.1, "auto with *");
    out.add(-3.0, "intuition");
    out.add(-2.9, "intuition (auto with *)");
    out.add(-3.2, "intuition congruence");
    out.add(-3.5, "eauto 4 with *");
    if s.goal.hypotheses.iter().any(|h| type_head(h) == Some("not")) {
        out.add(-1.4, "contradiction");
    }
    out.add(-3.4, "intuition (eauto; congruence)");
    out.add(-3.8, "firstorder");
    out.add(-4.2, "firstorder congruence");
    if !s.goal.metas.is_empty() {
        out.add(-0.5, "eassumption");
        out.add(-0.4, "reflexivity");
    }
}
