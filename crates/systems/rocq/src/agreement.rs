//! What the two comparisons of level 2 say together.

use super::judge::{Axioms, is_admitted};
use andor_audit::vo::Difference;
use andor_core::verdict::Reason;
use andor_env::checker::{Level, Permission, Step, Verdict};

/// The separate results of the two comparisons of level 2; an error says why the claim fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinions {
    /// The result of matching the modules in Rocq.
    pub rocq: Result<(), String>,
    /// The result of comparing the compiled files.
    pub files: Result<(), String>,
}

/// Combines the two comparisons: both must find no difference.
pub(super) fn agreed(first: Step<Axioms>, second: Result<(), Difference>, submission: &str) -> Step<Axioms> {
    match (first, second) {
        (first, Ok(())) => first,
        // To allow such an axiom would not help.
        (Err(Verdict::Rejected { level, reason: Reason::Axiom, .. }), Err(Difference::Assumed(name))) => {
            let message = match is_admitted(&name, submission) {
                true => format!(
                    "the proof depends on `{name}`, which the submission admits instead of proving it"
                ),
                false => {
                    format!("the proof depends on the axiom `{name}`, which only the submission declares")
                }
            };
            Err(Verdict::rejected(level, Reason::Axiom, message))
        }
        // Whatever else Rocq finds follows from that.
        (
            Err(Verdict::Rejected { level, reason: Reason::Statement, .. }),
            Err(difference @ Difference::Missing(_)),
        ) => Err(Verdict::rejected(level, Reason::Missing, difference.to_string())),
        (
            Ok(_) | Err(Verdict::Rejected { reason: Reason::Statement, .. }),
            Err(difference @ Difference::Bounded { .. }),
        ) => {
            let (level, message) = (Level::Audited, difference.to_string());
            Err(Verdict::not_permitted(level, Reason::Statement, message, Permission::Universes))
        }
        (Err(Verdict::Rejected { level, reason: Reason::Statement, message, .. }), Err(difference)) => {
            let difference = difference.to_string();
            let message = if message == difference { message } else { format!("{difference}\n{message}") };
            Err(Verdict::rejected(level, Reason::Statement, message))
        }
        (Err(verdict), _) => Err(verdict),
        (Ok(_), Err(difference)) => {
            let message = format!("the compiled files differ: {difference}. Rocq itself finds no difference");
            Err(Verdict::rejected(Level::Audited, Reason::Statement, message))
        }
    }
}
