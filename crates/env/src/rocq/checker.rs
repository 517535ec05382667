//! The checker: from a fresh compiler over the judge to a second run of the kernel.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use andor_core::theorem::Theorem;
use async_trait::async_trait;

use super::assumptions::{self, Assumption};
use super::axioms::{Allowed, Located};
use super::challenge::{self, Challenge, Extent, Source};
use super::commands::forbidden_commands;
use super::comparison::{self, Difference};
use super::compiled::libraries::Libraries;
use super::compiled::{self, CompiledError, Library, Own};
use super::compiler::{Compiled, Compiler, library_folder, program, take};
use super::judge::{Case, SUBMISSION, not_allowed, unchecked, unproved};
use super::premises::Premises;
use super::trust;
use super::trust::bugs::{self, BugId, Recheck, Version};
use super::{RocqConfig, dialect, probe_version, recheck, release, script, using};
use crate::checker::{Checker, Claim, Level, Permission, Reach, Reason, Step, Verdict};
use crate::error::EnvError;
use crate::process::scratch::Scratch;
use crate::screen::Refusal;
use crate::trust::Trust;

/// Challenges that are remembered.
const MAX_CHALLENGES: usize = 16;

/// Judges files with `coqc` and `coqchk`, each time in new processes and folders.
pub(super) struct RocqChecker {
    config: RocqConfig,
    compiler: Compiler,
    premises: Arc<Premises>,
    /// Challenges that were compiled, by their sources; the youngest last.
    challenges: Mutex<VecDeque<(Source, Arc<Challenge>)>>,
}

impl RocqChecker {
    pub(super) fn new(config: RocqConfig, premises: Arc<Premises>) -> Self {
        let compiler = Compiler::new(config.clone(), Arc::clone(&premises));
        Self { config, compiler, premises, challenges: Mutex::default() }
    }
}

#[async_trait]
impl Checker for RocqChecker {
    async fn reach(&self) -> Reach {
        let reach = |highest, shortfall: String| Reach { highest, shortfall: Some(shortfall) };
        if let Err(error) = program(dialect::COMPILERS) {
            return reach(Level::Claimed, error.to_string());
        }
        let compiler = program(dialect::COMPILERS).expect("it was just found");
        let version = probe_version(&compiler).await.unwrap_or_default();
        if !compiled::is_known(&version) {
            return reach(Level::Compiled, CompiledError::Version(version).to_string());
        }
        if let Err(error) = program(dialect::KERNELS) {
            return reach(Level::Audited, error.to_string());
        }
        match self.premises.walls().await {
            Ok(_) => Reach { highest: Level::Judged, shortfall: None },
            Err(why) => reach(Level::Rechecked, why.to_string()),
        }
    }

    async fn pin(&self, theorem: &Theorem) -> Result<(), EnvError> {
        let names = [theorem.name.clone()];
        let trusted = script::challenge(theorem);
        self.challenge(&theorem.id, &trusted, &names, &[], Extent::UpToTheorems).await.map(drop)
    }

    async fn check(&self, claim: &Claim, level: Level) -> Verdict {
        // Walls stand around every program that is run for it, the challenge's included. Without them all the rest holds.
        let (level, shortfall) = match self.premises.walls().await {
            Err(why) if level == Level::Judged => (Level::Rechecked, Some(why.to_string())),
            _ => (level, None),
        };
        match self.climb(&self.compiler, claim, level).await {
            Ok((axioms, trust)) => Verdict::Accepted { level, axioms, trust, shortfall },
            Err(verdict) => verdict,
        }
    }
}

impl RocqChecker {
    /// The axioms of a claim that holds up to a level, and what else it trusts.
    async fn climb(&self, compiler: &Compiler, claim: &Claim, level: Level) -> Step<(Vec<String>, Trust)> {
        allowed(claim)?;
        if level <= Level::Compiled {
            return Ok((self.compiled(compiler, claim).await?, Trust::default()));
        }
        let (folder, axioms, trust) = self.audited(compiler, claim).await.map_err(too_much)?;
        if level <= Level::Audited {
            return Ok((axioms, trust));
        }
        recheck::modules(compiler, folder.path()).await.map_err(too_much)?;
        if self.config.recheck_deps {
            let checked = recheck::libraries(compiler, &self.config, folder.path()).await;
            checked.map_err(Verdict::failed(Level::Rechecked))?;
        }
        Ok((axioms, trust))
    }

    /// Compares the submission with the challenge, and gives the folder in which all modules lie compiled.
    async fn audited(&self, compiler: &Compiler, claim: &Claim) -> Step<(Scratch, Vec<String>, Trust)> {
        let failed = Verdict::failed(Level::Audited);
        let installed = library_folder(&program(dialect::COMPILERS).map_err(&failed)?).await;
        let installed = installed.map_err(&failed)?;
        let Compared { folder, first, second } = self.compared(compiler, claim).await?;
        let axioms = agreed(first, second)?;
        // The number that a compiled file begins with does not tell all releases of a branch apart.
        let version = release().await.map_err(&failed)?;
        let submitted = read(folder.path(), SUBMISSION, None).map_err(&failed)?;
        let trust = self.trusted(&submitted, installed, &claim.theorems, version)?;
        Ok((folder, axioms, trust))
    }

    /// Compares the submission with the challenge in both ways.
    async fn compared(&self, compiler: &Compiler, claim: &Claim) -> Step<Compared> {
        let failed = Verdict::failed(Level::Audited);
        let challenge = match self.stated(claim, &[]).await {
            // A file that is judged by itself is the challenge, proofs included, and takes as long at level 1.
            Err(error @ EnvError::Overdue { .. }) if extent(claim) == Extent::Whole => {
                return Err(Verdict::failed(Level::Compiled)(error));
            }
            stated => stated.map_err(&failed)?,
        };
        let own = Scratch::new().map_err(&failed)?;
        let suggest = ["-set", "Suggest Proof Using"];
        let stdout = compile(compiler, own.path(), &claim.submission, &suggest).await?;
        let challenge = if extent(claim) == Extent::UpToTheorems
            && using::in_sections(&claim.challenge, &claim.theorems)
        {
            let using = using::used(&claim.submission, &claim.theorems, &stdout);
            self.stated(claim, &using).await.unwrap_or(challenge)
        } else {
            challenge
        };
        let folder = Scratch::new().map_err(&failed)?;
        take(SUBMISSION, own.path(), folder.path()).map_err(&failed)?;
        take(challenge::MODULE, challenge.folder.path(), folder.path()).map_err(&failed)?;
        let case = Case {
            folder: folder.path(),
            challenge: &challenge,
            theorems: &claim.theorems,
            axioms: &self.config.allowed_axioms,
        };
        let first = match case.judge(compiler).await {
            Err(verdict @ Verdict::Infrastructure { .. }) => return Err(verdict),
            first => first,
        };
        let second = match read_and_compare(folder.path(), &claim.theorems).map_err(&failed)? {
            Ok(values) if values.is_empty() => Ok(()),
            Ok(values) => match case.are_equal(compiler, &values).await.map_err(&failed)? {
                true => Ok(()),
                false => Err(Difference::Value(values[0].0.clone())),
            },
            Err(difference) => Err(difference),
        };
        Ok(Compared { folder, first, second })
    }

    /// What each of the two comparisons says by itself.
    pub(super) async fn opinions(&self, claim: &Claim) -> Step<Opinions> {
        allowed(claim)?;
        let Compared { first, second, .. } = self.compared(&self.compiler, claim).await?;
        let message = |verdict| match verdict {
            Verdict::Rejected { message, .. } => message,
            other => format!("{other:?}"),
        };
        Ok(Opinions {
            rocq: first.map(drop).map_err(message),
            files: second.map_err(|difference| difference.to_string()),
        })
    }

    /// What a submission trusts beyond its axioms; rejected when it does what a bug needs that is known and not trusted.
    fn trusted(
        &self,
        submitted: &Library,
        installed: PathBuf,
        theorems: &[String],
        version: Version,
    ) -> Step<Trust> {
        let bound =
            self.config.load_path.iter().map(|path| (path.folder.clone(), path.name.clone())).collect();
        let libraries = Libraries::new(installed, bound);
        let examined = trust::examine(submitted, &libraries, theorems, version);
        let is_trusted = |bug: &BugId| self.config.trusted_bugs.contains(&bug.to_string());
        if let Some(met) = examined.met.iter().find(|met| !is_trusted(&met.bug)) {
            let bug = bugs::of(met.bug);
            let recheck = match bug.coqchk {
                Recheck::Shares => "a second run of the kernel has the bug, too",
                Recheck::Refuses => "a second run of the kernel refuses what it lets through",
            };
            let message = format!(
                "`{}` does what a known bug of this version needs ({}): {}, {}: {}; {recheck}",
                met.at, bug.component, bug.id, bug.title, bug.url
            );
            let permission = Permission::Bug(bug.id.to_string());
            return Err(Verdict::not_permitted(Level::Audited, Reason::Bug, message, permission));
        }
        let met = examined.met.iter().map(|met| met.bug);
        let bugs: BTreeSet<BugId> = examined.named.iter().copied().chain(met).collect();
        Ok(Trust { features: examined.features, bugs: bugs.iter().map(BugId::to_string).collect() })
    }

    /// Level 1 alone: one compiler reads the file, and says at its end what the theorems rest on.
    async fn compiled(&self, compiler: &Compiler, claim: &Claim) -> Step<Vec<String>> {
        let level = Level::Compiled;
        let allowed = Allowed::new(&self.config.allowed_axioms, SUBMISSION);
        let mut text = format!("{}\n{}", claim.submission, allowed.questions());
        for theorem in &claim.theorems {
            text += &format!("Print Assumptions {theorem}.\n");
        }
        let folder = Scratch::new().map_err(Verdict::failed(level))?;
        let stdout = match compile(compiler, folder.path(), &text, &[]).await {
            Err(Verdict::Rejected { message, .. }) if is_missing(&message, &claim.theorems) => {
                return Err(Verdict::rejected(level, Reason::Missing, message));
            }
            compiled => compiled?,
        };
        // One answer per theorem, in order; anything the file itself prints comes before.
        let answers = assumptions::read(&stdout);
        let located = Located::read(&stdout);
        let Some(first) = answers.len().checked_sub(claim.theorems.len()) else {
            let message = "the compiler did not list the assumptions of every theorem";
            return Err(Verdict::rejected(level, Reason::Missing, message));
        };
        let mut axioms = BTreeSet::new();
        for (theorem, answer) in claim.theorems.iter().zip(&answers[first..]) {
            for assumption in answer {
                let name = assumption.name();
                let admitted = theorem == name || theorem.ends_with(&format!(".{name}"));
                match assumption {
                    Assumption::Unchecked { how, .. } => return Err(unchecked(level, theorem, name, how)),
                    _ if admitted => return Err(unproved(level, theorem)),
                    _ if !allowed.has(name, &located) => return Err(not_allowed(level, theorem, name)),
                    Assumption::Axiom(name) | Assumption::Opaque(name) => axioms.insert(name.clone()),
                };
            }
        }
        Ok(axioms.into_iter().collect())
    }

    /// The challenge of a claim. That it cannot be compiled is no verdict on the proof.
    async fn stated(&self, claim: &Claim, using: &[Option<String>]) -> Result<Arc<Challenge>, EnvError> {
        let id = claim.theorems.join(", ");
        self.challenge(&id, &claim.challenge, &claim.theorems, using, extent(claim)).await
    }

    /// A challenge, compiled now or before. `id` names it in messages.
    async fn challenge(
        &self,
        id: &str,
        trusted: &str,
        theorems: &[String],
        using: &[Option<String>],
        extent: Extent,
    ) -> Result<Arc<Challenge>, EnvError> {
        let refused = |message: String| EnvError::TheoremRefused {
            theorem: id.to_owned(),
            part: "the challenge",
            text: String::new(),
            message,
        };
        // Whoever states a theorem is trusted to mean it, but nothing runs or writes while it is read.
        forbidden_commands(trusted).map_err(|refusal| refused(refusal.to_string()))?;
        let found = super::source::theorems(trusted).map_err(|e| refused(e.to_string()))?;
        if let Some(theorem) = found.iter().find(|t| !t.reachable && theorems.contains(&t.name)) {
            return Err(refused(format!(
                "`{}` stands in a functor or a module type, where nothing can be asked about it; apply the functor in the file, \
                 and name the theorem of the result",
                theorem.name
            )));
        }
        let source =
            challenge::source(trusted, theorems, using, extent).map_err(|e| refused(e.to_string()))?;
        let known = |challenges: &VecDeque<(Source, Arc<Challenge>)>| {
            challenges.iter().find(|(s, _)| *s == source).map(|(_, c)| Arc::clone(c))
        };
        if let Some(known) = known(&self.challenges.lock().expect("nobody panics holding it")) {
            return Ok(known);
        }
        let compiled = match challenge::compile(&self.compiler, &source).await {
            Err(EnvError::TooLarge { limit, .. }) => return Err(refused(prints_more(limit))),
            compiled => compiled?,
        };
        let challenge = Arc::new(compiled.map_err(refused)?);
        let mut challenges = self.challenges.lock().expect("nobody panics holding it");
        challenges.push_back((source, Arc::clone(&challenge)));
        if challenges.len() > MAX_CHALLENGES {
            challenges.pop_front();
        }
        Ok(challenge)
    }
}

/// A file that is judged by itself has nothing else that would say what it may assume, and how its universes go.
fn extent(claim: &Claim) -> Extent {
    if claim.challenge == claim.submission { Extent::Whole } else { Extent::UpToTheorems }
}

/// A submission that was compared with its challenge.
struct Compared {
    /// The folder in which all modules lie compiled.
    folder: Scratch,
    /// What Rocq says: the axioms, or why it is rejected.
    first: Step<Vec<String>>,
    /// What the compiled files say.
    second: Result<(), Difference>,
}

/// What the two comparisons of level 2 say of a claim, each by itself; a message says why it does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinions {
    /// What Rocq says when it matches one file against the other.
    pub rocq: Result<(), String>,
    /// What is found by reading both compiled files.
    pub files: Result<(), String>,
}

/// Refuses a submission with commands that no proof needs.
fn allowed(claim: &Claim) -> Step<()> {
    forbidden_commands(&claim.submission).map_err(|refusal| {
        let reason = match refusal {
            Refusal::Unclosed(_) => Reason::Malformed,
            Refusal::Unchecked { .. } => Reason::Unchecked,
            _ => Reason::Forbidden,
        };
        Verdict::rejected(Level::Compiled, reason, refusal.to_string())
    })
}

/// Compares the compiled challenge and the compiled submission in a folder. Gives definitions whose values do not look the same.
fn read_and_compare(
    folder: &Path,
    theorems: &[String],
) -> Result<Result<Vec<(String, String)>, Difference>, EnvError> {
    let stated = read(folder, challenge::MODULE, Some(challenge::QUESTION))?;
    let submitted = read(folder, SUBMISSION, None)?;
    Ok(comparison::compare(&stated, &submitted, theorems))
}

/// What a compiled module in a folder holds.
fn read(folder: &Path, module: &str, within: Option<&str>) -> Result<Library, EnvError> {
    let own = Own { library: module.to_owned(), within: within.map(str::to_owned) };
    Library::read(&folder.join(format!("{module}.vo")), &own)
        .map_err(|error| EnvError::CompiledFile { of: module.to_owned(), message: error.to_string() })
}

/// What two comparisons say together: both must find no difference.
fn agreed(first: Step<Vec<String>>, second: Result<(), Difference>) -> Step<Vec<String>> {
    match (first, second) {
        (first, Ok(())) => first,
        (Err(Verdict::Rejected { level, reason: Reason::Statement, message, .. }), Err(difference)) => {
            let message = format!("{message} The compiled files differ, too: {difference}");
            Err(Verdict::rejected(level, Reason::Statement, message))
        }
        (Err(verdict), _) => Err(verdict),
        (Ok(_), Err(difference)) => {
            let message = format!("the compiled files differ: {difference}. Rocq itself finds no difference");
            Err(Verdict::rejected(Level::Audited, Reason::Statement, message))
        }
    }
}

/// Whether the compiler says that one of the theorems is not there.
fn is_missing(message: &str, theorems: &[String]) -> bool {
    theorems.iter().any(|t| message.contains(&format!("{t} not a defined object")))
}

fn prints_more(limit: usize) -> String {
    format!(
        "it prints more than {} MiB while it is compiled, and no more is read; have it print less",
        limit >> 20
    )
}

/// What is printed when a compiled submission is judged is its axioms, by names that it chose. Too much of that is no failure of
/// the machinery.
fn too_much(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Infrastructure { level, error: EnvError::TooLarge { limit, doing } } => {
            let message = format!(
                "the list of what it assumes, printed while {doing}, has more than {} MiB, and no more is read; \
                 have it assume less, by shorter names",
                limit >> 20
            );
            Verdict::rejected(level, Reason::Refused, message)
        }
        verdict => verdict,
    }
}

/// Compiles a submission, and gives what it printed.
async fn compile(compiler: &Compiler, folder: &Path, text: &str, options: &[&str]) -> Step<String> {
    let compiled = compiler.compile(folder, SUBMISSION, text, options, "compiling a proof").await;
    if let Err(EnvError::TooLarge { limit, .. }) = compiled {
        return Err(Verdict::rejected(Level::Compiled, Reason::Refused, prints_more(limit)));
    }
    match compiled.map_err(Verdict::failed(Level::Compiled))? {
        Compiled::Done(stdout) => Ok(stdout),
        Compiled::Refused(message) => {
            let message = format!("the compiler refuses it: {message}");
            Err(Verdict::rejected(Level::Compiled, Reason::Refused, message))
        }
    }
}
