//! Coq's commands: the words that begin them, which therefore do not begin tactics; and, in `filter`, which are
//! allowed in files.
//!
//! The words are those of `Print Grammar vernac` in Coq 8.16 with the plugins of its library, of its toplevel, and
//! of the manual's command index up to Rocq 9.2.

mod filter;
mod forms;
mod options;
mod symbols;

use super::lexer::{Kind, Piece, code};
use andor_env::screen::Refusal;

pub use filter::forbidden_commands;

const PRINTS: &str = "prints or searches";
const MOVES: &str = "goes elsewhere";
const CONTROLS: &str = "controls how another command runs";

/// Words that begin commands, by effect.
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
            "Final",
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
            "Abbreviation",
            "Enable",
            "Disable",
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
        "accesses files or programs",
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
            "QuickChick",
            "QuickChickWith",
            "QuickCheck",
            "QuickCheckWith",
            "FuzzChick",
            "FuzzQC",
            "MutateCheck",
        ],
    ),
    (
        PRINTS,
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
        ],
    ),
    (
        MOVES,
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
    (CONTROLS, &["Time", "Timeout", "Fail", "Succeed", "Instructions", "Profile", "Info", "infoH"]),
];

/// The effect of the commands that begin with a word; `None` if there are none.
pub(super) fn does(word: &str) -> Option<&'static str> {
    COMMANDS.iter().find(|(_, words)| words.contains(&word)).map(|(does, _)| *does)
}

/// Whether a sentence of a proof does something that outlasts it. Nothing that a proof consists of does: tactics, which begin with
/// small letters or with words that are no commands, `Proof`, its end, what prints, and what moves about in it.
pub(super) fn outlasts_proof(sentence: &str) -> bool {
    const OF_PROOFS: &[&str] =
        &["Proof", "BeginSubproof", "EndSubproof", "Qed", "Defined", "Save", "Admitted", "Abort"];
    let pieces = code(sentence).unwrap_or_default();
    let mut command = bare(&pieces);
    while command.first().is_some_and(|first| does(first.text) == Some(CONTROLS)) {
        command = bare(&command[1..]);
    }
    let Some(first) = command.first() else { return false };
    match does(first.text) {
        Some(PRINTS | MOVES) => false,
        Some(_) => !OF_PROOFS.contains(&first.text),
        // Other words with periods are names of tactics.
        None => first.text.starts_with("HB."),
    }
}

/// Modifiers before a command: control words and scopes.
const PREFIXES: &[&str] = &[
    "Time",
    "Timeout",
    "Fail",
    "Succeed",
    "Instructions",
    "Local",
    "Global",
    "Polymorphic",
    "Monomorphic",
    "Cumulative",
    "NonCumulative",
    "Private",
    "Program",
];

/// The pieces of a sentence from its command on.
pub(super) fn bare<'a, 'b>(mut pieces: &'a [Piece<'b>]) -> &'a [Piece<'b>] {
    loop {
        match prefix(pieces) {
            0 => return pieces,
            length => pieces = &pieces[length..],
        }
    }
}

/// The number of pieces before a command: an attribute, a selector, a bullet, a brace, a control word.
/// `None` if the command itself comes first, or something that cannot precede one, so that a tactic follows.
fn prefix(pieces: &[Piece<'_>]) -> usize {
    let Some(first) = pieces.first() else { return 0 };
    let next_is = |found: &dyn Fn(&Piece<'_>) -> bool| pieces.get(1).is_some_and(found);
    match (first.kind, first.text) {
        (Kind::Word, word) if PREFIXES.contains(&word) => 1,
        (Kind::Word, "Export") if next_is(&|p| p.is_word("Set") || p.is_word("Unset")) => 1,
        (Kind::Word, "all" | "par") if next_is(&|p| p.is_symbol(":")) => 2,
        (Kind::Symbol, "[") => group(pieces),
        (Kind::Symbol, "-" | "+" | "*" | "{" | "}" | "!" | ":" | "," | "#") | (Kind::Number, _) => 1,
        // Dots can begin a sentence only where they do not end one.
        (Kind::Dots, _) => 1,
        _ => 0,
    }
}

/// The number of pieces of a bracketed group.
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

/// Tactics and reductions that make Rocq write programs, compile them with the OCaml compiler, and load them.
const NATIVE: &[&str] = &["native_compute", "native_cast_no_check"];

/// Refuses a word that would run the OCaml compiler. Rocq itself runs with an option against that, so that in libraries
/// the virtual machine is used instead; but the author of a file should get an error.
pub(super) fn native(piece: &Piece<'_>) -> Result<(), Refusal> {
    if piece.kind == Kind::Word && NATIVE.contains(&piece.text) {
        let effect = "runs the OCaml compiler on files that it writes (`vm_compute` does not)";
        return Err(Refusal::Outside { command: piece.text.to_owned(), effect, at: piece.start });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_proof_consists_of_ends_with_it() {
        for (sentence, outlasts) in [
            ("Open Scope Z_scope.", true),
            ("- { Local Import N.", true),
            ("Module N := B.", true),
            ("Obligation Tactic := exact 1.", true),
            ("Example n : nat := 1.", true),
            ("Derive Inversion x with True.", true),
            ("Admit Obligations.", true),
            ("Timeout 5 Set Printing All.", true),
            ("HB.instance Definition _ := x.", true),
            ("Time auto.", false),
            ("Timeout 5 Foo.", false),
            ("Unshelve.", false),
            ("Time Qed.", false),
            ("Proof using x.", false),
            ("Z.to_euclidean_division_equations.", false),
            ("Info 1 auto.", false),
            ("Show.", false),
            ("{ auto.", false),
        ] {
            assert_eq!(outlasts_proof(sentence), outlasts, "{sentence}");
        }
    }

    #[test]
    fn a_word_begins_one_kind_of_command() {
        let mut words: Vec<&str> = COMMANDS.iter().flat_map(|(_, words)| words.iter().copied()).collect();
        let before = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), before);
        assert!(PREFIXES.iter().all(|word| does(word).is_some()));
    }
}
