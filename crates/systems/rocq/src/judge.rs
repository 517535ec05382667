//! The judge: a module that requires the challenge and the submission, imports neither, and lets Rocq compare them.
//!
//! There are two modes. The plain mode gives the submission's theorem the type of the challenge's statement. It works
//! whenever the statement depends only on libraries and on definitions by value. If the trusted file declares
//! inductive types or axioms, those of the two files are different objects for Rocq; then the submission as a whole
//! must match the module type made from the trusted file, so that the kernel compares every declaration.

use std::collections::BTreeSet;
use std::path::Path;

use super::assumptions::{self, Assumption, PLAIN};
use super::axioms::{Allowance, Allowed, Located, set_of};
use super::challenge::{self, Challenge, Held, INSTANCES, asked, instance, statement};
use super::compiler::{Compiled, Compiler, garbled};
use super::source::{ProofEnding, SourceTheorem, theorems};
use andor_audit::vo::{Difference, Stated};
use andor_core::verdict::Reason;
use andor_env::checker::{Level, Permission, Step, Verdict};
use andor_env::error::EnvError;

/// The module name of a submission.
pub(super) const SUBMISSION: &str = "andor_submission";
/// The module that compares the two.
pub(super) const MODULE: &str = "andor_judge";

/// The module that compares values.
pub(super) const VALUES: &str = "andor_values";
/// The module that lists universes.
const UNIVERSES: &str = "andor_universes";
/// The submission with instances of its theorems.
const WRAPPED: &str = "andor_wrapped";

/// The level that the judge verifies.
const LEVEL: Level = Level::Audited;
/// The operation named in messages while the judge runs.
const DOING: &str = "judging a proof";

/// A required module can change options of the whole session by `Global`: how answers are printed, what the kernel
/// checks. All of them are reset. Not every release has all of these options, so missing ones are not errors.
const OPTIONS: &str = "Set Warnings \"none\". Unset Silent. Unset Default Timeout. Set Debug \"-all\". Unset Program Mode. \
    Set Guard Checking. Set Positivity Checking. Set Universe Checking. Unset Universe Polymorphism. \
    Unset Cumulative StrictProp. Unset Ltac Debug.";

/// A mode of comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Each theorem must have the type stated by the challenge.
    Statement,
    /// The whole submission must match the module type of the trusted file.
    Declarations,
    /// The same, for an instance of each polymorphic theorem that leaves its universes to Rocq.
    Instances,
}

/// The input: both modules, compiled in one folder.
pub(super) struct Case<'a> {
    pub(super) folder: &'a Path,
    pub(super) challenge: &'a Challenge,
    pub(super) theorems: &'a [String],
    /// What the theorems say of their universes.
    pub(super) stated: Stated,
    /// Whether instances of theorems that leave their universes open will do; what they require of universes is not
    /// checked here.
    pub(super) instances: bool,
    /// The allowed axioms.
    pub(super) allowed: Allowed<'a>,
    /// The text of the submission, for messages.
    pub(super) submission: &'a str,
}

/// The axioms of accepted proofs.
#[derive(Debug, Default)]
pub(super) struct Axioms {
    /// All of them.
    all: BTreeSet<String>,
    /// Those that are allowed because the statement depends on them.
    of_statement: BTreeSet<String>,
}

impl Axioms {
    pub(super) fn add(&mut self, name: &str, allowance: Allowance) {
        self.all.insert(name.to_owned());
        if allowance == Allowance::OfStatement {
            self.of_statement.insert(name.to_owned());
        }
    }

    /// All of them, and those that the statement depends on.
    pub(super) fn lists(self) -> (Vec<String>, Box<[String]>) {
        (self.all.into_iter().collect(), self.of_statement.into_iter().collect())
    }
}

/// The result of one mode.
pub(super) enum Asked {
    /// It matches; its assumptions remain to be checked.
    Matches(Answers),
    /// It does not match, or a theorem is missing.
    Differs(String),
}

/// The output of the judge.
pub(super) struct Answers {
    /// The assumptions of each theorem.
    rests_on: Vec<Vec<Assumption>>,
    /// Open declarations of the challenge whose counterparts in the submission are not open.
    fixed: Vec<Held>,
    located: Located,
}

/// Whether values of the challenge and the submission in a folder, given by name, are convertible in Rocq's kernel. Those of the
/// challenge are in a module of its module type if it `is_asked` as one. The module that compares them is compiled then.
pub(super) async fn are_equal(
    compiler: &Compiler,
    folder: &Path,
    values: &[(String, String)],
    is_asked: bool,
) -> Result<bool, EnvError> {
    let mut text = format!("Require {} {SUBMISSION}. {OPTIONS}\n", challenge::MODULE);
    for (index, (here, there)) in values.iter().enumerate() {
        let here = if is_asked { asked(here) } else { format!("{}.{here}", challenge::MODULE) };
        let there = format!("{SUBMISSION}.{there}");
        text += &format!(
            "Definition andor_value_{index} : @eq _ (@{here}) (@{there}) := @eq_refl _ (@{here}).\n"
        );
    }
    let compiled = compiler.compile(folder, VALUES, &text, DOING).await?;
    Ok(matches!(compiled, Compiled::Done(_)))
}

impl Case<'_> {
    /// Verifies up to level 2.
    pub(super) async fn judge(&self, compiler: &Compiler) -> Step<Axioms> {
        let failed = Verdict::failed(LEVEL);
        if self.stated != Stated::Named {
            let asked = self.ask(compiler, Way::Statement, &self.challenge.held, None).await;
            // A difference says little: what both files declare is different in each, too.
            if let Asked::Matches(answers) = asked.map_err(&failed)? {
                let axioms = self.evaluate_axioms(&answers)?;
                // An axiom declared by the submission itself means nothing until the declarations are compared.
                if !answers.mention_own() {
                    return Ok(axioms);
                }
            }
        }
        let mut held: BTreeSet<Held> = self.challenge.held.iter().map(|h| self.as_proved(h)).collect();
        let (mut way, mut refused) = (Way::Declarations, String::new());
        let mut equated = None;
        loop {
            let asked = self.ask(compiler, way, &held, equated.as_deref()).await;
            let answers = match asked.map_err(&failed)? {
                Asked::Matches(answers) => answers,
                // Otherwise Rocq may choose among universe constraints in a way that does not terminate.
                Asked::Differs(_) if equated.is_none() => {
                    equated = Some(self.equated(compiler).await.map_err(&failed)?);
                    continue;
                }
                Asked::Differs(message) if way == Way::Declarations => {
                    if !self.states_instances(compiler).await.map_err(&failed)? {
                        return Err(rejection(&message));
                    }
                    (way, refused) = (Way::Instances, message);
                    continue;
                }
                Asked::Differs(_) => return Err(rejection(&refused)),
            };
            let axioms = self.evaluate_axioms(&answers)?;
            // An axiom equals the challenge's only if everything in its type does.
            let wider: BTreeSet<Held> = held.iter().cloned().chain(answers.own_axioms()).collect();
            if wider == held {
                return Ok(axioms);
            }
            let wider = challenge::closure(compiler, self.folder, wider).await.map_err(&failed)?;
            let wider = wider.map_err(|message| rejection(&message))?;
            held = wider.iter().map(|h| self.as_proved(h)).collect();
        }
    }

    /// The names of everything that must have the same type in both: open declarations and inductive types.
    fn typed<'a>(&'a self, held: &'a BTreeSet<Held>) -> Vec<&'a str> {
        held.iter().map(Held::name).chain(self.challenge.families.iter().map(String::as_str)).collect()
    }

    /// A theorem under verification is left out of the challenge but present in the submission; its proof must not
    /// matter.
    fn as_proved(&self, held: &Held) -> Held {
        match held {
            Held::Axiom(name) if self.theorems.contains(name) => Held::Opaque(name.clone()),
            other => other.clone(),
        }
    }

    /// Whether there are instances to compare; their module is then compiled.
    async fn states_instances(&self, compiler: &Compiler) -> Result<bool, EnvError> {
        let instances = &self.challenge.instances;
        if !self.instances || self.stated != Stated::Open || instances.theorems.is_empty() {
            return Ok(false);
        }
        let compiled = compiler.compile(self.folder, INSTANCES, &instances.text, DOING).await?;
        Ok(matches!(compiled, Compiled::Done(_)))
    }

    /// Declares the universes with the same name in both files equal. Rocq rejects this for universes that the files
    /// order differently.
    async fn equated(&self, compiler: &Compiler) -> Result<String, EnvError> {
        let text =
            format!("Require {} {SUBMISSION}. {OPTIONS} {PLAIN}\nPrint Universes.\n", challenge::MODULE);
        let Compiled::Done(stdout) = compiler.compile(self.folder, UNIVERSES, &text, DOING).await? else {
            return Ok(String::new());
        };
        let printed: BTreeSet<&str> = stdout.split_whitespace().collect();
        let named = printed.iter().filter_map(|name| name.strip_prefix(&asked("")));
        // The universes of a theorem depend on its proof.
        let of_theorem = |name: &str| {
            self.theorems
                .iter()
                .any(|t| name.strip_prefix(t.as_str()).is_some_and(|rest| rest.starts_with(".u")))
        };
        let both = named
            .filter(|name| printed.contains(format!("{SUBMISSION}.{name}").as_str()) && !of_theorem(name));
        Ok(both.map(|name| format!("Constraint {} = {SUBMISSION}.{name}.\n", asked(name))).collect())
    }

    /// Runs one mode, given the open declarations of the challenge.
    async fn ask(
        &self,
        compiler: &Compiler,
        way: Way,
        held: &BTreeSet<Held>,
        equated: Option<&str>,
    ) -> Result<Asked, EnvError> {
        let source = self.source(way, held, equated.unwrap_or_default());
        let compiled = compiler.compile(self.folder, MODULE, &source, DOING).await?;
        let stdout = match compiled {
            Compiled::Done(stdout) => stdout,
            Compiled::Refused(message) => return Ok(Asked::Differs(message)),
        };
        let mut rests_on = assumptions::read(&stdout);
        let located = Located::read(&stdout);
        let axioms = match way {
            Way::Statement => Vec::new(),
            Way::Declarations | Way::Instances => held_axioms(held),
        };
        let complete = rests_on.len() == self.theorems.len() + axioms.len()
            && self.theorems.iter().all(|t| located.knows(&format!("{SUBMISSION}.{t}")));
        if !complete {
            return Err(garbled(DOING, &stdout));
        }
        let counterparts = rests_on.split_off(self.theorems.len());
        let mut fixed: Vec<Held> = Vec::new();
        for (name, rests_on) in axioms.iter().zip(&counterparts) {
            if !rests_on.contains(&Assumption::Axiom(format!("{SUBMISSION}.{name}"))) {
                fixed.push(Held::Axiom(name.clone()));
            }
        }
        for held in held.iter().filter(|_| way != Way::Statement) {
            if let Held::Opaque(name) = held
                // A constant hidden by a seal is neither opaque nor transparent.
                && stdout.lines().any(|l| {
                    l.strip_prefix(&format!("{SUBMISSION}.{name} is ")).is_some_and(|said| {
                        said == "transparent" || said.starts_with("basically transparent")
                    })
                })
            {
                fixed.push(held.clone());
            }
        }
        Ok(Asked::Matches(Answers { rests_on, fixed, located }))
    }

    fn source(&self, way: Way, held: &BTreeSet<Held>, equated: &str) -> String {
        let mut text = format!("Require {}.\n", challenge::MODULE);
        let (question, matched) = match way {
            Way::Instances => (INSTANCES, WRAPPED),
            Way::Statement | Way::Declarations => (challenge::MODULE, SUBMISSION),
        };
        let question = format!("{question}.{}", challenge::QUESTION);
        if way == Way::Instances {
            text += &format!("Require {INSTANCES}.\n");
        }
        if way != Way::Statement {
            text += &types_asked(&question, &self.typed(held));
        }
        text += &format!("Require {SUBMISSION}. {OPTIONS} {PLAIN}\n");
        if way == Way::Instances {
            // What is included may set options again.
            text += &format!("Module {WRAPPED}. Include {SUBMISSION}. {OPTIONS} {PLAIN}\n");
            for (index, theorem) in &self.challenge.instances.theorems {
                text += &format!("Definition {} := @{SUBMISSION}.{theorem}.\n", instance(*index));
            }
            text += &format!("End {WRAPPED}. {OPTIONS} {PLAIN}\n");
        }
        text += equated;
        text += &self.allowed.questions();
        for theorem in self.theorems {
            text += &format!("Locate Term {SUBMISSION}.{theorem}.\n");
        }
        match way {
            Way::Statement => {
                for (index, theorem) in self.theorems.iter().enumerate() {
                    let stated = format!("{}.{}", challenge::MODULE, statement(index));
                    text +=
                        &format!("Definition andor_judged_{index} : {stated} := @{SUBMISSION}.{theorem}.\n");
                }
                for index in 0..self.theorems.len() {
                    text += &format!("Print Assumptions andor_judged_{index}.\n");
                }
            }
            Way::Declarations | Way::Instances => {
                text += &format!("Module andor_judged <: {question} := {matched}.\n");
                text += &types_agree(matched, &self.typed(held));
                for held in held {
                    if let Held::Opaque(name) = held {
                        text += &format!("About {SUBMISSION}.{name}.\n");
                    }
                }
                for name in self.theorems.iter().chain(&held_axioms(held)) {
                    text += &format!("Print Assumptions {SUBMISSION}.{name}.\n");
                }
            }
        }
        text
    }

    /// The axioms, if all of them are allowed and the challenge's own are still axioms.
    fn evaluate_axioms(&self, answers: &Answers) -> Step<Axioms> {
        if let Some(held) = answers.fixed.first() {
            let difference = match held {
                Held::Axiom(name) => Difference::Defined(name.clone()),
                Held::Opaque(name) => Difference::Shown(name.clone()),
            };
            return Err(Verdict::rejected(LEVEL, Reason::Statement, difference.to_string()));
        }
        let mut axioms = Axioms::default();
        for (theorem, rests_on) in self.theorems.iter().zip(&answers.rests_on) {
            for assumption in rests_on {
                let printed = assumption.name();
                let own = own_name(printed);
                let name = own.unwrap_or(printed);
                if let Assumption::Unchecked { how, .. } = assumption {
                    return Err(unchecked(LEVEL, theorem, name, how));
                }
                // A theorem under verification cannot be allowed as an axiom.
                let is_judged = self.theorems.iter().any(|t| t == name);
                if own.is_some_and(|own| is_judged || !answers.located.knows(&asked(own))) {
                    return Err(self.own_axiom(theorem, name));
                }
                // The challenge may be compiled somewhere, with the theorem as an axiom.
                let is_named = |theorem: &&String| own.is_none() && name.ends_with(&format!(".{theorem}"));
                if let Some(theorem) = self.theorems.iter().find(is_named) {
                    let message =
                        format!("the proof depends on `{name}`, which has the name of `{theorem}` itself");
                    return Err(Verdict::rejected(LEVEL, Reason::Axiom, message));
                }
                match self.allowed.allowance(printed, &answers.located) {
                    Some(allowance) => axioms.add(name, allowance),
                    None => return Err(not_allowed(LEVEL, theorem, name, self.submission)),
                }
            }
        }
        self.allowed.all_known(self.theorems, &answers.located).map_err(Verdict::failed(LEVEL))?;
        Ok(axioms)
    }

    /// The rejection of an axiom that the submission adds, or that has no counterpart in the challenge.
    fn own_axiom(&self, theorem: &str, own: &str) -> Verdict {
        if self.theorems.iter().any(|t| t == own) {
            return unproved(LEVEL, own);
        }
        if self.allowed.names(own) {
            let message = format!(
                "`{theorem}` depends on `{own}`, which the submission declares but the challenge does not"
            );
            return Verdict::rejected(LEVEL, Reason::Axiom, message);
        }
        not_allowed(LEVEL, theorem, own, self.submission)
    }
}

/// The rejection of a submission whose declarations differ.
fn rejection(message: &str) -> Verdict {
    let message = readable(message);
    let message = mismatch(&message).unwrap_or_else(|| format!("Rocq: {message}"));
    Verdict::rejected(LEVEL, Reason::Statement, message)
}

/// What Rocq says of a declaration that has another type in a module than in its signature, in words of the two files.
fn mismatch(message: &str) -> Option<String> {
    let (name, types) = message
        .strip_prefix("Signature components for field ")?
        .split_once(" do not match: expected type \"")?;
    let (stated, found) = types.split_once("\" but found type \"")?;
    let found = found.trim_end_matches('.').trim_end_matches('"');
    Some(format!("`{name}` is, where it is stated: {stated}\nand where it is proved: {found}"))
}

/// A compiler message without its first line, which refers to a temporary file, and without our module names.
fn readable(message: &str) -> String {
    let body = message.split_once('\n').map_or(message, |(_, body)| body);
    let body = body.trim().trim_start_matches("Error:").trim();
    let body = body.replace(&format!("in {MODULE}.andor_judged."), "in the submission.");
    let body = body.replace(&format!("{MODULE}.andor_judged."), "");
    let body = body.replace(&asked(""), "the challenge's ").replace(&format!("{SUBMISSION}."), "");
    body.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Answers {
    /// The axioms that the submission itself declares.
    fn own_axioms(&self) -> impl Iterator<Item = Held> {
        let names = self.rests_on.iter().flatten().map(Assumption::name);
        names.filter_map(own_name).map(|name| Held::Axiom(name.to_owned()))
    }

    fn mention_own(&self) -> bool {
        self.own_axioms().next().is_some()
    }
}

fn held_axioms(held: &BTreeSet<Held>) -> Vec<String> {
    held.iter().filter(|h| matches!(h, Held::Axiom(_))).map(|h| h.name().to_owned()).collect()
}

/// A functor that returns the types of the given names in the challenge, expressed with the declarations of another
/// module.
fn types_asked(question: &str, names: &[&str]) -> String {
    let mut text = format!("Module andor_types (andor_any : {question}).\n");
    for (index, name) in names.iter().enumerate() {
        let from = functions_from_type(&format!("andor_any.{name}"));
        text += &format!("Definition andor_type_{index} := {from}.\n");
    }
    text + "End andor_types.\n"
}

/// A module also matches a module type if its types are in smaller universes. Statements about open declarations and
/// inductive types refer to the universes in the challenge, so the types must be equal.
fn types_agree(matched: &str, names: &[&str]) -> String {
    let mut text = format!("Module andor_typed := andor_types {matched}.\n");
    for (index, name) in names.iter().enumerate() {
        let from = functions_from_type(&format!("{SUBMISSION}.{name}"));
        text += &format!(
            "Definition andor_same_{index} : @eq Prop andor_typed.andor_type_{index} {from} := \
             @eq_refl Prop andor_typed.andor_type_{index}.\n"
        );
    }
    text
}

/// The functions from a type: those from two types are equal only if the types are. Universes in proofs do not
/// matter.
fn functions_from_type(name: &str) -> String {
    format!(
        "ltac:(let T := type of @{name} in let S := type of T in \
         lazymatch S with Prop => exact True | _ => exact (T -> True) end)"
    )
}

/// The submission's own name for a declaration, given its full name.
pub(super) fn own_name(name: &str) -> Option<&str> {
    name.strip_prefix(SUBMISSION)?.strip_prefix('.')
}

/// The rejection of a theorem that is itself an axiom.
pub(super) fn unproved(level: Level, theorem: &str) -> Verdict {
    Verdict::rejected(level, Reason::Unproved, format!("`{theorem}` is admitted, not proved"))
}

/// The rejection of something accepted with a kernel check disabled; `how` is Rocq's description.
pub(super) fn unchecked(level: Level, theorem: &str, name: &str, how: &str) -> Verdict {
    let message = format!("`{theorem}` depends on `{name}`, which {}", how.trim_end_matches('.'));
    Verdict::rejected(level, Reason::Unchecked, message)
}

/// Whether a file declares an axiom as a theorem whose proof it admits.
pub(super) fn is_admitted(axiom: &str, file: &str) -> bool {
    let is_it = |theorem: &SourceTheorem| {
        let name = theorem.name.strip_suffix(axiom);
        theorem.ending == ProofEnding::Open && name.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    theorems(file).is_ok_and(|found| found.iter().any(is_it))
}

/// The rejection of an axiom on which a theorem of a file depends, with the set that contains it.
pub(super) fn not_allowed(level: Level, theorem: &str, axiom: &str, file: &str) -> Verdict {
    let what = match is_admitted(axiom, file) {
        true => "which is admitted, not proved",
        false => "which is not an allowed axiom",
    };
    let message = format!("`{theorem}` depends on `{axiom}`, {what}");
    let permission = Permission::Axioms(set_of(axiom).unwrap_or(axiom).to_owned());
    Verdict::not_permitted(level, Reason::Axiom, message, permission)
}
