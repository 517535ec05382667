//! The judge: a module that requires the challenge and the submission, imports neither, and has Rocq compare them.
//!
//! It asks in two ways. The plain one gives the submission's theorem the type that the challenge's statement is. It does
//! whenever the statement is about the libraries and definitions by value. Where the trusted file declares inductive types
//! or axioms, those of the two files are different things to Rocq; then the submission as a whole must match the module
//! type that the trusted file became, so that the kernel compares every declaration.

use std::collections::BTreeSet;
use std::path::Path;

use super::assumptions::{self, Assumption, PLAIN};
use super::axioms::{Allowed, Located, set_of};
use super::challenge::{self, Challenge, Held, asked, statement};
use super::compiler::{Compiled, Compiler, garbled};
use crate::checker::{Level, Permission, Reason, Step, Verdict};
use crate::error::EnvError;

/// The module that a submission becomes.
pub(super) const SUBMISSION: &str = "andor_submission";
/// The module that compares.
pub(super) const MODULE: &str = "andor_judge";

/// The module that compares values.
const VALUES: &str = "andor_values";
/// The module that lists universes.
const UNIVERSES: &str = "andor_universes";

/// The level that the judge decides.
const LEVEL: Level = Level::Audited;
/// Stated while the judge runs, for messages.
const DOING: &str = "judging a proof";

/// A required module changes options of the whole session where it says `Global`: how answers are printed, what the kernel
/// checks. Everything is set back. Not all releases have all of these options, and none may be an error for that.
const OPTIONS: &str = "Set Warnings \"none\". Unset Silent. Unset Default Timeout. Set Debug \"-all\". Unset Program Mode. \
    Set Guard Checking. Set Positivity Checking. Set Universe Checking. Unset Universe Polymorphism. \
    Unset Cumulative StrictProp. Unset Ltac Debug.";

/// How the judge asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Each theorem has the type that the challenge states.
    ByStatement,
    /// The whole submission has the module type that the trusted file is.
    ByDeclarations,
}

/// What there is to judge: both modules lie compiled in one folder.
pub(super) struct Case<'a> {
    pub(super) folder: &'a Path,
    pub(super) challenge: &'a Challenge,
    pub(super) theorems: &'a [String],
    /// The axioms that the user allows.
    pub(super) axioms: &'a [String],
}

/// What came of asking one way.
pub(super) enum Asked {
    /// It is what was asked for; what it rests on is to be looked at.
    Matches(Answers),
    /// It is not, or a theorem is not there.
    Differs(String),
}

/// What the judge printed.
pub(super) struct Answers {
    /// What each theorem rests on.
    rests_on: Vec<Vec<Assumption>>,
    /// What the submission made of things that the challenge leaves open, by their names.
    fixed: Vec<String>,
    located: Located,
}

impl Case<'_> {
    /// Judges up to level 2.
    pub(super) async fn judge(&self, compiler: &Compiler) -> Step<Vec<String>> {
        let failed = Verdict::failed(LEVEL);
        let mut difference = None;
        if !self.challenge.polymorphic {
            match self.ask(compiler, Way::ByStatement, &self.challenge.held, None).await.map_err(&failed)? {
                Asked::Differs(message) => difference = Some(message),
                Asked::Matches(answers) => {
                    // An axiom that the submission itself declares says nothing until the declarations are compared.
                    if !answers.mention_own() {
                        return self.evaluate_axioms(&answers);
                    }
                }
            }
        }
        let mut held: BTreeSet<Held> = self.challenge.held.iter().map(|h| self.as_proved(h)).collect();
        let mut equated = None;
        loop {
            let asked = self.ask(compiler, Way::ByDeclarations, &held, equated.as_deref()).await;
            let answers = match asked.map_err(&failed)? {
                Asked::Matches(answers) => answers,
                // Left to itself, Rocq may choose among inequalities between universes so that it comes to no end.
                Asked::Differs(message) if equated.is_none() => {
                    equated = Some(self.equated(compiler).await.map_err(&failed)?);
                    difference.get_or_insert(message);
                    continue;
                }
                Asked::Differs(message) => return Err(self.rejection(difference.as_deref(), &message)),
            };
            let axioms = self.evaluate_axioms(&answers)?;
            // An axiom is what the challenge says only if all that its type mentions is.
            let wider: BTreeSet<Held> = held.iter().cloned().chain(answers.own_axioms()).collect();
            if wider == held {
                return Ok(axioms);
            }
            let wider = challenge::closure(compiler, self.folder, wider).await.map_err(&failed)?;
            let wider = wider.map_err(|message| self.rejection(None, &message))?;
            held = wider.iter().map(|h| self.as_proved(h)).collect();
        }
    }

    /// The names of all that must be of the same type in both: what is left open, and families of types.
    fn typed<'a>(&'a self, held: &'a BTreeSet<Held>) -> Vec<&'a str> {
        held.iter().map(Held::name).chain(self.challenge.families.iter().map(String::as_str)).collect()
    }

    /// A theorem that is judged is left out of the challenge, and is there in the submission; its proof must not matter.
    fn as_proved(&self, held: &Held) -> Held {
        match held {
            Held::Axiom(name) if self.theorems.contains(name) => Held::Opaque(name.clone()),
            other => other.clone(),
        }
    }

    /// Whether values of the challenge and of the submission, by their names, are the same to Rocq's kernel.
    pub(super) async fn are_equal(
        &self,
        compiler: &Compiler,
        values: &[(String, String)],
    ) -> Result<bool, EnvError> {
        let mut text = format!("Require {} {SUBMISSION}. {OPTIONS}\n", challenge::MODULE);
        for (index, (here, there)) in values.iter().enumerate() {
            let (here, there) = (asked(here), format!("{SUBMISSION}.{there}"));
            text += &format!(
                "Definition andor_value_{index} : @eq _ (@{here}) (@{there}) := @eq_refl _ (@{here}).\n"
            );
        }
        let compiled = compiler.compile(self.folder, VALUES, &text, &[], DOING).await?;
        Ok(matches!(compiled, Compiled::Done(_)))
    }

    /// Says of the universes that both files name alike that they are the same. That may be said of universes which neither
    /// file has in another order, and Rocq refuses it of others.
    async fn equated(&self, compiler: &Compiler) -> Result<String, EnvError> {
        let text =
            format!("Require {} {SUBMISSION}. {OPTIONS} {PLAIN}\nPrint Universes.\n", challenge::MODULE);
        let Compiled::Done(stdout) = compiler.compile(self.folder, UNIVERSES, &text, &[], DOING).await?
        else {
            return Ok(String::new());
        };
        let printed: BTreeSet<&str> = stdout.split_whitespace().collect();
        let named = printed.iter().filter_map(|name| name.strip_prefix(&asked("")));
        // Those of a theorem depend on its proof.
        let of_theorem = |name: &str| {
            self.theorems
                .iter()
                .any(|t| name.strip_prefix(t.as_str()).is_some_and(|rest| rest.starts_with(".u")))
        };
        let both = named
            .filter(|name| printed.contains(format!("{SUBMISSION}.{name}").as_str()) && !of_theorem(name));
        Ok(both.map(|name| format!("Constraint {} = {SUBMISSION}.{name}.\n", asked(name))).collect())
    }

    /// Asks one way, by what the challenge leaves open.
    async fn ask(
        &self,
        compiler: &Compiler,
        way: Way,
        held: &BTreeSet<Held>,
        equated: Option<&str>,
    ) -> Result<Asked, EnvError> {
        let source = self.source(way, held, equated.unwrap_or_default());
        let compiled = compiler.compile(self.folder, MODULE, &source, &[], DOING).await?;
        let stdout = match compiled {
            Compiled::Done(stdout) => stdout,
            Compiled::Refused(message) => return Ok(Asked::Differs(message)),
        };
        let mut rests_on = assumptions::read(&stdout);
        let located = Located::read(&stdout);
        let axioms = match way {
            Way::ByStatement => Vec::new(),
            Way::ByDeclarations => held_axioms(held),
        };
        let complete = rests_on.len() == self.theorems.len() + axioms.len()
            && self.theorems.iter().all(|t| located.knows(&format!("{SUBMISSION}.{t}")));
        if !complete {
            return Err(garbled(DOING, &stdout));
        }
        let counterparts = rests_on.split_off(self.theorems.len());
        let mut fixed: Vec<String> = Vec::new();
        for (name, rests_on) in axioms.iter().zip(&counterparts) {
            if !rests_on.contains(&Assumption::Axiom(format!("{SUBMISSION}.{name}"))) {
                fixed.push(name.clone());
            }
        }
        for held in held.iter().filter(|_| way == Way::ByDeclarations) {
            if let Held::Opaque(name) = held
                // What a seal hides is neither opaque nor transparent.
                && stdout.lines().any(|l| {
                    l.strip_prefix(&format!("{SUBMISSION}.{name} is ")).is_some_and(|said| {
                        said == "transparent" || said.starts_with("basically transparent")
                    })
                })
            {
                fixed.push(name.clone());
            }
        }
        Ok(Asked::Matches(Answers { rests_on, fixed, located }))
    }

    fn source(&self, way: Way, held: &BTreeSet<Held>, equated: &str) -> String {
        let mut text = format!("Require {}.\n", challenge::MODULE);
        if way == Way::ByDeclarations {
            text += &types_asked(&self.typed(held));
        }
        text += &format!("Require {SUBMISSION}. {OPTIONS} {PLAIN}\n");
        text += equated;
        text += &Allowed::new(self.axioms, SUBMISSION).questions();
        for theorem in self.theorems {
            text += &format!("Locate Term {SUBMISSION}.{theorem}.\n");
        }
        match way {
            Way::ByStatement => {
                for (index, theorem) in self.theorems.iter().enumerate() {
                    let stated = format!("{}.{}", challenge::MODULE, statement(index));
                    text +=
                        &format!("Definition andor_judged_{index} : {stated} := @{SUBMISSION}.{theorem}.\n");
                }
                for index in 0..self.theorems.len() {
                    text += &format!("Print Assumptions andor_judged_{index}.\n");
                }
            }
            Way::ByDeclarations => {
                let question = format!("{}.{}", challenge::MODULE, challenge::QUESTION);
                text += &format!("Module andor_judged <: {question} := {SUBMISSION}.\n");
                text += &types_agree(&self.typed(held));
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
    fn evaluate_axioms(&self, answers: &Answers) -> Step<Vec<String>> {
        if let Some(name) = answers.fixed.first() {
            let message =
                format!("the challenge leaves open what `{name}` is, and the submission defines it");
            return Err(Verdict::rejected(LEVEL, Reason::Statement, message));
        }
        let allowed = Allowed::new(self.axioms, SUBMISSION);
        let mut axioms = BTreeSet::new();
        for (theorem, rests_on) in self.theorems.iter().zip(&answers.rests_on) {
            for assumption in rests_on {
                let printed = assumption.name();
                let own = own_name(printed);
                let name = own.unwrap_or(printed);
                if let Assumption::Unchecked { how, .. } = assumption {
                    return Err(unchecked(LEVEL, theorem, name, how));
                }
                // A theorem that is judged cannot be allowed as an axiom.
                let is_judged = self.theorems.iter().any(|t| t == name);
                if own.is_some_and(|own| is_judged || !answers.located.knows(&asked(own))) {
                    return Err(self.own_axiom(theorem, name));
                }
                if !allowed.has(printed, &answers.located) {
                    return Err(not_allowed(LEVEL, theorem, name));
                }
                axioms.insert(name.to_owned());
            }
        }
        Ok(axioms.into_iter().collect())
    }

    /// The rejection of an axiom that the submission adds, or whose counterpart in the challenge is not known.
    fn own_axiom(&self, theorem: &str, own: &str) -> Verdict {
        if self.theorems.iter().any(|t| t == own) {
            return unproved(LEVEL, own);
        }
        if self.axioms.iter().any(|a| a == own) {
            let message = format!(
                "`{theorem}` rests on `{own}`, which the submission declares and the challenge does not"
            );
            return Verdict::rejected(LEVEL, Reason::Axiom, message);
        }
        not_allowed(LEVEL, theorem, own)
    }

    /// The rejection of a submission that differs by its declarations, and perhaps before by the statement.
    fn rejection(&self, statement: Option<&str>, declarations: &str) -> Verdict {
        let message = statement.unwrap_or(declarations);
        let missing = self.theorems.iter().find(|t| {
            let absent = [
                format!("The reference {SUBMISSION}.{t} was not found"),
                format!("No such label {t}"),
                format!("The field {t} is missing"),
            ];
            absent.iter().any(|a| message.contains(a.as_str()))
        });
        match missing {
            Some(theorem) => {
                let message = format!("the submission proves no theorem `{theorem}`");
                Verdict::rejected(LEVEL, Reason::Missing, message)
            }
            None => {
                let mut message = format!("the submission states something else: {}", readable(message));
                if statement.is_some() {
                    message += &format!(" Nor do its declarations agree: {}", readable(declarations));
                }
                Verdict::rejected(LEVEL, Reason::Statement, message)
            }
        }
    }
}

impl Answers {
    /// The axioms of the submission itself.
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

/// A functor that gives the types of what has these names in the challenge, as they are with the declarations of
/// another module.
fn types_asked(names: &[&str]) -> String {
    let mut text =
        format!("Module andor_types (andor_any : {}.{}).\n", challenge::MODULE, challenge::QUESTION);
    for (index, name) in names.iter().enumerate() {
        let from = functions_from_type(&format!("andor_any.{name}"));
        text += &format!("Definition andor_type_{index} := {from}.\n");
    }
    text + "End andor_types.\n"
}

/// A module matches a module type also when types in it are of smaller universes. What is said of something that is
/// left open, or of a family of types, is said of one in the universe that the challenge gives it, so the types must be the same.
fn types_agree(names: &[&str]) -> String {
    let mut text = format!("Module andor_typed := andor_types {SUBMISSION}.\n");
    for (index, name) in names.iter().enumerate() {
        let from = functions_from_type(&format!("{SUBMISSION}.{name}"));
        text += &format!(
            "Definition andor_same_{index} : @eq Prop andor_typed.andor_type_{index} {from} := \
             @eq_refl Prop andor_typed.andor_type_{index}.\n"
        );
    }
    text
}

/// The functions from the type of something: those from two types are the same only if the types are. A proof has nothing
/// in it whose universe could matter.
fn functions_from_type(name: &str) -> String {
    format!(
        "ltac:(let T := type of @{name} in let S := type of T in \
         lazymatch S with Prop => exact True | _ => exact (T -> True) end)"
    )
}

/// What the submission itself calls something that it declares, by its full name.
pub(super) fn own_name(name: &str) -> Option<&str> {
    name.strip_prefix(SUBMISSION)?.strip_prefix('.')
}

/// A message of the compiler without its first line, which gives a place in a file that nobody has, and without our names.
fn readable(message: &str) -> String {
    let body = message.split_once('\n').map_or(message, |(_, body)| body);
    let body = body.trim().trim_start_matches("Error:").trim();
    let body = body.replace(&asked(""), "the challenge's ").replace(&format!("{SUBMISSION}."), "");
    body.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rejection of a theorem that is an axiom itself.
pub(super) fn unproved(level: Level, theorem: &str) -> Verdict {
    Verdict::rejected(level, Reason::Unproved, format!("`{theorem}` is admitted, not proved"))
}

/// The rejection of something accepted with a check switched off; `how` is what Rocq says of it.
pub(super) fn unchecked(level: Level, theorem: &str, name: &str, how: &str) -> Verdict {
    let message = format!("`{theorem}` rests on `{name}`, which {}", how.trim_end_matches('.'));
    Verdict::rejected(level, Reason::Unchecked, message)
}

/// The rejection of an axiom, with the set that it belongs to.
pub(super) fn not_allowed(level: Level, theorem: &str, axiom: &str) -> Verdict {
    let message = format!("`{theorem}` rests on `{axiom}`, which is not an allowed axiom");
    let permission = Permission::Axioms(set_of(axiom).unwrap_or(axiom).to_owned());
    Verdict::not_permitted(level, Reason::Axiom, message, permission)
}
