//! Refuses dangerous commands in files: submissions, challenges and headers.

use std::collections::HashSet;

use super::super::lexer::{self, Kind, Piece, is_blank};
use super::{bare, does, forms, native, options, symbols};
use andor_env::screen::{Refusal, characters, white_space};

/// Attributes that turn off kernel checks for one declaration.
const BYPASS: &str = "bypass_check";

/// An upper bound of the number of words of an option.
const OPTION_WORDS: usize = 8;

/// Refuses a file with any command or option that is not known to be harmless. Harmless ones only declare, prove,
/// print, or change how later text is read; they do not access files or programs, undo earlier commands, or turn off
/// kernel checks. Required libraries are still loaded.
///
/// Commands are searched at every position where Coq could begin a sentence, more than the actual ones, since a file
/// can define symbols by notations. A sentence that begins with a small letter or a symbol is a tactic, and so is
/// one with an unknown word that the file itself defines as a tactic.
pub fn forbidden_commands(text: &str) -> Result<(), Refusal> {
    let pieces: Vec<Piece<'_>> = lexer::pieces(text).collect::<Result<_, _>>()?;
    let (comments, code): (Vec<_>, Vec<_>) = pieces.into_iter().partition(|p| p.kind == Kind::Comment);
    symbols::check(text, &comments, sentences(text, &code))?;
    for piece in code.iter().filter(|p| p.kind != Kind::String) {
        characters(text, piece.start..piece.end())?;
        // Coq treats some characters that look like spaces as letters.
        if piece.kind != Kind::Word {
            white_space(text, piece.start..piece.end())?;
        }
        words(piece)?;
    }
    let tactics: HashSet<&str> = sentences(text, &code).flat_map(own_tactics).collect();
    sentences(text, &code).try_for_each(|pieces| sentence(pieces, &tactics))
}

/// Possible sentences. The second dot of `+..` ends one if `+.` is a symbol; `..` after a space does not.
fn sentences<'a>(text: &'a str, code: &'a [Piece<'a>]) -> impl Iterator<Item = &'a [Piece<'a>]> {
    let recursive = |p: &Piece<'_>| p.text == ".." && text[..p.start].ends_with(is_blank);
    code.split_inclusive(move |piece| piece.kind == Kind::Dots && !recursive(piece))
}

/// Refuses words that are not allowed anywhere.
fn words(piece: &Piece<'_>) -> Result<(), Refusal> {
    if piece.is_word(BYPASS) {
        return Err(Refusal::Unchecked { what: format!("#[{BYPASS}]"), at: piece.start });
    }
    native(piece)
}

/// The capitalized names that a sentence defines as tactics.
fn own_tactics<'a>(pieces: &'a [Piece<'a>]) -> Vec<&'a str> {
    let pieces = bare(pieces);
    let kind = match pieces.first().map(|first| first.text) {
        Some("Ltac" | "Ltac2") => Kind::Word,
        Some("Tactic") => Kind::String,
        _ => return Vec::new(),
    };
    let words = pieces[1..].iter().filter(|p| p.kind == kind || p.kind == Kind::String);
    words.map(|p| p.text.trim_matches('"').trim()).filter(|word| word.starts_with(is_capital)).collect()
}

/// Refuses a possible sentence with a forbidden command.
fn sentence(pieces: &[Piece<'_>], tactics: &HashSet<&str>) -> Result<(), Refusal> {
    let command = bare(pieces);
    let Some(first) = command.first().filter(|p| p.kind == Kind::Word && p.text.starts_with(is_capital))
    else {
        return Ok(());
    };
    if let Some(effect) = forms::refused(command) {
        return Err(Refusal::Outside { command: named(command, 3), effect, at: first.start });
    }
    if matches!(first.text, "Set" | "Unset") {
        return option(command);
    }
    // A qualified name is a tactic.
    let known = first.text.contains('.') || does(first.text).is_some() || tactics.contains(first.text);
    if known { Ok(()) } else { Err(Refusal::Unknown { word: first.text.to_owned(), at: first.start }) }
}

/// Refuses a forbidden option.
fn option(command: &[Piece<'_>]) -> Result<(), Refusal> {
    let at = command[0].start;
    let name = named(&command[1..], OPTION_WORDS);
    let command = named(command, 1 + OPTION_WORDS);
    match options::effect(&name, command.starts_with("Set")) {
        options::Effect::Harmless => Ok(()),
        options::Effect::Outside(effect) => Err(Refusal::Outside { command, effect, at }),
        options::Effect::Unchecked => Err(Refusal::Unchecked { what: command, at }),
        options::Effect::Unknown => Err(Refusal::UnknownOption { command, at }),
    }
}

/// The leading words of pieces, up to a maximum.
fn named(pieces: &[Piece<'_>], most: usize) -> String {
    let words = pieces.iter().take_while(|p| p.kind == Kind::Word).take(most);
    words.map(|p| p.text).collect::<Vec<_>>().join(" ")
}

fn is_capital(c: char) -> bool {
    c.is_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reaches_outside_is_refused_wherever_it_stands() {
        for (text, command) in [
            ("Load \"x\".", "Load"),
            ("Load Verbose x.", "Load Verbose x"),
            ("Load(* a. b *)\"x\".", "Load"),
            ("(* a *) Load x.", "Load x"),
            ("Check nat. Load x. Check nat.", "Load x"),
            ("Fail Load x.", "Load x"),
            ("Time Timeout 5 Fail Load x.", "Load x"),
            ("Timeout 5Load x.", "Load x"),
            ("Timeout 0x5Load x.", "Load x"),
            ("#[local, deprecated(since=\"1. 2\")] Load x.", "Load x"),
            ("#[a] #[b]Local Load x.", "Load x"),
            ("Goal True. { Load x.", "Load x"),
            ("Goal True. {Load x.", "Load x"),
            ("Goal True. -+Load x.", "Load x"),
            ("Goal True. Time {Load x.", "Load x"),
            ("Goal True. 1 (* a *) : {Load x.", "Load x"),
            ("Goal True. 1, 2-3: {Load x.", "Load x"),
            ("Goal True. [a]: {Load x.", "Load x"),
            ("Goal True. !: Load x.", "Load x"),
            ("Goal True. all: Load x.", "Load x"),
            // If a notation makes `+.` a symbol, the second dot ends a sentence.
            ("Check 1 +.. Load x.", "Load x"),
            ("auto... Load x.", "Load x"),
            ("From a Extra Dependency \"x\" as y.", "From a Extra"),
            ("From a.b\n Extra\tDependency \"x\".", "From a.b Extra"),
            ("Redirect \"x\" Check nat.", "Redirect"),
            ("Time Redirect \"x\" Check nat.", "Redirect"),
            ("Profile \"x\" Check nat.", "Profile"),
            ("Extraction \"x\" nat.", "Extraction"),
            ("Extraction Library x.", "Extraction Library x"),
            ("Recursive Extraction Library x.", "Recursive Extraction Library"),
            ("Separate Extraction nat.", "Separate Extraction nat"),
            ("Extraction TestCompile nat.", "Extraction TestCompile nat"),
            ("Print Universes \"x\".", "Print Universes"),
            ("Print Sorted Universes \"x\".", "Print Sorted Universes"),
            ("Print Universes Subgraph(a.u0) \"x\".", "Print Universes Subgraph"),
            ("Print FileDependGraph x.", "Print FileDependGraph x"),
            ("Declare ML Module \"x\".", "Declare ML Module"),
            ("#[local]\n  Declare ML (**) Module \"x\".", "Declare ML Module"),
            ("Add LoadPath \"x\" as y.", "Add LoadPath"),
            ("Add Rec LoadPath \"x\" as y.", "Add Rec LoadPath"),
            ("Add ML Path \"x\".", "Add ML Path"),
            ("Remove LoadPath \"x\".", "Remove LoadPath"),
            ("Cd \"x\".", "Cd"),
            ("Cd.", "Cd"),
            ("Reset x.", "Reset x"),
            ("Reset Initial.", "Reset Initial"),
            ("Back 2.", "Back"),
            ("BackTo 2.", "BackTo"),
            ("Quit.", "Quit"),
            ("Drop.", "Drop"),
            ("Elpi Command x.", "Elpi Command x"),
            ("HB.graph \"x\".", "HB.graph"),
            ("Symbol x : nat.", "Symbol x"),
            ("Ltac Load := idtac. Load x.", "Load x"),
            ("Definition x := lp:{{ (* }}. Load \"x\". (* *) *)", "lp:{{"),
            ("Definition x := Eval native_compute in 1.", "native_compute"),
            ("Goal True. abstract (native_cast_no_check I).", "native_cast_no_check"),
            ("Set Debug \"all\".", "Set Debug"),
            ("Global Set Debug \"stm\".", "Set Debug"),
            ("Set (* a *) Ltac\n Debug.", "Set Ltac Debug"),
            ("Set NativeCompute Profiling.", "Set NativeCompute Profiling"),
            ("Set NativeCompute Profile Filename \"x\".", "Set NativeCompute Profile Filename"),
            ("Export Set Dump Arith \"x\".", "Set Dump Arith"),
            ("#[export] Set Extraction Output Directory \"x\".", "Set Extraction Output Directory"),
        ] {
            match forbidden_commands(text) {
                Err(Refusal::Outside { command: found, .. }) => assert_eq!(found, command, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_switches_a_check_off_is_refused_wherever_it_stands() {
        for (text, expected) in [
            ("Unset Guard Checking.", "Unset Guard Checking"),
            ("Local Unset Positivity Checking.", "Unset Positivity Checking"),
            ("Fail #[export] Unset Universe\n Checking.", "Unset Universe Checking"),
            ("Set Definitional UIP.", "Set Definitional UIP"),
            ("#[bypass_check(guard)] Fixpoint f (n : nat) : nat := f n.", "#[bypass_check]"),
            ("#[local, bypass_check ( universes = yes )] Definition a := Type.", "#[bypass_check]"),
        ] {
            match forbidden_commands(text) {
                Err(Refusal::Unchecked { what, .. }) => assert_eq!(what, expected, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_nobody_knows_is_refused_with_its_name() {
        for text in ["Hammer x.", "Goal True. - Time Hammer.", "Local Hammer.", "Goal True. [a]: Hammer."] {
            let refusal = forbidden_commands(text);
            assert!(
                matches!(&refusal, Err(Refusal::Unknown { word, .. }) if word == "Hammer"),
                "{text}: {refusal:?}"
            );
        }
        for (text, expected) in [
            ("Set Foo Bar.", "Set Foo Bar"),
            ("Unset Printing.", "Unset Printing"),
            ("Set Printing All Foo.", "Set Printing All Foo"),
        ] {
            match forbidden_commands(text) {
                Err(Refusal::UnknownOption { command, .. }) => assert_eq!(command, expected, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn harmless_commands_and_names_like_others_pass() {
        for text in [
            "Extraction Language Haskell.",
            "Extraction Inline plus. Extraction plus. Recursive Extraction plus. Reset Extraction Inline.",
            "Print nat. Print \"x + y\". Print Universes. Print LoadPath. Print ML Path. Print Graph. Print a@{u}.",
            "Set Printing All. Set Warnings \"-all\". Set Guard Checking. Unset Definitional UIP. Unset Debug.",
            "Set Firstorder Solver auto with arith. Set Printing Width 100. Export Unset Silent.",
            "Add Ring r : th. Add Parametric Morphism : f with signature eq ==> eq as m.",
            "Add Printing Let x. Remove Hints a : core. Remove Printing If b. Add Search Blacklist \"x\".",
            "From Coq Require Import Lia. Require Import Extraction. Export Extraction. HB.instance Definition _ := x.",
            "Lemma Load : True. Proof. apply Load.foo. apply Load. exact (Cd \"x\"). Undo. Restart. Qed.",
            "Definition Redirect := 1. Definition Quit (Load : nat) := Load.",
            "Reset Ltac Profile. Show Ltac Profile. Pwd. Comments \"x\" Load.",
            "(* Load \"x\". *) Check \" Load x. \".",
            "Notation \"x . y\" := (f x .. y). Notation \"[ x ; .. ; y ]\" := (cons x .. (Cons y nil) .. ).",
            "Notation \"x | .. | y\" := (Either x .. Hammer y).",
            "Definition f (Load : nat) := {| a := 1; Cd := 2 |}.",
            "Reserved Notation \"(* 69 *)\". Extract Constant a => \"(* b *) c\".",
            "Check α. (* “quoted”, – and \u{a0} ⚠\u{fe0f} *)",
            // Coq reads it as a name.
            "case => [l |\u{a0} | ].",
            "Notation \"a ∶ b\" := (a + b). Check (1 ∶ 2).\r\n",
            "Notation \"'f(' x )\" := x. Check (f( 1 )(* a *)). Check (f 1)(* b *) (* c *).",
            // Strings that are not notations.
            "Definition p := \"f(*p)\". Check \"((\" ((* a *) 1).",
            // Tactics.
            "Tactic Notation \"Case\" constr(c) := idtac. Goal True. - Case 1. Qed.",
            "Ltac Crush := auto with F := idtac. Goal True. all: Crush. F. Qed.",
            "Goal True. (Crush). {(Crush). } D.Crush. [> Crush | ]. Qed.",
        ] {
            assert_eq!(forbidden_commands(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn what_would_blind_the_search_is_refused() {
        for text in [
            "Notation \"x @(* y\" := x. Check 1 @(* 2. Load a. (* *) *)",
            "#[local] Reserved Infix \"@(*\" (at level 9).",
            "Tactic Notation \"a\" \"@(*\" constr(c) := idtac.",
            "Ltac2 Notation \"@(*\" := ().",
            "Inductive le := a where \"x @(* y\" := (le x y).",
            // A symbol of the file may look like the end of the sentence.
            "Fixpoint f x := x where \"x ?\" := (x +. 1) and \"x @(* y\" := (f x).",
        ] {
            let refusal = forbidden_commands(text);
            assert!(matches!(refusal, Err(Refusal::CommentInString { .. })), "{text}: {refusal:?}");
        }
        for text in [
            "Notation \"x @( * y\" := x. Check 1 @(* 2. Load a. (* *) *)",
            "Notation \"'((' * y\" := y. Check ((* 2. Load a. (* *) *)",
            "Notation \"x @@( y\" := y. Notation \"x @( y\" := y. Check 1 @@@(* 2. Load a. (* *) *)",
            "Check `(* 2). Load a. (* *) *)",
            "Check a.(* 2. Load a. (* *) *)",
        ] {
            let refusal = forbidden_commands(text);
            assert!(matches!(refusal, Err(Refusal::CommentAfterSymbol { .. })), "{text}: {refusal:?}");
        }
        for text in ["Check (* a.", "Check \"a.", "Check\u{a0}nat.", "Check nat.\u{c}", "Check\u{200b}."] {
            assert!(forbidden_commands(text).is_err(), "{text:?}");
        }
    }
}
