//! The challenge: a module that states the theorems, compiled before any proof is looked at.
//!
//! The trusted file becomes the body of a module type, and a module of that type is declared. Everything that the
//! statements need (notations, scopes, options, sections, definitions) is thus read exactly as in the file, and the
//! kernel itself can later decide whether another module agrees with it, including inductive types and axioms.

use std::collections::BTreeSet;
use std::path::Path;

use super::assumptions::{self, Assumption, PLAIN};
use super::axioms::{Allowed, Located, locate};
use super::commands::outlasts_proof;
use super::compiler::{Compiled, Compiler};
use super::lexer::without_comments;
use super::sentence::{SentenceError, split};
use super::source::{ProofEnding, SourceTheorem, Using, outline, without_attributes};
use andor_env::error::EnvError;
use andor_process::scratch::Scratch;

/// The module name of a challenge.
pub(super) const MODULE: &str = "andor_challenge";
/// The module type inside, whose fields are the declarations of the trusted file.
pub(super) const QUESTION: &str = "andor_question";
/// The module of that type.
const ASKED: &str = "andor_asked";
/// Separates the trusted file's own output from the answers.
const ANSWERS: &str = "andor_answers";
/// The module that queries types.
const TYPES: &str = "andor_types";
/// The module that queries axioms.
const AXIOMS: &str = "andor_axioms";
/// The module whose module type states instances of the theorems.
pub(super) const INSTANCES: &str = "andor_instances";
/// The operation named in messages while the challenge is compiled.
const DOING: &str = "reading the challenge";

/// A compiled challenge.
#[derive(Debug)]
pub(super) struct Challenge {
    /// The folder with the compiled module.
    pub(super) folder: Scratch,
    /// The open declarations of the trusted file that the statements depend on, directly or through the types of
    /// others. The statements hold for all values of these.
    pub(super) held: BTreeSet<Held>,
    /// The inductive types of the trusted file whose universes it names, by their names in it.
    pub(super) families: Vec<String>,
    /// The theorems that leave their universes to Rocq, each as an instance.
    pub(super) instances: Instances,
    /// The axioms that the statements depend on through the values of what they mention.
    pub(super) axioms: StatementAxioms,
    /// The first axiom that the user allows by a short name that nothing has.
    pub(super) unknown: Option<String>,
    /// Whether the trusted file declares something behind the theorems, which is left out.
    pub(super) is_cut: bool,
}

/// What to say of an axiom that is allowed by a name that nothing has.
pub(super) fn unknown_axiom(name: &str) -> String {
    format!("an axiom `{name}` is allowed, but nothing that is loaded has this name")
}

/// The axioms that statements depend on.
#[derive(Debug, Default)]
pub(super) struct StatementAxioms {
    /// Those that the trusted file declares, by their names in it.
    pub(super) own: BTreeSet<String>,
    /// Those of the files that it loads, by their full names.
    pub(super) loaded: BTreeSet<String>,
}

/// The challenge with theorems stated at universes that are not bound, as a proof in Rocq uses them: the kernel collects
/// what it has to know of these. A theorem that names its universes is stated as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Instances {
    /// The text of the module.
    pub(super) text: String,
    /// The names in the trusted file of the theorems so stated, by their numbers.
    pub(super) theorems: Vec<(usize, String)>,
}

/// The name of an instance.
pub(super) fn instance(index: usize) -> String {
    format!("andor_instance_{index}")
}

/// The source of a challenge, with some facts about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Source {
    /// The text.
    pub(super) text: String,
    instances: Instances,
    families: Vec<String>,
    /// The number of theorems.
    count: usize,
    /// The axioms that the user allows by name.
    allowed: Vec<String>,
    is_cut: bool,
}

/// A declaration without a value, or whose value must not matter, by its name in the trusted file.
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

/// The name of the definition that represents a statement.
pub(super) fn statement(index: usize) -> String {
    format!("andor_statement_{index}")
}

/// The full name, in the challenge, of `name` in the trusted file.
pub(super) fn asked(name: &str) -> String {
    format!("{MODULE}.{ASKED}.{name}")
}

/// How much of the trusted file the challenge contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    /// Up to the last theorem: what stands behind it affects no statement, but the order of universes.
    UpToTheorems,
    /// Everything but the proofs of the theorems.
    WithoutProofs,
    /// Everything, including proofs.
    Whole,
}

/// The source of the challenge: the trusted file, without the proofs of the theorems unless it is whole, and a
/// definition for each statement. `using` names, for each theorem, the section variables that it depends on besides those
/// of its statement.
pub(super) fn source(
    trusted: &str,
    names: &[String],
    using: &[Option<String>],
    extent: Extent,
    allowed: &[String],
) -> Result<Source, SentenceError> {
    let declared = outline(trusted)?;
    let asked = Question { trusted, theorems: &declared.theorems, names, using, extent };
    let (question, at) = asked.text(|_, theorem| trusted[theorem.start..theorem.end].to_owned())?;
    let instances = asked.instances()?;
    let families = declared.families.into_iter().filter(|f| f.start < at).map(|f| f.name).collect();
    let mut text = format!("{question}{PLAIN}\nDeclare Module {ASKED} : {QUESTION}.\n");
    for (index, name) in names.iter().enumerate() {
        let definition = statement(index);
        text += &format!(
            "Definition {definition} := ltac:(let T := type of @{ASKED}.{name} in exact T).\nAbout {ASKED}.{name}.\n"
        );
    }
    text += &format!("Definition {ANSWERS} := tt.\nLocate Term {ANSWERS}.\n");
    text += &locate(allowed.iter());
    for index in 0..names.len() {
        text += &format!("Print Opaque Dependencies {}.\n", statement(index));
    }
    let (count, allowed) = (names.len(), allowed.to_vec());
    let rest = trusted[at..].split_whitespace();
    let is_cut = !rest.eq(asked.closers().split_whitespace());
    Ok(Source { text, instances, families, count, allowed, is_cut })
}

/// The text of the trusted file without the proofs of the theorems, as a file of its own.
pub(super) fn plain(
    trusted: &str,
    names: &[String],
    using: &[Option<String>],
) -> Result<String, SentenceError> {
    let declared = outline(trusted)?;
    let extent = Extent::WithoutProofs;
    let asked = Question { trusted, theorems: &declared.theorems, names, using, extent };
    Ok(asked.body(|_, theorem| trusted[theorem.start..theorem.end].to_owned())?.0)
}

/// What becomes the module type.
struct Question<'a> {
    trusted: &'a str,
    theorems: &'a [SourceTheorem],
    names: &'a [String],
    using: &'a [Option<String>],
    extent: Extent,
}

impl<'a> Question<'a> {
    /// The theorems that are stated without their proofs, with their numbers.
    fn stated(&self) -> impl Iterator<Item = (usize, &'a SourceTheorem)> {
        let stated = self.theorems.iter().filter(|theorem| theorem.ending != ProofEnding::Aborted);
        let stated = stated.filter(|_| self.extent != Extent::Whole);
        stated.filter_map(|theorem| Some((self.names.iter().position(|n| theorem.states(n))?, theorem)))
    }

    /// What closes the sections and modules around the last theorem.
    fn closers(&self) -> &'a str {
        self.stated().last().map_or("", |(_, theorem)| &theorem.closers)
    }

    /// The text of the module type, and how much of the trusted file it contains. Text is added only to the first line
    /// and at the end, so that line numbers in messages stay correct.
    fn text(
        &self,
        statement: impl Fn(usize, &SourceTheorem) -> String,
    ) -> Result<(String, usize), SentenceError> {
        let (body, at) = self.body(statement)?;
        Ok((format!("Module Type {QUESTION}. {body}\nEnd {QUESTION}.\n"), at))
    }

    /// The text inside it.
    fn body(
        &self,
        statement: impl Fn(usize, &SourceTheorem) -> String,
    ) -> Result<(String, usize), SentenceError> {
        let mut text = String::new();
        let mut at = 0;
        let mut last: Option<&SourceTheorem> = None;
        for (index, theorem) in self.stated() {
            text += &self.trusted[at..theorem.start];
            text += &statement(index, theorem);
            // A transparent proof may affect the meaning of what follows.
            if theorem.ending != ProofEnding::Transparent {
                // Wherever it stands in the proof, it belongs to the text behind it, too.
                let proof = split(&self.trusted[theorem.end..theorem.proof_end])?;
                for sentence in proof.iter().filter(|sentence| outlasts_proof(sentence.text)) {
                    text += &format!(" {}", sentence.text.trim_start_matches(is_bullet));
                }
                // What the challenge says of the variables is part of what it states; only where it says nothing may
                // the submission choose.
                match (&theorem.using, self.using.get(index).and_then(Option::as_ref)) {
                    (Some(Using::Attribute), _) => {}
                    (Some(Using::Command(clause)), _) => text += &format!(" Proof using {clause}."),
                    (None, Some(names)) => text += &format!(" Proof using {names}."),
                    (None, None) if theorem.in_section => text += " Proof using Type.",
                    (None, None) => {}
                }
                text += " Admitted.";
            } else {
                text += &self.trusted[theorem.end..theorem.proof_end];
            }
            at = theorem.proof_end;
            last = Some(theorem);
        }
        match last {
            Some(last)
                if self.extent == Extent::UpToTheorems
                    && self.names.iter().all(|n| self.theorems.iter().any(|t| t.states(n))) =>
            {
                text.push('\n');
                text += &last.closers;
            }
            _ => {
                text += &self.trusted[at..];
                at = self.trusted.len();
            }
        }
        Ok((text, at))
    }

    fn instances(&self) -> Result<Instances, SentenceError> {
        let (text, _) = self.text(|index, theorem| {
            let stated = || self.trusted[theorem.start..theorem.end].to_owned();
            self.instance(index, theorem).unwrap_or_else(stated)
        })?;
        let stated = self.stated().filter(|(index, theorem)| self.instance(*index, theorem).is_some());
        Ok(Instances {
            text,
            theorems: stated.map(|(index, theorem)| (index, theorem.name.clone())).collect(),
        })
    }

    /// A theorem that leaves its universes to Rocq, as an instance.
    fn instance(&self, index: usize, theorem: &SourceTheorem) -> Option<String> {
        let named = theorem.named.clone()?;
        let before = without_comments(&self.trusted[theorem.start..named.start]);
        let command = without_attributes(&before)?;
        let leaves_open = theorem.ending != ProofEnding::Transparent
            && !names_its_universes(self.trusted, theorem)
            && !command.contains("Monomorphic");
        let attributes = &before[..before.len() - command.len()];
        let command = command.replacen("Polymorphic", "", 1);
        let statement = &self.trusted[named.end..theorem.end];
        leaves_open.then(|| format!("{attributes}Monomorphic {command}{}{statement}", instance(index)))
    }
}

/// Whether a character may stand before a sentence of a proof.
fn is_bullet(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '+' | '*' | '{' | '}')
}

/// Whether a theorem names its universes: `Theorem t@{u}`.
fn names_its_universes(trusted: &str, theorem: &SourceTheorem) -> bool {
    let after = theorem.named.as_ref().map(|named| without_comments(&trusted[named.end..theorem.end]));
    after.is_some_and(|after| after.trim_start().starts_with("@{"))
}

/// Compiles a challenge. The inner error is the compiler's message.
pub(super) async fn compile(
    compiler: &Compiler,
    source: &Source,
) -> Result<Result<Challenge, String>, EnvError> {
    let folder = Scratch::new()?;
    let compiled = compiler.compile(folder.path(), MODULE, &source.text, DOING).await?;
    let stdout = match compiled {
        Compiled::Done(stdout) => stdout,
        // Names are those of the trusted file.
        Compiled::Refused(message) => return Ok(Err(message.replace(&format!("{ASKED}."), ""))),
    };
    // The trusted file may print; the answers come after this line.
    let answers = stdout.rsplit_once(ANSWERS).map_or("", |(_, answers)| answers);
    let module = asked("");
    let named = Allowed::new(&source.allowed, const { &BTreeSet::new() }, module.trim_end_matches('.'));
    let unknown = named.unknown(&Located::read(answers)).map(str::to_owned);
    let prefix = format!("{ASKED}.");
    let held = match holds(answers, &prefix) {
        Ok(held) => held,
        Err(message) => return Ok(Err(message)),
    };
    let assumed = axioms(answers);
    let (own, loaded): (BTreeSet<_>, BTreeSet<_>) =
        assumed.iter().partition(|name| name.starts_with(&prefix));
    let axioms = StatementAxioms {
        own: own.iter().filter_map(|name| name.strip_prefix(&prefix)).map(str::to_owned).collect(),
        loaded: match loaded.is_empty() {
            true => BTreeSet::new(),
            false => match full_names(compiler, folder.path(), source.count, &loaded).await? {
                Ok(names) => names,
                Err(message) => return Ok(Err(message)),
            },
        },
    };
    let held = match closure(compiler, folder.path(), held).await? {
        Ok(held) => held,
        Err(message) => return Ok(Err(message)),
    };
    let (families, instances) = (source.families.clone(), source.instances.clone());
    Ok(Ok(Challenge { folder, held, families, instances, axioms, unknown, is_cut: source.is_cut }))
}

/// The names of axioms in answers, as they are printed.
fn axioms(answers: &str) -> BTreeSet<String> {
    let assumed = assumptions::read(answers).into_iter().flatten();
    assumed
        .filter_map(|assumption| match assumption {
            Assumption::Axiom(name) => Some(name),
            Assumption::Opaque(_) | Assumption::Unchecked { .. } => None,
        })
        .collect()
}

/// The full names of the axioms of other files that the statements of a compiled challenge depend on. A module that only
/// requires the challenge tells them: nothing of a submission is loaded in it.
async fn full_names(
    compiler: &Compiler,
    folder: &Path,
    count: usize,
    printed: &BTreeSet<&String>,
) -> Result<Result<BTreeSet<String>, String>, EnvError> {
    let mut text = format!("Require {MODULE}. {PLAIN}\n{}", locate(printed.iter().copied()));
    for index in 0..count {
        text += &format!("Print Opaque Dependencies {MODULE}.{}.\n", statement(index));
    }
    let answers = match compiler.compile(folder, AXIOMS, &text, DOING).await? {
        Compiled::Done(stdout) => stdout,
        Compiled::Refused(message) => return Ok(Err(message)),
    };
    let located = Located::read(&answers);
    let own = asked("");
    let loaded = axioms(&answers).into_iter().filter(|name| !name.starts_with(&own));
    // Where a name may mean several constants, none is allowed for its sake.
    let names = loaded.map(|name| located.named(&name).filter(|full| full.len() == 1).cloned());
    Ok(Ok(names.flatten().flatten().collect()))
}

/// The open declarations of a challenge, and those that their types depend on. The folder holds the compiled
/// challenge.
pub(super) async fn closure(
    compiler: &Compiler,
    folder: &Path,
    mut held: BTreeSet<Held>,
) -> Result<Result<BTreeSet<Held>, String>, EnvError> {
    let mut asked_about = BTreeSet::new();
    let mut shown = BTreeSet::new();
    while asked_about.len() < held.len() {
        asked_about.clone_from(&held);
        let compiled = compiler.compile(folder, TYPES, &types(&held), DOING).await?;
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

/// Whether a constant is reported as opaque only because of the command `Opaque`, which hides its value from tactics
/// but not from the kernel.
fn is_shown(held: &Held, answers: &str) -> bool {
    let Held::Opaque(name) = held else { return false };
    let said = format!("{} is basically transparent but considered opaque for reduction", asked(name));
    answers.lines().any(|line| line == said)
}

/// A module that queries the dependencies of types, and which of them are opaque.
fn types(held: &BTreeSet<Held>) -> String {
    let mut text = format!("Require {MODULE}. {PLAIN}\n");
    for (index, held) in held.iter().enumerate() {
        let full = asked(held.name());
        text += &format!("Definition andor_type_{index} := ltac:(let T := type of @{full} in exact T).\n");
    }
    // Printed before the lists, where it cannot be mistaken for an entry.
    for held in held.iter().filter(|held| matches!(held, Held::Opaque(_))) {
        text += &format!("About {}.\n", asked(held.name()));
    }
    for index in 0..held.len() {
        text += &format!("Print Opaque Dependencies andor_type_{index}.\n");
    }
    text
}

/// The trusted file's own declarations in the answers; or that one was made with a kernel check disabled.
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
        let text = source(trusted, &names, &[Some("x".to_owned())], Extent::UpToTheorems, &[]).unwrap().text;
        assert!(text.starts_with("Module Type andor_question. Open Scope Z_scope.\nSection S."), "{text}");
        assert!(
            text.contains(
                "Lemma a : x = x. Proof. auto. Qed.\nLemma t : x = x. Proof using x. Admitted.\nEnd S.\n"
            ),
            "{text}"
        );
        let whole = source(trusted, &names, &[], Extent::Whole, &[]).unwrap().text;
        assert!(
            whole.contains("Lemma t : x = x. Proof. auto. Qed.\nLemma b : x = x. Admitted.\nEnd S.\n"),
            "{whole}"
        );
    }

    #[test]
    fn what_a_proof_does_to_the_text_behind_it_is_kept() {
        let trusted = "Lemma a : True.\nProof. - pose (x := 1). Open Scope Z_scope.\n  { Local Import N. } Show. Notation \"2\" := 1. auto.\nQed.\nLemma b : True. Admitted.\n";
        let names = ["a".to_owned(), "b".to_owned()];
        let text = source(trusted, &names, &[], Extent::UpToTheorems, &[]).unwrap().text;
        let kept =
            "Lemma a : True. Open Scope Z_scope. Local Import N. Notation \"2\" := 1. Admitted.\nLemma b";
        assert!(text.contains(kept), "{text}");
    }
}
