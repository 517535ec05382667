//! From arguments to problems.

use andor_run::config::Config;
use andor_run::dataset::{self, Problem};
use andor_run::{System, registry};
use anyhow::bail;

use crate::args::SourceArgs;

/// Reads the problems that the arguments mean, and tells `say` which system was chosen where the user might
/// have meant another.
pub(super) fn problems(source: &SourceArgs, say: impl Fn(&str)) -> anyhow::Result<Vec<Problem>> {
    if let Some(system) = source.system {
        registry::environment(system, &Config::default())?;
    }
    let (mut problems, is_lean) = match (&source.file, &source.statement) {
        (Some(path), _) => (dataset::read(path)?, path.extension().is_some_and(|e| e == "lean")),
        (None, Some(statement)) => {
            let system = source.system.unwrap_or_else(|| dataset::system_of(statement));
            let problem = dataset::from_statement(system, statement, &source.imports)?;
            (vec![problem], system == System::Mini)
        }
        (None, None) => bail!("a FILE or --statement is required"),
    };
    if problems.is_empty() {
        bail!("the file holds no theorem to prove: every proof in it is finished");
    }
    if is_lean && source.system.is_none() {
        say(
            "system: mini (the embedded prover, for a fragment of Lean 4; Lean 4 itself, --system lean4, is not \
             part of this version)",
        );
    }
    for problem in &problems {
        let (id, system) = (&problem.theorem.id, problem.theorem.system);
        if system == System::Lean4 {
            bail!("theorem `{id}` needs the system `lean4`, which this version does not have");
        }
        if let Some(wanted) = source.system.filter(|s| *s != system) {
            bail!("--system: theorem `{id}` is for the system `{system}`, not `{wanted}`");
        }
    }
    if let Some(name) = &source.theorem {
        let names: Vec<String> = problems.iter().map(|p| p.theorem.name.clone()).collect();
        problems.retain(|p| is_called(p, name));
        if problems.is_empty() {
            bail!("--theorem: there is no unfinished theorem `{name}`; there are: {}", names.join(", "));
        }
    }
    Ok(problems)
}

/// Whether a problem is meant by a name: its id, its full name, or the last part of that.
fn is_called(problem: &Problem, name: &str) -> bool {
    let theorem = &problem.theorem;
    theorem.id == name || theorem.name == name || theorem.name.rsplit('.').next() == Some(name)
}
