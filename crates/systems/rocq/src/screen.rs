//! The screen for tactics in Coq: a tactic must be the body of exactly one sentence, with the same meaning in
//! parentheses, as it is tried, and bare, as it appears in the script.

use super::commands::{does, group, native};
use super::lexer::{Kind, Piece, code as pieces_of};
use andor_env::screen::{Refusal, balanced, characters, code, length};

/// Tactics and commands that leave a goal unproved while closing it.
const GIVING_UP: &[&str] = &["admit", "give_up", "Admitted"];

/// Checks that a text is the body of exactly one tactic sentence, and returns it trimmed, without a final period.
///
/// Brackets, comments and strings are balanced, no sentence ends inside, and nothing is invisible. In parentheses
/// such a text can only be read as a tactic, never as a command. Texts with another meaning without parentheses are
/// rejected: commands, even if the theorem's file has a tactic of that name, and prefixes of tactics.
pub fn tactic_body(text: &str) -> Result<&str, Refusal> {
    let mut body = text.trim();
    length(body)?;
    characters(body, 0..body.len())?;
    if let Some(stripped) = body.strip_suffix('.')
        && !stripped.ends_with('.')
    {
        body = stripped.trim_end();
    }
    let pieces = pieces_of(body)?;
    let first = pieces.first().ok_or(Refusal::Empty)?;
    // Between pieces there are only comments and Coq's own white space.
    code(body, pieces.iter().filter(|p| p.kind != Kind::String).map(|p| p.start..p.end()), &[])?;
    // A final `..` would become `...` with the period.
    let ends = |p: &Piece<'_>| p.ends_sentence() || (p.kind == Kind::Dots && pieces.last() == Some(p));
    if let Some(end) = pieces.iter().find(|p| ends(p)) {
        return Err(Refusal::Several { at: end.start });
    }
    let symbols = pieces.iter().filter(|p| p.kind == Kind::Symbol);
    balanced(symbols.filter_map(|p| Some((p.text.chars().next()?, p.start))))?;
    head(first, &pieces)?;
    pieces.iter().try_for_each(native)?;
    match pieces.iter().find(|p| p.kind == Kind::Word && GIVING_UP.contains(&p.text)) {
        Some(word) => Err(Refusal::GivesUp { word: word.text.to_owned(), at: word.start }),
        None => Ok(body),
    }
}

/// Rejects texts that do not begin like a tactic.
fn head(first: &Piece<'_>, pieces: &[Piece<'_>]) -> Result<(), Refusal> {
    let colon_at = |at: usize| {
        let is = |at: usize, symbol: &str| pieces.get(at).is_some_and(|p| p.is_symbol(symbol));
        is(at, ":") && !is(at + 1, "=")
    };
    let lead = |what| Err(Refusal::Lead { what });
    match (first.kind, first.text) {
        (Kind::Number, _) | (Kind::Symbol, "!") => lead("a goal selector"),
        (Kind::Word, "all" | "par") if colon_at(1) => lead("a goal selector"),
        (Kind::Symbol, "[") if colon_at(group(pieces)) => lead("a goal selector"),
        (Kind::Symbol, "-" | "+" | "*") => lead("a bullet"),
        (Kind::Symbol, "{" | "}") => lead("a brace"),
        (Kind::Symbol, "#") => lead("an attribute"),
        (Kind::Symbol, ".") => lead("a period"),
        (Kind::Word, name) => {
            // Without parentheses, Coq reads a command even if a dot follows its first word.
            let word = name.split('.').next().unwrap_or(name);
            let command = |does| Refusal::Command { word: word.to_owned(), does, at: first.start };
            does(word).map_or(Ok(()), |does| Err(command(does)))
        }
        _ => Ok(()),
    }
}

/// A tactic for the goal of a named metavariable, `[name]: tactic`: the name, and the tactic. Any other text is returned as it
/// is.
pub(super) fn addressed(text: &str) -> (Option<&str>, &str) {
    let pieces = pieces_of(text).unwrap_or_default();
    let [open, name, close, colon, next, ..] = &pieces[..] else { return (None, text) };
    let is_selector = open.is_symbol("[")
        && name.kind == Kind::Word
        && close.is_symbol("]")
        && colon.is_symbol(":")
        && !next.is_symbol("=");
    if is_selector { (Some(name.text), text[next.start..].trim_end()) } else { (None, text) }
}

/// A tactic body in parentheses. The spaces prevent a star at either end from forming a comment delimiter.
pub(super) fn in_parentheses(body: &str) -> String {
    format!("( {body} )")
}

/// A tactic body as a sentence of a script: bare, or in parentheses if its first word looks like a command, since a
/// reader who does not know the tactic could not tell the two apart.
pub(super) fn in_script(body: &str) -> String {
    let capital = body.starts_with(|c: char| c.is_ascii_uppercase());
    if capital { format!("{}.", in_parentheses(body)) } else { format!("{body}.") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::sentence::split;
    use super::*;
    use andor_env::screen::{MAX_BYTES, Unclosed};

    /// Texts built from fragments of tactics and of escapes.
    fn text() -> impl Strategy<Value = String> {
        let parts = "auto|Qed|Load|x\\.y|\\.|\\.\\.|\\.\\.\\.|\\. |\\.\n| |\n|\t|\\(|\\)|\\[|\\]|\\{|\\}|\\(\\*|\\*\\)|\\*|\"|\"\"|;|:|=|-|\\+|1|1\\.5|!|#|,|all|∀|α|\u{a0}|\u{c}";
        prop::collection::vec(parts, 0..12).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn a_tactic_body_makes_exactly_one_sentence_in_parentheses_and_bare(
            text in prop_oneof![text(), "[.(*)\"{}\\[\\]:+ \na-c∀]{0,30}", "\\PC{0,30}"]
        ) {
            if let Ok(body) = tactic_body(&text) {
                for sentence in [format!("{}.", in_parentheses(body)), format!("{body}.")] {
                    let behind = format!("{sentence}\nQed.");
                    let found: Vec<&str> = split(&behind).unwrap().into_iter().map(|s| s.text).collect();
                    // A comment before the first word is not part of the sentence.
                    prop_assert_eq!(found.len(), 2, "{:?}", behind);
                    prop_assert!(sentence.ends_with(found[0]) && found[1] == "Qed.", "{:?}", behind);
                }
            }
        }
    }

    #[test]
    fn one_tactic_sentence_passes() {
        for ok in [
            "intros",
            "intros x. ",
            "destruct H as [x [y|z]]; simpl in *",
            "exists (S n)",
            "rewrite Nat.add_comm, <- H",
            "idtac \"a. b\"",
            "idtac \"a \"\" (* . b\"",
            "apply (f (* a. b *) x)",
            "(* a. b *) auto",
            "auto (* “so” – it is; admit. *)",
            "set (x := 1.5%R)",
            "exists 0.5%R, -1",
            "exact (x.(field) + 1.)",
            "exact {| px := 1; py := {{ 2 }} |}",
            "exists (λ x)",
            "intros α' hₙ x₁ сумма; exact (∀ x : ℕ, x ≤ x)",
            // ssreflect
            "by move=> x; rewrite addnC",
            "move=> /andP[ha /eqP->] //=",
            "case: x => [|n] /=; first by []",
            "rewrite -[x in RHS]/(y) {2}H !addnA ?mul1n //",
            "elim: n {-2}n (leqnn n) => [|n IHn] [|m] //",
            "have [] := H; last first",
            "apply/eqP; exact: foo",
            // Misleading words and brackets.
            "[> auto | ] ; all: auto",
            "[> auto.. ]",
            "only 1: auto",
            "let all := constr:(1) in exact all",
            "apply Load.foo; exact (Qed, Print)",
            "exact_no_check I",
            "apply admits; apply Foo.admit, admit_x, admit'",
            "idtac \"admit\"",
            "abstract lia using goal",
            "all_tac",
            "match goal with |- ?x = _ => idtac x | _ => fail 1 \"no\" end",
        ] {
            assert!(tactic_body(ok).is_ok(), "{ok}: {:?}", tactic_body(ok));
        }
        assert_eq!(tactic_body(" lia.\n"), Ok("lia"));
        assert_eq!(tactic_body("lia .\r\n"), Ok("lia"));
    }

    #[test]
    fn what_is_not_one_tactic_is_refused() {
        for (text, refusal) in [
            ("", Refusal::Empty),
            ("  (* only a comment *) ", Refusal::Empty),
            (".", Refusal::Empty),
            ("idtac. Axiom bad : False. idtac", Refusal::Several { at: 5 }),
            ("auto.\nQed", Refusal::Several { at: 4 }),
            ("auto...", Refusal::Several { at: 4 }),
            // With the final period it would become `...`.
            ("auto..", Refusal::Several { at: 4 }),
            ("auto .. ", Refusal::Several { at: 5 }),
            ("auto. (* done *)", Refusal::Several { at: 4 }),
            ("idtac). Axiom bad : False. (idtac", Refusal::Several { at: 6 }),
            ("idtac)", Refusal::Unbalanced { bracket: ')', at: 5 }),
            ("idtac); (idtac", Refusal::Unbalanced { bracket: ')', at: 5 }),
            ("(idtac", Refusal::Unbalanced { bracket: '(', at: 0 }),
            ("intros [x", Refusal::Unbalanced { bracket: '[', at: 7 }),
            ("auto (* open", Unclosed { what: "comment", at: 5 }.into()),
            ("auto (*)", Unclosed { what: "comment", at: 5 }.into()),
            ("auto (* \" *)", Unclosed { what: "string", at: 8 }.into()),
            ("idtac \"open", Unclosed { what: "string", at: 6 }.into()),
            ("1: auto", Refusal::Lead { what: "a goal selector" }),
            ("2,3-5: auto", Refusal::Lead { what: "a goal selector" }),
            ("all: auto", Refusal::Lead { what: "a goal selector" }),
            ("par : auto", Refusal::Lead { what: "a goal selector" }),
            ("!: auto", Refusal::Lead { what: "a goal selector" }),
            ("[x]: auto", Refusal::Lead { what: "a goal selector" }),
            ("(* a *) [ x ] (* b *) : auto", Refusal::Lead { what: "a goal selector" }),
            ("- auto", Refusal::Lead { what: "a bullet" }),
            ("++ auto", Refusal::Lead { what: "a bullet" }),
            ("{ auto }", Refusal::Lead { what: "a brace" }),
            ("#[local] Axiom a : False", Refusal::Lead { what: "an attribute" }),
            (". auto", Refusal::Several { at: 0 }),
            (".auto", Refusal::Lead { what: "a period" }),
            ("intros\u{200b}x", Refusal::Invisible { character: '\u{200b}', at: 6 }),
            ("auto (* \u{202e} *)", Refusal::Invisible { character: '\u{202e}', at: 8 }),
            ("intros\u{0}", Refusal::Control { character: '\0', at: 6 }),
            ("intros\u{a0}x", Refusal::WhiteSpace { character: '\u{a0}', at: 6 }),
            ("auto․ Qed", Refusal::LookAlike { character: '․', like: '.', at: 4 }),
            ("auto； auto", Refusal::LookAlike { character: '；', like: ';', at: 4 }),
        ] {
            assert_eq!(tactic_body(text), Err(refusal), "{text:?}");
        }
        let long = format!("idtac {}", "x ".repeat(MAX_BYTES / 2));
        assert!(matches!(tactic_body(&long), Err(Refusal::TooLong(_))));
    }

    #[test]
    fn commands_are_refused_by_what_they_do() {
        for (text, word, part) in [
            ("Lemma a : True", "Lemma", "opens"),
            ("Proof", "Proof", "opens"),
            ("Qed", "Qed", "closes"),
            ("End a", "End", "closes"),
            ("Abort", "Abort", "unfinished"),
            ("Admitted", "Admitted", "unfinished"),
            ("(* a *) Axiom bad : False", "Axiom", "declares"),
            ("Ltac lia := admit", "Ltac", "declares"),
            ("Hint Resolve a : core", "Hint", "declares"),
            ("Set Printing All", "Set", "settings"),
            ("Local Unset Guard Checking", "Local", "settings"),
            ("Opaque plus", "Opaque", "settings"),
            ("Load \"x\"", "Load", "accesses"),
            ("Require Import a", "Require", "accesses"),
            ("Redirect \"x\" Check nat", "Redirect", "accesses"),
            ("Show", "Show", "prints"),
            ("Show.x", "Show", "prints"),
            ("Check nat", "Check", "prints"),
            ("Undo 2", "Undo", "elsewhere"),
            ("Unshelve", "Unshelve", "elsewhere"),
            ("Timeout 100 auto", "Timeout", "controls"),
            ("Fail auto", "Fail", "controls"),
            ("infoH auto", "infoH", "controls"),
        ] {
            match tactic_body(text) {
                Err(Refusal::Command { word: found, does, .. }) => {
                    assert_eq!(found, word, "{text}");
                    assert!(does.contains(part), "{text}: {does}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_runs_another_compiler_is_refused_wherever_it_stands() {
        for text in ["native_compute", "auto; native_cast_no_check I", "exact ltac:(native_compute; auto)"] {
            let refusal = tactic_body(text);
            assert!(
                matches!(&refusal, Err(Refusal::Outside { command, .. }) if command.starts_with("native_")),
                "{text}: {refusal:?}"
            );
        }
        assert!(tactic_body("vm_compute; exact (f native_computed \"native_compute\")").is_ok());
    }

    #[test]
    fn a_script_has_tactics_that_its_reader_can_tell_from_commands() {
        assert_eq!(in_script("auto"), "auto.");
        assert_eq!(in_script("Crush x"), "( Crush x ).");
        for body in ["auto", "Crush x", "D.solve", "-> x"] {
            assert_eq!(super::super::commands::forbidden_commands(&in_script(body)), Ok(()), "{body}");
        }
    }

    #[test]
    fn giving_up_is_refused_wherever_it_stands() {
        for (text, word, at) in [
            ("admit", "admit", 0),
            ("auto; admit", "admit", 6),
            ("first [lia|give_up]", "give_up", 11),
            ("exact ltac:(admit)", "admit", 12),
            ("idtac; Admitted", "Admitted", 7),
        ] {
            let word = word.to_owned();
            assert_eq!(tactic_body(text), Err(Refusal::GivesUp { word, at }), "{text}");
        }
    }
}
