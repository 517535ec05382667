//! Writes a finished proof as a source file.

use andor_core::theorem::{ExtraImport, Theorem};

use super::lexer::in_word;
use super::sentence::split;
use crate::checker::Claim;
use crate::environment::{Script, source_file};

/// The theorem with its own header and statement, unchanged, and the script as its proof.
///
/// Extra imports follow the statement, so they cannot change its meaning.
pub(super) fn assemble(theorem: &Theorem, imports: &[ExtraImport], script: &Script) -> Claim {
    let body = body(script);
    let imports = imports.iter().filter(|import| import.is_used_in(&body)).map(|i| format!("  {}\n", i.line));
    Claim {
        submission: file(theorem, &format!("{}{body}Qed.\n", imports.collect::<String>())),
        challenge: challenge(theorem),
        theorems: vec![theorem.name.clone()],
    }
}

/// The theorem as stated by its user, without a proof.
pub(super) fn challenge(theorem: &Theorem) -> String {
    file(theorem, "Admitted.\n")
}

/// The theorem's own statement, unchanged, with a proof.
fn file(theorem: &Theorem, proof: &str) -> String {
    let opening = if opens_proof(&theorem.statement) { "" } else { "Proof.\n" };
    source_file(theorem, &format!("{}\n{opening}{proof}", theorem.statement.trim_end()))
}

/// Whether a statement ends by opening the proof, as with `Proof using x.`
pub(super) fn opens_proof(statement: &str) -> bool {
    let sentences = split(statement).unwrap_or_default();
    sentences.iter().any(|s| s.text.strip_prefix("Proof").is_some_and(|rest| !rest.starts_with(in_word)))
}

/// Writes the tactics. If a step leaves one group, its continuation follows directly; otherwise single goals are
/// proved in braces, and a group of several goals comes last.
pub(super) fn body(script: &Script) -> String {
    let mut text = String::new();
    // A stack of pending output, with the next item last.
    enum Task {
        Step(usize),
        Open(Option<usize>),
        Close,
    }
    let mut tasks = vec![Task::Step(0)];
    let mut indent = 1;
    while let Some(task) = tasks.pop() {
        let line = match task {
            Task::Step(index) => {
                let step = &script.steps[index];
                let mut next = Vec::new();
                let together = step.groups.iter().position(|g| g.len() > 1);
                match (&step.groups[..], together) {
                    ([_], _) => next.push(Task::Step(step.children[0])),
                    (groups, None) => {
                        for group in 0..groups.len() {
                            next.extend([Task::Open(None), Task::Step(step.children[group]), Task::Close]);
                        }
                    }
                    (groups, Some(together)) => {
                        // From last to first, so that the numbers of the others stay valid.
                        for group in (0..groups.len()).rev().filter(|&g| g != together) {
                            let goal = groups[group][0];
                            next.extend([
                                Task::Open(Some(goal)),
                                Task::Step(step.children[group]),
                                Task::Close,
                            ]);
                        }
                        next.push(Task::Step(step.children[together]));
                    }
                }
                tasks.extend(next.into_iter().rev());
                step.text.clone()
            }
            Task::Open(goal) => {
                let line = goal.map_or("{".to_owned(), |g| format!("{}: {{", g + 1));
                text += &format!("{}{line}\n", "  ".repeat(indent));
                indent += 1;
                continue;
            }
            Task::Close => {
                indent -= 1;
                "}".to_owned()
            }
        };
        text += &format!("{}{line}\n", "  ".repeat(indent));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::ScriptStep;

    fn step(text: &str, groups: &[&[usize]], children: &[usize]) -> ScriptStep {
        ScriptStep {
            text: text.into(),
            groups: groups.iter().map(|g| g.to_vec()).collect(),
            children: children.to_vec(),
        }
    }

    #[test]
    fn goals_are_proved_in_braces_and_coupled_ones_last() {
        let script = Script {
            steps: vec![
                step("intros.", &[&[0]], &[1]),
                step("split.", &[&[0], &[1]], &[2, 3]),
                step("lia.", &[], &[]),
                step("eexists.", &[&[0, 2], &[1]], &[4, 2]),
                step("eauto.", &[], &[]),
            ],
        };
        let expected = "  intros.\n  split.\n  {\n    lia.\n  }\n  {\n    eexists.\n    2: {\n      lia.\n    }\n    eauto.\n  }\n";
        assert_eq!(body(&script), expected);
    }
}
