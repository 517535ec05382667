//! What commands Coq has: which words begin one, so that no tactic does, and which of them reach outside the file
//! that they stand in, so that no submission does.
//!
//! The words are those of `Print Grammar vernac` in Coq 8.16 with the plugins of its library, of its toplevel, and
//! of the manual's command index up to Rocq 9.1.

use std::collections::BTreeSet;

use super::lexer::{self, Kind, Piece, code};
use crate::screen::{Refusal, characters, white_space};

/// Words that begin commands, by what these do.
const COMMANDS: &[(&str, &[&str])] = &[
    (
        "opens a proof, section or module",
        &[
            "Theorem",
            "Lemma",
            "Fact",
            "Remark",
            "Corollary",
            "Proposition",
            "Property",
            "Example",
            "Goal",
            "Proof",
            "Section",
            "Module",
            "Obligation",
            "Next",
            "Derive",
            "BeginSubproof",
        ],
    ),
    ("closes a proof, section or module", &["Qed", "Defined", "Save", "End", "EndSubproof"]),
    ("leaves a proof unfinished", &["Admitted", "Abort", "Admit", "Suspend", "Resume"]),
    (
        "declares something",
        &[
            "Axiom",
            "Axioms",
            "Parameter",
            "Parameters",
            "Hypothesis",
            "Hypotheses",
            "Variable",
            "Variables",
            "Conjecture",
            "Conjectures",
            "Context",
            "Definition",
            "Let",
            "Fixpoint",
            "CoFixpoint",
            "SubClass",
            "Function",
            "Functional",
            "Program",
            "Primitive",
            "Inductive",
            "CoInductive",
            "Variant",
            "Record",
            "Structure",
            "Class",
            "Instance",
            "Existing",
            "Canonical",
            "Coercion",
            "Identity",
            "Scheme",
            "Combined",
            "Notation",
            "Infix",
            "Reserved",
            "Tactic",
            "Ltac",
            "Ltac2",
            "Hint",
            "Create",
            "Universe",
            "Universes",
            "Constraint",
            "Sort",
            "Sorts",
            "Register",
            "Include",
            "Collection",
            "Declare",
            "Add",
            "Solve",
            "Obligations",
            "Number",
            "Numeral",
            "String",
            "Equations",
            "Symbol",
            "Symbols",
            "Rewrite",
            "Format",
            "Delimit",
            "Undelimit",
            "Bind",
            "Generate",
            "HB",
        ],
    ),
    (
        "changes settings",
        &[
            "Set",
            "Unset",
            "Open",
            "Close",
            "Arguments",
            "Implicit",
            "Generalizable",
            "Transparent",
            "Opaque",
            "Strategy",
            "Typeclasses",
            "Remove",
            "Optimize",
            "Prenex",
            "Extract",
            "Debug",
            "Local",
            "Global",
            "Polymorphic",
            "Monomorphic",
            "Cumulative",
            "NonCumulative",
            "Private",
            "Attributes",
        ],
    ),
    (
        "reads, writes or runs something outside",
        &[
            "Load",
            "Require",
            "From",
            "Import",
            "Export",
            "Cd",
            "Redirect",
            "Extraction",
            "Separate",
            "Recursive",
            "Elpi",
        ],
    ),
    (
        "prints or searches",
        &[
            "Print",
            "Check",
            "About",
            "Show",
            "Search",
            "SearchPattern",
            "SearchRewrite",
            "SearchHead",
            "SearchAbout",
            "Locate",
            "Compute",
            "Eval",
            "Test",
            "Type",
            "Inspect",
            "Pwd",
            "Comments",
            "Guarded",
            "Validate",
            "Preterm",
            "Dump",
        ],
    ),
    (
        "goes elsewhere",
        &[
            "Undo",
            "Restart",
            "Reset",
            "Back",
            "BackTo",
            "Backtrack",
            "Focus",
            "Unfocus",
            "Unfocused",
            "Unshelve",
            "Drop",
            "Quit",
        ],
    ),
    (
        "controls how another is run",
        &["Time", "Timeout", "Fail", "Succeed", "Instructions", "Profile", "infoH"],
    ),
];

/// What the commands do that a word begins; `None` when it begins none.
pub(super) fn does(word: &str) -> Option<&'static str> {
    COMMANDS.iter().find(|(_, words)| words.contains(&word)).map(|(does, _)| *does)
}

/// Words before a command that say how it is run, or for whom it holds.
const PREFIXES: &[&str] = &[
    "Time",
    "Timeout",
    "Fail",
    "Succeed",
    "Redirect",
    "Instructions",
    "Profile",
    "Local",
    "Global",
    "Polymorphic",
    "Monomorphic",
    "Cumulative",
    "NonCumulative",
    "Private",
    "Program",
    "Export",
];

/// Commands that reach outside the file they stand in or take back what stands in it, by the words they begin with,
/// and what they do. `"` stands for a string, `…` for anything up to what follows it.
const OUTSIDE: &[(&[&str], &str)] = &[
    (&["Load"], "reads another file"),
    (&["From", "…", "Extra", "Dependency"], "reads another file"),
    (&["Redirect"], "writes a file"),
    (&["Profile", "\""], "writes a file"),
    (&["Extraction", "\""], "writes a file"),
    (&["Extraction", "Library"], "writes files"),
    (&["Separate", "Extraction"], "writes files"),
    (&["Recursive", "Extraction", "Library"], "writes files"),
    (&["Print", "Universes", "…", "\""], "writes a file"),
    (&["Print", "Sorted", "Universes", "…", "\""], "writes a file"),
    (&["Set", "Dump", "Arith"], "writes files"),
    (&["Set", "NativeCompute", "Profiling"], "writes files"),
    (&["Set", "NativeCompute", "Profile", "Filename"], "writes files"),
    (&["Set", "Extraction", "Output", "Directory"], "writes files"),
    (&["Extraction", "TestCompile"], "runs a program"),
    (&["Declare", "ML", "Module"], "runs a program"),
    (&["Elpi"], "runs a program"),
    (&["Cd"], "changes the folder"),
    (&["Add", "LoadPath"], "changes where files are looked for"),
    (&["Add", "Rec", "LoadPath"], "changes where files are looked for"),
    (&["Add", "ML", "Path"], "changes where files are looked for"),
    (&["Remove", "LoadPath"], "changes where files are looked for"),
    (&["Back"], "takes back what stands before it"),
    (&["BackTo"], "takes back what stands before it"),
    (&["Backtrack"], "takes back what stands before it"),
    (&["Drop"], "leaves the file"),
    (&["Quit"], "leaves the file"),
];

/// Whether a string, as a notation, would make a symbol with `(*` in it. At a symbol's beginning it begins a comment
/// all the same.
fn hides_comment(string: &str) -> bool {
    let mut symbols = string.trim_matches('"').split([' ', '\t', '\n', '\r']);
    symbols.any(|symbol| symbol.char_indices().skip(1).any(|(at, _)| symbol[at..].starts_with("(*")))
}

/// Symbols of Coq's own that end in what could begin a comment.
const OPENING: &[&str] = &["`(", ".("];

/// The symbols that a string, as a notation, makes and that end in what could begin a comment.
fn opening_symbols(string: &str) -> impl Iterator<Item = &str> {
    let symbols = string.trim_matches('"').split([' ', '\t', '\n', '\r']);
    symbols.map(|symbol| symbol.trim_matches('\'')).filter(|symbol| symbol.len() > 1 && symbol.ends_with('('))
}

/// Goes back to where a name was declared.
const RESET: (&[&str], &str) = (&["Reset"], "takes back what stands before it");

/// What may follow `Reset` but such a name.
const RESETS: &[&str] = &["Ltac", "Extraction", "Profile"];

/// Refuses a file with a command that reads, writes or runs something outside, or takes back what stands before it.
/// What a file requires is loaded all the same.
///
/// Commands are looked for wherever Coq could begin a sentence, which is at more places than it does, since a file
/// can make symbols by its notations. A string with `(*` within a word is refused for the same reason, and a comment
/// whose parenthesis could be the end of a symbol.
pub fn forbidden_commands(text: &str) -> Result<(), Refusal> {
    let pieces = code(text)?;
    let strings = pieces.iter().filter(|p| p.kind == Kind::String);
    let opening: BTreeSet<&str> =
        strings.flat_map(|p| opening_symbols(p.text)).chain(OPENING.iter().copied()).collect();
    for comment in lexer::pieces(text).flatten().filter(|p| p.kind == Kind::Comment) {
        if opening.iter().any(|symbol| text[..=comment.start].ends_with(symbol)) {
            return Err(Refusal::CommentAfterSymbol { at: comment.start });
        }
    }
    for piece in &pieces {
        if piece.kind == Kind::String && hides_comment(piece.text) {
            return Err(Refusal::CommentInString { at: piece.start });
        }
    }
    for piece in pieces.iter().filter(|p| p.kind != Kind::String) {
        characters(text, piece.start..piece.end())?;
        white_space(text, piece.start..piece.end())?;
    }
    pieces.split_inclusive(|piece| piece.kind == Kind::Dots).try_for_each(sentence)
}

/// Refuses a sentence, or what could be one, with a command that reaches outside.
fn sentence(mut pieces: &[Piece<'_>]) -> Result<(), Refusal> {
    loop {
        let Some(first) = pieces.first() else { return Ok(()) };
        let resets = first.is_word("Reset")
            && pieces.get(1).is_some_and(|p| p.kind == Kind::Word && !RESETS.contains(&p.text));
        let outside = OUTSIDE.iter().find(|(pattern, _)| matches(pattern, pieces));
        if let Some((pattern, effect)) = outside.or(resets.then_some(&RESET)) {
            let words = pattern.iter().copied().filter(|word| !matches!(*word, "…" | "\""));
            let command = words.collect::<Vec<_>>().join(" ");
            return Err(Refusal::Outside { command, effect, at: first.start });
        }
        match prefix(pieces) {
            0 => return Ok(()),
            length => pieces = &pieces[length..],
        }
    }
}

/// The pieces of a sentence from its command on.
pub(super) fn bare<'a, 'b>(mut pieces: &'a [Piece<'b>]) -> &'a [Piece<'b>] {
    loop {
        match prefix(pieces) {
            0 => return pieces,
            length => pieces = &pieces[length..],
        }
    }
}

/// How many pieces stand before a command: an attribute, a selector, a bullet, a brace, a word that says how it is run.
/// None: the command itself comes first.
fn prefix(pieces: &[Piece<'_>]) -> usize {
    let Some(first) = pieces.first() else { return 0 };
    let is_selector = |p: &&Piece<'_>| matches!(p.text, "all" | "par");
    match first.kind {
        Kind::Word if PREFIXES.contains(&first.text) => 1,
        Kind::Word if is_selector(&first) && pieces.get(1).is_some_and(|p| p.is_symbol(":")) => 2,
        Kind::Word => 0,
        Kind::Symbol if first.text == "[" => group(pieces),
        Kind::Symbol | Kind::Number | Kind::String | Kind::Dots | Kind::Comment => 1,
    }
}

/// How many pieces a bracket and what it encloses have.
pub(super) fn group(pieces: &[Piece<'_>]) -> usize {
    let mut depth = 0usize;
    for (index, piece) in pieces.iter().enumerate() {
        match piece.text {
            "[" => depth += 1,
            "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    pieces.len()
}

/// Whether pieces begin as a pattern says.
fn matches(pattern: &[&str], pieces: &[Piece<'_>]) -> bool {
    let [wanted, pattern @ ..] = pattern else { return true };
    match (*wanted, pieces) {
        ("…", _) => (0..pieces.len()).any(|skipped| matches(pattern, &pieces[skipped..])),
        ("\"", [first, rest @ ..]) => first.kind == Kind::String && matches(pattern, rest),
        // A command is not recognised by the name of a field.
        (word, [first, rest @ ..]) => first.is_word(word) && matches(pattern, rest),
        (_, []) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reaches_outside_is_refused_wherever_it_stands() {
        for (text, command) in [
            ("Load \"x\".", "Load"),
            ("Load Verbose x.", "Load"),
            ("Load(* a. b *)\"x\".", "Load"),
            ("(* a *) Load x.", "Load"),
            ("Check nat. Load x. Check nat.", "Load"),
            ("Fail Load x.", "Load"),
            ("Time Timeout 5 Fail Load x.", "Load"),
            ("Timeout 5Load x.", "Load"),
            ("Timeout 0x5Load x.", "Load"),
            ("#[local, deprecated(since=\"1. 2\")] Load x.", "Load"),
            ("#[a] #[b]Local Load x.", "Load"),
            ("Goal True. { Load x.", "Load"),
            ("Goal True. {Load x.", "Load"),
            ("Goal True. -+Load x.", "Load"),
            ("Goal True. Time {Load x.", "Load"),
            ("Goal True. 1 (* a *) : {Load x.", "Load"),
            ("Goal True. [a]: {Load x.", "Load"),
            ("Goal True. all: Load x.", "Load"),
            // A notation may make a symbol of `+.` and thereby a sentence end of the second dot.
            ("Check 1 +.. Load x.", "Load"),
            ("auto... Load x.", "Load"),
            ("From a Extra Dependency \"x\" as y.", "From Extra Dependency"),
            ("From a.b\n Extra\tDependency \"x\".", "From Extra Dependency"),
            ("Redirect \"x\" Check nat.", "Redirect"),
            ("Time Redirect \"x\" Check nat.", "Redirect"),
            ("Profile \"x\" Check nat.", "Profile"),
            ("Extraction \"x\" nat.", "Extraction"),
            ("Extraction Library x.", "Extraction Library"),
            ("Recursive Extraction Library x.", "Recursive Extraction Library"),
            ("Separate Extraction nat.", "Separate Extraction"),
            ("Extraction TestCompile nat.", "Extraction TestCompile"),
            ("Print Universes \"x\".", "Print Universes"),
            ("Print Sorted Universes \"x\".", "Print Sorted Universes"),
            ("Print Universes Subgraph(a.u0) \"x\".", "Print Universes"),
            ("Declare ML Module \"x\".", "Declare ML Module"),
            ("#[local]\n  Declare ML (**) Module \"x\".", "Declare ML Module"),
            ("Add LoadPath \"x\" as y.", "Add LoadPath"),
            ("Add Rec LoadPath \"x\" as y.", "Add Rec LoadPath"),
            ("Add ML Path \"x\".", "Add ML Path"),
            ("Remove LoadPath \"x\".", "Remove LoadPath"),
            ("Set NativeCompute Profile Filename \"x\".", "Set NativeCompute Profile Filename"),
            ("Export Set Dump Arith \"x\".", "Set Dump Arith"),
            ("Cd \"x\".", "Cd"),
            ("Cd.", "Cd"),
            ("Reset x.", "Reset"),
            ("Reset Initial.", "Reset"),
            ("Back 2.", "Back"),
            ("BackTo 2.", "BackTo"),
            ("Quit.", "Quit"),
            ("Drop.", "Drop"),
        ] {
            match forbidden_commands(text) {
                Err(Refusal::Outside { command: found, .. }) => assert_eq!(found, command, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn harmless_commands_and_names_like_others_pass() {
        for text in [
            "Extraction Language Haskell.",
            "Extraction Inline plus. Extraction plus. Recursive Extraction plus. Reset Extraction Inline.",
            "Print nat. Print \"x + y\". Print Universes. Print LoadPath. Print ML Path. Print Graph.",
            "Set Printing All. Set Warnings \"-all\". Unset Guard Checking.",
            "Add Ring r : th. Add Parametric Morphism : f with signature eq ==> eq as m.",
            "Add Printing Let x. Remove Hints a : core. Remove Printing If b.",
            "From Coq Require Import Lia. Require Import Extraction.",
            "Lemma Load : True. Proof. apply Load.foo. apply Load. exact (Cd \"x\"). Undo. Restart. Qed.",
            "Definition Redirect := 1. Definition Quit (Load : nat) := Load.",
            "Reset Ltac Profile. Show Ltac Profile. Pwd. Comments \"x\" Load.",
            "(* Load \"x\". *) Check \" Load x. \".",
            "Notation \"x . y\" := (f x .. y).",
            "Definition f (Load : nat) := {| a := 1; Cd := 2 |}.",
            "Reserved Notation \"(* 69 *)\". Extract Constant a => \"(* b *) c\".",
            "Check α. (* “quoted”, – and \u{a0} ⚠\u{fe0f} *)",
            "Notation \"a ∶ b\" := (a + b). Check (1 ∶ 2).\r\n",
            "Notation \"'f(' x )\" := x. Check (f( 1 )(* a *)). Check (f 1)(* b *) (* c *).",
        ] {
            assert_eq!(forbidden_commands(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn what_would_blind_the_search_is_refused() {
        let text = "Notation \"x @(* y\" := x. Check 1 @(* 2. Load a. (* *) *)";
        assert_eq!(forbidden_commands(text), Err(Refusal::CommentInString { at: 9 }));
        for text in [
            "Notation \"x @( * y\" := x. Check 1 @(* 2. Load a. (* *) *)",
            "Notation \"'((' * y\" := y. Check ((* 2. Load a. (* *) *)",
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

    #[test]
    fn a_word_begins_one_kind_of_command() {
        let mut words: Vec<&str> = COMMANDS.iter().flat_map(|(_, words)| words.iter().copied()).collect();
        let before = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), before);
        assert!(OUTSIDE.iter().all(|(pattern, _)| does(pattern[0]).is_some()));
        assert!(PREFIXES.iter().all(|word| does(word).is_some()));
    }
}
