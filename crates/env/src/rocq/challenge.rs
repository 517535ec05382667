//! The challenge: a module that says what theorems state, compiled before any proof of them is looked at.
//!
//! The trusted file becomes the body of a module type, and a module of that type is declared. So everything that the
//! statements need (notations, scopes, options, sections, definitions) is read exactly as it stands in the file, and
//! the kernel itself can tell later whether another module agrees with it, inductive types and axioms included.

use std::collections::BTreeSet;
use std::path::Path;

use tempfile::TempDir;

use super::assumptions::{self, Assumption, PLAIN};
use super::compiler::{Compiled, Compiler};
use super::scratch_folder;
use super::sentence::SentenceError;
use super::source::{Ending, SourceTheorem, theorems};
use crate::error::EnvError;

/// The module that a challenge becomes.
pub(super) const MODULE: &str = "andor_challenge";
/// The module that asks about types.
const TYPES: &str = "andor_types";
/// Printed between what the trusted file prints and the answers.
const ANSWERS: &str = "andor_answers";
/// Stated while the challenge is compiled, for messages.
const DOING: &str = "reading the challenge";

/// The module type within, whose fields are what the trusted file declares.
pub(super) const QUESTION: &str = "andor_question";
/// The module of that type.
const ASKED: &str = "andor_asked";

/// A challenge that was compiled.
#[derive(Debug)]
pub(super) struct Challenge {
    /// The folder with the compiled module.
    pub(super) folder: TempDir,
    /// What the trusted file leaves open and the statements depend on, themselves or through the types of other such
    /// things. They hold for every value of these.
    pub(super) held: BTreeSet<Held>,
    /// Whether a theorem is universe polymorphic, so that no definition can stand for its statement.
    pub(super) polymorphic: bool,
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
    /// All of it.
    Whole,
}

/// The source of the challenge: the trusted file, the proofs of the theorems left out, and a definition for each statement.
/// `using` names, for each theorem, the section variables that it is to depend on; all when not given.
pub(super) fn source(
    trusted: &str,
    names: &[String],
    using: &[Option<String>],
    extent: Extent,
) -> Result<String, SentenceError> {
    // What is appended stands on the first and on new lines, so that messages point at the right ones.
    let mut text = format!("Module Type {QUESTION}. ");
    let found = theorems(trusted)?;
    let mut at = 0;
    let mut last: Option<&SourceTheorem> = None;
    for theorem in &found {
        let Some(index) = names.iter().position(|n| *n == theorem.name) else { continue };
        if theorem.ending == Ending::Aborted {
            continue;
        }
        text += &trusted[at..theorem.end];
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
        Some(last)
            if extent == Extent::UpToTheorems && names.iter().all(|n| found.iter().any(|t| t.name == *n)) =>
        {
            text.push('\n');
            text += &last.closers;
        }
        _ => text += &trusted[at..],
    }
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
    Ok(text)
}

/// Whether the theorems, where they stand in sections, may depend on some of the variables only.
pub(super) fn in_sections(trusted: &str, names: &[String]) -> bool {
    let found = theorems(trusted).unwrap_or_default();
    found.iter().any(|t| t.in_section && names.contains(&t.name))
}

/// For each theorem the section variables that a submission's proof uses: as it says itself, or else as the compiler
/// suggests in its output. It is a choice that every answer to is fair: each makes the theorem follow in its section.
pub(super) fn used(submission: &str, names: &[String], stdout: &str) -> Vec<Option<String>> {
    let found = theorems(submission).unwrap_or_default();
    let of = |name: &String| {
        let short = name.rsplit('.').next().unwrap_or(name);
        let same = |t: &&SourceTheorem| t.using.is_none() && t.name.rsplit('.').next() == Some(short);
        let stated = found.iter().find(|t| t.name == *name);
        let clause = match stated.and_then(|t| t.using.clone()) {
            Some(clause) => clause,
            None => {
                let start = stated.map_or(usize::MAX, |t| t.start);
                let before = found.iter().filter(same).filter(|t| t.start < start && t.in_section).count();
                let mut suggested = suggestions(stdout, short);
                if before < suggested.len() { suggested.swap_remove(before) } else { String::new() }
            }
        };
        is_clause(&clause).then_some(clause)
    };
    names.iter().map(of).collect()
}

/// What the compiler, with the option `Suggest Proof Using`, suggests for theorems of a name. It breaks lines where it likes.
fn suggestions(stdout: &str, name: &str) -> Vec<String> {
    let output = stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let heading =
        format!("The proof of {name} should start with one of the following commands: Proof using ");
    let clause = |rest: &str| rest.split_once('.').map(|(clause, _)| clause.trim().to_owned());
    output.split(&heading).skip(1).filter_map(clause).collect()
}

/// Whether a text is nothing but names and the operators between them, and no comment.
fn is_clause(text: &str) -> bool {
    !text.contains("(*")
        && !text.contains("*)")
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '\'' | ' ' | '*' | '(' | ')' | '+' | '-'))
}

/// Compiles a challenge. The error of [`Ok`] says what the compiler has against it.
pub(super) async fn compile(
    compiler: &Compiler,
    source: &str,
) -> Result<Result<Challenge, String>, EnvError> {
    let folder = scratch_folder()?;
    let compiled = compiler.compile(folder.path(), MODULE, source, &[], DOING).await?;
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
    let polymorphic = stdout
        .lines()
        .any(|l| l.starts_with(&format!("{ASKED}.")) && l.ends_with(" is universe polymorphic"));
    Ok(Ok(Challenge { folder, held, polymorphic }))
}

/// Things that a challenge leaves open, and those that their types depend on. The compiled challenge lies in the folder.
pub(super) async fn closure(
    compiler: &Compiler,
    folder: &Path,
    mut held: BTreeSet<Held>,
) -> Result<Result<BTreeSet<Held>, String>, EnvError> {
    let mut asked_about = BTreeSet::new();
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
    }
    Ok(Ok(held))
}

/// A module that asks what the types of things depend on.
fn types(held: &BTreeSet<Held>) -> String {
    let mut text = format!("Require {MODULE}. {PLAIN}\n");
    for (index, held) in held.iter().enumerate() {
        let full = asked(held.name());
        text += &format!("Definition andor_type_{index} := ltac:(let T := type of @{full} in exact T).\n");
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
    fn suggestions_are_read_over_broken_lines() {
        let stdout = "The proof of t should start with one of the following commands:\nProof using . \nProof using Type. \n\
                      The proof of long_name\nshould start with one of the following commands:\nProof using b\na. \n\
                      The proof of t should start with one of the following commands:\nProof using All. \n";
        assert_eq!(suggestions(stdout, "t"), ["", "All"]);
        assert_eq!(suggestions(stdout, "long_name"), ["b a"]);
        assert!(suggestions(stdout, "name").is_empty());
    }

    #[test]
    fn nothing_but_names_is_taken_from_a_submission() {
        let file = |clause: &str| {
            format!("Section S.\nLemma t : True.\nProof using {clause}.\nexact I. Qed.\nEnd S.\n")
        };
        let names = ["t".to_owned()];
        let used = |clause: &str| used(&file(clause), &names, "").remove(0);
        assert_eq!(used("x (y + Type*) - z'").as_deref(), Some("x (y + Type*) - z'"));
        assert_eq!(used("x; Axiom a : False"), None);
    }

    #[test]
    fn the_trusted_file_is_kept_but_for_proofs() {
        let trusted = "Open Scope Z_scope.\nSection S. Variable x : Z.\nLemma a : x = x. Proof. auto. Qed.\n\
                       Lemma t : x = x. Proof. auto. Qed.\nLemma b : x = x. Admitted.\nEnd S.\n";
        let names = ["t".to_owned()];
        let text = source(trusted, &names, &[Some("x".to_owned())], Extent::UpToTheorems).unwrap();
        assert!(text.starts_with("Module Type andor_question. Open Scope Z_scope.\nSection S."), "{text}");
        assert!(
            text.contains(
                "Lemma a : x = x. Proof. auto. Qed.\nLemma t : x = x. Proof using x. Admitted.\nEnd S.\n"
            ),
            "{text}"
        );
        let whole = source(trusted, &names, &[], Extent::Whole).unwrap();
        assert!(
            whole.contains("Lemma t : x = x. Admitted.\nLemma b : x = x. Admitted.\nEnd S.\n"),
            "{whole}"
        );
    }
}
