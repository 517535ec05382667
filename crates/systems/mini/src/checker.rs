//! Verifies files on separate threads (ADR 8 explains why there is no process, ADR 11 defines the levels).

use andor_core::theorem::Theorem;
use andor_mini::budget::{self, Exceeded, Limits, StopOnDrop};
use andor_mini::judge::{File, SORRY};
use andor_process::error::ProcessError;
use async_trait::async_trait;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::script::challenge;
use super::second::{NoLean, SecondKernel};
use super::source::{FileError, with_named_examples};
use super::{MiniConfig, STANDARD_AXIOMS};
use andor_core::verdict::Reason;
use andor_env::checker::{Checker, Claim, Level, Permission, Reach, Step, Verdict};
use andor_env::checking;
use andor_env::error::EnvError;
use andor_env::other_kernel::Opinion;
use andor_env::outline::Place;
use andor_env::trust::{SecondJudge, Trust};

/// Why no verdict exceeds [`Level::Rechecked`].
const NO_SANDBOX: &str = "mini opens no files or connections and starts no programs, so it needs no sandbox";

/// Verifies files by reading them from scratch, including the prelude.
pub(super) struct MiniChecker {
    config: MiniConfig,
    second: SecondKernel,
}

/// One verification: its subject and its deadline.
struct Climb<'c> {
    checker: &'c MiniChecker,
    claim: &'c Claim,
    deadline: Instant,
}

impl MiniChecker {
    pub(super) fn new(config: MiniConfig) -> Self {
        Self { config, second: SecondKernel::default() }
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.config.check_limit
    }

    fn allows(&self, axiom: &str) -> bool {
        axiom != SORRY && self.config.allowed_axioms.has(axiom, STANDARD_AXIOMS)
    }

    /// Runs an operation on a separate thread, up to the deadline. The thread stops when the caller is
    /// dropped.
    async fn within<T: Send + 'static>(
        &self,
        deadline: Instant,
        doing: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, EnvError> {
        let waiting = StopOnDrop::default();
        let stop = waiting.stop();
        let done = afresh(doing, move || budget::until(&stop, Limits::NONE, work));
        let broken_off = |exceeded: Exceeded| {
            EnvError::Process(ProcessError::Died {
                doing: doing.to_owned(),
                status: exceeded.to_string(),
                stderr: String::new(),
            })
        };
        checking::within(deadline, self.config.check_limit, doing, done).await?.map_err(broken_off)
    }

    /// Reads a challenge, which must state the theorems.
    async fn challenge(
        &self,
        deadline: Instant,
        text: &str,
        theorems: &[String],
        id: &str,
    ) -> Result<File, EnvError> {
        let owned = text.to_owned();
        let read = self.within(deadline, "reading the challenge", move || read(&owned)).await?;
        let refused = |line: usize, message: String| EnvError::TheoremRefused {
            theorem: id.to_owned(),
            part: "the challenge",
            text: text.lines().nth(line.saturating_sub(1)).unwrap_or_default().trim().to_owned(),
            at: None,
            message,
        };
        let file = read.map_err(|error| refused(error.line, error.to_string()))?;
        match theorems.iter().find(|name| file.axioms(name).is_none()) {
            Some(name) => Err(refused(1, format!("it has no theorem `{name}`"))),
            None => Ok(file),
        }
    }
}

#[async_trait]
impl Checker for MiniChecker {
    /// It starts no process and reads no file, so there is nothing to put in a sandbox.
    fn ceiling(&self) -> Level {
        Level::Rechecked
    }

    async fn reach(&self) -> Reach {
        Reach { highest: Level::Rechecked, shortfall: Some(NO_SANDBOX.to_owned()) }
    }

    /// Reads the challenge once, so that errors in it are reported before the search.
    async fn pin(&self, theorem: &Theorem) -> Result<(), EnvError> {
        let names = std::slice::from_ref(&theorem.name);
        self.challenge(self.deadline(), &challenge(theorem), names, &theorem.id).await.map(drop)
    }

    async fn second_judge(&self) -> Option<Result<Vec<String>, String>> {
        Some(match self.second.name(self.config.second_kernel.as_deref()).await {
            Ok(kernel) => Ok(vec![kernel.to_owned()]),
            Err(NoLean::Absent(why) | NoLean::Silent(why)) => Err(why.clone()),
        })
    }

    async fn check(&self, claim: &Claim, level: Level) -> Verdict {
        let climb = Climb { checker: self, claim, deadline: self.deadline() };
        climb.climb(level).await.unwrap_or_else(|verdict| verdict)
    }
}

impl Climb<'_> {
    async fn climb(&self, level: Level) -> Step<Verdict> {
        let (file, axioms) = self.compiled().await?;
        if level <= Level::Compiled {
            return Ok(Verdict::accepted(Level::Compiled, axioms));
        }
        let file = self.audited(file).await?;
        if level <= Level::Audited {
            return Ok(Verdict::accepted(Level::Audited, axioms));
        }
        let file = self.rechecked(file, &axioms).await?;
        let trust = Trust { second_judge: self.judged_again(file).await?, ..Trust::default() };
        let trust = Box::new(trust);
        Ok(Verdict::Accepted { level: Level::Rechecked, axioms, trust, shortfall: None })
    }

    /// Reads the submission. It must contain the theorems, with allowed axioms only.
    async fn compiled(&self) -> Step<(File, Vec<String>)> {
        let level = Level::Compiled;
        let text = self.claim.submission.clone();
        let read = self.on_thread(level, "checking a proof", move || read(&text)).await?;
        let refused = |FileError { what, line, column }| {
            let message = format!("the prover refuses it: {what}");
            Verdict::rejected(level, Reason::Refused, message).located(Some(Place { line, column }))
        };
        let file = read.map_err(refused)?;
        let axioms = self.axioms(level, &file).await?;
        Ok((file, axioms))
    }

    /// Compares the submission with the challenge, which is read separately. It may leave open only what the challenge does.
    async fn audited(&self, file: File) -> Step<File> {
        let level = Level::Audited;
        let trusted = self.challenge().await.map_err(Verdict::failed(level))?;
        let theorems = self.claim.theorems.clone();
        let compare = move || {
            let open = file.left_open(&trusted);
            let found =
                open.map(|name| (Reason::Unproved, format!("`{name}` is left open: it uses `sorry`")));
            let differs = || theorems.iter().find_map(|theorem| file.statement_differs(&trusted, theorem));
            let found = found.or_else(|| differs().map(|message| (Reason::Statement, message)));
            let found =
                found.or_else(|| file.axioms_differ(&trusted).map(|message| (Reason::Axiom, message)));
            (file, found)
        };
        match self.on_thread(level, "comparing a proof with its challenge", compare).await? {
            (file, None) => Ok(file),
            (_, Some((reason, message))) => Err(Verdict::rejected(level, reason, message)),
        }
    }

    /// The challenge, which is read anew.
    async fn challenge(&self) -> Result<File, EnvError> {
        let Claim { challenge, theorems, .. } = self.claim;
        self.checker.challenge(self.deadline, challenge, theorems, &theorems.join(", ")).await
    }

    /// Whether the challenge declares a name, too.
    async fn is_stated(&self, name: &str) -> Result<bool, EnvError> {
        Ok(self.claim.challenge == self.claim.submission || self.challenge().await?.kind(name).is_some())
    }

    /// Has the kernel check every declaration again. The axioms of the theorems must be unchanged.
    async fn rechecked(&self, file: File, axioms: &[String]) -> Step<File> {
        let level = Level::Rechecked;
        let replayed = self.on_thread(level, "checking a proof again", move || file.replayed()).await?;
        let refused = |error| {
            Verdict::rejected(
                level,
                Reason::Kernel,
                format!("the kernel rejects it on the second check: {error}"),
            )
        };
        let file = replayed.map_err(refused)?;
        let again = self.axioms(level, &file).await?;
        if again == axioms {
            return Ok(file);
        }
        let message = format!("it depends on other axioms on the second check: {}", again.join(", "));
        Err(Verdict::rejected(level, Reason::Axiom, message))
    }

    /// Puts the theorems to Lean's kernel, if there is a Lean.
    async fn judged_again(&self, file: File) -> Step<SecondJudge> {
        let level = Level::Rechecked;
        let given = self.checker.config.second_kernel.as_deref();
        let kernel = match self.checker.second.name(given).await {
            Ok(kernel) => kernel.to_owned(),
            Err(NoLean::Absent(_)) => return Ok(SecondJudge::Absent),
            Err(NoLean::Silent(why)) => return Ok(SecondJudge::of(Vec::new(), std::slice::from_ref(why))),
        };
        let theorems = self.claim.theorems.clone();
        let written = move || file.lean_terms(&theorems);
        let written = self.on_thread(level, "writing a proof for Lean's kernel", written).await?;
        let said = match (written, given) {
            (Ok(text), Some(given)) => {
                let left = self.deadline.saturating_duration_since(Instant::now());
                given.opinion(&text, left).await
            }
            (Ok(_), None) => return Ok(SecondJudge::Absent),
            (Err(unwritable), _) => Opinion::Silent(unwritable.to_string()),
        };
        match said {
            Opinion::Accepts => Ok(SecondJudge::of(vec![kernel], &[])),
            Opinion::Silent(why) => Ok(SecondJudge::of(Vec::new(), &[format!("{kernel}: {why}")])),
            Opinion::Refuses(error) => {
                let message = format!("the kernel of {kernel} rejects it: {error}");
                Err(Verdict::rejected(level, Reason::SecondJudge, message))
            }
        }
    }

    /// The axioms of the theorems, sorted, if the theorems exist and all axioms are allowed.
    async fn axioms(&self, level: Level, file: &File) -> Step<Vec<String>> {
        let mut axioms: Vec<String> = Vec::new();
        for theorem in &self.claim.theorems {
            let Some(used) = file.axioms(theorem) else {
                let note = file.kind(theorem).map(|kind| format!(": it is {kind}")).unwrap_or_default();
                let message = format!("the file proves no theorem `{theorem}`{note}");
                return Err(Verdict::rejected(level, Reason::Missing, message));
            };
            if used.iter().any(|a| a == SORRY) {
                let message = format!("`{theorem}` is not proved: it uses `sorry`");
                return Err(Verdict::rejected(level, Reason::Unproved, message));
            }
            if let Some(bad) = used.iter().find(|a| !self.checker.allows(a)) {
                if file.kind(bad).is_some() && !self.is_stated(bad).await.map_err(Verdict::failed(level))? {
                    let message = format!(
                        "`{theorem}` depends on the axiom `{bad}`, which only the submission declares"
                    );
                    return Err(Verdict::rejected(level, Reason::Axiom, message));
                }
                let message = format!("`{theorem}` depends on `{bad}`, which is not an allowed axiom");
                let permission = Permission::Axioms(bad.clone());
                return Err(Verdict::not_permitted(level, Reason::Axiom, message, permission));
            }
            axioms.extend(used);
        }
        axioms.sort();
        axioms.dedup();
        Ok(axioms)
    }

    async fn on_thread<T: Send + 'static>(
        &self,
        level: Level,
        doing: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Step<T> {
        let done = self.checker.within(self.deadline, doing, work).await;
        done.map_err(|error| Verdict::Infrastructure { level, error })
    }
}

/// Reads a file, after naming its examples.
fn read(text: &str) -> Result<File, FileError> {
    File::read(&with_named_examples(text)?)
}

/// Runs on a new thread, so that thread-local caches start empty.
async fn afresh<T: Send + 'static>(
    doing: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, EnvError> {
    let (sender, receiver) = oneshot::channel();
    let spawned = std::thread::Builder::new().name("mini-check".to_owned()).spawn(move || {
        // The receiver is gone if the check was abandoned.
        let _ = sender.send(work());
    });
    spawned.map_err(|source| {
        EnvError::Process(ProcessError::Spawn { program: "a thread".to_owned(), source })
    })?;
    receiver.await.map_err(|_| {
        EnvError::Process(ProcessError::Died {
            doing: doing.to_owned(),
            status: "a panic".to_owned(),
            stderr: String::new(),
        })
    })
}
