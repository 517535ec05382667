//! The first checker: a fresh compiler reads the whole file (level 1).

use async_trait::async_trait;

use super::axioms::{Allowed, Located, set_of};
use super::sentence::split;
use super::{RocqConfig, dialect, find, scratch_folder};
use crate::checker::{Checker, Claim, Level, Reason, Verdict};
use crate::error::EnvError;
use crate::process::{ChildSpec, run_to_end};

/// The largest output of the compiler that is read.
const MAX_OUTPUT_BYTES: usize = 4 << 20;

/// The module that a checked file becomes.
const MODULE: &str = "andor_check";

/// Judges files with `coqc` in a fresh process and directory.
pub(super) struct RocqChecker {
    config: RocqConfig,
}

impl RocqChecker {
    pub(super) fn new(config: RocqConfig) -> Self {
        Self { config }
    }
}

#[async_trait]
impl Checker for RocqChecker {
    /// Accepts a file when the compiler does and every theorem named rests on allowed axioms only. An
    /// admitted theorem rests on itself.
    async fn check(&self, file: &Claim, _level: Level) -> Verdict {
        if let Err(error) = split(&file.submission) {
            return rejected(Reason::Malformed, format!("the file is malformed: {error}"));
        }
        let stdout = match self.compile(file).await {
            Ok(Ok(stdout)) => stdout,
            Ok(Err(message)) => return rejected(Reason::Refused, message),
            Err(error) => return Verdict::Infrastructure { level: Level::Compiled, error },
        };
        // One answer per theorem, in order; anything the file itself prints comes before.
        let answers = read_assumptions(&stdout);
        let located = Located::read(&stdout);
        let allowed = Allowed::new(&self.config.allowed_axioms, MODULE);
        let Some(first) = answers.len().checked_sub(file.theorems.len()) else {
            let message = "the compiler did not list the assumptions of every theorem";
            return rejected(Reason::Missing, message.to_owned());
        };
        let mut axioms: Vec<String> = Vec::new();
        for (theorem, answer) in file.theorems.iter().zip(&answers[first..]) {
            if let Some(bad) = answer.iter().find(|a| !allowed.has(a, &located)) {
                return rejected(Reason::Axiom, describe(theorem, bad));
            }
            axioms.extend(answer.iter().cloned());
        }
        axioms.sort();
        axioms.dedup();
        Verdict::accepted(Level::Compiled, axioms)
    }
}

impl RocqChecker {
    /// The compiler's output, or its complaint.
    async fn compile(&self, file: &Claim) -> Result<Result<String, String>, EnvError> {
        let compiler = find(dialect::COMPILERS).ok_or_else(|| EnvError::Missing {
            program: dialect::COMPILERS.join("` or `"),
            hint: super::INSTALL_HINT.to_owned(),
        })?;
        let directory = scratch_folder()?;
        let name = format!("{MODULE}.v");
        let source = directory.path().join(&name);
        let mut text = file.submission.clone();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        // The assumptions come last, so that nothing else can be taken for them.
        text += &Allowed::new(&self.config.allowed_axioms, MODULE).questions();
        for theorem in &file.theorems {
            text += &format!("Print Assumptions {theorem}.\n");
        }
        std::fs::write(&source, &text).map_err(|error| EnvError::File {
            action: "cannot write",
            path: source.display().to_string(),
            source: error,
        })?;
        let compiler = compiler.to_string_lossy().into_owned();
        let mut args = dialect::compile_args(&compiler, &name);
        args.extend(self.config.load_path_args());
        let spec = ChildSpec {
            program: compiler,
            args,
            env: Vec::new(),
            directory: directory.path().to_owned(),
            max_address_space: self.config.max_address_space,
        };
        let finished =
            run_to_end(&spec, "checking a proof", self.config.check_limit, MAX_OUTPUT_BYTES).await?;
        match finished.exit.code {
            Some(0) => Ok(Ok(finished.stdout)),
            Some(_) => Ok(Err(format!("the compiler refuses it: {}", finished.exit.stderr.trim()))),
            None => Err(EnvError::Died {
                doing: "checking a proof".into(),
                status: finished.exit.status,
                stderr: finished.exit.stderr,
            }),
        }
    }
}

/// The answers to `Print Assumptions`, each as the list of what the theorem rests on. Section variables
/// count: a theorem that depends on them is not closed.
fn read_assumptions(stdout: &str) -> Vec<Vec<String>> {
    let mut answers: Vec<Vec<String>> = Vec::new();
    let mut in_section_variables = false;
    let mut listing = false;
    for line in stdout.lines() {
        match line {
            "Closed under the global context" => {
                answers.push(Vec::new());
                (listing, in_section_variables) = (false, false);
            }
            "Section Variables:" => {
                answers.push(Vec::new());
                (listing, in_section_variables) = (true, true);
            }
            "Axioms:" => {
                // After the section variables it goes on with the same answer.
                if !std::mem::take(&mut in_section_variables) {
                    answers.push(Vec::new());
                }
                listing = true;
            }
            _ if listing && !line.starts_with(char::is_whitespace) => {
                let name = line.split([' ', ':']).next().unwrap_or("");
                if let (Some(answer), false) = (answers.last_mut(), name.is_empty()) {
                    answer.push(name.to_owned());
                }
            }
            _ => {}
        }
    }
    answers
}

fn describe(theorem: &str, axiom: &str) -> String {
    if theorem == axiom || theorem.ends_with(&format!(".{axiom}")) {
        return format!("`{theorem}` is admitted, not proved");
    }
    let option = match set_of(axiom) {
        Some(set) => format!("--allow-axioms {set}"),
        None => format!("--allow-axioms {axiom}"),
    };
    format!("`{theorem}` rests on `{axiom}`, which is not an allowed axiom ({option} allows it)")
}

fn rejected(reason: Reason, message: String) -> Verdict {
    Verdict::rejected(Level::Compiled, reason, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_are_read() {
        let stdout = "     = 3\n     : nat\nClosed under the global context\nAxioms:\nother : A\nAxioms:\nclassic : forall P : Prop,\n          P \\/ ~ P\nprop_ext : A\nSection Variables:\nk\n  : nat\nAxioms:\nbad : False\n";
        let expected: &[&[&str]] = &[&[], &["other"], &["classic", "prop_ext"], &["k", "bad"]];
        assert_eq!(read_assumptions(stdout), expected);
        assert_eq!(read_assumptions("Axioms:\nConstant : False\n"), [["Constant"]]);
    }
}
