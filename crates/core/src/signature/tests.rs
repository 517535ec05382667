use super::*;
use crate::expr::{ExprBuilder, ExprId, ExprNode};
use crate::goal::Hypothesis;

const RULES: Commutative = Commutative {
    constants: &[("and", 2), ("eq", 3), ("add", 2)],
    infix: &[
        &[Infix { symbol: "→", commutes: false }],
        &[Infix { symbol: "∧", commutes: true }],
        &[Infix { symbol: "=", commutes: true }],
        &[Infix { symbol: "+", commutes: true }, Infix { symbol: "-", commutes: false }],
    ],
};

/// A tiny notation for expressions: `(f a b)`; lower-case single letters are locals, `?x` metavariables,
/// `\x` a binder over the rest of its bracket, digits bound variables.
fn expr(text: &str) -> Expr {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut tokens = spaced.split_whitespace().peekable();
    let mut b = ExprBuilder::new();
    fn term<'a>(b: &mut ExprBuilder, tokens: &mut impl Iterator<Item = &'a str>) -> Option<ExprId> {
        let token = tokens.next()?;
        Some(match token {
            "(" => {
                let mut items = Vec::new();
                while let Some(item) = term(b, tokens) {
                    items.push(item);
                }
                b.app(items[0], &items[1..])
            }
            ")" => return None,
            t if t.starts_with('\\') => {
                let ty = b.push(ExprNode::Const("T".into()));
                let body = term(b, tokens).unwrap();
                b.push(ExprNode::Lambda { name: t[1..].into(), ty, body })
            }
            t if t.starts_with('?') => b.push(ExprNode::Meta(t.into())),
            t if t.parse::<u32>().is_ok() => b.push(ExprNode::Bound(t.parse().unwrap())),
            t if t.len() == 1 => b.push(ExprNode::Local(t.into())),
            t => b.push(ExprNode::Const(t.into())),
        })
    }
    let root = term(&mut b, &mut tokens).unwrap();
    b.finish(root)
}

/// `x : type, y : type |- target`
fn goal(text: &str) -> Goal {
    let term = |t: &str| Term { text: t.trim().into(), expr: Some(expr(t)) };
    let (context, target) = text.split_once("|-").unwrap();
    let hypotheses = context
        .split(',')
        .filter(|h| !h.trim().is_empty())
        .map(|h| {
            let (names, ty) = h.split_once(':').unwrap();
            Hypothesis {
                names: names.split_whitespace().map(str::to_owned).collect(),
                ty: term(ty),
                body: None,
            }
        })
        .collect();
    Goal { hypotheses, target: term(target), ..Goal::default() }
}

fn check(left: &str, right: &str, same_strict: bool, same_coarse: bool) {
    let (a, b) = (signatures(&[goal(left)], &RULES), signatures(&[goal(right)], &RULES));
    assert_eq!(a.strict == b.strict, same_strict, "strict: {left}  ~  {right}");
    assert_eq!(a.coarse == b.coarse, same_coarse, "coarse: {left}  ~  {right}");
    assert!(!a.textual && !b.textual);
}

#[test]
fn names_do_not_matter() {
    check("x : nat |- (eq nat x x)", "y : nat |- (eq nat y y)", true, true);
    check("|- (all \\x (pp 0))", "|- (all \\y (pp 0))", true, true);
    check("|- (eq nat ?x ?y)", "|- (eq nat ?y ?x)", true, true);
}

#[test]
fn structure_matters() {
    check("|- (and (pp aa) (qq bb))", "|- (and (pp aa) (qq cc))", false, false);
    check("x : nat, y : nat |- (le x y)", "x : nat, y : nat |- (le y x)", false, false);
    check("|- (eq nat ?x ?y)", "|- (eq nat ?x ?x)", false, false);
    check("|- (all \\x (all \\y (rr 0 1)))", "|- (all \\x (all \\y (rr 1 0)))", false, false);
}

#[test]
fn commuted_arguments_differ_only_strictly() {
    check("|- (and pp qq)", "|- (and qq pp)", false, true);
    check(
        "x : nat, y : nat |- (eq nat (add x y) (add y x))",
        "x : nat, y : nat |- (eq nat (add y x) (add x y))",
        false,
        true,
    );
    check("|- (all \\x (and (pp 0) (qq 0)))", "|- (all \\x (and (qq 0) (pp 0)))", false, true);
    // A partial application is no full use of the operator: nothing is exchanged.
    check("|- (hh (eq aa bb))", "|- (hh (eq bb aa))", false, false);
}

#[test]
fn the_order_of_hypotheses_matters_only_strictly() {
    check("a : (pp aa), b : (qq bb) |- rr", "b : (qq bb), a : (pp aa) |- rr", false, true);
    check("x : nat, y : bool, h : (pp x) |- (qq y)", "y : bool, x : nat, h : (pp x) |- (qq y)", false, true);
}

#[test]
fn a_hypothesis_stated_twice_is_one_only_coarsely() {
    check("x : nat, a : (pp x) |- (qq x)", "x : nat, a : (pp x), b : (pp x) |- (qq x)", false, true);
    // Two objects of one type that matter are two.
    check("x : nat |- (qq x x)", "x : nat, y : nat |- (qq x y)", false, false);
    // Of the same shape is not the same.
    let both = "x : nat, y : nat, a : (pp x), b : (pp y) |- (qq x y)";
    check("x : nat, y : nat, a : (pp x) |- (qq x y)", both, false, false);
}

#[test]
fn shared_metavariables_tell_groups_apart() {
    let coupled = signatures(&[goal("|- (pp ?x)"), goal("|- (qq ?x)")], &RULES);
    let apart = signatures(&[goal("|- (pp ?x)"), goal("|- (qq ?y)")], &RULES);
    assert_ne!(coupled.strict, apart.strict);
    assert_ne!(coupled.coarse, apart.coarse);
}

#[test]
fn keys_keep_names() {
    let (a, b) = (goal("x : nat |- (pp x)"), goal("y : nat |- (pp y)"));
    let (a, b) = (signatures(&[a], &RULES), signatures(&[b], &RULES));
    assert_eq!(a.strict, b.strict);
    assert_ne!(a.key, b.key);
}

fn check_text(left: &str, right: &str, same_strict: bool, same_coarse: bool) {
    let goal = |target: &str| Goal {
        hypotheses: vec![Hypothesis {
            names: vec!["n".into(), "m".into()],
            ty: Term::textual("ℕ"),
            body: None,
        }],
        target: Term::textual(target),
        ..Goal::default()
    };
    let (a, b) = (signatures(&[goal(left)], &RULES), signatures(&[goal(right)], &RULES));
    assert!(a.textual && b.textual);
    assert_eq!(a.strict == b.strict, same_strict, "strict: {left}  ~  {right}");
    assert_eq!(a.coarse == b.coarse, same_coarse, "coarse: {left}  ~  {right}");
}

#[test]
fn texts_are_read_as_token_trees() {
    check_text("∀ x, x + 0 = x", "∀ y, y + 0 = y", true, true);
    check_text("n + m = m + n", "m + n = n + m", false, true);
    check_text("p ∧ q → r", "q ∧ p → r", false, true);
    check_text("p → q", "q → p", false, false);
    check_text("n - m = 0", "m - n = 0", false, false);
    check_text("n + m - n = 0", "m + n - n = 0", false, false);
    check_text("f (n + m) = [n]", "[n] = f (m + n)", false, true);
    check_text("(n", "n)", false, false);
    check_text("", "()", true, true);
}

#[test]
fn twelve_digits_are_printed() {
    assert_eq!(GoalSig(0x0123_4567_89ab_cdef).to_string(), "0123456789ab");
    let text = signatures(&[goal("|- pp")], &RULES).strict.to_string();
    assert_eq!(text.len(), 12);
}

#[test]
fn very_deep_terms_do_not_overflow_the_stack() {
    let mut b = ExprBuilder::new();
    let f = b.push(ExprNode::Const("f".into()));
    let mut term = b.push(ExprNode::Local("x".into()));
    for _ in 0..1_000_000 {
        term = b.app(f, &[term]);
    }
    let target = Term { text: "deep".into(), expr: Some(b.finish(term)) };
    let goal = Goal { target, ..Goal::default() };
    let _ = signatures(&[goal], &RULES);
    let brackets = "(".repeat(100_000);
    let _ = signatures(&[Goal { target: Term::textual(brackets), ..Goal::default() }], &RULES);
}
