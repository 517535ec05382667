//! Where tactics begin and end.

use super::super::super::tactic::{AlternativeProof, Tactic, TacticKind};
use super::*;

/// Tactics abbreviated: `e` is `exact` with its term, `[…]` a block.
fn shape(text: &str) -> String {
    match tactics(text) {
        Ok(found) => block(&found),
        Err(error) => format!("error: {error}"),
    }
}

fn block(tactics: &[Tactic]) -> String {
    tactics.iter().map(tactic).collect::<Vec<_>>().join("; ")
}

fn tactic(tactic_: &Tactic) -> String {
    let name = |text: String| text.split([' ', '(', '{']).next().unwrap_or_default().to_lowercase();
    match &tactic_.kind {
        TacticKind::Exact(term) => format!("exact {}", value(term)),
        TacticKind::Have { value: Some(v), .. } => format!("have {}", value(v)),
        TacticKind::Bullet(b) => format!("·[{}]", block(b)),
        TacticKind::Paren(b) => format!("([{}])", block(b)),
        TacticKind::Repeat(b) => format!("repeat[{}]", block(b)),
        TacticKind::AllGoals(b) => format!("all[{}]", block(b)),
        TacticKind::Try(b) => format!("try[{}]", block(b)),
        TacticKind::Case { tag, block: b, .. } => format!("case {tag}[{}]", block(b)),
        TacticKind::First(all) => {
            format!("first[{}]", all.iter().map(|b| block(b)).collect::<Vec<_>>().join(" | "))
        }
        TacticKind::Then(a, b) => format!("<{}, {}>", tactic(a), tactic(b)),
        TacticKind::Calc(steps) => {
            let steps = steps.iter().map(|(a, b)| format!("{} by {}", value(a), value(b)));
            format!("calc[{}]", steps.collect::<Vec<_>>().join(", "))
        }
        TacticKind::Cases { alternatives: Some(all), .. }
        | TacticKind::Induction { alternatives: Some(all), .. } => {
            let one = |a: &super::super::super::tactic::Alternative| {
                let proof = match &a.proof {
                    AlternativeProof::Goal => "?".to_owned(),
                    AlternativeProof::Block(b) => block(b),
                };
                format!("{}({})[{proof}]", a.constructors.join("|"), a.names.join(" "))
            };
            format!("cases {}", all.iter().map(one).collect::<Vec<_>>().join(" "))
        }
        kind => name(format!("{kind:?}")),
    }
}

fn value(term: &Expr) -> String {
    match term.kind() {
        ExprKind::By(b) => format!("by[{}]", block(b)),
        ExprKind::App(f, arguments) => {
            let arguments = arguments.iter().map(|a| match a {
                Argument::Positional(a) => value(a),
                Argument::Named(x, a) => format!("{x}:={}", value(a)),
            });
            format!("({} {})", value(f), arguments.collect::<Vec<_>>().join(" "))
        }
        _ => print(term),
    }
}

#[test]
fn columns_say_where_tactics_end() {
    for (text, expected) in [
        ("exact h\nexact k", "exact h; exact k"),
        ("  exact h\n  exact k\n", "exact h; exact k"),
        ("exact f\n  x\n  y", "exact (f x y)"),
        ("exact f\n  + x", "exact f + x"),
        ("exact (f\nx)", "exact (f x)"),
        ("exact h; exact k;", "exact h; exact k"),
        ("exact h;\nexact k", "exact h; exact k"),
        ("intro\nexact h", "intro; exact h"),
        ("simp\n(rfl)", "simp; ([rfl])"),
        ("have h : p := by\n  skip\n  rfl\nexact h", "have by[skip; rfl]; exact h"),
        ("have h : p := by skip; rfl\nexact h", "have by[skip; rfl]; exact h"),
        ("exact f (by simp) x", "exact (f by[simp] x)"),
        ("exact f (by simp; rfl\n  ) x", "exact (f by[simp; rfl] x)"),
        ("exact by { simp; rfl }", "exact by[simp; rfl]"),
        ("have := f fun x => by\n  simp\nrfl", "have (f fun x => by …); rfl"),
        ("exact\n  have h : p := f\n    x\n  h", "exact have h : p := f x; h"),
        ("exact\n  let n := 1\n  have h : p := v\n  f\n  h", "exact let n := 1; have h : p := v; f h"),
        ("exact show p from f\n  x", "exact show p from f x"),
        ("exact show p by simp", "exact show p from by …"),
        ("exact sorry", "exact by[sorry]"),
    ] {
        assert_eq!(shape(text), expected, "{text}");
    }
}

#[test]
fn blocks_hold_what_is_in_their_column() {
    for (text, expected) in [
        ("constructor\n· exact a\n  exact b\n· exact c", "constructor; ·[exact a; exact b]; ·[exact c]"),
        (". skip\n. rfl", "·[skip]; ·[rfl]"),
        ("·\n  skip\n  rfl", "·[skip; rfl]"),
        ("{ skip; rfl }\n{ skip\n  rfl }", "·[skip; rfl]; ·[skip; rfl]"),
        ("(skip; rfl) <;> simp", "<([skip; rfl]), simp>"),
        ("skip <;> rfl <;> simp", "<<skip, rfl>, simp>"),
        ("skip\n  <;> rfl\nsimp", "<skip, rfl>; simp"),
        ("try rfl <;> simp", "try[<rfl, simp>]"),
        ("repeat skip\nrfl", "repeat[skip]; rfl"),
        ("all_goals\n  skip\n  rfl\nsimp", "all[skip; rfl]; simp"),
        ("first | rfl | skip; simp\nomega", "first[rfl | skip; simp]; omega"),
        ("first\n| rfl\n| exact f\n   x", "first[rfl | exact (f x)]"),
        ("case inl h => skip; rfl\nsimp", "case inl[skip; rfl]; simp"),
        ("case _ =>\n  skip\n  rfl\nsimp", "case _[skip; rfl]; simp"),
        (
            "cases h with\n| inl a =>\n  exact f\n    a\n| inr b =>\n  skip\n  rfl\nsimp",
            "cases inl(a)[exact (f a)] inr(b)[skip; rfl]; simp",
        ),
        ("cases h with | inl a => exact x | inr b => exact y", "cases inl(a)[exact x] inr(b)[exact y]"),
        ("cases h with | inl h | inr h => rfl", "cases inl|inr(h)[rfl]"),
        (
            "cases h with\n| inl a =>\n  cases a with\n  | x => skip\n  | _ => rfl\n| inr b => simp",
            "cases inl(a)[cases x()[skip] _()[rfl]] inr(b)[simp]",
        ),
        ("cases h with\n| inl a => rcases a with b | c\n| inr b => rfl", "cases inl(a)[rcases] inr(b)[rfl]"),
        ("induction n generalizing m k with | zero => ?_ | succ n ih => _", "cases zero()[?] succ(n ih)[?]"),
        (
            "calc a = b := p\n  _ = c := by\n    simp\n  _ = d := q x\nrfl",
            "calc[a = b by p, _ = c by by[simp], _ = d by (q x)]; rfl",
        ),
        ("calc\n  a = b := p\n  b = c := q\nrfl", "calc[a = b by p, b = c by q]; rfl"),
        ("calc a\n_ = b := p", "calc[a = _ by rfl, _ = b by p]"),
        ("exacts [a, b]", "([·[exact a]; ·[exact b]; done])"),
        ("rwa [a] at h", "([rewrite; assumption])"),
    ] {
        assert_eq!(shape(text), expected, "{text}");
    }
}

#[test]
fn what_stands_wrong_is_refused() {
    for (text, expected) in [
        ("", "unexpected end, expected a tactic"),
        ("skip\n rfl", "unexpected `rfl`, expected the end"),
        ("  skip\nrfl", "unexpected `rfl`, expected the end"),
        ("have h : p := by\nsimp", "further to the right"),
        ("exact by", "unexpected end, expected a tactic"),
        ("skip rfl", "unexpected `rfl`, expected the end"),
        ("foo bar", "unknown tactic `foo`"),
        ("simp?", "unknown tactic `simp?`"),
        ("match h with", "unknown tactic `match`"),
        ("skip\nlinarith", "unknown tactic `linarith`"),
        ("(skip", "expected `)`"),
        ("erw [a]", "unsupported: `erw`"),
        ("cases h using r", "unsupported: `using`"),
        ("cases h with\n| @inl a => rfl", "unsupported: `@`"),
        ("cases h with | inl a | inr b => rfl", "unsupported: alternatives that share"),
        ("rw (config := {}) [a]", "unsupported: settings"),
        ("rw h", "expected `[`"),
        ("simp at", "expected a hypothesis"),
        ("obtain h", "expected `:` or `:=`"),
        ("show p from h", "the tactic `show` takes a type alone"),
        ("show p by simp", "the tactic `show` takes a type alone"),
        ("skip\n\texact h", "a tab stands here"),
        ("exact\th", "a tab stands here"),
        ("have h", "expected `:` or `:=`"),
        ("exact a \"", "unexpected character `\"`"),
        ("theorem", "expected a tactic"),
    ] {
        let found = shape(text);
        assert!(found.starts_with("error: ") && found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn no_depth_of_tactics_overflows_the_stack() {
    let nested =
        |n: usize, open: &str, end: &str, close: &str| format!("{}{end}{}", open.repeat(n), close.repeat(n));
    for (open, end, close) in [
        ("· ", "skip", ""),
        ("(", "skip", ")"),
        ("{", "skip", "}"),
        ("exact by ", "rfl", ""),
        ("exact (by ", "rfl", ")"),
        ("exact (by exact ", "a", " + a)"),
        ("exact f (fun x => by ", "skip", ")"),
        ("exact ¬ by ", "skip", ""),
        ("try ", "rfl", ""),
        ("first | ", "rfl", ""),
        ("have h (x : by ", "rfl", ") : p := x"),
        ("rintro (x y : by ", "rfl", ")"),
        ("cases h with | inl => ", "skip", ""),
    ] {
        let text = nested(2, open, end, close);
        assert!(tactics(&text).is_ok(), "{text}: {:?}", tactics(&text).err());
        let error = tactics(&nested(10_000, open, end, close)).unwrap_err();
        assert!(error.what.contains("too deeply") || error.what.contains("as large as"), "{open}: {error}");
    }
    let intro = format!("intro {}x", "⟨".repeat(10_000));
    assert!(tactics(&intro).unwrap_err().what.contains("too deeply"));
    let chain = vec!["skip"; 10_000].join(" <;> ");
    assert!(tactics(&chain).unwrap_err().what.contains("too deeply"));
    assert!(term(&"by ".repeat(10_000)).is_err());
    // Nested long chains.
    let sum = format!(" {}", "+ a ".repeat(300));
    let error = tactics(&nested(300, "exact (by exact ", "a", &format!("{sum})"))).unwrap_err();
    assert!(error.what.contains("too deeply"), "{error}");
}
