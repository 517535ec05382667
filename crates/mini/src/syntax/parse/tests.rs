use proptest::prelude::*;

use super::super::ast::{Argument, Binders, Operator, Universe};
use super::super::print::print;
use super::*;

mod layout;
mod scripts;

/// A term as read, with all parentheses.
fn shape(text: &str) -> String {
    match term(text) {
        Ok(expr) => full(&expr),
        Err(error) => format!("error: {error}"),
    }
}

fn full(expr: &Expr) -> String {
    match expr.kind() {
        ExprKind::Binary(op, a, b) => format!("({} {} {})", full(a), op.symbol(), full(b)),
        ExprKind::Arrow(a, b) => format!("({} → {})", full(a), full(b)),
        ExprKind::Not(a) => format!("(¬{})", full(a)),
        ExprKind::App(f, arguments) => {
            let arguments = arguments.iter().map(|a| match a {
                Argument::Positional(a) => full(a),
                Argument::Named(x, a) => format!("{x}:={}", full(a)),
            });
            format!("({} {})", full(f), arguments.collect::<Vec<_>>().join(" "))
        }
        ExprKind::Pi(binders, body) => format!("(Π{} {})", binders.names.len(), full(body)),
        ExprKind::Forall(binders, body) => format!("(∀{} {})", binders.len(), full(body)),
        ExprKind::Exists(binders, body) => format!("(∃{} {})", binders.len(), full(body)),
        ExprKind::Fun(binders, body) => format!("(fun{} {})", binders.len(), full(body)),
        ExprKind::Ascription(a, ty) => format!("({} : {})", full(a), full(ty)),
        _ => print(expr),
    }
}

#[test]
fn precedences_are_lean_s() {
    for (text, expected) in [
        ("p ∧ q ∨ r → s ↔ t", "((((p ∧ q) ∨ r) → s) ↔ t)"),
        ("p → q → r", "(p → (q → r))"),
        ("p ∧ q ∧ r", "(p ∧ (q ∧ r))"),
        ("¬p ∧ q", "((¬p) ∧ q)"),
        ("¬a = b", "(¬(a = b))"),
        ("¬¬p", "(¬(¬p))"),
        ("a + b * c ^ d ^ e", "(a + (b * (c ^ (d ^ e))))"),
        ("a - b - c", "((a - b) - c)"),
        ("x :: y :: xs ++ ys", "((x :: (y :: xs)) ++ ys)"),
        ("f x y + g z", "((f x y) + (g z))"),
        ("a + b = c ∧ d ≤ e", "(((a + b) = c) ∧ (d ≤ e))"),
        ("p ∧ ∀ x, q ∨ r", "(p ∧ (∀1 (q ∨ r)))"),
        ("∃ x y, x = y → p", "(∃2 ((x = y) → p))"),
        ("(x : Nat) → p x", "(Π1 (p x))"),
        ("{α : Type} → α → α", "(Π1 (α → α))"),
        ("p ∧ (x : Nat) → q", "((p ∧ (x : Nat)) → q)"),
        ("(x : Nat)", "(x : Nat)"),
        ("(f x : Nat) + y", "(((f x) : Nat) + y)"),
        ("(a → b) → c", "((a → b) → c)"),
        ("f fun x => x + 1", "(f (fun1 (x + 1)))"),
        ("f (n := 3) x", "(f n:=3 x)"),
        ("h ▸ e", "(h ▸ e)"),
        ("a ∣ b ∧ c ≠ d", "((a ∣ b) ∧ (c ≠ d))"),
        ("∀ x < n + 1, p", "(∀1 ((x < (n + 1)) → p))"),
        ("∃ x y > 0, p", "(∃1 ((x > 0) ∧ (∃1 ((y > 0) ∧ p))))"),
    ] {
        assert_eq!(shape(text), expected, "{text}");
    }
}

#[test]
fn terms_are_printed_as_lean_prints_them() {
    for text in [
        "p ∧ q → r",
        "(p → q) → r",
        "¬p ∨ ¬(p ∧ q)",
        "¬∃ x, p x",
        "p ∧ ∀ (x : Nat), q x ∨ r",
        "(∀ (x : Nat), q x) ∧ p",
        "∃ x, x = 1 ∧ ∀ (y : Nat), x ≤ y",
        "fun x => x + 1",
        "f (fun x => x) (g y)",
        "a + (b + c) = a + b + c",
        "(a + b) * c ^ 2",
        "x :: (xs ++ ys)",
        "⟨a, b, c⟩",
        "[1, 2, 3]",
        "h.left ▸ rfl",
        "let n : Nat := 1; n + n",
    ] {
        assert_eq!(print(&term(text).unwrap()), text);
    }
}

#[test]
fn what_is_wrong_is_said() {
    for (text, expected) in [
        ("a = b = c", "`=` does not chain"),
        ("a < b < c", "does not chain"),
        ("a +", "unexpected end, expected a term"),
        ("(a", "unexpected end, expected `)`"),
        ("a )", "unexpected `)`, expected the end"),
        ("fun => x", "unexpected `=>`, expected a variable"),
        ("∀ x y", "expected `,`"),
        ("if a then b else c", "unsupported: `if`"),
        ("match x with", "unsupported: `match`"),
        ("f by simp", "unexpected `by`"),
        ("fun ⟨a, b⟩ => a", "unsupported: patterns after `fun`"),
        ("f .intro", "unsupported: `.` before a name"),
        ("(· + 1)", "unsupported: `·`"),
        ("have ⟨a, b⟩ := h; a", "unsupported: a pattern after `have`"),
        ("have h := v a", "expected `;` or a line break"),
        ("f <| x", "unsupported: `<|`"),
        ("(a,)", "unexpected `)`, expected a term"),
        ("∀ (x : Nat) < n, p", "unsupported: variables with both"),
        ("∀ x y < f (f (f (f (f (f (f (f 1))))))), p", "unsupported: several variables"),
        ("()", "unsupported: `()`"),
        ("∀ [Group G], p", "unsupported: instance binders"),
        ("Type 33", "unsupported: a universe"),
        ("Type (u + 33)", "unsupported: a universe"),
        ("Type (u + v)", "expected a number"),
        ("Sort (max)", "expected a universe"),
        ("{x : Nat}", "expected `→`"),
        ("", "unexpected end, expected a term"),
        ("a $ b", "unexpected character `$`"),
    ] {
        let found = shape(text);
        assert!(found.starts_with("error: ") && found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn statements_are_read() {
    let read =
        statement("theorem add_zero' {α : Type} (n m : ℕ) (h : n = m) : n + 0 = m := by sorry").unwrap();
    assert_eq!(read.name.as_deref(), Some("add_zero'"));
    assert_eq!(read.binders.len(), 3);
    assert_eq!((read.binders[0].implicit, read.binders[1].names.len()), (true, 2));
    assert_eq!(print(&read.ty), "n + 0 = m");
    for text in ["example : True", "example : True := by", "example : True := sorry"] {
        assert_eq!(statement(text).unwrap().name, None, "{text}");
    }
    let error = statement("theorem t [Group G] : True").unwrap_err();
    assert!(error.what.contains("instance binders"), "{error}");
    assert!(statement("def f := 1").unwrap_err().what.contains("begins with"));
    assert!(statement("theorem t (x : Nat)").unwrap_err().what.contains("expected `:`"));
}

#[test]
fn no_depth_overflows_the_stack() {
    let nested = |n: usize, open: &str, close: &str| format!("{}x{}", open.repeat(n), close.repeat(n));
    for (open, close) in [
        ("(", ")"),
        ("f (", ")"),
        ("¬", ""),
        ("a → ", ""),
        ("(x : ", ")"),
        ("∀ y, ", ""),
        ("[", "]"),
        ("⟨", "⟩"),
    ] {
        assert!(term(&nested(200, open, close)).is_ok(), "{open}");
        let error = term(&nested(10_000, open, close)).unwrap_err();
        assert!(error.what.contains("too deeply"), "{open}: {error}");
    }
    let sum = vec!["x"; 10_000].join(" + ");
    assert!(term(&sum).unwrap_err().what.contains("too deeply"));
    assert!(term(&nested(10_000, "(x : ", "")).is_err());
}

fn exprs() -> impl Strategy<Value = Expr> {
    let expr = |kind| Expr::new(kind, Span::default());
    let name = prop::sample::select(vec!["x", "y", "f", "h.left", "Nat.succ", "α", "x₁"]);
    let leaf = prop_oneof![
        name.prop_map(|n| ExprKind::Ident(n.into())),
        (0u32..20).prop_map(|n| ExprKind::Num(n.into())),
        Just(ExprKind::Hole),
        Just(ExprKind::Synthetic(None)),
        (0u32..3).prop_map(|n| ExprKind::Sort(Universe::Num(n))),
        Just(ExprKind::Explicit("Eq.refl".into())),
    ]
    .prop_map(expr);
    leaf.prop_recursive(5, 40, 3, move |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let binders = (prop::bool::ANY, prop::option::of(inner.clone())).prop_map(|(implicit, ty)| Binders {
            names: vec!["x".into(), "y".into()],
            implicit: implicit && ty.is_some(),
            ty,
        });
        // Without a type each name is a separate binder.
        let binders = prop::collection::vec(binders, 1..3).prop_map(|all| {
            all.into_iter()
                .flat_map(|b| match b.ty {
                    Some(_) => vec![b],
                    None => b.names.iter().map(|n| Binders { names: vec![n.clone()], ..b.clone() }).collect(),
                })
                .collect::<Vec<_>>()
        });
        prop_oneof![
            (prop::sample::select(Operator::ALL), boxed.clone(), boxed.clone())
                .prop_map(|(op, a, b)| ExprKind::Binary(op, a, b)),
            (boxed.clone(), boxed.clone()).prop_map(|(a, b)| ExprKind::Arrow(a, b)),
            boxed.clone().prop_map(ExprKind::Not),
            (boxed.clone(), inner.clone()).prop_map(|(f, a)| match f.kind() {
                // An application as a head takes the argument in.
                ExprKind::App(..) => ExprKind::List(vec![*f, a]),
                _ => ExprKind::App(f, vec![Argument::Positional(a)]),
            }),
            (binders.clone(), boxed.clone()).prop_map(|(b, t)| ExprKind::Fun(b, t)),
            (binders.clone(), boxed.clone()).prop_map(|(b, t)| ExprKind::Forall(b, t)),
            (binders.clone(), boxed.clone()).prop_map(|(b, t)| ExprKind::Exists(b, t)),
            (binders, boxed.clone()).prop_map(|(b, t)| match b.into_iter().find(|b| b.ty.is_some()) {
                Some(typed) => ExprKind::Pi(Box::new(typed), t),
                None => ExprKind::Not(t),
            }),
            prop::collection::vec(inner.clone(), 0..3).prop_map(ExprKind::List),
            prop::collection::vec(inner.clone(), 1..3).prop_map(ExprKind::Anonymous),
            prop::collection::vec(inner.clone(), 2..3).prop_map(ExprKind::Tuple),
            (boxed.clone(), boxed.clone()).prop_map(|(a, b)| ExprKind::Ascription(a, b)),
            (boxed.clone(), boxed.clone(), boxed.clone()).prop_map(|(t, v, b)| ExprKind::Let(
                "z".into(),
                Some(t),
                v,
                b
            )),
            (boxed.clone(), boxed.clone(), boxed.clone()).prop_map(|(t, v, b)| ExprKind::Have(
                Some("h".into()),
                t,
                v,
                b
            )),
            (boxed.clone(), boxed.clone()).prop_map(|(t, b)| ExprKind::Show(t, b)),
            inner.prop_map(move |t| ExprKind::Project(Box::new(expr(ExprKind::List(vec![t]))), "1".into())),
        ]
        .prop_map(expr)
    })
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(expr in exprs()) {
        let text = print(&expr);
        match term(&text) {
            Ok(read) => prop_assert_eq!(&read, &expr, "{}", text),
            Err(error) => prop_assert!(false, "{}: {}", text, error),
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[a-c0-2 ()\\[\\]{}⟨⟩:,.;=→∀∃λ¬∧∨+*^▸_?@|\n-]{0,40}|\\PC{0,30}") {
        let _ = term(&text);
        let _ = statement(&format!("theorem t : {text}"));
        let _ = tactics(&text);
    }
}
