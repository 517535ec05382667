//! The forms of commands that are allowed in files.

use super::super::lexer::{Kind, Piece};

/// Commands that are always forbidden, and what they do.
const NEVER: &[(&str, &str)] = &[
    ("Load", "reads another file"),
    ("Redirect", "writes a file"),
    ("Profile", "writes a file"),
    ("Separate", "writes files"),
    ("Elpi", "runs a program"),
    ("QuickChick", "runs a program"),
    ("QuickChickWith", "runs a program"),
    ("QuickCheck", "runs a program"),
    ("QuickCheckWith", "runs a program"),
    ("FuzzChick", "runs a program"),
    ("FuzzQC", "runs a program"),
    ("MutateCheck", "runs a program"),
    ("Cd", "changes the folder"),
    ("Debug", "waits for input"),
    ("Symbol", "declares rewrite rules, which the kernel does not check"),
    ("Symbols", "declares rewrite rules, which the kernel does not check"),
    ("Rewrite", "declares rewrite rules, which the kernel does not check"),
    ("Back", "undoes earlier commands"),
    ("BackTo", "undoes earlier commands"),
    ("Backtrack", "undoes earlier commands"),
    ("Drop", "leaves the file"),
    ("Quit", "leaves the file"),
];

/// A pattern for the text after the first word of a command.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// These words.
    Words(&'static [&'static str]),
    /// These words, without a string anywhere after them.
    NoString(&'static [&'static str]),
    /// A name, optionally with names of universes.
    Name,
    /// These words, then a word other than this one.
    Not(&'static [&'static str], &'static str),
    /// A name, then this word.
    NameThen(&'static str),
    /// A string.
    String,
}

use Form::{Name, NameThen, NoString, Not, String, Words};

/// Commands with some allowed forms: the allowed forms, and what other forms do.
const SOME: &[(&str, &[Form], &str)] = &[
    ("From", &[NameThen("Require")], "reads another file"),
    (
        "Extraction",
        &[
            Words(&["Language"]),
            Words(&["Inline"]),
            Words(&["NoInline"]),
            Words(&["Blacklist"]),
            Words(&["Implicit"]),
            Name,
        ],
        "writes files or runs a program",
    ),
    ("Recursive", &[Not(&["Extraction"], "Library")], "writes files"),
    (
        "Declare",
        &[
            Words(&["Custom", "Entry"]),
            Words(&["Equivalent", "Keys"]),
            Words(&["Implicit", "Tactic"]),
            Words(&["Instance"]),
            Words(&["Left", "Step"]),
            Words(&["Module"]),
            Words(&["Morphism"]),
            Words(&["Reduction"]),
            Words(&["Right", "Step"]),
            Words(&["Scope"]),
        ],
        "runs a program, or is unknown",
    ),
    (
        "Add",
        &[
            Words(&["Field"]),
            Words(&["Keep", "Equalities"]),
            Words(&["Morphism"]),
            Words(&["Parametric"]),
            Words(&["Printing"]),
            Words(&["Relation"]),
            Words(&["Ring"]),
            Words(&["Search", "Blacklist"]),
            Words(&["Setoid"]),
            Words(&["Zify"]),
        ],
        "changes where files are searched for, or is unknown",
    ),
    (
        "Remove",
        &[
            Words(&["Hints"]),
            Words(&["Keep", "Equalities"]),
            Words(&["Printing"]),
            Words(&["Search", "Blacklist"]),
        ],
        "changes where files are searched for, or is unknown",
    ),
    (
        "Register",
        &[Not(&[], "Inline")],
        "inlines a constant without a record in the compiled file (rocq#21736)",
    ),
    (
        "Reset",
        &[Words(&["Extraction"]), Words(&["Ltac", "Profile"]), Words(&["Profile"])],
        "undoes earlier commands",
    ),
    (
        "Print",
        &[
            Name,
            String,
            NoString(&["All"]),
            NoString(&["Assumptions"]),
            NoString(&["Canonical", "Projections"]),
            NoString(&["Coercion", "Paths"]),
            NoString(&["Custom", "Grammar"]),
            NoString(&["Debug", "GC"]),
            NoString(&["Equivalent", "Keys"]),
            NoString(&["Extraction"]),
            NoString(&["Firstorder", "Solver"]),
            NoString(&["Grammar"]),
            NoString(&["Hint"]),
            NoString(&["HintDb"]),
            NoString(&["Implicit"]),
            NoString(&["Instances"]),
            NoString(&["LoadPath"]),
            NoString(&["Ltac"]),
            NoString(&["Ltac2"]),
            NoString(&["ML"]),
            NoString(&["Module"]),
            NoString(&["Namespace"]),
            Words(&["Notation"]),
            NoString(&["Opaque", "Dependencies"]),
            NoString(&["Registered"]),
            NoString(&["Rewrite", "HintDb"]),
            NoString(&["Scope"]),
            NoString(&["Section"]),
            NoString(&["Sorted", "Universes"]),
            NoString(&["Strategy"]),
            NoString(&["Table"]),
            Words(&["Term"]),
            NoString(&["Transparent", "Dependencies"]),
            NoString(&["Typing", "Flags"]),
            NoString(&["Universes"]),
            NoString(&["Visibility"]),
        ],
        "writes a file, or is unknown",
    ),
];

/// Commands of Hierarchy Builder. Its other commands write graphs to files.
const HIERARCHY_BUILDER: &[&str] = &[
    "about",
    "builders",
    "check",
    "declare",
    "end",
    "export",
    "factory",
    "howto",
    "instance",
    "locate",
    "lock",
    "mixin",
    "reexport",
    "saturate",
    "status",
    "structure",
];

/// The reason why a command is forbidden; `None` if it is allowed. The pieces begin with the command.
pub(super) fn refused(pieces: &[Piece<'_>]) -> Option<&'static str> {
    let (first, rest) = pieces.split_first()?;
    if let Some((_, effect)) = NEVER.iter().find(|(word, _)| *word == first.text) {
        return Some(effect);
    }
    if let Some(command) = first.text.strip_prefix("HB.") {
        let known = HIERARCHY_BUILDER.contains(&command);
        return (!known).then_some("writes a file, or is unknown");
    }
    let (_, forms, effect) = SOME.iter().find(|(word, _, _)| *word == first.text)?;
    (!forms.iter().any(|form| form.has(rest))).then_some(*effect)
}

impl Form {
    /// Whether the text after the first word has this form.
    fn has(self, rest: &[Piece<'_>]) -> bool {
        let behind = |words: &[&str]| {
            let same = rest.iter().zip(words).take_while(|(p, w)| p.is_word(w)).count();
            (same == words.len()).then(|| &rest[same..])
        };
        let is_name = |at: usize| rest.get(at).is_some_and(|p| p.kind == Kind::Word);
        match self {
            Words(words) => behind(words).is_some(),
            NoString(words) => {
                behind(words).is_some_and(|rest| rest.iter().all(|piece| piece.kind != Kind::String))
            }
            Name => is_name(0) && rest.get(1).is_none_or(|p| p.kind == Kind::Dots || p.is_symbol("@")),
            Not(words, other) => {
                behind(words).and_then(<[_]>::first).is_some_and(|p| p.kind == Kind::Word && p.text != other)
            }
            NameThen(word) => is_name(0) && rest.get(1).is_some_and(|p| p.is_word(word)),
            String => rest.first().is_some_and(|p| p.kind == Kind::String),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::does;
    use super::*;

    #[test]
    fn what_is_refused_is_a_command() {
        let words = NEVER.iter().map(|(word, _)| word).chain(SOME.iter().map(|(word, _, _)| word));
        for word in words {
            assert!(does(word).is_some(), "{word}");
        }
    }
}
