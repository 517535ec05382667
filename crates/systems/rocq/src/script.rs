//! Writes a finished proof as a source file.

use andor_core::theorem::{ExtraImport, Theorem};

use super::lexer::in_word;
use super::sentence::{bullet, split};
use andor_env::checker::Claim;
use andor_env::environment::Script;
use andor_env::file::source_file;

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

/// Writes the tactics. If a step leaves one group, its continuation follows directly. Several single goals are proved behind
/// bullets; where some are coupled, the others are proved in braces, and these come last.
pub(super) fn body(script: &Script) -> String {
    // A stack of pending output, with the next item last.
    enum Task {
        /// A step, and the level of the bullets below it.
        Step(usize, usize),
        Bullet(String),
        /// The end of what is behind a bullet, which has so many columns.
        Unbullet(usize),
        Open(usize),
        Close,
    }
    let mut text = String::new();
    let mut tasks = vec![Task::Step(0, 0)];
    // Where lines begin, and where the next one does.
    let (mut column, mut begun) = (2, false);
    while let Some(task) = tasks.pop() {
        let line = match task {
            Task::Step(index, level) => {
                let step = &script.steps[index];
                let child = |group: usize, level| Task::Step(step.children[group], level);
                let mut next = Vec::new();
                let together = step.groups.iter().position(|g| g.len() > 1);
                match (&step.groups[..], together) {
                    ([_], _) => next.push(child(0, level)),
                    (groups, None) => {
                        for group in 0..groups.len() {
                            let bullet = bullet(level);
                            let columns = bullet.len() + 1;
                            next.extend([
                                Task::Bullet(bullet),
                                child(group, level + 1),
                                Task::Unbullet(columns),
                            ]);
                        }
                    }
                    (groups, Some(together)) => {
                        // From last to first, so that the numbers of the others stay valid.
                        for group in (0..groups.len()).rev().filter(|&g| g != together) {
                            next.extend([Task::Open(groups[group][0]), child(group, 0), Task::Close]);
                        }
                        next.push(child(together, level));
                    }
                }
                tasks.extend(next.into_iter().rev());
                step.text.clone()
            }
            Task::Bullet(bullet) => {
                let indent = if begun { 0 } else { column };
                text += &format!("{}{bullet} ", " ".repeat(indent));
                column += bullet.len() + 1;
                begun = true;
                continue;
            }
            Task::Unbullet(columns) => {
                column -= columns;
                continue;
            }
            Task::Open(goal) => {
                let indent = if begun { 0 } else { column };
                text += &format!("{}{}: {{\n", " ".repeat(indent), goal + 1);
                (column, begun) = (column + 2, false);
                continue;
            }
            Task::Close => {
                column -= 2;
                "}".to_owned()
            }
        };
        let indent = if begun { 0 } else { column };
        text += &format!("{}{line}\n", " ".repeat(indent));
        begun = false;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor_env::environment::ScriptStep;

    fn step(text: &str, groups: &[&[usize]], children: &[usize]) -> ScriptStep {
        ScriptStep {
            text: text.into(),
            groups: groups.iter().map(|g| g.to_vec()).collect(),
            children: children.to_vec(),
        }
    }

    #[test]
    fn goals_are_proved_behind_bullets_and_coupled_ones_last() {
        let script = Script {
            steps: vec![
                step("intros.", &[&[0]], &[1]),
                step("split.", &[&[0], &[1]], &[2, 3]),
                step("lia.", &[], &[]),
                step("eexists.", &[&[0, 2], &[1]], &[4, 2]),
                step("eauto.", &[], &[]),
            ],
        };
        let expected =
            "  intros.\n  split.\n  - lia.\n  - eexists.\n    2: {\n      lia.\n    }\n    eauto.\n";
        assert_eq!(body(&script), expected);
        let split = |first, second| step("split.", &[&[0], &[1]], &[first, second]);
        let nested = Script {
            steps: vec![
                split(1, 5),
                split(2, 5),
                split(3, 5),
                split(4, 5),
                split(5, 5),
                step("lia.", &[], &[]),
            ],
        };
        let expected = "  split.\n  - split.\n    + split.\n      * split.\n        -- split.\n           ++ lia.\n           ++ lia.\n        \
            -- lia.\n      * lia.\n    + lia.\n  - lia.\n";
        assert_eq!(body(&nested), expected);
    }
}
