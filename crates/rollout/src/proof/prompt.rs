//! What an agent is told at the beginning.

use andor_core::language::Prompts;
use andor_core::theorem::Theorem;
use andor_model::request::Message;

/// Characters shown of the text before the statement: its end, since definitions are near what they are for.
const LONGEST_HEADER: usize = 6000;

/// Who the agent is, and its theorem.
pub(super) fn task(theorem: &Theorem, goals: &str) -> [Message; 2] {
    let Prompts { prover: name, tactic: language, .. } = theorem.system.language().prompts;
    let system = format!(
        "You prove theorems in {name}. You work on the open goals of one theorem with tools: look at them, try tactics, \
         commit those that help, undo what leads nowhere, and submit the proof when no goal is left. Each tactic is \
         {language}.\n\
         Trying costs nothing, so try several tactics at once. Let `finish` or `search` close goals that look routine. \
         The statement cannot be changed, and proofs with gaps or new axioms are not accepted."
    );
    let skipped = theorem.header.chars().count().saturating_sub(LONGEST_HEADER);
    let header: String = theorem.header.chars().skip(skipped).collect();
    let before = match (header.trim().is_empty(), skipped) {
        (true, _) => String::new(),
        (false, 0) => format!("The file before it:\n```\n{}\n```\n\n", header.trim_end()),
        (false, _) => format!("The end of the file before it:\n```\n{}\n```\n\n", header.trim_end()),
    };
    let user = format!("{before}Prove this theorem:\n```\n{}\n```\n\n{goals}", theorem.statement.trim());
    [Message::system(system), Message::user(user)]
}
