//! The checker: from a fresh compiler through the comparison to a separate run of the kernel.

mod files;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use andor_core::theorem::Theorem;
use andor_process::error::ProcessError;
use async_trait::async_trait;
use tokio::sync::OnceCell;

use super::agreement::{Opinions, agreed};
use super::assumptions::{self, Assumption};
use super::axioms::{Allowed, Located, begun_sets, of_installation};
use super::challenge::{self, Challenge, Extent, Source};
use super::commands::forbidden_commands;
use super::compiled::{read, stated, submitted};
use super::compiler::{Compiled, Compiler, library_folder, program, take};
use super::judge::{Axioms, Case, SUBMISSION, not_allowed, unchecked, unproved};
use super::premises::Premises;
use super::source::{ProofEnding, theorems};
use super::submission::{compile, prints_more};
use super::variables::{self, Choice};
use super::{RocqConfig, Universes, dialect, probe_version, recheck, release, script};
use andor_audit::vo::bugs::{self, BugId, Recheck};
use andor_audit::vo::{self, CompiledError, Difference, Known, Libraries, Library, Stated, Version};
use andor_core::verdict::Reason;
use andor_env::checker::{Checker, Claim, Level, Permission, Reach, Step, Verdict};
use andor_env::checking::{self, Challenges, refused_challenge};
use andor_env::error::EnvError;
use andor_env::trust::Trust;
use andor_process::scratch::Scratch;

/// Verifies files with `coqc` and `coqchk`, each time in new processes and folders.
pub(super) struct RocqChecker {
    config: RocqConfig,
    compiler: Compiler,
    premises: Arc<Premises>,
    challenges: Challenges<Source, Challenge>,
    /// The levels of this machine, once they are known.
    reach: OnceCell<Reach>,
}

impl RocqChecker {
    pub(super) fn new(config: RocqConfig, premises: Arc<Premises>) -> Self {
        let compiler = Compiler::new(config.clone(), Arc::clone(&premises));
        Self { config, compiler, premises, challenges: Challenges::default(), reach: OnceCell::new() }
    }
}

#[async_trait]
impl Checker for RocqChecker {
    async fn reach(&self) -> Reach {
        match self.installed().await {
            Reach { highest, shortfall } if self.config.recheck_deps && highest < Level::Rechecked => {
                let shortfall = shortfall.map(|why| format!("the check of libraries needs level 3: {why}"));
                Reach { highest: Level::Claimed, shortfall }
            }
            reach => reach,
        }
    }

    async fn pin(&self, theorem: &Theorem) -> Result<(), EnvError> {
        let names = [theorem.name.clone()];
        let trusted = script::challenge(theorem);
        let challenge = self.challenge(&theorem.id, &trusted, &names, &[], Extent::UpToTheorems).await?;
        if let Some(name) = &challenge.unknown {
            return Err(refused_challenge(&theorem.id)(challenge::unknown_axiom(name)));
        }
        let (named, of_statement) = (self.named_axioms(), self.of_statement(&challenge).await?);
        let module = challenge::asked("");
        let allowed = Allowed::new(&named, &of_statement, module.trim_end_matches('.'));
        let axioms = &challenge.axioms;
        let full = axioms.own.iter().map(|name| challenge::asked(name)).chain(axioms.loaded.iter().cloned());
        let refused: Vec<String> = full.filter(|full| allowed.allows(full).is_none()).collect();
        match refused.is_empty() {
            true => Ok(()),
            false => {
                let short = |full: String| full.strip_prefix(&module).map(str::to_owned).unwrap_or(full);
                let axioms = refused.into_iter().map(short).collect();
                Err(EnvError::StatementAxioms { theorem: theorem.id.clone(), axioms })
            }
        }
    }

    async fn check(&self, claim: &Claim, mut level: Level) -> Verdict {
        // The sandbox, if there is one, confines every program, including those for the challenge.
        let mut found = self.climb(&self.compiler, claim, level).await;
        if self.config.recheck_deps && level < Level::Rechecked && found.is_ok() {
            // Libraries are checked at level 3. Accepting the claim below it would leave this out.
            level = Level::Rechecked;
            found = self.climb(&self.compiler, claim, level).await;
        }
        match found {
            Ok((axioms, trust)) => {
                let (axioms, statement_axioms) = axioms.lists();
                Verdict::Accepted {
                    level,
                    axioms,
                    trust: Box::new(Trust { statement_axioms, ..trust }),
                    shortfall: None,
                }
            }
            Err(verdict) => verdict,
        }
    }
}

impl RocqChecker {
    /// The levels that the installed programs support.
    async fn installed(&self) -> Reach {
        let reach = |highest, shortfall: String| Reach { highest, shortfall: Some(shortfall) };
        let probe = async || {
            let compiler = program(dialect::COMPILERS).map_err(|error| error.to_string())?;
            // A compiler that does not answer is no release without level 2.
            let version = probe_version(&compiler).await?;
            match Known::of(&version) {
                Known::Yes => {}
                Known::Newer => tracing::warn!("{}", Known::newer(&version)),
                Known::No => return Ok(reach(Level::Compiled, CompiledError::Version(version).to_string())),
            }
            if let Err(error) = program(dialect::KERNELS) {
                return Ok(reach(Level::Audited, error.to_string()));
            }
            checking::reach_with(self.premises.sandbox().await).map_err(|failed| failed.to_string())
        };
        let found = self.reach.get_or_try_init(probe).await;
        found.cloned().unwrap_or_else(|why| reach(Level::Claimed, why))
    }

    /// The axioms of a claim that is verified up to a level, and what else has to be trusted.
    async fn climb(&self, compiler: &Compiler, claim: &Claim, level: Level) -> Step<(Axioms, Trust)> {
        allowed(claim)?;
        if level <= Level::Compiled {
            return Ok((self.compiled(compiler, claim).await?, Trust::default()));
        }
        let (folder, axioms, trust) = self.audited(compiler, claim).await.map_err(too_much)?;
        if level <= Level::Audited {
            return Ok((axioms, trust));
        }
        recheck::modules(compiler, folder.path(), &open(claim)).await.map_err(too_much)?;
        if self.config.recheck_deps {
            recheck::libraries(compiler, &self.config, folder.path()).await?;
        }
        Ok((axioms, trust))
    }

    /// Compares the submission with the challenge, and returns the folder with all compiled modules.
    async fn audited(&self, compiler: &Compiler, claim: &Claim) -> Step<(Scratch, Axioms, Trust)> {
        let failed = Verdict::failed(Level::Audited);
        let Compared { folder, first, second, universes, hint, installed } =
            self.compared(compiler, claim).await?;
        let axioms = agreed(first, second, &claim.submission).map_err(|verdict| match (verdict, hint) {
            (Verdict::Rejected { level, reason: reason @ Reason::Statement, message, .. }, Some(hint)) => {
                Verdict::rejected(level, reason, format!("{hint}\n{message}"))
            }
            (verdict, _) => verdict,
        })?;
        // The number at the beginning of a compiled file does not distinguish all releases of a branch.
        let version = release().await.map_err(&failed)?;
        let submitted = submitted(folder.path())?;
        let trust = self.trusted(&submitted, &self.libraries(installed), &claim.theorems, version)?;
        Ok((folder, axioms, Trust { universes, ..trust }))
    }

    /// Compares the submission with the challenge in both ways.
    async fn compared(&self, compiler: &Compiler, claim: &Claim) -> Step<Compared> {
        let failed = Verdict::failed(Level::Audited);
        let installed = library_folder(&program(dialect::COMPILERS).map_err(&failed)?).await;
        let installed = installed.map_err(&failed)?;
        let challenge = match self.stated(claim, &[]).await {
            // A file that states its own theorems is the whole challenge, with proofs, and takes as long as at level
            // 1.
            Err(error @ EnvError::Process(ProcessError::Overdue { .. }))
                if extent(claim) == Extent::Whole =>
            {
                return Err(Verdict::failed(Level::Compiled)(error));
            }
            stated => stated.map_err(&failed)?,
        };
        let own = Scratch::new().map_err(EnvError::from).map_err(&failed)?;
        compile(compiler, own.path(), &claim.submission, claim.submission.len()).await?;
        let Closed { challenge, using, hint } = self.closed(compiler, claim, challenge, own.path()).await?;
        let folder = Scratch::new().map_err(EnvError::from).map_err(&failed)?;
        take(SUBMISSION, own.path(), folder.path()).map_err(&failed)?;
        take(challenge::MODULE, challenge.folder.path(), folder.path()).map_err(&failed)?;
        let (named, of_statement) =
            (self.named_axioms(), self.of_statement(&challenge).await.map_err(&failed)?);
        let within = Some(challenge::QUESTION);
        let compared = self.files(compiler, claim, (folder.path(), within), &installed).await?;
        let of_universes = asked_for(folder.path(), &claim.theorems)?;
        let case = Case {
            folder: folder.path(),
            challenge: &challenge,
            theorems: &claim.theorems,
            stated: of_universes,
            instances: self.config.universes == Universes::AsRocq
                || compared.as_ref().is_ok_and(|compared| compared.renumbers),
            allowed: Allowed::new(&named, &of_statement, SUBMISSION),
            submission: &claim.submission,
        };
        let first = match case.judge(compiler).await {
            Err(verdict @ Verdict::Infrastructure { .. }) => return Err(verdict),
            first => first,
        };
        let compared = match compared {
            Ok(found) if found.order_matters && challenge.is_cut && first.is_ok() => {
                self.with_the_rest(compiler, claim, &using, folder.path(), &installed).await?.map(|()| found)
            }
            compared => compared,
        };
        let mut universes = Box::default();
        let second = match compared {
            Ok(vo::Compared { bounds, .. }) => {
                let allowed = self.bounds_allowed(&bounds, case.stated, &self.libraries(installed.clone()));
                let bounding: BTreeSet<String> = bounds.into_iter().map(|(_, library)| library).collect();
                universes = bounding.into_iter().collect();
                allowed
            }
            Err(difference) => Err(difference),
        };
        Ok(Compared { folder, first, second, universes, hint, installed })
    }

    /// Whether polymorphic theorems may be proved for universes up to those of libraries.
    fn bounds_allowed(
        &self,
        bounds: &BTreeSet<(String, String)>,
        stated: Stated,
        libraries: &Libraries,
    ) -> Result<(), Difference> {
        for (theorem, library) in bounds {
            let module = format!("{library}.");
            if stated != Stated::Open || !libraries.installs(&module) || libraries.binds(&module) {
                return Err(Difference::Polymorphic(theorem.clone()));
            }
            if self.config.universes == Universes::AsStated {
                return Err(Difference::Bounded { theorem: theorem.clone(), library: library.clone() });
            }
        }
        Ok(())
    }

    /// The challenge whose theorems in sections depend on the variables that the submission's proofs use, as far as the
    /// challenge leaves this open; and what it does not. The folder holds the compiled submission.
    async fn closed(
        &self,
        compiler: &Compiler,
        claim: &Claim,
        challenge: Arc<Challenge>,
        folder: &Path,
    ) -> Step<Closed> {
        let failed = Verdict::failed(Level::Audited);
        let choices = variables::choices(&claim.challenge, &claim.theorems);
        if extent(claim) == Extent::Whole || choices.iter().all(|choice| *choice == Choice::Outside) {
            return Ok(Closed { challenge, using: Vec::new(), hint: None });
        }
        let fewest = variables::binders(&stated(challenge.folder.path())?, &claim.theorems);
        let added = |file: &Library| -> Vec<Vec<String>> {
            let binders = variables::binders(file, &claim.theorems);
            binders.iter().zip(&fewest).map(|(binders, fewest)| variables::added(binders, fewest)).collect()
        };
        let used = added(&submitted(folder)?);
        let mut of_proofs = vec![Vec::new(); used.len()];
        if choices.iter().zip(&used).any(|(choice, used)| *choice == Choice::Proof && !used.is_empty()) {
            let folder = Scratch::new().map_err(EnvError::from).map_err(&failed)?;
            let doing = "reading the proofs of the challenge";
            let compiled = compiler.compile(folder.path(), SUBMISSION, &claim.challenge, doing).await;
            if let Compiled::Refused(message) = compiled.map_err(&failed)? {
                return Err(failed(refused_challenge(&claim.theorems.join(", "))(message)));
            }
            of_proofs = added(&submitted(folder.path())?);
        }
        let (using, hint) = variables::granted(&claim.theorems, &choices, &fewest, used, of_proofs);
        if using.iter().all(Option::is_none) {
            return Ok(Closed { challenge, using, hint });
        }
        match self.stated(claim, &using).await {
            Ok(challenge) => Ok(Closed { challenge, using, hint }),
            // The submission has variables that the challenge lacks.
            Err(EnvError::TheoremRefused { message, .. }) => {
                let unknown = message.split_once("Unknown variable: ").map(|(_, rest)| rest.trim());
                let name =
                    unknown.and_then(|rest| rest.lines().next()).map(|name| name.trim_end_matches('.'));
                let lacks = match name {
                    Some(name) => format!(
                        "the proof uses the section variable `{name}`, which the file that states the theorem does not declare"
                    ),
                    None => "the proof uses other section variables than the file that states the theorem"
                        .to_owned(),
                };
                Ok(Closed { challenge, using: Vec::new(), hint: hint.or(Some(lacks)) })
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Whether a file has all declarations of another; `None` if the other does not compile.
    pub(super) async fn has_all(&self, of: &str, file: &str) -> Result<Option<bool>, EnvError> {
        let folders = [Scratch::new()?, Scratch::new()?];
        for (text, folder, if_refused) in [(of, &folders[0], None), (file, &folders[1], Some(false))] {
            let compiled = match forbidden_commands(text) {
                Ok(()) => {
                    self.compiler.compile(folder.path(), SUBMISSION, text, "comparing two files").await?
                }
                Err(refusal) => Compiled::Refused(refusal.to_string()),
            };
            if let Compiled::Refused(_) = compiled {
                return Ok(if_refused);
            }
        }
        let installed = library_folder(&program(dialect::COMPILERS)?).await?;
        let [of, file] = folders.each_ref().map(|folder| read(folder.path(), SUBMISSION, None));
        let libraries = self.libraries(installed);
        Ok(Some(matches!((of, file), (Ok(of), Ok(file)) if vo::has_all(&of, &file, &libraries))))
    }

    /// The separate results of the two comparisons.
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

    /// What a submission trusts besides its axioms; rejected if it uses features affected by a known bug that is not
    /// trusted.
    fn trusted(
        &self,
        submitted: &Library,
        libraries: &Libraries,
        theorems: &[String],
        version: Version,
    ) -> Step<Trust> {
        let examined = vo::examine(submitted, libraries, theorems, version);
        let is_trusted = |bug: &BugId| self.config.trusted_bugs.contains(&bug.to_string());
        if let Some(met) = examined.met.iter().find(|met| !is_trusted(&met.bug)) {
            let bug = bugs::of(met.bug);
            let recheck = match bug.coqchk {
                Recheck::Shares => "a second kernel run has the same bug",
                Recheck::Refuses => "a second kernel run does not have the bug",
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
        Ok(Trust {
            features: examined.features.into(),
            bugs: bugs.iter().map(BugId::to_string).collect(),
            libraries: vo::libraries(submitted),
            ..Trust::default()
        })
    }

    /// Level 1: a compiler reads the file. Only a file with axioms that the user does not name is compared with those of
    /// its statements.
    async fn compiled(&self, compiler: &Compiler, claim: &Claim) -> Step<Axioms> {
        let rejection = match self.compiled_with(compiler, claim, &BTreeSet::new()).await {
            Err(rejection @ Verdict::Rejected { reason: Reason::Axiom, .. }) => rejection,
            compiled => return compiled,
        };
        let Ok(challenge) = self.stated(claim, &[]).await else { return Err(rejection) };
        match self.of_statement(&challenge).await {
            Ok(axioms) if !axioms.is_empty() => self.compiled_with(compiler, claim, &axioms).await,
            _ => Err(rejection),
        }
    }

    /// The same, with the axioms of the statements: the compiler prints the assumptions of the theorems at the end of the
    /// file.
    async fn compiled_with(
        &self,
        compiler: &Compiler,
        claim: &Claim,
        of_statement: &BTreeSet<String>,
    ) -> Step<Axioms> {
        let level = Level::Compiled;
        let named = self.named_axioms();
        let allowed = Allowed::new(&named, of_statement, SUBMISSION);
        let mut text = format!("{}\n{}", claim.submission, allowed.questions());
        for theorem in &claim.theorems {
            text += &format!("Print Assumptions {theorem}.\n");
        }
        let folder = Scratch::new().map_err(EnvError::from).map_err(Verdict::failed(level))?;
        let stdout = match compile(compiler, folder.path(), &text, claim.submission.len()).await {
            Err(Verdict::Rejected { message, at: None, .. }) if is_missing(&message, &claim.theorems) => {
                return Err(Verdict::rejected(level, Reason::Missing, message));
            }
            compiled => compiled?,
        };
        // One answer per theorem, in order; the file's own output comes before.
        let answers = assumptions::read(&stdout);
        let located = Located::read(&stdout);
        let Some(first) = answers.len().checked_sub(claim.theorems.len()) else {
            let message = "the compiler did not list the assumptions of every theorem";
            return Err(Verdict::rejected(level, Reason::Missing, message));
        };
        let mut axioms = Axioms::default();
        for (theorem, answer) in claim.theorems.iter().zip(&answers[first..]) {
            for assumption in answer {
                let name = assumption.name();
                let admitted = theorem == name || theorem.ends_with(&format!(".{name}"));
                match assumption {
                    Assumption::Unchecked { how, .. } => return Err(unchecked(level, theorem, name, how)),
                    _ if admitted => return Err(unproved(level, theorem)),
                    Assumption::Axiom(_) | Assumption::Opaque(_) => match allowed.allowance(name, &located) {
                        Some(allowance) => axioms.add(name, allowance),
                        None => return Err(not_allowed(level, theorem, name, &claim.submission)),
                    },
                }
            }
        }
        allowed.all_known(&claim.theorems, &located).map_err(Verdict::failed(level))?;
        Ok(axioms)
    }

    /// The libraries: those in Rocq's own folder, and those of the user's project.
    fn libraries(&self, installed: PathBuf) -> Libraries {
        let bound = self.config.load_path.iter().map(|path| (path.folder.clone(), path.name.clone()));
        // Rocq looks for modules in these folders, too.
        let searched = dialect::SEARCH_PATHS.iter().filter_map(std::env::var_os);
        let searched = searched.flat_map(|paths| std::env::split_paths(&paths).collect::<Vec<_>>());
        Libraries::new(installed, bound.chain(searched.map(|folder| (folder, String::new()))).collect())
    }

    /// The axioms that the user allows, without names of the installation that the user's own modules have taken.
    fn named_axioms(&self) -> Vec<String> {
        let project = self.libraries(PathBuf::new());
        let named = self.config.allowed_axioms.named.iter();
        named.filter(|name| !is_taken(&project, name)).cloned().collect()
    }

    /// The axioms, by their full names, that are allowed because the statements of a challenge depend on them: those of
    /// installed libraries, not of the user's project, and the rest of the sets that they are of.
    async fn of_statement(&self, challenge: &Challenge) -> Result<BTreeSet<String>, EnvError> {
        if self.config.allowed_axioms.only_named || challenge.axioms.loaded.is_empty() {
            return Ok(BTreeSet::new());
        }
        let libraries = self.libraries(library_folder(&program(dialect::COMPILERS)?).await?);
        let is_installed = |name: &&String| {
            libraries.installs(name) && !libraries.binds(name) && !is_taken(&libraries, name)
        };
        let mut axioms: BTreeSet<String> =
            challenge.axioms.loaded.iter().filter(is_installed).cloned().collect();
        let sets = begun_sets(&axioms);
        axioms.extend(sets.filter(|name| !is_taken(&libraries, name)));
        Ok(axioms)
    }

    /// The challenge of a claim. A compilation error is not a verdict on the proof.
    async fn stated(&self, claim: &Claim, using: &[Option<String>]) -> Result<Arc<Challenge>, EnvError> {
        let id = claim.theorems.join(", ");
        self.challenge(&id, &claim.challenge, &claim.theorems, using, extent(claim)).await
    }

    /// A compiled challenge, possibly from the cache. `id` names it in messages.
    async fn challenge(
        &self,
        id: &str,
        trusted: &str,
        theorems: &[String],
        using: &[Option<String>],
        extent: Extent,
    ) -> Result<Arc<Challenge>, EnvError> {
        let refused = refused_challenge(id);
        // The author of a statement is trusted, but reading it must not run or write anything.
        forbidden_commands(trusted).map_err(|refusal| refused(refusal.to_string()))?;
        let found = super::source::theorems(trusted).map_err(|e| refused(e.to_string()))?;
        if let Some(theorem) = found.iter().find(|t| !t.reachable && theorems.contains(&t.name)) {
            return Err(refused(format!(
                "`{}` is inside a functor or a module type, where it cannot be checked; apply the functor in the file, \
                 and name the theorem of the result",
                theorem.name
            )));
        }
        let source = challenge::source(trusted, theorems, using, extent, &self.config.allowed_axioms.named)
            .map_err(|e| refused(e.to_string()))?;
        if let Some(known) = self.challenges.find(&source) {
            return Ok(known);
        }
        let compiled = match challenge::compile(&self.compiler, &source).await {
            Err(EnvError::Process(ProcessError::TooLarge { limit, .. })) => {
                return Err(refused(prints_more(limit)));
            }
            compiled => compiled?,
        };
        Ok(self.challenges.add(source, compiled.map_err(refused)?))
    }
}

/// Whether a module of the user's project has taken a name of the installation, as any release spells it.
fn is_taken(project: &Libraries, name: &str) -> bool {
    of_installation(name).iter().any(|name| project.binds(name))
}

/// For a file that states its own theorems, nothing else determines its assumptions and universes.
fn extent(claim: &Claim) -> Extent {
    if claim.challenge == claim.submission { Extent::Whole } else { Extent::UpToTheorems }
}

/// A challenge whose theorems depend on the section variables that the submission uses.
struct Closed {
    challenge: Arc<Challenge>,
    /// For each theorem, those besides the ones of its statement.
    using: Vec<Option<String>>,
    /// What may be wrong with them.
    hint: Option<String>,
}

/// A submission that was compared with its challenge.
struct Compared {
    /// The folder with all compiled modules.
    folder: Scratch,
    /// Rocq's result: the axioms, or a rejection.
    first: Step<Axioms>,
    /// The result of comparing the compiled files.
    second: Result<(), Difference>,
    /// The libraries whose universes bound those of theorems.
    universes: Box<[String]>,
    /// What may be wrong with the section variables of the submission.
    hint: Option<String>,
    /// Rocq's own folder of libraries.
    installed: PathBuf,
}

/// What the theorems of the compiled challenge in a folder say of universes, if they are theorems.
fn asked_for(folder: &Path, theorems: &[String]) -> Step<Stated> {
    let asked = stated(folder)?;
    match vo::type_among(&asked, theorems) {
        Some(name) => {
            let message =
                format!("`{name}` is a type, not a theorem; state what has to be proved as a theorem");
            Err(Verdict::rejected(Level::Audited, Reason::Statement, message))
        }
        None => Ok(Stated::of(&asked, theorems)),
    }
}

/// The theorems that the challenge leaves open and the claim does not name.
fn open(claim: &Claim) -> Vec<String> {
    let stated = theorems(&claim.challenge).unwrap_or_default();
    let open = stated.into_iter().filter(|theorem| theorem.ending == ProofEnding::Open);
    let names = open.flat_map(|theorem| std::iter::once(theorem.name).chain(theorem.also));
    names.filter(|name| !claim.theorems.contains(name)).collect()
}

/// Rejects a submission with commands that no proof needs.
fn allowed(claim: &Claim) -> Step<()> {
    forbidden_commands(&claim.submission).map_err(|refusal| checking::forbidden(&refusal, &claim.submission))
}

/// Whether the compiler reports that one of the theorems does not exist.
fn is_missing(message: &str, theorems: &[String]) -> bool {
    theorems.iter().any(|t| message.contains(&format!("{t} not a defined object")))
}

/// During the comparison, the output consists of the submission's axioms, whose names it chose. Excessive output is
/// therefore the submission's fault, not a technical failure.
fn too_much(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Infrastructure {
            level,
            error: EnvError::Process(ProcessError::TooLarge { limit, doing }),
        } => {
            let message = format!(
                "the list of its assumptions, printed while {doing}, is larger than {} MiB, the maximum; \
                 have it assume less, by shorter names",
                limit >> 20
            );
            Verdict::rejected(level, Reason::Refused, message)
        }
        verdict => verdict,
    }
}
