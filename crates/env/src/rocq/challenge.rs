//! The challenge: a module that says what theorems state, compiled before any proof of them is looked at.
//!
//! The trusted file becomes the body of a module type, and a module of that type is declared. So everything that the
//! statements need (notations, scopes, options, sections, definitions) is read exactly as it stands in the file, and
//! the kernel itself can tell later whether another module agrees with it, inductive types and axioms included.

use std::collections::BTreeSet;
use std::path::Path;

use super::assumptions::{self, Assumption, PLAIN};
use super::compiler::{Compiled, Compiler};
use super::sentence::SentenceError;
use super::source::{Ending, SourceTheorem, outline};
use crate::error::EnvError;
use crate::process::scratch::Scratch;

/// The module that a challenge becomes.
pub(super) const MODULE: &str = "andor_challenge";
/// The module type within, whose fields are what the trusted file declares.
pub(super) const QUESTION: &str = "andor_question";
/// The module of that type.
const ASKED: &str = "andor_asked";
/// Printed between what the trusted file prints and the answers.
const ANSWERS: &str = "andor_answers";
/// The module that asks about types.
const TYPES: &str = "andor_types";
/// Stated while the challenge is compiled, for messages.
const DOING: &str = "reading the challenge";

/// A challenge that was compiled.
#[derive(Debug)]
pub(super) struct Challenge {
    /// The folder with the compiled module.
    pub(super) folder: Scratch,
    /// What the trusted file leaves open and the statements depend on, themselves or through the types of other such
    /// things. They hold for every value of these.
    pub(super) held: BTreeSet<Held>,
    /// The families of types that the trusted file declares and whose universes it names, by their names in it.
    pub(super) families: Vec<String>,
    /// Whether a theorem names its universes, so that no definition can stand for its statement.
    pub(super) polymorphic: bool,
}

/// The source of a challenge, and what is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Source {
    /// The text.
    pub(super) text: String,
    families: Vec<String>,
    /// Whether a theorem names universes.
    names_universes: bool,
}

/// Something without a value, or with a value that must not matter, by its name in the trusted file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Held {
    /// An axiom or parameter.
    Axiom(String),
    /// An opaque constant.
    Opaque(String),
}

impl Held {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Axiom(name) | Self::Opaque(name) => name,
        }
    }
}

/// The name of the definition that a statement becomes.
pub(super) fn statement(index: usize) -> String {
    format!("andor_statement_{index}")
}

/// The full name, in the challenge, of something that the trusted file calls `name`.
pub(super) fn asked(name: &str) -> String {
    format!("{MODULE}.{ASKED}.{name}")
}

/// How much of a trusted file makes the challenge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    /// Up to the last of the theorems: what comes after it says nothing about any.
    UpToTheorems,
    /// All of it, proofs included.
    Whole,
}

/// The source of the challenge: the trusted file, without the proofs of the theorems unless it is whole, and a definition for
/// each statement.
/// `using` names, for each theorem, the section variables that it is to depend on; all when not given.
pub(super) fn source(
    trusted: &str,
    names: &[String],
    using: &[Option<String>],
    extent: Extent,
) -> Result<Source, SentenceError> {
    // What is appended stands on the first and on new lines, so that messages point at the right ones.
    let mut text = format!("Module Type {QUESTION}. ");
    let declared = outline(trusted)?;
    let found = declared.theorems;
    let mut at = 0;
    let mut last: Option<&SourceTheorem> = None;
    let mut names_universes = false;
    for theorem in &found {
        let Some(index) = names.iter().position(|n| *n == theorem.name) else { continue };
        if theorem.ending == Ending::Aborted || extent == Extent::Whole {
            continue;
        }
        text += &trusted[at..theorem.end];
        names_universes |= names_its_universes(&trusted[theorem.start..theorem.end], &theorem.name);
        at = theorem.end;
        // A transparent proof may be part of what comes after it means.
        if theorem.ending != Ending::Transparent {
            if let Some(using) = using.get(index).and_then(Option::as_ref) {
                text += &format!(" Proof using {using}.");
            }
            text += " Admitted.";
        } else {
            text += &trusted[at..theorem.proof_end];
        }
        at = theorem.proof_end;
        last = Some(theorem);
    }
    match last {
        Some(last) if names.iter().all(|n| found.iter().any(|t| t.name == *n)) => {
            text.push('\n');
            text += &last.closers;
        }
        _ => {
            text += &trusted[at..];
            at = trusted.len();
        }
    }
    let families = declared.families.into_iter().filter(|f| f.start < at).map(|f| f.name).collect();
    text += &format!("\nEnd {QUESTION}.\n{PLAIN}\nDeclare Module {ASKED} : {QUESTION}.\n");
    for (index, name) in names.iter().enumerate() {
        let definition = statement(index);
        text += &format!(
            "Definition {definition} := ltac:(let T := type of @{ASKED}.{name} in exact T).\nAbout {ASKED}.{name}.\n"
        );
    }
    text += &format!("Definition {ANSWERS} := tt.\nLocate Term {ANSWERS}.\n");
    for index in 0..names.len() {
        text += &format!("Print Opaque Dependencies {}.\n", statement(index));
    }
    Ok(Source { text, families, names_universes })
}

/// Whether a statement gives names to its universes: `Theorem t@{u}`.
fn names_its_universes(statement: &str, name: &str) -> bool {
    let short = name.rsplit('.').next().unwrap_or(name);
    statement.split_once(short).is_some_and(|(_, rest)| rest.trim_start().starts_with("@{"))
}

/// Compiles a challenge. The error of [`Ok`] says what the compiler has against it.
pub(super) async fn compile(
    compiler: &Compiler,
    source: &Source,
) -> Result<Result<Challenge, String>, EnvError> {
    let folder = Scratch::new()?;
    let compiled = compiler.compile(folder.path(), MODULE, &source.text, &[], DOING).await?;
    let stdout = match compiled {
        Compiled::Done(stdout) => stdout,
        Compiled::Refused(message) => return Ok(Err(message)),
    };
    // The file is trusted, but it may print; the answers come after this line.
    let answers = stdout.rsplit_once(ANSWERS).map_or("", |(_, answers)| answers);
    let held = match holds(answers, &format!("{ASKED}.")) {
        Ok(held) => held,
        Err(message) => return Ok(Err(message)),
    };
    let held = match closure(compiler, folder.path(), held).await? {
        Ok(held) => held,
        Err(message) => return Ok(Err(message)),
    };
    let polymorphic = source.names_universes
        && stdout
            .lines()
            .any(|l| l.starts_with(&format!("{ASKED}.")) && l.ends_with(" is universe polymorphic"));
    Ok(Ok(Challenge { folder, held, families: source.families.clone(), polymorphic }))
}

/// Things that a challenge leaves open, and those that their types depend on. The compiled challenge lies in the folder.
pub(super) async fn closure(
    compiler: &Compiler,
    folder: &Path,
    mut held: BTreeSet<Held>,
) -> Result<Result<BTreeSet<Held>, String>, EnvError> {
    let mut asked_about = BTreeSet::new();
    let mut shown = BTreeSet::new();
    while asked_about.len() < held.len() {
        asked_about.clone_from(&held);
        let compiled = compiler.compile(folder, TYPES, &types(&held), &[], DOING).await?;
        let answers = match compiled {
            Compiled::Done(stdout) => stdout,
            Compiled::Refused(message) => return Ok(Err(message)),
        };
        match holds(&answers, &asked("")) {
            Ok(more) => held.extend(more),
            Err(message) => return Ok(Err(message)),
        }
        shown.extend(held.iter().filter(|held| is_shown(held, &answers)).cloned());
    }
    held.retain(|held| !shown.contains(held));
    Ok(Ok(held))
}

/// Whether something is called opaque only because the file says `Opaque`, which tells tactics not to look at its value. The
/// kernel does, and compares it.
fn is_shown(held: &Held, answers: &str) -> bool {
    let Held::Opaque(name) = held else { return false };
    let said = format!("{} is basically transparent but considered opaque for reduction", asked(name));
    answers.lines().any(|line| line == said)
}

/// A module that asks what the types of things depend on, and which of them are opaque.
fn types(held: &BTreeSet<Held>) -> String {
    let mut text = format!("Require {MODULE}. {PLAIN}\n");
    for (index, held) in held.iter().enumerate() {
        let full = asked(held.name());
        text += &format!("Definition andor_type_{index} := ltac:(let T := type of @{full} in exact T).\n");
    }
    // What is said here stands before the lists, where nothing of it is taken for an entry.
    for held in held.iter().filter(|held| matches!(held, Held::Opaque(_))) {
        text += &format!("About {}.\n", asked(held.name()));
    }
    for index in 0..held.len() {
        text += &format!("Print Opaque Dependencies andor_type_{index}.\n");
    }
    text
}

/// What answers list of the trusted file's own; or that it was made with a check of the kernel switched off.
fn holds(answers: &str, prefix: &str) -> Result<BTreeSet<Held>, String> {
    let mut held = BTreeSet::new();
    for assumption in assumptions::read(answers).into_iter().flatten() {
        match assumption {
            Assumption::Axiom(name) => {
                held.extend(name.strip_prefix(prefix).map(|n| Held::Axiom(n.to_owned())))
            }
            Assumption::Opaque(name) => {
                held.extend(name.strip_prefix(prefix).map(|n| Held::Opaque(n.to_owned())))
            }
            Assumption::Unchecked { name, how } => {
                return Err(format!("the statement mentions `{name}`, which {how}"));
            }
        }
    }
    Ok(held)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trusted_file_is_kept_but_for_proofs() {
        let trusted = "Open Scope Z_scope.\nSection S. Variable x : Z.\nLemma a : x = x. Proof. auto. Qed.\n\
                       Lemma t : x = x. Proof. auto. Qed.\nLemma b : x = x. Admitted.\nEnd S.\n";
        let names = ["t".to_owned()];
        let text = source(trusted, &names, &[Some("x".to_owned())], Extent::UpToTheorems).unwrap().text;
        assert!(text.starts_with("Module Type andor_question. Open Scope Z_scope.\nSection S."), "{text}");
        assert!(
            text.contains(
                "Lemma a : x = x. Proof. auto. Qed.\nLemma t : x = x. Proof using x. Admitted.\nEnd S.\n"
            ),
            "{text}"
        );
        let whole = source(trusted, &names, &[], Extent::Whole).unwrap().text;
        assert!(
            whole.contains("Lemma t : x = x. Proof. auto. Qed.\nLemma b : x = x. Admitted.\nEnd S.\n"),
            "{whole}"
        );
    }
}
