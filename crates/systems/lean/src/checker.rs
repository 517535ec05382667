//! The checker: from a fresh compiler through the comparison of compiled files to a separate run of the kernel.

mod second;

use std::collections::BTreeSet;
use std::sync::Arc;

use andor_core::theorem::Theorem;
use andor_process::error::ProcessError;
use async_trait::async_trait;
use tokio::sync::OnceCell;
use tokio::time::Instant;

use super::commands::harmless;
use super::commands::imported::known;
use super::compiler::{Compiled, Compiler, MODULE, compiled};
use super::kernels::Kernels;
use super::premises::Premises;
use super::{LeanConfig, bugs, modules, script};
use andor_audit::olean::judge::catalogue::Catalogue;
use andor_audit::olean::judge::libraries::Libraries;
use andor_audit::olean::judge::world::World;
use andor_audit::olean::judge::{self, AuditError, Built, STANDARD_AXIOMS};
use andor_audit::olean::{self, Name};
use andor_core::verdict::Reason;
use andor_env::checker::{Checker, Claim, Level, Permission, Reach, Step, Verdict};
use andor_env::checking::{self, Challenges, refused_challenge};
use andor_env::environment::Finding;
use andor_env::error::EnvError;
use andor_env::outline::Place;
use andor_env::trust::{SecondJudge, Trust};
use andor_lean_language::declarations;
use andor_process::scratch::Scratch;

/// The operation named in messages while a submission is read.
const READING: &str = "reading a proof";

/// Verifies files with `lean`, each time in new processes and folders.
pub(super) struct LeanChecker {
    config: LeanConfig,
    compiler: Compiler,
    premises: Arc<Premises>,
    /// By their text.
    challenges: Challenges<String, Compilation>,
    /// The levels of this machine, once they are known.
    reach: OnceCell<Reach>,
    /// Whether the compiled files of this Lean can be read, or why not.
    readable: OnceCell<Result<(), String>>,
    /// The other kernels of this machine, tried.
    kernels: OnceCell<Kernels>,
}

/// A compiled file, its folder, and the installed modules with which it was compiled.
struct Compilation {
    folder: Scratch,
    /// What it imports; `None` if the compiled files of this Lean cannot be read.
    world: Option<Arc<World>>,
}

impl LeanChecker {
    pub(super) fn new(config: LeanConfig, premises: Arc<Premises>) -> Self {
        let compiler = Compiler::new(config.clone(), Arc::clone(&premises));
        Self {
            config,
            compiler,
            premises,
            challenges: Challenges::default(),
            reach: OnceCell::new(),
            readable: OnceCell::new(),
            kernels: OnceCell::new(),
        }
    }
}

#[async_trait]
impl Checker for LeanChecker {
    async fn reach(&self) -> Reach {
        let reach = |highest, shortfall: String| Reach { highest, shortfall: Some(shortfall) };
        let probe = async || {
            if let Err(why) = self.readable().await? {
                return Ok(reach(Level::Compiled, why.clone()));
            }
            if let Err(error) = self.compiler.rechecker().await {
                return Ok(reach(Level::Audited, error.to_string()));
            }
            checking::reach_with(self.premises.sandbox().await)
                .map_err(|failed| EnvError::Process(ProcessError::Unconfined { message: failed.to_string() }))
        };
        let found = self.reach.get_or_try_init(probe).await;
        found.cloned().unwrap_or_else(|error: EnvError| reach(Level::Claimed, error.to_string()))
    }

    async fn pin(&self, theorem: &Theorem) -> Result<(), EnvError> {
        let names = [theorem.name.clone()];
        let (deadline, text) = (self.deadline(), script::challenge(theorem));
        let challenge = self.challenge(deadline, &theorem.id, &text, &names).await?;
        match challenge.world {
            Some(_) => self.knows_axioms(deadline, &names, vec![challenge.built()?]).await,
            None => Ok(()),
        }
    }

    async fn second_judge(&self) -> Option<Result<Vec<String>, String>> {
        let kernels = self.kernels().await;
        Some(kernels.map_err(|error| error.to_string()).and_then(Kernels::usable))
    }

    async fn export(&self, claim: &Claim) -> Result<Vec<u8>, EnvError> {
        let deadline = self.deadline();
        let prepared = async {
            let (claim, before) = self.prepared(deadline, claim).await?;
            let (submission, _) = self.audited(deadline, &claim, before).await?;
            self.exported(deadline, &submission, &claim.theorems)
                .await
                .map_err(Verdict::failed(Level::Audited))
        };
        match prepared.await {
            Ok(export) => Ok(export.text),
            Err(Verdict::Infrastructure { error, .. }) => Err(error),
            Err(Verdict::Rejected { message, .. }) => Err(EnvError::NotExported { why: message }),
            Err(Verdict::Accepted { .. }) => unreachable!("a step that fails is no acceptance"),
        }
    }

    async fn check(&self, claim: &Claim, level: Level) -> Verdict {
        match self.climb(claim, level).await {
            Ok((axioms, trust)) => {
                Verdict::Accepted { level, axioms, trust: Box::new(trust), shortfall: None }
            }
            Err(verdict) => verdict,
        }
    }
}

impl LeanChecker {
    /// When a check that begins now must have ended.
    fn deadline(&self) -> Instant {
        Instant::now() + self.config.check_limit
    }

    /// A claim whose text may be compiled, without comments, and the modules that it imports.
    async fn prepared(&self, deadline: Instant, claim: &Claim) -> Step<(Claim, Option<Arc<World>>)> {
        // Lean sees no comments, so that none can be code to it.
        let text = claim.submission.clone();
        let code = self.within(deadline, READING, move || harmless(&text)).await;
        let code = code.map_err(Verdict::failed(Level::Compiled))?;
        let code = code.map_err(|refusal| checking::forbidden(&refusal, &claim.submission))?;
        let states_itself = claim.challenge == claim.submission;
        let challenge = if states_itself { code.clone() } else { claim.challenge.clone() };
        let claim = Claim { submission: code, challenge, theorems: claim.theorems.clone() };
        let before = self.installed(&claim.submission).await.map_err(Verdict::failed(Level::Compiled))?;
        let before =
            before.map_err(|missing| Verdict::rejected(Level::Compiled, Reason::Refused, missing))?;
        self.allows_commands(deadline, &claim, before.clone()).await?;
        Ok((claim, before))
    }

    /// The axioms of a claim that is verified up to a level, and what else has to be trusted.
    async fn climb(&self, claim: &Claim, level: Level) -> Step<(Vec<String>, Trust)> {
        let deadline = self.deadline();
        let (claim, before) = self.prepared(deadline, claim).await?;
        let claim = &claim;
        if level <= Level::Compiled {
            return Ok((self.compiled(deadline, claim).await?, Trust::default()));
        }
        let (submission, axioms) = self.audited(deadline, claim, before).await?;
        // Tactics of libraries can add what the kernel never saw.
        let world = submission.world.as_deref();
        if level >= Level::Rechecked || world.is_some_and(World::goes_beyond_core) {
            self.checked_again(deadline, &submission.folder, level.min(Level::Rechecked)).await?;
        }
        let libraries = world.map(World::libraries).unwrap_or_default();
        let second_judge = match level >= Level::Rechecked {
            true => self.judged_again(deadline, &submission, &claim.theorems).await?,
            false => SecondJudge::Absent,
        };
        Ok((axioms, Trust { libraries, second_judge, ..Trust::default() }))
    }

    /// Has another run of the kernel check a compiled submission, for a level.
    async fn checked_again(&self, deadline: Instant, folder: &Scratch, level: Level) -> Step<()> {
        let failed = Verdict::failed(level);
        let again = self.compiler.recheck(deadline, folder.path(), "checking a proof again").await;
        let Compiled::Refused(message, _) = again.map_err(&failed)? else { return Ok(()) };
        self.verify_rechecker(deadline, &message).await.map_err(&failed)?;
        let message = format!("the kernel rejects it on the second check: {message}");
        Err(Verdict::rejected(level, Reason::Kernel, message))
    }

    /// Verifies that the second kernel accepts an empty file. One that was built for another version refuses everything.
    async fn verify_rechecker(&self, deadline: Instant, message: &str) -> Result<(), EnvError> {
        let folder = Scratch::new()?;
        let empty = self.compiler.compile(deadline, folder.path(), "", "compiling an empty file").await?;
        let accepted = match empty {
            Compiled::Done(_) => {
                self.compiler.recheck(deadline, folder.path(), "checking an empty file again").await?
            }
            refused => refused,
        };
        match accepted {
            Compiled::Done(_) => Ok(()),
            Compiled::Refused(..) => {
                let program = self.compiler.rechecker().await?;
                let what = "rejects an empty file, too, and is probably for another version";
                Err(EnvError::LibrariesRefused {
                    message: format!("`{}` {what}: {message}", program.display()),
                })
            }
        }
    }

    /// The program that checks proofs again, for a health report.
    pub(super) async fn second_kernel(&self) -> Finding {
        let (found, remedy) = match self.compiler.rechecker().await {
            Ok(program) => (Ok(program.display().to_string()), None),
            Err(EnvError::Missing { program, hint }) => (Err(format!("`{program}` not found")), Some(hint)),
            Err(error) => (Err(error.to_string()), None),
        };
        Finding { what: "kernel for level 3".to_owned(), found, remedy, needed: false }
    }

    /// Level 1: Lean reads the file, and prints the axioms of the theorems at its end.
    async fn compiled(&self, deadline: Instant, claim: &Claim) -> Step<Vec<String>> {
        let level = Level::Compiled;
        let mut text = format!("{}\n", claim.submission);
        let first = text.lines().count() as u64 + 1;
        for theorem in &claim.theorems {
            text += &format!("#print axioms _root_.{theorem}\n");
        }
        let folder = Scratch::new().map_err(EnvError::from).map_err(Verdict::failed(level))?;
        let messages = match self.compiler.compile(deadline, folder.path(), &text, "compiling a proof").await
        {
            Ok(Compiled::Done(messages)) => messages,
            Ok(Compiled::Refused(message, at)) => {
                // What stands behind the submission is not its own.
                let at = at.filter(|at| at.line <= claim.submission.lines().count());
                return Err(self.refused(claim, &message).located(at));
            }
            Err(error) => return Err(Verdict::Infrastructure { level, error }),
        };
        let mut axioms = BTreeSet::new();
        for (theorem, line) in claim.theorems.iter().zip(first..) {
            let answer = messages.iter().find(|message| message.line == line);
            let Some(used) = answer.and_then(|answer| printed_axioms(&answer.text)) else {
                let message = format!("Lean does not list the axioms of `{theorem}` at the end of the file");
                return Err(Verdict::rejected(level, Reason::Missing, message));
            };
            for axiom in used {
                if axiom == judge::SORRY {
                    let message = format!("`{theorem}` is not proved: it uses `sorry`");
                    return Err(Verdict::rejected(level, Reason::Unproved, message));
                }
                if !self.allows(&axiom) {
                    let message = format!("`{theorem}` depends on `{axiom}`, which is not an allowed axiom");
                    let permission = Permission::Axioms(axiom);
                    return Err(Verdict::not_permitted(level, Reason::Axiom, message, permission));
                }
                axioms.insert(axiom);
            }
        }
        Ok(axioms.into_iter().collect())
    }

    /// Level 2: compares the submission with the challenge. Returns the compiled submission and its axioms.
    async fn audited(
        &self,
        deadline: Instant,
        claim: &Claim,
        before: Option<Arc<World>>,
    ) -> Step<(Compilation, Vec<String>)> {
        let failed = Verdict::failed(Level::Audited);
        let id = claim.theorems.join(", ");
        // A file that states its own theorems has nothing to be compared with but itself.
        let challenge = match claim.challenge == claim.submission {
            true => None,
            false => {
                let stated = self.challenge(deadline, &id, &claim.challenge, &claim.theorems).await;
                Some(stated.map_err(&failed)?)
            }
        };
        let built = self.build(deadline, &claim.submission, before, "compiling a proof").await;
        let submission = match built.map_err(Verdict::failed(Level::Compiled))? {
            Ok(submission) => submission,
            Err((message, at)) => return Err(self.refused(claim, &message).located(at)),
        };
        // Lean may have read other imports in the text.
        self.allows_commands(deadline, claim, submission.world.clone()).await?;
        let (stated, submitted) = match &challenge {
            Some(challenge) => (challenge.built().map_err(&failed)?, submission.built().map_err(&failed)?),
            None => (submission.built().map_err(&failed)?, submission.built().map_err(&failed)?),
        };
        let files = [challenge.as_deref(), Some(&submission)].into_iter().flatten();
        let files = files.map(Compilation::built).collect::<Result<_, _>>().map_err(&failed)?;
        self.knows_axioms(deadline, &claim.theorems, files).await.map_err(&failed)?;
        let (theorems, allowed) = (claim.theorems.clone(), self.config.allowed_axioms.clone());
        let audit = move || judge::audit(&stated, &submitted, &theorems, &allowed, &mut Catalogue::shared());
        let audited = self.within(deadline, "comparing a proof with its challenge", audit).await;
        let audited = match audited.map_err(&failed)? {
            // Nothing else states the theorem of such a file.
            Err(AuditError::Challenge(message)) if challenge.is_none() => {
                return Err(Verdict::rejected(Level::Audited, Reason::Missing, message));
            }
            Err(AuditError::File { of, source })
                if source.is_limit() && (challenge.is_none() || of == judge::SUBMISSION) =>
            {
                let message = format!(
                    "its compiled file is more than level 2 reads: {source}; write the proof with less"
                );
                return Err(Verdict::rejected(Level::Audited, Reason::Refused, message));
            }
            audited => audited.map_err(|error| failed(unreadable(&id, error)))?,
        };
        match audited {
            Ok(axioms) => Ok((submission, axioms)),
            Err(rejection) => Err(Verdict::Rejected {
                level: Level::Audited,
                reason: rejection.reason,
                message: rejection.message,
                permission: rejection.axiom.map(Permission::Axioms),
                at: None,
            }),
        }
    }

    /// Refuses the theorems of a claim if an allowed axiom is none of some compiled files and of what they import.
    async fn knows_axioms(
        &self,
        deadline: Instant,
        theorems: &[String],
        files: Vec<Built>,
    ) -> Result<(), EnvError> {
        let allowed = self.config.allowed_axioms.named.clone();
        if allowed.is_empty() {
            return Ok(());
        }
        let id = theorems.join(", ");
        let find = move || judge::unknown_axiom(&files, &allowed, &mut Catalogue::shared());
        let found = self.within(deadline, "looking for axioms", find).await?;
        match found.map_err(|error| unreadable(&id, error))? {
            Some(message) => Err(refused_challenge(&id)(message)),
            None => Ok(()),
        }
    }

    /// A compiled challenge, possibly from the cache. `id` names it in messages.
    async fn challenge(
        &self,
        deadline: Instant,
        id: &str,
        text: &str,
        theorems: &[String],
    ) -> Result<Arc<Compilation>, EnvError> {
        let refused = refused_challenge(id);
        // The author of a statement is trusted, but reading it must not run or write anything.
        let written = text.to_owned();
        let code = self.within(deadline, "reading the challenge", move || harmless(&written)).await?;
        let text = &code.map_err(|refusal| refused(checking::placed(&refusal, text)))?;
        let before = self.installed(text).await?.map_err(&refused)?;
        let challenge = match self.known(text).await? {
            Some(known) => known,
            None => match self.build(deadline, text, before, "compiling the challenge").await? {
                Err((message, at)) => {
                    let place = at.map_or(String::new(), |at| format!("{at}: "));
                    return Err(refused(place + &message));
                }
                Ok(new) => self.challenges.add(text.clone(), new),
            },
        };
        if challenge.world.is_none() {
            // Only level 1 is available, which does not use the challenge.
            return Ok(challenge);
        }
        let path = compiled(challenge.folder.path())?;
        let theorems = theorems.to_vec();
        let read = move || judge::stated(&path, &theorems);
        let stated = self.within(deadline, "reading the challenge", read).await?;
        stated.map_err(|error| match error {
            AuditError::Challenge(message) => refused(message),
            error => EnvError::CompiledFile { of: "the challenge".to_owned(), message: error.to_string() },
        })?;
        Ok(challenge)
    }

    /// A challenge in the cache, if what it imports is still the same.
    async fn known(&self, text: &str) -> Result<Option<Arc<Compilation>>, EnvError> {
        let known = self.challenges.find(&text.to_owned());
        let Some((known, world)) = known.and_then(|known| Some((Arc::clone(&known), known.world.clone()?)))
        else {
            return Ok(None);
        };
        let now = self.world(world.imports().to_vec()).await?;
        Ok(now.is_ok_and(|now| world.is(&now)).then_some(known))
    }

    /// The modules that a text imports, as they are installed now; `None` if their compiled files cannot be read. Or what
    /// to say of an import that is not there.
    async fn installed(&self, text: &str) -> Result<Result<Option<Arc<World>>, String>, EnvError> {
        let toolchain = self.premises.toolchain().await?;
        if let Some(missing) = modules::missing(toolchain, text).into_iter().next() {
            let line = text
                .lines()
                .position(|line| line.split_whitespace().any(|word| *word == missing))
                .map_or(1, |line| line + 1);
            return Ok(Err(format!(
                "line {line}: `import {missing}`: there is no compiled file of this module; build it \
                 (`lake build {missing}`), and name the folder of its project"
            )));
        }
        // What Lean cannot import, it will say itself.
        let is_readable = self.readable().await?.is_ok();
        Ok(Ok(if is_readable { self.world(implied_imports(text)).await?.ok() } else { None }))
    }

    /// Compiles a file, with installed modules that remain the same meanwhile; or the message with which it is rejected and its place.
    async fn build(
        &self,
        deadline: Instant,
        text: &str,
        before: Option<Arc<World>>,
        doing: &str,
    ) -> Result<Result<Compilation, (String, Option<Place>)>, EnvError> {
        let folder = Scratch::new()?;
        let is_readable = self.readable().await?.is_ok();
        if let Compiled::Refused(message, at) =
            self.compiler.compile(deadline, folder.path(), text, doing).await?
        {
            return Ok(Err((message, at)));
        }
        if !is_readable {
            return Ok(Ok(Compilation { folder, world: None }));
        }
        let folder = kept(&folder)?;
        let unusable = |error: AuditError| match error {
            AuditError::Changed(module) => EnvError::LibraryChanged { module },
            error => EnvError::CompiledFile { of: "the file".to_owned(), message: error.to_string() },
        };
        let imports = judge::imports(&compiled(folder.path())?).map_err(unusable)?;
        let world = self.world(imports).await?.map_err(unusable)?;
        match before.as_ref().and_then(|before| before.changed(&world)) {
            Some(module) => Err(EnvError::LibraryChanged { module: module.to_string() }),
            None => Ok(Ok(Compilation { folder, world: Some(world) })),
        }
    }

    /// [`apart`], up to the deadline.
    async fn within<T: Send + 'static>(
        &self,
        deadline: Instant,
        doing: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, EnvError> {
        checking::within(deadline, self.config.check_limit, doing, apart(doing, work)).await
    }

    /// Whether the compiled files of this Lean can be read, or why not. Of a release that nobody has tried, some of its own
    /// files are read first.
    async fn readable(&self) -> Result<&Result<(), String>, EnvError> {
        let probe = async || {
            let version = self.premises.toolchain().await?.version;
            if !olean::reads(version) {
                let bugs = bugs::told(version).unwrap_or_default();
                return Ok(Err(format!("{}{bugs}", olean::OleanError::Version(version.to_string()))));
            }
            if !olean::is_newer(version) {
                return Ok(Ok(()));
            }
            tracing::warn!(
                "Lean {version} is newer than all that andor was tried with, and is treated like the newest"
            );
            let world = self.world(implied_imports("")).await?;
            let read = match world {
                Ok(world) => {
                    apart("reading Lean's core", move || Catalogue::shared().knows_core(&world)).await?
                }
                Err(error) => Err(error),
            };
            Ok(read.map_err(|error| {
                format!("compiled files of Lean {version} have a form that is not known: {error}")
            }))
        };
        self.readable.get_or_try_init(probe).await
    }

    /// The modules that a file with these imports can refer to, as they are now.
    async fn world(&self, imports: Vec<Name>) -> Result<Result<Arc<World>, AuditError>, EnvError> {
        let toolchain = self.premises.toolchain().await?;
        let own = toolchain.sysroot.join("lib/lean");
        let libraries = Libraries::new(toolchain.search_path.iter().cloned().chain([own]).collect());
        let find = move || Catalogue::shared().world(&libraries, &imports);
        apart("looking for imported modules", find).await
    }

    /// Refuses commands of the modules that a submission imports, unless they are known, or its challenge has them.
    async fn allows_commands(
        &self,
        deadline: Instant,
        claim: &Claim,
        imported: Option<Arc<World>>,
    ) -> Step<()> {
        let Some(world) = imported else { return Ok(()) };
        let Claim { submission, challenge, .. } = claim.clone();
        let read = move || {
            let challenge = if challenge == submission { "" } else { &challenge };
            known(&submission, challenge, world.commands())
        };
        let known = self.within(deadline, READING, read).await.map_err(Verdict::failed(Level::Compiled))?;
        known.map_err(|refusal| checking::forbidden(&refusal, &claim.submission))
    }

    fn allows(&self, axiom: &str) -> bool {
        self.config.allowed_axioms.has(axiom, STANDARD_AXIOMS)
    }

    /// The rejection of a file that Lean rejects.
    fn refused(&self, claim: &Claim, message: &str) -> Verdict {
        let unknown = |theorem: &String| message.contains(&format!("nknown constant `_root_.{theorem}`"));
        let reason = match claim.theorems.iter().any(unknown) {
            true => Reason::Missing,
            false => Reason::Refused,
        };
        Verdict::rejected(Level::Compiled, reason, format!("Lean rejects it: {message}"))
    }
}

impl Compilation {
    /// What the judge needs to know of it.
    fn built(&self) -> Result<Built, EnvError> {
        let unreadable = || EnvError::CompiledFile {
            of: "the file".to_owned(),
            message: "the compiled files of this version are not supported".to_owned(),
        };
        let world = self.world.clone().ok_or_else(unreadable)?;
        Ok(Built { path: compiled(self.folder.path())?, world })
    }
}

/// A folder with nothing but the compiled file of another one. What else was left there could pass for a library, or for
/// a part of the file.
fn kept(folder: &Scratch) -> Result<Scratch, EnvError> {
    let kept = Scratch::new()?;
    let path = kept.path().join(MODULE).with_extension("olean");
    let copied = std::fs::copy(compiled(folder.path())?, &path);
    copied.map_err(|source| EnvError::File {
        action: "cannot write",
        path: path.display().to_string(),
        source,
    })?;
    Ok(kept)
}

/// The modules that a text imports; without any, Lean imports `Init`.
fn implied_imports(text: &str) -> Vec<Name> {
    std::iter::once("Init").chain(declarations::imports(text)).map(Name::written).collect()
}

/// The error of an audit without a verdict. `id` names the theorems.
fn unreadable(id: &str, error: AuditError) -> EnvError {
    match error {
        AuditError::Challenge(message) => refused_challenge(id)(message),
        AuditError::Changed(module) => EnvError::LibraryChanged { module },
        error => EnvError::CompiledFile { of: id.to_owned(), message: error.to_string() },
    }
}

/// Runs an operation that takes long without waiting on a thread for such operations.
async fn apart<T: Send + 'static>(
    doing: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, EnvError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        EnvError::Process(ProcessError::Died {
            doing: doing.to_owned(),
            status: error.to_string(),
            stderr: String::new(),
        })
    })
}

/// The axioms in an answer to `#print axioms`.
fn printed_axioms(answer: &str) -> Option<Vec<String>> {
    if answer.ends_with("does not depend on any axioms") {
        return Some(Vec::new());
    }
    let (_, list) = answer.split_once("depends on axioms: [")?;
    let list = list.strip_suffix(']')?;
    Some(list.split(',').map(|axiom| axiom.trim().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_axioms_are_read() {
        assert_eq!(printed_axioms("'a' does not depend on any axioms"), Some(Vec::new()));
        let two = "'a' depends on axioms: [propext,\n Quot.sound]";
        assert_eq!(printed_axioms(two), Some(vec!["propext".to_owned(), "Quot.sound".to_owned()]));
        assert_eq!(printed_axioms("Unknown constant `a`"), None);
    }
}
