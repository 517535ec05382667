//! The checker: from a fresh compiler over the judge to a second run of the kernel.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use andor_core::theorem::Theorem;
use async_trait::async_trait;
use tokio::sync::OnceCell;

use super::assumptions::{self, Assumption};
use super::axioms::{Allowed, Located};
use super::challenge::{self, Challenge, Extent};
use super::commands::forbidden_commands;
use super::compiler::{Compiled, Compiler, Walls, program, take};
use super::judge::{Case, SUBMISSION, not_allowed, unproved};
use super::{RocqConfig, dialect, recheck, scratch_folder, script};
use crate::checker::{Checker, Claim, Level, Reach, Reason, Verdict};
use crate::error::EnvError;
use crate::screen::Refusal;

/// Challenges that are remembered.
const MAX_CHALLENGES: usize = 16;

/// Judges files with `coqc` and `coqchk`, each time in new processes and folders.
pub(super) struct RocqChecker {
    config: RocqConfig,
    compiler: Compiler,
    /// The sandbox of level 4, or why there is none.
    walls: OnceCell<Result<Walls, String>>,
    /// Challenges that were compiled, by their sources; the youngest last.
    challenges: Mutex<VecDeque<(String, Arc<Challenge>)>>,
}

impl RocqChecker {
    pub(super) fn new(config: RocqConfig) -> Self {
        Self {
            compiler: Compiler::new(config.clone()),
            walls: OnceCell::new(),
            challenges: Mutex::default(),
            config,
        }
    }
}

#[async_trait]
impl Checker for RocqChecker {
    async fn reach(&self) -> Reach {
        let reach = |highest, shortfall: String| Reach { highest, shortfall: Some(shortfall) };
        if let Err(error) = program(dialect::COMPILERS) {
            return reach(Level::Claimed, error.to_string());
        }
        if let Err(error) = program(dialect::KERNELS) {
            return reach(Level::Audited, error.to_string());
        }
        match self.walls().await {
            Ok(_) => Reach { highest: Level::Judged, shortfall: None },
            Err(why) => reach(Level::Rechecked, why.clone()),
        }
    }

    async fn pin(&self, theorem: &Theorem) -> Result<(), EnvError> {
        let trusted = script::challenge(theorem);
        let names = [theorem.name.clone()];
        self.challenge(&trusted, &names, &[], Extent::UpToTheorems).await?.map(|_| ()).map_err(|message| {
            EnvError::TheoremRefused {
                theorem: theorem.id.clone(),
                part: "the challenge",
                text: theorem.statement.clone(),
                message,
            }
        })
    }

    async fn check(&self, claim: &Claim, level: Level) -> Verdict {
        let mut at = Level::Compiled;
        let (level, compiler, shortfall) = match level {
            Level::Judged => match self.walls().await {
                Ok(walls) => (level, self.compiler.within(walls), None),
                Err(why) => (Level::Rechecked, self.compiler.clone(), Some(why.clone())),
            },
            _ => (level, self.compiler.clone(), None),
        };
        match self.climb(&compiler, claim, level, &mut at).await {
            Ok(Ok(axioms)) => Verdict::Accepted { level, axioms, shortfall },
            Ok(Err(rejected)) => rejected,
            Err(error) => Verdict::Infrastructure { level: at, error },
        }
    }
}

impl RocqChecker {
    async fn walls(&self) -> &Result<Walls, String> {
        self.walls.get_or_init(|| Walls::build(&self.config)).await
    }

    /// The axioms of a claim that holds up to a level, or its rejection. `at` says how far it came.
    async fn climb(
        &self,
        compiler: &Compiler,
        claim: &Claim,
        level: Level,
        at: &mut Level,
    ) -> Result<Result<Vec<String>, Verdict>, EnvError> {
        if let Err(refusal) = forbidden_commands(&claim.submission) {
            let reason = match refusal {
                Refusal::Unclosed(_) => Reason::Malformed,
                _ => Reason::Forbidden,
            };
            return Ok(Err(Verdict::rejected(Level::Compiled, reason, refusal.to_string())));
        }
        if level <= Level::Compiled {
            return self.compiled(compiler, claim).await;
        }
        *at = Level::Audited;
        let in_sections = challenge::in_sections(&claim.challenge, &claim.theorems);
        let stated = match self.stated(claim, &[]).await {
            // It may be good once theorems in sections depend on what their proofs use and no more.
            Err(error) if !in_sections || !matches!(error, EnvError::TheoremRefused { .. }) => {
                return Err(error);
            }
            stated => stated,
        };
        *at = Level::Compiled;
        let own = scratch_folder()?;
        let suggest = ["-set", "Suggest Proof Using"];
        let doing = "compiling a proof";
        let compiled = compiler.compile(own.path(), SUBMISSION, &claim.submission, &suggest, doing);
        let stdout = match compiled.await? {
            Compiled::Done(stdout) => stdout,
            Compiled::Refused(message) => return Ok(Err(refused(&message))),
        };
        *at = Level::Audited;
        let challenge = if in_sections {
            let using = challenge::used(&claim.submission, &claim.theorems, &stdout);
            self.stated(claim, &using).await.or(stated)?
        } else {
            stated?
        };
        let folder = scratch_folder()?;
        take(SUBMISSION, own.path(), folder.path())?;
        take(challenge::MODULE, challenge.folder.path(), folder.path())?;
        let case = Case {
            folder: folder.path(),
            challenge: &challenge,
            theorems: &claim.theorems,
            axioms: &self.config.allowed_axioms,
        };
        let axioms = match case.judge(compiler).await? {
            Ok(axioms) => axioms,
            Err(rejected) => return Ok(Err(rejected)),
        };
        if level <= Level::Audited {
            return Ok(Ok(axioms));
        }
        *at = Level::Rechecked;
        if let Err(rejected) = recheck::modules(compiler, folder.path()).await? {
            return Ok(Err(rejected));
        }
        if self.config.recheck_deps {
            recheck::libraries(compiler, &self.config, &claim.submission).await?;
        }
        Ok(Ok(axioms))
    }

    /// Level 1 alone: one compiler reads the file, and says at its end what the theorems rest on.
    async fn compiled(
        &self,
        compiler: &Compiler,
        claim: &Claim,
    ) -> Result<Result<Vec<String>, Verdict>, EnvError> {
        let allowed = Allowed::new(&self.config.allowed_axioms, SUBMISSION);
        let mut text = format!("{}\n{}", claim.submission, allowed.questions());
        for theorem in &claim.theorems {
            text += &format!("Print Assumptions {theorem}.\n");
        }
        let folder = scratch_folder()?;
        let doing = "compiling a proof";
        let compiled = compiler.compile(folder.path(), SUBMISSION, &text, &[], doing).await?;
        let stdout = match compiled {
            Compiled::Done(stdout) => stdout,
            Compiled::Refused(message) => return Ok(Err(refused(&message))),
        };
        // One answer per theorem, in order; anything the file itself prints comes before.
        let answers = assumptions::read(&stdout);
        let located = Located::read(&stdout);
        let Some(first) = answers.len().checked_sub(claim.theorems.len()) else {
            let message = "the compiler did not list the assumptions of every theorem";
            return Ok(Err(Verdict::rejected(Level::Compiled, Reason::Missing, message)));
        };
        let mut axioms: Vec<String> = Vec::new();
        for (theorem, answer) in claim.theorems.iter().zip(&answers[first..]) {
            for assumption in answer {
                let name = assumption.name();
                let admitted = theorem == name || theorem.ends_with(&format!(".{name}"));
                let rejected = match assumption {
                    Assumption::Unchecked { how, .. } => {
                        let message = format!("`{theorem}` rests on `{name}`, which {how}");
                        Verdict::rejected(Level::Compiled, Reason::Unchecked, message)
                    }
                    Assumption::Axiom(_) | Assumption::Opaque(_) if admitted => at_level_1(unproved(theorem)),
                    Assumption::Axiom(_) | Assumption::Opaque(_) if !allowed.has(name, &located) => {
                        at_level_1(not_allowed(theorem, name))
                    }
                    Assumption::Axiom(_) | Assumption::Opaque(_) => {
                        axioms.push(name.to_owned());
                        continue;
                    }
                };
                return Ok(Err(rejected));
            }
        }
        axioms.sort();
        axioms.dedup();
        Ok(Ok(axioms))
    }

    /// The challenge of a claim. That it cannot be compiled is no verdict on the proof.
    async fn stated(&self, claim: &Claim, using: &[Option<String>]) -> Result<Arc<Challenge>, EnvError> {
        // A file that is judged by itself has nothing else that would say what it may assume.
        let extent = if claim.challenge == claim.submission { Extent::Whole } else { Extent::UpToTheorems };
        let challenge = self.challenge(&claim.challenge, &claim.theorems, using, extent).await?;
        challenge.map_err(|message| EnvError::TheoremRefused {
            theorem: claim.theorems.join(", "),
            part: "the challenge",
            text: String::new(),
            message,
        })
    }

    /// A challenge, compiled now or before.
    async fn challenge(
        &self,
        trusted: &str,
        theorems: &[String],
        using: &[Option<String>],
        extent: Extent,
    ) -> Result<Result<Arc<Challenge>, String>, EnvError> {
        // Whoever states a theorem is trusted to mean it, but nothing runs or writes while it is read.
        if let Err(refusal) = forbidden_commands(trusted) {
            return Ok(Err(refusal.to_string()));
        }
        let source = match challenge::source(trusted, theorems, using, extent) {
            Ok(source) => source,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let known = |challenges: &VecDeque<(String, Arc<Challenge>)>| {
            challenges.iter().find(|(s, _)| *s == source).map(|(_, c)| Arc::clone(c))
        };
        if let Some(known) = known(&self.challenges.lock().expect("nobody panics holding it")) {
            return Ok(Ok(known));
        }
        let compiled = challenge::compile(&self.compiler, &source).await?;
        Ok(compiled.map(|challenge| {
            let challenge = Arc::new(challenge);
            let mut challenges = self.challenges.lock().expect("nobody panics holding it");
            challenges.push_back((source, Arc::clone(&challenge)));
            if challenges.len() > MAX_CHALLENGES {
                challenges.pop_front();
            }
            challenge
        }))
    }
}

fn refused(message: &str) -> Verdict {
    Verdict::rejected(Level::Compiled, Reason::Refused, format!("the compiler refuses it: {message}"))
}

fn at_level_1(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Rejected { reason, message, .. } => Verdict::rejected(Level::Compiled, reason, message),
        other => other,
    }
}
