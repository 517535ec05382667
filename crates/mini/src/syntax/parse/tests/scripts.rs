//! The arguments of tactics, and commands.

use super::super::super::tactic::{
    Attribute, CommandKind, Location, Pattern, Rule, SimpArgument, Tactic, TacticKind,
};
use super::*;

fn expr(text: &str) -> Expr {
    term(text).unwrap()
}

fn names<const N: usize>(all: [&str; N]) -> Vec<Name> {
    all.map(Name::from).to_vec()
}

fn x(name: &str) -> Pattern {
    Pattern::Name(name.into())
}

fn rule(text: &str) -> Rule {
    Rule { reversed: false, term: expr(text) }
}

fn at<const N: usize>(hypotheses: [&str; N], goal: bool) -> Location {
    Location { hypotheses: names(hypotheses), goal, everywhere: false }
}

#[test]
fn tactics_hold_what_is_written() {
    use Pattern::{Alternatives, Clear, Rfl, Tuple, Typed, Wildcard};
    use TacticKind::*;
    let everywhere = Location { everywhere: true, ..Location::goal() };
    let ab = || Tuple(vec![x("a"), x("b")]);
    let typed = |p, ty| Typed(Box::new(p), expr(ty));
    for (text, expected) in [
        ("intro", Intro(vec![])),
        ("intro x ⟨a, b⟩ (h : T) _", Intro(vec![x("x"), ab(), typed(x("h"), "T"), Wildcard])),
        ("intro rfl", Intro(vec![Rfl])),
        (
            "rintro rfl (a | b) (c d : T) -",
            RIntro(vec![
                Rfl,
                Alternatives(vec![x("a"), x("b")]),
                typed(x("c"), "T"),
                typed(x("d"), "T"),
                Clear,
            ]),
        ),
        ("intros x y", Intros(names(["x", "y"]))),
        ("exists a, b", Exists(vec![expr("a"), expr("b")])),
        ("use f a", Use(vec![expr("f a")])),
        ("symm at h", Symm(at(["h"], false))),
        ("eq_refl", TacticKind::Rfl),
        ("admit", Sorry),
        ("cases e : f x", Cases { equation: Some("e".into()), target: expr("f x"), alternatives: None }),
        ("rcases h with ⟨a, b⟩ | _", RCases(expr("h"), Alternatives(vec![ab(), Wildcard]))),
        ("obtain ⟨a, b⟩ := h", RCases(expr("h"), ab())),
        ("obtain ⟨a, b⟩ | ⟨⟩ := h", RCases(expr("h"), Alternatives(vec![ab(), Tuple(vec![])]))),
        ("obtain ⟨a, b⟩ : ∃ x, p x := h", RCases(expr("(h : ∃ x, p x)"), ab())),
        ("obtain ⟨a, b⟩ : p", Obtain(ab(), expr("p"))),
        (
            "obtain ⟨⟨a, b⟩ | c, rfl⟩ := h",
            RCases(expr("h"), Tuple(vec![Alternatives(vec![ab(), x("c")]), Rfl])),
        ),
        (
            "generalize h : f a = x",
            Generalize { equation: Some("h".into()), term: expr("f a"), name: "x".into() },
        ),
        ("subst h k", Subst(vec![expr("h"), expr("k")])),
        (
            "rw [a, ← b, <- c x] at h h' ⊢",
            Rewrite {
                rules: vec![
                    rule("a"),
                    Rule { reversed: true, ..rule("b") },
                    Rule { reversed: true, ..rule("c x") },
                ],
                at: at(["h", "h'"], true),
                closes: true,
            },
        ),
        ("rewrite [a,]", Rewrite { rules: vec![rule("a")], at: Location::goal(), closes: false }),
        ("simp", Simp { only: false, arguments: vec![], at: Location::goal() }),
        (
            "simp only [h, -k, *, ← l] at *",
            Simp {
                only: true,
                arguments: vec![
                    SimpArgument::Rule(rule("h")),
                    SimpArgument::Without("k".into()),
                    SimpArgument::Hypotheses,
                    SimpArgument::Rule(Rule { reversed: true, ..rule("l") }),
                ],
                at: everywhere,
            },
        ),
        ("simp_all only", SimpAll { only: true, arguments: vec![] }),
        (
            "simpa [a] using f h",
            Simpa { only: false, arguments: vec![SimpArgument::Rule(rule("a"))], using: Some(expr("f h")) },
        ),
        ("unfold f g at h", Unfold(names(["f", "g"]), at(["h"], false))),
        ("show a = b", Show(expr("a = b"))),
        ("change p at h ⊢", Change(expr("p"), at(["h"], true))),
        ("have : p := h", Have { pattern: None, ty: Some(expr("p")), value: Some(expr("h")) }),
        ("have := f h", Have { pattern: None, ty: None, value: Some(expr("f h")) }),
        ("have h : p", Have { pattern: Some(x("h")), ty: Some(expr("p")), value: None }),
        ("have ⟨a, b⟩ := h", Have { pattern: Some(ab()), ty: None, value: Some(expr("h")) }),
        (
            "have h (n : Nat) : p n := f n",
            Have {
                pattern: Some(x("h")),
                ty: Some(expr("∀ (n : Nat), p n")),
                value: Some(expr("fun n => f n")),
            },
        ),
        (
            "have h (n : Nat) := f n",
            Have { pattern: Some(x("h")), ty: None, value: Some(expr("fun (n : Nat) => f n")) },
        ),
        ("let n := 1", Let { name: "n".into(), ty: None, value: expr("1") }),
        (
            "suffices h : p from f h",
            Suffices { name: Some("h".into()), ty: expr("p"), from: Some(expr("f h")) },
        ),
        (
            "suffices h : p by simp",
            Suffices { name: Some("h".into()), ty: expr("p"), from: Some(expr("by simp")) },
        ),
        ("suffices p", Suffices { name: None, ty: expr("p"), from: None }),
        ("by_cases h : p ∧ q", ByCases(Some("h".into()), expr("p ∧ q"))),
        ("by_cases p", ByCases(None, expr("p"))),
        ("by_contra h", ByContra(Some("h".into()))),
        ("funext x y", Funext(names(["x", "y"]))),
        ("injection h with a b", Injection(expr("h"), names(["a", "b"]))),
        ("specialize h a b", Specialize(expr("h a b"))),
        ("clear h k", TacticKind::Clear(names(["h", "k"]))),
        ("rename_i x _", RenameI(names(["x", "_"]))),
        ("next x => skip", Next(names(["x"]), vec![Tactic { kind: Skip, span: Span::default() }])),
        ("rotate_left", Rotate(1)),
        ("rotate_right 2", Rotate(-2)),
        ("exact left", Exact(expr("left"))),
    ] {
        let found = tactics(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].kind, expected, "{text}");
        assert_eq!(found[0].span, Span { start: 0, end: text.len() }, "{text}");
    }
}

#[test]
fn a_file_is_its_commands() {
    let text = "/-! About α. -/
/-- A fact. -/
@[simp] private theorem foo.bar {p q : Prop} (h : p) : q ∨ p := by
  right
  exact h

-- Not proved.
lemma open_one : 1 = 1 := by
  sorry
example : True := f
  trivial
@[reducible] def f (n : Nat) : Nat := n + 1
abbrev g := f
axiom choice {α : Type} : α
inductive T (α : Type) : Nat → Type where
  | nil : T α 0
  | cons (n : Nat) (x : α) : T α (n + 1)
inductive E | a | b
attribute [simp, reducible] f g";
    let first_column = text.replace("by\n  sorry", "by\nsorry");
    assert_eq!(commands(&first_column).unwrap_err().line_column(&first_column), (9, 1));
    let found = commands(text).unwrap();
    let starts: Vec<&str> =
        found.iter().map(|c| text[c.span.start..c.span.end].split([' ', '\n']).next().unwrap()).collect();
    assert_eq!(
        starts,
        ["/--", "lemma", "example", "@[reducible]", "abbrev", "axiom", "inductive", "inductive", "attribute"]
    );
    let CommandKind::Theorem { statement, proof, attributes } = &found[0].kind else { panic!() };
    assert_eq!(
        &text[statement.span.start..statement.span.end],
        "theorem foo.bar {p q : Prop} (h : p) : q ∨ p"
    );
    assert_eq!((statement.name.as_deref(), attributes), (Some("foo.bar"), &vec![Attribute::Simp]));
    assert_eq!(&text[proof.span().start..proof.span().end], "by\n  right\n  exact h");
    let CommandKind::Theorem { proof, .. } = &found[2].kind else { panic!() };
    assert_eq!(proof, &expr("f trivial"));
    let CommandKind::Definition { attributes, ty, .. } = &found[4].kind else { panic!() };
    assert_eq!((attributes, ty), (&vec![Attribute::Reducible], &None));
    let CommandKind::Inductive { constructors, params, .. } = &found[6].kind else { panic!() };
    assert_eq!((constructors.len(), constructors[1].1.len(), params.len()), (2, 2, 1));
    assert_eq!(
        found[8].kind,
        CommandKind::Attribute(vec![Attribute::Simp, Attribute::Reducible], names(["f", "g"]))
    );
}

#[test]
fn commands_that_are_not_there_are_named() {
    for (text, expected) in [
        ("import Mathlib", "unsupported: `import`"),
        ("open Nat", "unsupported: `open`"),
        ("theorem t : p := h\nvariable (x : Nat)", "unsupported: `variable`"),
        ("set_option maxRecDepth 1 in \"", "unsupported: `set_option`"),
        ("#check a", "unsupported: `#check`"),
        ("@[simp] instance : A := b", "unsupported: `instance`"),
        ("foo bar", "unknown command `foo`"),
        ("theorem t : p := by\n  skip\nfoo", "unknown command `foo`"),
        ("theorem t : p := by\n  skip\n rfl", "unknown command `rfl`"),
        ("theorem t : p", "unexpected end, expected `:=`"),
        ("theorem t.{u} (α : Sort u) : p := h", "unsupported: universe parameters of `t`; leave"),
        ("def f.{u} (α : Sort u) := α", "unsupported: universe parameters of `f`; leave"),
        ("def f : Nat → Nat | 0 => 1", "unsupported: definitions by patterns"),
        ("inductive T | a deriving Repr", "unsupported: `deriving`"),
        ("@[simp] axiom a : p", "unsupported: attributes of `axiom`"),
        ("attribute [-simp] f", "unsupported: `-` in an attribute"),
        ("@[ext] theorem t : p := h", "unsupported: the attribute `ext`"),
        ("by simp", "unexpected `by`, expected a command"),
    ] {
        let error = commands(text).unwrap_err();
        assert!(error.what.contains(expected), "{text}: {error}");
    }
}

#[test]
fn a_comment_documents_a_declaration() {
    for text in [
        "/-- a -/ @[simp] theorem t : p := h /-- b -/ example : p := h /-- c -/\ndef f := h /-! d -/ /-! e -/",
        "/-- a -/ inductive T where\n  /-- b -/\n  | a\n  | /-- c -/ b\n  /-- d -/ | /-- e -/ c\n/-- f -/ axiom a : p",
        "/-- a -/ theorem t : p := by\n  trivial\n/-- b -/\nprivate theorem u : p := h",
    ] {
        assert!(commands(text).is_ok(), "{text}: {:?}", commands(text));
    }
    for (text, place) in [
        ("theorem t : p := h\n/-- a -/", (2, 1)),
        ("theorem t : p := h\n/-- a -/\nattribute [simp] t", (2, 1)),
        ("/-- a -/ /-- b -/ theorem t : p := h", (1, 1)),
        ("/-- a -/ /-! b -/ theorem t : p := h", (1, 1)),
        ("/-- a -/ end", (1, 1)),
        ("theorem t : p := f /-- a -/ h", (1, 20)),
        ("inductive T where\n  | a\n  /-- b -/", (3, 3)),
    ] {
        let error = commands(text).unwrap_err();
        assert!(error.what.contains("documents no declaration"), "{text}: {error}");
        assert_eq!(error.line_column(text), place, "{text}");
    }
    for text in ["@[simp] /-- a -/ theorem t : p := h", "theorem t : p := by\n  /-! a -/\n  trivial"] {
        let error = commands(text).unwrap_err();
        assert!(error.what.contains("unexpected documentation comment"), "{text}: {error}");
    }
}

/// Fragments for random texts.
const SOUP: &[&str] = &[
    "theorem",
    "example",
    "def",
    "inductive",
    "axiom",
    "attribute",
    "/-- a -/",
    "/-! b -/",
    "@[",
    "simp",
    "t",
    ":",
    ":=",
    "by",
    "\n",
    "\n  ",
    "\n    ",
    ";",
    "<;>",
    "·",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "⟨",
    "⟩",
    "|",
    "=>",
    "with",
    "at",
    "⊢",
    "*",
    "-",
    "←",
    "intro",
    "exact",
    "cases",
    "induction",
    "have",
    "let",
    "show",
    "from",
    "calc",
    "_",
    "=",
    "x",
    "∀",
    "∃",
    "fun",
    ",",
    "first",
    "case",
    "rw",
    "obtain",
    "rcases",
    "suffices",
    "?_",
    "1",
    ".1",
    "sorry",
    "<",
    "→",
    "¬",
    "α",
    "#",
    "\"",
    "by_cases",
    "generalize",
    "try",
    "repeat",
    "/-",
    "-/",
    "--",
    "rotate_left",
    "subst",
    "where",
    "using",
    "@",
    ".",
];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        rng_seed: proptest::test_runner::RngSeed::Fixed(7),
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_soup_makes_the_parser_panic(
        words in prop::collection::vec(prop::sample::select(SOUP), 0..40),
        start in prop::sample::select(vec!["", "theorem t : p := by\n  ", "exact ", "cases h with | a => "]),
        glue in prop::sample::select(vec![" ", ""]),
    ) {
        let text = format!("{start}{}", words.join(glue));
        for error in [tactics(&text).err(), commands(&text).err(), statement(&text).err()].into_iter().flatten() {
            prop_assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{}", text);
            prop_assert!(text.get(error.span.start..error.span.end).is_some(), "{}", text);
        }
        for command in commands(&text).into_iter().flatten() {
            prop_assert!(text.get(command.span.start..command.span.end).is_some_and(|t| t.trim() == t));
        }
    }
}
