//! Writes a finished proof as a Lean file, like that of the embedded prover.

use andor_core::theorem::Theorem;

use super::commands::harmless;
use super::screen::in_script;
use super::shorten;
use andor_env::checker::Claim;
use andor_env::environment::Script;
use andor_env::error::EnvError;
use andor_lean_language::script::{Writer, file};

/// The theorem with its own header and statement, unchanged, and the script as its proof.
pub(super) fn assemble(theorem: &Theorem, script: &Script) -> Claim {
    Claim {
        submission: file(theorem, &Writer::default().write(script)),
        challenge: challenge(theorem),
        theorems: vec![theorem.name.clone()],
    }
}

/// A tactic as a step of a script (see [`in_script`]). Lean takes a parenthesis at the start of a line for an argument of a
/// term that ends the line before.
pub(super) fn step_text(tactic: &str) -> String {
    let tactic = in_script(tactic);
    if tactic.starts_with('(') { format!("skip\n{tactic}") } else { tactic.into_owned() }
}

/// The theorem as stated by its user, without a proof.
pub(super) fn challenge(theorem: &Theorem) -> String {
    file(theorem, "  sorry\n")
}

/// Refuses a theorem in whose challenge there is anything that is not known to be harmless.
pub(super) fn admit(theorem: &Theorem) -> Result<(), EnvError> {
    let challenge = challenge(theorem);
    harmless(&challenge).map(drop).map_err(|refusal| {
        let (part, text) = match harmless(&theorem.header) {
            Err(_) => ("the header", String::new()),
            Ok(_) => ("the statement", shorten(&theorem.statement)),
        };
        EnvError::TheoremRefused {
            theorem: theorem.id.clone(),
            part,
            text,
            at: refusal.place(&challenge),
            message: refusal.to_string(),
        }
    })
}
