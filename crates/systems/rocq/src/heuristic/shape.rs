//! Inspects goals: connectives, number systems, terms as text.

use andor_core::expr::{Expr, ExprId, ExprNode};
use andor_core::goal::{Goal, Hypothesis, Term};

/// The outermost form of a proposition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// A product: the bound variable's type, and whether the body mentions the variable.
    Pi {
        ty: ExprId,
        body: ExprId,
        dependent: bool,
    },
    And,
    Or,
    Iff,
    Not,
    /// `exists x : ty, …`
    Exists {
        ty: ExprId,
    },
    True,
    False,
    /// `left = right :> ty`
    Eq {
        ty: ExprId,
        left: ExprId,
        right: ExprId,
    },
    /// An order relation of a number system.
    Order(Domain),
    Let,
    Other,
}

/// A number system with a decision procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Domain {
    /// `nat`
    Nat,
    /// `Z`, `N`, `positive`
    Integer,
    /// `Q`
    Rational,
    /// `R`
    Real,
}

impl Domain {
    pub(super) fn of_type(name: &str) -> Option<Self> {
        match name {
            "nat" => Some(Self::Nat),
            "Z" | "N" | "positive" => Some(Self::Integer),
            "Q" => Some(Self::Rational),
            "R" => Some(Self::Real),
            _ => None,
        }
    }

    fn of_relation(name: &str) -> Option<Self> {
        match name {
            "le" | "lt" | "ge" | "gt" | "Nat.le" | "Nat.lt" | "Peano.le" | "Peano.lt" | "Peano.ge"
            | "Peano.gt" => Some(Self::Nat),
            "Z.le" | "Z.lt" | "Z.ge" | "Z.gt" | "N.le" | "N.lt" | "N.ge" | "N.gt" | "Pos.le" | "Pos.lt"
            | "Pos.ge" | "Pos.gt" => Some(Self::Integer),
            "Qle" | "Qlt" | "Qeq" => Some(Self::Rational),
            "Rle" | "Rlt" | "Rge" | "Rgt" => Some(Self::Real),
            _ => None,
        }
    }

    pub(super) fn is_discrete(self) -> bool {
        matches!(self, Self::Nat | Self::Integer)
    }
}

/// The form of an expression's root.
pub(super) fn shape(expr: &Expr) -> Shape {
    shape_at(expr, expr.root())
}

pub(super) fn shape_at(expr: &Expr, id: ExprId) -> Shape {
    if let ExprNode::Pi { ty, body, .. } = expr.node(id) {
        return Shape::Pi { ty: *ty, body: *body, dependent: expr.mentions_bound(*body, 0) };
    }
    if matches!(expr.node(id), ExprNode::Let { .. }) {
        return Shape::Let;
    }
    let (ExprNode::Const(head), args) = expr.head_args(id) else { return Shape::Other };
    match (short(head), args) {
        ("and", [_, _]) => Shape::And,
        ("or", [_, _]) => Shape::Or,
        ("iff", [_, _]) => Shape::Iff,
        ("not", [_]) => Shape::Not,
        ("ex" | "sig" | "sigT", [ty, _]) => Shape::Exists { ty: *ty },
        ("True", []) => Shape::True,
        ("False", []) => Shape::False,
        ("eq", [ty, left, right]) => Shape::Eq { ty: *ty, left: *left, right: *right },
        (name, [_, _]) => Domain::of_relation(name).map_or(Shape::Other, Shape::Order),
        _ => Shape::Other,
    }
}

/// The last two components of a qualified name: `Nat.add` for `Coq.Init.Nat.add`. Rocq prints the shortest
/// unambiguous suffix, which depends on the loaded modules.
pub(super) fn short(name: &str) -> &str {
    match name.rmatch_indices('.').nth(1) {
        Some((at, _)) => &name[at + 1..],
        None => name,
    }
}

/// The (short) name of the constant or local that heads an expression.
pub(super) fn head(expr: &Expr, id: ExprId) -> Option<&str> {
    match expr.head_args(id).0 {
        ExprNode::Const(name) => Some(short(name)),
        ExprNode::Local(name) => Some(name),
        _ => None,
    }
}

/// The number systems of the statements in the goal, those of the target first.
pub(super) fn domains(goal: &Goal) -> Vec<Domain> {
    let terms = [&goal.target].into_iter().chain(goal.hypotheses.iter().map(|h| &h.ty));
    let mut found: Vec<Domain> = Vec::new();
    for domain in terms.filter_map(|t| t.expr.as_ref()).flat_map(relations) {
        if !found.contains(&domain) {
            found.push(domain);
        }
    }
    found
}

/// The number systems of the relations in an expression.
fn relations(expr: &Expr) -> Vec<Domain> {
    let ids = (0..expr.nodes().len()).filter_map(|i| expr.id_at(i));
    ids.filter_map(|id| match shape_at(expr, id) {
        Shape::Order(domain) => Some(domain),
        Shape::Eq { ty, .. } => head(expr, ty).and_then(Domain::of_type),
        _ => None,
    })
    .collect()
}

/// The names in the context whose type is headed by the constant `name`.
pub(super) fn locals_of_type<'a>(goal: &'a Goal, name: &'a str) -> impl Iterator<Item = &'a str> {
    goal.locals().filter(move |(_, h)| type_head(h) == Some(name)).map(|(local, _)| local)
}

/// The constant that heads a hypothesis's type.
pub(super) fn type_head(hypothesis: &Hypothesis) -> Option<&str> {
    hypothesis.ty.expr.as_ref().and_then(|e| head(e, e.root()))
}

/// Whether a term mentions a constant.
pub(super) fn mentions(term: &Term, constant: &str) -> bool {
    term.expr
        .as_ref()
        .is_some_and(|e| e.find(e.root(), |n| matches!(n, ExprNode::Const(name) if short(name) == constant)))
}

/// Whether the target or a hypothesis mentions one of some constants.
pub(super) fn goal_mentions(goal: &Goal, constants: &[&str]) -> bool {
    let terms = [&goal.target].into_iter().chain(goal.hypotheses.iter().map(|h| &h.ty));
    terms.into_iter().any(|t| constants.iter().any(|c| mentions(t, c)))
}

/// A term in explicit syntax, in parentheses if needed; `None` if it has bound variables or forms that cannot be
/// printed, or is too long.
pub(super) fn write(expr: &Expr, id: ExprId) -> Option<String> {
    const MAX_LENGTH: usize = 200;
    const MAX_DEPTH: usize = 20;
    fn go(expr: &Expr, id: ExprId, depth: usize) -> Option<String> {
        if depth == 0 {
            return None;
        }
        match expr.node(id) {
            ExprNode::Const(name)
            | ExprNode::Local(name)
            | ExprNode::Literal(name)
            | ExprNode::Sort(name) => Some(name.to_string()),
            ExprNode::App { head, args } => {
                let mut text = match expr.node(*head) {
                    ExprNode::Const(name) => format!("(@{name}"),
                    ExprNode::Local(name) => format!("({name}"),
                    _ => return None,
                };
                for &arg in expr.list(*args) {
                    text += &format!(" {}", go(expr, arg, depth - 1)?);
                }
                Some(text + ")")
            }
            _ => None,
        }
    }
    go(expr, id, MAX_DEPTH).filter(|t| t.len() <= MAX_LENGTH)
}

/// Whether a hypothesis is a statement rather than an object: whether its type looks like a proposition.
pub(super) fn is_statement(hypothesis: &Hypothesis) -> bool {
    let Some(expr) = &hypothesis.ty.expr else { return false };
    let mut at = expr.root();
    while let Shape::Pi { body, .. } = shape_at(expr, at) {
        at = body;
    }
    match shape_at(expr, at) {
        Shape::And
        | Shape::Or
        | Shape::Iff
        | Shape::Not
        | Shape::Exists { .. }
        | Shape::True
        | Shape::False
        | Shape::Eq { .. }
        | Shape::Order(_) => true,
        Shape::Pi { .. } | Shape::Let => false,
        // An applied predicate; plain types such as `nat` and `list A` count as types of objects.
        Shape::Other => {
            let (node, args) = expr.head_args(at);
            let data = ["list", "option", "prod", "sum", "vector"];
            match node {
                ExprNode::Const(name) => !args.is_empty() && !data.contains(&&**name),
                ExprNode::Local(_) => true,
                _ => false,
            }
        }
    }
}
