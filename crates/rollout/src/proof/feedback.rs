//! What an agent is told about tactics that fail: why, and what may help.

use std::fmt::Write;
use std::sync::Arc;

use andor_core::goal::Goal;
use andor_core::lemma;
use andor_core::view;
use andor_env::error::EnvError;
use andor_provider::llm::dialect;

use super::{Failed, Parts, Proof, state};

/// Failed tactics that are kept.
const MOST_FAILED: usize = 64;
/// Characters shown of a goal, and of a message.
const LONGEST: usize = 2000;
/// Goals shown at a time.
const MOST_GOALS: usize = 8;
/// Failed tactics named at a time.
const NAMED: usize = 12;

impl Proof {
    /// All open goals, for an agent.
    pub(super) fn goals(&self) -> String {
        let open = self.proof.obligations();
        match open.len() {
            0 => "No goals are left. Submit the proof.".to_owned(),
            n => format!("{}:\n\n{}", counted(n), listed(&open, 1)),
        }
    }

    /// What to tell about a tactic that failed on the goal at a place, which is remembered.
    pub(super) async fn failure(
        &mut self,
        place: usize,
        tactic: &str,
        message: &str,
    ) -> Result<String, EnvError> {
        let mut text = shortened(message.trim());
        if let Some(hint) = dialect::foreign(tactic, self.system()) {
            write!(text, "\n  hint: {hint}").expect("a text takes everything");
        }
        for name in self.unknown_names(place, tactic, message) {
            let similar = self.proof.similar(place, &name).await;
            if !similar.is_empty() {
                let similar: Vec<String> = similar.iter().map(|name| format!("`{name}`")).collect();
                write!(
                    text,
                    "\n  hint: there is no `{name}` about this goal; did you mean {}?",
                    similar.join(" or ")
                )
                .expect("a text takes everything");
            }
        }
        let goals = &self.proof.obligations()[place];
        let failed = Failed { state: state(goals), goals: view::pp(goals), tactic: tactic.to_owned() };
        if self.failed.contains(&failed) {
            text += "\n  It failed in this state before.";
        } else {
            self.failed.push(failed);
            let surplus = self.failed.len().saturating_sub(MOST_FAILED);
            self.failed.drain(..surplus);
        }
        Ok(text)
    }

    /// Names in a tactic that the message speaks of, and that are neither hypotheses nor tactics.
    fn unknown_names(&self, place: usize, tactic: &str, message: &str) -> Vec<String> {
        const MOST: usize = 3;
        let obligations = self.proof.obligations();
        let locals: Vec<&str> =
            obligations[place].iter().flat_map(|goal| goal.locals().map(|(name, _)| name)).collect();
        let mut names: Vec<String> = Vec::new();
        for word in lemma::words(tactic) {
            let is_named = lemma::words(message).any(|named| named == word);
            let is_own = locals.contains(&word) || self.system().language().knows(word);
            if is_named && !is_own && word.len() > 2 && names.iter().all(|name| name != word) {
                names.push(word.to_owned());
            }
        }
        names.truncate(MOST);
        names
    }

    /// The tactics that failed on the goal at a place, as a line; `None` if there are none.
    pub(super) fn failed_here(&self, place: usize) -> Option<String> {
        let open = self.proof.obligations();
        let here = state(open.get(place)?);
        let failed = self.failed.iter().rev().filter(|failed| failed.state == here);
        let tactics: Vec<String> = failed.take(NAMED).map(|failed| format!("`{}`", failed.tactic)).collect();
        (!tactics.is_empty()).then(|| format!("These failed in this state: {}.", tactics.join(", ")))
    }

    /// What to remind an agent of at the beginning of its turn: the goals and what failed, if its proof is unfinished.
    pub(super) fn reminder(&self) -> Option<String> {
        let open = self.proof.obligations();
        let failed = self.failed_here(0)?;
        (!open.is_empty()).then(|| format!("{} left. {failed}", counted(open.len())))
    }
}

/// Why a tactic is blocked before the assistant sees it, if it is.
pub(super) fn blocked(parts: &Parts, tactic: &str) -> Option<String> {
    let reason = parts.filter.block_reason(tactic)?;
    Some(format!("it was not run, because it is blocked here ({reason})"))
}

/// The number of goals, with the verb left to the reader.
pub(super) fn counted(n: usize) -> String {
    if n == 1 { "1 goal".to_owned() } else { format!("{n} goals") }
}

/// Goals with their numbers, beginning with `first`.
pub(super) fn listed(open: &[Arc<[Goal]>], first: usize) -> String {
    let mut text = String::new();
    for (number, goals) in (first..).zip(open).take(MOST_GOALS) {
        let shown = shortened(&goals.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n"));
        let shared =
            if goals.len() > 1 { " (they share metavariables; tactics apply to the first)" } else { "" };
        write!(text, "goal {number}{shared}:\n{shown}\n\n").expect("a text takes everything");
    }
    let more = open.len().saturating_sub(MOST_GOALS);
    if more > 0 {
        write!(text, "and {more} more\n\n").expect("a text takes everything");
    }
    text.truncate(text.trim_end().len());
    text
}

/// A text of bounded length.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… (cut off)", &text[..end]),
    }
}
