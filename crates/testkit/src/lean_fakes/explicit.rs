//! Goals as Lean prints them, also with `pp.all`, as far as `mini`'s terms go.

use andor_core::expr::{Expr, ExprId, ExprNode};
use andor_core::goal::{Goal, Term};

/// Goals as Lean prints them by default.
pub(super) fn pretty(goals: &[Goal]) -> Vec<String> {
    goals.iter().map(|goal| named(&goal.to_string(), goals)).collect()
}

/// Goals with everything shown.
pub(super) fn with_everything(goals: &[Goal]) -> Vec<String> {
    let shown = goals.iter().map(|goal| {
        let mut shown = goal.clone();
        for hypothesis in &mut shown.hypotheses {
            hypothesis.ty.text = term(&hypothesis.ty);
            if let Some(body) = &mut hypothesis.body {
                body.text = term(body);
            }
        }
        shown.target.text = term(&shown.target);
        named(&shown.to_string(), goals)
    });
    shown.collect()
}

/// A text with the case tags of goals for their numbers, `?w` for `?m.7`, which `mini` does not print.
fn named(text: &str, goals: &[Goal]) -> String {
    let mut parts = text.split("?m.");
    let mut renamed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let number = &part[..digits];
        let goal = goals.iter().find(|goal| goal.name.strip_prefix('?') == Some(number));
        match goal.and_then(|goal| goal.case.as_deref()) {
            Some(case) => renamed += &format!("?{case}"),
            None => renamed += &format!("?m.{number}"),
        }
        renamed += &part[digits..];
    }
    renamed
}

fn term(term: &Term) -> String {
    let of = |expr: &Expr| write(expr, expr.root(), 0, false);
    term.expr.as_ref().map_or_else(|| term.text.clone(), of)
}

/// The text of a part under some binders; as an argument or a function, in parentheses unless it is one word.
fn write(expr: &Expr, id: ExprId, depth: u32, tight: bool) -> String {
    let bound = |depth: u32| format!("x✝{depth}");
    let under = |id| write(expr, id, depth + 1, false);
    let text = match expr.node(id) {
        ExprNode::Const(name) | ExprNode::Local(name) | ExprNode::Meta(name) | ExprNode::Literal(name) => {
            return name.to_string();
        }
        ExprNode::Bound(index) => return bound(depth - 1 - index),
        ExprNode::Sort(name) if !name.contains(' ') => return name.to_string(),
        ExprNode::Sort(name) => name.to_string(),
        ExprNode::App { head, args } => {
            let at = if matches!(expr.node(*head), ExprNode::Const(_)) { "@" } else { "" };
            let args = expr.list(*args).iter().map(|arg| write(expr, *arg, depth, true));
            let args: Vec<String> = args.collect();
            format!("{at}{} {}", write(expr, *head, depth, true), args.join(" "))
        }
        ExprNode::Pi { ty, body, .. } => {
            format!("∀ ({} : {}), {}", bound(depth), write(expr, *ty, depth, false), under(*body))
        }
        ExprNode::Lambda { ty, body, .. } => {
            format!("fun ({} : {}) => {}", bound(depth), write(expr, *ty, depth, false), under(*body))
        }
        ExprNode::Let { value, body, .. } => {
            format!("let {} := {}; {}", bound(depth), write(expr, *value, depth, false), under(*body))
        }
        ExprNode::Other { tag, .. } => unreachable!("`mini` makes no {tag}"),
    };
    if tight { format!("({text})") } else { text }
}
