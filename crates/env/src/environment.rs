//! The interface between the engine and proof assistants: one [`Environment`] per system.

use std::path::PathBuf;

use andor_core::signature::Commutative;
use andor_core::theorem::{ExtraImport, System, Theorem};
use andor_process::sandbox::NoSandbox;
use andor_process::sandbox::tested::TestedSandbox;
use async_trait::async_trait;

use crate::checker::{Checker, Claim};
use crate::error::EnvError;
use crate::outline::Outline;
use crate::screen::Refusal;
use crate::source;
use crate::worker::{Grouping, Worker};

/// A proof assistant.
#[async_trait]
pub trait Environment: Send + Sync {
    /// Its system.
    fn system(&self) -> System;

    /// The operators whose arguments are sorted for coarse signatures.
    fn commutative(&self) -> &'static Commutative;

    /// A new worker. This is cheap: a process starts only when a theorem is opened.
    fn new_worker(&self, grouping: Grouping) -> Box<dyn Worker>;

    /// A worker for lookups of lemmas only, where ordinary ones do not have them.
    async fn new_library(&self) -> Option<Box<dyn Worker>> {
        None
    }

    /// Whether a text is acceptable as a tactic: exactly one tactic, which cannot affect anything outside its place.
    fn screen(&self, tactic: &str) -> Result<(), Refusal>;

    /// Refuses a theorem with text that its checker refuses whatever the proof, before anything runs. By default none:
    /// workers may refuse it, too.
    ///
    /// # Errors
    ///
    /// [`EnvError::TheoremRefused`], with the part that is refused.
    fn admit(&self, _theorem: &Theorem) -> Result<(), EnvError> {
        Ok(())
    }

    /// The checker of finished proofs.
    fn checker(&self) -> &dyn Checker;

    /// The claim that `script` proves a theorem: a complete source file with the unchanged statement, and the theorem
    /// itself as the challenge. `imports` are the extra imports of the theorem that are in effect.
    fn assemble(&self, theorem: &Theorem, imports: &[ExtraImport], script: &Script) -> Claim;

    /// A file that states a theorem without proving it, as its users wrote it: what a proof of it is compared with.
    fn challenge(&self, theorem: &Theorem) -> String {
        let step = ScriptStep { text: "trivial".to_owned(), groups: Vec::new(), children: Vec::new() };
        self.assemble(theorem, &[], &Script { steps: vec![step] }).challenge
    }

    /// The tactics of a script alone, as a text that [`Self::outline`] reads. By default each is a line.
    fn proof_text(&self, script: &Script) -> String {
        let mut text = String::new();
        let mut stack = vec![0];
        while let Some(index) = stack.pop() {
            let step = &script.steps[index];
            text += &step.text;
            text.push('\n');
            stack.extend(step.children.iter().rev());
        }
        text
    }

    /// A step of a script with names for the hypotheses that it adds, where the assistant would make them up. `None` if it has no
    /// such form.
    fn with_names(&self, _step: &str, _names: &[&str]) -> Option<String> {
        None
    }

    /// Whether a name stands for a value, because its type is no proposition, in a file that ends with its proof: any value would do
    /// as its proof. By default not.
    async fn is_value(&self, _theorem: &Theorem, _proved: &str) -> bool {
        false
    }

    /// Whether a file with imports still declares all that it declares without them; if it does not compile, whether this holds of
    /// the part above a theorem. Each pair is first without the imports, then with them. The tactics that they bring must be new
    /// there. By default it cannot be told, so it is not.
    async fn is_harmless(&self, _file: &[String; 2], _above: &[String; 2], _imports: &[ExtraImport]) -> bool {
        false
    }

    /// Reads a proof script: tactics, a proof with its first and last words, or a theorem with its proof. Reading
    /// never fails: what cannot be read is cut off. By default as the system's texts are read; of one without texts each line is a
    /// tactic.
    fn outline(&self, script: &str) -> Outline {
        source::of(self.system()).map_or_else(|| Outline::of_lines(script), |source| source.outline(script))
    }

    /// The compiled modules of the user's own project that a header requires, sorted. They decide with it what a
    /// statement means. Installed libraries are not among them: they belong to the assistant. By default none.
    async fn modules_of(&self, _header: &str) -> Vec<PathBuf> {
        Vec::new()
    }

    /// For each text above a theorem, the modules that it imports and that are not installed, in order. By default none.
    ///
    /// # Errors
    ///
    /// The system is not installed, or cannot be asked.
    async fn missing_modules(&self, headers: &[&str]) -> Result<Vec<Vec<String>>, EnvError> {
        Ok(vec![Vec::new(); headers.len()])
    }

    /// What is installed, for `andor doctor`.
    async fn probe(&self) -> Vec<Finding>;

    /// Whether a machine without the system is missing nothing, unless somebody asks for it. By default it is.
    fn is_optional(&self) -> bool {
        false
    }

    /// A small theorem, with which `andor doctor` tries the system out. By default none.
    fn example(&self) -> Option<Example> {
        None
    }

    /// Tries out everything that the adapter relies on, which may take seconds. By default nothing.
    async fn try_out(&self) -> Vec<Finding> {
        Vec::new()
    }
}

/// A theorem called [`Example::NAME`] and a tactic that proves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its statement.
    pub statement: &'static str,
    /// The tactic.
    pub tactic: &'static str,
}

impl Example {
    /// Its name.
    pub const NAME: &str = "andor_example";
    /// The example of Lean and of `mini`.
    pub const LEAN: Self =
        Self { statement: "theorem andor_example (p : Prop) (h : p) : p", tactic: "exact h" };
}

/// A finished proof as a tree of tactics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The steps; the first is the root.
    pub steps: Vec<ScriptStep>,
}

impl Script {
    /// The part of it from a step on, as a script of its own.
    #[must_use]
    pub fn part(&self, step: usize) -> Self {
        let mut part = Self { steps: Vec::new() };
        let mut old = vec![step];
        let mut at = 0;
        while at < old.len() {
            let mut step = self.steps[old[at]].clone();
            for child in &mut step.children {
                old.push(*child);
                *child = old.len() - 1;
            }
            part.steps.push(step);
            at += 1;
        }
        part
    }
}

/// One tactic of a finished proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptStep {
    /// Its text in the script (see [`crate::worker::TacticOutcome::Applied`]).
    pub text: String,
    /// The groups of goals it leaves (see [`crate::worker::ProofState::groups`]).
    pub groups: Vec<Vec<usize>>,
    /// For each group, the step that continues it, as an index into [`Script::steps`].
    pub children: Vec<usize>,
}

/// What to do about an assistant that does not run in the sandbox.
const REMEDY: &str = "it may be damaged, the disk full, or a folder that it needs hidden; if you trust all texts, switch \
                      the sandbox off";

/// One line of a health report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was looked for.
    pub what: String,
    /// What was found, with its version; or what is missing.
    pub found: Result<String, String>,
    /// What to do when it is missing.
    pub remedy: Option<String>,
    /// Whether it is indispensable.
    pub needed: bool,
}

impl Finding {
    /// The sandbox, as it was found.
    pub fn of_sandbox(found: Result<&TestedSandbox, NoSandbox>) -> Self {
        let needed = matches!(found, Err(NoSandbox::Failed(_)));
        let found = match found {
            Ok(tested) => Ok(format!("{}, tested", tested.sandbox.version())),
            Err(why @ NoSandbox::SwitchedOff) => Err(why.to_string()),
            Err(NoSandbox::Missing(why)) => Err(format!("searches and checks run without a sandbox: {why}")),
            Err(NoSandbox::Failed(why)) => Err(why),
        };
        let remedy = needed.then(|| REMEDY.to_owned());
        Finding { what: "sandbox".to_owned(), found, remedy, needed }
    }
}
