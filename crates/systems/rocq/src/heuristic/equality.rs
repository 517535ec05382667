//! Equations, definitions and computation.

use andor_core::expr::{Expr, ExprNode};
use andor_core::theorem::Theorem;

use super::shape::{Domain, Shape, head, mentions, shape, shape_at, write};
use super::{Proposals, Situation};

pub(super) fn propose(s: &Situation<'_>, out: &mut Proposals) {
    let mut some_equation = false;
    for hypothesis in &s.goal.hypotheses {
        let Some(expr) = &hypothesis.ty.expr else { continue };
        for name in &hypothesis.names {
            some_equation |= equation(s, name, expr, out);
        }
    }
    if let Some(expr) = &s.goal.target.expr {
        if let Shape::Eq { left, right, .. } = shape(expr) {
            out.add(-0.35, "reflexivity");
            out.add(-1.5, "congruence");
            let (a, b) = (expr.head_args(left), expr.head_args(right));
            if a.0 == b.0 && a.1.len() == b.1.len() && !a.1.is_empty() {
                out.add(-1.5, "f_equal");
                out.add(-1.8, "f_equal; auto");
            }
            out.add(-3.2, "symmetry");
        }
        if matches!(shape(expr), Shape::False) && some_equation {
            out.add(-0.9, "congruence");
            out.add(-0.8, "discriminate");
        }
        scrutinees(expr, out);
    }
    if some_equation {
        out.add(-3.0, "congruence");
    }
    computation(s, out);
}

/// Ways to use an equation, possibly quantified; returns whether it is one.
fn equation(s: &Situation<'_>, name: &str, expr: &Expr, out: &mut Proposals) -> bool {
    let mut at = expr.root();
    let mut quantified = false;
    while let Shape::Pi { body, .. } = shape_at(expr, at) {
        (at, quantified) = (body, true);
    }
    let Shape::Eq { left, right, ty } = shape_at(expr, at) else { return false };
    let is_local = |id| matches!(expr.node(id), ExprNode::Local(_));
    let numeric = head(expr, ty).and_then(Domain::of_type);
    if quantified {
        // A defining equation such as `forall x, f x = …` is used for rewriting.
        let defines =
            matches!(expr.head_args(left).0, ExprNode::Local(_)) && !expr.head_args(left).1.is_empty();
        out.add(if defines { -0.9 } else { -1.6 }, format!("rewrite {name}"));
        if defines {
            out.add(-1.1, format!("repeat rewrite {name} in *"));
        }
        out.add(-2.4, format!("rewrite <- {name}"));
        return true;
    }
    if is_local(left) || is_local(right) {
        out.add(-0.8, "subst");
    }
    let constructor = |id| {
        matches!(
            head(expr, id),
            Some("S" | "cons" | "Some" | "pair" | "true" | "false" | "nil" | "None" | "O")
        )
    };
    if constructor(left) && constructor(right) {
        out.add(-0.7, format!("discriminate {name}"));
        out.add(-1.0, format!("injection {name}; intros; subst"));
    }
    let boolean = head(expr, ty) == Some("bool");
    if boolean {
        out.add(-1.6, format!("rewrite {name}"));
        reflect(name, expr, left, out);
    } else if numeric.is_none() || !is_local(left) {
        out.add(-1.9, format!("rewrite {name}"));
        out.add(-2.6, format!("rewrite <- {name}"));
    }
    if let ExprNode::Local(f) = expr.head_args(left).0
        && !expr.head_args(left).1.is_empty()
        && s.goal.target.expr.as_ref().is_some_and(|t| t.mentions_local(t.root(), f))
    {
        out.add(-1.2, format!("rewrite {name}"));
    }
    true
}

/// Converts a boolean comparison to a statement about numbers.
fn reflect(name: &str, expr: &Expr, left: andor_core::expr::ExprId, out: &mut Proposals) {
    let lemma = match head(expr, left) {
        Some("Nat.eqb") => "Nat.eqb_eq",
        Some("Nat.leb") => "Nat.leb_le",
        Some("Nat.ltb") => "Nat.ltb_lt",
        Some("Z.eqb") => "Z.eqb_eq",
        Some("Z.leb") => "Z.leb_le",
        Some("Z.ltb") => "Z.ltb_lt",
        Some("andb") => "andb_prop",
        Some("orb") => "orb_prop",
        _ => return,
    };
    out.add(-1.1, format!("apply {lemma} in {name}"));
}

/// The subject of a match or conditional in the target.
fn scrutinees(expr: &Expr, out: &mut Proposals) {
    for index in 0..expr.nodes().len() {
        let Some(id) = expr.id_at(index) else { continue };
        let ExprNode::Other { tag, parts } = expr.node(id) else { continue };
        let parts = expr.list(*parts);
        // `match t with …` is kept as tokens; a compound `t` has several.
        let with =
            |p: &&andor_core::expr::ExprId| matches!(expr.node(**p), ExprNode::Literal(w) if &**w == "with");
        let scrutinee: Option<String> = match &**tag {
            "if" => parts.first().and_then(|&p| write(expr, p)),
            "match" => {
                let before: Vec<_> = parts.iter().take_while(|p| !with(p)).collect();
                let words: Option<Vec<String>> = before.into_iter().map(|&p| write(expr, p)).collect();
                words.map(|w| w.join(" "))
            }
            _ => None,
        };
        if let Some(term) = scrutinee.filter(|t| !t.is_empty()) {
            out.add(-1.2, format!("destruct ({term}) eqn:?"));
        }
    }
}

fn computation(s: &Situation<'_>, out: &mut Proposals) {
    let Some(expr) = &s.goal.target.expr else {
        out.add(-1.5, "simpl");
        return;
    };
    let has_application = expr.nodes().iter().any(|n| matches!(n, ExprNode::App { .. }));
    if has_application && !matches!(shape(expr), Shape::Pi { .. }) {
        let reals = s.domains.contains(&Domain::Real);
        out.add(if reals { -2.2 } else { -1.6 }, "simpl");
        out.add(-2.4, "simpl in *");
        if !s.goal.hypotheses.iter().any(|h| expr.mentions_local(expr.root(), &h.names[0])) {
            // Only constants: compute.
            out.add(-1.3, "vm_compute; reflexivity");
            out.add(-2.6, "vm_compute; intuition discriminate");
        }
    }
    unfoldings(s, expr, out);
    if matches!(shape(expr), Shape::Pi { .. }) {
        return;
    }
    // In a short header the definitions are the subject of the theorem; in the middle of a long file most are better
    // left folded.
    let definitions = own_definitions(s.theorem);
    let malus = if definitions.len() > 3 { 0.8 } else { 0.0 };
    for name in definitions {
        if mentions(&s.goal.target, &name) {
            out.add(-1.0 - malus, format!("unfold {name}"));
        }
        if s.goal.hypotheses.iter().any(|h| mentions(&h.ty, &name)) {
            out.add(-1.1 - malus, format!("unfold {name} in *"));
        }
    }
}

/// Unfolds any constants; those without a definition are rejected at once.
fn unfoldings(s: &Situation<'_>, expr: &Expr, out: &mut Proposals) {
    const MOST: usize = 4;
    const KNOWN: &[&str] =
        &["and", "or", "not", "iff", "ex", "eq", "nat", "bool", "list", "le", "cons", "nil", "true", "false"];
    if matches!(shape(expr), Shape::Pi { .. }) {
        return;
    }
    let recursive = defined(s.theorem, "Fixpoint");
    let mut names: Vec<&str> = Vec::new();
    for node in expr.nodes() {
        if let ExprNode::Const(name) = node
            && !KNOWN.contains(&&**name)
            && name.rsplit('.').next().is_some_and(|n| n.starts_with(char::is_alphabetic))
            && !names.contains(&&**name)
            && !recursive.iter().any(|r| **r == **name)
        {
            names.push(name);
        }
    }
    let malus = if s.domains.is_empty() { 0.0 } else { 0.5 };
    for (index, name) in names.iter().take(MOST).enumerate() {
        let later = malus + 0.2 * index as f64;
        out.add(-2.2 - later, format!("unfold {name}"));
        out.add(
            -2.7 - later,
            format!("unfold {name} in *; simpl in *; intuition (auto; try congruence; try lia)"),
        );
    }
    if names.len() > 1 {
        out.add(
            -3.0 - malus,
            format!("unfold {}; intuition auto", names[..names.len().min(MOST)].join(", ")),
        );
    }
}

/// The names defined in the theorem's header without recursion; recursive functions are left to `simpl`.
pub(super) fn own_definitions(theorem: &Theorem) -> Vec<String> {
    defined(theorem, "Definition")
}

/// The names that a given command of the theorem's header defines.
fn defined(theorem: &Theorem, command: &str) -> Vec<String> {
    let words: Vec<&str> = theorem
        .header
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'')))
        .filter(|w| !w.is_empty())
        .collect();
    words.windows(2).filter(|pair| pair[0] == command).map(|pair| pair[1].to_owned()).collect()
}
